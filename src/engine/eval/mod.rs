//! What a position is worth, learned from play: a linear evaluation whose weights a person can read, and for
//! some games a small network that judges positions in its place.

mod extraction;
mod file;
pub(crate) mod hash;
mod layout;
mod linear;
pub(crate) mod network;
pub(crate) mod prior;
mod weights;

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub(crate) use extraction::TermSink;
pub use file::{EvalError, EvalFile};
pub(crate) use layout::Layout;
pub use linear::LinearEval;
pub(crate) use linear::OPENING;
use network::Network;
pub use network::NetworkError;

use super::{GameProfile, Score};
use garrison_rules::{Position, Variant};
use garrison_weights::Shipped;

/// Judges positions of one game without searching.
pub trait Evaluator: std::fmt::Debug {
    /// The value of the position for the side to move, in centipawns: with 400 of them, an expected score of
    /// 10 in 11. An evaluator may keep what it computes from one call to the next.
    fn evaluate(&mut self, position: &Position) -> i32;
}

/// The file of an evaluation that ships with the program.
fn file_of(shipped: &'static Shipped) -> Result<EvalFile, EvalError> {
    EvalFile::parse(Cow::Borrowed(shipped.weights.as_bytes()), |_| {
        shipped.network().map(Cow::Owned).ok_or_else(|| "does not ship".to_string())
    })
}

/// The evaluation of a game: a linear one, by which exchanges are judged, and positions unless there is a
/// network; if there is one, it judges positions.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The linear evaluation.
    pub linear: LinearEval,
    network: Option<Network>,
}

/// The evaluation files that the definitions of games name, for as long as the games are in use.
static NAMED: Mutex<Vec<(Weak<Variant>, EvalFile)>> = Mutex::new(Vec::new());

/// The evaluation file that the definition of a game names, if it does.
fn named(variant: &Variant) -> Option<EvalFile> {
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    named.retain(|(known, _)| known.strong_count() > 0);
    let is_it = |known: &Weak<Variant>| std::ptr::eq(known.as_ptr(), variant);
    named.iter().find(|(known, _)| is_it(known)).map(|(_, file)| file.clone())
}

/// How games of a user go, if the evaluation that the definition names says so.
pub(super) fn named_profile(variant: &Variant) -> Option<GameProfile> {
    named(variant).and_then(|file| file.profile())
}

/// The evaluations that were read, for as long as their games are in use: each is read once.
static READ: Mutex<Vec<(Weak<Variant>, Evaluation)>> = Mutex::new(Vec::new());

impl Evaluation {
    /// Makes the evaluation of a file that of a game, wherever no other is asked for, as long as the game is in use.
    ///
    /// # Errors
    /// The file is for another game, or wrong; nothing is changed then.
    pub fn set_own(variant: &Arc<Variant>, file: EvalFile) -> Result<(), EvalError> {
        let evaluation = file.evaluation(variant)?;
        let (weak, address) = (Arc::downgrade(variant), Arc::as_ptr(variant));
        let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
        named.retain(|(known, _)| known.strong_count() > 0 && known.as_ptr() != address);
        named.push((weak.clone(), file));
        drop(named);
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        read.retain(|(known, _)| known.strong_count() > 0 && known.as_ptr() != address);
        read.push((weak, evaluation));
        Ok(())
    }

    /// The evaluation of a game: [its own](Self::set_own) if it has one, that of its family if one ships with the
    /// program, else the [prior](LinearEval::prior).
    pub fn new(variant: &Arc<Variant>) -> Evaluation {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        // The address of a variant is not used again while a weak pointer to it is kept.
        read.retain(|(known, _)| known.strong_count() > 0);
        let is_it = |known: &Weak<Variant>| known.as_ptr() == Arc::as_ptr(variant);
        if let Some((_, evaluation)) = read.iter().find(|(known, _)| is_it(known)) {
            return evaluation.clone();
        }
        // A test reads every evaluation that ships with the program.
        let evaluation = Shipped::of(variant.family())
            .and_then(|shipped| file_of(shipped).and_then(|file| file.evaluation(variant)).ok())
            .unwrap_or_else(|| LinearEval::prior(variant).into());
        read.push((Arc::downgrade(variant), evaluation.clone()));
        evaluation
    }

    /// The file of the evaluation that the definition of a game names, or that ships with the program, if one does.
    pub fn shipped_file(variant: &Variant) -> Option<EvalFile> {
        named(variant)
            .or_else(|| Shipped::of(variant.family()).and_then(|shipped| file_of(shipped).ok()))
    }

    /// The network that judges positions, if one does.
    pub(crate) fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// The inputs of the network that a position of its game sets, each as White and as Black sees it; `None` without a
    /// network. They are numbers below [`Evaluation::feature_count`], in no particular order.
    ///
    /// ```
    /// use garrison::engine::Evaluation;
    /// use garrison_rules::{Position, find};
    ///
    /// let game = find("swda-oo").expect("a built-in game");
    /// let evaluation = Evaluation::new(&game);
    /// let features = evaluation.features(&Position::start(&game)).expect("it ships with a network");
    /// let count = evaluation.feature_count().expect("it ships with a network");
    /// assert_eq!(features.len(), 32); // one for each piece
    /// assert!(features.iter().flatten().all(|&feature| usize::from(feature) < count));
    /// ```
    pub fn features(&self, position: &Position) -> Option<Vec<[u16; 2]>> {
        self.network.as_ref().map(|network| network.features().extract(position))
    }

    /// The number of inputs of the network, for one view; `None` without a network.
    pub fn feature_count(&self) -> Option<usize> {
        self.network.as_ref().map(|network| network.features().len())
    }

    /// Whether a network judges positions.
    pub fn has_network(&self) -> bool {
        self.network.is_some()
    }
}

impl From<LinearEval> for Evaluation {
    fn from(linear: LinearEval) -> Evaluation {
        Evaluation { linear, network: None }
    }
}

impl Evaluator for Evaluation {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        match &mut self.network {
            Some(network) => network.evaluate(position),
            None => self.linear.evaluate(position),
        }
    }
}

impl LinearEval {
    /// The evaluation by the piece values of the definition alone.
    pub fn plain(variant: &Arc<Variant>) -> LinearEval {
        let weights = Layout::new(variant).plain(variant);
        LinearEval::from_weights(variant, &weights)
    }

    /// The evaluation of a game that nobody has trained: what the moves of its pieces, its board and its rules are
    /// worth by coefficients that were fitted to many games.
    pub fn prior(variant: &Arc<Variant>) -> LinearEval {
        prior::evaluation(variant)
    }
}

/// The value of a position for the side to move.
pub fn evaluate(position: &Position) -> Score {
    Score::centipawns(Evaluation::new(position.variant()).evaluate(position))
}

#[cfg(test)]
mod tests;
