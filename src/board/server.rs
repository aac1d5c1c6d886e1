//! The server of the page: it listens on the loopback address, answers only who knows the token, and asks who it is talked
//! to through. A thread for each connection; their number is bounded.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::connections::{Connections, Place};
use super::files::{self, Annotation};
use super::http::{Answer, Connection, Request, Status};
use super::invent::{self, Count};
use super::refusal::Refusal;
use super::search::{Search, Searches, answer_to_draw};
use super::{JSON, LINES, edit, games, page, pictures, view};
use crate::engine::STACK_SIZE;

/// The port, so that the page finds its games again: a browser keeps what a page saves by its port.
pub const PORT: u16 = 8427;
/// So many ports from there on are tried.
const PORTS: u16 = 10;
/// Connections that are under way may end within this time when the server ends.
const FAREWELL: Duration = Duration::from_millis(500);
/// The bytes of the token.
const TOKEN: usize = 16;

/// A server of the page.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What all connections share.
struct Shared {
    port: u16,
    token: String,
    connections: Connections,
    searches: Searches,
    ends: AtomicBool,
    /// When a page asked for something last.
    asked: Mutex<Instant>,
}

/// Ends a server from another thread.
#[derive(Clone)]
pub struct Stopper(Arc<Shared>);

impl Stopper {
    /// Ends the server's run: searches stop, and connections end.
    pub fn stop(&self) {
        self.0.ends.store(true, Ordering::SeqCst);
        self.0.searches.end();
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.0.port));
    }
}

impl Server {
    /// Listens on this port, or on any free one for 0; without a port, on [`PORT`] or one of the next.
    ///
    /// # Errors
    /// The port is not free, or the system gives no random numbers.
    pub fn bind(port: Option<u16>) -> io::Result<Server> {
        let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match port {
            Some(port) => bind(port)?,
            None => (PORT + 1..PORT + PORTS)
                .fold(bind(PORT), |found, port| found.or_else(|_| bind(port)))?,
        };
        let port = listener.local_addr()?.port();
        let shared = Shared {
            port,
            token: token()?,
            connections: Connections::default(),
            searches: Searches::default(),
            ends: AtomicBool::new(false),
            asked: Mutex::new(Instant::now()),
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// The address of the page. Who has it may use the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.shared.port, self.shared.token)
    }

    /// Ends the server from another thread.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.shared))
    }

    /// Ends the server as soon as no page has asked for anything for so long.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn end_when_idle(&self, most: Duration) -> io::Result<()> {
        let stopper = self.stopper();
        let watch = move || loop {
            let asked = *stopper.0.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let left = most.saturating_sub(asked.elapsed());
            if left.is_zero() && !stopper.0.connections.is_any_trusted() {
                return stopper.stop();
            }
            thread::sleep(left.clamp(Duration::from_millis(10), Duration::from_secs(1)));
        };
        thread::Builder::new().name("idle".into()).spawn(watch).map(drop)
    }

    /// Answers until it is stopped.
    pub fn run(self) {
        let shared = &self.shared;
        while let Ok((stream, peer)) = accept(&self.listener) {
            if shared.ends.load(Ordering::SeqCst) {
                break;
            }
            shared.admit(stream, peer);
        }
        shared.searches.end();
        let deadline = Instant::now() + FAREWELL;
        while shared.connections.count() > 0 && Instant::now() < deadline {
            shared.connections.close_idle();
            thread::sleep(Duration::from_millis(5));
        }
        shared.connections.close_all();
    }
}

/// The next connection. What fails with one of them, or for lack of resources, does not end the server.
fn accept(listener: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    loop {
        match listener.accept() {
            Ok(connection) => return Ok(connection),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(error),
            // Too many files are open, for example: some will be closed.
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// A random word that nobody guesses.
fn token() -> io::Result<String> {
    let mut bytes = [0; TOKEN];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Shared {
    /// Lets a thread answer a connection, if there is room.
    fn admit(self: &Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        if !peer.ip().is_loopback() {
            return;
        }
        let Some(place) = self.connections.admit(&stream) else {
            if let Ok(mut connection) = Connection::new(stream) {
                let busy = Answer::text(Status::Busy, "too many connections");
                // One that is refused may as well be gone.
                let _ = connection.answer(&busy, true);
            }
            return;
        };
        let shared = Arc::clone(self);
        let converse = move || {
            if let Ok(mut connection) = Connection::new(stream) {
                shared.converse(&mut connection, &place);
            }
        };
        // Moves of games are read, written and searched for mate on this stack.
        let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(converse);
        if let Err(error) = thread {
            log::warn!("no thread for a connection: {error}");
        }
    }

    /// Answers the requests of a connection.
    fn converse(&self, connection: &mut Connection, place: &Place) {
        while connection.stays() && !self.ends.load(Ordering::SeqCst) {
            let request = match connection.request() {
                Ok(request) => request,
                Err(error) => {
                    if let Some(status) = error.status() {
                        connection.refuse(&Answer::text(status, &error.to_string()));
                    }
                    return;
                }
            };
            let path = match self.check(&request) {
                Ok(path) => path.to_string(),
                Err(answer) => return connection.refuse(&answer),
            };
            *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            place.set_trusted(true);
            let done = self.answer(connection, &request, &path);
            place.set_trusted(false);
            if done.is_err() {
                return;
            }
        }
    }

    /// The path behind the token, if the request comes from the page of this server.
    fn check<'r>(&self, request: &'r Request) -> Result<&'r str, Answer> {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let is_own = |host: &str| hosts.iter().any(|own| own == host);
        let refused = |text| Err(Answer::text(Status::Forbidden, text));
        // A foreign name that leads to this computer is a trick (DNS rebinding).
        if !request.header("host").is_some_and(is_own) {
            return refused("this server is asked for by another name");
        }
        let origin = request.header("origin").map(|origin| origin.strip_prefix("http://"));
        let is_foreign = origin.is_some_and(|origin| !origin.is_some_and(is_own));
        if is_foreign || request.has_header("origin") && origin.is_none() {
            return refused("this request comes from another page");
        }
        // Pages elsewhere may neither read the page nor load parts of it; an address that is typed or opened by a
        // program comes from nowhere.
        let site = request.header("sec-fetch-site").unwrap_or("none");
        let may = ["none", "same-origin"].contains(&site)
            || request.method == "GET" && request.header("sec-fetch-mode") == Some("navigate");
        if !may {
            return refused("this request comes from another page");
        }
        let rest = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
        match rest {
            Some((token, path)) if is_same(token, &self.token) => Ok(path),
            _ => Err(Answer::text(
                Status::NotFound,
                "The page is at the address that `garrison board` has printed.",
            )),
        }
    }

    fn answer(&self, connection: &mut Connection, request: &Request, path: &str) -> io::Result<()> {
        let answer = match (request.method.as_str(), path.strip_prefix("api/")) {
            ("GET" | "HEAD", None) => {
                let answer = resource(path);
                return connection.answer(&answer, request.method == "GET");
            }
            ("POST", Some(name)) => match self.call(connection, request, name) {
                Ok(Some(answer)) => answer,
                Ok(None) => return Ok(()),
                Err(Failure::Refused(refusal)) => refusal.answer(),
                Err(Failure::Gone(error)) => return Err(error),
            },
            _ => Answer::text(Status::WrongMethod, "this is asked for in another way"),
        };
        connection.answer(&answer, true)
    }

    /// Carries out a command of the page; none is left to answer if it was answered in parts.
    fn call(
        &self,
        connection: &mut Connection,
        request: &Request,
        name: &str,
    ) -> Result<Option<Answer>, Failure> {
        // What another page may send without asking this server has another type.
        if request.header("content-type") != Some("application/json") {
            return Err(Refusal::new(Status::WrongType, "a command must be JSON").into());
        }
        let answer = match name {
            "ping" => answered(&json!({})),
            "games" => answered(&games::list()),
            "game" => answered(&games::view(&read(request)?)?),
            "chosen" => {
                let chosen: Chosen = read(request)?;
                answered(&json!({ "name": games::chosen(&chosen.name, chosen.seed)? }))
            }
            "view" => answered(&view::view(&read(request)?)?),
            "edit" => answered(&edit::edit(&read(request)?)?),
            "load" => answered(&files::load(&read(request)?)?),
            "save" => answered(&files::save(read(request)?)?),
            "export" => answered(&files::export(read(request)?)?),
            "draw" => answered(&answer_to_draw(read(request)?)),
            "texts" => answered(&invent::texts()),
            "define" => answered(&invent::define(&read(request)?)?),
            "perft" => {
                let count = Count::new(&self.searches, read(request)?)?;
                return in_parts(connection, |send| count.run(send));
            }
            "stop" => {
                let stop: Stop = read(request)?;
                self.searches.stop(&stop.tab);
                answered(&json!({}))
            }
            "search" => {
                let search = Search::new(&self.searches, read(request)?)?;
                return in_parts(connection, |send| search.run(send));
            }
            "annotate" => {
                let annotation = Annotation::new(&self.searches, read(request)?)?;
                return in_parts(connection, |send| annotation.run(send));
            }
            _ => return Err(Refusal::new(Status::NotFound, "there is no such command").into()),
        };
        Ok(Some(answer))
    }
}

/// Which search is to end.
#[derive(Debug, serde::Deserialize)]
struct Stop {
    tab: String,
}

/// A name that may leave armies open.
#[derive(Debug, serde::Deserialize)]
struct Chosen {
    name: String,
    seed: u64,
}

/// Why a command has no answer.
enum Failure {
    Refused(Refusal),
    /// The reader has gone.
    Gone(io::Error),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Gone(error)
    }
}

fn read<T: DeserializeOwned>(request: &Request) -> Result<T, Refusal> {
    let read = serde_json::from_slice(&request.body);
    read.map_err(|error| {
        Refusal::new(Status::BadRequest, format!("not what is asked for: {error}"))
    })
}

fn answered(value: &impl Serialize) -> Answer {
    match serde_json::to_vec(value) {
        Ok(body) => Answer { status: Status::Ok, kind: JSON, body },
        Err(error) => Answer::text(Status::Failed, &error.to_string()),
    }
}

/// Answers with the lines that are sent while something runs.
fn in_parts(
    connection: &mut Connection,
    run: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>,
) -> Result<Option<Answer>, Failure> {
    let mut parts = connection.begin_parts(LINES)?;
    run(&mut |part| parts.send(part))?;
    parts.end()?;
    Ok(None)
}

/// A file of the page, a picture, or the page about a game.
fn resource(path: &str) -> Answer {
    match page::file(path).or_else(|| pictures::resource(path)) {
        Some((kind, body)) => Answer { status: Status::Ok, kind, body },
        None => Answer::text(Status::NotFound, "there is no such file"),
    }
}

/// Whether two texts are equal, in a time that does not say where they differ.
fn is_same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_the_table_of_the_docs() {
        let names: Vec<&str> = include_str!("server.rs")
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" =>"))
            .map(|(name, _)| name)
            .collect();
        assert!(names.contains(&"view") && names.contains(&"search"), "{names:?}");
        let page = include_str!("../../docs/board.md");
        let table = page.split_once("| command | asks |").map_or("", |(_, rest)| rest);
        let table = table.split_once("\n\n").map_or("", |(table, _)| table);
        for name in names {
            assert!(table.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let [a, b] = [token(), token()].map(|token| token.expect("random numbers"));
        assert!(a.len() == 2 * TOKEN && a != b && is_same(&a, &a) && !is_same(&a, &b));
        assert!(!is_same("", &a) && !is_same(&a[1..], &a));
    }
}
