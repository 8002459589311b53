//! Each misdeed costs one document, with its reason; the next is read.

use crate::misdeeds::{rich, said};
use crate::{limits, order, process_of, readers, test};
use auslese_reader::{HelperPrograms, Limits, Readers, Request, Start, Unread};
use libtest_mimic::Trial;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::Duration;

pub(crate) fn tests() -> Vec<Trial> {
    vec![
        test("a_text_arrives_as_it_was_read", a_text_arrives_as_it_was_read),
        test("a_request_arrives_as_it_was_made", a_request_arrives_as_it_was_made),
        test("large_documents_and_answers_pass", large_documents_and_answers_pass),
        test("what_a_reader_declines", what_a_reader_declines),
        test("misdeeds_cost_one_document", misdeeds_cost_one_document),
        test("a_reader_that_never_ends", a_reader_that_never_ends),
        test("printing_does_not_disturb", printing_does_not_disturb),
        test("too_long_both_ways", too_long_both_ways),
        test("processes_that_lie", processes_that_lie),
        test("programs_that_are_no_readers", programs_that_are_no_readers),
    ]
}

fn a_text_arrives_as_it_was_read() {
    assert_eq!(readers(limits()).read(&order("rich")), Ok(rich()));
}

fn a_request_arrives_as_it_was_made() {
    let request = Request {
        format: "request",
        name: "Über/a b.pdf",
        mime_type: "application/pdf",
        pages: Some(3),
        bytes: b"\0\xff",
    };
    assert_eq!(readers(limits()).read(&request), Ok(said(format!("{request:?}"))));
}

fn large_documents_and_answers_pass() {
    let readers = readers(limits());
    let bytes = vec![7; 40 << 20];
    let text = readers.read(&Request { format: "length", bytes: &bytes, ..Request::default() });
    assert_eq!(text.unwrap().page_count, Some(40 << 20));
    let request =
        Request { format: "words", pages: Some(300_000), bytes: &bytes, ..Request::default() };
    let text = readers.read(&request).unwrap();
    assert_eq!(text.pages[0].blocks[0].lines[0].words.len(), 300_000);
}

fn what_a_reader_declines() {
    let readers = readers(limits());
    let before = process_of(&readers);
    assert_eq!(readers.read(&order("encrypted")), Err(Unread::Encrypted));
    let format = "clay tablet".to_owned();
    assert_eq!(readers.read(&order(&format)), Err(Unread::NoReader { format }));
    assert_eq!(process_of(&readers), before, "that is no reason to be replaced");
}

fn misdeeds_cost_one_document() {
    let readers = readers(limits());
    #[rustfmt::skip]
    let cases = [
        ("panic",  "reader-panicked",      "the reader broke off: page 7 is upside down (misdeeds.rs:"),
        ("memory", "reader-out-of-memory", "reading it needs more than 256 MiB of memory"),
        ("stack",  "reader-died",          "the reader's process was ended by signal 6: thread 'main'"),
        ("abort",  "reader-died",          "the reader's process was ended by signal 6"),
        ("exit",   "reader-garbled",       "the reader's answer makes no sense"),
    ];
    for (misdeed, kind, reason) in cases {
        let before = process_of(&readers);
        let unread = readers.read(&order(misdeed)).expect_err(misdeed);
        assert_eq!(unread.kind(), kind, "{misdeed}: {unread}");
        assert!(unread.to_string().starts_with(reason), "{misdeed}: {unread}");
        assert_eq!(readers.read(&order("rich")), Ok(rich()), "after {misdeed}");
        assert_ne!(process_of(&readers), before, "after {misdeed}");
    }
}

fn a_reader_that_never_ends() {
    let limit = Duration::from_secs(2);
    let readers = readers(Limits { time: limit, ..limits() });
    for misdeed in ["forever", "shout"] {
        assert_eq!(readers.read(&order(misdeed)), Err(Unread::TimedOut { limit }), "{misdeed}");
        assert_eq!(readers.read(&order("rich")), Ok(rich()), "after {misdeed}");
    }
    // It does not read its document to the end, either.
    let bytes = vec![0; 8 << 20];
    let request = Request { format: "forever", bytes: &bytes, ..Request::default() };
    assert_eq!(readers.read(&request), Err(Unread::TimedOut { limit }));
}

fn printing_does_not_disturb() {
    let readers = readers(limits());
    let before = process_of(&readers);
    assert_eq!(readers.read(&order("print")).unwrap().page_count, Some(1));
    assert_eq!(process_of(&readers), before);
}

fn too_long_both_ways() {
    let readers = readers(Limits { document_bytes: 1000, answer_bytes: 1000, ..limits() });
    let request = |bytes| Request { format: "length", bytes, ..Request::default() };
    assert_eq!(readers.read(&request(&[0; 1000])).unwrap().page_count, Some(1000));
    let unread = Unread::TooLarge { bytes: 1001, limit: 1000 };
    assert_eq!(readers.read(&request(&[0; 1001])), Err(unread));
    let much = Request { pages: Some(1000), ..order("words") };
    assert_eq!(readers.read(&much), Err(Unread::TooMuchText { limit: 1000 }));
    assert_eq!(readers.read(&Request { pages: Some(5), ..much }).unwrap().page_count, Some(1));
}

/// A reader that has been taken over says what it likes, once the document is there.
fn processes_that_lie() {
    let text_of_9 = "5400 0900000000000000";
    let cases = [
        ("nothing", "".to_owned(), "reader-garbled"),
        ("no frame", "00112233445566778899".to_owned(), "reader-garbled"),
        ("half a head", "5400".to_owned(), "reader-garbled"),
        ("half a body", format!("{text_of_9} 00"), "reader-garbled"),
        ("a body of nonsense", format!("{text_of_9} ffffffffffffffffff"), "reader-garbled"),
        ("a list of 2^60 pages", format!("{text_of_9} ffffffffffffffff0f"), "reader-garbled"),
        ("more than it announced", format!("{text_of_9} {}", "00".repeat(99)), "reader-garbled"),
        ("a report instead", "5200 0300000000000000 000000".to_owned(), "reader-garbled"),
        ("an endless body", "5400 ffffffffffffff7f".to_owned(), "too-much-text"),
    ];
    for (lie, answer, kind) in cases {
        let start = Start::this_program(["liar", &answer]);
        let readers = Readers::new(start, limits(), HelperPrograms::default());
        let unread = readers.read(&order("rich")).expect_err(lie);
        assert_eq!(unread.kind(), kind, "{lie}: {unread}");
    }
}

/// Reports that it is ready, waits for a document, and answers with the bytes given as hexadecimal
/// digits.
pub(crate) fn lie(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let digits = arguments.next().unwrap().into_string().unwrap().replace(' ', "");
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    let answer: Vec<u8> = digits.as_bytes().chunks(2).map(byte).collect();
    let mut output = std::io::stdout().lock();
    output.write_all(b"R\0\x03\0\0\0\0\0\0\0\0\0\0").unwrap();
    output.flush().unwrap();
    std::io::stdin().read_exact(&mut [0; 17]).unwrap();
    output.write_all(&answer).unwrap();
    output.flush().unwrap();
    ExitCode::SUCCESS
}

fn programs_that_are_no_readers() {
    let cases = [
        ("/does/not/exist", "No such file"),
        ("/bin/echo", "the reader's answer makes no sense"),
        ("/bin/false", "exit code 1"),
    ];
    for (program, cause) in cases {
        let start = Start { program: program.into(), arguments: vec![] };
        let readers = Readers::new(start, limits(), HelperPrograms::default());
        let unread = readers.read(&order("rich")).expect_err(program);
        assert_eq!(unread.kind(), "reader-not-started", "{program}: {unread}");
        assert!(unread.to_string().contains(cause), "{program}: {unread}");
    }
}
