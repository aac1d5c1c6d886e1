//! Words and bytes that commands are made of, right and wrong.

use crate::walk::Random;

/// Any of these.
pub fn any<'t>(random: &mut Random, texts: &[&'t str]) -> &'t str {
    random.pick(texts).copied().unwrap_or("")
}

/// Numbers, and what looks like them.
pub fn number(random: &mut Random) -> &'static str {
    const NUMBERS: [&str; 24] = [
        "0",
        "1",
        "2",
        "3",
        "1",
        "2",
        "7",
        "40",
        "100",
        "1000",
        "-1",
        "-5",
        "+1",
        "01",
        "1.5",
        "1e3",
        "x",
        "",
        "65535",
        "65536",
        "4294967295",
        "4294967296",
        "99999999999999999999999",
        "٣",
    ];
    any(random, &NUMBERS)
}

/// Numbers that are small, or refused by whatever counts.
pub fn small(random: &mut Random) -> &'static str {
    any(random, &["0", "1", "1", "-1", "x", "", "99999999999999999999999", "1 1", "0x1"])
}

/// Bytes without a line end.
pub fn noise(random: &mut Random) -> Vec<u8> {
    let longest = if random.below(50) == 0 { 3000 } else { 40 };
    let length = random.below(longest);
    let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
    bytes.retain(|&byte| byte != b'\n');
    if is_tame(&String::from_utf8_lossy(&bytes)) { bytes } else { Vec::new() }
}

/// A command with bytes in place of what belongs to it.
pub fn with_noise(random: &mut Random, commands: &[&str]) -> Vec<u8> {
    [any(random, commands).as_bytes(), b" ", &noise(random)].concat()
}

/// Whether a text has no word that begins work or ends the session: nobody would know when to go on.
fn is_tame(text: &str) -> bool {
    text.split_whitespace().all(|word| !["go", "perft", "bench", "quit"].contains(&word))
}

/// Words of all dialects, and others.
pub fn word(random: &mut Random) -> &'static str {
    const WORDS: [&str; 47] = [
        "uci",
        "usi",
        "xboard",
        "isready",
        "position",
        "go",
        "stop",
        "startpos",
        "fen",
        "sfen",
        "moves",
        "name",
        "value",
        "setoption",
        "depth",
        "infinite",
        "ponder",
        "ponderhit",
        "searchmoves",
        "protover",
        "2",
        "new",
        "force",
        "usermove",
        "e2e4",
        "N@e5",
        "=TWF1T1FWT",
        "setboard",
        "undo",
        "remove",
        "result",
        "*",
        "1-0",
        "hint",
        "ping",
        "analyze",
        "exit",
        "lift",
        "put",
        "hover",
        "gameover",
        "win",
        "\u{feff}",
        "é",
        "\0",
        "\t",
        "=",
    ];
    any(random, &WORDS)
}

/// Some words in a row.
pub fn words(random: &mut Random) -> String {
    let count = 1 + random.below(6);
    let text = (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ");
    if is_tame(&text) { text } else { String::new() }
}

/// A line of megabytes: around the longest that is read, or far longer, of nothing or of a command.
pub fn giant(random: &mut Random) -> Vec<u8> {
    const LONGEST: usize = 4 << 20;
    let length = match random.below(4) {
        0 => LONGEST - 1 - random.below(3),
        1 => LONGEST + random.below(3),
        2 => LONGEST + random.below(8 << 20),
        _ => 1 << 20,
    };
    let begin = any(
        random,
        &["", "position startpos moves ", "position fen ", "setoption name ", "usermove "],
    );
    let fill = any(random, &["a", " ", "e2e4 ", "0", "/", "é"]);
    let mut line = begin.as_bytes().to_vec();
    line.extend(fill.bytes().cycle().take(length.saturating_sub(line.len())));
    line
}

/// The line with some damage: characters changed, words taken out, put in, doubled or exchanged.
pub fn damaged(random: &mut Random, line: &str) -> String {
    let mut text = line.to_string();
    for _ in 0..=random.below(3) {
        if !text.is_empty() {
            let by_words = random.below(3) == 0;
            text = if by_words { in_words(random, &text) } else { random.damage(&text) };
        }
    }
    if is_tame(&text) { text } else { String::new() }
}

fn in_words(random: &mut Random, text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let (at, other) = (random.below(words.len()), random.below(words.len()));
    match random.below(5) {
        0 => {
            words.remove(at);
        }
        1 => words.insert(at, word(random)),
        2 => words.insert(at, words[other]),
        3 => words.truncate(at),
        _ => words.swap(at, other),
    }
    words.join(" ")
}
