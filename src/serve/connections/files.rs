//! Open files, which connections are too.

/// Files that are kept for what is not a connection: indexes that are opened again, their spills.
#[cfg(unix)]
const SPARE: usize = 48;

/// How many connections there is room for among the files that the system lets this process open,
/// at least 8; none where it sets no limit.
pub fn room_for() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::Nofile).current?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Some(limit.saturating_sub(open() + SPARE).max(8))
    }
    #[cfg(not(unix))]
    None
}

/// How many files this process has open, or a guess.
#[cfg(unix)]
fn open() -> usize {
    std::fs::read_dir("/dev/fd").map_or(32, Iterator::count)
}
