//! Connections and what they may let the server wait: options of `serve`.

use std::time::Duration;

use crate::serve::{Connections, room_for};

/// How many connections there may be, and how long each may let the server wait.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Connections")]
pub(super) struct ConnectionArgs {
    /// How many connections there may be at once. When another comes, the one that has waited for
    /// its client the longest is closed [default: 512, or as many as the open files allow].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: Option<u32>,
    /// How many seconds a client may take to send a request; then it gets 408.
    #[arg(long, value_name = "SECONDS", default_value_t = Connections::default().head.as_secs())]
    header_timeout: u64,
    /// How many seconds a connection is kept when nothing is asked.
    #[arg(long, value_name = "SECONDS", default_value_t = Connections::default().idle.as_secs())]
    idle_timeout: u64,
    /// How many seconds a client may take to read an answer.
    #[arg(long, value_name = "SECONDS", default_value_t = Connections::default().answer.as_secs())]
    answer_timeout: u64,
}

impl ConnectionArgs {
    /// The limits: as many connections as the files that may be open allow.
    pub(super) fn limits(&self) -> Connections {
        Connections {
            most: self
                .wanted()
                .unwrap_or(Connections::default().most)
                .min(room_for().unwrap_or(usize::MAX)),
            head: Duration::from_secs(self.header_timeout),
            idle: Duration::from_secs(self.idle_timeout),
            answer: Duration::from_secs(self.answer_timeout),
        }
    }

    fn wanted(&self) -> Option<usize> {
        let wanted = self.max_connections?;
        Some(usize::try_from(wanted).unwrap_or(usize::MAX))
    }

    /// That there are fewer connections than were asked for.
    pub(super) fn warning(&self, limits: &Connections) -> Option<String> {
        let wanted = self.wanted().filter(|wanted| *wanted > limits.most)?;
        Some(format!(
            "{wanted} connections do not fit into the files that may be open; there may be {} \
             (ulimit -n allows more)",
            limits.most
        ))
    }
}
