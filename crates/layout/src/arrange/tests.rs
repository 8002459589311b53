//! Pieces of type put together to words, lines, blocks and columns, case by case.

use super::arrange;
use crate::{Alignment, LayoutPage, PageOfPieces, Piece, Style};
use std::ops::Range;

fn piece(text: &str, left: f32, baseline: f32, size: f32) -> Piece {
    let right = left + 0.5 * size * text.chars().count() as f32;
    Piece {
        text: text.to_owned(),
        left,
        right,
        baseline,
        style: Style { size, ..Style::default() },
    }
}

/// A line of words from `left` on, filled up to `right` if that is far away.
fn line(text: &str, left: f32, baseline: f32, size: f32) -> Vec<Piece> {
    let mut at = left;
    text.split(' ')
        .map(|word| {
            let piece = piece(word, at, baseline, size);
            at = piece.right + 0.33 * size;
            piece
        })
        .collect()
}

fn page(pieces: Vec<Piece>) -> LayoutPage {
    arrange(&PageOfPieces { width: 595.0, height: 842.0, pieces })
}

fn texts(page: &LayoutPage) -> Vec<String> {
    page.blocks.iter().map(|block| block.text()).collect()
}

#[test]
fn pieces_that_touch_are_one_word() {
    let mut pieces = line("first second", 100.0, 100.0, 10.0);
    let right = pieces[1].right;
    pieces.push(piece("ly", right + 0.5, 100.0, 10.0));
    assert_eq!(texts(&page(pieces)), ["first secondly"]);
}

#[test]
fn smaller_type_beside_and_above_is_raised() {
    let mut pieces = line("Anna Muster", 100.0, 100.0, 10.0);
    let right = pieces[1].right;
    pieces.push(piece("1,2", right + 0.2, 96.4, 7.0));
    let page = page(pieces);
    let words = &page.blocks[0].lines[0].words;
    assert_eq!(words.len(), 3);
    assert!((words[2].raised - 3.6).abs() < 0.01);
    assert_eq!(words[1].raised, 0.0);
}

#[test]
fn a_shifted_letter_of_the_same_size_joins_its_word() {
    let pieces = vec![
        piece("written", 50.0, 100.0, 10.0),
        piece("in", 88.0, 100.0, 10.0),
        piece("T", 101.0, 100.0, 10.0),
        piece("E", 105.5, 102.2, 10.0),
        piece("X", 109.5, 100.0, 10.0),
        piece("today", 118.0, 100.0, 10.0),
    ];
    assert_eq!(texts(&page(pieces)), ["written in TEX today"]);
}

#[test]
fn columns_are_read_one_after_the_other_below_a_spanning_title() {
    let mut pieces = line("A title that spans both of the columns", 150.0, 60.0, 16.0);
    for row in 0..12 {
        let baseline = 100.0 + 12.0 * row as f32;
        pieces.extend(line(&format!("left{row} words of this first column"), 60.0, baseline, 10.0));
        pieces.extend(line(
            &format!("right{row} words of the other column"),
            310.0,
            baseline + 3.0,
            10.0,
        ));
    }
    let page = page(pieces);
    let texts = texts(&page);
    assert_eq!(texts.len(), 3, "{texts:#?}");
    assert!(texts[0].starts_with("A title"));
    assert!(texts[1].starts_with("left0") && texts[1].contains("left11"));
    assert!(texts[2].starts_with("right0") && texts[2].contains("right11"));
    assert_eq!([None, Some(0), Some(1)], [0, 1, 2].map(|block: usize| page.blocks[block].column));
}

/// Two columns as narrow apart as the letters are high, from `top` on.
fn narrow_columns(left_rows: Range<usize>, right_rows: Range<usize>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let full = "words that fill it";
    for row in left_rows {
        pieces.extend(line(
            &format!("left{row:02} {full} sharply to its end"),
            60.0,
            at(row),
            10.0,
        ));
    }
    // The left column ends where its lines do; the gutter behind it is one em wide.
    let right = pieces.iter().map(|piece| piece.right).fold(0.0, f32::max) + 10.0;
    for row in right_rows {
        pieces.extend(line(
            &format!("right{row:02} {full} sharply to the end"),
            right,
            at(row),
            10.0,
        ));
    }
    pieces
}

fn at(row: usize) -> f32 {
    100.0 + 12.0 * row as f32
}

#[test]
fn a_heading_beside_a_line_of_the_other_column_does_not_join_them() {
    let mut pieces = narrow_columns(0..16, 0..16);
    let right = pieces.iter().find(|piece| piece.text == "right08").map_or(0.0, |piece| piece.left);
    pieces.retain(|piece| piece.left < right || piece.baseline != at(8));
    pieces.extend(line("2 Heading", right, at(8), 14.4));
    let page = page(pieces);
    let texts = texts(&page);
    assert!(texts[0].starts_with("left00") && texts[0].contains("left15"), "{texts:#?}");
    assert_eq!(texts[2], "2 Heading", "{texts:#?}");
}

#[test]
fn a_column_of_few_lines_beside_a_long_one() {
    let texts = texts(&page(narrow_columns(21..24, 0..24)));
    assert_eq!(texts.len(), 2, "{texts:#?}");
    assert!(texts[0].starts_with("left21") && texts[0].contains("left23"));
    assert!(texts[1].starts_with("right00") && texts[1].contains("right23"));
}

#[test]
fn what_does_not_stand_side_by_side_is_no_column() {
    let texts = texts(&page(narrow_columns(20..26, 0..6)));
    assert!(texts[0].starts_with("right00"), "{texts:#?}");
}

#[test]
fn the_last_line_of_a_paragraph_above_the_columns_stays_with_it() {
    let mut pieces =
        line("a paragraph that is as wide as both of the columns and some more", 80.0, 60.0, 10.0);
    pieces.extend(line("ends here", 80.0, 72.0, 10.0));
    pieces.extend(narrow_columns(0..12, 0..12));
    let texts = texts(&page(pieces));
    assert!(texts[0].ends_with("some more ends here"), "{texts:#?}");
}

#[test]
fn paragraphs_begin_by_gap_indentation_size_and_centring() {
    let long = "these words fill the line up to the right edge of it";
    let width = line(long, 0.0, 0.0, 10.0).last().map_or(0.0, |piece| piece.right);
    let mut pieces = line("Centred title", 60.0 + width / 2.0 - 44.3, 80.0, 14.0);
    pieces.extend(line(long, 60.0, 120.0, 10.0));
    pieces.extend(line(long, 60.0, 132.0, 10.0));
    pieces.extend(line("short end", 60.0, 144.0, 10.0));
    pieces.extend(line("indented first line", 75.0, 156.0, 10.0));
    pieces.extend(line(long, 60.0, 168.0, 10.0));
    pieces.extend(line(long, 60.0, 195.0, 10.0));
    pieces.extend(line("[1] an entry of the list", 60.0, 215.0, 10.0));
    pieces.extend(line("with a second line", 75.0, 227.0, 10.0));
    pieces.extend(line("[2] another entry", 60.0, 239.0, 10.0));
    pieces.extend(line("with a second line", 75.0, 251.0, 10.0));
    let page = page(pieces);
    let texts = texts(&page);
    assert_eq!(page.blocks[0].alignment, Some(Alignment::Centred));
    assert_eq!(page.blocks[1].alignment, Some(Alignment::Justified));
    let beginnings: Vec<&str> = texts.iter().map(|text| &text[..8]).collect();
    let expected = ["Centred ", "these wo", "indented", "these wo", "[1] an e", "[2] anot"];
    assert_eq!(beginnings, expected, "{texts:#?}");
}

#[test]
fn headings_in_the_type_of_the_text_and_paragraphs_without_indentation() {
    let long = "these words fill the line up to the right edge of it";
    let right = line(long, 60.0, 0.0, 10.0).last().map_or(0.0, |piece| piece.right);
    let bold = |mut pieces: Vec<Piece>| {
        pieces[0].style.bold = true;
        pieces
    };
    let mut pieces = line("Summary", 60.0, 88.0, 10.0);
    pieces.extend(line(long, 60.0, 100.0, 10.0));
    pieces.extend(line(long, 60.0, 112.0, 10.0));
    pieces.extend(line("the words end a little earlier than the", 60.0, 124.0, 10.0));
    pieces.extend(bold(line("Keywords words lines", 60.0, 136.0, 10.0)));
    pieces.extend(line("Centred", 42.5 + right / 2.0, 170.0, 10.0));
    for row in 0..3 {
        let mut narrow = line(long, 60.0, 182.0 + 12.0 * row as f32, 10.0);
        narrow.remove(0);
        narrow.pop();
        pieces.extend(narrow);
    }
    let texts = texts(&page(pieces));
    let beginnings: Vec<&str> = texts.iter().map(|text| &text[..7]).collect();
    assert_eq!(beginnings, ["Summary", "these w", "Keyword", "Centred", "words f"], "{texts:#?}");
}

#[test]
fn divided_words_are_joined() {
    #[rustfmt::skip]
    let cases = [
        ("Ver-", "öffentlichung", "Veröffentlichung"),
        ("trans-", "lation", "translation"),
        ("Baden-", "Württemberg", "Baden-Württemberg"),
        ("COVID-", "19", "COVID-19"),
        ("Ein-", "und", "Ein- und"),
        ("two-", "and", "two- and"),
        ("soft\u{AD}", "ware", "software"),
        ("–", "dash", "– dash"),
        ("x–", "dash", "x– dash"),
        ("-", "minus", "- minus"),
    ];
    for (end, beginning, expected) in cases {
        let mut pieces = line(end, 100.0, 100.0, 10.0);
        pieces.extend(line(beginning, 100.0, 112.0, 10.0));
        assert_eq!(texts(&page(pieces)), [expected], "{end} {beginning}");
    }
}

#[test]
fn names_side_by_side_are_read_one_after_the_other() {
    let mut pieces = line("The common title of them both today", 120.0, 100.0, 17.0);
    let middle = (pieces[0].left + pieces[6].right) / 2.0;
    pieces.extend(line("Anna Muster", middle - 130.0, 140.0, 12.0));
    pieces.extend(line("Max Bauer", middle + 70.0, 140.0, 12.0));
    pieces.extend(line("University of A", middle - 142.0, 154.0, 12.0));
    pieces.extend(line("Univ of B", middle + 72.0, 154.0, 12.0));
    let full = "body text that fills its lines from the left to the right edge of all";
    for row in 0..6 {
        pieces.extend(line(full, middle - 170.0, 200.0 + 12.0 * row as f32, 10.0));
    }
    let texts = texts(&page(pieces));
    assert_eq!(texts[1..3], ["Anna Muster University of A", "Max Bauer Univ of B"], "{texts:#?}");
}

#[test]
fn hostile_pieces_are_survived() {
    let strange = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 0.0, 1e-30];
    let mut pieces = Vec::new();
    for (number, a) in strange.iter().enumerate() {
        for b in strange {
            let style = Style { size: *a, ..Style::default() };
            let (left, right) = (b, strange[(number + 3) % strange.len()]);
            pieces.push(Piece { text: "x".to_owned(), left, right, baseline: *a, style });
        }
    }
    page(pieces);
    // All at one spot, and in a staircase of marks.
    page(vec![piece("x", 100.0, 100.0, 10.0); 50_000]);
    let stairs = (0..100_000).map(|step| {
        piece("x", 0.1 * (step % 1_000) as f32, 0.01 * step as f32, 10.0 + (step % 7) as f32)
    });
    let page = page(stairs.collect());
    let letters: usize = texts(&page).iter().map(|text| text.matches('x').count()).sum();
    assert_eq!(letters, 100_000, "no letter is lost");
}

#[test]
fn lines_of_a_title_page_belong_together() {
    let centred = |text: &str, baseline: f32, size: f32| {
        let width = line(text, 0.0, 0.0, size).last().map_or(0.0, |piece| piece.right);
        line(text, 297.5 - width / 2.0, baseline, size)
    };
    let mut pieces = centred("University of Somewhere", 100.0, 14.0);
    pieces.extend(centred("Numerical solution of", 250.0, 24.0));
    pieces.extend(centred("differential equations of higher", 280.0, 24.0));
    pieces.extend(centred("order", 310.0, 24.0));
    pieces.extend(centred("Anna Muster", 400.0, 14.0));
    let page = page(pieces);
    let expected = [
        "University of Somewhere",
        "Numerical solution of differential equations of higher order",
        "Anna Muster",
    ];
    assert_eq!(texts(&page), expected);
    assert!(page.blocks.iter().all(|block| block.alignment == Some(Alignment::Centred)));
}

/// Full lines of text from a baseline on, as a page of one column has them.
fn prose(from: f32) -> Vec<Piece> {
    let words = "the text of the paper goes on across the whole page in lines like this one here";
    (0..8).flat_map(|n| line(words, 50.0, from + 12.0 * n as f32, 10.0)).collect()
}

#[test]
fn a_narrow_text_beside_another_is_read_by_itself() {
    let mut pieces = line("A title above", 50.0, 80.0, 20.0);
    for (n, word) in ["Keywords", "transport", "turbidity", "MSC 2010", "86A05"].iter().enumerate()
    {
        pieces.extend(line(word, 50.0, 121.0 + 9.5 * n as f32, 8.0));
    }
    for n in 0..5 {
        let words = "what the abstract says in lines of its own that are rather long";
        pieces.extend(line(words, 160.0, 120.0 + 12.0 * n as f32, 10.0));
    }
    pieces.extend(prose(220.0));
    let texts = texts(&page(pieces));
    let marks: Vec<&String> = texts.iter().filter(|text| text.contains("turbidity")).collect();
    assert!(marks.iter().all(|text| !text.contains("abstract")), "{texts:#?}");
    assert!(texts.iter().any(|text| text.matches("abstract").count() == 5), "{texts:#?}");
}

/// A line with a space between its words so wide that it ends at `right`.
fn full_line(text: &str, left: f32, right: f32, baseline: f32, size: f32) -> Vec<Piece> {
    let mut pieces = line(text, left, baseline, size);
    let end = pieces.last().map_or(right, |piece| piece.right);
    let step = (right - end) / (pieces.len().max(2) - 1) as f32;
    for (number, piece) in pieces.iter_mut().enumerate() {
        piece.left += number as f32 * step;
        piece.right += number as f32 * step;
    }
    pieces
}

/// The first page of an article in two columns, above them a narrow text and a wide one.
fn narrow_beside_wide(narrow: Range<f32>, wide: Range<f32>) -> Vec<Piece> {
    let mut pieces = line("A title that stands above all of this", 50.0, 80.0, 17.0);
    pieces.extend(line(
        "Department of Examples, at a place, in a country far away",
        50.0,
        110.0,
        8.0,
    ));
    pieces.extend(line("INFO", narrow.start, 140.0, 8.0));
    pieces.extend(line("ABSTRACT", wide.start, 140.0, 8.0));
    let marks =
        ["History:", "Received in May", "Accepted in July", "Seen in August", "", "Keywords:"];
    let marks = marks.iter().chain(["Thin shells", "Locking", "Collocation"].iter());
    for (n, mark) in marks.enumerate().filter(|(_, mark)| !mark.is_empty()) {
        pieces.extend(line(mark, narrow.start, 154.0 + 9.5 * n as f32, 8.0));
    }
    for n in 0..5 {
        let words =
            "what the abstract says in lines of its own that are so very long and rich in words";
        let baseline = 154.0 + 9.5 * n as f32;
        pieces.extend(full_line(words, wide.start, wide.end, baseline, 8.0));
    }
    pieces.extend(line("1 Introduction", 50.0, 262.0, 10.0));
    for n in 0..16 {
        let baseline = 277.0 + 12.0 * n as f32;
        pieces.extend(full_line(
            "left words of this first column that go on here",
            50.0,
            290.0,
            baseline,
            10.0,
        ));
        let baseline = 263.0 + 12.0 * n as f32;
        pieces.extend(full_line(
            "right words of the other column that go on here",
            310.0,
            550.0,
            baseline,
            10.0,
        ));
    }
    pieces
}

#[test]
fn a_narrow_text_beside_a_wide_one_above_columns() {
    for (narrow, wide) in [(50.0..180.0, 215.0..550.0), (430.0..550.0, 50.0..390.0)] {
        let is_first = narrow.start < wide.start;
        let texts = texts(&page(narrow_beside_wide(narrow, wide)));
        let place = |part: &str| {
            let at = texts.iter().position(|text| text.contains(part));
            at.unwrap_or_else(|| panic!("{part}: {texts:#?}"))
        };
        let text = &texts[place("what the abstract says")];
        assert_eq!(text.matches("what the abstract says").count(), 5, "{texts:#?}");
        assert!(!text.contains("Received") && !text.contains("left words"), "{texts:#?}");
        assert_eq!(place("INFO") < place("ABSTRACT"), is_first, "{texts:#?}");
        assert_eq!(place("Collocation") < place("what the abstract says"), is_first, "{texts:#?}");
        assert!(place("ABSTRACT") <= place("what the abstract says"), "{texts:#?}");
        assert!(place("what the abstract says") < place("1 Introduction"), "{texts:#?}");
        assert!(place("Collocation") < place("1 Introduction"), "{texts:#?}");
        assert!(place("left words") < place("right words"), "{texts:#?}");
    }
}

#[test]
fn authors_in_a_table_above_the_text() {
    let mut pieces = line("A title above", 50.0, 80.0, 20.0);
    let rows = [
        ["Joost van Brink", "Renate Voss"],
        ["Institut für Mathematik", "Fakultät für Physik"],
        ["Universität Nordhafen", "Universität Ulm"],
    ];
    for (n, [left, right]) in rows.iter().enumerate() {
        let baseline = 110.0 + 14.0 * n as f32;
        pieces.extend(line(left, 50.0, baseline, 10.0));
        pieces.extend(line(right, 200.0, baseline, 10.0));
    }
    pieces.extend(prose(200.0));
    let texts = texts(&page(pieces));
    let of = |name: &str| texts.iter().position(|text| text.contains(name)).unwrap();
    assert!(of("Nordhafen") < of("Renate"), "column by column: {texts:#?}");
}

#[test]
fn a_form_is_read_row_by_row() {
    let mut pieces = line("A title above", 50.0, 80.0, 20.0);
    for (n, [label, value]) in
        [["Verfasserin:", "Eva Meier"], ["Schlagworte:", "Ringe, Körper"]].iter().enumerate()
    {
        let baseline = 110.0 + 14.0 * n as f32;
        pieces.extend(line(label, 50.0, baseline, 10.0));
        pieces.extend(line(value, 150.0, baseline, 10.0));
    }
    pieces.extend(prose(200.0));
    let all = texts(&page(pieces)).join(" ");
    assert!(all.contains("Verfasserin: Eva Meier Schlagworte: Ringe"), "{all}");
}

#[test]
fn names_in_a_row_evenly_apart_are_blocks() {
    let row = |gap: f32, names: [&str; 3]| {
        let mut pieces = Vec::new();
        let mut left = 60.0;
        for name in names {
            pieces.extend(line(name, left, 100.0, 12.0));
            left = pieces.last().map_or(left, |piece: &Piece| piece.right) + gap;
        }
        pieces.extend(line(
            "A long title that is printed below the names of its authors",
            60.0,
            140.0,
            12.0,
        ));
        texts(&page(pieces))
    };
    let names = ["Anna B. Muster", "Cornelis de Bruyn", "Hedwig Angerbauer"];
    assert_eq!(row(24.0, names)[..3], names);
    // What is no name, or far apart, is a line.
    assert_eq!(
        row(24.0, ["Anna Muster", "Preprint 12", "May 1999"])[0],
        "Anna Muster Preprint 12 May 1999"
    );
    assert_eq!(row(80.0, names)[0], names.join(" "));
}

#[test]
fn labels_of_a_form_stay_with_their_values() {
    let mut pieces = Vec::new();
    for (row, (label, value)) in
        [("Autoren", "Anna Muster"), ("Datum", "Mai 1999"), ("Umfang", "zehn Seiten")]
            .iter()
            .enumerate()
    {
        pieces.extend(line(label, 60.0, 100.0 + 18.0 * row as f32, 10.0));
        pieces.extend(line(value, 160.0, 100.0 + 18.0 * row as f32, 10.0));
    }
    assert_eq!(
        texts(&page(pieces)),
        ["Autoren Anna Muster", "Datum Mai 1999", "Umfang zehn Seiten"]
    );
}

#[test]
fn a_divided_word_goes_on_below_a_gap() {
    let mut pieces = Vec::new();
    for row in 0..4 {
        pieces.extend(line(
            "words of a paragraph that fill the whole line with a divi-",
            60.0,
            at(row),
            10.0,
        ));
    }
    pieces.extend(line("ded word", 60.0, at(3) + 24.0, 10.0));
    assert_eq!(texts(&page(pieces)).len(), 1);
}

#[test]
fn numbers_of_lines_are_left_out() {
    let numbered = |step: usize, indent: f32| {
        let mut pieces = line("1 Heading", 60.0, at(0) - 20.0, 14.0);
        for row in 0..10 {
            pieces.extend(line(
                "words of a paragraph that fill the whole line",
                60.0,
                at(row),
                10.0,
            ));
            if row % step == 0 {
                pieces.push(piece(&(12 + row).to_string(), 60.0 - indent, at(row), 7.0));
            }
        }
        texts(&page(pieces)).join(" ")
    };
    for step in [1, 2] {
        assert!(!numbered(step, 30.0).contains(['2', '4']), "{}", numbered(step, 30.0));
    }
    // Two or three numbers may be anything.
    assert!(numbered(4, 30.0).contains("16"));
}

#[test]
fn lines_beside_a_larger_heading_are_no_marks_of_it() {
    let full = line("left words that fill the column sharply", 60.0, at(0), 10.0);
    let right = full.iter().map(|piece| piece.right).fold(0.0, f32::max) + 10.0;
    let mut pieces = line("Heading", right, at(7) + 5.0, 14.4);
    for row in 0..16 {
        pieces.extend(line("left words that fill the column sharply", 60.0, at(row), 10.0));
        if !(6..10).contains(&row) {
            pieces.extend(line("right words of the other column", right, at(row), 10.0));
        }
    }
    let texts = texts(&page(pieces));
    assert!(texts.iter().any(|text| text == "Heading"), "{texts:#?}");
    assert!(
        texts[0].matches("left words that fill the column sharply").count() >= 16,
        "{texts:#?}"
    );
}
