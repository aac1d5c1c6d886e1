//! The report of a run: where the constants began and ended, and how to confirm that it is better.

use std::fmt::Write as _;

use super::course::Course;
use super::log::Header;
use crate::engine::search_params;
use garrison_rules::counted;

/// Where a constant stands after all parts of a run.
struct Row<'a> {
    name: &'a str,
    start: f64,
    end: f64,
    /// How far it would have been carried by chance: one standard deviation.
    chance: f64,
    range: (i32, i32),
}

impl Row<'_> {
    /// The value to be used.
    fn rounded(&self) -> i32 {
        self.end.round() as i32
    }
}

/// Where the constants stand: the mean of the parts, weighed by their iterations.
fn rows<'a>(header: &'a Header, courses: &[Course]) -> Vec<Row<'a>> {
    let weights: Vec<f64> = courses.iter().map(|course| course.iterations().len() as f64).collect();
    let total = weights.iter().sum::<f64>();
    // Before the first iteration all parts stand at the start.
    let weights: Vec<f64> = match total {
        0.0 => vec![1.0 / courses.len().max(1) as f64; courses.len()],
        total => weights.iter().map(|weight| weight / total).collect(),
    };
    let row = |(at, constant): (usize, &'a super::Constant)| {
        let parts = courses.iter().zip(&weights);
        let end = parts.clone().map(|(course, weight)| course.theta()[at] * weight).sum();
        let squares = parts.map(|(course, weight)| (course.chance()[at] * weight).powi(2));
        Row {
            name: &constant.name,
            start: f64::from(constant.start),
            end,
            chance: squares.sum::<f64>().sqrt(),
            range: (constant.min, constant.max),
        }
    };
    header.plan.constants.iter().enumerate().map(row).collect()
}

/// The report of a run by the courses of its parts, which may be one.
pub fn report(header: &Header, courses: &[Course]) -> String {
    let rows = rows(header, courses);
    let mut text = String::new();
    add_counts(&mut text, header, courses);
    add_table(&mut text, &rows);
    add_options(&mut text, header, &rows);
    text
}

fn add_counts(text: &mut String, header: &Header, courses: &[Course]) {
    let (plan, parts) = (&header.plan, header.plan.part.1);
    let done: usize = courses.iter().map(|course| course.iterations().len()).sum();
    let all = u64::from(plan.iterations) * u64::from(parts);
    let of_parts = match parts {
        1 => String::new(),
        parts => format!(" in {} of {parts} parts", courses.len()),
    };
    let mut games = [0; 3];
    for course in courses {
        games.iter_mut().zip(course.games()).for_each(|(sum, games)| *sum += games);
    }
    let [lost, drawn, won] = games;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{done} of {} of {}{of_parts}: {}, {} decided, {drawn} drawn",
        counted(all, "iteration"),
        counted(u64::from(plan.pairs), "pair"),
        counted(lost + drawn + won, "game"),
        lost + won,
    );
    let faults: u64 = courses.iter().map(Course::faults).sum();
    if faults > 0 {
        let _ = writeln!(text, "{} ended by a fault of the engine", counted(faults, "game"));
    }
}

fn add_table(text: &mut String, rows: &[Row<'_>]) {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(8);
    let _ = writeln!(
        text,
        "\n{:<width$} {:>8} {:>10} {:>9} {:>9}  {:>15}",
        "constant", "start", "end", "change", "chance", "range"
    );
    for Row { name, start, end, chance, range: (min, max) } in rows {
        // Adding 0 makes −0 a 0.
        let change = ((end - start) * 100.0).round() / 100.0 + 0.0;
        let range = format!("{min}…{max}");
        let _ = writeln!(
            text,
            "{name:<width$} {start:>8} {end:>10.2} {change:>+9.2} {:>9}  {range:>15}",
            format!("±{chance:.2}"),
        );
    }
    let _ = writeln!(
        text,
        "chance: how far games that all values play alike would have carried it (one standard deviation)"
    );
}

/// The options of the values found, and the command that compares them with those begun with.
fn add_options(text: &mut String, header: &Header, rows: &[Row<'_>]) {
    if rows.iter().all(|row| f64::from(row.rounded()) == row.start) {
        text.push_str("\nNo constant has moved to another whole number.\n");
        return;
    }
    let tuned = options(rows.iter().map(|row| (row.name, row.rounded())));
    let before = options(rows.iter().map(|row| (row.name, row.start as i32)));
    let own: String =
        header.games.options.iter().map(|option| format!(" option.{option}")).collect();
    let variants = header.games.variants.join(",");
    let openings = match header.games.openings.as_str() {
        "start" => "random:8",
        openings => openings,
    };
    let _ = writeln!(
        text,
        "\nConfirm it on a clock, with a program built with --features tuning:\n\
         garrison match --variant {variants} --games 40000 --tc 5+0.05 --openings {openings} \\\n    \
         --engine name=tuned{own}{tuned} \\\n    --engine name=before{own}{before} \\\n    \
         --sprt 0 5 0.05 0.05 --log confirm.jsonl"
    );
}

/// Values as words of `match`, but for those that are defaults of the program and need not be set.
fn options<'a>(values: impl Iterator<Item = (&'a str, i32)>) -> String {
    let is_other = |name: &str, value: i32| {
        let param = search_params().iter().find(|param| param.name == name);
        param.is_none_or(|param| param.default != value)
    };
    let others = values.filter(|(name, value)| is_other(name, *value));
    others.map(|(name, value)| format!(" option.{name}={value}")).collect()
}
