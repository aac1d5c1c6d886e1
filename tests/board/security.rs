//! Who is not the page of this server gets nothing, and cannot keep the page from what it needs.

use std::io::{Read, Write};
use std::time::Duration;

use crate::server::{Server, read_answer};

#[test]
fn only_who_knows_the_token_and_comes_from_here_is_answered() {
    let server = Server::start();
    let (port, token) = (server.port, &server.token);
    let page = format!("GET /{token}/");
    let get = |headers: &[(&str, &str)]| server.request(&page, headers, "").0;
    let own = format!("http://127.0.0.1:{port}");
    let local = format!("localhost:{port}");
    assert_eq!(get(&[]), 200);
    assert_eq!(get(&[("Host", &local)]), 200);
    assert_eq!(get(&[("Origin", &own)]), 200);
    for host in ["evil.example", "127.0.0.1", &format!("evil.example:{port}"), ""] {
        assert_eq!(get(&[("Host", host)]), 403, "{host}");
    }
    assert_eq!(get(&[("Host", &local), ("Host", &local)]), 403);
    for origin in ["http://evil.example", "null", &format!("https://127.0.0.1:{port}"), ""] {
        assert_eq!(get(&[("Origin", origin)]), 403, "{origin}");
    }
    assert_eq!(get(&[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]), 200);
    let half = &token[..16];
    for path in [
        "/",
        "/favicon.ico",
        "/api/games",
        "//",
        &format!("/{half}/"),
        &format!("/{}/", "0".repeat(32)),
    ] {
        let (status, text) = server.request(&format!("GET {path}"), &[], "");
        assert!(status == 404 && !text.contains("<!doctype"), "{path}: {text}");
    }
    assert!(server.request(&format!("GET /{token}"), &[], "").0 == 404);
}

#[test]
fn paths_lead_to_nothing_but_the_files_of_the_page() {
    let server = Server::start();
    let token = &server.token;
    for path in [
        "../Cargo.toml",
        "..%2f..%2fetc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "./style.css",
        "style.css/",
        "style.css%00",
        "piece/figures/../../x.svg",
        "piece/figures/chess/w%ff.svg",
        "piece/figures/chess/.svg",
        "piece//chess/wK.svg/x",
        "api/games/..",
    ] {
        let (status, _) = server.request(&format!("GET /{token}/{path}"), &[], "");
        assert!([404, 405].contains(&status), "{path}: {status}");
    }
    let (status, text) = server.request(&format!("GET /{token}/app.js?x#y"), &[], "");
    assert!(status == 200 && text.contains("Content-Type: text/javascript"), "{status}");
    for header in [
        "default-src 'none'; script-src 'self'; style-src 'self'",
        "frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin",
    ] {
        assert!(text.contains(header), "{header}");
    }
}

#[test]
fn commands_are_json_of_the_page() {
    let server = Server::start();
    let games = format!("POST /{}/api/games", server.token);
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    {
        assert_eq!(server.request(&games, &[("Content-Type", kind)], "{}").0, 415, "{kind}");
    }
    assert_eq!(server.ask("games", "{}").0, 200);
    assert_eq!(server.ask("nothing", "{}").0, 404);
    for wrong in ["{", "[]", "{\"variant\": 1}", "\u{0}", "{\"variant\":\"chess\",\"moves\":{}}"] {
        assert_eq!(server.ask("view", wrong).0, 400, "{wrong}");
    }
    for refused in [
        r#"{"variant":"nothing"}"#,
        r#"{"variant":"chess","fen":"8/8 w"}"#,
        r#"{"variant":"chess","moves":["e2e5"]}"#,
        r#"{"variant":"chess","arranged":["a1b1"]}"#,
    ] {
        let (status, text) = server.ask("view", refused);
        assert!(status == 422 && text.contains("{\"error\":"), "{refused}: {text}");
    }
    let long = format!(r#"{{"variant":"chess","moves":[{}"e2e4"]}}"#, "\"g1f3\",".repeat(5000));
    assert_eq!(server.ask("view", &long).0, 422);
    let deep = "[".repeat(100_000);
    assert_eq!(server.ask("view", &deep).0, 400);
    assert_eq!(server.request(&format!("PUT /{}/", server.token), &[], "{}").0, 405);
    assert_eq!(server.request(&format!("GET /{}/api/games", server.token), &[], "").0, 405);
    assert!(server.is_well());
}

#[test]
fn what_is_too_large_is_refused() {
    let server = Server::start();
    let first =
        format!("POST /{}/api/load HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", server.token, server.port);
    let kind = "Content-Type: application/json\r\n";
    // A body of 100 MB, of which as much is sent as the server takes.
    let mut stream = server.connect();
    let head = format!("{first}{kind}Content-Length: 100000000\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("the head is taken");
    let megabyte = vec![b' '; 1 << 20];
    for _ in 0..100 {
        if stream.write_all(&megabyte).is_err() {
            break;
        }
    }
    let (status, _) = read_answer(&mut stream);
    // The answer may be lost to one who goes on sending.
    assert!([413, 0].contains(&status), "{status}");
    let asked = format!("{first}{kind}Expect: 100-continue\r\nContent-Length: 100000000\r\n\r\n");
    assert_eq!(server.raw(asked.as_bytes()).0, 413);
    let chunked = format!("{first}{kind}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n");
    assert_eq!(server.raw(chunked.as_bytes()).0, 411);
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
    assert_eq!(server.raw(long.as_bytes()).0, 431);
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(500));
    assert_eq!(server.raw(many.as_bytes()).0, 431);
    for wrong in ["\r\n\r\n\r\n\0", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}"] {
        assert_eq!(server.raw(wrong.as_bytes()).0, 400, "{wrong:?}");
    }
    assert!(server.is_well());
}

#[test]
fn a_thousand_connections_do_not_keep_the_page_out() {
    let server = Server::start();
    let mut idle = Vec::new();
    for number in 0..1000 {
        let mut stream = server.connect();
        if number % 2 == 0 {
            // Half of them begin something that they never finish.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
        }
        idle.push(stream);
    }
    assert!(server.is_well());
    assert_eq!(server.ask("games", "{}").0, 200);
    // Those that were there first have made room.
    let first = &mut idle[0];
    let _ = first.set_read_timeout(Some(Duration::from_secs(30)));
    assert!(!matches!(first.read(&mut [0]), Ok(count) if count > 0));
}

#[test]
fn a_flood_of_searches_is_bounded() {
    let server = Server::start();
    let body = |tab: usize| {
        format!(r#"{{"tab":"t{tab}","line":{{"variant":"chess"}},"limit":"endless","hash":1}}"#)
    };
    let mut streams = Vec::new();
    let mut refused = 0;
    for tab in 0..20 {
        let mut stream = server.begin("search", &body(tab));
        let mut start = [0; 12];
        stream.read_exact(&mut start).expect("an answer");
        match &start {
            b"HTTP/1.1 200" => streams.push(stream),
            b"HTTP/1.1 429" => refused += 1,
            other => panic!("{}", String::from_utf8_lossy(other)),
        }
    }
    assert_eq!((streams.len(), refused), (4, 16));
    assert!(server.is_well());
    // Whose readers go, end; then there is room again.
    drop(streams);
    let limited = r#"{"tab":"late","line":{"variant":"chess"},"limit":{"nodes":100},"hash":1}"#;
    let mut last = (0, String::new());
    for _ in 0..200 {
        last = server.ask("search", limited);
        if last.0 == 200 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(last.0 == 200 && last.1.contains("\"type\":\"best\""), "{last:?}");
}

#[test]
fn searches_of_a_tab_are_stopped_with_their_result() {
    let server = Server::start();
    let body =
        r#"{"tab":"one","line":{"variant":"shoranji","moves":[]},"limit":"endless","hash":1}"#;
    let search = std::thread::scope(|scope| {
        let search = scope.spawn(|| server.ask("search", body));
        // As soon as it runs, it is stopped.
        while !search.is_finished() {
            assert_eq!(server.ask("stop", r#"{"tab":"one"}"#).0, 200);
            std::thread::sleep(Duration::from_millis(20));
        }
        search.join().expect("an answer")
    });
    assert!(search.0 == 200 && search.1.contains("\"move\":\"="), "{search:?}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_while_it_is_used() {
    let server = Server::start();
    let idle = server.connect();
    let body = r#"{"tab":"a","line":{"variant":"chess"},"limit":"endless","hash":1}"#;
    let mut busy = server.begin("search", body);
    busy.read_exact(&mut [0; 12]).expect("an answer");
    assert_eq!(server.interrupt(), Some(130));
    drop((idle, busy));
}

#[test]
fn a_port_that_is_taken_is_refused_in_one_line() {
    let server = Server::start();
    let again = std::process::Command::new(env!("CARGO_BIN_EXE_garrison"))
        .args(["board", "--no-open", "--port", &server.port.to_string()])
        .output()
        .expect("the program runs");
    let error = String::from_utf8_lossy(&again.stderr).into_owned();
    assert_eq!(again.status.code(), Some(2));
    assert!(
        error.starts_with("garrison: cannot listen on port ") && error.lines().count() == 1,
        "{error}"
    );
}
