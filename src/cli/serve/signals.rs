//! The signals that a server is told by.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use crate::serve::State;

/// Waits for Ctrl-C or, where the system has them, SIGTERM or the end of the terminal.
pub(super) async fn stopped(state: Arc<State>) {
    tokio::select! {
        () = interrupted() => {}
        () = terminated() => {}
        () = terminal_closed(&state) => {}
    }
}

/// Looks at the files of the indexes on each SIGHUP, until one comes because the terminal that
/// the server was started from is no more.
async fn terminal_closed(state: &State) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let had_terminal = io::stderr().is_terminal();
        if let Ok(mut hangups) = signal(SignalKind::hangup()) {
            while hangups.recv().await.is_some() {
                if had_terminal && !io::stderr().is_terminal() {
                    return;
                }
                state.reload();
            }
        }
    }
    #[cfg(not(unix))]
    let _ = state;
    std::future::pending::<()>().await;
}

async fn interrupted() {
    // Where signals cannot be received, only killing the process stops it.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            terminate.recv().await;
            return;
        }
    }
    std::future::pending::<()>().await;
}
