//! The styles of an ODT: those with names in `styles.xml`, those made by hand beside the text.

use crate::Alignment;
use crate::office::flow::SUPERSCRIPT;
use crate::office::sheet::{Setting, Sheet, SheetStyle, Size};
use crate::office::xml::{Descent, Element, Visitor};

#[derive(Debug, Default)]
pub(super) struct StylesReader {
    pub(super) sheet: Sheet,
    place: Place,
    /// Whether styles are read that were made by hand.
    by_hand: bool,
}

/// What the properties that follow belong to.
#[derive(Debug, Default)]
enum Place {
    #[default]
    Elsewhere,
    Defaults,
    Style(String, SheetStyle),
}

/// The key of a style: paragraphs and runs may have styles of the same name.
pub(super) fn key(family: &str, name: &str) -> String {
    format!("{family} {name}")
}

impl Visitor for StylesReader {
    fn open(&mut self, element: &Element<'_>) -> Descent {
        match element.name() {
            "automatic-styles" => self.by_hand = true,
            "body" | "master-styles" => return Descent::Past,
            "default-style" if element.attribute("family").as_deref() == Some("paragraph") => {
                self.place = Place::Defaults;
            }
            "style" => self.place = self.begin(element),
            "text-properties" | "paragraph-properties" | "properties" => self.apply(element),
            _ => {}
        }
        Descent::Into
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, name: &str) {
        match name {
            "automatic-styles" => self.by_hand = false,
            "default-style" => self.place = Place::Elsewhere,
            "style" => {
                if let Place::Style(key, style) = std::mem::take(&mut self.place) {
                    self.sheet.styles.insert(key, style);
                }
            }
            _ => {}
        }
    }
}

impl StylesReader {
    fn begin(&self, element: &Element<'_>) -> Place {
        let family = element.attribute("family").unwrap_or_default();
        if family != "paragraph" && family != "text" {
            return Place::Elsewhere;
        }
        let name = element.attribute("name").unwrap_or_default();
        let shown = element.attribute("display-name").unwrap_or_else(|| spoken(&name));
        let below = element.attribute("parent-style-name").map(|below| key(&family, &below));
        let style =
            SheetStyle { name: (!self.by_hand).then_some(shown), below, ..SheetStyle::default() };
        Place::Style(key(&family, &name), style)
    }

    fn apply(&mut self, element: &Element<'_>) {
        let style = match &mut self.place {
            Place::Elsewhere => return,
            Place::Defaults => {
                if let Some(language) = element.attribute("language").filter(|tag| tag != "none") {
                    let country = element.attribute("country").filter(|tag| tag != "none");
                    self.sheet.language = Some(match country {
                        Some(country) => format!("{language}-{country}"),
                        None => language,
                    });
                }
                &mut self.sheet.defaults
            }
            Place::Style(_, style) => style,
        };
        style.setting = setting(element).over(style.setting);
        let alignment = element.attribute("text-align").and_then(|value| alignment(&value));
        style.alignment = alignment.or(style.alignment);
    }
}

/// The name of a style as people read it: `Heading_20_1` is "Heading 1".
fn spoken(name: &str) -> String {
    name.replace("_20_", " ")
}

fn setting(element: &Element<'_>) -> Setting {
    let weight = element.attribute("font-weight");
    let slant = element.attribute("font-style");
    Setting {
        size: element.attribute("font-size").and_then(|value| size(&value)),
        bold: weight.map(|value| is_bold(&value)),
        italic: slant.map(|value| value == "italic" || value == "oblique"),
        small_caps: element.attribute("font-variant").map(|value| value == "small-caps"),
        hidden: element.attribute("display").map(|value| value == "none"),
        raised: element.attribute("text-position").map(|value| raised(&value)),
    }
}

fn is_bold(weight: &str) -> bool {
    weight == "bold" || weight.parse().is_ok_and(|weight: u32| weight >= 600)
}

/// `12pt`, `80%`, and the other lengths the format allows.
fn size(value: &str) -> Option<Size> {
    let unit = value.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    let number: f32 = value[..value.len() - unit.len()].parse().ok()?;
    let points = match unit {
        "%" => return Some(Size::Share(number / 100.0)),
        "pt" => 1.0,
        "pc" => 12.0,
        "in" | "inch" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 7.2 / 2.54,
        "px" => 0.75,
        _ => return None,
    };
    Some(Size::Points(number * points))
}

/// `super 58%`, `-33% 58%`.
fn raised(value: &str) -> f32 {
    match value.split_whitespace().next() {
        Some("super") => SUPERSCRIPT,
        Some("sub") => -SUPERSCRIPT,
        Some(share) => share.trim_end_matches('%').parse::<f32>().unwrap_or(0.0) / 100.0,
        None => 0.0,
    }
}

fn alignment(value: &str) -> Option<Alignment> {
    match value {
        "start" | "left" => Some(Alignment::Left),
        "center" => Some(Alignment::Centred),
        "end" | "right" => Some(Alignment::Right),
        "justify" => Some(Alignment::Justified),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_raised_marks() {
        let cases = [
            ("12pt", Some(Size::Points(12.0))),
            ("80%", Some(Size::Share(0.8))),
            ("1in", Some(Size::Points(72.0))),
            ("pt", None),
            ("12ells", None),
        ];
        for (text, expected) in cases {
            assert_eq!(size(text), expected, "{text}");
        }
        assert!(raised("super 58%") > 0.0 && raised("-33% 58%") < 0.0);
        assert!(raised("0% 100%").abs() < f32::EPSILON);
    }
}
