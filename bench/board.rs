//! How quickly the board answers, and what it keeps: the way from the command to a board on the screen, from the end of a
//! search to its move on the screen, frames while a piece is dragged, memory while games are played. Needs Chromium.
//!
//! `cargo bench --bench board` takes a minute; `cargo bench --bench board -- --minutes 60` plays for an hour after that. The
//! exit status is 1 if a figure misses its bound.

#[path = "../tests/chromium/mod.rs"]
mod chromium;
#[path = "../tests/board/server.rs"]
mod server;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use chromium::{Browser, Page};
use serde_json::{Value, json};
use server::Server;

/// 9 files and 12 ranks, with all kinds of pieces in the hands.
const FULL: &str = "n1w6/em7/pf3N2e/4Q4/1p1d2phk/7m1/P2P4P/1n3E3/9/6d2/1w2W4/2F2mW1K[PPPPPFpppppphqnnemf] w - - 0 131";
/// How often the board is opened.
const STARTS: usize = 9;
/// Moves of the program that are timed.
const ANSWERS: usize = 60;
/// A piece is dragged for so long.
const DRAG: Duration = Duration::from_secs(5);
/// What Chromium calls a frame that came to the screen.
const SHOWN: [&str; 2] = ["STATE_PRESENTED_ALL", "STATE_PRESENTED_PARTIAL"];

/// Times of one kind in milliseconds, printed as a row of a table.
struct Times(Vec<f64>);

impl Times {
    /// Prints the middle one, the one that 95 of 100 do not pass, and the largest; returns that.
    fn print(mut self, what: &str) -> f64 {
        self.0.sort_by(f64::total_cmp);
        let at = |share: f64| self.0[((self.0.len() - 1) as f64 * share) as usize];
        let (middle, most) = (at(0.5), at(1.0));
        println!(
            "| {what} | {} | {middle:.1} ms | {:.1} ms | {most:.1} ms |",
            self.0.len(),
            at(0.95)
        );
        most
    }
}

/// From the command to a board with its pieces on the screen, in milliseconds.
fn start(browser: &Browser) -> f64 {
    let began = Instant::now();
    let server = Server::start();
    let mut page = browser.open(&format!("{}?game=shoranji-maximus", server.address));
    page.wait(PAINTED);
    began.elapsed().as_secs_f64() * 1e3
}

/// All pictures are there, and a frame with them was drawn.
const PAINTED: &str = "window.garrison?.game?.view && (async () => {
    const places = [...document.querySelectorAll('.pieces .piece')].map((own) => own.style.backgroundImage.slice(5, -2));
    await Promise.all([...new Set(places)].map((src) => Object.assign(new Image(), { src }).decode()));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return places.length > 0;
})()";

/// Lets the program play itself; from the end of each search to the frame with its move, in milliseconds.
fn answers(page: &mut Page) -> Vec<f64> {
    let script = format!(
        "(async () => {{
        const limit = {{ nodes: 2000 }};
        const times = [];
        const frame = () => new Promise((resolve) => requestAnimationFrame(() => {{
            const painted = new MessageChannel();
            painted.port1.onmessage = resolve;
            painted.port2.postMessage(null);
        }}));
        await garrison.begin({{ variant: 'shoranji-maximus', players: {{ w: {{ kind: 'person' }}, b: {{ kind: 'person' }} }} }});
        performance.setResourceTimingBufferSize(100000);
        garrison.game.people.b = {{ kind: 'program', limit }};
        while (times.length < {ANSWERS}) {{
            if (garrison.game.view.status.over) await garrison.begin({{ variant: 'shoranji-maximus', players: garrison.game.people }});
            const {{ moves, setup }} = garrison.game.view;
            performance.clearResourceTimings();
            const plies = garrison.game.tree.path().length;
            await garrison.match.move(setup ? setup.keep : moves[times.length % moves.length].text);
            while (!garrison.game.view.status.over && garrison.game.tree.path().length < plies + 2) await new Promise((resolve) => setTimeout(resolve, 0));
            while (garrison.game.pending) await new Promise((resolve) => setTimeout(resolve, 0));
            if (garrison.game.view.status.over) continue;
            await frame();
            const searches = performance.getEntriesByType('resource').filter((own) => own.name.endsWith('/api/search'));
            if (searches.length) times.push(performance.now() - searches.at(-1).responseEnd);
        }}
        return times;
    }})()"
    );
    let times = page.value(&script);
    times.as_array().expect("times").iter().filter_map(Value::as_f64).collect()
}

/// Drags a piece about the board; how many frames came to the screen, how many that mattered did not, and the times between
/// those that did, in milliseconds, by Chromium's own trace.
fn frames(page: &mut Page) -> (usize, usize, Vec<f64>) {
    let game = json!({ "variant": "chesstonia", "fen": FULL, "players": { "w": { "kind": "person" }, "b": { "kind": "person" } } });
    page.value(&format!("garrison.begin({game}).then(() => true)"));
    page.wait(PAINTED);
    let (x, y) = page.place("[data-square=e9]");
    let events = page.trace("benchmark,cc", |page| {
        page.mouse("mousePressed", (x, y));
        let began = Instant::now();
        while began.elapsed() < DRAG {
            let angle = began.elapsed().as_secs_f64() * 3.0;
            page.mouse("mouseMoved", (x + 150.0 * angle.cos(), y + 200.0 * (1.3 * angle).sin()));
        }
        page.mouse("mouseReleased", (x, y));
    });
    let is_report = |event: &&Value| event["name"] == "PipelineReporter";
    // The browser's own frame has a process of its own, in which nothing is dragged.
    let smooth =
        |event: &&Value| event["args"]["frame_reporter"]["has_smooth_input_main"] == json!(true);
    let dragged = events.iter().filter(is_report).find(smooth);
    let process = &dragged.expect("frames with the mouse")["pid"];
    let reports: Vec<&Value> =
        events.iter().filter(is_report).filter(|event| event["pid"] == *process).collect();
    let begins = || reports.iter().filter(|event| event["ph"] == "b");
    let state = |event: &Value| event["args"]["frame_reporter"]["state"].clone();
    let is_shown = |event: &&&Value| SHOWN.iter().any(|shown| state(event) == *shown);
    let is_missed = |event: &&&Value| {
        let matters = &event["args"]["frame_reporter"]["affects_smoothness"];
        state(event) == "STATE_DROPPED" && *matters == json!(true)
    };
    let time = |event: &Value| event["ts"].as_f64().unwrap_or_default();
    // Numbers of reports are used again: the end that comes first is the one that belongs to it.
    let end = |begin: &&Value| {
        let ends =
            reports.iter().filter(|event| event["ph"] == "e" && event["id2"] == begin["id2"]);
        ends.map(|event| time(event)).filter(|&end| end >= time(begin)).min_by(f64::total_cmp)
    };
    let mut ends: Vec<f64> = begins().filter(is_shown).filter_map(end).collect();
    ends.sort_by(f64::total_cmp);
    let between = ends.windows(2).map(|pair| (pair[1] - pair[0]) / 1e3).collect();
    (ends.len(), begins().filter(is_missed).count(), between)
}

/// Lets the program play game after game against itself while its moves are analyzed; prints every tenth of the time what the
/// page and the server hold.
fn play_on(page: &mut Page, server: &Server, minutes: f64) {
    println!("\n| minutes | games | elements | page, MiB | server, MiB |\n|---|---|---|---|---|");
    let play = "(() => {
        const names = ['sixfortresses', 'shoranji-maximus', 'chesstonia', 'swda-jp', 'shoogantshii'];
        const player = { kind: 'program', limit: { level: 2 } };
        window.games = 0;
        const next = () => garrison.begin({ variant: names[window.games++ % names.length], players: { w: player, b: player } });
        setInterval(() => { if (garrison.game.view.status.over || garrison.game.ending || garrison.game.tree.path().length > 300) next(); }, 1000);
        next();
        garrison.toggleAnalysis();
    })()";
    page.value(play);
    for tenth in 1..=10 {
        std::thread::sleep(Duration::from_secs_f64(minutes * 6.0));
        page.command("HeapProfiler.collectGarbage", json!({}));
        let used = page.command("Runtime.getHeapUsage", json!({}))["usedSize"].as_f64();
        let elements = page.value("document.querySelectorAll('*').length");
        let games = page.value("window.games");
        let page_size = used.expect("bytes") / f64::from(1 << 20);
        let minute = minutes * f64::from(tenth) / 10.0;
        println!(
            "| {minute:.1} | {games} | {elements} | {page_size:.1} | {:.0} |",
            server.resident()
        );
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let minutes = words.iter().position(|word| word == "--minutes").map(|at| {
        let number = words.get(at + 1).and_then(|word| word.parse::<f64>().ok());
        number.expect("minutes are a number")
    });
    let Some(browser) = Browser::start() else { return ExitCode::SUCCESS };
    println!("| what | of | middle | 95 % | most |\n|---|---|---|---|---|");
    let starts = Times((0..STARTS).map(|_| start(&browser)).collect());
    let start = starts.print("from the command to the board on the screen");
    let server = Server::start();
    let mut page = browser.open(&server.page());
    page.wait("window.garrison?.game?.view");
    let answer =
        Times(answers(&mut page)).print("from the end of a search to its move on the screen");
    let (shown, missed, between) = frames(&mut page);
    Times(between).print("between frames while a piece is dragged");
    println!("\n{shown} frames while dragging, {missed} missed");
    if let Some(minutes) = minutes {
        play_on(&mut page, &server, minutes);
    }
    let is_good = start < 1000.0 && answer < 50.0 && missed * 20 <= shown;
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
