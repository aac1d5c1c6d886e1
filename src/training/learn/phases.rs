//! The phases of a generation: games, a fit to them, and a match that says whether it takes the place of the best.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::crew::{searcher, share};
use super::fault::LearnError;
use super::files::{Folder, Saved};
use super::fit::{self, Fitted, Kind, Task};
use super::gate::{self, Decision, Match, Rivals};
use super::state::{Generation, Phase, Step};
use super::{Event, Learner, Progress, Watch};
use crate::engine::{Control, Evaluation};
use crate::training::game_file::{GameFile, Wanted};
use crate::training::prior::{self, Start};
use crate::training::selfplay::Conditions;

/// Random plies of the openings of self-play.
const PLIES: u32 = 8;

/// No fit is made of fewer games, unless they take thrice the time that was meant for them.
const LEAST_GAMES: u64 = 40;

/// No match ends before so many pairs, unless they take thrice the time that was meant for them.
const LEAST_PAIRS: u64 = 16;

/// If so many games give no position, no more will.
const FRUITLESS: u64 = 60;

/// Tables are fitted to the games of so many generations, and one more for each that was not kept.
const WINDOW: usize = 4;

impl Learner {
    fn conditions(&self, step: &Step, player: &Saved) -> Conditions {
        Conditions {
            variants: self.variants.clone(),
            seed: self.seed(step.made.number, 1),
            nodes: step.made.play_nodes,
            plies: PLIES,
            hash: self.settings.hash,
            keep: step.made.keep,
            shard: None,
            evaluation: Some(player.checksum.clone()),
        }
    }

    /// Lets the best evaluation, or the network that plays in its place, play against itself.
    pub(super) fn play(
        &mut self,
        mut step: Step,
        control: &Control,
        watch: Watch,
    ) -> Result<Option<Step>, LearnError> {
        let player = self.folder.load(step.made.player(), &self.variants[0])?;
        let conditions = self.conditions(&step, &player);
        let path = self.folder.data(step.made.number);
        let of_games = |fault| LearnError::of_games(&path, &fault);
        let wanted = Wanted {
            header: &conditions.header(),
            format: None,
            resume: true,
            any_version: true,
            last: u64::MAX,
        };
        let mut file = GameFile::open(&path, &wanted).map_err(of_games)?;
        let before = file.games();
        let begun = Instant::now();
        let hash = self.settings.hash;
        let workers = (0..self.settings.threads).map(|_| searcher(hash, &player.evaluation));
        let workers = workers.collect::<Result<Vec<_>, _>>()?;
        let most = self.settings.games;
        let fruitless = self.state.fruitless();
        let numbers = file.next()..most.unwrap_or(u64::MAX - 1) + 1;
        let outcome = share(
            workers,
            numbers,
            control,
            |searcher, number, control| conditions.play(number, searcher, control),
            |game| {
                if let Some(game) = game {
                    file.push(&game).map_err(of_games)?;
                }
                step.play[1] += self.clock.passed();
                let (games, positions) = (file.games(), file.positions());
                (step.made.games, step.made.positions) = (games, positions);
                let rate = (games - before) as f64 / begun.elapsed().as_secs_f64().max(1e-3);
                self.note(&step, Progress::Games(games, positions, rate), watch)?;
                if positions == 0 && games + fruitless >= FRUITLESS {
                    return Err(LearnError::NothingToLearn(games + fruitless));
                }
                Ok(most.is_some() || !is_enough(&step) && self.is_in_time())
            },
        );
        (step.made.games, step.made.positions) = (file.games(), file.positions());
        if let Err(fault) = outcome {
            self.state.step = Some(step);
            return Err(fault);
        }
        step.made.play_seconds = step.play[1];
        step.made.seconds += step.play[1];
        if step.made.hidden > 0 && !step.made.deeper {
            let outlook = self.outlook();
            step.made.hidden = outlook.size(outlook.positions + step.made.positions);
        }
        watch(&Event::Ends(&self.state, &step));
        step.phase = Phase::Fit;
        Ok(Some(step))
    }

    /// The files of games that a generation learns from.
    fn data(&self, made: &Generation) -> Vec<PathBuf> {
        let mut numbers = self.for_networks();
        if made.deeper {
            numbers.clear();
        } else if made.hidden == 0 {
            let wanted = WINDOW - 1 + self.state.failures();
            numbers = (1..made.number).collect();
            numbers.drain(..numbers.len().saturating_sub(wanted));
        }
        numbers.push(made.number);
        let paths = numbers.into_iter().map(|number| self.folder.data(number));
        // Somebody may have deleted what could not be read.
        paths.filter(|path| path.exists()).collect()
    }

    /// Fits a new evaluation to the games.
    pub(super) fn fit(
        &mut self,
        mut step: Step,
        control: &Control,
        watch: Watch,
    ) -> Result<Option<Step>, LearnError> {
        let player = self.folder.load(step.made.player(), &self.variants[0])?;
        let data = self.data(&step.made);
        watch(&Event::Progress(&self.state, Progress::Reading));
        let kind = match step.made.hidden {
            0 => self.table(&step, &player),
            neurons => Kind::Network(neurons as usize),
        };
        let left = (self.settings.time - self.clock.now()).max(60.0);
        let comment = format!(
            "Generation {} of `garrison learn {}`, seed {}.",
            step.made.number, self.state.game, self.state.seed
        );
        let task = Task {
            variant: Arc::clone(&self.variants[0]),
            data,
            profile: player.profile,
            player: player.evaluation,
            player_name: Folder::weights_name(step.made.player()),
            comment,
            seed: self.seed(step.made.number, 2),
            threads: self.settings.threads,
            kind,
            longest: left * 0.5,
        };
        let name = Folder::network_name(step.made.number);
        let (state, clock) = (&mut self.state, &self.clock);
        let fitted = fit::fit(task, name, control, |epoch, epochs, loss| {
            state.seconds = clock.now();
            watch(&Event::Progress(state, Progress::Epochs(epoch, epochs, loss)));
        })?;
        step.made.fit_seconds = self.clock.passed();
        step.made.seconds += step.made.fit_seconds;
        let Some(Fitted { weights, network, positions, loss }) = fitted else {
            self.end(step.made, watch)?;
            return Ok(None);
        };
        self.folder.save(step.made.number, &weights, network.as_deref())?;
        (step.made.learned, step.made.loss) = (positions, loss);
        watch(&Event::Ends(&self.state, &step));
        if step.made.found_nothing() {
            // A match against itself would tell nothing.
            self.end(step.made, watch)?;
            return Ok(None);
        }
        step.phase = Phase::Match;
        Ok(Some(step))
    }

    /// What the fit of a table begins with, and as how many positions that counts.
    fn table(&self, step: &Step, best: &Saved) -> Kind {
        let linear = best.evaluation.linear.clone();
        match (step.made.from, self.state.fitted) {
            (0, false) => Kind::Table(Start::General(linear), prior::GENERAL),
            (0, true) => Kind::Table(Start::Fitted(linear), prior::FITTED),
            // The games that it was fitted to are learned from again.
            _ => Kind::Table(Start::Fitted(linear), prior::GUESSED),
        }
    }

    /// Lets the new evaluation play against the best.
    pub(super) fn test(
        &mut self,
        mut step: Step,
        control: &Control,
        watch: Watch,
    ) -> Result<Option<Step>, LearnError> {
        let sides = [step.made.number, step.made.from];
        let evaluations: Vec<Evaluation> = sides
            .iter()
            .map(|&number| Ok(self.folder.load(number, &self.variants[0])?.evaluation))
            .collect::<Result<_, LearnError>>()?;
        let hash = self.settings.hash;
        let rivals = || -> Result<Rivals, LearnError> {
            Ok([searcher(hash, &evaluations[0])?, searcher(hash, &evaluations[1])?])
        };
        if step.made.nodes == [0; 2] {
            step.made.nodes = self.nodes(&evaluations, rivals()?, control)?;
        }
        let seed = self.seed(step.made.number, 3);
        let plan = Match { variants: self.variants.clone(), seed, nodes: step.made.nodes };
        let workers = (0..self.settings.threads).map(|_| rivals());
        let workers = workers.collect::<Result<Vec<_>, _>>()?;
        let most = self.settings.pairs.unwrap_or(gate::MOST_PAIRS);
        let is_over = |made: &Generation| gate::decision(&made.tally()) != Decision::Open;
        let first: u64 = step.made.pairs.iter().sum();
        let end = if is_over(&step.made) { first } else { most.max(first) };
        let has_limit = self.settings.pairs.is_some();
        let outcome = share(
            workers,
            first..end,
            control,
            |rivals, number, control| plan.pair(number, rivals, control),
            |pair: Option<[usize; 2]>| {
                if let Some(points) = pair {
                    points.iter().for_each(|&points| step.made.results[points] += 1);
                    step.made.pairs[points[0] + points[1]] += 1;
                }
                step.test[1] += self.clock.passed();
                self.note(&step, Progress::Match(step.made.tally()), watch)?;
                let lasts = has_limit || !is_tried(&step) && self.is_in_time();
                Ok(!is_over(&step.made) && lasts)
            },
        );
        if let Err(fault) = outcome {
            self.state.step = Some(step);
            return Err(fault);
        }
        step.made.seconds += step.test[1];
        step.made.kept = gate::is_won(&step.made);
        self.end(step.made, watch)?;
        Ok(None)
    }

    /// The nodes of a move for each side of a match: the same unless one evaluation is faster.
    fn nodes(
        &self,
        evaluations: &[Evaluation],
        rivals: Rivals,
        control: &Control,
    ) -> Result<[u64; 2], LearnError> {
        let [new, old] = [0, 1]
            .map(|side: usize| evaluations[side].network().map(|network| network.weights().hidden));
        let mean = if new.or(old).is_some() { gate::NETWORK_NODES } else { gate::NODES };
        let mut nodes = [mean; 2];
        if new == old {
            return Ok(nodes);
        }
        let measure = |rivals: &mut Rivals, _: u64, control: &Control| {
            Some(gate::fair_nodes(&self.variants, mean, rivals, control))
        };
        share(vec![rivals], 0..1, control, measure, |measured| {
            nodes = measured.unwrap_or(nodes);
            Ok(true)
        })?;
        Ok(nodes)
    }
}

/// Whether the match of a generation has lasted long enough.
fn is_tried(step: &Step) -> bool {
    let [meant, done] = step.test;
    let pairs: u64 = step.made.pairs.iter().sum();
    done >= meant && pairs >= LEAST_PAIRS || done >= 3.0 * meant
}

/// Whether a generation has played enough.
fn is_enough(step: &Step) -> bool {
    let [meant, done] = step.play;
    done >= meant && step.made.games >= LEAST_GAMES || done >= 3.0 * meant
}
