//! The log of the server: options of `serve`.

use std::io::{self, Write};

use clap::ValueEnum;

use crate::serve::{Log, LogLine, Notice};

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// A JSON object.
    Json,
    /// Words.
    Text,
}

/// What the server logs, on standard error.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Log")]
pub(super) struct LogArgs {
    /// Do not log requests.
    #[arg(long)]
    quiet: bool,
    /// How the log is written.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    log: Format,
    /// Log as the client the one that the nearest proxy names in X-Forwarded-For. Only behind a
    /// proxy that sets it: others could write there what they like.
    #[arg(long)]
    behind_proxy: bool,
}

impl LogArgs {
    pub(super) fn log(self) -> Log {
        let write = move |line: &LogLine| match line {
            LogLine::Request(_) if self.quiet => {}
            line => self.write(line),
        };
        Log::new(write).forwarded(self.behind_proxy)
    }

    /// Logs what became of the file of an index.
    pub(super) fn notice(self, notice: &Notice) {
        self.write(&LogLine::notice(notice));
    }

    fn write(self, line: &LogLine) {
        // Where nobody reads the log, nothing is lost.
        let _ = match self.log {
            Format::Json => writeln!(io::stderr(), "{}", line.json()),
            Format::Text => writeln!(io::stderr(), "{line}"),
        };
    }
}
