//! Plays the moves of a game and of its variations by the rules.

use super::PgnFault;
use super::lex::{At, Item};
use crate::record::{MOST_VARIATIONS, Ply, Variation, numbered};
use garrison_rules::{Move, MoveError, Position};

/// The most faults of variations that are reported of a game.
const MOST_FAULTS: usize = 10;

/// Takes the items of a game one by one. There is one position, in which moves are made and taken back, so that a
/// variation costs no more than its own moves and is played with the history of the game.
pub(super) struct Reader {
    position: Position,
    /// The line of the game.
    main: Variation,
    /// The variations that are open, the innermost last.
    open: Vec<Open>,
    /// How many variations are open of which nothing is kept, all within the last of `open`.
    skipped: usize,
    /// How many variations there are so far.
    count: usize,
    /// What of the variations could not be read.
    faults: Vec<At<PgnFault>>,
}

/// A variation that is being read.
struct Open {
    line: Variation,
    /// The move in whose place it begins.
    replaced: Move,
    /// A move of it is faulty; it ends before that.
    is_broken: bool,
}

impl Reader {
    /// A game that begins here.
    pub fn new(start: &Position) -> Reader {
        Reader {
            position: start.clone(),
            main: Variation::default(),
            open: Vec::new(),
            skipped: 0,
            count: 0,
            faults: Vec::new(),
        }
    }

    /// Takes the next item. A fault in a variation costs only the rest of that.
    pub fn take(&mut self, at: usize, what: Item) -> Result<(), At<PgnFault>> {
        match what {
            Item::Open => self.begin(at),
            Item::Close => self.end(),
            _ if self.is_skipping() => {}
            Item::Move(text) => {
                let played = self.play(&text);
                return played.or_else(|fault| self.break_off(at, fault));
            }
            Item::Comment(text) => add_comment(self.line(), text),
            Item::Nag(nag) => {
                self.line().plies.last_mut().into_iter().for_each(|ply| ply.nags.push(nag));
            }
            Item::TooDeep => self.report(at, PgnFault::VariationTooDeep),
            Item::Result(_) => {}
        }
        Ok(())
    }

    /// The line of the game, and what of its variations could not be read.
    pub fn finish(self) -> (Variation, Vec<At<PgnFault>>) {
        (self.main, self.faults)
    }

    /// The line that is being read.
    fn line(&mut self) -> &mut Variation {
        self.open.last_mut().map_or(&mut self.main, |open| &mut open.line)
    }

    fn is_skipping(&self) -> bool {
        self.skipped > 0 || self.open.last().is_some_and(|open| open.is_broken)
    }

    fn report(&mut self, line: usize, what: PgnFault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(At { line, what });
        }
    }

    /// Begins a variation: it is played in place of the last move.
    fn begin(&mut self, at: usize) {
        if self.is_skipping() {
            self.skipped += 1;
            return;
        }
        let Some(replaced) = self.line().plies.last().map(|ply| ply.mv) else {
            self.skipped = 1;
            return self.report(at, PgnFault::VariationOfNothing);
        };
        self.count += 1;
        if self.count > MOST_VARIATIONS {
            self.skipped = 1;
            if self.count == MOST_VARIATIONS + 1 {
                self.report(at, PgnFault::TooManyVariations);
            }
            return;
        }
        self.position.unmake();
        self.open.push(Open { line: Variation::default(), replaced, is_broken: false });
    }

    /// Ends a variation and goes back to the line that it belongs to.
    fn end(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let Some(Open { mut line, replaced, .. }) = self.open.pop() else { return };
        line.plies.iter().for_each(|_| self.position.unmake());
        self.position.make(replaced);
        if let (false, Some(ply)) = (line.plies.is_empty(), self.line().plies.last_mut()) {
            line.plies.shrink_to_fit();
            ply.variations.push(line);
        }
    }

    /// Leaves out the rest of the variation; a fault of the game itself is returned.
    fn break_off(&mut self, line: usize, fault: PgnFault) -> Result<(), At<PgnFault>> {
        let Some(open) = self.open.last_mut() else { return Err(At { line, what: fault }) };
        open.is_broken = true;
        if self.faults.len() < MOST_FAULTS {
            let mut start = self.position.clone();
            open.line.plies.iter().for_each(|_| start.unmake());
            let of = numbered(&start, open.replaced, true) + &start.san(open.replaced);
            self.report(line, PgnFault::InVariation { of, fault: Box::new(fault) });
        }
        Ok(())
    }

    /// Makes a move. One made while setups are pending keeps the arrays as they are.
    fn play(&mut self, text: &str) -> Result<(), PgnFault> {
        while self.position.setup_phase().is_pending() && !text.starts_with('=') {
            self.add(self.position.setup_as_is());
        }
        let parsed = self.position.parse_san(text);
        let mv = parsed.map_err(|error: MoveError| PgnFault::Move {
            number: self.position.fullmove(),
            side: self.position.side_to_move(),
            error,
        })?;
        self.add(mv);
        Ok(())
    }

    fn add(&mut self, mv: Move) {
        self.line().plies.push(Ply::plain(mv));
        self.position.make(mv);
    }
}

/// A comment belongs to the ply before it; several become one.
fn add_comment(line: &mut Variation, text: String) {
    let place = line.plies.last_mut().map_or(&mut line.comment, |ply| &mut ply.comment);
    match place {
        Some(comment) => {
            comment.push(' ');
            comment.push_str(&text);
        }
        None => *place = Some(text),
    }
}
