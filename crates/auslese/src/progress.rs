//! Shows how a crawl goes on: a bar on a terminal, a plain line now and then elsewhere, JSON lines
//! for programs.
//!
//! People's progress goes to stderr; JSON lines are data that was asked for, and go to stdout.

use crate::size_text;
use auslese_crawl::duration_text;
use auslese_harvest::{Bottleneck, Numbers};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// How often a JSON line is written.
const JSON_EVERY: Duration = Duration::from_secs(1);

/// Receives snapshots as often as there are any, and draws as often as makes sense.
#[derive(Debug)]
pub(crate) struct Progress {
    display: Display,
}

#[derive(Debug)]
enum Display {
    Bar(ProgressBar),
    Lines(Every),
    Json(Every),
    Quiet,
}

/// What the user asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    People,
    Json,
    Quiet,
}

impl Progress {
    pub(crate) fn new(wish: Wish) -> Progress {
        let display = match wish {
            Wish::Quiet => Display::Quiet,
            Wish::Json => Display::Json(Every::since(Instant::now(), JSON_EVERY)),
            Wish::People if io::stderr().is_terminal() => Display::Bar(bar()),
            Wish::People => Display::Lines(Every::since(Instant::now(), LINE_EVERY)),
        };
        Progress { display }
    }

    /// Shows a snapshot, if it is time to.
    pub(crate) fn show(&mut self, numbers: &Numbers) -> io::Result<()> {
        let now = Instant::now();
        match &mut self.display {
            Display::Bar(bar) => draw(bar, numbers),
            Display::Lines(every) => {
                if every.is_due(now) {
                    writeln!(io::stderr(), "{}", line(numbers))?;
                }
            }
            Display::Json(every) => {
                if every.is_due(now) {
                    json_line("progress", None, numbers)?;
                }
            }
            Display::Quiet => {}
        }
        Ok(())
    }

    /// Shows the last snapshot, whatever the time; `how` says how it ended.
    pub(crate) fn finish(self, numbers: &Numbers, how: &str) -> io::Result<()> {
        match self.display {
            Display::Bar(bar) => {
                bar.finish_and_clear();
                writeln!(io::stderr(), "{}", line(numbers))
            }
            Display::Lines(_) => writeln!(io::stderr(), "{}", line(numbers)),
            Display::Json(_) => json_line("end", Some(how), numbers),
            Display::Quiet => Ok(()),
        }
    }
}

/// Progress of work whose steps can be counted: a bar on a terminal, a line now and then elsewhere.
#[derive(Debug)]
pub(crate) struct Steps {
    display: Display,
    what: &'static str,
}

impl Steps {
    /// Steps of which `what` are counted, such as "addresses scanned".
    pub(crate) fn new(what: &'static str, quiet: bool) -> Steps {
        let wish = if quiet { Wish::Quiet } else { Wish::People };
        Steps { display: Progress::new(wish).display, what }
    }

    /// Shows how far it is, if it is time to.
    pub(crate) fn show(&mut self, done: u64, of: u64, found: &str) {
        let text = step_line(done, of, self.what, found);
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_length(of);
                bar.set_position(done);
                bar.set_message(text);
            }
            Display::Lines(every) => {
                if every.is_due(Instant::now()) {
                    // There is nobody left to tell if stderr itself is gone.
                    let _ = writeln!(io::stderr(), "{text}");
                }
            }
            Display::Json(_) | Display::Quiet => {}
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

fn step_line(done: u64, of: u64, what: &str, found: &str) -> String {
    let found = if found.is_empty() { String::new() } else { format!(", {found}") };
    format!("{done} of {of} {what}{found}")
}

#[derive(Debug)]
struct Every {
    interval: Duration,
    last: Instant,
}

impl Every {
    fn since(start: Instant, interval: Duration) -> Every {
        Every { interval, last: start }
    }

    fn is_due(&mut self, now: Instant) -> bool {
        let due = now.duration_since(self.last) >= self.interval;
        if due {
            self.last = now;
        }
        due
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len}\n{msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn draw(bar: &ProgressBar, numbers: &Numbers) {
    bar.set_length(numbers.discovered);
    bar.set_position(settled(numbers));
    bar.set_message(line(numbers));
}

/// Requests that nothing more will happen to.
fn settled(numbers: &Numbers) -> u64 {
    numbers.discovered.saturating_sub(numbers.queued + numbers.parked)
}

fn json_line(event: &str, ended: Option<&str>, numbers: &Numbers) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'a> {
        event: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        ended: Option<&'a str>,
        #[serde(flatten)]
        numbers: &'a Numbers,
    }
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &Line { event, ended, numbers })?;
    out.write_all(b"\n")?;
    out.flush()
}

/// All that matters in one line.
pub(crate) fn line(numbers: &Numbers) -> String {
    let mut parts = vec![
        format!("{} downloaded ({})", numbers.downloaded, size_text::format(numbers.bytes)),
        format!("{} queued", numbers.queued),
    ];
    if numbers.parked > 0 {
        parts.push(format!("{} waiting for a verdict", numbers.parked));
    }
    parts.push(format!("{} failed", numbers.failed));
    parts.push(format!(
        "{:.1} docs/s (mean {:.1})",
        numbers.documents_per_second, numbers.mean_documents_per_second
    ));
    parts.push(format!(
        "{:.0} KB/s (mean {:.0})",
        numbers.kilobytes_per_second, numbers.mean_kilobytes_per_second
    ));
    parts.push(format!("{} hosts", numbers.active_servers));
    if let Some(seconds) = numbers.seconds_left.filter(|_| numbers.queued > 0) {
        parts.push(format!("{} left", duration_text(Duration::from_secs(seconds))));
    }
    match &numbers.paused {
        Some(reason) => parts.push(format!("paused: {reason}")),
        None if numbers.bottleneck != Bottleneck::Nothing => {
            parts.push(format!("held back by {}", numbers.bottleneck.words()));
        }
        None => {}
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> Numbers {
        Numbers {
            discovered: 5_000,
            queued: 3_000,
            downloaded: 1_234,
            failed: 12,
            bytes: 56_700_000,
            documents_per_second: 45.04,
            mean_documents_per_second: 40.2,
            kilobytes_per_second: 1_203.4,
            mean_kilobytes_per_second: 1_100.0,
            active_servers: 7,
            seconds_left: Some(4_205),
            bottleneck: Bottleneck::Politeness,
            ..Numbers::default()
        }
    }

    #[test]
    fn one_line() {
        assert_eq!(
            line(&numbers()),
            "1234 downloaded (56.7 MB), 3000 queued, 12 failed, 45.0 docs/s (mean 40.2), \
             1203 KB/s (mean 1100), 7 hosts, 1h 10m 5s left, held back by politeness"
        );
        let paused = Numbers { paused: Some("the disk is full".to_owned()), ..Numbers::default() };
        assert!(line(&paused).ends_with("0 hosts, paused: the disk is full"), "{}", line(&paused));
    }

    #[test]
    fn steps() {
        let line = step_line(256, 384, "addresses scanned", "7 web servers");
        assert_eq!(line, "256 of 384 addresses scanned, 7 web servers");
        assert_eq!(step_line(1, 2, "hosts judged", ""), "1 of 2 hosts judged");
    }

    #[test]
    fn lines_keep_their_distance() {
        let start = Instant::now();
        let mut every = Every::since(start, Duration::from_secs(5));
        let due: Vec<bool> = [0, 1, 4, 5, 9, 11]
            .map(|second| every.is_due(start + Duration::from_secs(second)))
            .into();
        assert_eq!(due, [false, false, false, true, false, true]);
    }

    #[test]
    fn settled_requests() {
        assert_eq!(settled(&numbers()), 2_000);
        assert_eq!(settled(&Numbers { queued: 3, ..Numbers::default() }), 0);
    }
}
