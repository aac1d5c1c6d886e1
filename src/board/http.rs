//! HTTP/1.1, as much of it as a page on the same computer needs: requests with bounds on everything, answers whole or in
//! parts. The syntax of requests is that of the crate `httparse`.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::pictures::WHOLE_PAGE;

/// The most bytes of a request's head: its first line and its headers.
const MOST_HEAD: usize = 8 << 10;
/// The most headers.
const MOST_HEADERS: usize = 64;
/// The most bytes of a request's body: the text of a game with comments, or a file of some thousand games.
pub const MOST_BODY: usize = 4 << 20;
/// A connection on which no request begins is closed after this time.
const IDLE: Duration = Duration::from_secs(20);
/// A request that has begun must be whole within this time.
const SLOWEST: Duration = Duration::from_secs(10);
/// How long a reader may take to accept some bytes of an answer.
const SLOWEST_READER: Duration = Duration::from_secs(10);
/// What a client still sends of a refused body is read for so long, so that it gets the answer.
const LINGER: Duration = Duration::from_millis(500);

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Such as `GET`.
    pub method: String,
    /// From the first slash to the question mark.
    pub path: String,
    /// Names in lower case, and values.
    headers: Vec<(String, String)>,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of the header with this name, in lower case, if it occurs exactly once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(own, _)| own == name);
        let value = values.next().map(|(_, value)| value.as_str());
        value.filter(|_| values.next().is_none())
    }

    /// Whether there is such a header.
    pub fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(own, _)| own == name)
    }

    fn wants_close(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// Why there is no request.
#[derive(Debug, Error)]
pub enum RequestError {
    /// The connection ended, or failed, or nothing came.
    #[error("the connection ended")]
    Ended,
    /// What came is no request.
    #[error("this is no request of HTTP/1.1")]
    Malformed,
    /// The request did not come to an end.
    #[error("the request took longer than {} s", SLOWEST.as_secs())]
    Slow,
    /// The head is too long.
    #[error(
        "the head of the request is longer than {MOST_HEAD} bytes or has more than {MOST_HEADERS} lines"
    )]
    LongHead,
    /// The body is too long.
    #[error("the request is longer than {} MiB", MOST_BODY >> 20)]
    LongBody,
    /// The length of the body is not known beforehand.
    #[error("the request does not say how long it is")]
    NoLength,
}

impl RequestError {
    /// The status of the answer; none if nobody is there to read it.
    pub fn status(&self) -> Option<Status> {
        match self {
            RequestError::Ended => None,
            RequestError::Malformed => Some(Status::BadRequest),
            RequestError::Slow => Some(Status::Timeout),
            RequestError::LongHead => Some(Status::LongHead),
            RequestError::LongBody => Some(Status::LongBody),
            RequestError::NoLength => Some(Status::NoLength),
        }
    }
}

/// The status of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Status {
    Ok = 200,
    BadRequest = 400,
    Forbidden = 403,
    NotFound = 404,
    WrongMethod = 405,
    Timeout = 408,
    NoLength = 411,
    LongBody = 413,
    WrongType = 415,
    Unprocessable = 422,
    TooMany = 429,
    LongHead = 431,
    Failed = 500,
    Busy = 503,
}

impl Status {
    fn phrase(self) -> &'static str {
        match self {
            Status::Ok => "OK",
            Status::BadRequest => "Bad Request",
            Status::Forbidden => "Forbidden",
            Status::NotFound => "Not Found",
            Status::WrongMethod => "Method Not Allowed",
            Status::Timeout => "Request Timeout",
            Status::NoLength => "Length Required",
            Status::LongBody => "Content Too Large",
            Status::WrongType => "Unsupported Media Type",
            Status::Unprocessable => "Unprocessable Content",
            Status::TooMany => "Too Many Requests",
            Status::LongHead => "Request Header Fields Too Large",
            Status::Failed => "Internal Server Error",
            Status::Busy => "Service Unavailable",
        }
    }
}

/// What the page may do: run and load what comes from this server, and not be shown inside another page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What a page may do that brings its own style: show it, and nothing else.
const POLICY_OF_WHOLE_PAGES: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                                     frame-ancestors 'none'";

/// What a browser must not do with any of the answers: guess types, send its address to others, or keep a page that a newer
/// program serves differently.
const HEADERS: &str = "\
    X-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Cache-Control: no-store\r\n";

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: Status,
    /// Its media type.
    pub kind: &'static str,
    /// Its text.
    pub body: Vec<u8>,
}

impl Answer {
    /// A line of text.
    pub fn text(status: Status, text: &str) -> Answer {
        let body = format!("{text}\n").into_bytes();
        Answer { status, kind: "text/plain; charset=utf-8", body }
    }
}

/// One end of a connection.
pub struct Connection {
    stream: TcpStream,
    /// What was read and belongs to the next request.
    pending: Vec<u8>,
    /// Whether another request may follow.
    stays: bool,
}

impl Connection {
    /// The server's end.
    ///
    /// # Errors
    /// The connection has gone.
    pub fn new(stream: TcpStream) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SLOWEST_READER))?;
        Ok(Connection { stream, pending: Vec::new(), stays: true })
    }

    /// Whether another request may come.
    pub fn stays(&self) -> bool {
        self.stays
    }

    /// Waits for the next request.
    ///
    /// # Errors
    /// None came, or it breaks a bound.
    pub fn request(&mut self) -> Result<Request, RequestError> {
        let request = self.read_request();
        self.stays = request.as_ref().is_ok_and(|request| !request.wants_close());
        request
    }

    fn read_request(&mut self) -> Result<Request, RequestError> {
        let mut deadline = Instant::now() + IDLE;
        if self.pending.is_empty() {
            self.read_more(deadline).map_err(|_| RequestError::Ended)?;
        }
        deadline = Instant::now() + SLOWEST;
        let (mut request, head) = loop {
            match parse_head(&self.pending)? {
                Some(found) => break found,
                None if self.pending.len() >= MOST_HEAD => return Err(RequestError::LongHead),
                None => self.read_more(deadline)?,
            }
        };
        if head > MOST_HEAD {
            return Err(RequestError::LongHead);
        }
        self.pending.drain(..head);
        let length = body_length(&request)?;
        let awaits = |value: &str| value.eq_ignore_ascii_case("100-continue");
        if request.header("expect").is_some_and(awaits) {
            let go_on = self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
            go_on.map_err(|_| RequestError::Ended)?;
        }
        while self.pending.len() < length {
            self.read_more(deadline)?;
        }
        request.body = self.pending.drain(..length).collect();
        Ok(request)
    }

    /// Reads some bytes.
    fn read_more(&mut self, deadline: Instant) -> Result<(), RequestError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(RequestError::Slow);
        }
        self.stream.set_read_timeout(Some(left)).map_err(|_| RequestError::Ended)?;
        let mut bytes = [0; 16 << 10];
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(RequestError::Ended),
            Ok(count) => {
                self.pending.extend_from_slice(&bytes[..count]);
                Ok(())
            }
            Err(error) if is_timeout(&error) => Err(RequestError::Slow),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(_) => Err(RequestError::Ended),
        }
    }

    /// Sends a whole answer.
    ///
    /// # Errors
    /// The reader has gone.
    pub fn answer(&mut self, answer: &Answer, has_body: bool) -> io::Result<()> {
        let mut text = self.head(answer.status, answer.kind);
        text += &format!("Content-Length: {}\r\n\r\n", answer.body.len());
        let mut bytes = text.into_bytes();
        if has_body {
            bytes.extend_from_slice(&answer.body);
        }
        self.stream.write_all(&bytes)
    }

    /// Sends the last answer: what still comes is read for a moment, since the answer may be lost otherwise.
    pub fn refuse(&mut self, answer: &Answer) {
        self.stays = false;
        if self.answer(answer, true).is_err() || self.stream.shutdown(Shutdown::Write).is_err() {
            return;
        }
        let deadline = Instant::now() + LINGER;
        self.pending.clear();
        while self.read_more(deadline).is_ok() {
            self.pending.clear();
        }
    }

    /// Begins an answer in parts. It is the last one on this connection.
    ///
    /// # Errors
    /// The reader has gone.
    pub fn begin_parts(&mut self, kind: &'static str) -> io::Result<Parts<'_>> {
        self.stays = false;
        let head = self.head(Status::Ok, kind) + "Transfer-Encoding: chunked\r\n\r\n";
        self.stream.write_all(head.as_bytes())?;
        Ok(Parts(&mut self.stream))
    }

    fn head(&self, status: Status, kind: &str) -> String {
        let stays = if self.stays { "keep-alive" } else { "close" };
        let (number, phrase) = (status as u16, status.phrase());
        let policy = if kind == WHOLE_PAGE { POLICY_OF_WHOLE_PAGES } else { POLICY };
        format!(
            "HTTP/1.1 {number} {phrase}\r\nContent-Type: {kind}\r\nConnection: {stays}\r\n\
             Content-Security-Policy: {policy}\r\n{HEADERS}"
        )
    }
}

/// An answer that is sent in parts.
pub struct Parts<'c>(&'c mut TcpStream);

impl Parts<'_> {
    /// Sends a part at once; an empty one is left out.
    ///
    /// # Errors
    /// The reader has gone.
    pub fn send(&mut self, part: &[u8]) -> io::Result<()> {
        if part.is_empty() {
            return Ok(());
        }
        let mut bytes = format!("{:x}\r\n", part.len()).into_bytes();
        bytes.extend_from_slice(part);
        bytes.extend_from_slice(b"\r\n");
        self.0.write_all(&bytes)
    }

    /// Ends the answer.
    ///
    /// # Errors
    /// The reader has gone.
    pub fn end(self) -> io::Result<()> {
        self.0.write_all(b"0\r\n\r\n")
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// The request without its body, and the bytes of its head; `None` if the head is not whole yet.
fn parse_head(bytes: &[u8]) -> Result<Option<(Request, usize)>, RequestError> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(RequestError::LongHead),
        Err(_) => return Err(RequestError::Malformed),
    };
    let (method, target) = (parsed.method.unwrap_or_default(), parsed.path.unwrap_or_default());
    if parsed.version != Some(1) || !target.starts_with('/') {
        return Err(RequestError::Malformed);
    }
    let text = |header: &httparse::Header| {
        let value = String::from_utf8_lossy(header.value).trim().to_string();
        (header.name.to_ascii_lowercase(), value)
    };
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let request = Request {
        method: method.to_string(),
        path: path.to_string(),
        headers: parsed.headers.iter().map(text).collect(),
        body: Vec::new(),
    };
    Ok(Some((request, length)))
}

fn body_length(request: &Request) -> Result<usize, RequestError> {
    if request.has_header("transfer-encoding") {
        return Err(RequestError::NoLength);
    }
    if !request.has_header("content-length") {
        return if request.method == "POST" { Err(RequestError::NoLength) } else { Ok(0) };
    }
    let text = request.header("content-length").ok_or(RequestError::Malformed)?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(RequestError::Malformed);
    }
    let length = text.parse().ok().filter(|&length: &usize| length <= MOST_BODY);
    length.ok_or(RequestError::LongBody)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Option<(Request, usize)>, RequestError> {
        parse_head(text.as_bytes())
    }

    #[test]
    fn heads_are_read() {
        let text = "POST /t/api/view?x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
        let (request, length) = parsed(text).expect("a request").expect("a whole one");
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/t/api/view"));
        assert_eq!(request.header("host"), Some("a"));
        assert_eq!(length, text.len() - 3);
        assert_eq!(body_length(&request).ok(), Some(3));
        assert!(parsed("GET / HTTP/1.1\r\nHo").expect("the beginning of one").is_none());
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in
            ["GET\r\n\r\n", "GET http://a/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "\0"]
        {
            assert!(matches!(parsed(text), Err(RequestError::Malformed)), "{text:?}");
        }
        let twice = "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n";
        let (request, _) = parsed(twice).expect("a request").expect("a whole one");
        assert!(matches!(body_length(&request), Err(RequestError::Malformed)));
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        let (request, _) = parsed(chunked).expect("a request").expect("a whole one");
        assert!(matches!(body_length(&request), Err(RequestError::NoLength)));
        let long = "POST / HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n";
        let (request, _) = parsed(long).expect("a request").expect("a whole one");
        assert!(matches!(body_length(&request), Err(RequestError::LongBody)));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(65));
        assert!(matches!(parsed(&many), Err(RequestError::LongHead)));
    }
}
