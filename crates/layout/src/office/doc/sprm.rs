//! What Word says about settings: a list of codes, each with its operand.
//!
//! Since Word 97 the code itself tells how long its operand is; before, it has to be known.

use super::fib::Version;
use crate::Alignment;
use crate::office::flow::SUPERSCRIPT;
use crate::office::ole::u16_at;
use crate::office::sheet::{Setting, Size};

/// A statement about text or a paragraph, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sprm {
    Bold(Toggle),
    Italic(Toggle),
    SmallCaps(Toggle),
    Hidden(Toggle),
    Deleted(bool),
    Size(f32),
    /// A share of the size.
    Raised(f32),
    /// Text of a style of its own.
    RunStyle(u16),
    /// A character of a picture font, by its number there.
    Symbol {
        font: u16,
        number: u16,
    },
    Alignment(Option<Alignment>),
    Style(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Toggle {
    To(bool),
    AsStyle,
    UnlikeStyle,
}

impl Toggle {
    fn of(operand: u8) -> Toggle {
        match operand {
            0x80 => Toggle::AsStyle,
            0x81 => Toggle::UnlikeStyle,
            value => Toggle::To(value != 0),
        }
    }

    fn over(self, style: Option<bool>) -> Option<bool> {
        match self {
            Toggle::To(value) => Some(value),
            Toggle::AsStyle => style,
            Toggle::UnlikeStyle => Some(!style.unwrap_or(false)),
        }
    }
}

/// The statements of a list.
pub(super) fn sprms(version: Version, mut list: &[u8]) -> impl Iterator<Item = Sprm> {
    std::iter::from_fn(move || {
        while !list.is_empty() {
            let (code, start) = match version {
                Version::Word97 => (u16_at(list, 0)?, 2),
                Version::Word6 => (modern(list[0]), 1),
            };
            let operand = list.get(start..)?;
            let (skipped, length) = match version {
                Version::Word97 => operand_of_97(code, operand)?,
                Version::Word6 => operand_of_6(list[0], operand)?,
            };
            let value = operand.get(skipped..skipped + length)?;
            list = &operand[skipped + length..];
            if let Some(sprm) = read(code, value) {
                return Some(sprm);
            }
        }
        None
    })
}

fn read(code: u16, value: &[u8]) -> Option<Sprm> {
    let byte = *value.first()?;
    let word = u16_at(value, 0);
    Some(match code {
        0x0835 => Sprm::Bold(Toggle::of(byte)),
        0x0836 => Sprm::Italic(Toggle::of(byte)),
        0x083A => Sprm::SmallCaps(Toggle::of(byte)),
        0x083C => Sprm::Hidden(Toggle::of(byte)),
        0x0800 => Sprm::Deleted(byte != 0),
        0x4A43 => Sprm::Size(f32::from(word?) / 2.0),
        0x2A48 => Sprm::Raised(match byte {
            1 => SUPERSCRIPT,
            2 => -SUPERSCRIPT,
            _ => 0.0,
        }),
        0x4845 => Sprm::Raised(match word?.cast_signed() {
            1.. => SUPERSCRIPT,
            0 => 0.0,
            _ => -SUPERSCRIPT,
        }),
        0x4A30 => Sprm::RunStyle(word?),
        0x6A09 => Sprm::Symbol { font: word?, number: u16_at(value, 2)? },
        0x2403 | 0x2461 => Sprm::Alignment(match byte {
            0 => Some(Alignment::Left),
            1 => Some(Alignment::Centred),
            2 => Some(Alignment::Right),
            3..=5 => Some(Alignment::Justified),
            _ => None,
        }),
        0x4600 => Sprm::Style(word?),
        _ => return None,
    })
}

/// Where the operand's value begins and how long it is.
fn operand_of_97(code: u16, operand: &[u8]) -> Option<(usize, usize)> {
    Some(match code >> 13 {
        0 | 1 => (0, 1),
        2 | 4 | 5 => (0, 2),
        3 => (0, 4),
        7 => (0, 3),
        _ => match code {
            // The definition of a table: its length has two bytes and counts one of them.
            0xD608 => (2, usize::from(u16_at(operand, 0)?).saturating_sub(1)),
            _ => (1, usize::from(*operand.first()?)),
        },
    })
}

fn operand_of_6(code: u8, operand: &[u8]) -> Option<(usize, usize)> {
    Some(match code {
        0 | 52 | 83 => (0, 0),
        20 | 70 => (0, 4),
        73 | 95 => (0, 3),
        2 | 16..=19 | 21 | 22 | 26..=28 | 30..=36 | 38..=43 | 45..=49 => (0, 2),
        69 | 72 | 80 | 93 | 96 | 97 | 99 | 101 | 107 | 109..=112 => (0, 2),
        4..=11 | 13 | 14 | 24 | 25 | 29 | 37 | 44 | 50 | 51 => (0, 1),
        65..=67 | 71 | 75 | 85..=92 | 94 | 98 | 100 | 102 | 104 | 117 | 118 => (0, 1),
        3 | 12 | 15 | 23 | 64 | 68 | 74 | 79 | 81 | 82 | 103 | 105 | 106 | 108 | 113..=116 => {
            (1, usize::from(*operand.first()?))
        }
        // Settings of tables, sections and pictures, after which nothing of ours comes.
        _ => return None,
    })
}

/// The code since Word 97 for one from before.
fn modern(code: u8) -> u16 {
    match code {
        2 => 0x4600,
        5 => 0x2403,
        65 => 0x0800,
        80 => 0x4A30,
        85 => 0x0835,
        86 => 0x0836,
        90 => 0x083A,
        92 => 0x083C,
        99 => 0x4A43,
        101 => 0x4845,
        104 => 0x2A48,
        _ => 0,
    }
}

/// Applies a statement about text; `style` is how the styles alone set it.
pub(super) fn apply(setting: &mut Setting, style: &Setting, sprm: Sprm) {
    match sprm {
        Sprm::Bold(toggle) => setting.bold = toggle.over(style.bold),
        Sprm::Italic(toggle) => setting.italic = toggle.over(style.italic),
        Sprm::SmallCaps(toggle) => setting.small_caps = toggle.over(style.small_caps),
        Sprm::Hidden(toggle) => setting.hidden = toggle.over(style.hidden),
        Sprm::Size(points) => setting.size = Some(Size::Points(points)),
        Sprm::Raised(share) => setting.raised = Some(share),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_both_generations() {
        use Version::{Word6, Word97};
        let bold = Sprm::Bold(Toggle::To(true));
        let centred = Sprm::Alignment(Some(Alignment::Centred));
        #[rustfmt::skip]
        let cases: [(Version, &[u8], Vec<Sprm>); 6] = [
            (Word97, &[0x35, 0x08, 1, 0x43, 0x4A, 24, 0],    vec![bold, Sprm::Size(12.0)]),
            (Word97, &[0x0D, 0xC6, 2, 9, 9, 0x03, 0x24, 1],  vec![centred]),
            (Word97, &[0x35, 0x08],                          vec![]),
            (Word6,  &[85, 1, 99, 24, 0],                    vec![bold, Sprm::Size(12.0)]),
            (Word6,  &[15, 2, 9, 9, 5, 1],                   vec![centred]),
            (Word6,  &[190, 5, 1, 85, 1],                    vec![]),
        ];
        for (version, list, expected) in cases {
            assert_eq!(sprms(version, list).collect::<Vec<_>>(), expected, "{list:?}");
        }
    }
}
