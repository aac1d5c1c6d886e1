//! The techniques of the search. Each can be switched off, to measure what it is worth.

use std::fmt;

/// Declares the techniques with their names.
macro_rules! techniques {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A technique of the search.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Technique {
            $($(#[$doc])* $name,)*
        }

        impl Technique {
            /// All of them.
            pub const ALL: &[Technique] = &[$(Technique::$name),*];

            /// Its name in the option `Without`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Technique::$name => $text,)*
                }
            }
        }
    };
}

techniques! {
    /// Aspiration windows: a narrow window around the score of the last iteration.
    Aspiration = "aspiration",
    /// Cutoffs by scores in the transposition table.
    TableCutoff = "table-cutoff",
    /// Killer moves: quiet moves that failed high in sibling nodes are tried first.
    Killers = "killers",
    /// Counter moves: the quiet move that last refuted the move before it is tried early.
    CounterMove = "counter-move",
    /// History heuristic: quiet moves are ordered by how often they failed high.
    History = "history",
    /// Continuation history: quiet moves are ordered by how often they failed high after the moves before them.
    Continuation = "continuation",
    /// Quiet moves that give check are ordered before others.
    CheckOrder = "check-order",
    /// Correction history: the static evaluation is corrected by the errors that searches found.
    Correction = "correction",
    /// Mate distance pruning: no longer mate is searched than the one already found.
    MateDistance = "mate-distance",
    /// Razoring: nodes far below alpha are left to quiescence search.
    Razoring = "razoring",
    /// Reverse futility pruning: nodes far above beta are cut.
    ReverseFutility = "reverse-futility",
    /// Null move pruning: nodes where even passing is above beta are cut.
    NullMove = "null-move",
    /// Late move pruning: at low depth, late quiet moves are skipped.
    LateMoves = "late-moves",
    /// Futility pruning: at low depth, quiet moves are skipped where the evaluation is far below alpha.
    Futility = "futility",
    /// ProbCut: nodes where a capture is far above beta at less depth are cut.
    ProbCut = "prob-cut",
    /// Internal iterative reduction: nodes without a move of the transposition table are searched less deep.
    InternalReduction = "internal-reduction",
    /// Capture history: captures are ordered and reduced by how often they failed high.
    CaptureHistory = "capture-history",
    /// A node that fails low rewards the quiet move that led to it.
    PriorMove = "prior-move",
    /// A node that was reduced is searched deeper, or less deep, by what its static evaluation is.
    Hindsight = "hindsight",
    /// Positions once on a principal variation are reduced and pruned less.
    PvMemory = "pv-memory",
    /// Quiescence search stands pat by the score in the transposition table where that is more accurate.
    QuiescenceTable = "quiescence-table",
    /// A quiet move of the transposition table that decides a node is rewarded in the histories.
    TableHistory = "table-history",
    /// Static exchange pruning of captures by their history, too.
    ExchangeHistory = "exchange-history",
    /// Quiet moves are pruned by depth and their history.
    HistoryDepth = "history-depth",
    /// Corrections by the last move, by officers, and by royals and hands, beside those by pawns and material.
    MoreCorrections = "more-corrections",
    /// Static exchange pruning: at low depth, moves that lose material are skipped.
    ExchangePruning = "exchange-pruning",
    /// Singular extensions: a move much better than all others is searched deeper.
    Singular = "singular",
    /// Late move reductions: late moves are searched less deep at first.
    Reductions = "reductions",
    /// Quiescence search skips captures that lose material or gain too little.
    QuietExchange = "quiescence-exchange",
    /// Quiescence search tries drops that give check.
    DropChecks = "drop-checks",
    /// A proof-number search for a win by a row of checks, after each iteration, where a mate is asked for.
    CheckWins = "check-wins",
    /// A search for the shortest mate, without pruning, after each iteration.
    ShortestWin = "shortest-win",
}

/// A set of techniques.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques(u64);

impl Default for Techniques {
    /// All of them.
    fn default() -> Techniques {
        Techniques(!0)
    }
}

impl Techniques {
    /// Whether a technique is switched on.
    #[inline]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 >> technique as u32 & 1 != 0
    }

    /// All techniques but those named, separated by commas or blanks.
    ///
    /// # Errors
    /// A name that no technique has.
    pub fn without(names: &str) -> Result<Techniques, UnknownTechnique> {
        let mut names = names.split([',', ' ']).filter(|name| !name.is_empty());
        names.try_fold(Techniques::default(), |set, name| {
            let named = |technique: &&Technique| technique.name().eq_ignore_ascii_case(name);
            let technique = Technique::ALL.iter().find(named);
            let technique = technique.ok_or_else(|| UnknownTechnique(name.to_string()))?;
            Ok(Techniques(set.0 & !(1 << *technique as u32)))
        })
    }
}

/// A name that no technique has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTechnique(pub String);

impl std::error::Error for UnknownTechnique {}

impl fmt::Display for UnknownTechnique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Technique::ALL.iter().map(|technique| technique.name()).collect();
        write!(f, "no technique '{}'; there are {}", self.0, names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_can_be_switched_off_by_its_name() {
        for &technique in Technique::ALL {
            let set = Techniques::without(technique.name()).expect("a technique");
            let others = Technique::ALL.iter().filter(|&&other| other != technique);
            assert!(!set.has(technique));
            assert!(others.into_iter().all(|&other| set.has(other)));
        }
        assert_eq!(Techniques::without(""), Ok(Techniques::default()));
        let unknown = Techniques::without("null-move magic").expect_err("no such technique");
        assert_eq!(unknown, UnknownTechnique("magic".to_string()));
        assert!(unknown.to_string().starts_with("no technique 'magic'; there are aspiration, "));
    }
}
