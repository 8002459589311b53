//! CoNLL-U is valid at the level of its format: by the parser of the `conllu` package, and by the rules of
//! level 1 of the Universal Dependencies validator, checked by a script of our own.

use crate::documents::{described, exported, page};
use crate::tools::{python_with, run_python};
use auslese_export::{DocumentFormat, ExportedDocument};
use proptest::prelude::*;
use std::fs;

const HTML: &str = "<h1>Die Müritz</h1><p>Dr. Weber wohnt im Rhein-Main-Gebiet. Er fährt, z.B. am \
    3. Oktober, nach Waren!<p>Kosten: 3.000,50 Euro (http://a.example/x).<p>\u{a0}\u{200b}<p>a\tb\u{2028}c";

/// The rules of level 1: encoding, line ends, columns, identifiers, comments, and that the text is what
/// the forms spell.
const SCRIPT: &str = r##"
import re, sys, unicodedata
import conllu
data = open(sys.argv[1], "rb").read()
text = data.decode("utf-8")
assert "\r" not in text and not text.startswith("\ufeff")
assert text == "" or text.endswith("\n\n") and "\n\n\n" not in text and not text.startswith("\n")
ids = set()
sentences = text.split("\n\n")[:-1] if text else []
for block in sentences:
    lines = block.split("\n")
    comments = [line for line in lines if line.startswith("#")]
    words = lines[len(comments):]
    assert words and not any(line.startswith("#") and "\t" not in line for line in words)
    meta = dict(line[2:].split(" = ", 1) for line in comments)
    assert meta["sent_id"] not in ids and re.fullmatch(r"[^\s/]+", meta["sent_id"])
    ids.add(meta["sent_id"])
    spelled = ""
    for number, line in enumerate(words, 1):
        columns = line.split("\t")
        assert len(columns) == 10, line
        assert columns[0] == str(number)
        assert all(column != "" and column == column.strip() for column in columns), line
        assert not re.search(r"\s", columns[1]), line
        assert columns[2:9] == ["_"] * 7
        assert columns[9] in ("_", "SpaceAfter=No")
        spelled += columns[1] + ("" if columns[9] == "SpaceAfter=No" else " ")
    assert spelled.rstrip(" ") == meta["text"], (spelled, meta["text"])
parsed = conllu.parse(text)
assert len(parsed) == len(sentences), (len(parsed), len(sentences))
print(len(parsed), sum(len(sentence) for sentence in parsed))
"##;

fn checked(documents: &[ExportedDocument], test: &str) -> Option<String> {
    let python = python_with("conllu", test)?;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.conllu");
    fs::write(&file, exported(DocumentFormat::Conllu, documents)).expect("a file");
    Some(run_python(&python, SCRIPT, &file))
}

#[test]
fn sentences_and_tokens() {
    let conllu = exported(DocumentFormat::Conllu, &[described(5, HTML.as_bytes())]);
    let beginning = "# newdoc id = d5\n# url = http://www.mueritz.example/seiten/5.html\n\
        # title = Die Müritz: \"See\" & <Land>\\\n# lang = de\n# newpar id = d5-p1\n# sent_id = d5-p1-s1\n\
        # text = Die Müritz\n1\tDie\t_\t_\t_\t_\t_\t_\t_\t_\n2\tMüritz\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    assert!(conllu.starts_with(beginning), "{conllu}");
    assert!(conllu.contains("# text = Kosten: 3.000,50 Euro (http://a.example/x).\n"), "{conllu}");
    assert!(conllu.contains("\tRhein-Main-Gebiet\t"), "{conllu}");
}

#[test]
fn others_read_it() {
    let test = "conllu::others_read_it";
    let Some(counts) =
        checked(&[described(5, HTML.as_bytes()), page(b""), described(6, b"<p>a")], test)
    else {
        return;
    };
    assert_eq!(counts.trim(), "6 31");
}

#[test]
fn any_text_is_valid() {
    let test = "conllu::any_text_is_valid";
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 3,
        ..ProptestConfig::default()
    });
    let pages = proptest::collection::vec("(\\PC|[ .!?#=\t\n<>&;-]){0,80}", 200);
    let outcome = runner.run(&pages, |pages| {
        let numbered = pages.iter().enumerate();
        let documents: Vec<ExportedDocument> =
            numbered.map(|(at, html)| described(at as i64, html.as_bytes())).collect();
        checked(&documents, test);
        Ok(())
    });
    outcome.expect("all are valid");
}
