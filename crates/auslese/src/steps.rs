//! Carries out work over the archive and shows how it goes on: a bar on a terminal, a plain line now
//! and then elsewhere. Always on stderr.

use crate::interrupt::watch_for_interrupts;
use crate::messages::{Color, Failure};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How far a step is.
#[derive(Debug)]
pub(crate) struct Shown {
    /// What is counted, such as "records read".
    pub(crate) what: &'static str,
    pub(crate) done: u64,
    pub(crate) of: u64,
    /// Per second.
    pub(crate) rate: f64,
    /// Of what is done, by this worker, where several are at it.
    pub(crate) here: Option<u64>,
}

/// Runs a stage to its end, with its progress shown and Ctrl-C heard. The stage gets where to tell
/// its progress, and what becomes true when it is to stop.
pub(crate) fn carry_out<P, T>(
    quiet: bool,
    color: Color,
    shown: fn(&P) -> Shown,
    stage: impl AsyncFnOnce(watch::Sender<P>, watch::Receiver<bool>) -> Result<T, Failure>,
) -> Result<T, Failure>
where
    P: Default + Send + Sync + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let stop = watch_for_interrupts(color)?;
        let (progress, watched) = watch::channel(P::default());
        let showing = tokio::spawn(show(Steps::new(quiet), watched, shown));
        let report = stage(progress, stop).await;
        // The display ends with the stage, which held the other end.
        showing.await??;
        report
    })
}

async fn show<P>(
    mut steps: Steps,
    mut progress: watch::Receiver<P>,
    shown: fn(&P) -> Shown,
) -> io::Result<()> {
    while progress.changed().await.is_ok() {
        let now = shown(&progress.borrow_and_update());
        steps.show(&now)?;
    }
    steps.finish()
}

/// The display of work that has steps, each with a count.
#[derive(Debug)]
struct Steps {
    display: Display,
}

#[derive(Debug)]
enum Display {
    Bar(ProgressBar),
    Lines { last: Instant },
    Quiet,
}

impl Steps {
    fn new(quiet: bool) -> Steps {
        let display = match quiet {
            true => Display::Quiet,
            false if io::stderr().is_terminal() => Display::Bar(bar()),
            false => Display::Lines { last: Instant::now() },
        };
        Steps { display }
    }

    /// Shows how far a step is, if it is time to.
    fn show(&mut self, shown: &Shown) -> io::Result<()> {
        let Shown { what, done, of, rate, here } = *shown;
        let here = here.map_or(String::new(), |here| format!(" ({here} here)"));
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_length(of);
                bar.set_position(done);
                bar.set_message(format!("{what}{here}, {rate:.0} per second"));
            }
            Display::Lines { last } => {
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    writeln!(io::stderr(), "{done} of {of} {what}{here}, {rate:.0} per second")?;
                }
            }
            Display::Quiet => {}
        }
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        if let Display::Bar(bar) = self.display {
            bar.finish_and_clear();
        }
        Ok(())
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
