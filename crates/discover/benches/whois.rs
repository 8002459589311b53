//! How long an answer as long as is ever read takes. Run with `cargo bench -p auslese-discover`.

use auslese_discover::parse_whois;
use std::time::{Duration, Instant};

/// As much as is ever read of an answer.
const BYTES: usize = 64 * 1024;
const ROUNDS: u32 = 20;

fn main() {
    #[rustfmt::skip]
    let kinds = [
        ("keys and values",     "Registrant Organization: University of Examples\nName Server: ns1.uni.example\n"),
        ("blocks",              "nic-hdl: X1-NIC\nperson: Jane Doe\naddress: Road 1\ne-mail: jane@uni.example\n\n"),
        ("headings",            "Registrant:\n    University of Examples\n    Road 1\n    12345 Town\n\n"),
        ("sections",            "[Holder]\nName: University of Examples\nCity: Town\n\n"),
        ("dotted",              "holder.............: University of Examples\n"),
        ("terms of use",        "By submitting a query you agree to abide by the terms of use of this service.\n"),
        ("one long line",       "word "),
        ("not found",           "% no entries for this and that were seen\n"),
        ("Latin-1",             "owner: Universit\u{e4}t Beispiel, K\u{f6}ln\n"),
    ];
    for (kind, text) in kinds {
        let mut answer: Vec<u8> = text.repeat(BYTES / text.len()).into_bytes();
        if kind == "Latin-1" {
            answer = text
                .chars()
                .map(|letter| letter as u8)
                .collect::<Vec<_>>()
                .repeat(BYTES / text.len());
        }
        println!("{kind:<20} {:>10.2?}", time(&answer));
    }
}

fn time(answer: &[u8]) -> Duration {
    let start = Instant::now();
    for _ in 0..ROUNDS {
        std::hint::black_box(parse_whois(std::hint::black_box(answer)));
    }
    start.elapsed() / ROUNDS
}
