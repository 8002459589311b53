//! The values of one column, gathered up to their limits.
//!
//! Line feeds stand between values, so those within a value become blanks. What is equal then is one value, and
//! what is empty is none.

use std::collections::HashSet;
use std::ops::ControlFlow;

#[derive(Debug)]
pub(crate) struct Values {
    limits: ValueLimits,
    rows: usize,
    seen: HashSet<Box<str>>,
    /// All values, with line feeds between them.
    pub(crate) joined: Vec<u8>,
    /// Whether something is missing: values, or the end of one.
    pub(crate) is_cut: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueLimits {
    pub(crate) rows: usize,
    pub(crate) characters: usize,
    pub(crate) bytes: usize,
}

impl Values {
    pub(crate) fn new(limits: ValueLimits) -> Values {
        Values { limits, rows: 0, seen: HashSet::new(), joined: Vec::new(), is_cut: false }
    }

    pub(crate) fn count(&self) -> usize {
        self.seen.len()
    }

    /// Takes the value of a row; breaks off when no more fit.
    pub(crate) fn take(&mut self, value: &str) -> ControlFlow<()> {
        self.rows += 1;
        if self.rows > self.limits.rows {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        let value = self.shortened(value);
        let value = value.replace("\r\n", " ").replace(['\n', '\r'], " ");
        let value = value.trim();
        if value.is_empty() || self.seen.contains(value) {
            return ControlFlow::Continue(());
        }
        let separator = usize::from(!self.joined.is_empty());
        if self.joined.len() + separator + value.len() > self.limits.bytes {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        if separator == 1 {
            self.joined.push(b'\n');
        }
        self.joined.extend_from_slice(value.as_bytes());
        self.seen.insert(value.into());
        ControlFlow::Continue(())
    }

    fn shortened<'v>(&mut self, value: &'v str) -> &'v str {
        match value.char_indices().nth(self.limits.characters) {
            Some((end, _)) => {
                self.is_cut = true;
                &value[..end]
            }
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows, three limits, and what becomes of them.
    type Case = (&'static [&'static str], (usize, usize, usize), &'static str, usize, bool);

    #[test]
    fn limits_and_blanks() {
        #[rustfmt::skip]
        let cases: [Case; 9] = [
            // rows                   rows characters bytes   joined          count  cut
            (&["Waren", "Röbel"],     (9, 9, 99),             "Waren\nRöbel", 2,     false),
            (&["a\nb", "a b", "a\r\nb"], (9, 9, 99),          "a b",          1,     false),
            (&[" ", "", "\n", "x "],  (9, 9, 99),             "x",            1,     false),
            (&["a", "b"],             (2, 9, 99),             "a\nb",         2,     false),
            (&["a", "b", "c"],        (2, 9, 99),             "a\nb",         2,     true),
            (&["", "", "c"],          (2, 9, 99),             "",             0,     true),
            (&["aä", "b"],            (9, 9, 5),              "aä\nb",        2,     false),
            (&["aä", "bc", "d"],      (9, 9, 5),              "aä",           1,     true),
            (&["äöüß", "äöü"],        (9, 3, 99),             "äöü",          1,     true),
        ];
        for (rows, (most, characters, bytes), joined, count, is_cut) in cases {
            let mut values = Values::new(ValueLimits { rows: most, characters, bytes });
            let _ = rows.iter().try_for_each(|row| match values.take(row) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(()),
            });
            let found = (String::from_utf8(values.joined.clone()).unwrap(), values.count());
            assert_eq!(found, (joined.to_owned(), count), "{rows:?}");
            assert_eq!(values.is_cut, is_cut, "{rows:?}");
        }
    }
}
