//! The report on what was learned: one page for a browser, with its charts inside, readable in light and in dark.

use std::fmt::Write as _;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::{RangedCoordf64, RangedCoordi32};
use plotters::prelude::*;

use super::state::{Generation, State};
use crate::engine::LinearEval;
use crate::text::escaped;
use garrison_rules::Variant;

/// What the page is about.
#[derive(Debug)]
pub struct Page<'a> {
    /// What was done.
    pub state: &'a State,
    /// The game, or one of its family.
    pub variant: &'a Variant,
    /// The weights begun with.
    pub before: &'a LinearEval,
    /// The best ones.
    pub after: &'a LinearEval,
    /// Where everything is.
    pub folder: &'a Path,
    /// The file or folder that defines the game, if it is a user's.
    pub definition: Option<&'a Path>,
}

/// Text and axes, gray enough for paper and for screens in the dark.
const INK: RGBColor = RGBColor(0x7f, 0x7f, 0x7f);
const KEPT: RGBColor = RGBColor(0x2f, 0x9e, 0x6b);
const DROPPED: RGBColor = RGBColor(0xc0, 0x6a, 0x3c);

/// The size of a chart in pixels.
const SIZE: (u32, u32) = (720, 300);

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
tr.dropped { opacity: .6; }
svg { width: 100%; height: auto; }
pre { padding: .7rem; overflow-x: auto; border: 1px solid #8884; border-radius: 4px; }
";

impl Page<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let title = escaped(&self.variant.info().family_title);
        let sections = [self.summary(), self.strength(), self.fits(), self.values(), self.use_it()];
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}: what was learned</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n{}</body>\n</html>\n",
            sections.concat()
        )
    }

    fn summary(&self) -> String {
        let State { generations, seed, seconds, .. } = self.state;
        let games: u64 = generations.iter().map(|made| made.games).sum();
        let positions: u64 = generations.iter().map(|made| made.positions).sum();
        let nodes = || generations.iter().map(|made| made.play_nodes);
        let nodes = match (nodes().min(), nodes().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (least, _) => least.unwrap_or(super::plan::NODES).to_string(),
        };
        let elo = self.state.elo();
        let begun = if self.state.fitted {
            "the evaluation that the game had"
        } else {
            "what follows from the definition"
        };
        format!(
            "<p>Learned by <code>garrison learn {}</code>, version {}, seed {seed}: {} generations of \
             self-play with {nodes} nodes a move, {games} games with {positions} positions, in {}. The best \
             evaluation is {:+.0} ± {:.0} Elo stronger than {begun}, as far as matches between \
             generations can be summed (with about {} nodes a move, or {} where a network plays; stronger \
             opponents of other kinds give less).</p>\n",
            escaped(&self.state.game),
            env!("CARGO_PKG_VERSION"),
            generations.len(),
            duration(*seconds),
            elo.difference,
            elo.error,
            super::gate::NODES,
            super::gate::NETWORK_NODES,
        )
    }

    fn strength(&self) -> String {
        let mut rows = String::new();
        for made in &self.state.generations {
            let class = if made.kept { "" } else { " class=\"dropped\"" };
            let tally = made.tally();
            let score = match tally.total() {
                0 => "–".to_string(),
                games => format!("{:.1} %", 100.0 * tally.points() / games as f64),
            };
            let elo = made.elo().map_or_else(
                || "–".to_string(),
                |elo| format!("{:+.0} ± {:.0}", elo.difference, elo.error),
            );
            // Writing to a string cannot fail.
            let _ = writeln!(
                rows,
                "<tr{class}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{score}</td>\
                 <td>{elo}</td><td>{}</td></tr>",
                made.number,
                made.kind(),
                made.games,
                made.learned,
                tally.total(),
                if made.kept { "kept" } else { "not kept" }
            );
        }
        format!(
            "<h2>Strength</h2>\n{}<table>\n<tr><th>generation</th><th>kind</th><th>games</th>\
             <th>positions learned from</th><th>match games</th><th>score</th><th>Elo over the best before</th><th></th></tr>\n\
             {rows}</table>\n",
            drawn(elo_chart(self.state))
        )
    }

    fn fits(&self) -> String {
        let fitted = |made: &&Generation| made.learned > 0;
        let points: Vec<&Generation> = self.state.generations.iter().filter(fitted).collect();
        if points.is_empty() {
            return String::new();
        }
        format!(
            "<h2>Loss</h2>\n<p>The mean cross-entropy of the positions that each fit held out, before it and after. \
             Every generation has other positions, and networks are fitted to scores alone: only the two \
             of one fit compare.</p>\n{}",
            drawn(loss_chart(&points))
        )
    }

    /// What the pieces are worth, in pawns, or in the cheapest piece that is worth something.
    fn values(&self) -> String {
        let variant = self.variant;
        let unit = |linear: &LinearEval| {
            let pawn = variant.kinds().find(|&kind| variant.piece(kind).letter.to_string() == "P");
            let values = variant.kinds().map(|kind| linear.piece_value(kind));
            let value = match pawn {
                Some(pawn) => linear.piece_value(pawn),
                None => values.filter(|value| *value > 0).min().unwrap_or(100),
            };
            f64::from(value.max(1))
        };
        let (before, after) = (unit(self.before), unit(self.after));
        let mut rows = String::new();
        // Royals are never exchanged.
        for kind in variant.kinds().filter(|&kind| !variant.royals().contains(kind)) {
            let piece = variant.piece(kind);
            let board = |linear: &LinearEval, unit: f64| {
                format!("{:.2}", f64::from(linear.piece_value(kind)) / unit)
            };
            let hand = |linear: &LinearEval, unit: f64| match piece.slot {
                Some(_) => format!("{:.2}", f64::from(linear.hand_value(kind)) / unit),
                None => "–".to_string(),
            };
            let _ = writeln!(
                rows,
                "<tr><td>{} {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                piece.letter,
                escaped(&piece.name),
                board(self.before, before),
                board(self.after, after),
                hand(self.before, before),
                hand(self.after, after),
            );
        }
        let note = match self.state.best_hidden() {
            0 => "",
            _ => " Positions are judged by the network; these weights judge exchanges.",
        };
        format!(
            "<h2>What pieces are worth</h2>\n<p>In pawns (or in the cheapest piece), the mean over squares, \
             mobility included.{note}</p>\n<table>\n<tr><th>piece</th><th>before</th><th>now</th>\
             <th>in hand before</th><th>now</th></tr>\n{rows}</table>\n"
        )
    }

    fn use_it(&self) -> String {
        let game = escaped(self.variant.name());
        let folder = escaped(&self.folder.display().to_string());
        let definition = self.definition.map(|path| escaped(&path.display().to_string()));
        let (option, line) = match definition {
            Some(path) => (
                format!(" --variants {path}"),
                format!("setoption name VariantPath value {path}    # in UCI\n"),
            ),
            None => Default::default(),
        };
        format!(
            "<h2>Use it</h2>\n<pre>garrison learn {game}{option} --out {folder} --time 2h    # goes on learning\n\
             garrison match{option} --variant {game} --games 100 --nodes 5000 --openings random:6 \\\n    \
             --engine name=learned option.EvalFile={folder} \\\n    \
             --engine name=before option.EvalFile={folder}/generations/000.toml\n\
             {line}setoption name EvalFile value {folder}    # in UCI</pre>\n\
             <p>In the definition of a game of your own, relative to its file: \
             <code>evaluation = \"{folder}\"</code></p>\n"
        )
    }
}

/// A chart, or nothing if it cannot be drawn.
fn drawn(chart: Result<String, Box<dyn std::error::Error>>) -> String {
    chart.unwrap_or_default()
}

/// A time in words of a person.
pub fn duration(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest} s"),
        (0, _) => format!("{minutes} min {rest} s"),
        _ => format!("{hours} h {minutes} min"),
    }
}

type Chart = Result<String, Box<dyn std::error::Error>>;

/// Generations from left to right, values upward.
type Plane = Cartesian2d<RangedCoordi32, RangedCoordf64>;

/// The range of some values, with room around it.
fn range(values: impl Iterator<Item = f64>, least_room: f64) -> std::ops::Range<f64> {
    let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let (least, most) = if least <= most { (least, most) } else { (0.0, 1.0) };
    let room = ((most - least) * 0.08).max(least_room);
    least - room..most + room
}

/// A chart of values by generation, on an area that is still empty: its axes.
fn by_generation<'a>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    last: i32,
    values: std::ops::Range<f64>,
    what: &str,
    labels: usize,
    text_of: impl Fn(&f64) -> String,
) -> Result<ChartContext<'a, SVGBackend<'a>, Plane>, Box<dyn std::error::Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0..last + 1, values)?;
    let font = ("sans-serif", 13).into_font().color(&INK);
    chart
        .configure_mesh()
        .x_desc("generation")
        .y_desc(what)
        .y_label_formatter(&text_of)
        .x_labels(labels)
        .label_style(font.clone())
        .axis_desc_style(font)
        .axis_style(INK)
        .bold_line_style(INK.mix(0.25))
        .light_line_style(TRANSPARENT)
        .draw()?;
    Ok(chart)
}

/// How strong each generation is, over what was begun with.
fn elo_chart(state: &State) -> Chart {
    let all = state.elo_by_generation();
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let ends = all
            .iter()
            .flat_map(|(_, elo)| [elo.difference - elo.error, elo.difference + elo.error]);
        let last = state.generations.len().max(1) as i32;
        let values = range(ends.chain([0.0]), 10.0);
        let labels = state.generations.len().clamp(2, 20);
        let mut chart =
            by_generation(&area, last, values, "Elo", labels, |elo| format!("{elo:+.0}"))?;
        let kept = all.iter().filter(|(made, _)| made.kept);
        let line = kept.map(|(made, elo)| (made.number as i32, elo.difference));
        chart.draw_series(LineSeries::new(
            [(0, 0.0)].into_iter().chain(line),
            KEPT.stroke_width(2),
        ))?;
        for (made, elo) in &all {
            let (x, y) = (made.number as i32, elo.difference);
            let color = if made.kept { KEPT } else { DROPPED };
            chart.draw_series([PathElement::new(
                [(x, y - elo.error), (x, y + elo.error)],
                color.stroke_width(1),
            )])?;
            chart.draw_series([Circle::new((x, y), 4, color.filled())])?;
        }
        area.present()?;
    }
    Ok(text)
}

/// The loss of each fit before and after, as an arrow from one to the other.
fn loss_chart(fits: &[&Generation]) -> Chart {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let last = fits.iter().map(|made| made.number as i32).max().unwrap_or(1);
        let values = range(fits.iter().flat_map(|made| made.loss), 0.002);
        let labels = (last as usize).clamp(2, 20);
        let mut chart = by_generation(&area, last, values, "loss", labels, RangedCoordf64::format)?;
        for made in fits {
            let x = made.number as i32;
            let [before, after] = made.loss;
            chart
                .draw_series([PathElement::new([(x, before), (x, after)], INK.stroke_width(1))])?;
            chart.draw_series([Circle::new((x, before), 3, INK.stroke_width(1))])?;
            chart.draw_series([Circle::new((x, after), 4, KEPT.filled())])?;
        }
        area.present()?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    #[test]
    fn the_page_shows_what_was_done() {
        let variant = find("minishogi").expect("a game");
        let linear = LinearEval::plain(&variant);
        let mut state = State::new("minishogi", "", 9);
        let page = |state: &State| {
            let folder = Path::new("a<b&c");
            let definition = Some(Path::new("games.toml"));
            let (before, after) = (&linear, &linear);
            Page { state, variant: &variant, before, after, folder, definition }.html()
        };
        let empty = page(&state);
        assert!(empty.contains("<svg") && empty.trim_end().ends_with("</html>"), "{empty}");
        let made = Generation {
            number: 1,
            games: 77,
            learned: 1234,
            loss: [0.61, 0.57],
            results: [2, 3, 25],
            pairs: [0, 1, 1, 3, 10],
            kept: true,
            ..Generation::default()
        };
        state.generations =
            vec![made.clone(), Generation { number: 2, hidden: 16, kept: false, ..made }];
        state.best = 1;
        let page = page(&state);
        assert_eq!(page.matches("<svg").count(), 2);
        for wanted in [
            "seed 9",
            "1234",
            "network 16",
            "not kept",
            "88.3 %",
            "a&lt;b&amp;c",
            "--variants games.toml",
        ] {
            assert!(page.contains(wanted), "{wanted}");
        }
        assert!(!page.contains("http:") || page.contains("www.w3.org"), "nothing is loaded");
        assert_eq!([5.0, 65.0, 7_260.0].map(duration), ["5 s", "1 min 5 s", "2 h 1 min"]);
    }
}
