//! Texts of positions, moves and games: right ones with damage, and pieces of right ones put together.

use garrison::engine::{Control, Limits, STACK_SIZE, Searcher, TranspositionTable};
use garrison::protocol::cecp::{board, highlight, text};
use garrison_rules::definition::Definition;
use garrison_rules::{Position, Variant};

use crate::stock::Stock;
use crate::walk::{Random, env_number};
use crate::words::{damaged, noise, words};

/// FENs and moves in every notation.
pub fn positions_and_moves(count: u64) {
    let seed = env_number("GARRISON_SEED", 1);
    let stock = Stock::new(seed);
    let mut random = Random::new(seed ^ 0x1234);
    for _ in 0..count {
        let game = random.below(stock.variants.len());
        let variant = &stock.variants[game];
        let fen = any_fen(&stock, game, &mut random);
        for read in [Position::from_fen, text::parse_fen] {
            if let Ok(position) = read(variant, &fen) {
                check_position(&position, &mut random);
            }
        }
        let line = stock.line(&mut random, game);
        let at = random.below(line.fens.len());
        let mut position = Position::from_fen(variant, &line.fens[at]).expect("a FEN of ours");
        let right = line.moves.get(at).map_or("e2e4", String::as_str);
        for _ in 0..4 {
            check_move(&mut position, &any_move(right, &mut random));
        }
    }
}

/// A FEN with damage, with fields of another one, or nothing like one.
fn any_fen(stock: &Stock, game: usize, random: &mut Random) -> String {
    let own = stock.fen(random, game).to_string();
    match random.below(10) {
        0 => words(random),
        1 => String::from_utf8_lossy(&noise(random)).into_owned(),
        2 => {
            let other = random.below(stock.variants.len());
            let other = stock.fen(random, other).to_string();
            mixed(&own, &other, random, ' ')
        }
        3 => {
            let other = stock.fen(random, game).to_string();
            mixed(&own, &other, random, '/')
        }
        _ => damaged(random, &own),
    }
}

/// Parts of one text and of another.
fn mixed(one: &str, other: &str, random: &mut Random, between: char) -> String {
    let other: Vec<&str> = other.split(between).collect();
    let parts = one.split(between).enumerate();
    let mixed: Vec<&str> = parts
        .map(
            |(at, part)| {
                if random.below(3) == 0 { other.get(at).copied().unwrap_or(part) } else { part }
            },
        )
        .collect();
    mixed.join(&between.to_string())
}

fn any_move(right: &str, random: &mut Random) -> String {
    match random.below(8) {
        0 => words(random),
        1 => String::from_utf8_lossy(&noise(random)).into_owned(),
        2 => right.to_string(),
        _ => damaged(random, right),
    }
}

/// What was read is a position with all that belongs to one.
fn check_position(position: &Position, random: &mut Random) {
    let fen = position.fen();
    let again = Position::from_fen(position.variant(), &fen)
        .unwrap_or_else(|error| panic!("{fen} does not read back: {error}"));
    assert!(again == position.without_history() && again.fen() == fen, "{fen}");
    assert_eq!(position.key(), position.fresh_key(), "{fen}");
    let mut position = position.without_history();
    for _ in 0..6 {
        let _ = (position.status(), position.picture(), position.is_check());
        let Some(mv) = random.choose(&position) else { break };
        let square = any_square(random);
        let _ = (
            highlight::marks(&position, &square),
            highlight::choice(&position, &square, &any_square(random)),
        );
        position.make(mv);
    }
    while position.moves_made().len() > 0 {
        position.unmake();
    }
    assert_eq!(position.fen(), fen);
}

fn any_square(random: &mut Random) -> String {
    let file = b'_' + random.below(16) as u8;
    format!("{}{}", char::from(file), random.below(14))
}

/// A text is a move, legal and with this meaning in every notation that takes it, or refused and nothing
/// happens.
fn check_move(position: &mut Position, text: &str) {
    let before = position.fen();
    for read in [Position::parse_move, Position::parse_san] {
        if let Ok(mv) = read(position, text) {
            assert!(position.is_legal(mv), "{before}: {text}");
            assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv), "{before}: {text}");
        }
    }
    if let Ok(mv) = text::parse_move(position, text) {
        assert!(position.is_legal(mv), "{before}: {text}");
        let own = text::move_text(position, mv);
        let again = text::parse_move(position, &own).map(|again| text::move_text(position, again));
        assert_eq!(again.as_ref(), Ok(&own), "{before}: {text}");
    }
    match position.play(text) {
        Ok(plies) => (0..plies).for_each(|_| position.unmake()),
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
    assert_eq!(position.fen(), before, "{text}");
}

const DEFINITIONS: [&str; 28] = [
    include_str!("../../crates/rules/games/chesstonia.toml"),
    include_str!("../../crates/rules/games/shoogantshii.toml"),
    include_str!("../../crates/rules/games/sixfortresses.toml"),
    include_str!("../../crates/rules/games/sixfortresses-short.toml"),
    include_str!("../../crates/rules/games/shoranji.toml"),
    include_str!("../../crates/rules/games/shoranji-maximus.toml"),
    include_str!("../../crates/rules/games/swda.toml"),
    include_str!("../../crates/rules/games/reference/chess.toml"),
    include_str!("../../crates/rules/games/reference/crazyhouse.toml"),
    include_str!("../../crates/rules/games/reference/shogi.toml"),
    include_str!("../../crates/rules/games/reference/makruk.toml"),
    include_str!("../../crates/rules/games/reference/xiangqi.toml"),
    include_str!("../../crates/rules/games/reference/janggi.toml"),
    include_str!("../../examples/games/atomic.toml"),
    include_str!("../../examples/games/petrified.toml"),
    include_str!("../../examples/games/duck.toml"),
    include_str!("../../examples/games/amazons.toml"),
    include_str!("../../examples/games/isolation.toml"),
    include_str!("../../examples/games/snailtrail.toml"),
    include_str!("../../examples/games/seirawan.toml"),
    include_str!("../../examples/games/shouse.toml"),
    include_str!("../../examples/games/racingkings.toml"),
    include_str!("../../examples/games/placement.toml"),
    include_str!("../../examples/games/caparandom.toml"),
    include_str!("../../examples/games/spartan.toml"),
    include_str!("../../examples/games/coregal.toml"),
    include_str!("../../examples/games/dobutsu.toml"),
    include_str!("../../examples/games/makpong.toml"),
];

/// Definitions of games: what is not refused can be played, searched and shown.
pub fn definitions(count: u64) {
    let seed = env_number("GARRISON_SEED", 1);
    // Searches need more of the stack than a test has.
    let run = move || {
        let mut random = Random::new(seed ^ 0x5678);
        let mut searcher =
            Searcher::new(TranspositionTable::DEFAULT_SIZE).expect("memory for a table");
        let mut games = 0;
        for _ in 0..count {
            let text = any_definition(&mut random);
            games += u64::from(check_definition(&text, &mut random, &mut searcher));
        }
        assert!(games > count / 20, "only {games} of {count} texts are games: nothing was tried");
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(run).expect("a thread");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn any_definition(random: &mut Random) -> String {
    let which = random.below(DEFINITIONS.len());
    let mut lines: Vec<String> = DEFINITIONS[which].lines().map(str::to_string).collect();
    for _ in 0..1 + random.below(3) {
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(6) {
            0 => {
                lines.remove(at);
            }
            1 => lines.swap(at, other),
            2 => {
                let foreign = DEFINITIONS[random.below(DEFINITIONS.len())];
                let foreign: Vec<&str> = foreign.lines().collect();
                let line = foreign[random.below(foreign.len())];
                lines.insert(at, line.to_string());
            }
            _ => lines[at] = damaged(random, &lines[at]),
        }
    }
    lines.join("\n")
}

/// Whether a text is a game; then it is tried.
fn check_definition(text: &str, random: &mut Random, searcher: &mut Searcher) -> bool {
    let Ok(mut definition) = Definition::parse(text) else { return false };
    if definition.base.is_some() {
        let base = DEFINITIONS.iter().filter_map(|base| Definition::parse(base).ok());
        let Some(base) = base.into_iter().find(|base| base.name == definition.base) else {
            return false;
        };
        let Some(base) = with_base(base) else { return false };
        definition = definition.over_base(&base);
    }
    let games = definition.games();
    let Some((_, matchup)) = random.pick(&games) else { return false };
    let Ok(variant) = Variant::compile(&definition, matchup.as_ref()) else { return false };
    assert!(!board::describe(&variant).is_empty());
    let Ok(mut position) = Position::from_fen(&variant, variant.start_fen()) else { return false };
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    for _ in 0..10 {
        let found = searcher.search(&position, &limits, &Control::new(false), |_| {});
        if let Some(best) = found.best {
            assert!(position.is_legal(best), "{} {}", position.fen(), position.move_text(best));
        }
        check_position(&position, random);
        let Some(mv) = random.choose(&position) else { break };
        position.make(mv);
    }
    true
}

/// A base with its own base under it.
fn with_base(definition: Definition) -> Option<Definition> {
    let Some(name) = definition.base.clone() else { return Some(definition) };
    let bases = DEFINITIONS.iter().filter_map(|base| Definition::parse(base).ok());
    let base = bases.into_iter().find(|base| base.name.as_ref() == Some(&name))?;
    Some(definition.over_base(&with_base(base)?))
}
