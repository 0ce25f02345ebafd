//! Chromium without a window, driven through its debugging pipe: JSON, each message
//! ended by a nought, read from its third file and written to its fourth.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything on a page may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: String,
    next: u64,
    _profile: tempfile::TempDir,
}

/// Chromium, by whichever name it is there; installed where it is not and can be.
fn chromium() -> Option<String> {
    let find = || {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let is_there = |name: &&&str| {
            let found = Command::new(**name).arg("--version").output();
            found.is_ok_and(|output| output.status.success())
        };
        names.iter().find(is_there).map(|name| (*name).to_owned())
    };
    find().or_else(|| {
        println!("no Chromium: trying to install Debian's");
        for arguments in [
            &["update"][..],
            &["install", "-y", "--no-install-recommends", "chromium"],
        ] {
            let _ = Command::new("apt-get")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .stdout(Stdio::null())
                .status();
        }
        find()
    })
}

impl Browser {
    /// A browser, or none where there is none and none can be installed.
    pub(crate) fn start() -> Option<Self> {
        let Some(chromium) = chromium() else {
            println!("NOT TESTED: there is no Chromium, and it cannot be installed here");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
                     --disable-background-networking --disable-component-update --disable-sync \
                     --disable-dev-shm-usage --remote-debugging-pipe --window-size=1000,900";
        let command = format!(
            "exec {chromium} {flags} --user-data-dir={} 3<&0 4>&1 </dev/null >/dev/null 2>&1",
            profile.path().display()
        );
        let mut process = Command::new("bash")
            .args(["-c", &command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut browser = Browser {
            to: process.stdin.take().unwrap(),
            from: BufReader::new(process.stdout.take().unwrap()),
            process,
            session: String::new(),
            next: 0,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        browser.call("Page.enable", json!({}));
        Some(browser)
    }

    /// Calls a method of the debugging protocol.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap();
        self.to.flush().unwrap();
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).unwrap();
            answer.pop();
            assert!(!answer.is_empty(), "Chromium ended during {method}");
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            if answer["id"] == self.next {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression on the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let started = Instant::now();
        while self.eval(&format!("Boolean({expression})")) != json!(true) {
            let text = "document.body?.innerText.slice(0, 2000)";
            assert!(
                started.elapsed() < PATIENCE,
                "never: {expression}\n{}",
                self.eval(text)
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Goes to an address, and waits for the page, which may then change the address.
    pub(crate) fn open(&mut self, url: &str) {
        self.eval("window.left = true");
        self.call("Page.navigate", json!({ "url": url }));
        self.wait("window.left === undefined && document.readyState === 'complete'");
    }

    /// Types text, key by key.
    pub(crate) fn keys(&mut self, text: &str) {
        for c in text.chars() {
            let text = c.to_string();
            self.call(
                "Input.dispatchKeyEvent",
                json!({ "type": "keyDown", "text": text, "key": text }),
            );
            self.call(
                "Input.dispatchKeyEvent",
                json!({ "type": "keyUp", "key": text }),
            );
        }
    }

    /// Presses a key by its name.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            " " => 32,
            "End" => 35,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => panic!("no code for {other}"),
        };
        let mut down =
            json!({ "type": "rawKeyDown", "key": key, "code": key, "windowsVirtualKeyCode": code });
        if key == "Enter" {
            down["type"] = json!("keyDown");
            down["text"] = json!("\r");
        }
        if key == " " {
            down["type"] = json!("keyDown");
            down["text"] = json!(" ");
        }
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({ "type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", up);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
