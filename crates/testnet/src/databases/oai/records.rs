//! Made-up records of Dublin Core.

use crate::generated::{Language, Numbers, person};
use auslese_model::Timestamp;

/// A record of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryRecord {
    pub identifier: String,
    /// `2020-05-17T08:00:00Z`.
    pub datestamp: String,
    pub sets: Vec<String>,
    /// Only the header of such a record is shown.
    pub deleted: bool,
    /// Elements of Dublin Core, such as `title`, with their values.
    pub fields: Vec<(&'static str, String)>,
}

pub(super) const SETS: [(&str, &str); 3] =
    [("aufsaetze", "Aufsätze"), ("dissertationen", "Dissertationen"), ("karten", "Karten")];

/// One record in so many is deleted.
const DELETED: u64 = 20;
const AUTHORS: u64 = 300;
/// The first record is from 2010, all are from the sixteen years after it; in seconds.
const BEGINNING: i64 = 1_262_304_000;
const SPAN: i64 = 16 * 365 * 86_400;
const LONGEST_PACE: i64 = 11 * 86_400 + 3_600;

/// Records in the order of their dates.
pub(super) fn made_up(count: usize, seed: u64) -> Vec<RepositoryRecord> {
    let language = Language::german();
    let pace = LONGEST_PACE.min(SPAN / count.max(1) as i64);
    (0..count).map(|at| record(at, pace, language, &mut Numbers::apart(seed, at))).collect()
}

fn record(at: usize, pace: i64, language: &Language, numbers: &mut Numbers) -> RepositoryRecord {
    let seconds = BEGINNING + pace * at as i64;
    let (set, kind) = SETS[numbers.next() as usize % SETS.len()];
    let mut words = |count: u64| {
        let words: Vec<&str> = (0..count).map(|_| language.rare_word(numbers)).collect();
        words.join(" ")
    };
    let (title, subject, summary) = (words(5), words(1), words(30));
    let identifier = format!("oai:repositorium.example:{}", at + 1);
    let fields = vec![
        ("title", format!("{title} & {}", at + 1)),
        ("creator", person(numbers.next() % AUTHORS)),
        ("subject", subject),
        ("description", summary),
        ("date", Timestamp::from_seconds(seconds).to_second_text()[..10].to_owned()),
        ("type", kind.to_owned()),
        ("language", "de".to_owned()),
        ("identifier", format!("urn:nbn:de:repositorium-{}", at + 1)),
    ];
    RepositoryRecord {
        identifier,
        datestamp: Timestamp::from_seconds(seconds).to_second_text(),
        sets: vec![set.to_owned()],
        deleted: numbers.next().is_multiple_of(DELETED),
        fields,
    }
}
