//! A part of a run of self-play or rescoring, for one of several machines.

use std::fmt;

/// Every so many-th game of a run. Games depend on their numbers only, so the parts of a run together have the games
/// of the whole run, whichever machine makes which part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part it is, from 1: it begins with the game of this number.
    pub part: u64,
    /// How many parts there are, so that every part has its next game so many later.
    pub parts: u64,
    /// The number of games of all parts together.
    pub games: u64,
}

impl Shard {
    /// The number of this part's games.
    pub fn len(&self) -> u64 {
        (self.games + self.parts - self.part) / self.parts
    }

    /// Whether there are more parts than games, and this one got none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the game of this number is one of this part's.
    pub fn contains(&self, number: u64) -> bool {
        (1..=self.games).contains(&number) && (number - 1) % self.parts == self.part - 1
    }

    /// Which part of how many, as `2/3`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.part, self.parts)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.name(), self.games)
    }
}

/// Reads `I/N` as two numbers with 1 ≤ I ≤ N.
pub fn part_of(text: &str) -> Option<(u64, u64)> {
    let (part, parts) = text.split_once('/')?;
    let (part, parts) = (part.parse().ok()?, parts.parse().ok()?);
    (1..=parts).contains(&part).then_some((part, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_part() {
        for (games, parts) in [(1, 1), (1, 3), (7, 3), (9, 3), (20, 7)] {
            let shards: Vec<Shard> = (1..=parts).map(|part| Shard { part, parts, games }).collect();
            for number in 1..=games {
                assert_eq!(shards.iter().filter(|shard| shard.contains(number)).count(), 1);
            }
            for shard in &shards {
                let numbers = (0..games + parts).filter(|&number| shard.contains(number));
                assert_eq!(numbers.count() as u64, shard.len(), "{shard}");
                assert_eq!(shard.is_empty(), shard.part > games);
            }
        }
    }

    #[test]
    fn a_part_is_written_as_a_fraction() {
        assert_eq!(part_of("2/3"), Some((2, 3)));
        for wrong in ["", "2", "0/3", "4/3", "1/0", "1/", "-1/2", "1/2/3", "a/b"] {
            assert_eq!(part_of(wrong), None, "{wrong}");
        }
    }
}
