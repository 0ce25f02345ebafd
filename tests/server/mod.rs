//! A server of an index, for tests.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A running `phocus serve`; it ends with this.
pub(crate) struct Server {
    process: Child,
    /// host:port
    pub(crate) address: String,
}

/// What was answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}", self.body))
    }
}

impl Server {
    /// Serves on a port of the system's choice.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_phocus"))
            .args(["serve", "--addr", "127.0.0.1:0"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        told.read_line(&mut line).unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        // What it tells later is read, so that it need not wait.
        std::thread::spawn(move || std::io::copy(&mut told, &mut std::io::sink()));
        Server { process, address }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Gets a path, with parameters.
    pub(crate) fn get(&self, path: &str, parameters: &[(&str, &str)]) -> Answer {
        let query: Vec<String> = parameters
            .iter()
            .map(|(name, value)| format!("{name}={}", escaped(value)))
            .collect();
        let target = match query.is_empty() {
            true => path.to_owned(),
            false => format!("{path}?{}", query.join("&")),
        };
        get(&self.address, &target).unwrap()
    }

    /// Asks it to end: its status.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let pid = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        self.process.wait().unwrap().code()
    }

    /// The memory that it uses, in kilobytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("RssAnon:"))
            .unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One request on a connection of its own.
pub(crate) fn get(address: &str, target: &str) -> std::io::Result<Answer> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (headers, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = headers
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Ok(Answer {
        status: status.unwrap_or(0),
        headers: headers.to_lowercase(),
        body: body.to_owned(),
    })
}

/// Text as part of an address.
pub(crate) fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// An index of formulas: ids and LaTeX.
pub(crate) fn index_of(folder: &Path, formulas: &[(&str, &str)]) -> PathBuf {
    let list = folder.join("list.tsv");
    let rows: Vec<String> = formulas
        .iter()
        .map(|(id, latex)| format!("{id}\t{latex}"))
        .collect();
    std::fs::write(&list, format!("id\tlatex\n{}\n", rows.join("\n"))).unwrap();
    build(folder, &list, "list")
}

/// An index of the sample.
pub(crate) fn sample(folder: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    build(folder, &root.join("data-sample/formulas"), "sample")
}

fn build(folder: &Path, input: &Path, name: &str) -> PathBuf {
    let index = folder.join(format!("{name}.phoc"));
    let built = Command::new(env!("CARGO_BIN_EXE_phocus"))
        .args([
            "index",
            input.to_str().unwrap(),
            "-o",
            index.to_str().unwrap(),
        ])
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    index
}
