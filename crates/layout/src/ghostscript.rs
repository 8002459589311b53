//! Reads what Ghostscript's text device writes (`-sDEVICE=txtwrite -dTextFormat=0`).
//!
//! It lists spans of one font with the box, in whole points, of each character; the lower side of a
//! box is the baseline. The size of the page is not told, so a usual one is assumed where the text
//! fits on it. Sizes of bitmap fonts are those of a dot (0.12); then a usual one is assumed too.

use auslese_model::Oddity;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use crate::accents::plain;
use crate::pdf::{MAX_PDF_PAGES, bold_by_name, italic_by_name};
use crate::setting::{Glyph, Setting};
use crate::{LayoutText, PageOfPieces, Style};

/// Width and height of A4 in points.
const USUAL_PAGE: (f32, f32) = (595.0, 842.0);

/// Sizes below this are not those of type that people read.
const SMALLEST_SIZE: f32 = 2.0;

/// The size assumed then.
const USUAL_SIZE: f32 = 10.0;

/// The text of what Ghostscript's text device writes.
pub fn read_ghostscript_text(xml: &str) -> LayoutText {
    let mut text = LayoutText::default();
    let mut pages: Vec<PageOfPieces> = Vec::new();
    let mut open: Option<Setting> = None;
    let mut extent = USUAL_PAGE;
    let mut style = Style::default();
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => match element.name().as_ref() {
                "page" => {
                    close(&mut pages, open.replace(Setting::default()), extent);
                    extent = USUAL_PAGE;
                    if pages.len() == MAX_PDF_PAGES {
                        open = None;
                        break;
                    }
                }
                "span" => style = style_of(&element),
                _ => {}
            },
            Ok(Event::Empty(element)) if element.name().as_ref() == "char" => {
                let Some(setting) = &mut open else { continue };
                if let Some((character, [left, _, right, baseline])) = character(&element) {
                    extent = (extent.0.max(right), extent.1.max(baseline));
                    setting.glyph(Glyph { text: &character, left, right, baseline, style });
                }
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                text.oddities.push(Oddity::new("broken-xml", error.to_string()));
                break;
            }
        }
    }
    close(&mut pages, open, extent);
    text.page_count = u32::try_from(pages.len()).ok();
    text.pages = pages.iter().map(crate::arrange).collect();
    crate::join_pages(&mut text.pages);
    text
}

fn close(pages: &mut Vec<PageOfPieces>, setting: Option<Setting>, (width, height): (f32, f32)) {
    if let Some(setting) = setting {
        pages.push(PageOfPieces { width, height, pieces: setting.finish() });
    }
}

fn style_of(span: &BytesStart<'_>) -> Style {
    let font = attribute(span, "font").unwrap_or_default();
    let size: f32 = attribute(span, "size").and_then(|size| size.parse().ok()).unwrap_or_default();
    let known = size.is_finite() && size >= SMALLEST_SIZE;
    Style {
        size: if known { size } else { USUAL_SIZE },
        bold: bold_by_name(&font),
        italic: italic_by_name(&font),
        small_caps: false,
    }
}

/// A character and its box.
fn character(element: &BytesStart<'_>) -> Option<(String, [f32; 4])> {
    let raw = attribute(element, "c")?;
    let mut character = String::new();
    raw.chars().for_each(|c| plain(c, &mut character));
    let bounds = attribute(element, "bbox")?;
    let mut sides = bounds.split_whitespace().map(|side| side.parse::<f32>());
    let mut next = || sides.next()?.ok().filter(|side| side.is_finite());
    Some((character, [next()?, next()?, next()?, next()?]))
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    unescape(&attribute.value).ok().map(|value| value.into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SAMPLE: &str = r#"<page>
<span bbox="209 69 227 69" font="ABCDEF+Times-Bold" size="18.0000">
<char bbox="209 69 222 69" c="V"/>
<char bbox="222 69 231 69" c="o"/>
<char bbox="231 69 241 69" c="n"/>
<char bbox="241 69 245 69" c=" "/>
<char bbox="245 69 254 69" c="&#xe4;"/>
<char bbox="254 69 266 69" c="&amp;"/>
</span>
</page>
<page>
<span bbox="1 1 2 2" font="F1" size="0.1200">
<char bbox="72 100 77 100" c="&#xfb01;"/>
</span>
</page>
"#;

    #[test]
    fn characters_become_words() {
        let text = read_ghostscript_text(SAMPLE);
        assert_eq!(text.page_count, Some(2));
        let words = &text.pages[0].blocks[0].lines[0].words;
        let found: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(found, ["Von", "ä&"]);
        let style = words[0].style;
        assert_eq!((style.size, style.bold, style.italic), (18.0, true, false));
        assert_eq!(text.pages[1].blocks[0].text(), "fi");
        assert_eq!(text.pages[1].blocks[0].lines[0].words[0].style.size, USUAL_SIZE);
    }

    proptest! {
        #[test]
        fn takes_anything(text in any::<String>(), at in 0..SAMPLE.len(), inserted in "[<>&;/\"a-z0-9 ]{0,8}") {
            read_ghostscript_text(&text);
            let mut broken = SAMPLE.to_owned();
            broken.insert_str(at, &inserted);
            read_ghostscript_text(&broken);
        }
    }
}
