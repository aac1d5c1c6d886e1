//! Several lines at once: what `MultiPV` promises, in every game.

use garrison::engine::{Control, Limits, SearchEvent, SearchInfo, Searcher};
use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, find};

fn iterations(position: &Position, depth: u32, multi_pv: usize) -> Vec<Vec<SearchInfo>> {
    let limits = Limits { depth: Some(depth), multi_pv, ..Limits::default() };
    let (mut searcher, control) = (Searcher::new(1).expect("a megabyte"), Control::new(false));
    let mut iterations: Vec<Vec<SearchInfo>> = Vec::new();
    searcher.search(position, &limits, &control, |news| {
        let SearchEvent::Info(progress) = news else { return };
        if progress.multipv == 1 {
            iterations.push(Vec::new());
        }
        iterations.last_mut().expect("an iteration").push(progress.clone());
    });
    iterations
}

#[test]
fn every_line_begins_with_another_move_and_the_best_comes_first() {
    for name in builtin_names() {
        let variant = find(name).expect("a built-in game");
        let mut position = Position::start(&variant);
        position.keep_arrays();
        let all = iterations(&position, 3, 4);
        assert_eq!(all.len(), 3, "{name}");
        for lines in &all {
            assert_eq!(lines.len(), 4, "{name}");
            assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score), "{name}");
            let mut first: Vec<_> = lines.iter().filter_map(|line| line.pv.first()).collect();
            assert!(first.iter().all(|mv| position.is_legal(**mv)), "{name}");
            first.sort_unstable();
            first.dedup();
            assert_eq!(first.len(), 4, "{name}");
        }
    }
}

#[test]
fn there_are_no_more_lines_than_moves_and_each_has_the_score_of_its_move() {
    let variant = find("shoogantshii").expect("a game");
    let fen = "4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1";
    let position = Position::from_fen(&variant, fen).expect("a position");
    for lines in iterations(&position, 2, 256) {
        assert_eq!(lines.len(), position.legal_moves().len());
        assert_eq!(lines[0].score.mate_distance(), Some(1));
        // Whoever does not take the king is taken, or leaves the file.
        assert!(lines[1..].iter().all(|line| line.score.mate_distance() != Some(1)));
    }
}
