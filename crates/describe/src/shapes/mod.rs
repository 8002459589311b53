//! The shapes that things have in running text: dates, names of people and institutions, keyword
//! lists, the parts of a title.
//!
//! Everything here reads a text and nothing else: no tree, no clock, no page. Heuristics ask these
//! functions through steps such as `names` and `dates`. Word lists that decide something are
//! text files in `data/`, one entry per line, so that they can be read and corrected by people who
//! do not write programs.

mod dates;
mod generic;
mod institutions;
mod keywords;
mod names;
mod similarity;
mod titles;
mod word_file;

pub use dates::{DateReading, DayOrder, FoundDate, address_dates, dates};
pub use generic::is_generic_title;
pub use institutions::{institutions, is_organisation};
pub use keywords::keyword_list;
pub use names::{is_person_name, names, names_or_nicknames};
pub use similarity::similarity;
pub(crate) use similarity::{most_similar, similarity_of_folded};
pub(crate) use titles::SiteNames;
pub use titles::{TitlePart, TitleParts, title_parts};
