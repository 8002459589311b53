//! `scope.csv`: the list of verdicts that a person looks through, marks, and gives back.
//!
//! A person writes `accept` or `reject` into the column `decision`, perhaps a note, and may add
//! lines of their own; whole domains are written `.uni.example`. Everything else in the file is
//! for their eyes only and ignored when it is read.

pub(crate) mod delimited;

use crate::judge::{HandDecision, check_pattern, evidence_in_short};
use auslese_model::Verdict;
use delimited::{Row, read_rows, write_row};
use rustc_hash::FxHashMap;
use std::fmt;

const COLUMNS: [&str; 8] =
    ["host", "verdict", "score", "case", "decided_by", "evidence", "decision", "note"];

/// The verdicts as CSV, in the order given, with an empty column for decisions.
pub fn write_scope(verdicts: &[Verdict]) -> String {
    let mut text = String::new();
    write_row(&mut text, &COLUMNS);
    for verdict in verdicts {
        let score = format!("{:.2}", verdict.score);
        let case = verdict.case.map(|case| case.number().to_string()).unwrap_or_default();
        let decided_by = verdict.decided_by.map_or("", |indicator| indicator.as_str());
        let evidence = evidence_in_short(&verdict.evidence);
        let evidence = if evidence.is_empty() { verdict.reason.clone() } else { evidence };
        let membership = verdict.membership.as_str();
        let host = verdict.host.as_str();
        write_row(&mut text, &[host, membership, &score, &case, decided_by, &evidence, "", ""]);
    }
    text
}

/// What was understood of a reviewed list, and what was not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReviewedScope {
    pub decisions: Vec<HandDecision>,
    pub problems: Vec<LineProblem>,
}

/// Something in a file that people should correct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    pub line: usize,
    pub what: String,
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Reads the decisions out of a reviewed list, as saved by any spreadsheet program.
pub fn read_scope(bytes: &[u8]) -> ReviewedScope {
    let rows = read_rows(bytes);
    let mut reviewed = ReviewedScope::default();
    let Some((header, rows)) = rows.split_first() else { return reviewed };
    let columns = match Columns::of(header) {
        Ok(columns) => columns,
        Err(problem) => {
            reviewed.problems.push(problem);
            return reviewed;
        }
    };
    let mut lines_of: FxHashMap<String, (usize, bool)> = FxHashMap::default();
    for row in rows {
        match columns.decision(row) {
            Ok(None) => {}
            Ok(Some(decision)) => {
                let key = decision.host_pattern.to_lowercase();
                let first = *lines_of.entry(key).or_insert((row.line, decision.accept));
                if first.1 == decision.accept {
                    reviewed.decisions.push(decision);
                } else {
                    let what = format!(
                        "{} is decided otherwise in line {}",
                        decision.host_pattern, first.0
                    );
                    reviewed.problems.push(LineProblem { line: row.line, what });
                }
            }
            Err(what) => reviewed.problems.push(LineProblem { line: row.line, what }),
        }
    }
    reviewed
}

/// Where in a row the columns that count stand.
struct Columns {
    host: usize,
    decision: usize,
    note: Option<usize>,
}

impl Columns {
    fn of(header: &Row) -> Result<Columns, LineProblem> {
        let find = |name: &str| column(header, name);
        let missing = |name: &str| LineProblem {
            line: header.line,
            what: format!("the first line must name the columns, and '{name}' is not among them"),
        };
        Ok(Columns {
            host: find("host").ok_or_else(|| missing("host"))?,
            decision: find("decision").ok_or_else(|| missing("decision"))?,
            note: find("note"),
        })
    }

    fn decision(&self, row: &Row) -> Result<Option<HandDecision>, String> {
        let field = |index: usize| row.fields.get(index).map_or("", |field| field.trim());
        let decision = field(self.decision);
        if decision.is_empty() {
            return Ok(None);
        }
        let Some(accept) = yes_or_no(decision) else {
            return Err(format!("'{decision}' is no decision; write accept or reject"));
        };
        let host_pattern = field(self.host).to_owned();
        check_pattern(&host_pattern).map_err(|error| error.to_string())?;
        let note = self.note.map_or("", field).to_owned();
        Ok(Some(HandDecision { host_pattern, accept, note }))
    }
}

/// The position of a column, by its name in any case.
pub(crate) fn column(header: &Row, name: &str) -> Option<usize> {
    header.fields.iter().position(|field| field.trim().eq_ignore_ascii_case(name))
}

/// What people write for yes and no.
pub(crate) fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "accept" | "accepted" | "yes" | "y" | "true" | "1" | "member" | "always" | "ja"
        | "wahr" => Some(true),
        "reject" | "rejected" | "no" | "n" | "false" | "0" | "foreign" | "never" | "nein"
        | "falsch" => Some(false),
        _ => None,
    }
}
