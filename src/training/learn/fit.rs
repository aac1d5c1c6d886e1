//! A new evaluation, fitted to the games of some generations. It is made by a thread of its own that nobody waits for
//! when the run is stopped: a fit leaves nothing that would have to be saved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::fault::LearnError;
use crate::engine::eval::network::{Network, encode};
use crate::engine::{Control, EvalFile, Evaluation, GameProfile, STACK_SIZE};
use crate::files::open_file;
use crate::training::corpus::{Corpus, Losses, Room, Settings};
use crate::training::network::Trainer;
use crate::training::prior::Start;
use crate::training::tune::Tuner;
use garrison_rules::Variant;

/// Epochs of a table, and of a network. More gain nothing (bench/README.md).
const TABLE_EPOCHS: u32 = 25;
const NETWORK_EPOCHS: u32 = 5;

/// The share of the results in what a table learns; a network would learn them by heart.
const TABLE_BLEND: f64 = 0.2;

/// A fit that is to be made. It owns what it needs.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub variant: Arc<Variant>,
    /// The files of games.
    pub data: Vec<PathBuf>,
    /// The evaluation that played the games, and the name of its weights.
    pub player: Evaluation,
    pub player_name: String,
    pub profile: Option<GameProfile>,
    /// The first line of the comment.
    pub comment: String,
    pub seed: u64,
    pub threads: usize,
    pub kind: Kind,
    /// After so long, in seconds, a training ends with the epoch that it is in.
    pub longest: f64,
}

/// What is fitted.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// A table: what it begins with, and as how many positions that counts.
    Table(Start, u64),
    /// A network of so many neurons in place of what judges now.
    Network(usize),
}

/// What was fitted.
#[derive(Debug)]
pub(super) struct Fitted {
    /// The text of the weights; the network stands beside it under the name asked for.
    pub weights: String,
    pub network: Option<Vec<u8>>,
    pub positions: u64,
    /// The validation loss before and after; twice the same if nothing better was found than what was begun with.
    pub loss: [f64; 2],
}

/// What the thread of a fit sends.
enum Message {
    Epoch(usize, Losses),
    Done(Result<Option<Fitted>, LearnError>),
}

/// Makes the fit; none if there are too few games for one. `each` gets the number of each epoch that is done, of how many,
/// and the validation loss after it.
///
/// # Errors
/// A file of games is wrong; the user stopped it; the system gives no thread.
pub(super) fn fit(
    task: Task,
    network_name: String,
    user: &Control,
    mut each: impl FnMut(usize, u32, f64),
) -> Result<Option<Fitted>, LearnError> {
    let epochs = task.settings().epochs;
    let (sender, receiver) = sync_channel(1);
    let run = move || {
        let done = task.in_pool(&network_name, &sender);
        // Nobody receives it after a stop.
        let _ = sender.send(Message::Done(done));
    };
    let thread = Builder::new().stack_size(STACK_SIZE).name("fit".into()).spawn(run);
    thread.map_err(|error| LearnError::NoThread(error.to_string()))?;
    wait(&receiver, user, |epoch, losses| each(epoch, epochs, losses.validation))
}

fn wait(
    receiver: &Receiver<Message>,
    user: &Control,
    mut each: impl FnMut(usize, Losses),
) -> Result<Option<Fitted>, LearnError> {
    loop {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(Message::Epoch(epoch, losses)) => each(epoch, losses),
            Ok(Message::Done(done)) => return done,
            Err(RecvTimeoutError::Timeout) if user.is_stopped() => return Err(LearnError::Stopped),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(LearnError::NoThread("the fit failed".to_string()));
            }
        }
    }
}

impl Task {
    fn settings(&self) -> Settings {
        let (epochs, blend) = match self.kind {
            Kind::Table(..) => (TABLE_EPOCHS, TABLE_BLEND),
            Kind::Network(_) => (NETWORK_EPOCHS, 0.0),
        };
        let mut room = Room::default();
        let folder = self.data.first().and_then(|path| path.parent());
        room.folders.splice(0..0, folder.map(Path::to_path_buf));
        Settings { epochs, blend, seed: self.seed, room }
    }

    /// The positions of all files; none if they are too few.
    fn corpus(&self, room: &Room) -> Result<Option<Corpus>, LearnError> {
        let mut corpus = Corpus::default();
        for path in &self.data {
            let refuse = |fault: &dyn std::fmt::Display| {
                LearnError::of(path, &format!("{fault}; delete it to go on without it"))
            };
            let file = open_file(path).map_err(|error| refuse(&error))?;
            corpus.add(&self.variant, file, room).map_err(|error| refuse(&error))?;
        }
        Ok((!corpus.is_too_small()).then_some(corpus))
    }

    /// The network whose training goes on: that of the player, if it has as many neurons.
    fn begun(&self, hidden: usize) -> Option<&Network> {
        self.player.network().filter(|network| network.weights().hidden == hidden)
    }

    fn in_pool(
        &self,
        network_name: &str,
        sender: &SyncSender<Message>,
    ) -> Result<Option<Fitted>, LearnError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .stack_size(STACK_SIZE)
            .build()
            .map_err(|error| LearnError::NoThread(error.to_string()))?;
        pool.install(|| match &self.kind {
            Kind::Table(start, prior) => self.table(start, *prior, sender),
            Kind::Network(hidden) => self.network(*hidden, network_name, sender),
        })
    }

    /// Reports an epoch; whether to go on.
    fn goes_on(
        &self,
        sender: &SyncSender<Message>,
        begun: Instant,
        epoch: usize,
        losses: Losses,
    ) -> bool {
        let is_heard = sender.send(Message::Epoch(epoch, losses)).is_ok();
        is_heard && (epoch == 0 || begun.elapsed().as_secs_f64() < self.longest)
    }

    fn table(
        &self,
        start: &Start,
        prior: u64,
        sender: &SyncSender<Message>,
    ) -> Result<Option<Fitted>, LearnError> {
        let settings = self.settings();
        let Some(corpus) = self.corpus(&settings.room)? else { return Ok(None) };
        let positions = corpus.positions() as u64;
        let tuner = Tuner::new(&self.variant, corpus);
        let begun = Instant::now();
        let fit = tuner.fit(start, prior, &settings, |epoch, losses| {
            self.goes_on(sender, begun, epoch, losses)
        })?;
        let provenance = tuner.provenance(&settings, &format!("--prior {prior} "));
        let comment = self.comments(provenance);
        let profile = Some(fit.profile);
        Ok(Some(Fitted {
            weights: EvalFile::text(&self.variant, &comment, None, profile, &fit.linear),
            network: None,
            positions,
            loss: [fit.losses[0].validation, fit.losses[fit.best].validation],
        }))
    }

    fn network(
        &self,
        hidden: usize,
        name: &str,
        sender: &SyncSender<Message>,
    ) -> Result<Option<Fitted>, LearnError> {
        let settings = self.settings();
        let begun = self.begun(hidden);
        let linear = &self.player.linear;
        let Some(corpus) = self.corpus(&settings.room)? else { return Ok(None) };
        let positions = corpus.positions() as u64;
        let trainer = Trainer::new(&self.variant, corpus, hidden, begun).with_values(linear);
        let start = Instant::now();
        let (network, losses) = trainer
            .train(&settings, begun, |epoch, losses| self.goes_on(sender, start, epoch, losses))?;
        let start_name = begun.map(|_| self.player_name.as_str());
        let comment = self.comments(trainer.provenance(&settings, start_name));
        let last = losses.len() - 1;
        Ok(Some(Fitted {
            weights: EvalFile::text(&self.variant, &comment, Some(name), self.profile, linear),
            network: Some(encode(
                &self.variant,
                network.features().form(),
                network.weights(),
                &comment,
            )),
            positions,
            loss: [losses[0].validation, losses[last].validation],
        }))
    }

    fn comments(&self, provenance: Vec<String>) -> Vec<String> {
        std::iter::once(self.comment.clone()).chain(provenance).collect()
    }
}
