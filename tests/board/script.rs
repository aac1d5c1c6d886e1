//! Whole games to be played on the page. White knows what it does and Black hardly does, so that they are short and much
//! happens: fortresses fall, kings appear late, pieces are dropped and promoted by choice.

use garrison::engine::{Control, Limits, STACK_SIZE, Searcher};
use garrison_rules::random::SplitMix;
use garrison_rules::{Move, Position, Status, Tag, find};

/// What happens in a game.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Events {
    pub setups: usize,
    pub drops: usize,
    pub chosen_drops: usize,
    pub chosen_promotions: usize,
    pub falls: usize,
    pub late_kings: usize,
}

/// A game from its start to its end.
pub struct Script {
    pub start: Position,
    pub moves: Vec<Move>,
    pub events: Events,
}

/// No game is longer.
const MOST_PLIES: usize = 160;

/// The game that these nodes and this seed make.
pub fn script(name: &str, nodes: u64, seed: u64) -> Script {
    let name = name.to_string();
    let play = move || play(&name, nodes, seed);
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(play);
    thread.expect("a thread").join().expect("a game")
}

/// The first game that ends by its rules and shows what such a game has: setups, fortresses that fall, a late king, a
/// choice at a drop, and a choice at a promotion if that comes soon. The searches, and so the games, may be others one day.
pub fn eventful(name: &str) -> Script {
    let variant = find(name).expect("a game");
    let has_reserves = variant.kinds().any(|kind| !variant.piece(kind).reserve.is_empty());
    let has_gains = variant.kinds().any(|kind| !variant.gains_of(kind).is_empty());
    let shows = |script: &Script| {
        let events = &script.events;
        script.has_ended()
            && events.setups == if variant.has_setup() { 2 } else { 0 }
            && (!has_gains || events.falls > 0 && events.late_kings > 0)
            && (!has_reserves || events.chosen_drops > 0)
    };
    let scripts = || (1..=40).map(|seed| script(name, 400, seed)).filter(shows);
    let chosen = scripts().take(8).find(|script| script.events.chosen_promotions > 0);
    chosen.or_else(|| scripts().next()).expect("an eventful game")
}

impl Script {
    fn has_ended(&self) -> bool {
        let end = self.moves.iter().fold(self.start.clone(), |mut position, &mv| {
            position.make(mv);
            position
        });
        end.status() != Status::Ongoing
    }
}

fn play(name: &str, nodes: u64, seed: u64) -> Script {
    let start = Position::start(&find(name).expect("a game"));
    let mut searcher = Searcher::new(1).expect("memory");
    let mut random = SplitMix::new(seed);
    let mut position = start.clone();
    let (mut moves, mut events) = (Vec::new(), Events::default());
    while position.status() == Status::Ongoing && moves.len() < MOST_PLIES {
        let legal = position.legal_moves();
        let wanted = legal.iter().copied().filter(|&mv| is_wanted(&position, mv, &events));
        let wanted: Vec<Move> = wanted.collect();
        let is_white = position.side_to_move() == garrison_rules::Color::White;
        let mv = if !wanted.is_empty() {
            wanted[random.below(wanted.len())]
        } else if is_white && !position.setup_phase().is_pending() {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let found = searcher.search(&position, &limits, &Control::new(false), |_| {});
            found.best.expect("a legal move")
        } else {
            legal[random.below(legal.len())]
        };
        events.count(&position, mv);
        moves.push(mv);
        position.make(mv);
    }
    Script { start, moves, events }
}

/// Whether a move shows something of which the game has shown nothing yet.
fn is_wanted(position: &Position, mv: Move, events: &Events) -> bool {
    let mut after = events.clone();
    after.count(position, mv);
    after.chosen_drops > 0 && events.chosen_drops == 0
        || after.chosen_promotions > 0 && events.chosen_promotions == 0
        || after.drops > 0 && events.drops == 0
}

impl Events {
    fn count(&mut self, position: &Position, mv: Move) {
        let variant = position.variant();
        match mv.tag() {
            Tag::Setup => self.setups += 1,
            Tag::Drop => {
                self.drops += 1;
                self.chosen_drops += usize::from(!variant.piece(mv.dropped()).reserve.is_empty());
                self.late_kings += usize::from(variant.royals().contains(mv.dropped()));
            }
            Tag::Promotion => self.chosen_promotions += usize::from(choices(position, mv) > 1),
            _ => {}
        }
        self.falls += usize::from(position.fall_by(mv).is_some());
    }
}

/// How many moves there are with the source and the target of this one.
pub fn choices(position: &Position, mv: Move) -> usize {
    let is_drop = mv.is_drop();
    let is_same = |other: &&Move| {
        other.to() == mv.to()
            && other.is_drop() == is_drop
            && if is_drop { other.dropped() == mv.dropped() } else { other.from() == mv.from() }
    };
    position.legal_moves().iter().filter(is_same).count()
}
