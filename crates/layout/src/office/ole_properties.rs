//! The summary that OLE documents keep of themselves (MS-OLEPS).

use super::code_pages::{WESTERN, decode_page};
use super::core_properties::MAX_PROPERTY;
use super::ole::{u16_at, u32_at};
use crate::Properties;

/// Properties looked at; Word writes 20.
const MAX_PROPERTIES: u32 = 200;

/// Reads the stream `\x05SummaryInformation`: the properties and the number of pages.
pub(crate) fn read_summary(stream: &[u8]) -> (Properties, Option<u32>) {
    read_section(stream).unwrap_or_default()
}

fn read_section(stream: &[u8]) -> Option<(Properties, Option<u32>)> {
    let section = stream.get(u32_at(stream, 44)? as usize..)?;
    let count = u32_at(section, 4)?.min(MAX_PROPERTIES) as usize;
    let values: Vec<(u32, &[u8])> = (0..count)
        .map_while(|number| Some((u32_at(section, 8 + number * 8)?, 12 + number * 8)))
        .filter_map(|(id, at)| Some((id, section.get(u32_at(section, at)? as usize..)?)))
        .collect();
    let value = |id| values.iter().find(|(found, _)| *found == id).map(|(_, value)| *value);
    let page = value(1).and_then(|value| u16_at(value, 4)).unwrap_or(WESTERN);
    let text = |id| value(id).and_then(|value| text(value, page));
    let properties = Properties {
        title: text(2),
        subject: text(3),
        author: text(4),
        keywords: text(5),
        created: value(12).and_then(moment),
        producer: text(18),
        language: None,
    };
    let pages = value(14).and_then(|value| u32_at(value, 4)).filter(|pages| *pages > 0);
    Some((properties, pages.filter(|pages| *pages < MAX_PAGES)))
}

/// More pages are a fault of the program that counted.
const MAX_PAGES: u32 = 100_000;

const BYTES: u32 = 30;
const WIDE: u32 = 31;
const MOMENT: u32 = 64;

fn text(value: &[u8], page: u16) -> Option<String> {
    let length = u32_at(value, 4)? as usize;
    let (page, length) = match u32_at(value, 0)? {
        BYTES => (page, length),
        WIDE => (1200, length.saturating_mul(2)),
        _ => return None,
    };
    let end = length.min(MAX_PROPERTY).saturating_add(8).min(value.len());
    let text = decode_page(page, &value[8..end]);
    let text = text.split('\0').next().unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// A moment in tenths of microseconds since 1601, as a date with time.
fn moment(value: &[u8]) -> Option<String> {
    if u32_at(value, 0)? != MOMENT {
        return None;
    }
    let ticks = u64::from(u32_at(value, 4)?) | (u64::from(u32_at(value, 8)?) << 32);
    let seconds = ticks / 10_000_000;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // 400 years have 146097 days; 1601 begins such a period.
    let mut year = 1601 + days / 146_097 * 400;
    let mut day = days % 146_097;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if day < length {
            break;
        }
        day -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    let is_date = (1980..2200).contains(&year);
    is_date.then(|| format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}Z", day + 1))
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        #[rustfmt::skip]
        let cases: [(u64, Option<&str>); 4] = [
            (125_911_584_000_000_000, Some("2000-01-01T00:00Z")),
            (125_963_423_400_000_000, Some("2000-02-29T23:59Z")),
            (0,                       None),
            (u64::MAX,                None),
        ];
        for (ticks, expected) in cases {
            let mut value = MOMENT.to_le_bytes().to_vec();
            value.extend(ticks.to_le_bytes());
            assert_eq!(moment(&value).as_deref(), expected, "{ticks}");
        }
    }
}
