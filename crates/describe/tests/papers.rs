//! The shipped set `papers` on heads of papers: the forms in which codes of a classification,
//! abstracts and keywords are marked, and in which title pages name authors and others.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{Around, Heuristics, Subject, Weights, describe};
use auslese_model::{Description, Field};
use std::sync::LazyLock;

static HEURISTICS: LazyLock<Heuristics> = LazyLock::new(|| Heuristics::shipped("papers").unwrap());

const TEXT: &str = "We study the growth of forests on boards with six corners. Trees are planted one \
    after the other, and each of them takes the light from its neighbours in a way that is explained below.";

/// A paper of one page with these blocks between its author and its first section. A block is a line;
/// words between stars are bold.
fn paper(blocks: &[&str]) -> Description {
    let mut html =
        block(1, 17, "*Forests* *on* *hexagonal* *boards*") + &block(2, 12, "Ada Quendel");
    for (number, text) in blocks.iter().enumerate() {
        html += &block(number + 3, 10, text);
    }
    html += &block(blocks.len() + 3, 14, "*1* *Introduction*");
    html += &block(blocks.len() + 4, 10, "The question was raised in a seminar a long time ago.");
    let page = auslese_markup::parse(format!("<page number=1>{html}</page>").as_bytes(), None);
    let subject = Subject { page: &page, url: None, around: &Around::default() };
    describe(&subject, &HEURISTICS, &Weights::shipped_for("papers"))
}

fn block(number: usize, size: usize, text: &str) -> String {
    let words: Vec<String> = text
        .split(' ')
        .map(|word| match word.strip_prefix('*').and_then(|word| word.strip_suffix('*')) {
            Some(bold) => format!("<word bold=yes>{bold}</word>"),
            None => format!("<word>{word}</word>"),
        })
        .collect();
    let weight = if words.iter().all(|word| word.contains("bold")) { " bold=yes" } else { "" };
    let (rank, top) = (if number == 1 { 1 } else { 2 }, number as f32 / 20.0);
    format!(
        "<block number={number} size={size}{weight} rank={rank} page-rank={rank} lines=1 position={top}>\
         <line number=1>{}</line></block>",
        words.join(" ")
    )
}

fn chosen(paper: &Description, field: Field) -> Vec<&str> {
    let of_field = paper.statements.iter().filter(|it| it.field == field && it.chosen);
    of_field.map(|it| it.value.as_str()).collect()
}

#[test]
fn codes_of_the_classification_in_all_their_forms() {
    #[rustfmt::skip]
    let cases: [(&str, &[&str]); 9] = [
        ("AMS subject classification: 65F10, 65-01, 11Axx", &["65F10", "65-01", "11Axx"]),
        ("1991 Mathematics Subject Classification. Primary 05C15; Secondary 68R10.", &["05C15", "68R10"]),
        ("*Mathematics* *Subject* *Classification* *(2000)* 05C15 · 68R10", &["05C15", "68R10"]),
        ("MSC2020: 60K35", &["60K35"]),
        ("AMS-Klassifikation (2000): 60K35", &["60K35"]),
        ("Classification mathématique : 60K35, 05C80.", &["60K35", "05C80"]),
        // The zero in front and the last digit may be missing.
        ("AMS subject classification: 5C2", &["5C2"]),
        // Pages of journals and years are no codes.
        ("Mathematics of subjects, pp. 12-15, 2004", &[]),
        ("Received 3 May 2004, room 12A10", &[]),
    ];
    for (line, codes) in cases {
        assert_eq!(chosen(&paper(&[line]), Field::Classification), codes, "{line}");
    }
}

#[test]
fn codes_of_no_section_are_kept_but_not_believed() {
    let areas = "00 01 03 04 05 06 08 11 12 13 14 15 16 17 18 19 20 22 26 28 30 31 32 33 34 35 37 39 40 \
        41 42 43 44 45 46 47 49 51 52 53 54 55 57 58 60 62 65 68 70 73 74 76 78 80 81 82 83 85 86 90 91 92 93 \
        94 97";
    let areas: Vec<&str> = areas.split_whitespace().collect();
    for number in 0..100 {
        let area = format!("{number:02}");
        let paper = paper(&[&format!("AMS subject classification: {area}B25")]);
        let known = areas.contains(&area.as_str());
        let code = paper.statements.iter().find(|it| it.field == Field::Classification).unwrap();
        assert_eq!(code.chosen, known, "{area}");
        assert_eq!(code.weight > 0.5, known, "{area}");
    }
}

#[test]
fn abstracts_begin_and_end_by_their_marks() {
    let run_in = format!("*Abstract* {TEXT}");
    let stopped = format!("ABSTRACT. {TEXT}");
    let two = format!("Résumé. {TEXT} Abstract. The same in another language.");
    let cases: [&[&str]; 5] = [
        &["*Abstract*", TEXT, "Keywords: forests, boards"],
        &[&run_in, "*Keywords* forests · boards"],
        &[&stopped, "MSC2020: 60K35"],
        &["*Kurzreferat*", TEXT, "Schlagwörter: Wälder"],
        &[&two],
    ];
    for blocks in cases {
        assert_eq!(chosen(&paper(blocks), Field::Abstract), [TEXT], "{blocks:?}");
    }
    // A word of the text itself is no label.
    let own = format!("Abstract forests are considered. {TEXT}");
    assert_eq!(chosen(&paper(&["*Abstract*", &own]), Field::Abstract), [own.as_str()]);
}

#[test]
fn keywords_behind_their_labels() {
    let cases: [&[&str]; 7] = [
        &["Keywords: forests, boards, six corners"],
        &["*Keywords* forests · boards · six corners"],
        &["Key words and phrases. forests, boards, six corners. 2000 MSC: 60K35"],
        &["Schluesselwoerter: forests; boards; six corners"],
        &["Additional Key Words and Phrases: forests, boards, six corners"],
        &["*Index* *Terms* — forests, boards, six corners."],
        &["*Keywords*", "forests, boards, six corners"],
    ];
    for blocks in cases {
        let described = paper(blocks);
        let found = chosen(&described, Field::Keywords);
        assert_eq!(found, ["forests", "boards", "six corners"], "{blocks:?}");
    }
    assert_eq!(chosen(&paper(&["Keywords play no role here"]), Field::Keywords), [""; 0]);
}

/// A first page of blocks, each with its size of type; the lines of a block are divided by `/`, cells of a
/// line by `|`, and `^` is in front of marks.
fn title_page(blocks: &[(usize, &str)]) -> Description {
    let largest = blocks.iter().map(|block| block.0).max().unwrap();
    let mut html = String::new();
    let mut top = 60;
    for (number, (size, text)) in blocks.iter().enumerate() {
        let lines: Vec<&str> = text.split(" / ").collect();
        let rank = if *size == largest { 1 } else { 2 };
        html += &format!(
            "<block number={} size={size} rank={rank} page-rank={rank} lines={} gap=20 top={top} position={}>",
            number + 1,
            lines.len(),
            f64::from(top) / 842.0
        );
        for line in lines {
            top += 14;
            html += &format!("<line size={size} left=100 baseline={top}>{}</line>", words(line));
        }
        html += "</block>\n";
        top += 20;
    }
    let page = auslese_markup::parse(format!("<page number=1>{html}</page>").as_bytes(), None);
    let subject = Subject { page: &page, url: None, around: &Around::default() };
    describe(&subject, &HEURISTICS, &Weights::shipped_for("papers"))
}

fn words(line: &str) -> String {
    let mut html = String::new();
    for word in line.split(' ') {
        match (word, word.strip_prefix('^')) {
            ("|", _) => {
                let last = html.rfind("<word>").unwrap();
                html.replace_range(last..last + 6, "<word spaced=yes>");
            }
            (_, Some(mark)) => html = format!("{}<word raised=3>{mark}</word> ", html.trim_end()),
            _ => html += &format!("<word>{word}</word> "),
        }
    }
    html.trim_end().to_owned()
}

/// The blocks of a title page with their sizes, and its authors.
type TitlePage = (&'static [(usize, &'static str)], &'static [&'static str]);

#[test]
fn authors_and_those_who_are_none() {
    const TITLE: &str = "Forests on hexagonal boards";
    #[rustfmt::skip]
    let cases: [TitlePage; 13] = [
        // Side by side, and in rows.
        (&[(17, TITLE), (12, "Ada Quendel | Otto Beispiel"), (12, "Karl Muster | Ute Frank")],
            &["Ada Quendel", "Otto Beispiel", "Karl Muster", "Ute Frank"]),
        (&[(17, TITLE), (12, "Ada Quendel ^1 | Otto Beispiel ^2")], &["Ada Quendel", "Otto Beispiel"]),
        // With institutes behind them.
        (&[(17, TITLE), (12, "Ada Quendel, Universität Auerstetten / Otto Beispiel, Institut für Forsten")],
            &["Ada Quendel", "Otto Beispiel"]),
        (&[(17, TITLE), (12, "Ada Quendel – University of Eastmere / Otto Beispiel – University of Eastmere")],
            &["Ada Quendel", "Otto Beispiel"]),
        // A series between title and names, and a name that goes on in the next line.
        (&[(17, TITLE), (12, "Technischer Bericht 97-06"), (12, "Ada Quendel")], &["Ada Quendel"]),
        (&[(17, TITLE), (12, "Ada Quendel, Otto Beispiel, Maria / Muster and Ute Frank")],
            &["Ada Quendel", "Otto Beispiel", "Maria Muster", "Ute Frank"]),
        // Examiners, advisers and editors.
        (&[(17, TITLE), (14, "Magisterarbeit"), (12, "vorgelegt von: | Ada Quendel / Erstgutachterin: | Prof. Dr. Ute Frank / Zweitgutachter: | Karl Muster")],
            &["Ada Quendel"]),
        (&[(14, "Ada Quendel"), (17, TITLE), (12, "Dissertation"), (12, "Gutachter: / Prof. Dr. Ute Frank / Dr. Karl Muster")],
            &["Ada Quendel"]),
        (&[(17, TITLE), (14, "Master Thesis"), (12, "Author: | Supervisor: / Ada Quendel | Dr. Karl Muster")], &["Ada Quendel"]),
        (&[(17, TITLE), (12, "Inaugural-Dissertation"), (12, "vorgelegt von / Dipl.-Math. Ada Quendel / aus Auerstetten"), (12, "Dekan: Prof. Dr. Ute Frank")],
            &["Ada Quendel"]),
        (&[(12, "herausgegeben von / Ute Frank und Karl Muster"), (14, "Ada Quendel"), (17, TITLE)], &["Ada Quendel"]),
        (&[(17, TITLE), (12, "Dedicated to Karl Muster on his birthday"), (12, "Ada Quendel")], &["Ada Quendel"]),
        (&[(17, TITLE), (12, "ADA VON DER HEIDE AND OTTO BEISPIEL")], &["ADA VON DER HEIDE", "OTTO BEISPIEL"]),
    ];
    for (blocks, authors) in cases {
        let page = title_page(blocks);
        assert_eq!(chosen(&page, Field::Title), [TITLE], "{blocks:?}");
        let (mut found, mut expected) = (chosen(&page, Field::Author), authors.to_vec());
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{blocks:?}");
    }
}

#[test]
fn what_stands_below_a_title_and_is_no_subtitle() {
    const TITLE: &str = "Der Wald auf dem Brett und seine Bäume";
    for below in [
        "(Forests on the Board)",
        "Dem Andenken an Karl Muster",
        "12. Mai 2004",
        "Arbeitspapiere zur Forstwirtschaft, Band 7",
        "Ada Quendel und Otto zur Mühlen",
    ] {
        let page = title_page(&[(17, TITLE), (12, below), (11, "Ada Quendel")]);
        assert_eq!(chosen(&page, Field::Title), [TITLE], "{below}");
    }
    let page = title_page(&[(17, TITLE), (14, "Eine Studie in sechs Ecken"), (11, "Ada Quendel")]);
    assert_eq!(
        chosen(&page, Field::Title),
        ["Der Wald auf dem Brett und seine Bäume: Eine Studie in sechs Ecken"]
    );
}
