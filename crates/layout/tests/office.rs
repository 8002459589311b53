//! One made-up paper in every format of the word processors: see `documents/README.md`.

mod words;

use auslese_layout::{Alignment, Format, LayoutText, ReadLimits, read};
use words::{block_with, texts};

const PAPERS: [(&str, Format, &[u8]); 5] = [
    ("docx", Format::Docx, include_bytes!("documents/paper.docx")),
    ("odt", Format::Odt, include_bytes!("documents/paper.odt")),
    ("fodt", Format::Odt, include_bytes!("documents/paper.fodt")),
    ("rtf", Format::Rtf, include_bytes!("documents/paper.rtf")),
    ("doc", Format::Doc, include_bytes!("documents/paper.doc")),
];

fn papers() -> impl Iterator<Item = (&'static str, LayoutText)> {
    PAPERS.into_iter().map(|(name, format, bytes)| {
        assert_eq!(Format::of(bytes, None, Some("application/octet-stream")), Some(format));
        (name, read(bytes, format, &ReadLimits::default()))
    })
}

#[test]
fn all_words_in_order() {
    let before_the_table = "\
        Über die Lösung schwach besetzter Gleichungssysteme \
        Jörg Müßig 1 und Zoë Łukasiewicz 2 \
        1 Technische Universität Braunschweig 2 Universität Osnabrück 12. März 2004 \
        Zusammenfassung Wir zeigen „große“ Sätze über fette und schräge Wörter, ein halbfettes \
        Wort, xi ∈ ℝ, α und β, 5 € – und mehr. 1 Danach geht es weiter mit einem Verweis und \
        Tabulator. Verfahren Schritte GMRES siebzehn";
    let after_it = "Ein Absatz mit Kasten. Literatur Müller, H. (1998): Lineare Algebra. \
        Berlin: Springer.";
    let text_box = "Kasten am Rand";
    let note = "1 Die erste Fußnote mit ähnlichem Text.";
    for (name, text) in papers() {
        // Word keeps all text boxes behind the text.
        let rest = match name {
            "doc" => [after_it, text_box, note],
            _ => [text_box, after_it, note],
        };
        let expected = format!("{before_the_table} {}", rest.join(" "));
        assert_eq!(texts(&text).join(" "), expected, "{name}");
        assert!(text.oddities.is_empty(), "{name}: {:?}", text.oddities);
    }
}

#[test]
fn paragraphs_are_set_as_their_styles_say() {
    use Alignment::{Centred, Justified, Left, Right};
    #[rustfmt::skip]
    let cases = [
        // first word       style        alignment  size   bold
        ("Über",            "Title",     Centred,   28.0,  true),
        ("Jörg",            "Standard",  Centred,   14.0,  false),
        ("12.",             "Standard",  Right,     12.0,  false),
        ("Zusammenfassung", "Heading 1", Left,      16.0,  true),
        ("Wir",             "Text body", Justified, 12.0,  false),
        ("siebzehn",        "Standard",  Left,      12.0,  false),
        ("Die",             "Footnote",  Left,      10.0,  false),
    ];
    for (name, text) in papers() {
        for (first, style, alignment, size, bold) in &cases {
            let (block, word) = block_with(&text, first);
            assert_eq!(block.style_name.as_deref(), Some(*style), "{name} {first}");
            assert_eq!(block.alignment, Some(*alignment), "{name} {first}");
            assert!((word.style.size - size).abs() < 0.01, "{name} {first}: {}", word.style.size);
            assert_eq!(word.style.bold, *bold, "{name} {first}");
        }
    }
}

#[test]
fn runs_lines_and_marks() {
    for (name, text) in papers() {
        let style = |word: &str| block_with(&text, word).1.style;
        assert!(style("fette").bold && !style("fette").italic, "{name}");
        assert!(style("schräge").italic && !style("schräge").bold, "{name}");
        assert!(!style("halbfettes").bold, "{name}: a word is set as it begins");
        let (authors, _) = block_with(&text, "Jörg");
        let raised: Vec<&str> = authors.lines[0]
            .words
            .iter()
            .filter(|word| word.raised > 0.0)
            .map(|word| word.text.as_str())
            .collect();
        assert_eq!(raised, ["1", "2"], "{name}");
        assert_eq!(block_with(&text, "Technische").0.lines.len(), 2, "{name}");
    }
}

#[test]
fn properties() {
    for (name, text) in papers() {
        let found = &text.properties;
        let title = "Über die Lösung schwach besetzter Gleichungssysteme";
        assert_eq!(found.title.as_deref(), Some(title), "{name}");
        assert_eq!(found.author.as_deref(), Some("Jörg Müßig"), "{name}");
        assert_eq!(found.subject.as_deref(), Some("Numerische Mathematik"), "{name}");
        let keywords = found.keywords.as_deref().unwrap_or_default();
        assert!(keywords.starts_with("Gleichungssysteme"), "{name}: {keywords}");
        assert!(keywords.ends_with("Krylov-Räume"), "{name}: {keywords}");
        let created = found.created.as_deref().unwrap_or_default();
        assert!(created.starts_with("2004-03-12T10:20"), "{name}: {created}");
        // Word's header tells the language of the program, not of the text.
        if name != "doc" {
            assert_eq!(found.language.as_deref(), Some("de-DE"), "{name}");
        }
    }
}
