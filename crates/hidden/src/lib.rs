//! Databases behind forms: what to ask them, and what their answers say.
//!
//! This room plans and reads; it never fetches. The crawl sends what is planned here, under the same
//! politeness as everything else, and hands the answers back.
//!
//! [`HelRule`] says where on a page values stand.
//!
//! ```
//! use auslese_hidden::{HelBudget, HelPage, HelPrefix, HelRule};
//! let answer = "<table><tr><td>Ort<td>Hotel<tr><td>Waren<td>Am See<tr><td>Malchow<td>Insel</table>";
//! let page = auslese_markup::parse(answer.as_bytes(), None);
//! let prefix = HelPrefix::parse("html.body->table[0].").unwrap();
//! let rule = HelRule::parse("tr[1-].td[0].txt", prefix.as_ref()).unwrap();
//! let towns = rule.evaluate(&HelPage::new(&page), &mut HelBudget::default()).unwrap();
//! assert_eq!(towns.index_values(), ["Waren", "Malchow"]);
//! ```

mod finite;
mod forms;
mod gathering;
mod hel;
mod metadata;
mod planning;
mod problem;

pub use finite::{
    FiniteCode, FiniteError, FiniteRegex, MAX_FINITE_DEPTH, MAX_FINITE_LENGTH, MAX_FINITE_REPEAT,
    MAX_FINITE_VALUE,
};
pub use forms::{
    Choice, Control, ControlKind, Encoding, Enctype, Form, Label, MAX_CHOICES, MAX_CONTROLS,
    MAX_FORMS, forms,
};
pub use gathering::{
    Ask, DatabaseAnswer, DatabaseSummary, Gathering, MAX_FAILURES_IN_A_ROW, MAX_FRAGMENT_BYTES,
    MAX_PAGES_PER_QUERY, MAX_QUESTIONS_BACK, MAX_SUMMARY_VALUE, MAX_SUMMARY_VALUES,
    SummaryAttribute,
};
pub use hel::{
    HelBudget, HelCode, HelError, HelPage, HelPrefix, HelRule, HelSuggestion, HelWarning,
    MAX_HEL_CONDITIONS, MAX_HEL_DEPTH, MAX_HEL_EVALUATIONS, MAX_HEL_LENGTH, MAX_HEL_PATTERN,
    MAX_HEL_REGEXES, MAX_HEL_STEPS, MAX_HEL_SUGGESTIONS, Nsl, suggest,
};
pub use metadata::{
    DbEntry, DbMetadata, DomainSource, MAX_DB_ENTRIES, MAX_DB_VALUE, Navigation, ResultAttribute,
    ResultSource, config_entries, page_entries,
};
pub use planning::{
    DEFAULT_QUERY_BUDGET, DomainOrigin, PlanSettings, PlannedElement, Query, QueryPlan, plan,
};
pub use problem::Problem;
