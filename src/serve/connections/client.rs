//! One connection: requests are read, answered and logged one after the other.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::{Method, StatusCode, Version};
use axum::response::{IntoResponse, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep_until, timeout};
use tower_service::Service;

use super::super::error::ApiError;
use super::super::log::Asked;
use super::super::{Ends, State, finish};
use super::Connections;
use super::answer::{Manner, encode};
use super::head::{self, Head, Lengths};
use super::table::Place;

/// How much is read at a time.
const READ: usize = 4096;

/// What all connections share.
#[derive(Debug)]
pub(super) struct Serving {
    pub(super) router: Router,
    pub(super) state: Arc<State>,
    pub(super) limits: Connections,
    pub(super) lengths: Lengths,
}

/// One connection.
#[derive(Debug)]
pub(super) struct Client {
    stream: TcpStream,
    /// What was read and not yet taken.
    read: Vec<u8>,
    /// Whether an answer is being written.
    is_writing: bool,
    ends: Ends,
    serving: Arc<Serving>,
    stopped: watch::Receiver<bool>,
}

impl Client {
    pub(super) fn new(
        stream: TcpStream,
        client: SocketAddr,
        serving: Arc<Serving>,
        stopped: watch::Receiver<bool>,
    ) -> Self {
        let server = stream
            .local_addr()
            .map(|address| address.ip().to_canonical());
        let ends = Ends {
            client: SocketAddr::new(client.ip().to_canonical(), client.port()),
            server: server.ok(),
        };
        // An answer is written at once, so that waiting for more only delays it.
        let _ = stream.set_nodelay(true);
        Client {
            stream,
            read: Vec::new(),
            is_writing: false,
            ends,
            serving,
            stopped,
        }
    }

    /// Answers until the client goes, is too slow, or has to make room.
    pub(super) async fn run(mut self, place: Place) {
        tokio::select! {
            // What becomes of one client is no error of the server.
            _ = self.answer(&place) => {}
            () = place.closed() => self.turn_away().await,
        }
    }

    /// Tells a client that has begun to ask why it is not answered, if it reads that at once.
    async fn turn_away(&mut self) {
        if self.is_writing || self.read.is_empty() {
            return;
        }
        let told = ApiError::busy("there are too many connections, and this one was slow");
        if let Ok(bytes) = encode(self.refused(told), LAST).await {
            let _ = self.stream.try_write(&bytes);
        }
    }

    async fn answer(&mut self, place: &Place) -> io::Result<()> {
        loop {
            place.waits();
            let head = match self.head().await {
                Ok(Some(head)) => head,
                Ok(None) => return Ok(()),
                Err(error) => {
                    let response = self.refused(error);
                    self.write(place, response, LAST).await?;
                    return self.linger(place).await;
                }
            };
            place.works();
            let method = head.request.method();
            let mut manner = Manner {
                is_head: method == Method::HEAD,
                keep: head.keep,
                version: head.request.version(),
            };
            let is_read = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method);
            let has_body = head.has_body;
            let response = if has_body && is_read {
                let told = "requests have no body here; parameters are part of the address";
                Some(self.refused(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, told)))
            } else {
                self.found(head).await
            };
            let Some(response) = response else {
                return Ok(());
            };
            // Where others need the room, one that asks again and again has to come again as well.
            let is_needed = place.is_needed(self.serving.limits.most);
            manner.keep &= !is_needed && !*self.stopped.borrow();
            place.waits();
            self.write(place, response, manner).await?;
            if !manner.keep {
                self.stream.shutdown().await?;
                let is_sending = has_body || !self.read.is_empty();
                // What was asked further is asked again by a client that reads this.
                self.read.clear();
                return if is_sending {
                    self.linger(place).await
                } else {
                    Ok(())
                };
            }
        }
    }

    /// Reads the head of a request; none where the client goes, asks nothing for too long, or the
    /// server stops.
    async fn head(&mut self) -> Result<Option<Head>, ApiError> {
        let limits = self.serving.limits;
        head::trim(&mut self.read);
        let mut has_begun = !self.read.is_empty();
        let wait = if has_begun { limits.head } else { limits.idle };
        let mut deadline = Instant::now() + wait;
        loop {
            if let Some(head) = head::take(&mut self.read, self.serving.lengths)? {
                return Ok(Some(head));
            }
            self.read.reserve(READ);
            tokio::select! {
                read = self.stream.read_buf(&mut self.read) => match read {
                    Ok(0) | Err(_) => return Ok(None),
                    Ok(_) => {}
                },
                () = sleep_until(deadline) => {
                    let told = "the request did not arrive in time";
                    let slow = ApiError::new(StatusCode::REQUEST_TIMEOUT, told);
                    return if has_begun { Err(slow) } else { Ok(None) };
                }
                // Whoever sends this has gone too.
                _ = self.stopped.wait_for(|stopped| *stopped) => return Ok(None),
            }
            head::trim(&mut self.read);
            if !has_begun {
                has_begun = true;
                deadline = Instant::now() + limits.head;
            }
        }
    }

    /// The answer to a request; none where the client goes before it is found.
    async fn found(&mut self, head: Head) -> Option<Response> {
        let mut request = head.request;
        request.extensions_mut().insert(self.ends);
        let mut router = self.serving.router.clone();
        let most = self.serving.lengths.whole();
        tokio::select! {
            biased;
            found = router.call(request) => {
                Some(found.unwrap_or_else(|never: Infallible| match never {}))
            }
            () = gone(&mut self.stream, &mut self.read, most) => None,
        }
    }

    /// An error as the answer to what could not be read.
    fn refused(&self, error: ApiError) -> Response {
        let asked = Asked::unread(Some(&self.ends));
        finish(&self.serving.state, &asked, error.into_response())
    }

    /// Writes an answer; a client that does not read it in time is gone.
    async fn write(&mut self, place: &Place, response: Response, manner: Manner) -> io::Result<()> {
        let bytes = encode(response, manner).await.map_err(io::Error::other)?;
        self.is_writing = true;
        let mut rest = bytes.as_slice();
        let written = async {
            while !rest.is_empty() {
                let some = self.stream.write(rest).await?;
                if some == 0 {
                    return Err(io::Error::from(io::ErrorKind::WriteZero));
                }
                rest = &rest[some..];
                place.waits();
            }
            Ok::<(), io::Error>(())
        };
        timeout(self.serving.limits.answer, written).await??;
        self.is_writing = false;
        Ok(())
    }

    /// Lets a client that is still sending read its answer: closing at once would take it away.
    async fn linger(&mut self, place: &Place) -> io::Result<()> {
        place.leaves();
        self.stream.shutdown().await?;
        let mut unread = [0; READ];
        let rest = async {
            for _ in 0..64 {
                if self.stream.read(&mut unread).await? == 0 {
                    break;
                }
            }
            Ok(())
        };
        timeout(Duration::from_secs(1), rest).await?
    }
}

/// The manner of an answer after which the connection is closed.
const LAST: Manner = Manner {
    is_head: false,
    keep: false,
    version: Version::HTTP_11,
};

/// Done when the client has closed its end. What it sends until then is kept, up to a limit.
async fn gone(stream: &mut TcpStream, read: &mut Vec<u8>, most: usize) {
    while read.len() < most {
        read.reserve(READ);
        if !matches!(stream.read_buf(read).await, Ok(1..)) {
            return;
        }
    }
    std::future::pending::<()>().await;
}
