//! What counting costs over many texts, on one core, and how much memory it takes.
//!
//!     cargo bench -p auslese-kwic --bench texts [-- TEXTS]
//!
//! Texts are made up, 100,000 of about 500 words if no other number is given: word n of 300,000 is
//! as frequent as 1/n, as in real texts, and sentences have twelve words. Each row is one collector
//! with everything it needs: cutting into tokens and sentences, finding hits, counting. Time is time
//! on the processor where the system tells it (Linux); memory is the peak of the process so far.

use auslese_kwic::*;
use std::time::{Duration, Instant};

const FORMS: u64 = 300_000;

fn main() {
    let number = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let texts: u64 = number.unwrap_or(100_000);
    let epoch = Instant::now();
    let nothing = |_: &Reading<'_>| {};
    let cutting = measure(epoch, texts, nothing);
    report("cutting only", cutting);

    let mut matcher = node("wort100");
    let mut lines = Concordance::new(ConcordanceOptions::default());
    let cost = measure(epoch, texts, |reading| lines.push(reading, &matcher.find(reading)));
    report("concordance of a word", cost);
    println!("    {} hits", lines.finish().totals.hits);

    let mut matcher = node("/w.*t1[0-9]*/ []{0,3} (wort2*|wort3)");
    let mut lines = Concordance::new(ConcordanceOptions {
        sort: SortOrder::parse("L1,R1").expect("an order"),
        ..ConcordanceOptions::default()
    });
    let cost = measure(epoch, texts, |reading| lines.push(reading, &matcher.find(reading)));
    report("concordance of a pattern", cost);
    let page = lines.finish();
    println!("    {} hits, {} lines kept", page.totals.hits, page.lines_kept);

    let mut matcher = node("wort100");
    let mut groups = GroupCounts::new(&[By::Host, By::Year], Sensitivity::IgnoreCase);
    let cost = measure(epoch, texts, |reading| groups.push(reading, &matcher.find(reading)));
    report("by host and year", cost);

    let mut collocations = Collocations::new(5, 5, Sensitivity::IgnoreCase, DEFAULT_LISTED_FORMS);
    let cost = measure(epoch, texts, |reading| collocations.push(reading, &matcher.find(reading)));
    report("collocations", cost);

    for n in [1, 3] {
        let mut counts = FormCounts::new(n, Sensitivity::IgnoreCase, DEFAULT_LISTED_FORMS);
        let cost = measure(epoch, texts, |reading| counts.push(reading));
        report(if n == 1 { "list of words" } else { "3-grams" }, cost);
        let list = counts.list(1, 1);
        println!("    {} of {}, lost {}", list.forms, list.totals.hits, list.lost);
    }
}

fn node(query: &str) -> Matcher {
    let query = NodeQuery::parse(query, TokenRule::Whole, Sensitivity::IgnoreCase);
    Matcher::new(&query.expect("a query"))
}

/// Time per collector, without the time to make the texts up.
fn measure(epoch: Instant, texts: u64, mut push: impl FnMut(&Reading<'_>)) -> (Duration, u64) {
    let mut random = 1;
    let mut spent = Duration::ZERO;
    let mut bytes = 0;
    for number in 0..texts {
        let text = made_up(&mut random);
        let (key, host) = (number.to_string(), format!("host-{}.example", number % 100));
        let text = Text {
            key: &key,
            host: Some(&host),
            year: i32::try_from(2000 + number % 25).ok(),
            text: &text,
            ..Text::default()
        };
        let started = time_spent(epoch);
        push(&Reading::new(&text, TokenRule::Whole, Borders::Sentence));
        spent += time_spent(epoch) - started;
        bytes += text.text.len() as u64;
    }
    (spent, bytes)
}

fn made_up(random: &mut u64) -> String {
    let mut text = String::new();
    let mut next = || {
        *random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*random >> 11) as f64 / (1u64 << 53) as f64
    };
    for number in 0..300 + (next() * 400.0) as u64 {
        // Word n with a probability that falls as 1/n.
        let word = (FORMS as f64).powf(next()) as u64;
        text.push_str(if number % 12 == 0 { "Wort" } else { "wort" });
        text.push_str(&word.to_string());
        text.push_str(if number % 12 == 11 { ". " } else { " " });
    }
    text
}

fn report(what: &str, (spent, bytes): (Duration, u64)) {
    let seconds = spent.as_secs_f64();
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{what:26} {seconds:6.1} s  {:6.1} MB/s  peak {} MB",
        megabytes / seconds,
        peak_memory() / 1000
    );
}

/// In kilobytes; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn time_spent(epoch: Instant) -> Duration {
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_processor.and_then(|it| it.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| epoch.elapsed(), Duration::from_nanos)
}
