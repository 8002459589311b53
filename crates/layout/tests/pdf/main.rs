//! PDF through the door: text, places, fonts, damage and malice.

mod hostile;
mod writer;

use auslese_layout::{LayoutText, PageLimit, PageOfPieces, Piece, read_pdf, read_pdf_pieces};

use writer::{TIMES, Writer, page, page_of};

fn first_page(file: &[u8]) -> PageOfPieces {
    read_pdf_pieces(file, PageLimit::All).1.into_iter().next().expect("the file has a page")
}

fn texts(file: &[u8]) -> Vec<String> {
    first_page(file).pieces.into_iter().map(|piece| piece.text).collect()
}

fn fonts(font: &str) -> String {
    format!("/Font <</F1 {font}>>")
}

fn has_oddity(text: &LayoutText, kind: &str) -> bool {
    text.oddities.iter().any(|oddity| oddity.kind == kind)
}

fn sample(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pdf/");
    std::fs::read(format!("{folder}{name}")).expect("the sample is there")
}

fn near(piece: &Piece, left: f32, baseline: f32) -> bool {
    (piece.left - left).abs() < 0.1 && (piece.baseline - baseline).abs() < 0.1
}

#[test]
fn places_and_sizes() {
    let cases = [
        // What the page asks for, and where the word then begins on it.
        ("", (600.0, 800.0), (100.0, 100.0)),
        ("/CropBox [50 50 550 750]", (500.0, 700.0), (50.0, 50.0)),
        ("/Rotate 180", (600.0, 800.0), (100.0, 100.0)),
    ];
    for (entries, (width, height), (left, baseline)) in cases {
        let upright = "BT /F1 12 Tf 100 700 Td (Wort) Tj ET";
        let turned = "BT /F1 12 Tf -1 0 0 -1 500 100 Tm (Wort) Tj ET";
        let content = if entries.contains("180") { turned } else { upright };
        let page = first_page(&page(entries, &fonts(TIMES), content));
        assert_eq!((page.width, page.height), (width, height), "{entries}");
        let piece = &page.pieces[0];
        assert!(near(piece, left, baseline), "{entries} {piece:?}");
        assert_eq!(piece.style.size, 12.0, "{entries}");
        // W, o, r and t of Times.
        assert!((piece.right - piece.left - 12.0 * 2.055).abs() < 0.1, "{entries} {piece:?}");
    }
}

#[test]
fn a_landscape_page_is_read_as_it_is_seen() {
    // Turned by the page, or by its content alone.
    let content = "BT /F1 12 Tf 0 1 -1 0 100 200 Tm (Quer gesetzt) Tj ET";
    for entries in ["/Rotate 90", ""] {
        let page = first_page(&page(entries, &fonts(TIMES), content));
        assert_eq!((page.width, page.height), (800.0, 600.0), "{entries}");
        assert!(near(&page.pieces[0], 200.0, 100.0), "{entries} {:?}", page.pieces);
        assert_eq!(page.pieces[1].text, "gesetzt", "{entries}");
    }
}

#[test]
fn text_across_is_left_out() {
    let content = "BT /F1 10 Tf 100 700 Td (Der Text der Seite) Tj ET \
        BT /F1 20 Tf 0 1 -1 0 20 300 Tm (arXiv) Tj ET BT /F1 60 Tf .7 .7 -.7 .7 100 100 Tm (ENTWURF) Tj ET";
    let file = page("", &fonts(TIMES), content);
    assert_eq!(texts(&file), ["Der", "Text", "der", "Seite"]);
    assert!(has_oddity(&read_pdf(&file, PageLimit::All), "turned-text"));
}

#[test]
fn matrices_and_text_operators() {
    let content = "q 2 0 0 2 0 0 cm BT /F1 5 Tf 7 TL 50 350 Td (eins) Tj T* (zwei) Tj (drei) ' \
        0 0 (vier) \" ET Q BT /F1 10 Tf 1 0 0 1 300 700 Tm [(K)50(ern) -600 (Wort)] TJ 3 Ts (hoch) Tj ET";
    let page = first_page(&page("", &fonts(TIMES), content));
    let found: Vec<(&str, f32)> =
        page.pieces.iter().map(|piece| (piece.text.as_str(), piece.baseline)).collect();
    let expected = [
        ("eins", 100.0),
        ("zwei", 114.0),
        ("drei", 128.0),
        ("vier", 142.0),
        ("Kern", 100.0),
        ("Wort", 100.0),
        ("hoch", 97.0),
    ];
    assert_eq!(found, expected);
    assert_eq!(page.pieces[0].style.size, 10.0);
}

#[test]
fn codes_become_characters() {
    let simple = |rest: &str| format!("<</Type /Font /Subtype /Type1 /BaseFont /X {rest}>>");
    let names = "/Encoding <</Differences [1 /adieresis /f_f_i /uni00DF /dieresis /quotedblbase]>>";
    let drawn = "<</Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FontBBox [0 0 1 -1] \
        /CharProcs <<>> /FirstChar 12 /LastChar 110 \
        /Widths [23 23 0 0 35] /Encoding <</Differences [12 /BA 110 /CR]>>>>";
    #[rustfmt::skip]
    let cases = [
        (simple("/Encoding /WinAnsiEncoding"),  "(Gr\\374\\337e)", "Grüße"),
        (simple("/Encoding /MacRomanEncoding"), "(Gr\\237\\247e)", "Grüße"),
        (simple(""),                            "(\\256nden)",     "finden"),
        (simple(names),                         "(\\005\\001\\002\\003)", "„äffiß"),
        (drawn.to_owned(),                      "(\\014n)",        "fin"),
    ];
    for (font, shown, expected) in cases {
        let content = format!("BT /F1 10 Tf 100 700 Td {shown} Tj ET");
        assert_eq!(texts(&page("", &fonts(&font), &content)).concat(), expected, "{font}");
    }
}

#[test]
fn tex_sets_accents_apart() {
    let names = "/Encoding <</Differences [127 /dieresis]>> /FirstChar 97 /LastChar 127 /Widths [500 \
        556 444 556 444 306 500 556 278 306 528 278 833 556 500 556 528 392 394 389 556 528 722 528 528 444 500 1000 500 500 500]";
    let font = format!("<</Type /Font /Subtype /Type1 /BaseFont /CMR10 {names}>>");
    let content = "BT /F1 10 Tf 100 700 Td [(f)(\\177)528(ur)-333(sp)27(\\177)500(at)]TJ ET";
    assert_eq!(texts(&page("", &fonts(&font), content)), ["für", "spät"]);
}

#[test]
fn maps_to_unicode() {
    let mut writer = Writer::default();
    let map = "1 begincodespacerange <0000> <FFFF> endcodespacerange \
        2 beginbfrange <0001> <0003> <0061> <0010> <0010> [<00660069>] endbfrange";
    let map = writer.stream("", map.as_bytes());
    let inner = writer.add("<</Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+X-BoldItalic /DW 600 /W [1 [500 500] 16 16 700]>>");
    let font = format!(
        "<</Type /Font /Subtype /Type0 /BaseFont /AAAAAA+X-BoldItalic /Encoding /Identity-H /DescendantFonts [{inner} 0 R] /ToUnicode {map} 0 R>>"
    );
    let content = "BT /F1 10 Tf 100 700 Td <0001000200100003> Tj ET";
    let file = page_of(&mut writer, "", &fonts(&font), content.as_bytes());
    let page = first_page(&file);
    assert_eq!(page.pieces[0].text, "abfic");
    assert!((page.pieces[0].right - 123.0).abs() < 0.01, "{:?}", page.pieces);
    assert!(page.pieces[0].style.bold && page.pieces[0].style.italic);
}

#[test]
fn replacements_and_invisible_text() {
    let content = "BT /F1 10 Tf 3 Tr 100 700 Td (Scan) Tj ET BT 100 650 Td (Trenn) Tj \
        /Span <</ActualText <FEFF00AD>>> BDC (x) Tj EMC ET BT 100 600 Td /Span <</ActualText (fl)>> BDC (#) Tj EMC (ug) Tj ET";
    assert_eq!(texts(&page("", &fonts(TIMES), content)), ["Scan", "Trenn-", "flug"]);
}

#[test]
fn forms_are_drawn_in_their_place() {
    let mut writer = Writer::default();
    let resources = fonts(TIMES);
    let form = format!(
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Matrix [1 0 0 1 10 0] /Resources <<{resources}>>"
    );
    let form = writer.stream(&form, b"BT /F1 10 Tf 0 0 Td (Form) Tj ET");
    let file = page_of(
        &mut writer,
        "",
        &format!("/XObject <</X {form} 0 R>>"),
        b"q 1 0 0 1 100 700 cm /X Do Q",
    );
    assert!(near(&first_page(&file).pieces[0], 110.0, 100.0));
}

#[test]
fn properties() {
    let mut writer = Writer::default();
    let info = "<</Title <FEFF00DC006200650072> /Author (E. Mustermann) /Keywords (eins, zwei) /CreationDate (D:20040312101500+01'00')>>";
    writer.info = Some(writer.add(info));
    let text = read_pdf(&page_of(&mut writer, "", "", b""), PageLimit::First(3));
    assert_eq!(text.properties.title.as_deref(), Some("Über"));
    assert_eq!(text.properties.author.as_deref(), Some("E. Mustermann"));
    assert_eq!(text.properties.keywords.as_deref(), Some("eins, zwei"));
    assert_eq!(text.properties.created.as_deref(), Some("2004-03-12T10:15:00+01:00"));
    assert_eq!(text.properties.language.as_deref(), Some("de-DE"));
    assert_eq!(text.page_count, Some(1));
}

#[test]
fn a_real_page_in_three_wrappings() {
    for name in ["groff.pdf", "packed.pdf", "open.pdf"] {
        let text = read_pdf(&sample(name), PageLimit::All);
        assert_eq!(text.oddities, [], "{name}");
        let page = &text.pages[0];
        let title = &page.blocks[0];
        assert_eq!(title.text(), "Von kleinen Abständen", "{name}");
        let style = title.lines[0].words[0].style;
        assert_eq!((style.size, style.bold), (18.0, true), "{name}");
        let all =
            text.pages[0].blocks.iter().map(|block| block.text()).collect::<Vec<_>>().join(" ");
        assert!(
            all.contains("über Größen, die effizient und flüssig ist und einen Pfiff hat."),
            "{all}"
        );
    }
}

#[test]
fn locked_files_say_why() {
    let text = read_pdf(&sample("locked.pdf"), PageLimit::All);
    assert_eq!(text.oddities[0].kind, "encrypted");
    assert_eq!(text.oddities[0].detail, "a password is needed");
    assert!(text.pages.is_empty());
}
