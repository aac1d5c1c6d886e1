//! Which files of self-play belong together: the parts of one run, or runs of one family of games for a pool.

use std::fmt;

use thiserror::Error;

use super::sample::{Header, Origin, Rescored};
use super::shard::Shard;

/// Why some files are not all parts of one run. Files are numbered from 0, as they were given.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MergeFault {
    /// A file is a whole run, or a pool of several.
    #[error("is no part of a run")]
    NoPart {
        /// The file.
        file: usize,
    },
    /// Two files are not of the same run.
    #[error("{}", .difference)]
    Unlike {
        /// The file.
        file: usize,
        /// What differs from the first one.
        difference: Difference,
    },
    /// Two files have the same games.
    #[error("has the same games")]
    Twice {
        /// The file.
        file: usize,
        /// The one before it.
        before: usize,
    },
    /// Some parts are not there.
    #[error("there are {found} of {parts} parts: {missing}/{parts} is missing")]
    Missing {
        /// How many there are.
        found: u64,
        /// How many there should be.
        parts: u64,
        /// The first that is not there.
        missing: u64,
    },
}

/// What two files differ in, and what each of them has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    what: &'static str,
    /// The value of the second file.
    pub found: String,
    /// The value of the first file.
    pub expected: String,
}

impl Difference {
    /// What differs, in a word or some.
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// What differs, and how it is in the first file and in the second.
    pub fn of(first: &Header, second: &Header) -> Option<Difference> {
        let pairs = conditions(first).into_iter().zip(conditions(second));
        let unlike = pairs.into_iter().find(|((_, expected), (_, found))| expected != found);
        unlike.map(|((what, expected), (_, found))| Difference { what, found, expected })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { what, found, expected } = self;
        write!(f, "{what} {found}, not {expected}")
    }
}

/// All that the games of a run depend on, by name.
fn conditions(header: &Header) -> [(&'static str, String); 11] {
    let Header { origin, hash, keep, version, evaluation, rules, rescored, variants, .. } = header;
    let none = || "none".to_string();
    let [seed, nodes, plies, pgn] = match origin {
        Origin::SelfPlay { seed, nodes, plies } => {
            [seed.to_string(), nodes.to_string(), plies.to_string(), none()]
        }
        Origin::Pgn { checksum } => [none(), none(), none(), format!("{checksum:016x}")],
    };
    let shipped = |checksum: &Option<String>| match checksum {
        Some(checksum) => checksum.clone(),
        None => "of the program".to_string(),
    };
    let scores = match rescored {
        None => "of the games".to_string(),
        Some(Rescored { nodes, evaluation: None }) => format!("of {nodes} nodes"),
        Some(Rescored { nodes, evaluation: Some(by) }) => format!("of {nodes} nodes by {by}"),
    };
    [
        ("variants", variants.join(" ")),
        ("rules", shipped(rules)),
        ("PGN", pgn),
        ("seed", seed),
        ("nodes", nodes),
        ("plies", plies),
        ("hash", hash.to_string()),
        ("keep", keep.name().to_string()),
        ("version", version.clone()),
        ("evaluation", shipped(evaluation)),
        ("scores", scores),
    ]
}

/// The header of the whole run of which these files are the parts, and the files by their parts.
///
/// # Errors
/// They are not the parts of one run, each once.
pub fn whole(headers: &[Header]) -> Result<(Header, Vec<usize>), MergeFault> {
    let mut parts: Vec<(Shard, usize)> = Vec::new();
    for (file, header) in headers.iter().enumerate() {
        let shard = header.part().ok_or(MergeFault::NoPart { file })?;
        if let Some(difference) = Difference::of(&headers[0], header) {
            return Err(MergeFault::Unlike { file, difference });
        }
        if let Some((first, _)) = parts.first() {
            let unlike = |what, found: u64, expected: u64| {
                let (found, expected) = (found.to_string(), expected.to_string());
                Err(MergeFault::Unlike { file, difference: Difference { what, found, expected } })
            };
            if shard.parts != first.parts {
                return unlike("parts", shard.parts, first.parts);
            }
            if shard.games != first.games {
                return unlike("games of all parts", shard.games, first.games);
            }
        }
        if let Some((_, before)) = parts.iter().find(|(other, _)| other.part == shard.part) {
            return Err(MergeFault::Twice { file, before: *before });
        }
        parts.push((shard, file));
    }
    parts.sort_by_key(|(shard, _)| shard.part);
    let count = parts.first().map_or(0, |(shard, _)| shard.parts);
    let missing = (1..=count).find(|&part| parts.iter().all(|(shard, _)| shard.part != part));
    if let Some(missing) = missing {
        return Err(MergeFault::Missing { found: parts.len() as u64, parts: count, missing });
    }
    let Some(first) = headers.first() else {
        return Err(MergeFault::Missing { found: 0, parts: 1, missing: 1 });
    };
    let header = Header { shard: None, ..first.clone() };
    Ok((header, parts.into_iter().map(|(_, file)| file).collect()))
}

/// The header of a pool of these files, whose games follow one another in this order.
///
/// # Errors
/// Two files have games of the same run in common.
pub fn pool(headers: &[Header]) -> Result<Header, MergeFault> {
    let runs = || {
        headers
            .iter()
            .enumerate()
            .flat_map(|(file, header)| header.runs().map(move |run| (file, run)))
    };
    for (index, (file, run)) in runs().enumerate() {
        let before = runs().take(index).find(|(_, other)| overlap(run, other));
        if let Some((before, _)) = before {
            return Err(MergeFault::Twice { file, before });
        }
    }
    let mut all = runs().map(|(_, run)| Header { others: Vec::new(), ..run.clone() });
    let Some(first) = all.next() else {
        return Err(MergeFault::Missing { found: 0, parts: 1, missing: 1 });
    };
    Ok(Header { others: all.collect(), ..first })
}

/// Whether two runs or parts of runs have games in common.
fn overlap(one: &Header, other: &Header) -> bool {
    let are_apart = match (one.shard, other.shard) {
        (Some(one), Some(other)) => one.parts == other.parts && one.part != other.part,
        _ => false,
    };
    Difference::of(one, other).is_none() && !are_apart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Header {
        let text = format!("# garrison selfplay seed 1 nodes 20 plies 8 hash 4 {text}");
        text.parse().unwrap_or_else(|_| panic!("{text}"))
    }

    fn part(name: &str) -> Header {
        header(&format!("shard {name} of 9 version 1 variants shoranji"))
    }

    #[test]
    fn the_parts_of_a_run_come_in_order() {
        let (all, order) = whole(&[part("3/3"), part("1/3"), part("2/3")]).expect("all parts");
        assert_eq!((all, order), (header("version 1 variants shoranji"), vec![1, 2, 0]));
    }

    #[test]
    fn what_is_no_part_or_missing_or_doubled_is_refused() {
        let fault = |headers: &[Header]| whole(headers).expect_err("a fault");
        assert_eq!(
            fault(&[part("1/3"), part("3/3")]),
            MergeFault::Missing { found: 2, parts: 3, missing: 2 }
        );
        assert_eq!(
            fault(&[part("1/3"), part("2/3"), part("1/3")]),
            MergeFault::Twice { file: 2, before: 0 }
        );
        assert_eq!(
            fault(&[part("1/2"), header("version 1 variants shoranji")]),
            MergeFault::NoPart { file: 1 }
        );
        for (other, words) in [
            ("shard 2/2 of 9 version 1 variants swda-oo", "variants swda-oo, not shoranji"),
            ("shard 2/2 of 9 version 2 variants shoranji", "version 2, not 1"),
            ("keep all shard 2/2 of 9 version 1 variants shoranji", "keep all, not some"),
            ("shard 2/2 of 8 version 1 variants shoranji", "games of all parts 8, not 9"),
            ("shard 2/3 of 9 version 1 variants shoranji", "parts 3, not 2"),
            (
                "shard 2/2 of 9 version 1 eval 7 variants shoranji",
                "evaluation 7, not of the program",
            ),
            (
                "shard 2/2 of 9 version 1 rescored 5 by 7 variants shoranji",
                "scores of 5 nodes by 7, not of the games",
            ),
        ] {
            assert_eq!(fault(&[part("1/2"), header(other)]).to_string(), words);
        }
    }

    #[test]
    fn a_pool_has_no_game_twice() {
        let run = header("version 1 variants shoranji");
        let other = header("keep all version 1 variants shoranji");
        let both = pool(&[run.clone(), other.clone()]).expect("a pool");
        assert_eq!(both.runs().count(), 2);
        assert_eq!(
            pool(&[both.clone(), run.clone()]),
            Err(MergeFault::Twice { file: 1, before: 0 })
        );
        assert_eq!(
            pool(&[other.clone(), run.clone(), part("1/2")]),
            Err(MergeFault::Twice { file: 2, before: 1 })
        );
        assert!(pool(&[part("1/3"), part("3/3"), other]).is_ok());
        assert_eq!(
            pool(&[part("1/3"), part("2/2")]),
            Err(MergeFault::Twice { file: 1, before: 0 })
        );
    }
}
