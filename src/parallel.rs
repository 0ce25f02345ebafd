//! Work on several threads, with the results in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Maps every item on at most `threads` threads of the current rayon pool; the
/// results are in the order of the items.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    map: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().map(map).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        let mut own = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(at)
        {
            own.push((at, map(item)));
        }
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        done.append(&mut own);
    };
    rayon::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| work());
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The number of threads for a requested number: 0 means all threads of the current rayon pool.
pub(crate) fn threads(asked: usize) -> usize {
    if asked == 0 {
        rayon::current_num_threads()
    } else {
        asked
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread;

    use super::*;

    #[test]
    fn results_are_in_order_whatever_the_threads() {
        let items: Vec<usize> = (0..1000).collect();
        let expected: Vec<usize> = items.iter().map(|item| item * item).collect();
        for threads in [0, 1, 2, 7, 2000] {
            assert_eq!(map(&items, threads, |item| item * item), expected);
        }
        assert!(map(&[0; 0], 3, |item| *item).is_empty());
    }

    #[test]
    fn one_thread_is_the_caller_s() {
        let used = Mutex::new(HashSet::new());
        map(&[0; 100], 1, |_| {
            used.lock().unwrap().insert(thread::current().id());
        });
        assert_eq!(used.into_inner().unwrap(), [thread::current().id()].into());
    }
}
