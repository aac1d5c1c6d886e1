//! `garrison solve`: endings of few pieces, solved exactly.

mod position;
mod table;

use std::time::Instant;

use clap::Args as ClapArgs;

use super::{CommandResult, pool_or_all, print};
use crate::endings::{EndingFault, Endings, MAX_PIECES, Material};
use garrison_rules::{Position, find};
use table::{Report, longest_lines};

/// Solve endings of three and four pieces, exactly.
///
/// Makes tables of all positions of an ending, in memory: who wins, and after how many plies, with best play of both
/// sides. The rules of the game are all that it needs. See docs/endings.md.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison solve --variant chess KRvK
  garrison solve --variant swda-oo \"R K v N K\" \"K N v K\"
  garrison solve --variant makruk --all 3
  garrison solve --variant chess --fen \"8/8/8/8/8/2k5/8/R3K3 w - - 0 1\"")]
pub(super) struct Args {
    /// The game (see `garrison variants`)
    #[arg(long, value_name = "NAME")]
    variant: String,
    /// White's pieces, `v`, Black's pieces, as in `KRvK`; promoted ones with `+`
    #[arg(value_name = "ENDING", required_unless_present_any = ["all", "fen"])]
    endings: Vec<String>,
    /// All endings of up to so many pieces in which White has as many pieces as Black, or more
    #[arg(long, value_name = "N", conflicts_with_all = ["endings", "fen"], value_parser = clap::value_parser!(u16).range(2..=4))]
    all: Option<u16>,
    /// The value of this position, and of its moves
    #[arg(long, conflicts_with = "endings")]
    fen: Option<String>,
    /// How many threads share the work [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let variant = find(&args.variant)?;
    let mut endings = Endings::new(&variant)?;
    let pool = pool_or_all(args.threads)?;
    if let Some(fen) = &args.fen {
        let position = Position::from_fen(&variant, fen)?;
        let text = pool.install(|| position::text(&mut endings, &position))?;
        print(&text);
        return Ok(());
    }
    let asked = match args.all {
        Some(most) => Material::all(&variant, usize::from(most).min(MAX_PIECES)),
        None => {
            let parsed = args.endings.iter().map(|text| Material::parse(&variant, text));
            parsed.collect::<Result<_, _>>()?
        }
    };
    let start = Instant::now();
    let mut report = Report::new(&variant);
    for material in &asked {
        let mut table = pool.install(|| endings.solve(material));
        if matches!(table, Err(EndingFault::TooLarge { .. })) && !endings.tables().is_empty() {
            endings.forget();
            table = pool.install(|| endings.solve(material));
        }
        let table = table?;
        report.add(&table);
    }
    print(&report.into_text());
    if let [material] = asked.as_slice() {
        let table = pool.install(|| endings.solve(material))?;
        print(&longest_lines(&endings, &table));
    }
    print(&format!("\nTime: {:.2} s\n", start.elapsed().as_secs_f64()));
    Ok(())
}
