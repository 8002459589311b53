//! Word's style sheet.

use super::fib::{Fib, Version};
use super::sprm::{Sprm, apply, sprms};
use crate::office::code_pages::{WESTERN, decode_page};
use crate::office::ole::u16_at;
use crate::office::sheet::{Setting, Sheet, SheetStyle, Size};

/// The key of a style, which Word knows by its number.
pub(super) fn key(number: u16) -> String {
    number.to_string()
}

/// Points of text for which nothing is said.
const UNSAID_SIZE: f32 = 10.0;

/// The number that stands for no style.
const NONE: u16 = 0xFFF;

pub(super) fn read_styles(fib: &Fib, table: &[u8]) -> Sheet {
    let mut sheet = Sheet { usual: Some(key(0)), ..Sheet::default() };
    sheet.defaults.setting.size = Some(Size::Points(UNSAID_SIZE));
    let styles = fib.styles.start..fib.styles.end.min(table.len());
    if let Some(bytes) = table.get(styles) {
        // A sheet cut off is read as far as it goes.
        let _ = read_sheet(fib.version, bytes, &mut sheet);
    }
    sheet.flatten();
    sheet
}

fn read_sheet(version: Version, bytes: &[u8], sheet: &mut Sheet) -> Option<()> {
    let header = usize::from(u16_at(bytes, 0)?);
    let count = u16_at(bytes, 2)?;
    let base = usize::from(u16_at(bytes, 4)?);
    let mut rest = bytes.get(2 + header..)?;
    for number in 0..count {
        let length = usize::from(u16_at(rest, 0)?);
        let style = rest.get(2..2 + length)?;
        if let Some(style) = read_style(version, style, base) {
            sheet.styles.insert(key(number), style);
        }
        rest = rest.get(2 + length + length % 2..).unwrap_or_default();
    }
    Some(())
}

const PARAGRAPH: u16 = 1;
const RUN: u16 = 2;

fn read_style(version: Version, bytes: &[u8], base: usize) -> Option<SheetStyle> {
    let known = u16_at(bytes, 0)? & 0xFFF;
    let kind = u16_at(bytes, 2)? & 0xF;
    let below = u16_at(bytes, 2)? >> 4;
    let (name, mut at) = match version {
        Version::Word97 => {
            let length = usize::from(u16_at(bytes, base)?) * 2;
            (decode_page(1200, bytes.get(base + 2..base + 2 + length)?), base + 4 + length)
        }
        Version::Word6 => {
            let length = usize::from(*bytes.get(base)?);
            (decode_page(WESTERN, bytes.get(base + 1..base + 1 + length)?), base + 2 + length)
        }
    };
    let name = match known {
        1..=9 => format!("Heading {known}"),
        62 => "Title".to_owned(),
        74 => "Subtitle".to_owned(),
        // Other names the writer knows the style by may follow.
        _ => name.split(',').next().unwrap_or_default().to_owned(),
    };
    let below = (below != NONE).then(|| key(below));
    let mut style = SheetStyle { name: Some(name), below, ..SheetStyle::default() };
    let mut next = || {
        at += at % 2;
        let length = usize::from(u16_at(bytes, at)?);
        let list = bytes.get(at + 2..at + 2 + length)?;
        at += 2 + length;
        Some(list)
    };
    if kind == PARAGRAPH
        && let Some(list) = next()
    {
        for sprm in sprms(version, list.get(2..).unwrap_or_default()) {
            if let Sprm::Alignment(alignment) = sprm {
                style.alignment = alignment;
            }
        }
    }
    if (kind == PARAGRAPH || kind == RUN)
        && let Some(list) = next()
    {
        for sprm in sprms(version, list) {
            apply(&mut style.setting, &Setting::default(), sprm);
        }
    }
    Some(style)
}
