//! Style sheets: how text is set that is only said to be a "Heading 1" or "Emphasis".
//!
//! A style says a few things and leaves the rest to the style it is based on, down to the
//! document's defaults. Styles may be based on each other in a circle; a chain is followed only so
//! far.

use super::flow::{Look, Shape};
use crate::{Alignment, Style};
use std::collections::HashMap;

/// Styles based on styles that are followed. Real chains have ten at most.
pub const MAX_STYLE_CHAIN: usize = 40;

/// What is said about how text is set, as far as it is said.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Setting {
    pub(crate) size: Option<Size>,
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) small_caps: Option<bool>,
    pub(crate) hidden: Option<bool>,
    /// By which share of its size it is raised, or lowered if negative.
    pub(crate) raised: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Size {
    Points(f32),
    /// Of the size of the style below.
    Share(f32),
}

impl Setting {
    /// What is said here, and where nothing is, what is said below.
    pub(crate) fn over(self, below: Setting) -> Setting {
        let size = match (self.size, below.size) {
            (Some(Size::Share(share)), Some(Size::Points(points))) => {
                Some(Size::Points(points * share))
            }
            (Some(Size::Share(share)), Some(Size::Share(other))) => {
                Some(Size::Share(share * other))
            }
            (Some(size), _) => Some(size),
            (None, size) => size,
        };
        Setting {
            size,
            bold: self.bold.or(below.bold),
            italic: self.italic.or(below.italic),
            small_caps: self.small_caps.or(below.small_caps),
            hidden: self.hidden.or(below.hidden),
            raised: self.raised.or(below.raised),
        }
    }

    pub(crate) fn look(&self) -> Look {
        let size = match self.size {
            // Shares of sizes leave crumbs.
            Some(Size::Points(points)) if (0.0..=MAX_SIZE).contains(&points) => {
                (points * 100.0).round() / 100.0
            }
            _ => 0.0,
        };
        let style = Style {
            size,
            bold: self.bold.unwrap_or(false),
            italic: self.italic.unwrap_or(false),
            small_caps: self.small_caps.unwrap_or(false),
        };
        let measure = if size > 0.0 { size } else { USUAL_SIZE };
        Look { style, raised: self.raised.unwrap_or(0.0) * measure }
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden == Some(true)
    }
}

/// Points of a size that is believed: Word allows 1638.
const MAX_SIZE: f32 = 1_638.0;

/// Points text has where nothing is said, as the measure of raised marks.
const USUAL_SIZE: f32 = 10.0;

/// One style as it is written down.
#[derive(Debug, Clone, Default)]
pub(crate) struct SheetStyle {
    /// What people call it; `None` for a style that only carries what was set by hand.
    pub(crate) name: Option<String>,
    pub(crate) below: Option<String>,
    pub(crate) setting: Setting,
    pub(crate) alignment: Option<Alignment>,
}

/// All styles of a document by their keys.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) styles: HashMap<String, SheetStyle>,
    /// What holds where no style says anything.
    pub(crate) defaults: SheetStyle,
    /// The style of a paragraph that names none.
    pub(crate) usual: Option<String>,
    pub(crate) language: Option<String>,
}

impl Sheet {
    /// Gives each style what it has from those it is based on, once and for all questions.
    pub(crate) fn flatten(&mut self) {
        let followed = |key: &String| (key.clone(), self.followed(Some(key)));
        self.styles = self.styles.keys().map(followed).collect();
    }

    /// What a paragraph of this style is like, and how its text is set.
    pub(crate) fn paragraph(&self, key: Option<&str>) -> (Shape, Setting) {
        let style = self.followed(key.or(self.usual.as_deref()));
        let alignment = style.alignment.or(self.defaults.alignment).or(Some(Alignment::Left));
        let style_name = style.name.as_deref().map(known_name);
        (Shape { alignment, style_name }, style.setting.over(self.defaults.setting))
    }

    /// How text of this style is set, on top of its paragraph.
    pub(crate) fn run(&self, key: &str) -> Setting {
        self.followed(Some(key)).setting
    }

    /// A style together with those it is based on.
    fn followed(&self, key: Option<&str>) -> SheetStyle {
        let mut whole = SheetStyle::default();
        let mut next = key;
        for _ in 0..MAX_STYLE_CHAIN {
            let Some(style) = next.and_then(|key| self.styles.get(key)) else { break };
            whole.setting = whole.setting.over(style.setting);
            whole.alignment = whole.alignment.or(style.alignment);
            if whole.name.is_none() {
                whole.name.clone_from(&style.name);
            }
            next = style.below.as_deref();
        }
        whole
    }
}

/// One spelling for the styles every word processor has, whatever its language.
pub(crate) fn known_name(name: &str) -> String {
    let folded = name.trim().to_lowercase();
    let (word, level) = folded.rsplit_once(' ').unwrap_or((&folded, ""));
    let is_level = matches!(level.as_bytes(), [b'1'..=b'9']);
    match word {
        "heading" | "überschrift" | "titre" | "título" | "titolo" | "kop" if is_level => {
            format!("Heading {level}")
        }
        _ => match folded.as_str() {
            "title" | "titel" | "titre" | "título" | "titolo" => "Title".to_owned(),
            "subtitle" | "untertitel" | "sous-titre" => "Subtitle".to_owned(),
            "normal" | "standard" => "Standard".to_owned(),
            "text body" | "body text" | "textkörper" => "Text body".to_owned(),
            "footnote" | "footnote text" | "fußnotentext" => "Footnote".to_owned(),
            _ => name.trim().to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(styles: &[(&str, Option<&str>, Option<Size>)]) -> Sheet {
        let style = |(key, below, size): &(&str, Option<&str>, Option<Size>)| {
            let setting = Setting { size: *size, ..Setting::default() };
            let below = below.map(str::to_owned);
            let name = Some((*key).to_owned());
            ((*key).to_owned(), SheetStyle { name, below, setting, alignment: None })
        };
        Sheet { styles: styles.iter().map(style).collect(), ..Sheet::default() }
    }

    #[test]
    fn styles_inherit_sizes() {
        let points = |size| Some(Size::Points(size));
        let mut sheet = sheet(&[
            ("Standard", None, points(12.0)),
            ("Heading", Some("Standard"), None),
            ("heading 1", Some("Heading"), Some(Size::Share(1.5))),
            ("round", Some("about"), None),
            ("about", Some("round"), points(7.0)),
            ("lost", Some("missing"), None),
        ]);
        #[rustfmt::skip]
        let cases = [
            // style       name         size
            ("Standard",   "Standard",  12.0),
            ("Heading",    "Heading",   12.0),
            ("heading 1",  "Heading 1", 18.0),
            ("round",      "round",     7.0),
            ("lost",       "lost",      0.0),
        ];
        for _ in 0..2 {
            for (key, name, size) in cases {
                let (shape, setting) = sheet.paragraph(Some(key));
                assert_eq!(shape.style_name.as_deref(), Some(name), "{key}");
                assert!((setting.look().style.size - size).abs() < 0.01, "{key}");
            }
            sheet.flatten();
        }
    }

    #[test]
    fn names_of_known_styles() {
        #[rustfmt::skip]
        let cases = [
            ("heading 2", "Heading 2"), ("Überschrift 1", "Heading 1"), ("Titel", "Title"),
            ("Titre", "Title"), ("Titre 3", "Heading 3"), ("Textkörper", "Text body"),
            ("heading", "heading"), ("Formel", "Formel"), ("Normal", "Standard"),
        ];
        for (name, known) in cases {
            assert_eq!(known_name(name), known);
        }
    }
}
