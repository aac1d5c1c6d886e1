//! Sets of squares: as a rule file writes them, and as a definition does.

use std::collections::BTreeSet;

use garrison_rules::Color;
use garrison_rules::definition::tables::SeenByBlack;

/// A square: rank and file, both from 0.
pub(super) type At = (u8, u8);

/// A set of squares.
pub(super) type Area = BTreeSet<At>;

/// The size of a board, and how Black sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Board {
    pub files: u8,
    pub ranks: u8,
    pub black: SeenByBlack,
}

impl Board {
    pub fn all(self) -> Area {
        (0..self.ranks).flat_map(|rank| (0..self.files).map(move |file| (rank, file))).collect()
    }

    /// The square of the board in White's view that is this one to `color`.
    pub fn seen(self, color: Color, (rank, file): At) -> At {
        match (color, self.black) {
            (Color::White, _) | (_, SeenByBlack::Same) => (rank, file),
            (_, SeenByBlack::Mirrored) => (self.ranks - 1 - rank, file),
            (_, SeenByBlack::Turned) => (self.ranks - 1 - rank, self.files - 1 - file),
        }
    }

    /// A set of squares as `color` sees it.
    pub fn seen_all(self, color: Color, area: &Area) -> Area {
        area.iter().map(|&at| self.seen(color, at)).collect()
    }

    /// The squares of a text such as `e4 *8 a*`, those beyond the board left out; the fault of the text.
    pub fn read(self, text: &str) -> Result<Area, String> {
        let mut area = Area::new();
        for word in text.split_whitespace() {
            if word == "-" {
                break;
            }
            area.extend(self.word(word).ok_or_else(|| {
                format!(
                    "'{word}': expected are squares such as e4, *4 for a rank, e* for a file, or -"
                )
            })?);
        }
        let all = self.all();
        area.retain(|at| all.contains(at));
        Ok(area)
    }

    fn word(self, word: &str) -> Option<Area> {
        if word == "*" {
            return Some(self.all());
        }
        let (file, rank) = (word.get(..1)?, word.get(1..)?);
        let files = match file {
            "*" => 0..self.files,
            letter => {
                let letter =
                    letter.to_ascii_lowercase().bytes().next().filter(u8::is_ascii_lowercase)?;
                letter - b'a'..letter - b'a' + 1
            }
        };
        let ranks = match rank {
            "*" => 0..self.ranks,
            number => {
                let number =
                    number.parse::<u8>().ok().filter(|number| (1..=99).contains(number))?;
                number - 1..number
            }
        };
        Some(ranks.flat_map(|rank| files.clone().map(move |file| (rank, file))).collect())
    }

    /// A set of squares as a definition writes it: whole ranks, then rectangles.
    pub fn written(self, area: &Area) -> String {
        let mut rest = area.clone();
        let mut terms = Vec::new();
        let is_whole = |rank: u8| (0..self.files).all(|file| area.contains(&(rank, file)));
        let mut rank = 0;
        while rank < self.ranks {
            let first = rank;
            while rank < self.ranks && is_whole(rank) {
                rank += 1;
            }
            match rank - first {
                0 => rank += 1,
                1 if rank == self.ranks => terms.push("last".to_string()),
                1 => terms.push(format!("rank{rank}")),
                _ => terms.push(format!("ranks{}-{rank}", first + 1)),
            }
        }
        rest.retain(|&(rank, _)| !is_whole(rank));
        while let Some(&corner) = rest.iter().next() {
            let far = self.rectangle(&rest, corner);
            rest.retain(|&(rank, file)| {
                !((corner.0..=far.0).contains(&rank) && (corner.1..=far.1).contains(&file))
            });
            terms.push(if far == corner {
                name(corner)
            } else {
                format!("{}-{}", name(corner), name(far))
            });
        }
        terms.join(" ")
    }

    /// The upper right corner of a rectangle of the set with this lower left one: first wide, then high.
    fn rectangle(self, area: &Area, (rank, file): At) -> At {
        let last = (file..self.files)
            .take_while(|&file| area.contains(&(rank, file)))
            .last()
            .unwrap_or(file);
        let is_row = |rank: &u8| (file..=last).all(|file| area.contains(&(*rank, file)));
        let top = (rank..self.ranks).take_while(is_row).last().unwrap_or(rank);
        (top, last)
    }
}

/// A square by its name.
pub(super) fn name((rank, file): At) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}
