//! `garrison play`: a game in the terminal.

mod command;
mod game;

use std::io::{BufRead, IsTerminal};
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};

use self::command::Command;
use self::game::{Flow, Game};
use super::position::PositionArgs;
use super::{CommandResult, limits, on_large_stack, print};
use crate::engine::Limits;
use garrison_rules::Color;

/// Play in the terminal, against the program or another person.
///
/// Moves are typed as coordinates (e3e4, N@e5, =TWF1T1FWT) or as people write them (e4, Nxd5). `help`
/// lists the other commands. Commands are read from standard input, so a file of them can be played.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Levels, in positions that the program looks at for a move:
  1: 30     2: 100     3: 300      4: 1000      5: 3000
  6: 10000  7: 30000   8: 100000   9: 300000   10: 1000000

Examples:
  garrison play --variant shoranji
  garrison play --variant swda-op --side black --level 7
  garrison play --variant shoogantshii --side both
  garrison play --variant swda-random             (armies by chance; swda-o?: only Black's)
  printf 'e3e4\\nsave game.pgn\\n' | garrison play --variant chesstonia --level 1")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The side that you play
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// How strong the program plays
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Time for each move of the program in milliseconds, in place of a level
    #[arg(long, value_name = "MS", conflicts_with = "level")]
    movetime: Option<u64>,
    /// Decides the armies that --variant leaves to chance, as in `swda-random` and `swda-o?` [default: any]
    #[arg(long)]
    seed: Option<u64>,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    /// Two people play each other
    Both,
    /// The program plays itself
    None,
}

impl Side {
    /// Whether the user plays this color.
    fn has(self, color: Color) -> bool {
        match self {
            Side::White => color == Color::White,
            Side::Black => color == Color::Black,
            Side::Both => true,
            Side::None => false,
        }
    }
}

/// The positions that the program looks at for a move, by level from 1. Each level has about three
/// times the work of the one before, which is about a ply and a half.
const NODES: [u64; 10] = [30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

fn engine_limits(args: &Args) -> Limits {
    let level = usize::from(args.level).clamp(1, NODES.len());
    Limits {
        move_time: args.movetime.map(Duration::from_millis),
        nodes: args.movetime.is_none().then_some(NODES[level - 1]),
        ..Limits::default()
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    let position = args.position.position_by_chance(args.seed)?;
    let searcher = limits::searcher(args.hash)?;
    let strength = match args.movetime {
        Some(time) => format!("{time} ms a move"),
        None => format!("level {}", args.level),
    };
    on_large_stack(|| {
        let game = Game::new(position, args.side, engine_limits(args), strength, searcher);
        play(game);
    })
}

/// Reads commands until there are no more.
fn play(mut game: Game) {
    let stdin = std::io::stdin();
    let prompts = stdin.is_terminal();
    let mut input = stdin.lock();
    game.begin();
    loop {
        if prompts {
            print(&game.prompt());
        }
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let flow = match Command::parse(line.trim()) {
            Ok(None) => Flow::Continue,
            Ok(Some(command)) => game.execute(command),
            Err(fault) => {
                print(&format!("{fault}\n"));
                Flow::Continue
            }
        };
        if flow == Flow::Quit {
            break;
        }
    }
    print("Good-bye.\n");
}
