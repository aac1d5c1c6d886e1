//! The results of a match in each game as a picture: White's share of wins, draws and losses beside the
//! lengths of the games.

use plotters::prelude::*;

use super::report::VariantRow;

/// All in pixels.
const WIDTH: u32 = 960;
const ROW: i32 = 20;
const TOP: i32 = 44;
const NAMES: i32 = 10;
const SHARES: (i32, i32) = (170, 520);
const LENGTHS: (i32, i32) = (590, 850);

const WON: RGBColor = RGBColor(0xf2, 0xe8, 0xd0);
const DRAWN: RGBColor = RGBColor(0xa9, 0xb4, 0xbd);
const LOST: RGBColor = RGBColor(0x3d, 0x4a, 0x57);
const LENGTH: RGBColor = RGBColor(0x4c, 0x8c, 0x6a);
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// A picture that cannot be drawn.
pub type DrawingError = DrawingAreaErrorKind<std::io::Error>;

/// Draws a row for each game.
///
/// # Errors
/// The picture cannot be drawn.
pub fn svg(rows: &[VariantRow]) -> Result<String, DrawingError> {
    let mut text = String::new();
    let height = TOP as u32 + ROW as u32 * rows.len() as u32 + 14;
    {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        draw(&area, rows)?;
        area.present()?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(area: &Area<'_>, rows: &[VariantRow]) -> Result<(), DrawingError> {
    area.fill(&WHITE)?;
    let write = |text: String, x: i32, y: i32| {
        area.draw(&Text::new(text, (x, y), ("sans-serif", 13).into_font().color(&INK)))
    };
    let bar = |from: i32, to: i32, y: i32, color: RGBColor| {
        area.draw(&Rectangle::new([(from, y), (to, y + ROW - 5)], color.filled()))?;
        area.draw(&Rectangle::new([(from, y), (to, y + ROW - 5)], INK.mix(0.4).stroke_width(1)))
    };
    write("White won, drawn, lost (score of White)".to_string(), SHARES.0, 8)?;
    write("plies of a game: median (longest)".to_string(), LENGTHS.0, 8)?;
    let longest = rows.iter().map(|row| row.most).max().unwrap_or(1).max(1) as f64;
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + ROW * index as i32 - 10;
        write(format!("{} ({})", row.name, row.games()), NAMES, y + 1)?;
        let games = row.games().max(1) as f64;
        let mut from = SHARES.0;
        let mut sum = 0;
        for (count, color) in row.white.iter().rev().zip([WON, DRAWN, LOST]) {
            sum += count;
            let to = place(SHARES, sum as f64 / games);
            bar(from, to, y, color)?;
            from = to;
        }
        let score = row.white_points() * 100.0 / games;
        write(format!("{score:.0} %"), SHARES.1 + 8, y + 1)?;
        let most = place(LENGTHS, row.most as f64 / longest);
        let middle = y + (ROW - 5) / 2;
        bar(LENGTHS.0, place(LENGTHS, row.median as f64 / longest), y, LENGTH)?;
        area.draw(&PathElement::new([(LENGTHS.0, middle), (most, middle)], INK.mix(0.5)))?;
        write(format!("{} ({})", row.median, row.most), LENGTHS.1 + 10, y + 1)?;
    }
    Ok(())
}

/// The place of a share (0 to 1) between two places.
fn place((from, to): (i32, i32), share: f64) -> i32 {
    from + (f64::from(to - from) * share).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_row() {
        let row = |name: &str, white| VariantRow {
            name: name.to_string(),
            white,
            mean: 80.0,
            median: 79,
            most: 200,
            endings: Vec::new(),
        };
        let picture = svg(&[row("shoranji", [1, 2, 3]), row("none", [0; 3])]).expect("a picture");
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
        assert!(picture.contains("shoranji (6)") && picture.contains("67 %"), "{picture}");
        assert!(svg(&[]).is_ok());
    }
}
