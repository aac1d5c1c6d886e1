//! Reports of a match: one line while it runs, tables at its end.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::cross_table::cross_table;
use super::ending::EndReason;
use super::record::Record;
use super::spec::EngineSpec;
use super::stats::{
    Elo, Sprt, Tally, Verdict, normalized_elo, pentanomial_elo, superiority, trinomial_elo,
};
use garrison_rules::counted;

/// The results so far.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    names: Vec<String>,
    tallies: Vec<Tally>,
    /// Pairs of which one game is known: the first-named engine's half points in it.
    open: HashMap<usize, usize>,
    /// The games between each two engines, as the one with the smaller number sees them.
    duels: HashMap<(usize, usize), Tally>,
    variants: Vec<(String, VariantLine)>,
    endings: HashMap<EndReason, u64>,
    faults: BTreeMap<(String, &'static str), u64>,
    first_faults: Vec<String>,
    games: u64,
    /// Hashes of games, to find those that were played before.
    seen: HashSet<u64>,
    repeats: u64,
}

/// The results in one game.
#[derive(Debug, Clone, Default)]
struct VariantLine {
    /// Games lost, drawn and won by White.
    white: [u64; 3],
    plies: Vec<usize>,
    endings: HashMap<EndReason, u64>,
}

/// The results in one game, summed up.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantRow {
    /// The game.
    pub name: String,
    /// Games lost, drawn and won by White.
    pub white: [u64; 3],
    /// Plies of a game, openings included: mean.
    pub mean: f64,
    /// Median.
    pub median: usize,
    /// The longest.
    pub most: usize,
    /// How games ended, the most frequent first.
    pub endings: Vec<(EndReason, u64)>,
}

impl VariantRow {
    /// All games.
    pub fn games(&self) -> u64 {
        self.white.iter().sum()
    }

    /// White's points.
    pub fn white_points(&self) -> f64 {
        self.white[2] as f64 + self.white[1] as f64 / 2.0
    }
}

/// How many faults are reported one by one.
const MAX_FAULTS_SHOWN: usize = 10;

impl Standing {
    /// Before the first game.
    pub fn new(engines: &[EngineSpec]) -> Standing {
        Standing::of(engines.iter().map(|engine| engine.name.clone()).collect())
    }

    /// Before the first game of engines with these names.
    pub fn of(names: Vec<String>) -> Standing {
        Standing { tallies: vec![Tally::default(); names.len()], names, ..Standing::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &Record) {
        self.games += 1;
        let moves: Vec<&str> = record.moves.iter().map(|mv| mv.text.as_str()).collect();
        let mut hasher = DefaultHasher::new();
        (&record.variant, &record.fen, &record.opening, moves).hash(&mut hasher);
        self.repeats += u64::from(!self.seen.insert(hasher.finish()));
        let number = |name: &str| self.names.iter().position(|other| other == name);
        let (white, black) = (number(&record.white), number(&record.black));
        let points = record.white_half_points();
        if let (Some(white), Some(black)) = (white, black) {
            self.tallies[white].add_game(points);
            self.tallies[black].add_game(2 - points);
            let (first, second) = (white.min(black), white.max(black));
            let firsts = if first == white { points } else { 2 - points };
            self.duels.entry((first, second)).or_default().add_game(firsts);
            match self.open.remove(&(record.game / 2)) {
                None => {
                    self.open.insert(record.game / 2, firsts);
                }
                Some(other) => {
                    self.tallies[first].add_pair(firsts + other);
                    self.tallies[second].add_pair(4 - firsts - other);
                }
            }
        }
        *self.endings.entry(record.reason).or_default() += 1;
        if let Some(fault) = &record.fault {
            *self.faults.entry((fault.engine.clone(), fault.kind.name())).or_default() += 1;
            if self.first_faults.len() < MAX_FAULTS_SHOWN {
                let line = format!("game {}: {} {}", record.game + 1, fault.engine, fault.text);
                self.first_faults.push(line);
            }
        }
        let known = self.variants.iter().position(|(name, _)| *name == record.variant);
        let at = known.unwrap_or_else(|| {
            self.variants.push((record.variant.clone(), VariantLine::default()));
            self.variants.len() - 1
        });
        let line = &mut self.variants[at].1;
        line.white[points] += 1;
        line.plies.push(record.plies());
        *line.endings.entry(record.reason).or_default() += 1;
    }

    /// Whether a game was counted.
    pub fn has_games(&self) -> bool {
        self.games > 0
    }

    /// The results of the first engine.
    pub fn first(&self) -> Tally {
        self.tallies.first().copied().unwrap_or_default()
    }

    /// One line for a progress bar.
    pub fn short(&self, sprt: Option<&Sprt>) -> String {
        let tally = self.first();
        let [lost, drawn, won] = tally.games;
        let faults: u64 = self.faults.values().sum();
        let mut line = format!("+{won} ={drawn} -{lost}");
        // What decides comes first: a narrow terminal cuts off the end.
        if let Some(sprt) = sprt {
            let _ = write!(line, "  {}", ratio_text(sprt, &tally));
        }
        let _ = write!(line, "  Elo {}", elo_text(best_elo(&tally)));
        if faults > 0 {
            let _ = write!(line, "  faults {faults}");
        }
        line
    }

    /// The whole report.
    pub fn report(&self, sprt: Option<&Sprt>) -> String {
        let mut text = String::new();
        if self.names.len() == 2 {
            self.add_duel(&mut text, sprt)
        } else {
            self.add_ranking(&mut text)
        }
        self.add_variants(&mut text);
        self.add_endings(&mut text);
        self.add_faults(&mut text);
        text
    }

    fn add_duel(&self, text: &mut String, sprt: Option<&Sprt>) {
        let tally = self.first();
        let [lost, drawn, won] = tally.games;
        let total = tally.total();
        let _ = writeln!(
            text,
            "{} against {}: +{won} ={drawn} -{lost}, {} of {} ({})",
            self.names[0],
            self.names[1],
            tally.points(),
            counted(total, "point"),
            percent(tally.points(), total)
        );
        let elo = best_elo(&tally);
        let _ = write!(text, "Elo: {}", elo_text(elo));
        if elo.is_some() {
            let by = if tally.pairs == [0; 5] { "games" } else { "pairs" };
            let _ = write!(text, " (95 %, by {by})");
        }
        if let Some(elo) = normalized_elo(&tally.pairs) {
            let _ = write!(text, "; normalized: {}", elo_text(Some(elo)));
        }
        if let Some(los) = superiority(&tally) {
            let _ = write!(text, "; likelihood of superiority: {:.1} %", los * 100.0);
        }
        text.push('\n');
        let _ = writeln!(text, "Pairs with 0, ½, 1, 1½, 2 points: {:?}", tally.pairs);
        if let Some(sprt) = sprt {
            let verdict = match sprt.verdict(&tally.pairs) {
                Verdict::Continue => "no decision",
                Verdict::H0 => "H0: the first is not stronger by the lower bound",
                Verdict::H1 => "H1: the first is stronger by the upper bound",
            };
            let _ = writeln!(
                text,
                "SPRT {}…{}: {}, {verdict}",
                sprt.elo0,
                sprt.elo1,
                ratio_text(sprt, &tally)
            );
        }
    }

    fn add_ranking(&self, text: &mut String) {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let _ = writeln!(
            text,
            "{:>4}  {:<width$} {:>5} {:>5} {:>5} {:>5} {:>7} {:>7}  Elo against all",
            "rank", "engine", "games", "won", "drawn", "lost", "points", "score"
        );
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let share = |&number: &usize| {
            let tally = &self.tallies[number];
            tally.points() / (tally.total() as f64).max(1.0)
        };
        order.sort_by(|a, b| share(b).total_cmp(&share(a)));
        for (rank, &number) in order.iter().enumerate() {
            let tally = &self.tallies[number];
            let [lost, drawn, won] = tally.games;
            let elo = elo_text(best_elo(tally));
            let _ = writeln!(
                text,
                "{:>4}  {:<width$} {:>5} {won:>5} {drawn:>5} {lost:>5} {:>7} {:>7}  {elo}",
                rank + 1,
                self.names[number],
                tally.total(),
                tally.points(),
                percent(tally.points(), tally.total())
            );
        }
        self.add_cross_table(text, &order);
    }

    /// The points of each engine against each other, and of how many games.
    fn add_cross_table(&self, text: &mut String, order: &[usize]) {
        let cell = |row: usize, column: usize| {
            let (one, other) = (order[row], order[column]);
            let duel = self.duels.get(&(one.min(other), one.max(other))).copied();
            let duel = duel.map(|duel| if one < other { duel } else { duel.reversed() });
            duel.map_or("–".to_string(), |duel| format!("{}/{}", duel.points(), duel.total()))
        };
        let names: Vec<&str> = order.iter().map(|&number| self.names[number].as_str()).collect();
        let _ = write!(text, "\nPoints against each other:\n{}", cross_table(&names, cell));
    }

    /// The results in each game, in the order of their first games.
    pub fn rows(&self) -> Vec<VariantRow> {
        let row = |(name, line): &(String, VariantLine)| {
            let mut plies = line.plies.clone();
            plies.sort_unstable();
            VariantRow {
                name: name.clone(),
                white: line.white,
                mean: plies.iter().sum::<usize>() as f64 / plies.len().max(1) as f64,
                median: plies.get(plies.len() / 2).copied().unwrap_or(0),
                most: plies.last().copied().unwrap_or(0),
                endings: by_frequency(&line.endings),
            }
        };
        self.variants.iter().map(row).collect()
    }

    fn add_variants(&self, text: &mut String) {
        let width = self.variants.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(7);
        let _ = writeln!(
            text,
            "\n{:<width$} {:>6}  {:>6} {:>6} {:>6} {:>8}  {:>6} {:>6} {:>6}  endings",
            "variant", "games", "white", "draw", "black", "white", "plies", "median", "most"
        );
        for row in self.rows() {
            let [lost, drawn, won] = row.white;
            let _ = writeln!(
                text,
                "{:<width$} {:>6}  {won:>6} {drawn:>6} {lost:>6} {:>8}  {:>6.1} {:>6} {:>6}  {}",
                row.name,
                row.games(),
                percent(row.white_points(), row.games()),
                row.mean,
                row.median,
                row.most,
                list(&row.endings)
            );
        }
    }

    fn add_endings(&self, text: &mut String) {
        let endings = list(&by_frequency(&self.endings));
        let _ = writeln!(text, "\nEndings of {}: {endings}", counted(self.games, "game"));
        if self.repeats > 0 {
            let (games, are) =
                (counted(self.repeats, "game"), if self.repeats == 1 { "is" } else { "are" });
            let _ = writeln!(
                text,
                "{games} {are} move for move like an earlier one: the error bars are too small."
            );
        }
    }

    fn add_faults(&self, text: &mut String) {
        if self.faults.is_empty() {
            text.push_str("No faults: no illegal move, crash, stall, loss on time or flood.\n");
            return;
        }
        for ((engine, kind), count) in &self.faults {
            let _ = writeln!(text, "Fault of {engine}: {kind}, {}", counted(*count, "time"));
        }
        for line in &self.first_faults {
            let _ = writeln!(text, "  {line}");
        }
    }
}

/// The most frequent first; among equals, in the order of their texts.
fn by_frequency(counts: &HashMap<EndReason, u64>) -> Vec<(EndReason, u64)> {
    let mut list: Vec<_> = counts.iter().map(|(reason, count)| (*reason, *count)).collect();
    list.sort_by_cached_key(|(reason, count)| (std::cmp::Reverse(*count), reason.to_string()));
    list
}

fn list(counts: &[(EndReason, u64)]) -> String {
    let items: Vec<_> = counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    items.join(", ")
}

/// By pairs, if there are any. None where all ended alike: that says nothing about the error, whatever the formula.
fn best_elo(tally: &Tally) -> Option<Elo> {
    let elo = pentanomial_elo(&tally.pairs).or_else(|| trinomial_elo(&tally.games))?;
    (elo.difference.is_finite() && elo.error.is_finite() && elo.error > 0.0).then_some(elo)
}

fn elo_text(elo: Option<Elo>) -> String {
    // Adding 0 makes −0 a 0.
    elo.map_or("no estimate".to_string(), |elo| {
        format!("{:+.1} ± {:.1}", elo.difference + 0.0, elo.error)
    })
}

/// The log-likelihood ratio of a test between its bounds.
fn ratio_text(sprt: &Sprt, tally: &Tally) -> String {
    let (low, high) = sprt.bounds();
    // Rounded before it is written, and 0 added, so that there is no −0.00.
    let ratio = (sprt.ratio(&tally.pairs) * 100.0).round() / 100.0 + 0.0;
    format!("LLR {ratio:.2} [{low:.2}, {high:.2}]")
}

fn percent(points: f64, games: u64) -> String {
    if games == 0 {
        return "–".to_string();
    }
    format!("{:.1} %", points * 100.0 / games as f64)
}
