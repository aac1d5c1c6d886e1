//! Scores as probabilities of win, draw and loss.

use super::Score;

/// The probabilities of win, draw and loss for the side to move, in thousandths that sum to 1000. `draws` is the
/// share of draws in games between equals, 0 to 1.
///
/// With an expected score `e`, the probability of a draw is `draws * 4e(1-e)`, bounded by what `e` allows.
pub fn wdl(score: Score, draws: f64) -> [u16; 3] {
    let expected = score.expectation();
    let drawn = (draws * 4.0 * expected * (1.0 - expected)).min(2.0 * expected.min(1.0 - expected));
    let share = |part: f64| (part * 1000.0).round() as u16;
    let (won, lost) = (share(expected - drawn / 2.0), share(1.0 - expected - drawn / 2.0));
    [won, 1000u16.saturating_sub(won + lost), lost]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_and_follow_the_score() {
        for centipawns in [-3000, -400, -31, 0, 50, 400, 3000] {
            for draws in [0.0, 0.2, 0.5] {
                let [won, drawn, lost] = wdl(Score::centipawns(centipawns), draws);
                assert_eq!(won + drawn + lost, 1000);
                assert_eq!(won > lost, centipawns > 0);
                assert!(drawn <= 500);
            }
        }
        assert_eq!(wdl(Score::mate_in(3), 0.5), [1000, 0, 0]);
        assert_eq!(wdl(Score::mated_in(3), 0.5), [0, 0, 1000]);
        assert_eq!(wdl(Score::centipawns(0), 0.2), [400, 200, 400]);
    }
}
