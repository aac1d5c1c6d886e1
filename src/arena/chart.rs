//! The results of a match as a picture: for each variant how often White won, drew and lost, and how
//! long the games were.

use plotters::prelude::*;

/// The games of one variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The variant.
    pub name: String,
    /// Games won by White, drawn, won by Black.
    pub results: [u64; 3],
    /// The mean length in plies.
    pub plies: f64,
}

const WIDTH: u32 = 960;
const ROW: u32 = 24;

/// Won by White, drawn, won by Black.
const COLORS: [RGBColor; 3] =
    [RGBColor(235, 200, 110), RGBColor(170, 170, 170), RGBColor(70, 70, 90)];
const NAMES: [&str; 3] = ["White won", "draw or unfinished", "Black won"];

/// Draws the bars as SVG, the first on top.
///
/// # Errors
/// What could not be drawn.
pub fn draw(title: &str, bars: &[Bar]) -> Result<String, String> {
    let mut text = String::new();
    {
        let size = (WIDTH, 130 + ROW * bars.len() as u32);
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        plot(&area, title, bars).map_err(|error| format!("cannot draw the chart: {error}"))?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Fault<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn plot<'a>(area: &Area<'a>, title: &str, bars: &[Bar]) -> Result<(), Fault<'a>> {
    area.fill(&WHITE)?;
    let rows = bars.len().max(1);
    // Rows are counted from the top, coordinates from the bottom; the free space is for the lengths.
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(150)
        .build_cartesian_2d(0f64..118f64, 0f64..rows as f64)?;
    let label = |y: &f64| {
        let row = rows.checked_sub(1 + y.floor() as usize);
        let middle = (y.fract() - 0.5).abs() < 1e-6;
        row.filter(|_| middle)
            .and_then(|row| bars.get(row))
            .map_or(String::new(), |bar| bar.name.clone())
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(13)
        .y_labels(2 * rows + 1)
        .x_desc("% of the games (behind the bars: mean length in plies)")
        .x_label_formatter(&|x| if *x <= 100.0 { format!("{x:.0}") } else { String::new() })
        .y_label_formatter(&label)
        .draw()?;
    for (result, (color, name)) in COLORS.into_iter().zip(NAMES).enumerate() {
        let parts = bars.iter().enumerate().map(|(row, bar)| {
            let share =
                |count: u64| count as f64 * 100.0 / bar.results.iter().sum::<u64>().max(1) as f64;
            let before = share(bar.results[..result].iter().sum());
            let bottom = (rows - 1 - row) as f64;
            let corners =
                [(before, bottom + 0.15), (before + share(bar.results[result]), bottom + 0.85)];
            Rectangle::new(corners, color.filled())
        });
        chart
            .draw_series(parts)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], color.filled()));
    }
    let lengths = bars.iter().enumerate().map(|(row, bar)| {
        let place = (101.0, (rows - 1 - row) as f64 + 0.68);
        Text::new(format!("{:.0} plies", bar.plies), place, ("sans-serif", 13))
    });
    chart.draw_series(lengths)?;
    chart.draw_series([PathElement::new([(50.0, 0.0), (50.0, rows as f64)], BLACK.mix(0.6))])?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_stands_in_the_picture() {
        let bar = |name: &str| Bar { name: name.to_string(), results: [5, 3, 2], plies: 81.4 };
        let svg = draw("Results", &[bar("shoranji"), bar("chesstonia")]).expect("a picture");
        for text in ["<svg", "Results", "shoranji", "chesstonia", "81 plies", "White won"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(draw("Nothing", &[]).expect("a picture").contains("</svg>"));
    }
}
