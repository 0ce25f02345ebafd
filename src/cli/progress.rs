//! A progress bar on standard error, and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::progress::{Progress, Stage};

/// Shows how far `progress` is while `work` runs, and stops it on Ctrl-C.
pub(super) fn watched<T>(progress: &Arc<Progress>, work: impl FnOnce() -> T) -> T {
    let on_signal = Arc::clone(progress);
    // A second Ctrl-C does not wait. A handler that cannot be set leaves the
    // default, which ends phocus at once; temporary files are then left.
    let _ = ctrlc::set_handler(move || {
        if on_signal.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(progress, &ended));
        let _end = End(&ended, watcher.thread().clone());
        work()
    })
}

/// Ends the watcher when the work ends, by a panic too.
struct End<'a>(&'a AtomicBool, thread::Thread);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

fn watch(progress: &Progress, ended: &AtomicBool) {
    let bar = ProgressBar::new(0);
    let mut shown = None;
    while !ended.load(Ordering::Relaxed) {
        let stage = progress.stage();
        let total = progress.total.load(Ordering::Relaxed);
        if shown != Some((stage, total)) {
            bar.reset();
            bar.set_style(style(stage, total));
            bar.set_length(total);
            shown = Some((stage, total));
        }
        bar.set_position(progress.done.load(Ordering::Relaxed));
        if stage == Stage::Reading {
            let formulas = progress.formulas.load(Ordering::Relaxed);
            let rate = formulas as f64 / bar.elapsed().as_secs_f64().max(0.1);
            let (count, rate) = (HumanCount(formulas), HumanCount(rate as u64));
            bar.set_message(format!("{count} formulas, {rate}/s"));
        }
        bar.tick();
        thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

fn style(stage: Stage, total: u64) -> ProgressStyle {
    let name = match stage {
        Stage::Reading => "laying out",
        Stage::Merging => "merging",
        Stage::Ordering => "ordering",
        Stage::Writing => "writing",
        Stage::Growing => "growing",
        Stage::Texts => "writing texts",
    };
    let template = match total {
        0 => format!("{name:<10} {{spinner}} {{elapsed}} {{msg}}"),
        _ => format!("{name:<10} {{wide_bar}} {{percent}}%  {{msg}}  {{eta}} left"),
    };
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
