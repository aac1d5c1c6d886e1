//! `garrison tune --show`: prints an evaluation, and writes it to a file from which a fit can begin.

use std::sync::Arc;

use super::{Args, Start, start, write};
use crate::cli::{CommandResult, print};
use crate::engine::{EvalFile, GameProfile, LinearEval};
use crate::eval_files::network_beside;
use garrison_rules::Variant;

/// Prints what pieces are worth, how games go, and where the evaluation comes from; writes it to `--out`.
pub(super) fn show(args: &Args, variant: &Arc<Variant>) -> CommandResult {
    let Start { evaluation, file } = start(args, variant)?;
    let profile = file.as_ref().and_then(EvalFile::profile);
    let known = profile.unwrap_or_else(|| GameProfile::of(variant));
    let GameProfile { draws, plies } = known;
    let mut text = values(variant, &evaluation.linear);
    text += &format!("\nprofile: share of draws {draws:.3}, {plies:.0} plies per game\n");
    let untrained = [untrained(args).to_string()];
    if file.is_none() {
        text += &format!("\n{}\n", untrained[0]);
    }
    for source in file.iter().flat_map(|file| [file.comment().to_vec(), file.network_info()]) {
        if !source.is_empty() {
            text += &format!("\n{}\n", source.join("\n"));
        }
    }
    if let Some(out) = &args.out {
        let network = file.as_ref().and_then(EvalFile::network_bytes);
        let name = network.map(|_| network_beside(out).1);
        let comment = file.as_ref().map_or(&untrained[..], EvalFile::comment);
        let linear = &evaluation.linear;
        let weights = EvalFile::text(variant, comment, name.as_deref(), Some(known), linear);
        write(out, &weights, network)?;
    }
    print(&text);
    Ok(())
}

/// Where weights come from that were not fitted to the game.
fn untrained(args: &Args) -> &'static str {
    if args.plain {
        "The values of the definition"
    } else {
        "The prior: what follows from the definition, by coefficients that were fitted to other games"
    }
}

/// What the pieces are worth, a line each, in centipawns and in pawns.
pub(super) fn values(variant: &Variant, linear: &LinearEval) -> String {
    let pawn = variant.kinds().find(|&kind| variant.piece(kind).letter.to_string() == "P");
    let pawn = pawn.map_or(100, |pawn| linear.piece_value(pawn)).abs().max(1);
    let in_pawns = |value: i32| f64::from(value) / f64::from(pawn);
    let mut text = format!("{:<25} {:>6} {:>6} {:>8}\n", "piece", "cp", "pawns", "in hand");
    for kind in variant.kinds() {
        let piece = variant.piece(kind);
        let (board, hand) = (linear.piece_value(kind), linear.hand_value(kind));
        let hand = if piece.slot.is_some() { format!("{:.2}", in_pawns(hand)) } else { "-".into() };
        let letter = piece.letter.to_string();
        text += &format!(
            "{letter:<4} {:<20} {board:>6} {:>6.2} {hand:>8}\n",
            piece.name,
            in_pawns(board)
        );
    }
    text
}
