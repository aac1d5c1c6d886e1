//! The tuner on a simulated program, whose best constants are known.

use std::convert::Infallible;
use std::path::PathBuf;

use super::*;
use garrison_rules::random::SplitMix;

/// A constant with a step of a twentieth of its range.
pub(super) fn constant(name: &str, start: i32, min: i32, max: i32) -> Constant {
    let c_end = f64::from(max - min) / 20.0;
    Constant { name: name.to_string(), start, min, max, c_end, r_end: 0.002 }
}

/// A program whose strength falls with the square of the distance from the best constants, as that of a real one does
/// near them. Its games have draws, and openings that favor a side.
struct Model {
    random: SplitMix,
    /// For each constant: its best value, and the distance from it that costs 10 Elo.
    best: Vec<(f64, f64)>,
}

impl Model {
    fn new(seed: u64, best: &[(f64, f64)]) -> Model {
        Model { random: SplitMix::new(seed), best: best.to_vec() }
    }

    /// In Elo, at most 0.
    fn strength(&self, values: &[i32]) -> f64 {
        let loss = |(&value, (best, width)): (&i32, &(f64, f64))| {
            ((f64::from(value) - best) / width).powi(2) * 10.0
        };
        -values.iter().zip(&self.best).map(loss).sum::<f64>()
    }

    /// Lost, drawn or won (0, 1, 2) by a side that is so many Elo stronger. Two thirds of equal games are decided.
    fn game(&mut self, elo: f64) -> usize {
        // Chances of at least half a point and of a whole one: logistic curves on both sides of the draws.
        let above = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let luck = self.random.fraction();
        usize::from(luck < above(elo + 120.0)) + usize::from(luck < above(elo - 120.0))
    }
}

impl Objective for Model {
    type Error = Infallible;

    fn play(&mut self, trial: &Trial, pairs: u32) -> Result<Option<Outcome>, Infallible> {
        let elo = self.strength(&trial.plus) - self.strength(&trial.minus);
        let mut outcome = Outcome::default();
        for _ in 0..pairs {
            // An opening is worth up to 150 Elo to White, and each side has White once.
            let opening = self.random.fraction() * 150.0;
            outcome.games[self.game(elo + opening)] += 1;
            outcome.games[self.game(elo - opening)] += 1;
        }
        Ok(Some(outcome))
    }
}

/// Ends a run after so many iterations.
struct Stopped<'a>(&'a mut Model, u32);

impl Objective for Stopped<'_> {
    type Error = Infallible;

    fn play(&mut self, trial: &Trial, pairs: u32) -> Result<Option<Outcome>, Infallible> {
        if self.1 == 0 {
            return Ok(None);
        }
        self.1 -= 1;
        self.0.play(trial, pairs)
    }
}

fn plan(constants: Vec<Constant>, iterations: u32, seed: u64) -> Plan {
    Plan { constants, iterations, pairs: 4, seed, part: (1, 1) }
}

fn tuned(plan: Plan, model: &mut Model) -> Course {
    let mut course = Course::new(plan);
    let end = run(&mut course, model, &mut Writer::default(), &mut |_| {});
    assert_eq!(end.expect("no error"), End::Complete);
    course
}

/// Five constants like those of the search, all off their best values.
fn five() -> (Vec<Constant>, [(f64, f64); 5]) {
    let constants = vec![
        constant("base", 75, 0, 200),
        constant("divisor", 230, 120, 400),
        constant("margin", 60, -50, 300),
        constant("bonus", 60, 0, 300),
        constant("depth", 8, 3, 14),
    ];
    (constants, [(110.0, 20.0), (190.0, 28.0), (130.0, 35.0), (120.0, 30.0), (6.0, 1.1)])
}

#[test]
fn known_optima_are_found() {
    for seed in 0..6 {
        let (constants, best) = five();
        let mut model = Model::new(1000 + seed, &best);
        let course = tuned(plan(constants, 5000, seed), &mut model);
        for (at, constant) in course.plan().constants.iter().enumerate() {
            let (end, (best, width)) = (course.theta()[at], best[at]);
            // Half of the distance that costs 10 Elo costs 2.5.
            let off = (end - best).abs() / width;
            assert!(off < 0.5, "seed {seed}: {} is {end:.2}, not {best}", constant.name);
            let begun = (f64::from(constant.start) - best).abs() / width;
            assert!(begun > 1.4, "{} began near its best value", constant.name);
        }
        let values: Vec<i32> = course.theta().iter().map(|value| value.round() as i32).collect();
        let (before, after) = (model.strength(&[75, 230, 60, 60, 8]), model.strength(&values));
        assert!(before < -120.0 && after > -4.0, "seed {seed}: {before:.1} to {after:.1} Elo");
    }
}

#[test]
fn what_matters_not_moves_as_far_as_chance_carries_it() {
    let mut squares = Vec::new();
    for seed in 0..40 {
        let constants = vec![constant("idle", 500, 0, 1000), constant("second", 500, 0, 1000)];
        let mut model = Model::new(seed, &[(500.0, f64::INFINITY); 2]);
        let course = tuned(plan(constants, 500, seed), &mut model);
        let moved = course.theta().iter().map(|value| value - 500.0);
        squares.extend(moved.zip(course.chance()).map(|(change, one)| (change / one).powi(2)));
    }
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    assert!((0.65..1.45).contains(&mean), "{mean}");
}

#[test]
fn values_stay_in_range_and_differ() {
    // The best values are out of reach.
    let low = Constant { c_end: 1.0, ..constant("low", 2, 0, 10) };
    let constants = vec![low, constant("high", 95, 0, 100)];
    let mut model = Model::new(3, &[(-20.0, 2.0), (300.0, 40.0)]);
    let course = tuned(plan(constants, 3000, 3), &mut model);
    for iteration in course.iterations() {
        for values in [&iteration.plus, &iteration.minus] {
            assert!((0..=10).contains(&values[0]) && (0..=100).contains(&values[1]));
        }
        assert!(iteration.plus.iter().zip(&iteration.minus).all(|(plus, minus)| plus != minus));
    }
    assert!(course.theta()[0] < 0.5 && course.theta()[1] > 97.0, "{:?}", course.theta());
}

#[test]
fn rounding_by_chance_keeps_the_mean() {
    let plan = plan(vec![constant("x", 50, 0, 100)], 4000, 9);
    let (mut sum, mut distance) = (0.0, 0.0);
    for number in 2001..=4000 {
        let Trial { plus, minus, .. } = plan.trial(&[50.3], number);
        sum += f64::from(plus[0] + minus[0]) / 2.0;
        distance += f64::from((plus[0] - minus[0]).abs()) / 2.0;
    }
    assert!((sum / 2000.0 - 50.3).abs() < 0.05, "{}", sum / 2000.0);
    // The steps of that half are between 5 and 5 · 2^0.101.
    assert!((5.0..5.4).contains(&(distance / 2000.0)), "{}", distance / 2000.0);
}

#[test]
fn parts_vary_and_play_differently() {
    let part = |number| Plan { part: (number, 3), ..plan(five().0, 100, 1) };
    let trials: Vec<Trial> = (1..=3)
        .flat_map(|number| [1, 100].map(|k| part(number).trial(&part(1).start(), k)))
        .collect();
    let pairs: Vec<u64> = trials.iter().map(|trial| trial.first_pair).collect();
    assert_eq!(pairs, [0, 396, 400, 796, 800, 1196]);
    assert!(trials[0].plus != trials[2].plus || trials[0].minus != trials[4].minus);
    assert_eq!(part(1).trial(&part(1).start(), 1), trials[0]);
}

/// A file of its own name, which is not there.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("garrison-spsa-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn header(plan: Plan) -> Header {
    let games = Conditions { variants: vec!["swda-oo".to_string()], ..Conditions::default() };
    Header::new(plan, games)
}

#[test]
fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let (constants, best) = five();
    let header = header(plan(constants, 60, 5));
    let (whole, part) = (path("whole"), path("part"));
    let mut model = Model::new(1, &best);
    let (mut writer, mut course) = Writer::open(&whole, false, &header).expect("a log");
    run(&mut course, &mut model, &mut writer, &mut |_| {}).expect("a run");
    let text = std::fs::read(&whole).expect("a log");
    assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 61);

    let mut model = Model::new(1, &best);
    for (torn, iterations) in [("", 20), ("{\"iteration\":21,\"pl", 25), ("\0\0\0\n", 60)] {
        let (mut writer, mut begun) =
            Writer::open(&part, !torn.is_empty(), &header).expect("a log");
        if torn.is_empty() {
            assert!(begun.iterations().is_empty());
        }
        let mut objective = Stopped(&mut model, iterations);
        run(&mut begun, &mut objective, &mut writer, &mut |_| {}).expect("a run");
        let mut text = std::fs::read(&part).expect("a log");
        text.extend_from_slice(torn.as_bytes());
        std::fs::write(&part, text).expect("a log");
    }
    let (mut writer, mut resumed) = Writer::open(&part, true, &header).expect("a log");
    let end = run(&mut resumed, &mut model, &mut writer, &mut |_| {}).expect("a run");
    assert_eq!(end, End::Complete);
    assert!(resumed == course && std::fs::read(&part).expect("a log") == text);
    assert_eq!(read(&part).expect("a log").1, course);
    for file in [whole, part] {
        std::fs::remove_file(file).expect("removed");
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let file = path("other");
    let of = |plan: Plan| header(plan);
    let (constants, best) = five();
    let plan = plan(constants, 10, 5);
    let (mut writer, mut course) = Writer::open(&file, false, &of(plan.clone())).expect("a log");
    run(&mut course, &mut Model::new(1, &best), &mut writer, &mut |_| {}).expect("a run");
    drop(writer);
    let refusal = |header: Header, resume: bool| {
        let fault = Writer::open(&file, resume, &header).expect_err("a refusal").to_string();
        fault.split_once("': ").expect("a file").1.to_string()
    };
    let other = |what: &str| format!("this log has {what}; it cannot be continued");
    let mut fewer = plan.constants.clone();
    fewer.pop();
    let mut moved = plan.constants.clone();
    moved[1].start += 1;
    for constants in [fewer, moved] {
        let header = of(Plan { constants, ..plan.clone() });
        assert_eq!(refusal(header, true), other("other constants, starts, ranges or steps"));
    }
    for (changed, what) in [
        (Plan { iterations: 11, ..plan.clone() }, "another number of iterations"),
        (Plan { pairs: 5, ..plan.clone() }, "another number of pairs"),
        (Plan { seed: 6, ..plan.clone() }, "another seed"),
        (Plan { part: (2, 2), ..plan.clone() }, "another shard"),
    ] {
        assert_eq!(refusal(of(changed), true), other(what));
    }
    assert!(refusal(of(plan.clone()), false).starts_with("exists; --resume"));
    let mut games = of(plan.clone());
    games.games.variants.push("shoranji".to_string());
    assert_eq!(refusal(games, true), other("other games"));

    // A line that was changed, left out or added.
    let text = std::fs::read_to_string(&file).expect("a log");
    let lines: Vec<&str> = text.lines().collect();
    let changed = lines[3].replacen("\"plus\":[", "\"plus\":[1", 1);
    let without = [&lines[..3], &lines[4..]].concat();
    let mut other_line = lines.clone();
    other_line[3] = &changed;
    let twice = [&lines[..], &lines[10..]].concat();
    for (lines, what) in [
        (without, "iteration 4 stands where iteration 3 is due"),
        (other_line, "iteration 3 does not follow from those before it"),
        (twice, "more iterations than the 10 of its first line"),
    ] {
        std::fs::write(&file, lines.join("\n") + "\n").expect("a log");
        let fault = read(&file).expect_err("a refusal").to_string();
        assert!(fault.ends_with(what), "{fault}");
    }
    for (from, to, what) in [
        ("\"spsa\":1", "\"spsa\":9", "is of format 9, and this program reads 1"),
        ("\"part\":[1,1]", "\"part\":[0,1]", "iterations, pairs and parts are from 1 to"),
        ("\"min\":0", "\"min\":900", "the constant 'base' has a name, start, range or step"),
    ] {
        std::fs::write(&file, text.replacen(from, to, 1)).expect("a log");
        let fault = read(&file).expect_err("a refusal").to_string();
        assert!(fault.contains(what), "{fault}");
    }
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn parts_are_reported_as_their_mean() {
    let (constants, best) = five();
    let of = |part, iterations| {
        let plan = Plan { part: (part, 3), ..plan(constants.clone(), 200, 2) };
        let file = path(&format!("part-{part}"));
        let (mut writer, mut course) =
            Writer::open(&file, false, &header(plan.clone())).expect("a log");
        let mut model = Model::new(u64::from(part), &best);
        run(&mut course, &mut Stopped(&mut model, iterations), &mut writer, &mut |_| {})
            .expect("a run");
        (file, course)
    };
    let [(one, first), (two, second)] = [of(1, 150), of(3, 50)];
    let (header, courses) = read_parts(&[two.clone(), one.clone()]).expect("parts");
    assert_eq!(courses, [first.clone(), second.clone()]);
    let text = report(&header, &courses);
    assert!(
        text.starts_with("200 of 600 iterations of 4 pairs in 2 of 3 parts: 1600 games, "),
        "{text}"
    );
    let mean = first.theta()[0] * 0.75 + second.theta()[0] * 0.25;
    let row = text.lines().find(|line| line.starts_with("base ")).expect("a row");
    assert!(row.contains(&format!(" {mean:.2} ")), "{row}");
    let command = text.split_once("garrison match ").expect("a command").1;
    assert!(command.contains(&format!("name=tuned option.base={}", mean.round())), "{command}");
    let picture = svg(&header, &courses).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    for constant in &header.plan.constants {
        assert!(picture.contains(&constant.name), "{}", constant.name);
    }
    let again = read_parts(&[one.clone(), one.clone()]).expect_err("a refusal").to_string();
    assert!(again.ends_with("is part 1 once more"), "{again}");
    for file in [one, two] {
        std::fs::remove_file(file).expect("removed");
    }
}

#[test]
fn the_command_sets_what_is_no_default() {
    let mut constants = selected("lmr_base,lmr_divisor").expect("constants");
    constants[1].start = 245;
    let mut model = Model::new(8, &[(150.0, 10.0), (200.0, f64::INFINITY)]);
    let header = header(plan(constants, 400, 8));
    let course = tuned(header.plan.clone(), &mut model);
    let [base, divisor] = [0, 1].map(|at| course.theta()[at].round());
    let text = report(&header, &[course]);
    let tuned = format!("name=tuned option.lmr_base={base} option.lmr_divisor={divisor} \\\n");
    assert!(base > 100.0 && text.contains(&tuned), "{text}");
    assert!(text.contains("name=before option.lmr_divisor=245 \\\n"), "{text}");
}

#[test]
fn a_report_before_the_first_iteration_has_the_starts() {
    let header = header(plan(five().0, 10, 1));
    let course = Course::new(header.plan.clone());
    let text = report(&header, std::slice::from_ref(&course));
    assert!(
        text.contains("0 of 10 iterations") && text.contains("No constant has moved"),
        "{text}"
    );
    assert!(svg(&header, &[course]).is_ok());
}
