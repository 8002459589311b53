//! Checks codes of the Mathematics Subject Classification against a table of them.
//!
//! Form and section of a code are checked by the rules; whether there is such a code only the table
//! knows. The table is not ours to pass on (its licence forbids commercial use), so whoever has one
//! names it. A code it does not have is not dropped: it stays a candidate of low weight, because
//! tables change and authors use old ones.

use auslese_model::{Description, Field, RuleId};
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

/// Bytes of a table; those of 2000, 2010 and 2020 together have 1 MB.
pub const MAX_MSC_TABLE: usize = 16 << 20;

/// The most that a code counts which the table does not have.
const UNKNOWN_CODE: f64 = 0.1;

/// What is noted with such a code.
const NOT_IN_TABLE: &str = "not-in-msc-table";

/// The origin that the rules give codes of this classification.
const SCHEME: &str = "MSC";

/// All codes there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MscTable {
    codes: FxHashSet<String>,
    digest: String,
}

/// Why a text is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MscTableError {
    #[error("line {line}: a code such as 65F10, 65-01 or 65Fxx was expected, not {found:?}")]
    NoCode { line: usize, found: String },
    #[error("there is no code in it")]
    Empty,
    #[error("it has more than {} bytes", MAX_MSC_TABLE)]
    TooLarge,
}

impl MscTable {
    /// Reads a table: a code at the beginning of each line, and behind it whatever one likes. Empty
    /// lines and those that begin with `#` are skipped, and so is a heading in the first line.
    pub fn parse(text: &str) -> Result<MscTable, MscTableError> {
        if text.len() > MAX_MSC_TABLE {
            return Err(MscTableError::TooLarge);
        }
        let mut codes = FxHashSet::default();
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim_start_matches(['"', '\'', ' ', '\t']);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let word = line.split(['"', '\'', ' ', '\t', ',', ';', '|']).next().unwrap_or_default();
            match whole_code(word) {
                Some(code) => drop(codes.insert(code)),
                None if number == 0 && !word.contains(|c: char| c.is_ascii_digit()) => {}
                None => {
                    let found = word.chars().take(20).collect();
                    return Err(MscTableError::NoCode { line: number + 1, found });
                }
            }
        }
        match codes.is_empty() {
            true => Err(MscTableError::Empty),
            false => Ok(MscTable { codes, digest: digest(text) }),
        }
    }

    /// Whether there is such a code; a zero lost in front does not matter.
    pub fn has(&self, code: &str) -> bool {
        whole_code(code).is_some_and(|code| self.codes.contains(&code))
    }

    /// Distinguishes tables.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Lowers the weight of codes that the table does not have, and says so.
    pub fn check(&self, description: &mut Description) {
        let is_code = |field: Field| field == Field::Classification;
        let mut is_changed = false;
        for statement in description.statements.iter_mut().filter(|it| is_code(it.field)) {
            if statement.origin.as_deref() == Some(SCHEME) && !self.has(&statement.value) {
                statement.weight = statement.weight.min(UNKNOWN_CODE);
                statement.rules.push(RuleId::from_text(NOT_IN_TABLE));
                statement.chosen = false;
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
        // Stable, and the chosen ones first, as everywhere.
        description.statements.sort_by_key(|it| (it.field, is_code(it.field) && !it.chosen));
        if description.chosen(Field::Classification).next().is_none() {
            description.field_weights.retain(|(field, _)| !is_code(*field));
        }
    }
}

/// A code in one spelling, `05C20` or `05CXX`; none if it has not the form of one.
fn whole_code(text: &str) -> Option<String> {
    let mut code = text.to_ascii_uppercase();
    if code.len() == 4 && code.is_ascii() {
        code.insert(0, '0');
    }
    let [section @ .., letter, first, second] = code.as_bytes() else { return None };
    let is_section = section.len() == 2 && section.iter().all(u8::is_ascii_digit);
    let is_end = |c: &u8| c.is_ascii_digit() || *c == b'X';
    let is_code = is_section
        && (letter.is_ascii_uppercase() || *letter == b'-')
        && is_end(first)
        && is_end(second);
    is_code.then_some(code)
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Statement;

    const TABLE: &str =
        "code\ttext\n05C20\tDirected graphs\n# old\n65Fxx Linear algebra\n\n65-01\n";

    #[test]
    fn codes_of_a_table() {
        let table = MscTable::parse(TABLE).unwrap();
        #[rustfmt::skip]
        let cases = [
            ("05C20", true), ("5C20", true), ("65FXX", true), ("65fxx", true), ("65-01", true),
            ("05C21", false), ("", false), ("05C", false), ("ü5C20", false),
        ];
        for (code, expected) in cases {
            assert_eq!(table.has(code), expected, "{code}");
        }
    }

    #[test]
    fn what_is_no_table() {
        let fault = |text: &str| MscTable::parse(text).unwrap_err().to_string();
        assert_eq!(fault(""), "there is no code in it");
        assert_eq!(fault("code\n"), "there is no code in it");
        let expected = "line 2: a code such as 65F10, 65-01 or 65Fxx was expected, not \"Graphs\"";
        assert_eq!(fault("05C20\nGraphs and more\n"), expected);
    }

    #[test]
    fn unknown_codes_become_candidates() {
        let code = |value: &str| Statement {
            field: Field::Classification,
            value: value.to_owned(),
            parts: Vec::new(),
            weight: 0.9,
            initial: 0.9,
            rules: vec![RuleId::new("classification", "speaking")],
            place: None,
            origin: Some(SCHEME.to_owned()),
            chosen: true,
        };
        let mut description = Description {
            statements: vec![code("05C99"), code("05C20")],
            field_weights: vec![(Field::Classification, 0.9)],
            class: String::new(),
            trouble: None,
        };
        let table = MscTable::parse(TABLE).unwrap();
        table.check(&mut description);
        let said: Vec<(&str, f64, bool)> = description
            .statements
            .iter()
            .map(|it| (it.value.as_str(), it.weight, it.chosen))
            .collect();
        assert_eq!(said, [("05C20", 0.9, true), ("05C99", 0.1, false)]);
        assert_eq!(description.statements[1].rules[1].as_str(), NOT_IN_TABLE);
    }
}
