//! Ghostscript and pdftotext with documents that want more than to be read.

use crate::{limits, test};
use auslese_reader::{Helped, Helper, HelperPrograms, Limits, Readers, Start, Unread};
use libtest_mimic::Trial;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(crate) fn tests() -> Vec<Trial> {
    vec![
        test("postscript_becomes_text", postscript_becomes_text),
        test("pdf_becomes_words_with_boxes", pdf_becomes_words_with_boxes),
        test("postscript_that_never_ends", postscript_that_never_ends),
        test("postscript_that_eats_memory", postscript_that_eats_memory),
        test("postscript_that_writes_without_end", postscript_that_writes_without_end),
        test("postscript_that_is_wrong", postscript_that_is_wrong),
        test("postscript_that_does_not_read_on", postscript_that_does_not_read_on),
        test("postscript_that_wants_files", postscript_that_wants_files),
        test("without_helpers", without_helpers),
        test("helpers_and_their_versions", helpers_and_their_versions),
    ]
}

fn ask(
    limits: Limits,
    helper: Helper,
    document: &str,
    pages: Option<u32>,
) -> Result<Helped, Unread> {
    let start = Start::this_program(["reader"]);
    let readers = Readers::new(start, limits, HelperPrograms::installed());
    readers.ask(helper, document.as_bytes(), pages)
}

fn run(document: &str) -> Result<Helped, Unread> {
    ask(limits(), Helper::Ghostscript, document, None)
}

fn page(text: &str) -> String {
    format!("/Times-Roman findfont 12 scalefont setfont 72 700 moveto ({text}) show showpage\n")
}

/// The letters in Ghostscript's output.
fn letters(output: &[u8]) -> String {
    let output = String::from_utf8_lossy(output);
    output.split(" c=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn postscript_becomes_text() {
    let document = format!("%!PS\n(not this) print {}{}", page("Kants Ethik"), page("Teil 2"));
    let helped = run(&document).unwrap();
    assert_eq!(helped.broken_off, None);
    assert_eq!(letters(&helped.output), "Kants EthikTeil 2");
    assert!(String::from_utf8_lossy(&helped.output).contains("size=\"12.0000\""));
    assert!(!String::from_utf8_lossy(&helped.output).contains("not this"));
    let first = ask(limits(), Helper::Ghostscript, &document, Some(1)).unwrap();
    assert_eq!(letters(&first.output), "Kants Ethik");
}

fn pdf_becomes_words_with_boxes() {
    let text = "BT /F1 12 Tf 72 700 Td (Kants Ethik) Tj ET";
    let document = format!(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
         2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R\
         /Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>>>>>endobj\n\
         4 0 obj<</Length {}>>stream\n{text}\nendstream endobj\n\
         trailer<</Root 1 0 R/Size 5>>\n%%EOF\n",
        text.len()
    );
    let helped = ask(limits(), Helper::Pdftotext, &document, Some(3)).unwrap();
    let output = String::from_utf8_lossy(&helped.output);
    assert_eq!(helped.broken_off, None, "{output}");
    assert!(output.contains(">Kants</word>") && output.contains("xMin=\"72.0"), "{output}");
    let unread = ask(limits(), Helper::Pdftotext, "not a PDF", None).unwrap_err();
    assert_eq!(unread.kind(), "reader-died", "{unread}");
}

fn postscript_that_never_ends() {
    let limit = Duration::from_secs(4);
    let limits = Limits { helper_time: limit, ..limits() };
    let timed_out = Unread::TimedOut { limit };
    let ask = |document: &str| ask(limits.clone(), Helper::Ghostscript, document, None);
    assert_eq!(ask("%!\n{} loop"), Err(timed_out.clone()));
    // Ghostscript collects some output before it writes it, so there have to be some pages.
    let helped = ask(&format!("%!\n{} {{}} loop", page("so far ").repeat(99))).unwrap();
    assert_eq!(helped.broken_off, Some(timed_out));
    assert!(letters(&helped.output).starts_with("so far so far "));
}

fn postscript_that_eats_memory() {
    let limits = Limits { helper_memory: 256 << 20, ..limits() };
    let unread = ask(limits, Helper::Ghostscript, "%!\n[ { 60000 string } loop", None);
    assert_eq!(unread, Err(Unread::TooMuchMemory { limit: 256 << 20 }));
}

fn postscript_that_writes_without_end() {
    let limits = Limits { helper_output: 100_000, ..limits() };
    let document = format!("%!\n{{ {} }} loop", page("again"));
    let helped = ask(limits, Helper::Ghostscript, &document, None).unwrap();
    assert_eq!(helped.broken_off, Some(Unread::TooMuchText { limit: 100_000 }));
    assert!((100_000..300_000).contains(&helped.output.len()), "{}", helped.output.len());
}

fn postscript_that_is_wrong() {
    let helped = run(&format!("%!\n{} nonsense", page("before"))).unwrap();
    assert_eq!(letters(&helped.output), "before");
    let reason = helped.broken_off.unwrap().to_string();
    assert!(reason.contains("ended with exit code 1"), "{reason}");
}

fn postscript_that_does_not_read_on() {
    let document = format!("%!\n{} quit\n{}", page("enough"), "x".repeat(20_000_000));
    assert_eq!(letters(&run(&document).unwrap().output), "enough");
}

/// Ghostscript itself refuses; and if it did not, the kernel would.
fn postscript_that_wants_files() {
    let directory = tempfile::tempdir().unwrap();
    let secret = directory.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let written = directory.path().join("written");
    let (secret, written) = (secret.display(), written.display());
    #[rustfmt::skip]
    let deeds = [
        // what                             safe        without -dSAFER
        ("(/etc/passwd) (r) file".to_owned(),       "refused", "refused"),
        (format!("({secret}) (r) file"),            "refused", "refused"),
        (format!("({written}) (w) file"),           "refused", "refused"),
        (format!("({secret}) deletefile 1"),        "refused", "refused"),
        ("(%pipe%/bin/ls) (r) file".to_owned(),     "refused", "refused"),
        // That the kernel refuses not everything shows that the refusals above are its own.
        ("(/etc/fonts/fonts.conf) (r) file".to_owned(), "refused", "opened"),
    ];
    for (deed, safe, unsafe_) in deeds {
        let document = format!(
            "%!\n{{ {deed} }} stopped {{ (refused) }} {{ (opened) }} ifelse\n\
             /Times-Roman findfont 12 scalefont setfont 72 700 moveto show showpage"
        );
        assert_eq!(letters(&run(&document).unwrap().output), safe, "{deed}");
        assert_eq!(letters(&run_without_safer(&document)), unsafe_, "{deed} without -dSAFER");
    }
    assert_eq!(fs::read_to_string(directory.path().join("secret")).unwrap(), "secret");
    assert!(!directory.path().join("written").exists());
}

fn run_without_safer(document: &str) -> Vec<u8> {
    let program = HelperPrograms::installed().status()[0].program.clone().expect("Ghostscript");
    let orders = format!(
        r#"{{"helper":{{"program":{program:?},"arguments":["-q","-dNOSAFER","-dBATCH","-dNOPAUSE",
        "-sDEVICE=txtwrite","-dTextFormat=0","-sstdout=%stderr","-sOutputFile=-","-"],
        "memory":1000000000,"cpu-seconds":60,"parent":{}}}}}"#,
        std::process::id()
    );
    let mut child = Command::new("/proc/self/exe")
        .args(["reader", &orders])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(document.as_bytes()).unwrap();
    child.wait_with_output().unwrap().stdout
}

fn without_helpers() {
    let start = Start::this_program(["reader"]);
    let readers = Readers::new(start, limits(), HelperPrograms::within([]));
    let unread = readers.ask(Helper::Ghostscript, b"%!", None).unwrap_err();
    assert_eq!(unread.to_string(), "gs is not installed; install the package ghostscript");
    assert_eq!(unread.kind(), "no-helper");
    assert!(readers.read(&crate::order("rich")).is_ok());
    let status = readers.programs().status();
    assert!(status.iter().all(|status| status.program.is_none() && status.version.is_none()));
}

fn helpers_and_their_versions() {
    for status in HelperPrograms::installed().status() {
        let version = status.version.expect("it is installed");
        assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{version}");
        assert!(status.program.is_some_and(|program| program.is_absolute()));
    }
}
