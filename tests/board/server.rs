//! `garrison board` as a process, and what it is asked over plain connections.

#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server.
pub struct Server {
    child: Child,
    /// The address of the page.
    pub address: String,
    pub port: u16,
    pub token: String,
}

impl Server {
    /// On any free port.
    pub fn start() -> Server {
        Server::start_with(&["--port", "0"])
    }

    pub fn start_with(words: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_garrison"))
            .args(["board", "--no-open"])
            .args(words)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut line).expect("a line");
        std::thread::spawn(move || output.lines().for_each(drop));
        let address = line.trim().rsplit(' ').next().expect("an address").to_string();
        let rest = address.strip_prefix("http://127.0.0.1:").expect("the loopback address");
        let (port, rest) = rest.split_once('/').expect("a port");
        let token = rest.split('/').next().expect("a token").to_string();
        Server { port: port.parse().expect("a port"), token, address, child }
    }

    /// The address of the page with a game, so that it asks for none.
    pub fn page(&self) -> String {
        format!("{}?game=chess", self.address)
    }

    /// The memory that it holds, in MiB.
    pub fn resident(&self) -> f64 {
        let status = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        kibibytes.unwrap_or(f64::NAN) / 1024.0
    }

    /// Ends it without a warning.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Ends it as Ctrl-C does; returns its status.
    #[cfg(unix)]
    pub fn interrupt(mut self) -> Option<i32> {
        let id = rustix_process_id(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::INT).expect("sent");
        self.child.wait().expect("it ends").code()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// The status and the text of the answer to these bytes; status 0 if the connection ends without one.
    pub fn raw(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // The server may answer, and close, before everything is sent.
        let _ = stream.write_all(bytes);
        read_answer(&mut stream)
    }

    /// The answer to a request with these headers.
    pub fn request(&self, first: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut text = format!("{first} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        self.raw(format!("{text}\r\n{body}").as_bytes())
    }

    /// The connection on which a command of the page was sent; its answer is not read yet.
    pub fn begin(&self, name: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let text = format!(
            "POST /{}/api/{name} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.token,
            self.port,
            body.len()
        );
        stream.write_all(text.as_bytes()).expect("sent");
        stream
    }

    /// The answer to a command of the page.
    pub fn ask(&self, name: &str, body: &str) -> (u16, String) {
        let first = format!("POST /{}/api/{name}", self.token);
        self.request(&first, &[("Content-Type", "application/json")], body)
    }

    /// Whether the page is still served.
    pub fn is_well(&self) -> bool {
        let (status, text) = self.request(&format!("GET /{}/", self.token), &[], "");
        status == 200 && text.contains("<!doctype html>")
    }
}

#[cfg(unix)]
fn rustix_process_id(child: &Child) -> rustix::process::Pid {
    rustix::process::Pid::from_child(child)
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn read_answer(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    // What came before an error counts.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or(0), text)
}
