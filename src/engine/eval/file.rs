//! An evaluation as files hold it: readable weights, a network beside them, a profile of the game.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use garrison_rules::Variant;
use thiserror::Error;
use toml::{Table, Value};

use super::hash::fnv1a;
use super::network::{NetworkError, NetworkFile, RowForm};
use super::{Evaluation, LinearEval};
use crate::engine::{GameProfile, ProfileError};

/// Why an evaluation is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvalError {
    /// It is neither a network file nor text.
    #[error("is neither evaluation weights in TOML nor a network file")]
    Binary,
    /// It is text, but not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A key that the game has no term for.
    #[error("'{key}' is no term of {game}; there {}", listed(.nearest))]
    UnknownTerm {
        /// As it stands in the file.
        key: String,
        /// The game.
        game: String,
        /// The terms that there are.
        nearest: Vec<String>,
    },
    /// A value that is not what it must be.
    #[error("'{key}' must be {wanted}")]
    Wrong {
        /// As it stands in the file.
        key: String,
        /// What its value must be.
        wanted: String,
    },
    /// A key of the profile among those of the evaluation, where it stood before.
    #[error("'{0}' is part of the game's profile: write it below [profile]")]
    ProfileKey(&'static str),
    /// The profile is wrong.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The network that is named beside the weights cannot be read.
    #[error("network '{name}': {fault}")]
    UnreadNetwork {
        /// Its name, as it stands in the file.
        name: String,
        /// Why.
        fault: String,
    },
    /// The network that is named beside the weights is refused.
    #[error("network '{name}' {error}")]
    NamedNetwork {
        /// Its name, as it stands in the file.
        name: String,
        /// Why.
        error: NetworkError,
    },
    /// The network file that was given is refused.
    #[error("the network {0}")]
    Network(NetworkError),
}

fn listed(names: &[String]) -> String {
    format!("{} {}", if names.len() == 1 { "is" } else { "are" }, names.join(", "))
}

/// The value of this key is not what it must be.
pub(super) fn wrong(key: &str, wanted: &str) -> EvalError {
    EvalError::Wrong { key: key.to_string(), wanted: wanted.to_string() }
}

/// The keys of the network's file name and of the profile.
const NETWORK: &str = "network";
const PROFILE: &str = "profile";

/// The evaluation of a file, before it is known for which game: readable weights, perhaps with a network and
/// a profile, or a network alone.
#[derive(Debug, Clone)]
pub struct EvalFile {
    /// The terms by piece; none if the file is a network.
    terms: Option<Table>,
    network: Option<NamedNetwork>,
    profile: Option<GameProfile>,
    /// The comment at the head of the weights, a line each.
    comment: Vec<String>,
    checksum: u64,
}

#[derive(Debug, Clone)]
struct NamedNetwork {
    /// As the weights call it; none if the file itself is the network.
    name: Option<String>,
    bytes: Cow<'static, [u8]>,
}

impl NamedNetwork {
    fn parse(&self) -> Result<NetworkFile<'_>, EvalError> {
        NetworkFile::parse(&self.bytes).map_err(|error| self.refusal(error))
    }

    fn refusal(&self, error: NetworkError) -> EvalError {
        match self.name.clone() {
            Some(name) => EvalError::NamedNetwork { name, error },
            None => EvalError::Network(error),
        }
    }
}

impl EvalFile {
    /// Reads a file of weights or of a network; `open` reads the network that weights name, by its path
    /// relative to their own.
    ///
    /// # Errors
    /// What is wrong with it whatever the game is.
    pub fn parse<E: fmt::Display>(
        bytes: Cow<'static, [u8]>,
        open: impl FnOnce(&str) -> Result<Cow<'static, [u8]>, E>,
    ) -> Result<EvalFile, EvalError> {
        let checksum = fnv1a(&bytes);
        if NetworkFile::is_network(&bytes) {
            let network = NamedNetwork { name: None, bytes };
            network.parse()?;
            let comment = Vec::new();
            return Ok(EvalFile {
                terms: None,
                network: Some(network),
                profile: None,
                comment,
                checksum,
            });
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| EvalError::Binary)?;
        let mut terms: Table = text
            .parse()
            .map_err(|error: toml::de::Error| EvalError::Syntax(error.message().to_string()))?;
        if let Some(key) = ["draws", "plies"].into_iter().find(|key| terms.contains_key(*key)) {
            return Err(EvalError::ProfileKey(key));
        }
        let mut file = EvalFile {
            network: terms.remove(NETWORK).map(|value| open_network(&value, open)).transpose()?,
            profile: terms.remove(PROFILE).map(|value| read_profile(&value)).transpose()?,
            terms: None,
            comment: text
                .lines()
                .map_while(|line| line.strip_prefix("# "))
                .map(String::from)
                .collect(),
            checksum,
        };
        if let Some(network) = &file.network {
            // As if the network stood behind the weights.
            file.checksum =
                fnv1a(&[checksum.to_le_bytes(), fnv1a(&network.bytes).to_le_bytes()].concat());
        }
        file.terms = Some(terms);
        Ok(file)
    }

    /// The evaluation of a game by this file. A network alone comes with the weights that ship with the
    /// program.
    ///
    /// # Errors
    /// The file is for another game, or wrong.
    pub fn evaluation(&self, variant: &Arc<Variant>) -> Result<Evaluation, EvalError> {
        // The network first: it knows what game it was made for, and says so.
        let network = self.network.as_ref().map(|network| {
            network.parse()?.network(variant).map_err(|error| network.refusal(error))
        });
        let network = network.transpose()?;
        let linear = match &self.terms {
            Some(terms) => LinearEval::from_table(variant, terms)?,
            None => Evaluation::new(variant).linear,
        };
        Ok(Evaluation { linear, network })
    }

    /// How games go, if the file says so.
    pub fn profile(&self) -> Option<GameProfile> {
        self.profile
    }

    /// The same on every machine; files with different weights have different ones.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The comment at the head of the weights, a line each: where they come from.
    pub fn comment(&self) -> &[String] {
        &self.comment
    }

    /// The bytes of the network file, if there is a network.
    pub fn network_bytes(&self) -> Option<&[u8]> {
        self.network.as_ref().map(|network| network.bytes.as_ref())
    }

    /// What the network file says of itself, a line each: its sizes, and where it comes from.
    pub fn network_info(&self) -> Vec<String> {
        let Some(Ok(file)) = self.network.as_ref().map(NamedNetwork::parse) else {
            return Vec::new();
        };
        let NetworkFile { game, features, hidden, outputs, .. } = file;
        let mut sizes =
            format!("{features} features, 2 x {hidden} hidden neurons, {outputs} outputs");
        if file.form.mirrored {
            sizes += ", mirrored by the own royal";
        }
        if file.has_skip {
            sizes += ", skip weights";
        }
        match file.rows {
            RowForm::Bytes => {}
            RowForm::Coarse => sizes += ", coarse weights",
            RowForm::Words => sizes += ", 16 bits a weight",
        }
        let first = format!("network for {game}: {sizes}");
        std::iter::once(first).chain(file.provenance.lines().map(String::from)).collect()
    }

    /// The text of a file of weights alone, behind a comment of these lines.
    pub fn text_of(variant: &Variant, comment: &[String], linear: &LinearEval) -> String {
        EvalFile::text(variant, comment, None, None, linear)
    }

    /// The text of a file of weights: a comment, the name of the network beside it, the profile, the weights.
    pub(crate) fn text(
        variant: &Variant,
        comment: &[String],
        network: Option<&str>,
        profile: Option<GameProfile>,
        linear: &LinearEval,
    ) -> String {
        let mut text: String = comment.iter().map(|line| format!("# {line}\n")).collect();
        let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
        text.extend(network.map(|name| format!("{NETWORK} = \"{}\"\n", quoted(name))));
        text.extend(profile.map(|profile| format!("\n[{PROFILE}]\n{profile}")));
        text + &linear.to_text(variant)
    }
}

fn open_network<E: fmt::Display>(
    value: &Value,
    open: impl FnOnce(&str) -> Result<Cow<'static, [u8]>, E>,
) -> Result<NamedNetwork, EvalError> {
    let wanted = "the name of a network file, such as \"game.nnue\"";
    // Before networks had files of their own, they stood here as text.
    let wanted_now = format!("{wanted}; networks in Base64 are no longer read");
    let is_old = value.as_table().is_some();
    let name = value
        .as_str()
        .ok_or_else(|| wrong(NETWORK, if is_old { &wanted_now } else { wanted }))?
        .to_string();
    let bytes = open(&name).map_err(|error| EvalError::UnreadNetwork {
        name: name.clone(),
        fault: error.to_string(),
    })?;
    let network = NamedNetwork { name: Some(name), bytes };
    network.parse()?;
    Ok(network)
}

fn read_profile(value: &Value) -> Result<GameProfile, EvalError> {
    let table = value.as_table().ok_or_else(|| wrong(PROFILE, "a table of draws and plies"))?;
    Ok(GameProfile::from_table(table)?)
}
