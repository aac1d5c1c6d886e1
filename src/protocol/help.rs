//! What the programs that speak a protocol never ask, and people do: `help`.

/// The answer to `help` in UCI and USI, without what makes each line a comment there.
pub(super) const UCI: [&str; 6] = [
    "Here programs speak UCI, USI or XBoard's protocol; for people: garrison --help, or garrison play --variant NAME",
    "variants: the games; variant NAME: chooses one; d: shows the board; legal: the legal moves",
    "position startpos moves MOVE ...: sets the position; eval: judges it",
    "go depth 8, go movetime 1000: searches it and ends with bestmove; stop: ends the search",
    "perft N: counts moves; bench: measures the speed; quit: ends the program",
    "uci and usi list the options; protocol.md has every command",
];

/// The answer to `help` in XBoard's protocol.
pub(super) const CECP: [&str; 5] = [
    "Here programs speak XBoard's protocol; for people: garrison --help, or garrison play --variant NAME",
    "variants: the games; new and variant NAME: begin one; d: shows the board; legal: the legal moves",
    "e2e4 or usermove e2e4: makes a move, which is answered; go: lets the program move; force: stops that",
    "undo, remove: take back; hint; analyze, exit; st, sd, level: limits; ping N; quit",
    "protocol.md has every command",
];

/// These lines, each behind `comment`.
pub(super) fn text(comment: &str, lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{comment} {line}")).collect::<Vec<_>>().join("\n")
}
