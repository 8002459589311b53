//! What the readers make of single features, case by case.

mod made;
mod words;

use auslese_layout::{Alignment, Format, LayoutText, ReadLimits, read};
use made::{compound, docx, word_6, zip, zip_with};
use words::{block_with, texts};

fn read_as(format: Format, bytes: &[u8]) -> LayoutText {
    read(bytes, format, &ReadLimits::default())
}

fn kinds(text: &LayoutText) -> Vec<&str> {
    text.oddities.iter().map(|oddity| oddity.kind.as_str()).collect()
}

#[test]
fn docx_bodies() {
    #[rustfmt::skip]
    let cases = [
        ("<w:p><w:r><w:t>ein</w:t></w:r><w:r><w:t>s zwei</w:t></w:r></w:p>",                 "eins zwei"),
        ("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>",        "a b c"),
        ("<w:p><w:r><w:t>U</w:t><w:noBreakHyphen/><w:t>Boot</w:t></w:r></w:p>",              "U-Boot"),
        ("<w:p><w:del><w:r><w:delText>weg</w:delText></w:r></w:del><w:ins><w:r><w:t>da</w:t></w:r></w:ins></w:p>", "da"),
        ("<w:p><w:moveFrom><w:r><w:t>alt</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>neu</w:t></w:r></w:moveTo></w:p>", "neu"),
        ("<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>verborgen</w:t></w:r><w:r><w:t>sichtbar</w:t></w:r></w:p>", "sichtbar"),
        ("<w:p><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>sichtbar</w:t></w:r></w:p>",  "sichtbar"),
        ("<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:fldSimple w:instr=\"TITLE\"><w:r><w:t>Feld</w:t></w:r></w:fldSimple></w:p>", "Feld"),
        ("<w:p><w:hyperlink><w:r><w:t>Verweis</w:t></w:r></w:hyperlink></w:p>",              "Verweis"),
        ("<w:p><w:r><w:sym w:font=\"Symbol\" w:char=\"F061\"/><w:sym w:font=\"Wingdings\" w:char=\"F061\"/></w:r></w:p>", "α"),
        ("<w:sdt><w:sdtPr><w:alias w:val=\"x\"/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>Titel</w:t></w:r></w:p></w:sdtContent></w:sdt>", "Titel"),
        ("<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>Kasten</w:t></w:r></w:p></w:txbxContent></mc:Choice>\
          <mc:Fallback><w:txbxContent><w:p><w:r><w:t>Kasten</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>\
          <w:r><w:t>Text</w:t></w:r></w:p>",                                                 "Kasten Text"),
        ("<w:p><m:oMath><m:r><m:t>a=b</m:t></m:r></m:oMath></w:p>",                          "a=b"),
        ("<w:p><w:r><w:t>&lt;&amp;&#228;&#x1D538;</w:t></w:r></w:p>",                        "<&ä𝔸"),
    ];
    for (body, expected) in cases {
        let text = read_as(Format::Docx, &docx(body));
        assert_eq!(texts(&text).join(" "), expected, "{body}");
        assert!(text.oddities.is_empty(), "{body}: {:?}", text.oddities);
    }
}

#[test]
fn docx_parts_are_found_by_their_relations() {
    let relations = br#"<Relationships><Relationship Type="http://x/officeDocument" Target="/word/document2.xml"/></Relationships>"#;
    let document = br#"<w:document><w:body><w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Kopf</w:t></w:r></w:p></w:body></w:document>"#;
    let own = br#"<Relationships><Relationship Type="http://x/styles" Target="stile.xml"/></Relationships>"#;
    let styles = r#"<w:styles><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style></w:styles>"#;
    let parts: [(&str, &[u8]); 5] = [
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", relations),
        ("word/document2.xml", document),
        ("word/_rels/document2.xml.rels", own),
        ("word/stile.xml", styles.as_bytes()),
    ];
    let bytes = zip(&parts);
    assert_eq!(Format::of(&bytes, None, None), Some(Format::Docx));
    let text = read_as(Format::Docx, &bytes);
    let (block, word) = block_with(&text, "Kopf");
    assert_eq!(block.style_name.as_deref(), Some("Heading 1"));
    assert!(word.style.bold && (word.style.size - 16.0).abs() < 0.01);
}

#[test]
fn rtf_features() {
    #[rustfmt::skip]
    let cases: [(&[u8], &str); 20] = [
        (br"{\rtf1\ansi Stra\'dfe\par Ende}",                                    "Straße Ende"),
        (br"{\rtf1\ansi\ansicpg1250 \'d8ezn\'edk}",                              "Řezník"),
        (br"{\rtf1\mac \'9fber}",                                                "über"),
        (br"{\rtf1\pca M\'81ller}",                                              "Müller"),
        (b"{\\rtf1\\ansi M\xFCller}",                                            "Müller"),
        (br"{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f1 \'cc\'e8\'f0 \f0 \'cc}", "Мир Ì"),
        (br"{\rtf1{\fonttbl{\f2\ftech\fcharset2 Symbol;}}{\f2 a}b}",             "αb"),
        (br"{\rtf1\uc1 M\u252\'fcller \u8364?}",                                 "Müller €"),
        (br"{\rtf1\uc2 \u252 ueber}",                                            "über"),
        (br"{\rtf1\uc0\u-10187\u-8904 x}",                                       "𝔸x"),
        (br"{\rtf1\uc1 a\u8211\endash b\u8211\par c}",                           "a–b– c"),
        (br"{\rtf1{\*\unbekannt weg}{\info{\title Titel}}{\header Kopf}{\pict\bin3 }}}}Text}", "Text"),
        (br"{\rtf1{\field{\*\fldinst HYPERLINK x}{\fldrslt Verweis}}}",          "Verweis"),
        (br"{\rtf1 a{\v weg}{\deleted weg}b}",                                   "ab"),
        (br"{\rtf1 a\~b\_c\-d\emdash e\line f\tab g}",                           "a b-cd—e f g"),
        (br"{\rtf1{\upr{Stra?e}{\*\ud{Stra\u223?e}}}}",                          "Straße"),
        (br"{\rtf1 Wort{\super\chftn}{\footnote{\super\chftn} Note} weiter\par}", "Wort 1 weiter 1 Note"),
        (br"{\rtf1 vor{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt Kasten\par}}{\shprslt Kasten}} nach}", "Kasten vor nach"),
        (br"{\rtf1\trowd Zelle\cell zwei\cell\row Ende}",                        "Zelle zwei Ende"),
        (br"{\rtf1 a}}}} b",                                                     "a b"),
    ];
    for (bytes, expected) in cases {
        let text = read_as(Format::Rtf, bytes);
        assert_eq!(texts(&text).join(" "), expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn rtf_settings_and_information() {
    let bytes = br"{\rtf1\ansi\deflang1031{\stylesheet{\s0 Normal;}{\s1\b\fs32 \'dcberschrift 1;}}
        {\info{\title Ein {\b Titel}}{\author Eva}{\creatim\yr2004\mo3\dy1\hr7\min5}{\nofpages12}}
        \pard\plain\s1\qc\b\fs32 Kopf\par\pard\plain\qj\fs20 Text {\i schr\'e4g}\par}";
    let text = read_as(Format::Rtf, bytes);
    let (block, word) = block_with(&text, "Kopf");
    assert_eq!(block.style_name.as_deref(), Some("Heading 1"));
    assert_eq!(block.alignment, Some(Alignment::Centred));
    assert!(word.style.bold && (word.style.size - 16.0).abs() < 0.01);
    let (block, word) = block_with(&text, "Text");
    assert_eq!(block.alignment, Some(Alignment::Justified));
    assert!(!word.style.bold && (word.style.size - 10.0).abs() < 0.01);
    assert!(block_with(&text, "schräg").1.style.italic);
    assert_eq!(text.properties.title.as_deref(), Some("Ein Titel"));
    assert_eq!(text.properties.created.as_deref(), Some("2004-03-01T07:05"));
    assert_eq!(text.properties.language.as_deref(), Some("de-DE"));
    assert_eq!(text.page_count, Some(12));
}

#[test]
fn sxw_is_read_like_odt() {
    let content = r#"<office:document-content><office:automatic-styles>
        <style:style style:name="P1" style:family="paragraph"><style:properties fo:font-size="18pt" fo:text-align="center"/></style:style>
        </office:automatic-styles><office:body><text:p text:style-name="P1">Titel<text:footnote>
        <text:footnote-citation>1</text:footnote-citation><text:footnote-body><text:p>Note</text:p></text:footnote-body>
        </text:footnote></text:p><text:p>Text</text:p></office:body></office:document-content>"#;
    let bytes = zip(&[
        ("mimetype", b"application/vnd.sun.xml.writer"),
        ("content.xml", content.as_bytes()),
    ]);
    assert_eq!(Format::of(&bytes, None, None), Some(Format::Odt));
    let text = read_as(Format::Odt, &bytes);
    assert_eq!(texts(&text), ["Titel", "1", "Text", "1", "Note"]);
    let (block, word) = block_with(&text, "Titel");
    assert_eq!(block.alignment, Some(Alignment::Centred));
    assert!((word.style.size - 18.0).abs() < 0.01);
}

#[test]
fn word_6_with_its_settings() {
    let bytes = compound("WordDocument", &word_6(b"\xDCber Word 6\rText \x13PAGE\x14vier\x15\r"));
    assert_eq!(Format::of(&bytes, None, None), Some(Format::Doc));
    let text = read_as(Format::Doc, &bytes);
    assert_eq!(texts(&text), ["Über", "Word", "6", "Text", "vier"]);
    let (block, word) = block_with(&text, "Über");
    assert_eq!(block.alignment, Some(Alignment::Centred));
    assert!(word.style.bold && (word.style.size - 20.0).abs() < 0.01);
    let (block, word) = block_with(&text, "Text");
    assert_eq!(block.alignment, Some(Alignment::Left));
    assert!(!word.style.bold);
    assert_eq!(text.properties.language.as_deref(), Some("de-DE"));
}

#[test]
fn why_nothing_was_read() {
    let mut locked = word_6(b"Text\r");
    locked[0x0B] = 1;
    let encrypted_odt: [(&str, &[u8]); 2] = [
        ("META-INF/manifest.xml", b"<manifest><encryption-data/></manifest>"),
        ("content.xml", b"\x81\x82"),
    ];
    #[rustfmt::skip]
    let cases: [(Format, Vec<u8>, &str); 10] = [
        (Format::Docx, zip_with(&[("word/document.xml", b"<p/>")], 1), "encrypted"),
        (Format::Docx, compound("EncryptedPackage", b""),              "encrypted"),
        (Format::Odt,  zip(&encrypted_odt),                            "encrypted"),
        (Format::Doc,  compound("WordDocument", &locked),              "encrypted"),
        (Format::Docx, zip(&[("word/other.xml", b"")]),                "truncated"),
        (Format::Docx, docx("<w:p/>"),                                 "not-readable"),
        (Format::Docx, b"no zip".to_vec(),                             "not-readable"),
        (Format::Doc,  b"no file".to_vec(),                            "not-readable"),
        (Format::Doc,  compound("Workbook", b""),                      "not-readable"),
        (Format::Rtf,  b"".to_vec(),                                   "not-readable"),
    ];
    for (format, bytes, expected) in cases {
        let text = read_as(format, &bytes);
        assert!(text.pages.is_empty(), "{format:?} {expected}");
        assert_eq!(kinds(&text), [expected], "{format:?}");
    }
}
