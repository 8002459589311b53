//! What a document says about itself: title, author, institution, date, abstract, keywords, as
//! weighted statements.
//!
//! Heuristics are text files that people read, correct and exchange; this crate knows their language
//! and ships a set of them. How far a rule is to be trusted is not written into it but measured:
//! weights come from labelled documents.
//!
//! ```
//! use auslese_describe::{Around, Heuristics, Subject, Weights, describe};
//! use auslese_model::Field;
//!
//! let html = b"<title>Kants Ethik</title><h1>Kants Ethik</h1><p>Vorlesung im Sommer</p>";
//! let page = auslese_markup::parse(html, None);
//! let subject = Subject { page: &page, url: None, around: &Around::default() };
//! let carmen = Heuristics::shipped("carmen").expect("it is shipped");
//! let description = describe(&subject, &carmen, &Weights::initial());
//! let title = description.chosen(Field::Title).next().expect("there is one");
//! assert_eq!((title.value.as_str(), title.weight), ("Kants Ethik", 1.0));
//! assert_eq!(title.rules[0].as_str(), "carmen-title<1>");
//! ```

mod citations;
mod comparing;
mod heuristics;
mod keyphrases;
mod lazy_regex;
mod line_labels;
mod marked;
mod memory;
mod msc_table;
mod records;
mod shapes;
mod structured;
mod subject;
mod survey;
mod weighing;
mod western;

pub use citations::{
    CitedWork, MAX_CITED_CANDIDATES, MAX_ENTRY, Work, Works, address_identifier,
    bibliography_entry, citation, work_identifiers,
};
pub use comparing::{
    Difference, DifferenceKind, FieldChanges, MAX_RUN_DOCUMENT, RuleChange, RunComparer,
    RunComparison, RunError, RunFormat, RunHeader, RunWriter, Side, compare_runs, read_run,
};
pub use heuristics::{
    CandidateExplained, Candidates, Explanation, FieldCandidates, FieldExplained, Heuristics,
    HeuristicsError, HeuristicsErrors, ItemExplained, MAX_CANDIDATES, MAX_CHAIN,
    MAX_DESCRIBE_STEPS, MAX_HEURISTICS_FILE, MAX_HEURISTICS_FILES, MAX_ITEMS, MAX_NESTING,
    MAX_REGEX, MAX_VALUE, NameExplained, Rule, RuleExplained, SHIPPED_HEURISTICS, Verdict,
    candidates, describe, describe_fields, explain,
};
pub use keyphrases::{
    EVALUATED_RANKS, KEYPHRASE_EXTRACTION, KEYPHRASES_OF_DOCUMENT, Keyphrase, KeyphraseHeader,
    KeyphraseMethod, KeyphraseModel, KeyphraseModelError, KeyphraseModels, KeyphraseQuality,
    KeyphraseTraining, Keyphrases, MAX_KEYPHRASE_MODEL, MAX_KEYPHRASE_TEXT, MAX_PHRASE_WORDS,
    MAX_TRAINING_TEXT, MIN_TRAINING_DOCUMENTS, QualityAt, SHIPPED_KEYPHRASES, TrainingDocument,
    TrainingError, cross_validate, evaluate_model, stem_language_of, train_keyphrases,
};
pub use line_labels::{
    HeadLine, LineLabel, LineModel, LineModelError, MAX_HEAD_LINES, SizeChange, line_labels,
    train_line_labels,
};
pub use memory::{
    MAX_SAMPLE_HEADINGS, MAX_SAMPLE_TEXT, MAX_SITE_SAMPLES, MIN_SITE_SAMPLES, SiteMemory,
    SiteSample,
};
pub use msc_table::{MAX_MSC_TABLE, MscTable, MscTableError};
pub use records::{
    MAX_RECORD_VALUES, REPOSITORY_WEIGHT, RecordForm, SOIF_WEIGHT, is_record_attribute,
    record_description,
};
pub use shapes::{
    DateReading, DayOrder, FoundDate, TitlePart, TitleParts, address_dates, dates, institutions,
    is_generic_title, is_organisation, is_person_name, keyword_list, names, names_or_nicknames,
    similarity as title_similarity, title_parts,
};
pub use structured::{
    FoundValue, MAX_FOUND_VALUES, MAX_JSONLD, MAX_JSONLD_SCRIPTS, MAX_THINGS, StructuredData,
};
pub use subject::{
    Around, MAX_DESCRIBED_PAGE, Subject, own_address, owned_page_to_describe, page_to_describe,
};
pub use survey::Survey;
pub use weighing::{
    Account, Bin, Calibration, Choice, Curve, CurvePoint, FieldWeights, Indicator, Indicators,
    LabelledCandidate, LabelledDocument, LabelledField, MAX_ALIGNED, MAX_WEIGHTS_FILE,
    MIN_CLASS_SAMPLES, MarkedField, Measured, Regression, Reliability, RuleGroup, Step, Tally,
    UNTESTED_WEIGHT, Voice, Weighed, Weights, WeightsError, WeightsHeader, WeightsWarning,
    calibrate, choose, matches, recalibrate, reliability, similarity, tallies, tallies_of_marks,
    weighed_candidates,
};
