//! An expression written out: all rows of letters that it matches, if these are few and short.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// Rows of one expression; one that has more is not written out.
const MAX_ROWS: usize = 1024;

/// Letters of a row.
const MAX_ROW: usize = 64;

/// How often a part may be repeated.
const MAX_REPEATED: u32 = 8;

/// One after the other.
pub(super) type Row = Vec<Unit>;

/// What stands at one place of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Letter(AsciiSet),
    /// The text begins here.
    Start,
    End,
    /// The text begins here, or one of these stands before; only at the beginning of a row.
    Beginning(AsciiSet),
    /// The text ends here, or one of these follows; only at the end of a row.
    Ending(AsciiSet),
}

/// Letters of ASCII, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AsciiSet(u128);

impl AsciiSet {
    fn of(byte: u8) -> AsciiSet {
        AsciiSet(1 << byte)
    }

    #[inline]
    pub(super) fn has(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 & (1 << byte) != 0
    }

    /// Whether it has nothing but this letter in both cases; what is no letter has one.
    pub(super) fn has_both_cases(self, letter: u8) -> bool {
        let (lower, upper) = (letter.to_ascii_lowercase(), letter.to_ascii_uppercase());
        self.0 == AsciiSet::of(lower).0 | AsciiSet::of(upper).0
    }
}

impl Unit {
    pub(super) fn set(&self) -> Option<AsciiSet> {
        match self {
            Unit::Letter(set) => Some(*set),
            _ => None,
        }
    }

    /// The letter, in lower case, if it can be no other. White space is none: it stands between texts.
    pub(super) fn letter(&self) -> Option<char> {
        let set = self.set()?;
        let first = u8::try_from(set.0.trailing_zeros()).ok()?;
        let is_one = set == AsciiSet::of(first) || set.has_both_cases(first);
        (is_one && !first.is_ascii_whitespace()).then(|| char::from(first.to_ascii_lowercase()))
    }
}

/// The rows that an expression matches in ASCII texts; `None` if it cannot be written out.
pub(super) fn rows(expression: &Hir) -> Option<Vec<Row>> {
    let rows = written_out(expression)?;
    let is_sound = |row: &Row| {
        row.iter().enumerate().all(|(at, unit)| match unit {
            Unit::Beginning(_) => at == 0,
            Unit::Ending(_) => at + 1 == row.len(),
            _ => true,
        })
    };
    rows.iter().all(is_sound).then_some(rows)
}

fn written_out(part: &Hir) -> Option<Vec<Row>> {
    Some(match part.kind() {
        HirKind::Empty => vec![Row::new()],
        HirKind::Look(Look::Start) => vec![vec![Unit::Start]],
        HirKind::Look(Look::End) => vec![vec![Unit::End]],
        HirKind::Look(_) => return None,
        HirKind::Literal(literal) if !literal.0.is_ascii() => Vec::new(),
        HirKind::Literal(literal) => {
            vec![literal.0.iter().map(|byte| Unit::Letter(AsciiSet::of(*byte))).collect()]
        }
        HirKind::Class(class) => match ascii_of(class) {
            AsciiSet(0) => Vec::new(),
            letters => vec![vec![Unit::Letter(letters)]],
        },
        HirKind::Repetition(repeated) => repetitions(repeated)?,
        HirKind::Capture(group) => written_out(&group.sub)?,
        HirKind::Concat(parts) => parts
            .iter()
            .try_fold(vec![Row::new()], |rows, part| followed(&rows, &written_out(part)?))?,
        HirKind::Alternation(branches) => {
            let mut rows = Vec::new();
            for branch in branches {
                rows.extend(written_out(branch)?);
                if rows.len() > MAX_ROWS {
                    return None;
                }
            }
            with_edges(rows)
        }
    })
}

/// Each row with each of those that may follow it.
fn followed(rows: &[Row], others: &[Row]) -> Option<Vec<Row>> {
    if rows.len().saturating_mul(others.len()) > MAX_ROWS {
        return None;
    }
    let both =
        rows.iter().flat_map(|row| others.iter().map(move |other| [&row[..], other].concat()));
    let both: Vec<Row> = both.collect();
    both.iter().all(|row| row.len() <= MAX_ROW).then_some(both)
}

fn repetitions(repeated: &Repetition) -> Option<Vec<Row>> {
    let most = repeated.max.filter(|most| *most <= MAX_REPEATED)?;
    let once = written_out(&repeated.sub)?;
    let mut so_often = vec![Row::new()];
    let mut all = Vec::new();
    for count in 0..=most {
        if count >= repeated.min {
            all.extend(so_often.iter().cloned());
        }
        if count < most {
            so_often = followed(&so_often, &once)?;
        }
    }
    (all.len() <= MAX_ROWS).then_some(all)
}

/// The edge of the text or a letter, which would be two rows for each that follows, as one.
fn with_edges(mut rows: Vec<Row>) -> Vec<Row> {
    let letter = rows.iter().position(|row| matches!(row[..], [Unit::Letter(_)]));
    let Some((at, set)) = letter.and_then(|at| Some((at, rows[at].first()?.set()?))) else {
        return rows;
    };
    for (edge, either) in [(Unit::Start, Unit::Beginning(set)), (Unit::End, Unit::Ending(set))] {
        if let Some(found) = rows.iter().position(|row| *row == [edge]) {
            rows[at] = vec![either];
            rows.remove(found);
            break;
        }
    }
    rows
}

fn ascii_of(class: &Class) -> AsciiSet {
    let has = |byte: u8| match class {
        Class::Unicode(class) => {
            class.iter().any(|range| (range.start()..=range.end()).contains(&char::from(byte)))
        }
        Class::Bytes(class) => {
            class.iter().any(|range| (range.start()..=range.end()).contains(&byte))
        }
    };
    let bytes = (0..128).filter(|byte| has(*byte));
    AsciiSet(bytes.fold(0, |set, byte| set | AsciiSet::of(byte).0))
}
