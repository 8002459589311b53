//! The file with the right answers: `host,member,case,note`.
//!
//! Written by hand, so it is read as tolerantly as a reviewed list: commas, semicolons or tabs,
//! comments with `#`, the header optional and its columns in any order.

use crate::review::delimited::{Row, read_rows};
use crate::review::{LineProblem, column, yes_or_no};
use auslese_model::{Case, HostName};
use rustc_hash::FxHashMap;

/// The right answer for one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    pub host: HostName,
    pub member: bool,
    /// The situation it stands for; decoys have the case they try to imitate.
    pub case: Option<Case>,
    pub note: String,
}

/// Reads the right answers; all lines that cannot be understood are told, not just the first.
pub fn read_truth(bytes: &[u8]) -> Result<Vec<Truth>, Vec<LineProblem>> {
    let rows = read_rows(bytes);
    let (columns, rows) = match rows.split_first() {
        Some((first, rest)) => match Columns::named_in(first) {
            Some(columns) => (columns, rest),
            None => (Columns::AS_USUAL, &rows[..]),
        },
        None => (Columns::AS_USUAL, &rows[..]),
    };
    let (mut truth, mut problems) = (Vec::new(), Vec::new());
    let mut lines_of: FxHashMap<HostName, usize> = FxHashMap::default();
    for row in rows {
        let read = columns.truth(row).and_then(|answer| {
            match lines_of.insert(answer.host.clone(), row.line) {
                Some(earlier) => Err(format!("{} stands in line {earlier} already", answer.host)),
                None => Ok(answer),
            }
        });
        match read {
            Ok(answer) => truth.push(answer),
            Err(what) => problems.push(LineProblem { line: row.line, what }),
        }
    }
    if problems.is_empty() { Ok(truth) } else { Err(problems) }
}

#[derive(Clone, Copy)]
struct Columns {
    host: usize,
    member: usize,
    case: Option<usize>,
    note: Option<usize>,
}

impl Columns {
    /// Without a header.
    const AS_USUAL: Columns = Columns { host: 0, member: 1, case: Some(2), note: Some(3) };

    fn named_in(header: &Row) -> Option<Columns> {
        Some(Columns {
            host: column(header, "host")?,
            member: column(header, "member")?,
            case: column(header, "case"),
            note: column(header, "note"),
        })
    }

    fn truth(self, row: &Row) -> Result<Truth, String> {
        let field = |index: usize| row.fields.get(index).map_or("", |field| field.trim());
        let host = HostName::parse(field(self.host))
            .ok_or_else(|| format!("'{}' is no host", field(self.host)))?;
        let member = yes_or_no(field(self.member)).ok_or_else(|| {
            format!(
                "'{}' is no answer; write yes for members and no for others",
                field(self.member)
            )
        })?;
        let case = match self.case.map_or("", field) {
            "" => None,
            text => Some(
                text.parse()
                    .ok()
                    .and_then(Case::from_number)
                    .ok_or_else(|| format!("'{text}' is no case; there are 1 to 5"))?,
            ),
        };
        Ok(Truth { host, member, case, note: self.note.map_or("", field).to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Answer = (String, bool, Option<u8>, String);

    fn check(text: &str) -> Result<Vec<Answer>, Vec<String>> {
        let read = read_truth(text.as_bytes());
        let plain = |t: Truth| (t.host.to_string(), t.member, t.case.map(Case::number), t.note);
        read.map(|truth| truth.into_iter().map(plain).collect())
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn files() {
        let one = |host: &str, member, case, note: &str| {
            Ok(vec![(host.to_owned(), member, case, note.to_owned())])
        };
        #[rustfmt::skip]
        let cases = [
            ("host,member,case,note\nwww.uni.example,yes,1,hello\n", one("www.uni.example", true, Some(1), "hello")),
            ("www.uni.example,yes,1\n",                  one("www.uni.example", true, Some(1), "")),
            ("# by hand\nwww.uni.example\tno\n",         one("www.uni.example", false, None, "")),
            ("case;Member;HOST\n3;ja;WWW.uni.example",   one("www.uni.example", true, Some(3), "")),
            ("universität.example,1,5",                  one("xn--universitt-y5a.example", true, Some(5), "")),
            ("",                                         Ok(vec![])),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn problems_name_their_line() {
        let problems = check(
            "host,member,case\n\na b,yes\nc.example,perhaps\nd.example,no,6\ne.example,no\ne.example,yes\n",
        );
        assert_eq!(
            problems.unwrap_err(),
            [
                "line 3: 'a b' is no host",
                "line 4: 'perhaps' is no answer; write yes for members and no for others",
                "line 5: '6' is no case; there are 1 to 5",
                "line 7: e.example stands in line 6 already",
            ]
        );
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read_truth(&bytes);
        }
    }
}
