//! Databases behind forms: what to ask them, and what their answers say.
//!
//! This room plans and reads; it never fetches. The crawl sends what is planned here, under the same
//! politeness as everything else, and hands the answers back.
//!
//! Databases come at every degree of cooperation:
//!
//! - Providers with a summarizer of their own: [`DbContent`].
//! - Providers who describe their form: [`DbMetadata`] reads the metadata, [`plan()`] says which requests they
//!   lead to, and [`Gathering`] takes the answers one by one until a [`DatabaseSummary`] is complete.
//! - Repositories with OAI-PMH: [`OaiHarvest`], in the same way.
//! - Sites that declare an interface: [`read_opensearch`], [`datasets`].
//! - Nobody's help, where it is allowed: [`WordProbing`], [`PrefixDrilling`], [`is_informative`].
//!
//! Where on a page values stand is said in HEL ([`HelRule`]).
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

mod declared;
mod finite;
mod forms;
mod gathering;
mod hel;
mod metadata;
mod oai;
mod planning;
mod probing;

pub use auslese_model::{ContentAttribute, DbContent, MAX_DBCONTENT_LINES, Problem};
pub use declared::{
    Dataset, Distribution, MAX_DATASETS, OpenSearch, SearchTemplate, datasets, opensearch_links,
    read_opensearch,
};
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
pub use oai::{
    Granularity, MAX_OAI_FIELDS, MAX_OAI_REQUESTS, MAX_OAI_RESTARTS, MAX_OAI_TRIES, MAX_OAI_WAIT,
    OaiAnswer, OaiAsk, OaiComplaint, OaiHarvest, OaiIdentity, OaiRecord, OaiReply, OaiReport,
    OaiSettings, OaiToken, known_oai_addresses, linked_oai_addresses, read_oai,
};
pub use planning::{
    DEFAULT_QUERY_BUDGET, DomainOrigin, PlanSettings, PlannedElement, Query, QueryPlan, plan,
};
pub use probing::{
    AnswerRow, Coverage, DEFAULT_PROBING_BUDGET, FormProbing, INFORMATIVE_SHARE, Informativeness,
    MAX_ANSWER_ROWS, MAX_PREFIX_LENGTH, MAX_PROBING_WORDS, PROBED_ATTRIBUTE, PrefixDrilling,
    ProbingSettings, STOP_AFTER, STOP_SHARE, WordProbing, answer_rows, is_informative,
};
