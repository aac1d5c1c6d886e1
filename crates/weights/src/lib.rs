//! The evaluations that ship with Garrison: for each family of games a file of readable weights, and for some a small
//! network. They are in a package of their own so that a program that holds both builds of Garrison holds them once.

use std::io::Read;

use flate2::read::GzDecoder;

/// The evaluation of a family of games.
#[derive(Debug)]
pub struct Shipped {
    /// The family, as the definitions of its games name it.
    pub family: &'static str,
    /// The text of the evaluation file.
    pub weights: &'static str,
    /// The network that it names, if it names one, compressed by gzip.
    compressed_network: Option<&'static [u8]>,
}

macro_rules! shipped {
    ($family:literal) => {
        shipped!($family, None)
    };
    ($family:literal with network) => {
        shipped!($family, Some(include_bytes!(concat!("../games/", $family, ".nnue.gz"))))
    };
    ($family:literal, $network:expr) => {
        Shipped {
            family: $family,
            weights: include_str!(concat!("../games/", $family, ".toml")),
            compressed_network: $network,
        }
    };
}

/// The evaluations, by family of games.
pub static SHIPPED: [Shipped; 19] = [
    shipped!("sixfortresses" with network),
    shipped!("sixfortresses-short" with network),
    shipped!("shoranji" with network),
    shipped!("shoranji-maximus" with network),
    shipped!("chesstonia" with network),
    shipped!("swda" with network),
    shipped!("shoogantshii" with network),
    shipped!("chess" with network),
    shipped!("crazyhouse" with network),
    shipped!("makruk" with network),
    shipped!("minishogi" with network),
    shipped!("xiangqi" with network),
    shipped!("capablanca" with network),
    shipped!("shogi" with network),
    shipped!("janggi"),
    shipped!("grand"),
    shipped!("berolina"),
    shipped!("shatranj"),
    shipped!("twinlakes"),
];

impl Shipped {
    /// The evaluation of a family, if one ships.
    pub fn of(family: &str) -> Option<&'static Shipped> {
        SHIPPED.iter().find(|shipped| shipped.family == family)
    }

    /// The file of the network that the evaluation names, if it names one.
    pub fn network(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        GzDecoder::new(self.compressed_network?).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}
