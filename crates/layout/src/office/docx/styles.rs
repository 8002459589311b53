//! `styles.xml`, and the elements that set text and paragraphs, which the body shares with it.

use crate::Alignment;
use crate::office::flow::SUPERSCRIPT;
use crate::office::parts::Parts;
use crate::office::sheet::{Setting, Sheet, SheetStyle, Size};
use crate::office::xml::{Descent, Element, Visitor};

/// Points of text for which neither a style nor the defaults name a size.
const UNSAID_SIZE: f32 = 10.0;

/// The styles of the document.
pub(super) fn read_styles(parts: &mut Parts<'_>, document: &str) -> Sheet {
    let name = parts.related(document, "styles").unwrap_or_else(|| "word/styles.xml".to_owned());
    let mut reader = StylesReader::default();
    parts.walk(&name, &mut reader);
    let unsaid = Setting { size: Some(Size::Points(UNSAID_SIZE)), ..Setting::default() };
    let defaults = &mut reader.sheet.defaults;
    defaults.setting = defaults.setting.over(unsaid);
    reader.sheet.flatten();
    reader.sheet
}

#[derive(Debug, Default)]
struct StylesReader {
    sheet: Sheet,
    /// The style that is being read, with its key.
    style: Option<(String, SheetStyle)>,
}

impl Visitor for StylesReader {
    fn open(&mut self, element: &Element<'_>) -> Descent {
        match element.name() {
            "style" => {
                let key = element.attribute("styleId").unwrap_or_default();
                let is_usual = element.attribute("default").is_some_and(|value| is_on(&value));
                if is_usual && element.attribute("type").as_deref() == Some("paragraph") {
                    self.sheet.usual = Some(key.clone());
                }
                self.style = Some((key, SheetStyle::default()));
            }
            // How tables set parts of themselves, and what was set before a tracked change.
            "tblStylePr" | "rPrChange" | "pPrChange" | "latentStyles" => return Descent::Past,
            "lang" if self.style.is_none() => self.sheet.language = element.attribute("val"),
            name => {
                let value = element.attribute("val");
                let style = match &mut self.style {
                    Some((_, style)) => style,
                    None => &mut self.sheet.defaults,
                };
                match (name, value) {
                    ("name", Some(value)) => style.name = Some(value),
                    ("basedOn", value) => style.below = value,
                    ("jc", Some(value)) => style.alignment = alignment(&value),
                    (_, value) => set(&mut style.setting, name, value.as_deref()),
                }
            }
        }
        Descent::Into
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, name: &str) {
        if name == "style"
            && let Some((key, style)) = self.style.take()
        {
            self.sheet.styles.insert(key, style);
        }
    }
}

/// Applies an element of run properties.
pub(super) fn set(setting: &mut Setting, name: &str, value: Option<&str>) {
    let on = Some(value.is_none_or(is_on));
    match name {
        "b" => setting.bold = on,
        "i" => setting.italic = on,
        "smallCaps" => setting.small_caps = on,
        "vanish" => setting.hidden = on,
        "sz" => {
            let half_points = value.and_then(|value| value.parse::<f32>().ok());
            setting.size = half_points.map(|size| Size::Points(size / 2.0)).or(setting.size);
        }
        "vertAlign" => {
            setting.raised = match value {
                Some("superscript") => Some(SUPERSCRIPT),
                Some("subscript") => Some(-SUPERSCRIPT),
                _ => Some(0.0),
            }
        }
        _ => {}
    }
}

pub(super) fn alignment(value: &str) -> Option<Alignment> {
    match value {
        "left" | "start" => Some(Alignment::Left),
        "center" => Some(Alignment::Centred),
        "right" | "end" => Some(Alignment::Right),
        "both" | "distribute" => Some(Alignment::Justified),
        _ => None,
    }
}

fn is_on(value: &str) -> bool {
    !matches!(value, "0" | "false" | "off")
}
