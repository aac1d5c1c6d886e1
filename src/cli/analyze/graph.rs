//! The graph of a game: White's expected score after every ply.

use plotters::prelude::*;

use super::game::{BLUNDER, DUBIOUS, MISTAKE};
use crate::cli::CommandResult;
use crate::record::GameRecord;

const SIZE: (u32, u32) = (960, 360);

/// The colors of the marked moves, worst first, with their names.
const MARKS: [(u8, &str, RGBColor); 3] = [
    (BLUNDER, "blunder", RGBColor(200, 30, 30)),
    (MISTAKE, "mistake", RGBColor(225, 130, 0)),
    (DUBIOUS, "dubious", RGBColor(190, 180, 0)),
];

const LINE: RGBColor = RGBColor(40, 70, 130);

/// Draws it as SVG; `expected` has White's expected score, 0 to 1, of every position.
pub(super) fn draw(game: &GameRecord, expected: &[f64]) -> CommandResult<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        plot(&area, game, expected).map_err(|error| format!("cannot draw the graph: {error}"))?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Fault<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn plot<'a>(area: &Area<'a>, game: &GameRecord, expected: &[f64]) -> Result<(), Fault<'a>> {
    area.fill(&WHITE)?;
    let name = |tag| game.tag(tag).unwrap_or("?");
    let title =
        format!("{} – {}, {}, {}", name("White"), name("Black"), name("Variant"), game.result);
    let plies = expected.len().saturating_sub(1).max(1);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(0f64..plies as f64, 0f64..100f64)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("ply")
        .y_desc("White's expected score, %")
        .x_label_formatter(&|ply| format!("{ply:.0}"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .draw()?;
    let point = |(ply, value): (usize, &f64)| (ply as f64, value * 100.0);
    chart.draw_series(LineSeries::new(
        [(0.0, 50.0), (plies as f64, 50.0)],
        BLACK.mix(0.5).stroke_width(1),
    ))?;
    let line = expected.iter().enumerate().map(point);
    chart.draw_series(LineSeries::new(line, LINE.stroke_width(2)))?;
    for (nag, label, color) in MARKS {
        let marked = game.plies.iter().zip(expected.iter().enumerate().skip(1));
        let dots: Vec<_> = marked
            .filter(|(ply, _)| ply.nags.contains(&nag))
            .map(|(_, value)| Circle::new(point(value), 4, color.filled()))
            .collect();
        if !dots.is_empty() {
            chart
                .draw_series(dots)?
                .label(label)
                .legend(move |(x, y)| Circle::new((x + 10, y), 4, color.filled()));
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerLeft)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    area.present()
}
