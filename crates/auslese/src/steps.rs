//! Shows how work over the archive goes on: a bar on a terminal, a plain line now and then
//! elsewhere. Always on stderr.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Whether anybody wants to see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    People,
    Quiet,
}

/// The display of work that has steps, each with a count.
#[derive(Debug)]
pub(crate) struct Steps {
    display: Display,
}

#[derive(Debug)]
enum Display {
    Bar(ProgressBar),
    Lines { last: Instant },
    Quiet,
}

impl Steps {
    pub(crate) fn new(wish: Wish) -> Steps {
        let display = match wish {
            Wish::Quiet => Display::Quiet,
            Wish::People if io::stderr().is_terminal() => Display::Bar(bar()),
            Wish::People => Display::Lines { last: Instant::now() },
        };
        Steps { display }
    }

    /// Shows how far a step is, if it is time to.
    pub(crate) fn show(&mut self, step: &str, done: u64, of: u64, rate: f64) -> io::Result<()> {
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_length(of);
                bar.set_position(done);
                bar.set_message(format!("{step}, {rate:.0} per second"));
            }
            Display::Lines { last } => {
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    writeln!(io::stderr(), "{done} of {of} {step}, {rate:.0} per second")?;
                }
            }
            Display::Quiet => {}
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<()> {
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
