//! The graph of a game: White's expected score after every ply.

use std::fmt::Write as _;
use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::review::{GameAnalysis, Mark};
use crate::cli::CommandResult;
use crate::record::numbered;
use crate::text::escaped;
use garrison_rules::{Color as Side, Position, Tag};

const SIZE: (u32, u32) = (960, 400);

const LINE: RGBColor = RGBColor(40, 70, 130);
/// Behind the line, where the chances are Black's.
const SHADE: RGBColor = RGBColor(205, 209, 217);
const GRID: RGBColor = RGBColor(150, 150, 150);

/// How far from a ply its tooltip is shown, in pixels.
const REACH: u32 = 7;

/// The most numbers on the axis of moves.
const MOST_TICKS: usize = 24;

/// The most characters of a name.
const NAME_LENGTH: usize = 32;

/// The color of the dot of a marked move.
fn color(mark: Mark) -> RGBColor {
    match mark {
        Mark::Blunder => RGBColor(200, 30, 30),
        Mark::Mistake => RGBColor(225, 130, 0),
        Mark::Inaccuracy => RGBColor(190, 180, 0),
    }
}

/// Draws it as SVG. Every ply has a tooltip: an element `title`, which browsers show.
pub(super) fn draw(game: &GameAnalysis) -> CommandResult<String> {
    let (mut text, mut places) = (String::new(), Vec::new());
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        plot(&area, game, &mut places)
            .map_err(|error| format!("cannot draw the graph: {error}"))?;
    }
    let end = text.rfind("</svg>").ok_or("cannot draw the graph: it has no end")?;
    text.insert_str(end, &tooltips(game, &places));
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Fault<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// Draws the graph; `places` gets the pixel of every position.
fn plot<'a>(
    area: &Area<'a>,
    game: &GameAnalysis,
    places: &mut Vec<(i32, i32)>,
) -> Result<(), Fault<'a>> {
    area.fill(&WHITE)?;
    let points = points(game);
    let [first, last] = [points.first(), points.last()].map(|point| point.map_or(0.0, |p| p.0));
    let last = last.max(first + 0.5);
    let variant = game.record.start.variant().name();
    let [white, black] =
        ["White", "Black"].map(|side| short(game.record.tag(side).unwrap_or(side)));
    let title = format!("{white} – {black}, {variant}, {}", game.record.result);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 24))
        .margin(10)
        .x_label_area_size(48)
        .y_label_area_size(68)
        .build_cartesian_2d(MoveAxis { first, last }, 0f64..100f64)?;
    chart.draw_series([Rectangle::new([(first, 0.0), (last, 100.0)], SHADE.filled())])?;
    let below = points.iter().copied().chain([(last, 0.0), (first, 0.0)]);
    chart.draw_series([Polygon::new(below.collect::<Vec<_>>(), WHITE)])?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.mix(0.4))
        .x_labels(MOST_TICKS)
        .x_desc("move")
        .y_desc("expected score of White, %")
        .label_style(("sans-serif", 18))
        .axis_desc_style(("sans-serif", 18))
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .draw()?;
    chart.draw_series(LineSeries::new([(first, 50.0), (last, 50.0)], GRID.stroke_width(1)))?;
    chart.draw_series(LineSeries::new(points.iter().copied(), LINE.stroke_width(2)))?;
    // Each player at the edge that is their victory.
    let edges = [("White", white, 99.0, VPos::Top), ("Black", black, 1.0, VPos::Bottom)];
    for (side, name, percent, vertical) in edges {
        let style = ("sans-serif", 18).into_font().color(&BLACK.mix(0.7));
        let style = style.pos(Pos::new(HPos::Left, vertical));
        let winner = if name == side { name } else { format!("{name} ({side})") };
        let text = Text::new(format!("{winner} wins"), (6, 0), style);
        chart.draw_series([EmptyElement::at((first, percent)) + text])?;
    }
    for mark in Mark::ALL {
        let marked = game.reviews.iter().zip(&points[1..]);
        let dots: Vec<_> = marked
            .filter(|(review, _)| review.mark == Some(mark))
            .map(|(_, &point)| Circle::new(point, 4, color(mark).filled()))
            .collect();
        if !dots.is_empty() {
            let legend = move |(x, y)| Circle::new((x + 10, y), 4, color(mark).filled());
            chart.draw_series(dots)?.label(mark.name()).legend(legend);
        }
    }
    // Below the name at the upper edge: there the line of few games begins, and none ends.
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::Coordinate(8, 26))
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 18))
        .draw()?;
    places.extend(points.iter().map(|point| chart.plotting_area().map_coordinate(point)));
    area.present()
}

/// A point for every position: the move that led to it (a half more if it was Black's), and White's expected score
/// in percent. Setup plies come before the first move.
fn points(game: &GameAnalysis) -> Vec<(f64, f64)> {
    let is_setup = |ply: &&crate::record::Ply| ply.mv.tag() == Tag::Setup;
    let setups = game.record.plies.iter().take_while(is_setup).count();
    let start = &game.record.start;
    let side = if setups == 0 { start.side_to_move() } else { Side::White };
    let offset = if side == Side::Black { 0.0 } else { -0.5 };
    let first = f64::from(start.fullmove()) + offset - setups as f64 / 2.0;
    let place = |(index, value): (usize, &super::review::Value)| {
        (first + index as f64 / 2.0, value.expected * 100.0)
    };
    game.values.iter().enumerate().map(place).collect()
}

/// The axis of moves, with numbers at whole moves: at all, or those of a round step.
struct MoveAxis {
    first: f64,
    last: f64,
}

impl Ranged for MoveAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = (value - self.first) / (self.last - self.first);
        from + (part * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let (first, last) = (self.first.ceil() as usize, self.last.floor() as usize);
        let moves = last.saturating_sub(first) + 1;
        let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
        let is_wide = |step: &usize| moves / step <= hint.max_num_points();
        let step = steps.into_iter().find(is_wide).unwrap_or(moves);
        (first..=last).filter(|number| number % step == 0).map(|number| number as f64).collect()
    }

    fn range(&self) -> Range<f64> {
        self.first..self.last
    }
}

/// An invisible circle with a title for every ply.
fn tooltips(game: &GameAnalysis, places: &[(i32, i32)]) -> String {
    let mut text = String::from("<g fill=\"transparent\" stroke=\"none\">\n");
    for ((index, position), (x, y)) in game.positions().zip(places.iter().skip(1)) {
        let title = escaped(&tooltip(game, index, &position));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{REACH}\"><title>{title}</title></circle>"
        );
    }
    text + "</g>\n"
}

/// A move, its mark, the score after it, and what would have been better.
fn tooltip(game: &GameAnalysis, index: usize, position: &Position) -> String {
    let (ply, review) = (&game.record.plies[index], &game.reviews[index]);
    let (before, after) = (&game.values[index], &game.values[index + 1]);
    let number = numbered(position, ply.mv, true);
    let sign = review.mark.map_or("", |mark| mark.sign());
    let score = after.text();
    let best = match (review.mark, position.line_san(&before.line).first()) {
        (Some(_), Some(best)) => format!(", best {best}"),
        _ => String::new(),
    };
    format!("{number}{}{sign} {score}{best}", position.san(ply.mv))
}

/// A name, cut if it is long.
fn short(name: &str) -> String {
    let mut short: String = name.chars().filter(|c| !c.is_control()).take(NAME_LENGTH).collect();
    if name.chars().count() > NAME_LENGTH {
        short.push('…');
    }
    short
}
