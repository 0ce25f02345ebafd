//! Connections: how many there may be, and how long each may let the server wait.
//!
//! What is left of HTTP/1.1 for a server whose requests have no bodies and whose answers are whole
//! is a head to read (with httparse, as hyper does) and one to write. hyper, which this replaces,
//! answers heads that it cannot read with empty bodies, takes an idle connection and a slow head for
//! the same, and waits without end for those that do not read their answers.

mod answer;
mod client;
mod files;
mod head;
mod table;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::sleep;

pub use files::room_for;

use super::State;
use client::{Client, Serving};
use head::Lengths;
use table::Table;

/// How many connections there may be, and how long each may let the server wait.
#[derive(Debug, Clone, Copy)]
pub struct Connections {
    /// How many there may be at once. When another comes, the one that has waited for its client
    /// the longest is closed; while all are being answered, new ones wait.
    pub most: usize,
    /// How long a client may take to send the head of a request; then it gets 408.
    pub head: Duration,
    /// How long a connection is kept when nothing is asked.
    pub idle: Duration,
    /// How long a client may take to read an answer.
    pub answer: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Connections {
            most: 512,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            answer: Duration::from_secs(30),
        }
    }
}

/// Answers connections with a router until `stop` is done, and finishes what has begun.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    state: Arc<State>,
    limits: Connections,
    stop: impl Future<Output = ()>,
) {
    let (stopping, stopped) = watch::channel(false);
    let table = Arc::new(Table::default());
    // A request may wait and then work for as long as it may, and its answer be read.
    let longest = state
        .limits
        .time
        .saturating_mul(2)
        .saturating_add(limits.answer);
    let serving = Arc::new(Serving {
        lengths: Lengths::of(state.limits.query),
        router,
        state,
        limits,
    });
    tokio::select! {
        () = accept(&listener, &table, &serving, &stopped) => {}
        () = stop => {}
    }
    drop(listener);
    // Where every client is gone already, nobody is told.
    let _ = stopping.send(true);
    table.empty(longest).await;
}

/// Accepts connections, without end.
async fn accept(
    listener: &TcpListener,
    table: &Arc<Table>,
    serving: &Arc<Serving>,
    stopped: &watch::Receiver<bool>,
) {
    let mut is_short = false;
    loop {
        match listener.accept().await {
            Ok((stream, client)) => {
                is_short = false;
                table.make_room(serving.limits.most.max(1)).await;
                let place = table.enter();
                let client = Client::new(stream, client, Arc::clone(serving), stopped.clone());
                tokio::spawn(client.run(place));
            }
            Err(error) if is_of_one_client(&error) => {}
            // There are no more files, or there is no memory: others are closed, and it goes on.
            Err(error) => {
                if !is_short {
                    let told = format!("cannot accept a connection, and closes others: {error}");
                    serving.state.log.event(&told);
                }
                is_short = true;
                table.close_one();
                sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

/// Whether one client failed, and not the listener.
fn is_of_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}
