//! What the pictures of a bitmap font tell when its name was left out.
//!
//! The heights of letters give the size, because all of Knuth's fonts share their proportions; the
//! widths tell bold and typewriter type; small letters nearly as high as capitals are small
//! capitals; and a full stop at the place of the colon is the alphabet of mathematics.

use super::encodings::Table;
use super::fonts::Picture;
use crate::Style;

/// What was found out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    pub(super) table: Table,
    pub(super) style: Style,
}

/// In ems, as in Computer Modern Roman of 10 points.
const X_HEIGHT: f32 = 0.44;
const ASCENDER: f32 = 0.69;
const CAPITAL: f32 = 0.685;
const DIGIT: f32 = 0.65;

/// Widths in thousandths of an em of the letters that tell best, Computer Modern Roman.
const WIDTHS: [(u8, f32); 16] = [
    (b'a', 500.0),
    (b'e', 444.0),
    (b'i', 278.0),
    (b'n', 556.0),
    (b'o', 500.0),
    (b'r', 392.0),
    (b's', 394.0),
    (b't', 389.0),
    (b'u', 556.0),
    (b'0', 500.0),
    (b'1', 500.0),
    (b'2', 500.0),
    (b'A', 750.0),
    (b'S', 556.0),
    (b'T', 722.0),
    (b'C', 722.0),
];

/// The sizes TeX's fonts are used in, in its points.
const SIZES: [f32; 16] = [
    5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 10.95, 12.0, 13.14, 14.4, 15.77, 17.28, 20.74, 24.88, 29.86,
    35.83,
];

pub(super) fn measure(pictures: &[Option<Picture>; 256], resolution: f32) -> Measured {
    let small_caps = has_small_capitals(pictures);
    let table = table(pictures, small_caps);
    let dots = em_in_dots(pictures, small_caps, table == Table::Typewriter);
    let size =
        dots.map_or(super::UNKNOWN_SIZE, |dots| usual(dots / resolution * 72.27)) / 72.27 * 72.0;
    let bold = dots.is_some_and(|_| is_bold(pictures, size * 72.27 / 72.0 / 72.27 * resolution))
        && table != Table::Typewriter;
    Measured { table, style: Style { size, bold, italic: false, small_caps } }
}

fn heights<'p>(
    pictures: &'p [Option<Picture>; 256],
    letters: &'p [u8],
) -> impl Iterator<Item = f32> + 'p {
    let found = letters.iter().filter_map(|letter| pictures[usize::from(*letter)]);
    found.map(|picture| picture.height).filter(|height| *height > 0.0)
}

/// The em from the heights of letters that stand on the line and have a flat or round top.
fn em_in_dots(
    pictures: &[Option<Picture>; 256],
    small_caps: bool,
    typewriter: bool,
) -> Option<f32> {
    let groups: [(&[u8], f32); 4] = [
        (b"acemnorsuvwxz", if small_caps { 0.514 } else { X_HEIGHT }),
        (
            b"bdhkl",
            if small_caps {
                0.514
            } else if typewriter {
                0.61
            } else {
                ASCENDER
            },
        ),
        (b"ABDEFGHIKLMNPRSTUVWXYZ", if typewriter { 0.61 } else { CAPITAL }),
        (b"0123456789", if typewriter { 0.61 } else { DIGIT }),
    ];
    let mut ems: Vec<f32> = Vec::new();
    for (letters, ratio) in groups {
        ems.extend(heights(pictures, letters).map(|height| height / ratio));
    }
    let middle = ems.len() / 2;
    (!ems.is_empty()).then(|| *ems.select_nth_unstable_by(middle, f32::total_cmp).1)
}

/// The nearest size that is used, if one is near.
fn usual(points: f32) -> f32 {
    let nearest =
        SIZES.into_iter().min_by(|a, b| (a - points).abs().total_cmp(&(b - points).abs()));
    nearest.filter(|size| (size / points - 1.0).abs() < 0.06).unwrap_or(points)
}

fn is_bold(pictures: &[Option<Picture>; 256], em: f32) -> bool {
    let ratios = WIDTHS.iter().filter_map(|(letter, width)| {
        pictures[usize::from(*letter)].map(|picture| picture.advance / (em * width / 1000.0))
    });
    let (sum, count) = ratios.fold((0.0, 0), |(sum, count), ratio| (sum + ratio, count + 1));
    count >= 2 && sum / count as f32 > 1.09
}

fn has_small_capitals(pictures: &[Option<Picture>; 256]) -> bool {
    let highest = |letters| heights(pictures, letters).fold(0.0, f32::max);
    let (small, large) = (highest(b"acemnorsuvwxz"), highest(b"ABDEFGHIKLMNPRSTUVWXYZ"));
    let tall = highest(b"bdhkl");
    small > 0.0 && large > 0.0 && (0.7..0.85).contains(&(small / large)) && tall < large * 0.9
}

fn table(pictures: &[Option<Picture>; 256], small_caps: bool) -> Table {
    let has = |code: u8| pictures[usize::from(code)].is_some();
    let count =
        |mut codes: std::ops::RangeInclusive<u8>| codes.by_ref().filter(|code| has(*code)).count();
    if small_caps {
        return Table::SmallCaps;
    }
    let is_text = b",.-()".iter().any(|code| has(*code)) || count(b'a'..=b'z') >= 8;
    let high = pictures[128..].iter().filter(|picture| picture.is_some()).count();
    if high == 0 && count(b'a'..=b'z') < 8 && has_signs(pictures) && !has_one_width(pictures) {
        return Table::MathSigns;
    }
    if high > 0 || (is_text && count(27..=31) > 0 && count(11..=15) == 0) {
        return Table::Cork;
    }
    if has_one_width(pictures) {
        return Table::Typewriter;
    }
    if is_mathematics(pictures) {
        return Table::MathLetters;
    }
    let letters = count(b'a'..=b'z') + count(b'A'..=b'Z');
    let low = count(0..=32);
    if is_text && low <= letters {
        Table::Text
    } else if has_braces(pictures) || (low > 0 && (letters == 0 || count(11..=33) * 2 < low)) {
        Table::MathSigns
    } else if low > letters {
        Table::MathLetters
    } else {
        Table::Text
    }
}

/// Whether full stop and comma are where mathematics has them, instead of the colons.
fn is_mathematics(pictures: &[Option<Picture>; 256]) -> bool {
    let em = em_in_dots(pictures, false, false).unwrap_or(0.0);
    let low = |code: usize, limit: f32| pictures[code].is_some_and(|sign| sign.height < limit * em);
    low(58, 0.2) || low(59, 0.4)
}

/// Whether upright characters have the shape of signs: an arrow where `!` is, and so on.
fn has_signs(pictures: &[Option<Picture>; 256]) -> bool {
    let flat =
        |code: &u8| pictures[usize::from(*code)].is_some_and(|sign| sign.height < sign.advance);
    let turnstile = pictures[96].is_some_and(|sign| sign.height > sign.advance);
    turnstile || b"!()2>".iter().any(flat)
}

/// Whether the places of `f` and `g` have braces: as high and as wide as each other, and narrow.
fn has_braces(pictures: &[Option<Picture>; 256]) -> bool {
    let (Some(left), Some(right)) = (pictures[102], pictures[103]) else { return false };
    (left.height - right.height).abs() <= 1.0
        && (left.advance - right.advance).abs() <= 1.0
        && left.height > 1.7 * left.advance
}

fn has_one_width(pictures: &[Option<Picture>; 256]) -> bool {
    let mut widths = pictures.iter().flatten().map(|picture| picture.advance);
    let Some(first) = widths.next() else { return false };
    let mut count = 1;
    let equal = widths.by_ref().inspect(|_| count += 1).all(|width| (width - first).abs() < 1.0);
    equal && count >= 6
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A font of which these codes have these heights and widths, in dots.
    fn found(glyphs: &[(u8, f32, f32)]) -> Measured {
        let mut pictures = [None; 256];
        for (code, height, advance) in glyphs {
            pictures[usize::from(*code)] = Some(Picture { height: *height, advance: *advance });
        }
        measure(&pictures, 600.0)
    }

    /// Letters of Computer Modern Roman of 10 points.
    const ROMAN: [(u8, f32, f32); 6] = [
        (b'a', 37.0, 42.0),
        (b'e', 37.0, 37.0),
        (b'n', 36.0, 46.0),
        (b'T', 56.0, 60.0),
        (b'l', 57.0, 23.0),
        (b'.', 9.0, 23.0),
    ];

    #[test]
    fn size_and_weight_from_pictures() {
        let roman = found(&ROMAN);
        assert!((roman.style.size - 9.96).abs() < 0.01, "{roman:?}");
        assert!(!roman.style.bold);
        let bold = found(&ROMAN.map(|(code, height, width)| (code, height, width * 1.15)));
        assert!(bold.style.bold);
        let large =
            found(&ROMAN.map(|(code, height, width)| (code, height * 1.728, width * 1.728)));
        assert!((large.style.size - 17.22).abs() < 0.05, "{large:?}");
        assert!(!large.style.bold);
    }

    #[test]
    fn tables_from_pictures() {
        let with = |more: &[(u8, f32, f32)]| found(&[&ROMAN, more].concat()).table;
        assert_eq!(with(&[(12, 58.0, 46.0)]), Table::Text);
        assert_eq!(with(&[(228, 55.0, 42.0)]), Table::Cork);
        assert_eq!(with(&[(28, 58.0, 46.0)]), Table::Cork);
        assert_eq!(found(&[(b'x', 36.0, 47.0), (58, 9.0, 23.0)]).table, Table::MathLetters);
        assert_eq!(found(&[(0, 4.0, 65.0), (33, 43.0, 83.0)]).table, Table::MathSigns);
        assert_eq!(found(&[(27, 50.0, 65.0), (40, 46.0, 83.0)]).table, Table::MathSigns);
        assert_eq!(found(&[(102, 83.0, 42.0), (103, 83.0, 42.0)]).table, Table::MathSigns);
        assert_eq!(
            found(&ROMAN.map(|(code, height, _)| (code, height, 44.0))).table,
            Table::Typewriter
        );
        let capitals =
            [(b'a', 43.0, 51.0), (b'e', 43.0, 50.0), (b'l', 43.0, 46.0), (b'T', 56.0, 60.0)];
        assert_eq!(found(&capitals).table, Table::SmallCaps);
    }
}
