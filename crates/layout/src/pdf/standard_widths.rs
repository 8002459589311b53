//! Widths of the fonts that every reader of PDF has, for files that do not give them.
//!
//! Until PDF 1.5 the widths of the fourteen standard fonts could be left out. Widths of the letters
//! of ASCII are enough here: a letter with an accent is as wide as the letter, and of the rest a
//! mean is good enough to tell words apart. Italics are set like their upright sisters.

use unicode_normalization::char::decompose_canonical;

use super::encodings::Encoding;

/// Widths of the 256 codes of WinAnsi in units of the size.
pub(super) fn standard_widths(name: &str) -> Vec<f64> {
    let lower = name.to_ascii_lowercase();
    let bold = lower.contains("bold");
    let table = if lower.contains("courier") || lower.contains("mono") {
        None
    } else if lower.contains("times") || lower.contains("serif") || lower.contains("roman") {
        Some(if bold { &TIMES_BOLD } else { &TIMES })
    } else {
        Some(if bold { &HELVETICA_BOLD } else { &HELVETICA })
    };
    let Some(table) = table else { return vec![0.6; 256] };
    let width = |code: u8| {
        let mut base = None;
        let character = Encoding::WinAnsi.character(code)?;
        decompose_canonical(character, |part| base = base.or(Some(part)));
        let at = u8::try_from(base?).ok()?.checked_sub(b' ')?;
        table.get(usize::from(at)).map(|&width| f64::from(width) * 0.001)
    };
    (0..=255_u8).map(|code| width(code).unwrap_or(0.55)).collect()
}

type Widths = [u16; 95];

#[rustfmt::skip]
const HELVETICA: Widths = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

#[rustfmt::skip]
const HELVETICA_BOLD: Widths = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
    975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
    333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

#[rustfmt::skip]
const TIMES: Widths = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
    500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
    921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
    556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
    333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
    500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];

#[rustfmt::skip]
const TIMES_BOLD: Widths = [
    250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278,
    500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500,
    930, 722, 667, 722, 722, 667, 611, 778, 778, 389, 500, 778, 667, 944, 722, 778,
    611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333, 278, 333, 581, 500,
    333, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500,
    556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        #[rustfmt::skip]
        let cases = [
            ("Helvetica", b'A', 0.667),   ("Times-Roman", b'z', 0.444), ("Courier-Bold", b'i', 0.6),
            ("Times-Bold", b'a', 0.5),    ("Helvetica-Bold", b'~', 0.584), ("Times-Italic", 0xe4, 0.444),
            ("Arial,Bold", b'm', 0.889),
        ];
        for (name, code, expected) in cases {
            let width = standard_widths(name)[usize::from(code)];
            assert!((width - expected).abs() < 1e-9, "{name} {code}: {width}");
        }
    }
}
