//! Speed of move generation: perft with bulk counting, one thread, on the positions of
//! `positions.txt`, if wanted beside another UCI engine in the same run.
//!
//! `cargo bench --bench perft -- --help`

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use clap::Parser;
use garrison_rules::{Position, find, perft};

/// Measures perft on fixed positions of every game.
#[derive(Parser)]
struct Args {
    /// Only games whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Runs of each position, of which the median counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Another UCI engine to be measured beside, run about with this one
    #[arg(long)]
    peer: Option<PathBuf>,
    /// The file that defines our games to the peer (its option VariantPath)
    #[arg(long, requires = "peer")]
    peer_variants: Option<PathBuf>,
    /// Given by `cargo bench`; means nothing
    #[arg(long, hide = true)]
    bench: bool,
}

/// Another engine, spoken to over UCI.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    variants: Vec<String>,
}

impl Peer {
    fn start(path: &PathBuf, definitions: Option<&PathBuf>) -> std::io::Result<Peer> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("no pipes to the peer"));
        };
        let mut peer = Peer { child, input, output: BufReader::new(output), variants: Vec::new() };
        if let Some(definitions) = definitions {
            writeln!(peer.input, "setoption name VariantPath value {}", definitions.display())?;
        }
        writeln!(peer.input, "uci")?;
        let options = peer.read_until("uciok")?;
        let variants = options.iter().filter(|line| line.contains("option name UCI_Variant"));
        peer.variants =
            variants.flat_map(|line| line.split_whitespace()).map(String::from).collect();
        Ok(peer)
    }

    fn read_until(&mut self, start: &str) -> std::io::Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(std::io::Error::other("the peer ended"));
            }
            lines.push(line.trim().to_string());
            if line.starts_with(start) {
                return Ok(lines);
            }
        }
    }

    /// Leaves and seconds, if it knows the game.
    fn perft(
        &mut self,
        variant: &str,
        fen: &str,
        depth: u32,
    ) -> std::io::Result<Option<(u64, f64)>> {
        if !self.variants.iter().any(|name| name == variant) {
            return Ok(None);
        }
        let fen = fen.replace("[]", "[-]");
        writeln!(
            self.input,
            "setoption name UCI_Variant value {variant}\nposition fen {fen}\nisready"
        )?;
        self.read_until("readyok")?;
        let start = Instant::now();
        writeln!(self.input, "go perft {depth}")?;
        let lines = self.read_until("Nodes searched")?;
        let seconds = start.elapsed().as_secs_f64();
        let nodes = lines.last().and_then(|line| line.rsplit(' ').next()?.parse().ok());
        Ok(nodes.map(|nodes| (nodes, seconds)))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

/// The median speed of some runs in millions of leaves a second.
fn median(mut speeds: Vec<f64>) -> f64 {
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
}

fn speed((nodes, seconds): (u64, f64)) -> f64 {
    nodes as f64 / seconds.max(1e-9) / 1e6
}

fn main() -> std::io::Result<()> {
    let args = Args::parse();
    let mut peer = match &args.peer {
        Some(path) => Some(Peer::start(path, args.peer_variants.as_ref())?),
        None => None,
    };
    println!("| game | position | depth | leaves | M/s | peer's leaves | peer's M/s | ratio |");
    println!("|---|---|---|---|---|---|---|---|");
    for line in include_str!("positions.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let &[name, label, fen, depth] = fields.as_slice() else {
            return Err(std::io::Error::other(format!("positions.txt: '{line}'")));
        };
        if !name.contains(&args.only) {
            continue;
        }
        let variant = find(name).map_err(std::io::Error::other)?;
        let mut position = Position::from_fen(&variant, fen)
            .map_err(|error| std::io::Error::other(error.to_string()))?;
        let depth: u32 = depth.parse().map_err(std::io::Error::other)?;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let (mut leaves, mut peer_leaves) = (0, 0);
        for _ in 0..args.runs {
            let start = Instant::now();
            leaves = perft(&mut position, depth);
            own.push(speed((leaves, start.elapsed().as_secs_f64())));
            if let Some(run) =
                peer.as_mut().map(|p| p.perft(name, fen, depth)).transpose()?.flatten()
            {
                peer_leaves = run.0;
                others.push(speed(run));
            }
        }
        let own = median(own);
        print!("| {name} | {label} | {depth} | {leaves} | {own:.1} |");
        if others.is_empty() {
            println!(" - | - | - |");
        } else {
            let other = median(others);
            println!(" {peer_leaves} | {other:.1} | {:.2} |", own / other);
        }
    }
    Ok(())
}
