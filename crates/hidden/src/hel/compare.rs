//! Comparing what a condition finds with what it wants.
//!
//! A list stands for its members: one that fits is enough. Nothing fits nothing, so a condition on a node
//! that is not there is false, whatever it says.

use super::nsl::Nsl;
use super::syntax::Order;

/// What is on the right side of a comparison of texts or numbers.
pub(super) enum Wanted<'a> {
    Text(&'a str),
    /// As written, and its value.
    Number(&'a str, f64),
    Found(&'a Nsl),
}

impl Wanted<'_> {
    /// Texts are compared exactly; a number counts as it is written.
    pub(super) fn any_equal(&self, found: &Nsl, wanted_equal: bool) -> bool {
        self.any(found, &|one, other| (one == other) == wanted_equal)
    }

    /// By code points, or as numbers if the right side is one: then what is no number does not fit.
    pub(super) fn any_ordered(&self, found: &Nsl, order: Order) -> bool {
        if let Wanted::Number(_, wanted) = self {
            let compare = |text: &&str| number(text).and_then(|found| found.partial_cmp(wanted));
            return found.texts().iter().filter_map(compare).any(|it| order.holds(it));
        }
        self.any(found, &|one, other| order.holds(one.cmp(other)))
    }

    fn any(&self, found: &Nsl, fits: &dyn Fn(&str, &str) -> bool) -> bool {
        let texts = found.texts();
        match self {
            Wanted::Text(wanted) | Wanted::Number(wanted, _) => {
                texts.iter().any(|text| fits(text, wanted))
            }
            Wanted::Found(wanted) => {
                let wanted = wanted.texts();
                texts.iter().any(|text| wanted.iter().any(|wanted| fits(text, wanted)))
            }
        }
    }

    /// How many pairs of texts may be compared.
    pub(super) fn pairs(&self, found: &Nsl) -> u64 {
        let wanted = match self {
            Wanted::Found(wanted) => wanted.texts().len(),
            _ => 1,
        };
        (found.texts().len() as u64).saturating_mul(wanted as u64)
    }
}

/// The value of a text that is a number: digits with at most one point or comma among them, and a sign.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = unsigned.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
        && unsigned.bytes().any(|b| b.is_ascii_digit())
        && unsigned.bytes().filter(|b| !b.is_ascii_digit()).count() <= 1;
    is_number.then(|| text.replace(',', ".").parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_number() {
        #[rustfmt::skip]
        let cases = [
            ("12,50",    Some(12.5)),
            ("12.5",     Some(12.5)),
            (" 7 ",      Some(7.0)),
            ("-3",       Some(-3.0)),
            ("+3,0",     Some(3.0)),
            (",5",       Some(0.5)),
            ("5.",       Some(5.0)),
            ("1.234,50", None),
            ("12 EUR",   None),
            ("",         None),
            (".",        None),
            ("-",        None),
            ("1e5",      None),
            ("inf",      None),
            ("NaN",      None),
            ("D",        None),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text), expected, "{text:?}");
        }
    }
}
