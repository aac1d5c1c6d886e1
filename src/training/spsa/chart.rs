//! The course of every constant as a picture: a panel each, in its range.

use plotters::prelude::*;

use super::course::Course;
use super::log::Header;

/// Panels in a row, and their size in pixels.
const COLUMNS: usize = 3;
const PANEL: (u32, u32) = (320, 190);

/// A line has at most about so many points.
const POINTS: usize = 300;

const LINES: [RGBColor; 4] = [
    RGBColor(0x4c, 0x8c, 0x6a),
    RGBColor(0x3d, 0x4a, 0x57),
    RGBColor(0xb0, 0x6a, 0x3b),
    RGBColor(0x7a, 0x5c, 0x9e),
];
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// A picture that cannot be drawn.
pub type DrawingError = DrawingAreaErrorKind<std::io::Error>;

/// Draws a panel for each constant, with a line for each part of the run. The shaded band is the constant's start with
/// its step (`c_end`) on both sides.
///
/// # Errors
/// The picture cannot be drawn.
pub fn svg(header: &Header, courses: &[Course]) -> Result<String, DrawingError> {
    let constants = &header.plan.constants;
    let rows = constants.len().div_ceil(COLUMNS).max(1);
    let columns = constants.len().clamp(1, COLUMNS);
    let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)?;
        for (at, panel) in area.split_evenly((rows, columns)).iter().enumerate() {
            if at < constants.len() {
                draw(panel, header, courses, at)?;
            }
        }
        area.present()?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(
    area: &Area<'_>,
    header: &Header,
    courses: &[Course],
    at: usize,
) -> Result<(), DrawingError> {
    let constant = &header.plan.constants[at];
    let start = f64::from(constant.start);
    let lines: Vec<Vec<(u32, f64)>> =
        courses.iter().map(|course| points(course, start, at)).collect();
    let values = lines.iter().flatten().map(|point| point.1);
    let around = [start - constant.c_end, start + constant.c_end];
    let (least, most) =
        values.chain(around).fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let room = (most - least) * 0.08;
    let last = lines.iter().flatten().map(|point| point.0).max().unwrap_or(1).max(1);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .caption(
            format!("{} ({}…{})", constant.name, constant.min, constant.max),
            ("sans-serif", 14).into_font().color(&INK),
        )
        .x_label_area_size(18)
        .y_label_area_size(48)
        .build_cartesian_2d(0..last, least - room..most + room)?;
    chart.configure_mesh().disable_x_mesh().max_light_lines(1).x_labels(4).y_labels(5).draw()?;
    let band = [(0, around[0]), (last, around[1])];
    chart.draw_series([Rectangle::new(band, INK.mix(0.08).filled())])?;
    for (points, color) in lines.into_iter().zip(LINES.iter().cycle()) {
        chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
    }
    Ok(())
}

/// Where a constant stood after so many iterations.
fn points(course: &Course, start: f64, at: usize) -> Vec<(u32, f64)> {
    let iterations = course.iterations();
    let stride = iterations.len().div_ceil(POINTS).max(1);
    let is_shown = |number: &usize| number.is_multiple_of(stride) || *number == iterations.len();
    let shown = (1..=iterations.len()).filter(is_shown);
    let point = |number: usize| (number as u32, iterations[number - 1].theta[at]);
    std::iter::once((0, start)).chain(shown.map(point)).collect()
}
