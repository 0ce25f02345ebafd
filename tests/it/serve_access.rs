//! Who the server answers, and at which addresses it listens.

use std::net::TcpListener;
use std::path::PathBuf;

use crate::fixtures::binary::{phocus, text};
use crate::fixtures::server::{Answer, Server, index_of, send};
use crate::fixtures::wait::until;

fn index() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of(folder.path(), &[("1", "x+y")]);
    (folder, index)
}

/// Asks with these lines after the first.
fn ask(server: &Server, first: &str, lines: &[&str]) -> Answer {
    let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    let head = format!("{first}\r\n{lines}Connection: close\r\n\r\n");
    send(&server.address, head).unwrap()
}

const SEARCH: &str = "GET /api/search?q=x HTTP/1.1";

#[test]
fn only_its_own_names_are_answered() {
    let (_folder, index) = index();
    let server = Server::start(&[text(&index), "--quiet", "--host", "Phocus.example"]);
    let port = server.address.rsplit(':').next().unwrap();
    for host in ["localhost", "127.0.0.1", "[::1]", "phocus.example"] {
        for host in [host.to_owned(), format!("{host}:{port}")] {
            let answer = ask(&server, SEARCH, &[&format!("Host: {host}")]);
            assert_eq!(answer.status, 200, "{host}: {}", answer.body);
        }
    }
    // Each path, the page too: what leads another name here may not even see that it is phocus.
    for path in [
        "/",
        "/page.js",
        "/api/search?q=x",
        "/healthz",
        "/metrics",
        "/none",
    ] {
        let first = format!("GET {path} HTTP/1.1");
        let answer = ask(&server, &first, &["Host: rebound.example"]);
        assert_eq!(answer.status, 403, "{path}: {}", answer.body);
        let told = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(told.contains("--host rebound.example"), "{told}");
    }
    for first in [SEARCH, "GET /healthz HTTP/1.0"] {
        let answer = ask(&server, first, &[]);
        assert_eq!(answer.status, 400, "{first}: {}", answer.body);
        assert!(answer.json()["error"].as_str().unwrap().contains("no Host"));
    }
    let twice = ask(&server, SEARCH, &["Host: localhost", "Host: localhost"]);
    assert_eq!(twice.status, 400);
    // A target may be absolute; then both names count.
    let absolute = |host: &str| format!("GET http://{host}/api/search?q=x HTTP/1.1");
    let asked = |host: &str| ask(&server, &absolute(host), &["Host: localhost"]).status;
    assert_eq!(asked("localhost"), 200);
    assert_eq!(asked("rebound.example"), 403);
}

#[test]
fn addresses_may_be_short() {
    let (_folder, index) = index();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    // While another listens there, it says what to do.
    let refused = phocus()
        .args(["serve", text(&index), "--addr", &format!(":{port}")])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success());
    assert!(
        told.contains("another program") && told.contains("--addr"),
        "{told}"
    );
    drop(free);
    for (typed, shown) in [
        (format!("{port}"), format!("127.0.0.1:{port}")),
        (format!(":{port}"), format!("127.0.0.1:{port}")),
        (format!("localhost:{port}"), format!("localhost:{port}")),
        (format!("0.0.0.0:{port}"), format!("127.0.0.1:{port}")),
    ] {
        let server = Server::start_at(&typed, &[text(&index), "--quiet"]);
        assert_eq!(server.address, shown, "{typed}");
        assert_eq!(server.get("/healthz", &[]).status, 200, "{typed}");
    }
    if TcpListener::bind("[::1]:0").is_ok() {
        let server = Server::start_at("[::1]:0", &[text(&index), "--quiet"]);
        assert!(server.address.starts_with("[::1]:"));
        assert_eq!(server.get("/healthz", &[]).status, 200);
    }
}

#[test]
fn errors_are_json() {
    let (_folder, index) = index();
    let server = Server::start(&[text(&index), "--quiet"]);
    let asked = |first: &str| ask(&server, first, &["Host: localhost"]);
    for (first, status) in [
        ("GET /api/search HTTP/1.1", 400),
        ("GET /api/search?q=x&k=%FF HTTP/1.1", 400),
        ("GET /api/search?nothing=1 HTTP/1.1", 400),
        // Nothing can be read of the query, and group is wrong all the same.
        ("GET /api/complete?q=%19&group=x HTTP/1.1", 400),
        ("GET /none HTTP/1.1", 404),
        ("POST /none HTTP/1.1", 404),
        ("POST /api/search?q=x HTTP/1.1", 405),
        ("DELETE / HTTP/1.1", 405),
        ("PURGE /page.js HTTP/1.1", 405),
    ] {
        let answer = asked(first);
        assert_eq!(answer.status, status, "{first}: {}", answer.body);
        assert!(answer.json()["error"].is_string(), "{first}");
        assert!(answer.headers.contains("content-type: application/json"));
        assert!(answer.headers.contains("x-content-type-options: nosniff"));
        let allowed = answer.headers.contains("allow: get,head");
        assert_eq!(allowed, status == 405, "{first} {}", answer.headers);
    }
}

#[test]
fn the_log_says_who_asked_what() {
    let (_folder, index) = index();
    let server = Server::start(&[text(&index)]);
    let target = "GET /api/search?k=3&q=x%0A%1B%5B2J%C2%9B%2By&min_match=75%25 HTTP/1.1";
    let answer = ask(
        &server,
        target,
        &["Host: localhost", "X-Forwarded-For: 10.9.9.9"],
    );
    until("a line is logged", || server.log().len() == 1);
    let line = server.log().remove(0);
    assert!(!line.contains(char::is_control), "{line}");
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["query"], "x\n\u{1b}[2J\u{9b}+y");
    assert_eq!(line["client"], "127.0.0.1");
    assert_eq!(
        (line["method"].as_str(), line["path"].as_str()),
        (Some("GET"), Some("/api/search"))
    );
    assert_eq!(line["status"], answer.status);
    assert!(line["ms"].as_f64().unwrap() > 0.0);
    let time = line["time"].as_str().unwrap();
    assert!(
        time.len() == 24 && time.contains('T') && time.ends_with('Z'),
        "{time}"
    );
    // As words; and as a trusted proxy names the client.
    let server = Server::start(&[text(&index), "--log", "text", "--behind-proxy"]);
    ask(
        &server,
        target,
        &["Host: localhost", "X-Forwarded-For: 10.1.1.1, 10.9.9.9"],
    );
    until("a line is logged", || server.log().len() == 1);
    let line = server.log().remove(0);
    assert!(
        line.contains(&format!(" 10.9.9.9 {} ", answer.status))
            && line.ends_with(r"GET /api/search x\u{a}\u{1b}[2J\u{9b}+y"),
        "{line}"
    );
}

/// Pages of other sites read nothing, unless they are let.
#[test]
fn only_named_sites_may_read_answers() {
    let (_folder, index) = index();
    let closed = Server::start(&[text(&index), "--quiet"]);
    let from = |server: &Server, first: &str, origin: &str, more: &[&str]| {
        let origin = format!("Origin: {origin}");
        ask(
            server,
            first,
            &[&["Host: localhost", &origin], more].concat(),
        )
    };
    let preflight = "OPTIONS /api/search?q=x HTTP/1.1";
    let asks = ["Access-Control-Request-Method: GET"];
    let own = "cross-origin-resource-policy: same-origin";
    let answer = from(&closed, SEARCH, "https://a.example", &[]);
    assert!(!answer.headers.contains("access-control") && answer.headers.contains(own));
    assert_eq!(
        from(&closed, preflight, "https://a.example", &asks).status,
        405
    );

    let site = [
        "--allow-origin",
        "https://A.example/",
        "--allow-origin",
        "http://b.example:81",
    ];
    let open = Server::start(&[&[text(&index), "--quiet"], &site[..]].concat());
    for origin in ["https://a.example", "http://b.example:81"] {
        let told = format!("access-control-allow-origin: {origin}\r\n");
        // Errors too: a page shows why it gets nothing.
        for first in [SEARCH, "GET /none HTTP/1.1", "GET /api/search HTTP/1.1"] {
            let answer = from(&open, first, origin, &[]);
            assert!(answer.headers.contains(&told), "{first} {}", answer.headers);
            assert!(answer.headers.contains("vary: origin"));
        }
        let answer = from(&open, preflight, origin, &asks);
        assert_eq!(answer.status, 204, "{}", answer.body);
        assert!(answer.headers.contains(&told) && answer.body.is_empty());
        assert!(
            answer
                .headers
                .contains("access-control-allow-methods: get, head")
        );
        assert!(
            answer
                .headers
                .contains("access-control-allow-headers: authorization")
        );
    }
    for origin in ["https://c.example", "http://a.example", "null"] {
        let answer = from(&open, SEARCH, origin, &[]);
        assert!(
            !answer.headers.contains("access-control-allow-origin"),
            "{origin}"
        );
        assert!(answer.headers.contains("vary: origin"));
        assert_eq!(from(&open, preflight, origin, &asks).status, 405);
    }
    // A picture is shown by pages that do not say who they are; answers in text are not.
    let picture = from(
        &open,
        "GET /api/render?q=x HTTP/1.1",
        "https://a.example",
        &[],
    );
    assert!(
        picture
            .headers
            .contains("cross-origin-resource-policy: cross-origin")
    );
    assert!(
        from(&open, SEARCH, "https://a.example", &[])
            .headers
            .contains(own)
    );
    // Everyone, when that is meant; another Host is refused all the same.
    let any = Server::start(&[text(&index), "--quiet", "--allow-origin", "*"]);
    let answer = from(&any, SEARCH, "https://c.example", &[]);
    assert!(
        answer
            .headers
            .contains("access-control-allow-origin: *\r\n")
    );
    assert_eq!(ask(&any, SEARCH, &["Host: rebound.example"]).status, 403);
}

#[test]
fn a_token_is_asked_for() {
    let (folder, index) = index();
    let file = folder.path().join("token");
    let secret = "s3cret-s3cret-s3cret";
    std::fs::write(&file, format!("{secret}\n")).unwrap();
    let server = Server::start(&[text(&index), "--token-file", text(&file)]);
    let host = "Host: localhost";
    let right = format!("Authorization: Bearer {secret}");
    let wrong = "Authorization: Bearer s3cret-s3cret-s3creT";
    for path in [
        "/api/search?q=x",
        "/api/openapi.json",
        "/metrics",
        "/none",
        "/api/render?q=x",
    ] {
        let first = format!("GET {path} HTTP/1.1");
        for lines in [
            &[host][..],
            &[host, wrong],
            &[host, "Authorization: Basic czpz"],
        ] {
            let answer = ask(&server, &first, lines);
            assert_eq!(answer.status, 401, "{path} {lines:?}");
            assert!(answer.headers.contains("www-authenticate: bearer"));
            assert!(answer.json()["error"].is_string() && !answer.body.contains(secret));
        }
        let status = ask(&server, &first, &[host, &right]).status;
        assert_eq!(status, if path == "/none" { 404 } else { 200 }, "{path}");
    }
    // The page asks for it; monitors do not have it.
    for path in ["/", "/page.js", "/page.css", "/healthz"] {
        assert_eq!(
            ask(&server, &format!("GET {path} HTTP/1.1"), &[host]).status,
            200,
            "{path}"
        );
    }
    // It is not taken from an address, and never in the log.
    let told = format!("GET /api/search?q=x&token={secret} HTTP/1.1");
    assert_eq!(ask(&server, &told, &[host]).status, 401);
    assert_eq!(ask(&server, &told, &[host, &right]).status, 400);
    until("all are logged", || server.log().len() == 26);
    assert!(!server.log().iter().any(|line| line.contains("s3cret")));
    let described = ask(&server, "GET /api/openapi.json HTTP/1.1", &[host, &right]).json();
    assert_eq!(
        described["components"]["securitySchemes"]["token"]["scheme"],
        "bearer"
    );
    // A file without a token ends it, and says how to make one.
    std::fs::write(&file, "short\n").unwrap();
    let refused = phocus()
        .args([
            "serve",
            text(&index),
            "--addr",
            "0",
            "--token-file",
            text(&file),
        ])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains("openssl rand"),
        "{told}"
    );
    assert!(!told.contains("short"), "{told}");
}

/// A token that everyone on the machine can read is told.
#[cfg(unix)]
#[test]
fn a_token_that_others_can_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, index) = index();
    let file = folder.path().join("token");
    std::fs::write(&file, "s3cret-s3cret-s3cret").unwrap();
    for (mode, is_told) in [(0o644, true), (0o640, false), (0o600, false)] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let server = Server::start(&[text(&index), "--token-file", text(&file)]);
        // What it tells comes before the first request is logged.
        server.get("/healthz", &[]);
        until("a request is logged", || server.log().len() == 1);
        assert_eq!(!server.told("chmod 600").is_empty(), is_told, "{mode:o}");
    }
}
