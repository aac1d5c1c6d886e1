//! The techniques of the search, each of which can be switched off to measure what it is worth.

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

            /// What it is called in the option `Without`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Technique::$name => $text,)*
                }
            }
        }
    };
}

techniques! {
    /// A narrow window around the score of the iteration before.
    Aspiration = "aspiration",
    /// Scores of the table that end a node.
    TableCutoff = "table-cutoff",
    /// Moves that refuted sibling nodes first among the quiet ones.
    Killers = "killers",
    /// The move that refuted the one before it.
    CounterMove = "counter-move",
    /// How often quiet moves were good.
    History = "history",
    /// How often they were good behind the moves before them.
    Continuation = "continuation",
    /// Quiet moves that check come sooner.
    CheckOrder = "check-order",
    /// What searches found the static evaluation to be wrong by.
    Correction = "correction",
    /// A mate already found bounds all others.
    MateDistance = "mate-distance",
    /// Hopeless nodes are left to the quiescence search.
    Razoring = "razoring",
    /// Nodes far above beta are believed.
    ReverseFutility = "reverse-futility",
    /// Nodes where even passing is good enough.
    NullMove = "null-move",
    /// Late quiet moves are skipped.
    LateMoves = "late-moves",
    /// Moves that lose material are skipped.
    ExchangePruning = "exchange-pruning",
    /// The only good move is searched deeper.
    Singular = "singular",
    /// Late moves are searched shallower first.
    Reductions = "reductions",
    /// The quiescence search skips captures that lose material or gain too little.
    QuietExchange = "quiescence-exchange",
    /// The quiescence search tries checks by drops.
    DropChecks = "drop-checks",
    /// The shortest win is looked for by trying everything.
    ShortestWin = "shortest-win",
}

/// A set of techniques.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques(u32);

impl Default for Techniques {
    /// All of them.
    fn default() -> Techniques {
        Techniques(!0)
    }
}

impl Techniques {
    /// Whether a technique is used.
    #[inline]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 >> technique as u32 & 1 != 0
    }

    /// All but those named, divided by commas or blanks.
    ///
    /// # Errors
    /// The name that is none.
    pub fn without(names: &str) -> Result<Techniques, String> {
        let names = names.split([',', ' ']).filter(|name| !name.is_empty());
        names.into_iter().try_fold(Techniques::default(), |set, name| {
            let named = |technique: &&Technique| technique.name().eq_ignore_ascii_case(name);
            let technique = Technique::ALL.iter().find(named).ok_or_else(|| {
                let all: Vec<_> = Technique::ALL.iter().map(|technique| technique.name()).collect();
                format!("no technique '{name}'; there are {}", all.join(", "))
            })?;
            Ok(Techniques(set.0 & !(1 << *technique as u32)))
        })
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
        assert!(
            Techniques::without("null-move magic").is_err_and(|fault| fault.contains("'magic'"))
        );
    }
}
