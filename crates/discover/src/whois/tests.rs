//! The work done is linear in the length of the answer.

use super::{parse_counted, text::MAX_ANSWER_BYTES};
use proptest::prelude::*;

/// Every byte is looked at this often at most.
const STEPS_PER_BYTE: usize = 12;
/// Steps that do not depend on the length.
const STEPS_AT_LEAST: usize = 64;

fn check(answer: &[u8]) {
    let (_, steps) = parse_counted(answer);
    let length = answer.len().min(MAX_ANSWER_BYTES);
    // Bytes that are no UTF-8 may become three times as many.
    assert!(steps <= STEPS_PER_BYTE * 3 * length + STEPS_AT_LEAST, "{steps} for {length}");
}

#[test]
fn work_is_linear_for_awkward_answers() {
    let block = "address: x\n".repeat(2000);
    let repeated = |text: &str| text.repeat(MAX_ANSWER_BYTES / text.len());
    let answers = [
        repeated("a"),
        repeated("\n"),
        repeated(" \n"),
        repeated("registrant:\n"),
        repeated("registrant: x\n\n"),
        repeated("registrant-c: X-1\n"),
        repeated("domain: a.example\nregistrant: X-1\n"),
        repeated("nserver: a.example\n"),
        repeated("inetnum: 192.0.2.0/24\nowner: x\n"),
        repeated(": "),
        repeated("[registrant] "),
        repeated("<b"),
        repeated("("),
        repeated("no match "),
        format!(
            "nic-hdl: X-1\n{block}\n{}",
            "domain: a.example\nregistrant: X-1\nadmin-c: X-1\n\n".repeat(500)
        ),
    ];
    for answer in answers {
        check(answer.as_bytes());
    }
}

proptest! {
    #[test]
    fn work_is_linear(bytes in proptest::collection::vec(any::<u8>(), 0..5000)) {
        check(&bytes);
    }

    #[test]
    fn work_is_linear_for_keys(text in "((registrant|domain|nserver|admin-c|e-mail|nic-hdl|inetnum)?:? ?[a-z.0-9/-]{0,9}\n){0,300}") {
        check(text.as_bytes());
    }
}
