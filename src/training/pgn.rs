//! Games of PGN as games to learn from: every position that was played, with the result and without a score, for
//! [`rescore`](super::selfplay::rescore) to search.

use std::io::BufRead;
use std::sync::Arc;

use super::sample::{End, Header, Keep, Origin, Sample, has_foreign_castling};
use super::selfplay::Game;
use crate::definitions::own_rules;
use crate::engine::eval::hash::fnv1a;
use crate::files::ReadError;
use crate::record::GameRecord;
use crate::record::pgn::{self, Fallback, GamesError, PgnError};
use garrison_rules::{Color, GameResult, Position, Variant};

/// The size of the transposition table of a thread that searches positions of PGN, in MiB, as that of self-play.
const HASH: u32 = 4;

/// Values of the tag `Termination`, of the PGN standard, in whatever case, by which the moves did not decide a game.
const NOT_PLAYED_OUT: [&str; 6] =
    ["abandoned", "death", "emergency", "rules infraction", "time forfeit", "unterminated"];

/// Reads all games of a source once: the header of a file of their positions, and how many games there are. A faulty
/// one, which counts, but will have no positions, is passed to `report`.
///
/// # Errors
/// The source cannot be read.
pub fn survey(
    source: impl BufRead,
    fallback: Fallback,
    mut report: impl FnMut(&PgnError),
) -> Result<(Header, u64), ReadError> {
    let (mut checksum, mut games) = (0u64, 0);
    let mut variants: Vec<Arc<Variant>> = Vec::new();
    for game in pgn::Games::new(source, fallback) {
        games += 1;
        let record = match game {
            Ok(record) => record,
            Err(GamesError::Game(fault)) => {
                report(&fault);
                continue;
            }
            Err(GamesError::Read(fault)) => return Err(fault),
        };
        let with_last = [checksum.to_le_bytes().as_slice(), record.to_pgn().as_bytes()].concat();
        checksum = fnv1a(&with_last);
        let variant = record.start.variant();
        if !variants.iter().any(|known| known.name() == variant.name()) {
            variants.push(Arc::clone(variant));
        }
    }
    let header = Header {
        origin: Origin::Pgn { checksum },
        hash: HASH,
        keep: Keep::All,
        shard: None,
        version: env!("CARGO_PKG_VERSION").to_string(),
        evaluation: None,
        rules: own_rules(&variants),
        rescored: None,
        variants: variants.iter().map(|variant| variant.name().to_string()).collect(),
        others: Vec::new(),
    };
    Ok((header, games))
}

/// The games of a source one by one, numbered from 1; a faulty one has no positions.
pub fn games(
    source: impl BufRead,
    fallback: Fallback,
) -> impl Iterator<Item = Result<Game, ReadError>> {
    (1..).zip(pgn::Games::new(source, fallback)).map(|(number, game)| match game {
        Ok(record) => Ok(Game { number, samples: samples(&record) }),
        Err(GamesError::Game(_)) => Ok(Game { number, samples: Vec::new() }),
        Err(GamesError::Read(fault)) => Err(fault),
    })
}

/// The positions of a game in which a player had a move to choose and was not in check, behind the setup phase. What a
/// file of positions cannot hold, chess with rooks that castle from other files, is left out.
fn samples(record: &GameRecord) -> Vec<Sample> {
    if has_foreign_castling(&record.start) {
        return Vec::new();
    }
    let end = end_of(record);
    let is_wanted =
        |position: &Position| !position.setup_phase().is_pending() && !position.is_check();
    let positions = record.positions().filter(is_wanted);
    positions.map(|position| Sample { position, centipawns: 0, end }).collect()
}

/// How a game ended, if that is known and says something of its positions.
fn end_of(record: &GameRecord) -> Option<End> {
    let is_played_out = record.tag("Termination").is_none_or(|ending| {
        !NOT_PLAYED_OUT.iter().any(|other| other.eq_ignore_ascii_case(ending))
    });
    let winner = match record.result {
        GameResult::White => Some(Color::White),
        GameResult::Black => Some(Color::Black),
        GameResult::Draw => None,
        GameResult::Unknown => return None,
    };
    is_played_out.then_some(End(winner))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[Variant \"shoranji\"]\n\n1. Nd9 1-0\n\n\
        1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 0-1\n\n\
        1. e4 d5 2. Bb5+ c6 3. Ba4 *\n";

    fn fallback() -> Fallback {
        Fallback { missing: Some("chess".to_string()), ..Fallback::default() }
    }

    #[test]
    fn positions_have_the_result_of_their_game_and_no_check() {
        let all: Vec<Game> =
            games(TEXT.as_bytes(), fallback()).map(|game| game.expect("readable")).collect();
        assert_eq!(all.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(all.iter().map(|game| game.samples.len()).collect::<Vec<_>>(), [0, 8, 4]);
        let black = Some(End(Some(Color::Black)));
        assert!(all[1].samples.iter().all(|sample| sample.end == black));
        let fens: Vec<String> = all[2].samples.iter().map(|sample| sample.position.fen()).collect();
        assert!(fens[2].starts_with("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w "));
        // Black's answer to the check is no position to learn from.
        assert!(fens[3].starts_with("rnbqkbnr/pp2pppp/2p5/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR w "));
        assert!(all[2].samples.iter().all(|sample| sample.end.is_none()));
    }

    #[test]
    fn a_game_that_was_not_played_out_has_no_result() {
        let ends = |termination: &str| -> Vec<Option<End>> {
            let text = format!("[Termination \"{termination}\"]\n\n1. e4 e5 1-0\n");
            let game =
                games(text.as_bytes(), fallback()).next().expect("a game").expect("readable");
            game.samples.iter().map(|sample| sample.end).collect()
        };
        let white = Some(End(Some(Color::White)));
        for played_out in ["normal", "Adjudication", "?"] {
            assert_eq!(ends(played_out), [white, white], "{played_out}");
        }
        for other in ["Time forfeit", "rules infraction", "abandoned"] {
            assert_eq!(ends(other), [None, None], "{other}");
        }
    }

    #[test]
    fn a_survey_counts_faulty_games_and_knows_other_games_apart() {
        let survey = |text: &str| {
            let mut faulty = Vec::new();
            let found = survey(text.as_bytes(), fallback(), |fault| faulty.push(fault.game));
            let (header, games) = found.expect("readable");
            (header, games, faulty)
        };
        let (header, games, faulty) = survey(TEXT);
        assert_eq!((games, faulty), (3, vec![1]));
        assert_eq!(header.variants, ["chess"]);
        assert!(header.to_string().starts_with("# garrison pgn "));
        assert_eq!(header.to_string().parse::<Header>().as_ref(), Ok(&header));
        let (other, ..) = survey(&TEXT.replace("3. Ba4", "3. Bd3"));
        assert_ne!(header, other);
    }
}
