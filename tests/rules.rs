//! The rule book as positions: every rule has at least one position in `rules/` that fails without
//! it. The texts are blocks of `key: value` lines that a player can read; an empty line ends a
//! block, `#` begins a comment.
//!
//! A block names its `rule`, the `game` and the `fen` (`startpos` for the start array), may change the game `with`
//! lines of a definition, may play `moves`, and then says at least one of these of the position: `legal` (each of these moves can
//! be made), `illegal` (none of these can), `only` (these are all moves), `count` (of the legal
//! moves), `check` (`yes` or `no`, of the side to move), `after` (its FEN), `status`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use garrison_rules::definition::{DefinitionFile, load};
use garrison_rules::{Position, Variant, find};

/// The texts, and how many blocks each has at least.
const SUITES: [(&str, usize); 6] = [
    ("sixfortresses", 120),
    ("short", 75),
    ("chesstonia", 70),
    ("swda", 110),
    ("shoogantshii", 140),
    ("keys", 1),
];

/// The keys that say something about the position.
const CHECKS: [&str; 7] = ["legal", "illegal", "only", "count", "check", "after", "status"];
/// The keys that lead to it.
const GIVEN: [&str; 5] = ["rule", "game", "with", "fen", "moves"];
/// The keys that may be given more than once.
const REPEATED: [&str; 5] = ["with", "moves", "legal", "illegal", "only"];

/// The lines of one block, with the number of the first.
struct Block<'t> {
    line: usize,
    pairs: Vec<(&'t str, &'t str)>,
}

impl<'t> Block<'t> {
    /// The value of a key that may be given once.
    fn one(&self, key: &str) -> Option<&'t str> {
        self.pairs.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    fn needed(&self, key: &str) -> Result<&'t str, String> {
        self.one(key).ok_or_else(|| format!("no '{key}'"))
    }

    /// The values of all lines with this key.
    fn lines(&self, key: &'t str) -> impl Iterator<Item = &'t str> + '_ {
        self.pairs.iter().filter(move |(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// The words of all lines with this key.
    fn words(&self, key: &'t str) -> impl Iterator<Item = &'t str> + '_ {
        self.lines(key).flat_map(str::split_whitespace)
    }

    fn has(&self, key: &str) -> bool {
        self.one(key).is_some()
    }

    /// Whether the block is written as the head of this file says.
    fn form(&self) -> Result<(), String> {
        for (key, value) in &self.pairs {
            if !CHECKS.contains(key) && !GIVEN.contains(key) {
                return Err(format!("unknown key '{key}'"));
            }
            if value.is_empty() {
                return Err(format!("'{key}' says nothing"));
            }
            let times = self.pairs.iter().filter(|(other, _)| other == key).count();
            if times > 1 && !REPEATED.contains(key) {
                return Err(format!("'{key}' is given {times} times"));
            }
        }
        if !CHECKS.iter().any(|key| self.has(key)) {
            return Err("nothing is checked".to_string());
        }
        Ok(())
    }
}

/// Splits a text into blocks; a line without a colon becomes a key that nobody knows.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        // A hash inside a word would be no comment, but no move or FEN has one.
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            is_open &= text.lines().nth(index).is_some_and(|whole| whole.starts_with('#'));
            continue;
        }
        if !is_open {
            blocks.push(Block { line: index + 1, pairs: Vec::new() });
            is_open = true;
        }
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        if let Some(block) = blocks.last_mut() {
            block.pairs.push((key.trim(), value.trim()));
        }
    }
    blocks
}

/// The game a block speaks of.
fn game(block: &Block) -> Result<Arc<Variant>, String> {
    let name = block.needed("game")?;
    if !block.has("with") {
        return find(name).map_err(|unknown| unknown.to_string());
    }
    let lines: Vec<&str> = block.lines("with").collect();
    let text = format!("name = 'own'\nbase = '{name}'\n{}\n", lines.join("\n"));
    let games = load(vec![DefinitionFile { name: "own.toml".to_string(), text }]);
    let games = games
        .map_err(|faults| faults.iter().map(|fault| format!("{fault}; ")).collect::<String>())?;
    games.into_iter().next().ok_or_else(|| "no game".to_string())
}

/// The position a block speaks of.
fn position(block: &Block) -> Result<Position, String> {
    let variant = game(block)?;
    let fen = match block.needed("fen")? {
        "startpos" => variant.start_fen(),
        fen => fen,
    };
    let mut position = Position::from_fen(&variant, fen).map_err(|error| error.to_string())?;
    for text in block.words("moves") {
        position.play(text).map_err(|error| format!("move {text}: {error}"))?;
    }
    Ok(position)
}

fn legal_texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> =
        position.legal_moves().iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort_unstable();
    texts
}

/// Whether a text can be played, and if not, that trying it changes nothing.
fn can_play(position: &Position, text: &str) -> Result<bool, String> {
    let mut after = position.clone();
    if after.play(text).is_ok() {
        return Ok(true);
    }
    if after.fen() == position.fen() {
        Ok(false)
    } else {
        Err(format!("the refused move {text} changed the position to {}", after.fen()))
    }
}

fn check_moves(block: &Block, position: &Position, faults: &mut Vec<String>) {
    let legal = legal_texts(position);
    let is_listed = |text: &str| legal.iter().any(|other| other == text);
    for text in block.words("legal") {
        match can_play(position, text) {
            Ok(true) if is_listed(text) => {}
            Ok(true) => faults.push(format!("{text} can be played but is not listed")),
            Ok(false) => faults.push(format!("{text} should be legal")),
            Err(fault) => faults.push(fault),
        }
    }
    for text in block.words("illegal") {
        match can_play(position, text) {
            Ok(false) if !is_listed(text) => {}
            Ok(_) => faults.push(format!("{text} should be illegal")),
            Err(fault) => faults.push(fault),
        }
    }
    if block.has("only") {
        let mut wanted: Vec<&str> = block.words("only").collect();
        wanted.sort_unstable();
        let missing: Vec<&str> = wanted.iter().copied().filter(|text| !is_listed(text)).collect();
        let extra: Vec<&str> =
            legal.iter().map(String::as_str).filter(|text| !wanted.contains(text)).collect();
        if !missing.is_empty() || !extra.is_empty() {
            faults.push(format!("legal moves lack {missing:?} and have besides {extra:?}"));
        } else if wanted.len() != legal.len() {
            faults.push("a move is listed twice".to_string());
        }
    }
    if legal.len() as u64 != position.count_legal_moves() {
        faults.push(format!("{} moves, counted {}", legal.len(), position.count_legal_moves()));
    }
}

fn check_rest(block: &Block, position: &Position, faults: &mut Vec<String>) {
    let count = position.legal_moves().len().to_string();
    let check = if position.is_check() { "yes" } else { "no" };
    let found = [
        ("count", count),
        ("check", check.to_string()),
        ("after", position.fen()),
        ("status", position.status().to_string()),
    ];
    for (key, found) in found {
        if let Some(wanted) = block.one(key).filter(|wanted| *wanted != found) {
            faults.push(format!("{key} is '{found}', should be '{wanted}'"));
        }
    }
}

/// What is wrong with the position of a block.
fn judge(block: &Block) -> Vec<String> {
    let position = match block.form().and_then(|()| position(block)) {
        Ok(position) => position,
        Err(fault) => return vec![fault],
    };
    let mut faults = Vec::new();
    check_moves(block, &position, &mut faults);
    check_rest(block, &position, &mut faults);
    faults
}

/// Runs one text; returns the number of its blocks and a report of those that fail.
fn run(suite: &str) -> (usize, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/rules/{suite}.txt"));
    let text = fs::read_to_string(&path).expect("a text of the suite");
    let blocks = blocks(&text);
    let report = |block: &Block| {
        let faults = judge(block);
        let rule = block.one("rule").unwrap_or("(no rule)");
        (!faults.is_empty())
            .then(|| format!("{suite}.txt:{} {rule}\n    {}", block.line, faults.join("\n    ")))
    };
    let reports = blocks.iter().filter_map(report).collect();
    (blocks.len(), reports)
}

#[test]
fn every_rule_holds() {
    let mut reports = Vec::new();
    for (suite, least) in SUITES {
        let (count, faults) = run(suite);
        println!("{suite}: {count} blocks");
        reports.extend(faults);
        if count < least {
            reports.push(format!("{suite}.txt: {count} blocks, at least {least} are expected"));
        }
    }
    assert!(reports.is_empty(), "{} blocks fail:\n{}", reports.len(), reports.join("\n"));
}

/// The reader itself: bad blocks are found out.
#[test]
fn bad_blocks_are_reported() {
    let good = "rule: r\ngame: swda\nfen: startpos\ncount: 16\n";
    for (text, wanted) in [
        (good.to_string(), None),
        (format!("# first\n{good}# last\n\n\n"), None),
        (good.replace("count: 16", ""), Some("nothing is checked")),
        (good.replace("count", "cuont"), Some("unknown key 'cuont'")),
        (good.replace("count: 16", "count: 17"), Some("count is '16'")),
        (good.replace("count: 16", "count: 16\ncount: 16"), Some("2 times")),
        (good.replace("count: 16", "legal:"), Some("says nothing")),
        (good.replace("count: 16", "legal: e2e4"), Some("e2e4 should be legal")),
        (good.replace("count: 16", "illegal: e2e3"), Some("e2e3 should be illegal")),
        (good.replace("count: 16", "only: e2e3"), Some("have besides")),
        (good.replace("count: 16", "check: yes"), Some("check is 'no'")),
        (good.replace("count: 16", "status: draw"), Some("status is 'ongoing'")),
        (good.replace("startpos", "8/8 w - - 0 1"), Some("FEN field")),
        (good.replace("swda", "checkers"), Some("no variant 'checkers'")),
        (format!("{good}with: pass = true").replace("swda", "chess"), Some("count is '21'")),
        (format!("{good}with: pas = true").replace("swda", "chess"), Some("unknown key")),
        (good.replace("count", "moves: e2e4\ncount"), Some("move e2e4")),
    ] {
        let blocks = blocks(&text);
        assert_eq!(blocks.len(), 1, "{text}");
        let faults = judge(&blocks[0]).join("; ");
        match wanted {
            None => assert_eq!(faults, "", "{text}"),
            Some(part) => assert!(faults.contains(part), "{text}: '{faults}' lacks '{part}'"),
        }
    }
    assert_eq!(blocks(&format!("{good}\n{good}")).len(), 2);
}
