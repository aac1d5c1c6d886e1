//! A Chromium without a window, driven through its DevTools protocol.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client};

/// What a page does not do within this time, it does not do at all.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program, if there is one: `GARRISON_CHROMIUM`, or one on the path.
pub fn program() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("GARRISON_CHROMIUM") {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let all = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    let found = all.into_iter().find(|path| path.is_file());
    if found.is_none() {
        eprintln!("skipped: there is no Chromium (apt-get install chromium)");
    }
    found
}

/// A browser with a profile of its own.
pub struct Browser {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Browser {
    /// Starts one; none where there is no Chromium.
    pub fn start() -> Option<Browser> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let program = program()?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("chromium-{}-{number}", std::process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut child = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--remote-debugging-port=0"])
            .args(["--disable-background-networking", "--remote-allow-origins=*"])
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let port = lines
            .find_map(|line| {
                let line = line.ok()?;
                let (_, rest) = line.split_once("DevTools listening on ws://127.0.0.1:")?;
                rest.split('/').next()?.parse().ok()
            })
            .expect("Chromium's port");
        // Who does not read a pipe may stop its writer.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Browser { child, folder, port })
    }

    /// Opens a page in a new tab.
    pub fn open(&self, address: &str) -> Page {
        let created = self.http("PUT", "/json/new?about:blank");
        let socket = created["webSocketDebuggerUrl"].as_str().expect("an address").to_string();
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let (socket, _) = client(socket.as_str(), stream).expect("a web socket");
        let mut page =
            Page { socket, number: 0, faults: Vec::new(), traced: Vec::new(), has_traced: false };
        for domain in ["Page", "Runtime", "Log"] {
            page.command(&format!("{domain}.enable"), json!({}));
        }
        page.resize(1440, 900);
        page.go(address);
        page
    }

    fn http(&self, method: &str, path: &str) -> Value {
        use std::io::{Read, Write};
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.port
        );
        stream.write_all(head.as_bytes()).expect("sent");
        // Chromium keeps the connection open, whatever it is asked.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a header");
            match line.trim().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().expect("a length");
                }
                None if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A tab.
pub struct Page {
    socket: WebSocket<TcpStream>,
    number: u64,
    /// Errors of scripts, and what the browser refused.
    pub faults: Vec<String>,
    /// The events of a trace so far, and whether these are all.
    traced: Vec<Value>,
    has_traced: bool,
}

#[allow(dead_code)]
impl Page {
    /// Carries out a command of the protocol.
    pub fn command(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let text = json!({ "id": self.number, "method": method, "params": parameters });
        self.socket.send(Message::text(text.to_string())).expect("Chromium listens");
        loop {
            let message = self.socket.read().expect("Chromium answers");
            let Message::Text(text) = message else { continue };
            let value: Value = serde_json::from_str(&text).expect("JSON");
            if value["id"] == self.number {
                assert!(value["error"].is_null(), "{method}: {}", value["error"]);
                return value["result"].clone();
            }
            self.note(&value);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Tracing.dataCollected") => {
                self.traced.extend(parameters["value"].as_array().into_iter().flatten().cloned());
            }
            Some("Tracing.tracingComplete") => self.has_traced = true,
            Some("Runtime.exceptionThrown") => self.faults.push(parameters.to_string()),
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                let text = parameters.to_string();
                // A command that is refused is answered with this status.
                if !text.contains("status of 422") {
                    self.faults.push(text);
                }
            }
            _ => {}
        }
    }

    /// What Chromium reports of these categories while something is done.
    pub fn trace(&mut self, categories: &str, act: impl FnOnce(&mut Page)) -> Vec<Value> {
        self.has_traced = false;
        let included: Vec<&str> = categories.split(',').collect();
        let parameters = json!({
            "transferMode": "ReportEvents", "traceConfig": { "includedCategories": included }
        });
        self.command("Tracing.start", parameters);
        act(self);
        self.command("Tracing.end", json!({}));
        while !self.has_traced {
            // The events come before the answer to a later command.
            self.command("Browser.getVersion", json!({}));
        }
        std::mem::take(&mut self.traced)
    }

    /// Goes to an address.
    pub fn go(&mut self, address: &str) {
        self.command("Page.navigate", json!({ "url": address }));
    }

    /// Sets the size of the window.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", size);
    }

    /// The value of a script.
    pub fn value(&mut self, script: &str) -> Value {
        let result = self.try_value(script);
        result.unwrap_or_else(|fault| panic!("{script}: {fault}"))
    }

    fn try_value(&mut self, script: &str) -> Result<Value, String> {
        let parameters =
            json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let result = self.command("Runtime.evaluate", parameters);
        match result["exceptionDetails"].is_null() {
            true => Ok(result["result"]["value"].clone()),
            false => Err(result["exceptionDetails"]["exception"]["description"].to_string()),
        }
    }

    /// Waits until a script has a value that counts as true.
    pub fn wait(&mut self, script: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            // While a page loads, names may be missing.
            let last = self.try_value(script);
            match &last {
                Ok(value) if is_true(value) => return value.clone(),
                _ if Instant::now() > deadline => {
                    panic!("never: {script}; last {last:?}; {:?}", self.faults)
                }
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// The middle of an element.
    pub fn place(&mut self, selector: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ const own = document.querySelector({}); own.scrollIntoView({{ block: 'nearest' }}); \
             const box = own.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        );
        let value = self.value(&script);
        (value[0].as_f64().expect("a place"), value[1].as_f64().expect("a place"))
    }

    /// Moves the mouse to a place, with its button held, or presses or releases it there.
    pub fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let parameters = json!({
            "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1
        });
        self.command("Input.dispatchMouseEvent", parameters);
    }

    /// Clicks an element.
    pub fn click(&mut self, selector: &str) {
        let place = self.place(selector);
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
    }

    /// Drags from one element to another.
    pub fn drag(&mut self, from: &str, to: &str) {
        let ((x, y), (u, v)) = (self.place(from), self.place(to));
        self.mouse("mousePressed", (x, y));
        for step in 1..=3 {
            let part = f64::from(step) / 3.0;
            self.mouse("mouseMoved", (x + (u - x) * part, y + (v - y) * part));
        }
        self.mouse("mouseReleased", (u, v));
    }

    /// Presses and releases a key.
    pub fn key(&mut self, key: &str) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let code = if key == "Enter" { 13 } else { 0 };
            let parameters = json!({ "type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code });
            self.command("Input.dispatchKeyEvent", parameters);
        }
    }
}

fn is_true(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false)) && *value != json!(0) && *value != json!("")
}
