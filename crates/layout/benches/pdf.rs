//! How many PDF a CPU second reads: `cargo bench -p auslese-layout --bench pdf -- FOLDER`.
//!
//! Reads every `.pdf` of the folder several times, the first three pages as for headers and then
//! all, and tells documents and pages per second on a processor. Without a folder it reads a small
//! file made here.

use std::path::Path;
use std::time::{Duration, Instant};

use auslese_layout::{PageLimit, read_pdf};

/// Rounds of the measurement; the fastest counts, since others use the machine too.
const ROUNDS: usize = 5;

fn main() {
    // Cargo adds `--bench`.
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let files = folder.map_or_else(|| vec![sample()], |folder| files(Path::new(&folder)));
    println!("{} documents", files.len());
    for (name, limit) in [("first three pages", PageLimit::First(3)), ("all pages", PageLimit::All)]
    {
        let mut best = Duration::MAX;
        let mut pages = 0;
        for _ in 0..ROUNDS {
            let start = Clock::start();
            pages = files.iter().map(|bytes| read_pdf(bytes, limit).pages.len()).sum();
            best = best.min(start.elapsed());
        }
        let seconds = best.as_secs_f64();
        println!(
            "{name}: {:.1} documents and {:.1} pages per second",
            files.len() as f64 / seconds,
            pages as f64 / seconds
        );
    }
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let pdf = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "pdf"));
    pdf.filter_map(|path| std::fs::read(path).ok()).collect()
}

/// Time on a processor, where the system tells it; elsewhere the time that passed.
struct Clock {
    instant: Instant,
    on_processor: Option<Duration>,
}

impl Clock {
    fn start() -> Clock {
        Clock { instant: Instant::now(), on_processor: Clock::on_processor() }
    }

    fn on_processor() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }

    fn elapsed(&self) -> Duration {
        let spent = Clock::on_processor().zip(self.on_processor).map(|(now, start)| now - start);
        spent.filter(|spent| !spent.is_zero()).unwrap_or_else(|| self.instant.elapsed())
    }
}

/// One page of lines.
fn sample() -> Vec<u8> {
    let lines =
        "0 -12 Td (Von der Messung kleiner Abst\\344nde zwischen W\\366rtern) Tj\n".repeat(50);
    let content = format!("BT /F1 10 Tf 72 760 Td {lines} ET");
    let font = "<</Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding>>";
    format!(
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n\
         2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n\
         3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R\n\
         /Resources <</Font <</F1 {font}>>>>>> endobj\n\
         4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\ntrailer <</Root 1 0 R>>\n",
        content.len()
    )
    .into_bytes()
}
