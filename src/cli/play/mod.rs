//! `garrison play`: a game in the terminal.

mod armies;
mod arrange;
mod board;
mod command;
mod execute;
mod game;
mod input;
mod program;
mod save;
mod settle;
mod signals;
mod text;
mod typed;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};

use self::board::Form;
use self::command::Command;
use self::execute::Flow;
use self::game::{Game, Players, Screen};
use self::input::{Input, Line};
use self::program::Program;
use self::save::{Keeper, Settings, read_game};
use self::signals::Signals;
use super::games::any_seed;
use super::look::Look;
use super::position::PositionArgs;
use super::{CommandResult, limits, on_large_stack, print};
use crate::player::Strength;
use crate::record::GameRecord;
use garrison_rules::catalogue::candidates;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Move, Position};

/// Play in the terminal, against the program or another person.
///
/// Moves are typed as coordinates (e3e4, N@e5, =TWF1T1FWT) or as people write them (e4, Nxd5), in shogi also as
/// 7g7f; Tab completes moves and commands, and `help` lists these. Ctrl-C while the program thinks makes it move
/// at once. Commands are read from standard input, so a file of them can be played.
///
/// The game is kept after every move in $XDG_STATE_HOME/garrison/play (by default ~/.local/state/garrison/play), so
/// that `--resume` goes on with it however the program ended.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("variant", |arg| arg.required(false).required_unless_present_any(["pgn", "resume"])))]
#[command(after_help = "Levels, in positions that the program looks at for a move:
  1: 30     2: 100     3: 300      4: 1000      5: 3000
  6: 10000  7: 30000   8: 100000   9: 300000   10: 1000000

Examples:
  garrison play --variant shoranji
  garrison play --variant swda-op --side black --level 7
  garrison play --variant shoogantshii --side both
  garrison play --variant swda-random             (armies by chance)
  garrison play --variant 'swda-??' --side both   (two people choose their armies in secret)
  garrison play --resume                          (goes on with the game kept last)
  garrison play --pgn games.pgn --game 3          (goes on with a game of a file)
  printf 'e3e4\\nsave game.pgn\\n' | garrison play --variant chesstonia --level 1")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Go on with the unfinished game that was kept last
    #[arg(long, conflicts_with_all = ["pgn", "variant", "fen", "moves"])]
    resume: bool,
    /// Go on with a game of a PGN file, the last one if --game says no other
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    pgn: Option<PathBuf>,
    /// The number of the game in the file, from 1
    #[arg(long, value_name = "N", requires = "pgn")]
    game: Option<usize>,
    /// The side that you play [default: white, or the side that you had]
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// How strong the program plays [default: 5, or the level that it had]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// Time for each move of the program in milliseconds, in place of a level
    #[arg(long, value_name = "MS", conflicts_with = "level")]
    movetime: Option<u64>,
    /// Decides the armies that are left to chance, as in `swda-random` [default: any]
    #[arg(long)]
    seed: Option<u64>,
    /// How the board is drawn [default: the larger form that fits the terminal]
    #[arg(long, value_enum, value_name = "FORM")]
    board: Option<Form>,
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

    /// As the option is written.
    fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
            Side::Both => "both",
            Side::None => "none",
        }
    }

    fn named(name: &str) -> Option<Side> {
        Side::value_variants().iter().copied().find(|side| side.name() == name)
    }

    /// The side of the person, by the players of a saved game.
    fn of_record(record: &GameRecord) -> Option<Side> {
        let is_program =
            |tag| record.tag(tag).is_some_and(|name: &str| name.starts_with("Garrison"));
        match (is_program("White"), is_program("Black")) {
            (true, false) => Some(Side::Black),
            (false, true) => Some(Side::White),
            _ => None,
        }
    }
}

/// A game to be played, with what is known of its players.
struct Start {
    record: GameRecord,
    settings: Settings,
    keeper: Keeper,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let searcher = limits::searcher(args.hash)?;
    on_large_stack(|| -> CommandResult {
        let mut input = Input::new();
        let start = start(args, &mut input)?;
        let signals = Signals::new(input.is_conversation())?;
        let side = args.side.or(start.settings.side).unwrap_or(Side::White);
        let strength = strength(args).or(start.settings.strength).unwrap_or(Strength::DEFAULT);
        let screen = Screen {
            look: Look::of_stdout(),
            form: args.board,
            is_conversation: input.is_conversation(),
        };
        let program = Program::new(searcher, strength);
        let players = Players { people: side, program, screen, signals };
        let mut game = Game::new(start.record, start.settings.used, players);
        game.keeper = start.keeper;
        if game.keeper.is_kept() {
            game.changed();
        }
        play(game, &mut input);
        Ok(())
    })?
}

/// The game to begin or to go on with.
fn start(args: &Args, input: &mut Input) -> CommandResult<Start> {
    let mut keeper = Keeper::new();
    let mut record = if args.resume {
        keeper.take_last()?
    } else if let Some(path) = &args.pgn {
        read_game(path, args.game, args.position.variant.as_deref())?
    } else {
        new_record(args, input)?
    };
    let mut settings = Settings::take(&mut record);
    settings.side = settings.side.or_else(|| Side::of_record(&record));
    Ok(Start { record, settings, keeper })
}

/// The record of a new game, with the moves that were made before.
fn new_record(args: &Args, input: &mut Input) -> CommandResult<GameRecord> {
    let name = args.position.variant.as_deref().unwrap_or_default();
    let seed = args.seed.unwrap_or_else(any_seed);
    let game = if armies::are_chosen(name) {
        let side = args.side.unwrap_or(Side::White);
        armies::choose(name, side, &mut SplitMix::new(seed), input)?
    } else {
        candidates(name)?.by_chance(seed)
    };
    let position = args.position.position_of(&game)?;
    let moves: Vec<Move> = position.moves_made().collect();
    let mut start: Position = position;
    moves.iter().for_each(|_| start.unmake());
    let mut record = GameRecord::new(&start);
    moves.iter().for_each(|&mv| record.push(mv, None));
    Ok(record)
}

fn strength(args: &Args) -> Option<Strength> {
    let time = args.movetime.map(|time| Strength::Time(Duration::from_millis(time)));
    time.or(args.level.map(Strength::Level))
}

/// Reads commands until there are no more.
fn play(mut game: Game, input: &mut Input) {
    game.begin();
    loop {
        let words = if input.is_conversation() { game.words() } else { Vec::new() };
        let flow = match input.read(&game.prompt(), words) {
            Line::End if !input.is_conversation() => break,
            Line::End | Line::Interrupt => game.ask_to_leave(input),
            Line::Text(line) => match Command::parse(line.trim()) {
                Ok(None) => Flow::Continue,
                Ok(Some(command)) => game.execute(command, input),
                Err(fault) => {
                    game.screen.say(&fault.to_string());
                    Flow::Continue
                }
            },
        };
        if flow == Flow::Quit {
            break;
        }
    }
    if game.keeper.is_kept() && !game.is_over() {
        print("The game is kept: 'garrison play --resume' goes on with it.\n");
    }
    print("Good-bye.\n");
}
