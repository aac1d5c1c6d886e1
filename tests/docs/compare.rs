//! Pasted output beside what a program prints. A line that begins and ends with `…` stands for any lines, `…` elsewhere for
//! any text; times and speeds may differ.

/// Marks what is left out.
const ANY: &str = "…";

/// The units of numbers that differ from run to run.
const UNITS: [&str; 6] = ["s", "ms", "nps", "M/s", "positions/s", "games/s"];

/// The same keys in JSON.
const KEYS: [&str; 2] = ["\"nps\":", "\"time\":"];

/// A line without its times and speeds, and the blanks before them.
fn steady(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.trim_end();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        let end = number.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(number.len());
        let (number, behind) = number.split_at(end);
        let unit = behind.strip_prefix(' ').unwrap_or(behind);
        let word = unit.find(|c: char| !(c.is_alphabetic() || c == '/')).unwrap_or(unit.len());
        let begins = !before.ends_with(|c: char| c.is_alphanumeric());
        let varies = begins && UNITS.contains(&&unit[..word]);
        if varies || KEYS.iter().any(|key| before.ends_with(key)) {
            text += before.trim_end();
            text += " #";
        } else {
            text += before;
            text += number;
        }
        rest = behind;
    }
    text + rest
}

/// Whether a line is the pattern.
pub fn line_matches(pattern: &str, line: &str) -> bool {
    let (pattern, line) = (steady(pattern), steady(line));
    let mut parts = pattern.split(ANY);
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether a line of a pattern stands for any lines: `…`, `… the board …`.
fn stands_for_lines(line: &str) -> bool {
    line.trim().starts_with(ANY) && line.trim().ends_with(ANY)
}

/// The parts of a pattern between lines that stand for any lines.
fn parts<'a>(pattern: &[&'a str]) -> Vec<Vec<&'a str>> {
    pattern.split(|line| stands_for_lines(line)).map(<[&str]>::to_vec).collect()
}

fn begins_with(lines: &[&str], part: &[&str]) -> bool {
    lines.len() >= part.len() && part.iter().zip(lines).all(|(part, line)| line_matches(part, line))
}

/// Whether output is the pattern.
pub fn matches(pattern: &[&str], output: &[&str]) -> bool {
    let parts = parts(pattern);
    let [first, middle @ .., last] = parts.as_slice() else {
        return output.len() == pattern.len() && begins_with(output, pattern);
    };
    let Some(room) = output.len().checked_sub(last.len()) else { return false };
    if first.len() > room || !begins_with(output, first) || !begins_with(&output[room..], last) {
        return false;
    }
    let mut rest = &output[first.len()..room];
    for part in middle {
        let Some(at) = (0..=rest.len()).find(|&at| begins_with(&rest[at..], part)) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

/// The pattern that shows as much of this output as the old one showed of its own: as many lines at the beginning and at
/// the end, and those in the middle whose first line is still there.
pub fn renewed(pattern: &[&str], output: &[&str]) -> Vec<String> {
    let keep = |part: &[&str], lines: &[&str]| -> Vec<String> {
        let old = |index: usize, line: &str| {
            part.get(index)
                .filter(|old| line_matches(old, line))
                .map_or(line, |old| *old)
                .to_string()
        };
        lines.iter().enumerate().map(|(index, line)| old(index, line)).collect()
    };
    if matches(pattern, output) {
        return pattern.iter().map(|line| (*line).to_string()).collect();
    }
    let parts = parts(pattern);
    let [first, middle @ .., last] = parts.as_slice() else { return keep(pattern, output) };
    let head = first.len().min(output.len());
    let room = output.len().saturating_sub(last.len()).max(head);
    let mut lines = keep(first, &output[..head]);
    // As they were written: what is left out may be named.
    let mut left_out = pattern.iter().filter(|line| stands_for_lines(line));
    lines.extend(left_out.next().map(|line| (*line).to_string()));
    let mut at = head;
    for part in middle {
        let begins =
            |index: &usize| part.first().is_some_and(|line| line_matches(line, output[*index]));
        if let Some(found) = (at..room).find(begins) {
            at = (found + part.len()).min(room);
            lines.extend(keep(part, &output[found..at]));
            lines.extend(left_out.next().map(|line| (*line).to_string()));
        }
    }
    lines.extend(keep(last, &output[room..]));
    lines
}

#[test]
fn what_varies_may_differ_and_nothing_else() {
    for (pattern, line) in [
        ("   15    +0.10      972737   1.21s  a3a4", "   15    +0.10      972737  11.3s  a3a4"),
        ("solved 18/18 in 5.7 s", "solved 18/18 in 15.71 s"),
        (r#"{"nodes":10,"nps":5,"pv":["#, r#"{"nodes":10,"nps":77,"pv":["#),
        ("a … c", "a b c"),
        ("…", ""),
    ] {
        assert!(line_matches(pattern, line), "{pattern} {line}");
    }
    for (pattern, line) in [
        ("   15    +0.10      972737   1.21s  a3a4", "   15    +0.11      972737   1.21s  a3a4"),
        ("solved 18/18 in 5.7 s", "solved 17/18 in 5.7 s"),
        (r#"{"nodes":10,"nps":5}"#, r#"{"nodes":11,"nps":5}"#),
        ("move c2s", "move c3s"),
        ("a …", "b c"),
    ] {
        assert!(!line_matches(pattern, line), "{pattern} {line}");
    }
}

#[test]
fn lines_may_be_left_out_where_it_is_said() {
    let output = ["a", "b", "c", "d", "e"];
    for pattern in [&["a", "…", "e"][..], &["…", "c", "…"], &["a", "b", "c", "d", "e"], &["…"]]
    {
        assert!(matches(pattern, &output), "{pattern:?}");
    }
    for pattern in
        [&["a", "e"][..], &["b", "…"], &["…", "d"], &["…", "x", "…"], &["a", "b", "c", "d"]]
    {
        assert!(!matches(pattern, &output), "{pattern:?}");
    }
}

#[test]
fn what_is_renewed_matches_and_shows_as_much() {
    let output = ["A 1", "b", "in 2.5 s", "d", "e"];
    for (old, new) in [
        (&["a", "…", "x"][..], &["A 1", "…", "e"][..]),
        (&["A …", "…", "in 9.9 s", "y", "…", "f"], &["A …", "…", "in 9.9 s", "d", "…", "e"]),
        (&["x"], &["A 1", "b", "in 2.5 s", "d", "e"]),
    ] {
        assert_eq!(renewed(old, &output), new);
        assert!(matches(new, &output));
    }
}
