//! One paper in five ways of printing it with dvips; its source is `papers/paper.tex`.

use auslese_layout::{Alignment, LayoutText, MAX_PAGES, read_dvips, read_dvips_pages, tree};
use auslese_markup::{StepBudget, XPath, XPathNode};
use proptest::prelude::*;

const FILES: [(&str, &[u8]); 5] = [
    ("bitmap fonts", include_bytes!("papers/bitmap.ps")),
    ("bitmap fonts without names", include_bytes!("papers/unnamed.ps")),
    ("Type 1 fonts, low codes moved", include_bytes!("papers/type1.ps")),
    ("European bitmap fonts", include_bytes!("papers/cork.ps")),
    ("Times, by encoding vector", include_bytes!("papers/times.ps")),
];

const TEXT: &str = "Über die Größe offener Flächen

Jürgen Grünhäuser*

René François

3. März 1998

Abstract

Wir führen offene Flächen ein; naïve Verfahren versagen. Dank an Łukasz, Erdős, Dvořák, Muñoz und \
Åsa Østergaard in Baden-Württemberg.

1 Einführung

Ein Absatz über Wahrscheinlichkeitsverteilungen und Differentialgleichungen, Eigenwertprobleme und \
Ungleichungen, der über mehrere Zeilen geht: “Schiffahrt”, fett. Auch x2i ≤ 7 kommt vor, und \
a_b@uni-koeln.de.

*Universität Köln

Die zweite Spalte setzt fort: effizient, fließend, verflüssigt, und so weiter bis zum Ende der Seite, \
damit es mehrere Zeilen werden, von denen jede bis an den Rand reicht und die letzte nicht.

Noch ein Absatz, der eingerückt beginnt und zwei Zeilen lang ist, nicht mehr.

1

";

fn read(bytes: &[u8]) -> LayoutText {
    read_dvips(bytes).expect("a file of dvips")
}

/// Type 1 fonts tell an asterisk of mathematics from one of text, bitmap fonts by dvips do too; it
/// depends on the encoding which one TeX takes for a footnote.
fn plain_stars(text: &str) -> String {
    text.replace('∗', "*")
}

#[test]
fn all_ways_of_printing_read_the_same() {
    for (name, bytes) in FILES {
        assert_eq!(plain_stars(&read(bytes).text()), TEXT, "{name}");
    }
}

#[test]
fn places_sizes_and_columns() {
    for (name, bytes) in FILES {
        let text = read(bytes);
        let page = &text.pages[0];
        assert!((page.width - 595.3).abs() < 0.1 && (page.height - 841.9).abs() < 0.1, "{name}");
        let title = &page.blocks[0];
        assert_eq!(title.alignment, Some(Alignment::Centred), "{name}");
        assert!((title.lines[0].words[0].style.size - 17.2).abs() < 0.1, "{name}");
        let heading = page.blocks.iter().find(|block| block.text() == "Abstract").expect("there");
        assert!(heading.lines[0].words[0].style.bold, "{name}");
        let columns: Vec<_> = page.blocks.iter().map(|block| block.column).collect();
        let (no, left, right) = (None, Some(0), Some(1));
        let expected = [no, no, no, no, left, left, left, left, left, right, right, no];
        assert_eq!(columns, expected, "{name}");
        assert_eq!(text.page_count, Some(1), "{name}");
        assert_eq!(text.properties.title.as_deref(), Some("paper.dvi"), "{name}");
        assert!(text.oddities.is_empty(), "{name}: {:?}", text.oddities);
    }
}

#[test]
fn xpath_finds_title_and_mark() {
    let page = tree(&read(FILES[0].1));
    for (question, expected) in [
        ("//page[1]/block[@rank = 1]", "Über die Größe offener Flächen"),
        ("//block[2]//word[@raised]", "*"),
        ("//block[@bold and @column = 1][2]/following-sibling::block[1]/line[1]/word[2]", "Absatz"),
    ] {
        let path = XPath::parse(question).expect("valid");
        let mut budget = StepBudget::default();
        let answer = path.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
        assert_eq!(answer.expect("in budget").string(page.tree()), expected, "{question}");
    }
}

#[test]
fn line_ends_of_other_systems() {
    let original = String::from_utf8_lossy(FILES[0].1).into_owned();
    for end in ["\r\n", "\r"] {
        let changed = original.replace('\n', end);
        assert_eq!(plain_stars(&read(changed.as_bytes()).text()), TEXT, "{end:?}");
    }
}

#[test]
fn what_is_cut_off_is_read_as_far_as_it_goes() {
    let bytes = FILES[0].1;
    let end = bytes.windows(9).position(|window| window == b"%%Trailer").expect("there");
    let text = read(&bytes[..end - 300]);
    assert!(text.text().starts_with("Über die Größe"));
}

/// The prologue of a file with the pages given.
fn file_with_pages(pages: &str) -> Vec<u8> {
    let start = "%!PS-Adobe-2.0\n%%Pages: 3\n/TeXDict 300 dict def\nTeXDict begin 40258431 52099146 1000 600 600 (a.dvi)\n@start ";
    let font = "/Fa 133[42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 97[{}26 83.022 /CMR10 rf ";
    format!("{start}{font}end\n{pages}\n%%EOF").into_bytes()
}

#[test]
fn specials_figures_and_colours_set_no_type() {
    let pages = "TeXDict begin 1 0 bop Black 100 100 a Fa(first)p 0 1 0 TeXcolorrgb\n\
        100 200 a\n currentpoint currentpoint translate 2 2 scale neg exch neg exch translate\n 100 200 a\n\
        @beginspecial 0 @llx 0 @lly @setspecial\n%%BeginDocument: a.eps\n1 0 bop 5 5 a Fa(figure)p eop\n\
        %%BeginDocument: b.eps\n%%EndDocument\n%%EndDocument\n @endspecial\n\
        SDict begin [/Rect [1 2 3 4] /URI (http://a) H.B end { 100 100 a (no) p }\n\
        <616263>33 b(second)p eop end\n2 1 bop Fa 0 0 a(third)p eop";
    let text = read(&file_with_pages(pages));
    assert_eq!(text.text(), "first abc second\n\n\x0Cthird\n\n");
    assert_eq!(text.page_count, Some(3));
    assert_eq!(text.oddities.len(), 1, "one page fewer than promised");
}

#[test]
fn the_data_of_a_picture_hide_no_page() {
    let pages = "TeXDict begin 1 0 bop 100 100 a Fa(first)p @beginspecial @setspecial\n\
        /DeviceGray setcolorspace currentfile /ASCII85Decode filter image Q>'H(4<9/K%0r{(~>\n@endspecial\n\
        100 200 a(second)p eop end\n2 1 bop Fa 0 0 a(third)p eop";
    let text = read(&file_with_pages(pages));
    assert_eq!(text.text(), "first second\n\n\x0Cthird\n\n");
}

#[test]
fn operators_move_as_dvips_means_them() {
    #[rustfmt::skip]
    let cases = [
        // operators                                words
        ("0 0 a(a)33 b(b)g(c)g(d)p",                "a b c d"),
        ("0 0 a(a)-4 b(b)g(c)k(d)p",                "abcd"),
        ("0 0 a(a)l(b)m(c)n(d)o(e)q(f)r(g)s(h)t(i)p", "abcdefghi"),
        ("0 0 a(a)p 33 w(b)p 2 w(c)p",              "a bc"),
        ("0 0 a(a)75 0 y(b)117 0 y(c)p",            "a bc"),
        ("0 0 a(one)p 100 x(two)p",                 "one two"),
        ("0 0 a(a)p 46 0 27 4 v 31 w(b)p",          "a_b"),
        ("0 0 a(a)p 46 -20 27 4 v 31 w(b)p",        "a b"),
    ];
    for (operators, expected) in cases {
        let text = read(&file_with_pages(&format!("1 0 bop Fa {operators} eop"))).text();
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words.join(" "), expected, "{operators}");
    }
}

#[test]
fn first_pages_only() {
    let page = "1 0 bop Fa 0 0 a(word)p eop ";
    let bytes = file_with_pages(&page.repeat(5));
    let text = read_dvips_pages(&bytes, 2).expect("a file of dvips");
    assert_eq!((text.pages.len(), text.page_count), (2, Some(5)));
    let bytes = file_with_pages(&page.repeat(MAX_PAGES + 1));
    let text = read(&bytes);
    assert_eq!(text.pages.len(), MAX_PAGES);
    assert!(text.oddities.iter().any(|oddity| oddity.detail.contains("more pages")));
}

#[test]
fn other_files_are_not_read() {
    let cases: [&[u8]; 6] = [
        b"",
        b"%PDF-1.4",
        b"%!PS-Adobe-3.0\n%%Creator: Word\n(a) show showpage",
        b"%!PS\nTeXDict begin 1000 300 300 @start",
        b"<html>TeXDict 300 300 @start bop eop",
        b"%!PS\nTeXDict begin 1000 300 300 @start 1 0 bop eop",
    ];
    for bytes in cases {
        assert_eq!(read_dvips(bytes), None, "{}", String::from_utf8_lossy(bytes));
    }
}

/// Each of these would need minutes if some step were not linear.
#[test]
fn hostile_files_end_soon() {
    let many = |text: &str| text.repeat(2_000_000 / text.len());
    for pages in [
        many("%%BeginDocument: a\n"),
        many("%%BeginDocument: a\n%%EndDocument\n%%EndDocument\n"),
        many("{"),
        many("("),
        many("<"),
        many("/Fa 1 2 df "),
        many("/Fa 1 2 df<00>1 D E "),
        many("[1 "),
        many("1 0 bop "),
        format!("1 0 bop Fa 0 0 a {}", many("(a)p ")),
        format!("1 0 bop Fa {}", many("3 4 a(a)p ")),
        format!("1 0 bop Fa {}", many("9999999 w 99 x (a)p ")),
    ] {
        let _ = read_dvips(&file_with_pages(&pages));
    }
    let prologue = format!("%!PS\n{}", many("%/a[\n"));
    let _ = read_dvips(&[prologue.as_bytes(), &file_with_pages("1 0 bop")].concat());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = read_dvips(&bytes);
        let _ = read_dvips(&file_with_pages(&String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn any_operators_are_survived(words in prop::collection::vec("[a-yVDIE]|-?[0-9]{1,9}|\\([a-z]{0,4}\\)|Fa|Fb|df|rf|bop|eop|<[0-9A-F]{0,12}>|/F[ab]|\\[", 0..300)) {
        if let Some(text) = read_dvips(&file_with_pages(&format!("1 0 bop Fa {}", words.join(" ")))) {
            let _ = tree(&text);
        }
    }

    #[test]
    fn changed_files_are_survived(
        file in 0..FILES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..200),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = FILES[file].1.to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        if let Some(text) = read_dvips(&bytes) {
            let _ = (tree(&text), text.text());
        }
    }
}
