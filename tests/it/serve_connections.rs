//! Connections: what is read and written on them, and that slow clients harm no other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;

use serde_json::Value;

use crate::fixtures::binary::text;
use crate::fixtures::server::{Server, get, index_of, send};
use crate::fixtures::wait::until;

fn index() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of(folder.path(), &[("1", "x+y")]);
    (folder, index)
}

/// Reads one answer, and leaves the connection open: its status, its headers and its body.
fn answer(stream: &mut BufReader<TcpStream>) -> (u16, String, String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(
            stream.read_line(&mut head).unwrap(),
            0,
            "closed after {head:?}"
        );
    }
    let head = head.to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length = head.split("content-length: ").nth(1).unwrap();
    let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    (status, head, String::from_utf8(body).unwrap())
}

fn connect(server: &Server) -> BufReader<TcpStream> {
    BufReader::new(TcpStream::connect(&server.address).unwrap())
}

/// What cannot be read at all is answered in JSON too, and counted and logged.
#[test]
fn what_is_not_a_request_is_told_so() {
    let (_folder, index) = index();
    let server = Server::start(&[text(&index), "--max-query", "10"]);
    let long = |n: usize| "x".repeat(n);
    let host = "Host: localhost\r\n";
    let cases = [
        ("hello\r\n\r\n".to_owned(), 400),
        ("\u{16}\u{3}\u{1}\0\0\0".to_owned(), 400),
        (format!("GET / HTTP/1.1\r\n{host}bad header\r\n\r\n"), 400),
        (
            format!("GET / HTTP/1.1\r\n{host}Content-Length: x\r\n\r\n"),
            400,
        ),
        (format!("CONNECT localhost:1 HTTP/1.1\r\n{host}\r\n"), 400),
        (
            format!("GET / HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\n"),
            413,
        ),
        (
            format!("GET / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n"),
            413,
        ),
        (
            format!("POST /api/search HTTP/1.1\r\n{host}Content-Length: 9999999\r\n\r\n{{"),
            405,
        ),
        (
            format!("GET /api/search?q={} HTTP/1.1\r\n{host}\r\n", long(5000)),
            414,
        ),
        (
            format!("GET / HTTP/1.1\r\n{host}Cookie: {}\r\n\r\n", long(17_000)),
            431,
        ),
        (
            format!("GET / HTTP/1.1\r\n{host}{}\r\n", "a: b\r\n".repeat(101)),
            431,
        ),
        (format!("GET / HTTP/2.0\r\n{host}\r\n"), 505),
    ];
    for (request, status) in &cases {
        let shown = &request[..request.len().min(70)];
        let answer = send(&server.address, request).unwrap();
        assert_eq!(answer.status, *status, "{shown}: {}", answer.body);
        assert!(answer.json()["error"].is_string(), "{shown}");
        assert!(answer.headers.contains("connection: close"), "{shown}");
        assert!(answer.headers.contains("x-content-type-options: nosniff"));
    }
    until("all are logged", || server.log().len() == cases.len());
    let metrics = server.get("/metrics", &[]).body;
    assert!(
        metrics.contains(r#"{path="other",status="431"} 2"#),
        "{metrics}"
    );
}

#[test]
fn requests_follow_each_other_on_a_connection() {
    let (_folder, index) = index();
    let server = Server::start(&[text(&index), "--quiet"]);
    let mut stream = connect(&server);
    let get = |target: &str| format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    // One after the other, and several at once.
    for _ in 0..3 {
        stream
            .get_mut()
            .write_all(get("/healthz").as_bytes())
            .unwrap();
        let (status, head, body) = answer(&mut stream);
        assert!(status == 200 && body.contains("ok"), "{body}");
        assert!(
            head.contains("\r\ndate: ") && !head.contains("connection:"),
            "{head}"
        );
    }
    let many = get("/healthz") + &get("/none") + &get("/api/search?q=x") + "\r\n" + &get("/");
    stream.get_mut().write_all(many.as_bytes()).unwrap();
    let statuses = [(); 4].map(|()| answer(&mut stream).0);
    assert_eq!(statuses, [200, 404, 200, 200]);
    // HEAD has the length of the body, and no body.
    let head = "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned() + &get("/healthz");
    stream.get_mut().write_all(head.as_bytes()).unwrap();
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).unwrap();
        let length = line.strip_prefix("content-length: ");
        assert!(length.is_none_or(|length| length.trim() != "0"), "{line}");
    }
    assert!(answer(&mut stream).2.contains("ok"));
    // An error keeps the connection; a client that asks to close it is obeyed.
    let last = "GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream
        .get_mut()
        .write_all((get("/none") + last).as_bytes())
        .unwrap();
    assert_eq!(answer(&mut stream).0, 404);
    assert!(answer(&mut stream).1.contains("connection: close"));
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
    // HTTP/1.0 closes unless it asks to stay.
    let old = "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n";
    let old = send(&server.address, old).unwrap();
    assert!(old.status == 200 && old.body.contains("ok"), "{}", old.body);
    let mut stream = connect(&server);
    let kept = b"GET /healthz HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n";
    for _ in 0..2 {
        stream.get_mut().write_all(kept).unwrap();
        assert!(answer(&mut stream).1.contains("connection: keep-alive"));
    }
}

/// An idle connection does not keep the server from ending.
#[test]
fn idle_connections_end_with_the_server() {
    let (_folder, index) = index();
    let server = Server::start(&[text(&index), "--quiet"]);
    let mut idle = connect(&server);
    let mut begun = connect(&server);
    begun.get_mut().write_all(b"GET / HT").unwrap();
    assert_eq!(server.get("/healthz", &[]).status, 200);
    assert_eq!(server.stop(), Some(0));
    assert_eq!(idle.read(&mut [0]).unwrap_or(0), 0);
    assert_eq!(begun.read(&mut [0]).unwrap_or(0), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn slow_clients_are_given_up() {
    let (_folder, index) = index();
    let limits = [
        "--header-timeout",
        "1",
        "--idle-timeout",
        "1",
        "--answer-timeout",
        "1",
    ];
    let server = Server::start(&[&[text(&index), "--quiet"], &limits[..]].concat());
    let files = server.files();
    // A head that never ends, however often some of it comes.
    let mut slow = connect(&server);
    slow.get_mut()
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        .unwrap();
    let mut drip = slow.get_ref().try_clone().unwrap();
    std::thread::spawn(move || {
        while drip.write_all(b"X: y\r\n").is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    });
    let mut told = String::new();
    // The drip may meet a closed connection, which then has no more to read.
    let _ = slow.read_to_string(&mut told);
    assert!(told.starts_with("HTTP/1.1 408 "), "{told}");
    let body: Value = serde_json::from_str(told.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert!(body["error"].is_string());
    // Nothing asked, and nothing more asked.
    let mut idle = connect(&server);
    let mut used = connect(&server);
    used.get_mut()
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    assert_eq!(answer(&mut used).0, 200);
    assert_eq!(idle.read(&mut [0]).unwrap(), 0);
    assert_eq!(used.read(&mut [0]).unwrap(), 0);
    // Answers that nobody reads, more than the system keeps.
    let mut deaf = connect(&server);
    let asked = "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2000);
    let _ = deaf
        .get_mut()
        .set_write_timeout(Some(std::time::Duration::from_millis(300)));
    let _ = deaf.get_mut().write_all(asked.as_bytes());
    until("all are closed", || server.files() <= files);
    let _ = deaf.get_ref().shutdown(Shutdown::Both);
}

/// While connections are few, each is closed after an answer, so that a client that asks many
/// things at once waits in turn with those that ask one.
#[test]
fn connections_are_closed_after_an_answer_while_they_are_few() {
    let (_folder, index) = index();
    let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3);
    for (most, answers) in [("1", 1), ("2", 3)] {
        let server = Server::start(&[text(&index), "--quiet", "--max-connections", most]);
        let mut stream = connect(&server);
        stream.get_mut().write_all(get.as_bytes()).unwrap();
        for _ in 0..answers {
            let (status, head, _) = answer(&mut stream);
            assert_eq!(status, 200);
            assert_eq!(head.contains("connection: close"), most == "1", "{head}");
        }
        stream.get_ref().shutdown(Shutdown::Write).unwrap();
        assert_eq!(stream.read(&mut [0]).unwrap(), 0, "no further answer");
    }
}

/// The kinds of slow clients: each is a connection, and what it sends.
#[cfg(target_os = "linux")]
fn slow(kind: usize) -> Vec<u8> {
    let host = "Host: localhost\r\n";
    match kind % 5 {
        0 => Vec::new(),
        1 => format!("GET / HTTP/1.1\r\n{host}").into_bytes(),
        2 => format!("POST / HTTP/1.1\r\n{host}Content-Length: 1000\r\n\r\n").into_bytes(),
        3 => format!("GET /page.js HTTP/1.1\r\n{host}\r\n")
            .repeat(100)
            .into_bytes(),
        _ => format!("GET /api/search?q=x&k=1000 HTTP/1.1\r\n{host}\r\n")
            .repeat(20)
            .into_bytes(),
    }
}

/// 60 connections fit into the files that it may open. More slow clients than these, which come
/// again when they are closed, keep nobody else out. `PHOCUS_SLOW=1500,200` makes this the run of
/// 1,500 clients against 200 files, and prints its table.
#[cfg(target_os = "linux")]
#[test]
fn slow_clients_keep_nobody_out() {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
    use std::time::{Duration, Instant};

    let sizes = std::env::var("PHOCUS_SLOW").unwrap_or_else(|_| "240,124".to_owned());
    let (clients, files) = sizes.split_once(',').unwrap();
    let (clients, files): (usize, u32) = (clients.parse().unwrap(), files.parse().unwrap());
    let (_folder, index) = index();
    let server = Server::start_with_files(files, &[text(&index), "--quiet"]);
    let (over, again) = (AtomicBool::new(false), AtomicUsize::new(0));
    let begun = AtomicUsize::new(0);
    /// Ends the slow clients, also where an assertion fails.
    struct Over<'a>(&'a AtomicBool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.store(true, Relaxed);
        }
    }
    let held: usize = std::thread::scope(|scope| {
        let ends = Over(&over);
        for part in 0..8 {
            let (server, over, again, begun) = (&server, &over, &again, &begun);
            scope.spawn(move || {
                let open = |kind| {
                    let mut stream = TcpStream::connect(&server.address).ok()?;
                    let _ = stream.set_write_timeout(Some(Duration::from_millis(10)));
                    let _ = stream.write_all(&slow(kind));
                    stream.set_nonblocking(true).ok()?;
                    Some(stream)
                };
                let mut mine: Vec<_> = (part..clients).step_by(8).map(|n| (n, open(n))).collect();
                begun.fetch_add(1, Relaxed);
                while !over.load(Relaxed) {
                    for (kind, stream) in &mut mine {
                        // Slow readers read nothing; whether others were closed is looked at.
                        let closed = stream.as_ref().is_none_or(|stream| {
                            matches!(stream.peek(&mut [0; 1]), Ok(0))
                                || stream.take_error().is_ok_and(|error| error.is_some())
                        });
                        if closed {
                            again.fetch_add(1, Relaxed);
                            *stream = open(*kind);
                        }
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
        }
        until("all have connected", || begun.load(Relaxed) == 8);
        let mut took = Vec::new();
        let (mut most, mut first) = (0, 0);
        for _ in 0..60 {
            let started = Instant::now();
            // A client that is closed before it could ask asks once more, as browsers do.
            let is_answered = |_: &usize| {
                let answer = get(&server.address, "/api/search?q=x");
                answer.is_ok_and(|answer| answer.status == 200)
            };
            let tries = (1..=3).find(is_answered);
            took.push(started.elapsed());
            most = most.max(server.files());
            first += usize::from(tries == Some(1));
            assert!(tries.is_some(), "never answered");
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(ends);
        took.sort();
        println!(
            "{clients} slow clients, {files} files: {} of 60 answered ({first} at the first try), median {:?}, longest {:?}; \
             at most {most} files open; slow clients came again {} times",
            took.len(),
            took[30],
            took[59],
            again.load(Relaxed)
        );
        most
    });
    assert!(
        held < files as usize,
        "some files are left for indexes: {held}"
    );
    assert_eq!(server.get("/api/search", &[("q", "x")]).status, 200);
}
