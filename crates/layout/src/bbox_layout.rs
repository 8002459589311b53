//! Reads what `pdftotext -bbox-layout` writes: the other way to read a PDF.
//!
//! It lists words with the boxes around them. Of its lines and blocks nothing is used, so that both
//! ways lead to text arranged by the same rules. Sizes are those of the boxes, near those of the
//! type; whether it is bold is not told.

use auslese_model::Oddity;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::pdf::MAX_PDF_PAGES;
use crate::{LayoutText, MAX_PIECES, PageOfPieces, Piece, Style};

/// The part of a box that is below the baseline.
const BELOW: f32 = 0.24;

/// The text of the XHTML that `pdftotext -bbox-layout` writes.
pub fn read_bbox_layout(xml: &str) -> LayoutText {
    let mut text = LayoutText::default();
    let mut pages: Vec<PageOfPieces> = Vec::new();
    let mut word: Option<Piece> = None;
    let mut in_title = false;
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => match element.name().as_ref() {
                "page" if pages.len() == MAX_PDF_PAGES => break,
                "page" => pages.push(PageOfPieces {
                    width: number(&element, "width").unwrap_or_default(),
                    height: number(&element, "height").unwrap_or_default(),
                    pieces: Vec::new(),
                }),
                "word" => word = empty_word(&element),
                "title" => in_title = true,
                _ => {}
            },
            Ok(Event::Empty(element)) if element.name().as_ref() == "meta" => {
                read_property(&element, &mut text);
            }
            Ok(Event::Text(part)) if in_title => {
                text.properties.title.get_or_insert_default().push_str(&part);
            }
            Ok(Event::Text(part)) => {
                if let Some(word) = &mut word {
                    word.text.push_str(&part);
                }
            }
            Ok(Event::GeneralRef(name)) => {
                let reference = format!("&{};", &*name);
                if let (Some(word), Ok(part)) = (&mut word, quick_xml::escape::unescape(&reference))
                {
                    word.text.push_str(&part);
                }
            }
            Ok(Event::End(element)) => match element.name().as_ref() {
                "word" => {
                    let found = word.take().filter(|word| !word.text.trim().is_empty());
                    if let (Some(page), Some(word)) = (pages.last_mut(), found)
                        && page.pieces.len() < MAX_PIECES
                    {
                        page.pieces.push(tidy(word));
                    }
                }
                "title" => in_title = false,
                _ => {}
            },
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                text.oddities.push(Oddity::new("broken-xml", error.to_string()));
                break;
            }
        }
    }
    text.properties.title.take_if(|title| title.trim().is_empty());
    text.page_count = u32::try_from(pages.len()).ok();
    text.pages = pages.iter().map(crate::arrange).collect();
    crate::join_pages(&mut text.pages);
    text
}

fn empty_word(element: &BytesStart<'_>) -> Option<Piece> {
    let [left, top, right, bottom] =
        ["xMin", "yMin", "xMax", "yMax"].map(|side| number(element, side));
    let (left, top, right, bottom) = (left?, top?, right?, bottom?);
    let height = (bottom - top).abs();
    Some(Piece {
        text: String::new(),
        left,
        right,
        baseline: bottom - BELOW * height,
        style: Style { size: height, ..Style::default() },
    })
}

fn tidy(word: Piece) -> Piece {
    let mut text = String::with_capacity(word.text.len());
    word.text.trim().chars().for_each(|character| crate::accents::plain(character, &mut text));
    Piece { text: text.split_whitespace().collect(), ..word }
}

fn number(element: &BytesStart<'_>, name: &str) -> Option<f32> {
    let value: f32 = attribute(element, name)?.trim().parse().ok()?;
    value.is_finite().then_some(value)
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    quick_xml::escape::unescape(&attribute.value).ok().map(|value| value.into_owned())
}

fn read_property(element: &BytesStart<'_>, text: &mut LayoutText) {
    let (Some(name), Some(content)) = (attribute(element, "name"), attribute(element, "content"))
    else {
        return;
    };
    let place = match name.as_str() {
        "Author" => &mut text.properties.author,
        "Subject" => &mut text.properties.subject,
        "Keywords" => &mut text.properties.keywords,
        "CreationDate" => &mut text.properties.created,
        "Producer" => &mut text.properties.producer,
        _ => return,
    };
    *place = Some(content).filter(|content| !content.trim().is_empty());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SAMPLE: &str = r#"<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x.dtd">
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title>Ein Titel</title>
        <meta name="Author" content="A. Eins &amp; B. Zwei"/></head><body><doc>
        <page width="595.000000" height="842.000000"><flow><block xMin="1" yMin="2" xMax="3" yMax="4">
        <line><word xMin="208.5" yMin="56.4" xMax="238.7" yMax="72.5">Von</word>
        <word xMin="243.2" yMin="56.4" xMax="299.2" yMax="72.5">R&amp;D-Fl&#xe4;chen</word></line>
        </block></flow></page></doc></body></html>"#;

    #[test]
    fn words_in_their_places() {
        let text = read_bbox_layout(SAMPLE);
        assert_eq!(text.properties.title.as_deref(), Some("Ein Titel"));
        assert_eq!(text.properties.author.as_deref(), Some("A. Eins & B. Zwei"));
        let line = &text.pages[0].blocks[0].lines[0];
        let words: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(words, ["Von", "R&D-Flächen"]);
        assert!((line.words[1].left - 243.2).abs() < 0.1);
        assert!((16.0..17.0).contains(&line.words[0].style.size));
    }

    #[test]
    fn broken_files_give_what_they_have() {
        let cut = &SAMPLE[..SAMPLE.find("<word xMin=\"243").unwrap_or_default() + 20];
        let text = read_bbox_layout(cut);
        assert_eq!(text.pages[0].blocks[0].text(), "Von");
        assert_eq!(text.oddities.len(), 1);
    }

    proptest! {
        #[test]
        fn takes_anything(text in any::<String>(), at in 0..SAMPLE.len(), inserted in "[<>&;/\"a-z0-9 ]{0,8}") {
            read_bbox_layout(&text);
            let mut broken = SAMPLE.to_owned();
            broken.insert_str(at, &inserted);
            read_bbox_layout(&broken);
        }
    }
}
