//! Reading a mapped file that was cut: zeros and a mark, instead of the end of the process.
//!
//! What is mapped beyond the end of a file cannot be read: the system sends SIGBUS, which ends
//! the process. The same happens where a disk fails. The handler here maps a page of zeros over
//! such a page, if it is a page of an index, and marks the index as changed; whoever reads it
//! goes on, gets zeros, and finds the mark when the answer is complete. All other faults go to
//! the handler that was there before.

#[cfg(not(unix))]
pub(super) use elsewhere::Guard;
#[cfg(not(unix))]
pub use elsewhere::survive_cut_files;
#[cfg(unix)]
pub(super) use unix::Guard;
#[cfg(unix)]
pub use unix::survive_cut_files;

#[cfg(unix)]
#[allow(unsafe_code)]
mod unix {
    use std::ffi::{c_int, c_void};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
    use std::{io, mem, ptr};

    /// How many maps are guarded at once; more than these are not.
    const REGIONS: usize = 1024;

    /// The maps that are guarded: a fixed table of atomics, since a handler may neither allocate
    /// nor wait for a lock.
    static TABLE: [Region; REGIONS] = [const { Region::free() }; REGIONS];

    /// What SIGBUS did before.
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();
    static PAGE: AtomicUsize = AtomicUsize::new(0);

    /// The addresses of a map.
    struct Region {
        /// 0 where it is free.
        start: AtomicUsize,
        /// 0 while it is being taken or freed, so that no address is within.
        end: AtomicUsize,
        has_faulted: AtomicBool,
    }

    impl Region {
        const fn free() -> Self {
            Region {
                start: AtomicUsize::new(0),
                end: AtomicUsize::new(0),
                has_faulted: AtomicBool::new(false),
            }
        }

        fn holds(&self, address: usize) -> bool {
            let start = self.start.load(SeqCst);
            let end = self.end.load(SeqCst);
            // Read again: it may have been freed and taken for another map in between.
            start != 0 && start == self.start.load(SeqCst) && (start..end).contains(&address)
        }
    }

    /// Keeps a map in the table.
    pub(in super::super) struct Guard(Option<&'static Region>);

    impl std::fmt::Debug for Guard {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.debug_tuple("Guard").field(&self.has_faulted()).finish()
        }
    }

    impl Guard {
        pub(in super::super) fn new(map: &[u8]) -> Self {
            let start = map.as_ptr() as usize;
            let take = |region: &&Region| {
                let taken = region.start.compare_exchange(0, start, SeqCst, SeqCst);
                taken.is_ok()
            };
            let region = TABLE.iter().find(take);
            if let Some(region) = region {
                region.has_faulted.store(false, SeqCst);
                region.end.store(start + map.len(), SeqCst);
            }
            Guard(region)
        }

        /// Whether some of the map could not be read, and zeros were read instead.
        pub(in super::super) fn has_faulted(&self) -> bool {
            self.0.is_some_and(|region| region.has_faulted.load(SeqCst))
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            if let Some(region) = self.0 {
                region.end.store(0, SeqCst);
                region.start.store(0, SeqCst);
            }
        }
    }

    /// From now on, an index whose file is cut or cannot be read while it is mapped makes
    /// searches fail with [`IndexError::Changed`](crate::index::IndexError::Changed), and no
    /// longer ends the process by SIGBUS.
    ///
    /// It installs a handler of that signal for the whole process, which leaves all other
    /// faults to the handler that was there before. The program `phocus` calls it; other
    /// programs may. On systems without SIGBUS it does nothing.
    ///
    /// # Errors
    /// When the system refuses the handler.
    pub fn survive_cut_files() -> io::Result<()> {
        static INSTALLED: OnceLock<Result<(), i32>> = OnceLock::new();
        let last_error = || io::Error::last_os_error().raw_os_error().unwrap_or(0);
        let install = || install().map_err(|()| last_error());
        INSTALLED
            .get_or_init(install)
            .map_err(io::Error::from_raw_os_error)
    }

    fn install() -> Result<(), ()> {
        let done = |status: c_int| if status == 0 { Ok(()) } else { Err(()) };
        // SAFETY: these calls read and write what they are given, which is valid: zeros are a
        // valid `sigaction`. The handler has the signature that SA_SIGINFO asks for. SA_ONSTACK
        // is for the handler before, which may be that of Rust for overflown stacks.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE);
            PAGE.store(usize::try_from(page).map_err(|_| ())?, SeqCst);
            let mut previous: libc::sigaction = mem::zeroed();
            done(libc::sigaction(
                libc::SIGBUS,
                ptr::null(),
                &raw mut previous,
            ))?;
            PREVIOUS.get_or_init(|| previous);
            let mut action: libc::sigaction = mem::zeroed();
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_fault;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            done(libc::sigaction(
                libc::SIGBUS,
                &raw const action,
                ptr::null_mut(),
            ))
        }
    }

    /// The handler. It reads atomics and makes system calls, and nothing else.
    extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the system gives a handler with SA_SIGINFO a valid `info`.
        let (address, is_fault) = unsafe { ((*info).si_addr() as usize, (*info).si_code > 0) };
        let region = TABLE.iter().find(|region| region.holds(address));
        if let Some(region) = region.filter(|_| is_fault) {
            region.has_faulted.store(true, SeqCst);
            if map_zeros(address) {
                return;
            }
        }
        forward(signal, info, context);
    }

    /// Maps zeros over the page of an address within a guarded map.
    fn map_zeros(address: usize) -> bool {
        let page = PAGE.load(SeqCst);
        let start = (address & !(page - 1)) as *mut c_void;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: the page belongs to a map of an index, which is mapped as long as it is in the
        // table, and is only read; unmapping the index unmaps this page with it.
        let mapped = unsafe { libc::mmap(start, page, libc::PROT_READ, kind, -1, 0) };
        mapped == start
    }

    /// Leaves a signal to the handler that was there before.
    fn forward(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        let Some(previous) = PREVIOUS.get() else {
            return;
        };
        let handler = previous.sa_sigaction;
        // SAFETY: a handler that is neither default nor ignored is a function, with three
        // arguments where its flags have SA_SIGINFO and one where they have not.
        unsafe {
            if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
                // What it does by default: once this handler returns, the process ends.
                let mut default: libc::sigaction = mem::zeroed();
                default.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &raw const default, ptr::null_mut());
                libc::raise(signal);
            } else if previous.sa_flags & libc::SA_SIGINFO != 0 {
                type Full = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
                mem::transmute::<usize, Full>(handler)(signal, info, context);
            } else {
                mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal);
            }
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io;

    /// There is no such signal.
    #[derive(Debug)]
    pub(in super::super) struct Guard;

    impl Guard {
        pub(in super::super) fn new(_: &[u8]) -> Self {
            Guard
        }

        pub(in super::super) fn has_faulted(&self) -> bool {
            false
        }
    }

    /// On this system, reading an index whose file was cut does not end the process by a signal:
    /// there is nothing to do.
    ///
    /// # Errors
    /// Never.
    pub fn survive_cut_files() -> io::Result<()> {
        Ok(())
    }
}
