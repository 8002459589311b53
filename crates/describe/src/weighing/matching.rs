//! Whether a value is the labelled one.
//!
//! Labels are typed or copied by people, so what no reader would call different is the same: case,
//! accents and punctuation; a letter more or less in a title; the day of a date; the order of names.

use super::similarity::is_similar;
use auslese_model::Field;
use auslese_words::fold;

/// From which similarity on two titles or descriptions are the same.
const SAME_TEXT: f64 = 0.9;

/// A description is the same if it begins so, because labels and tags are cut at different places.
const SAME_BEGINNING: usize = 60;

/// Words before or behind a name that are no part of it, folded.
#[rustfmt::skip]
const HONORIFICS: &[&str] = &[
    "prof", "professor", "professorin", "dr", "drs", "phd", "md", "habil", "med", "phil", "rer", "nat",
    "pol", "oec", "ing", "jur", "theol", "dipl", "diplom", "mag", "magister", "ma", "msc", "ba", "bsc",
    "mr", "mrs", "ms", "herr", "frau", "sir", "pd", "priv", "doz", "hc", "em", "univ", "jr", "sr", "dott",
];

/// Whether `value` says what the label `truth` says.
pub fn matches(field: Field, truth: &str, value: &str) -> bool {
    match field {
        Field::Title | Field::ReferencedTitle | Field::References => similar(truth, value),
        Field::Institution | Field::ReferencedInstitution | Field::Rights => similar(truth, value),
        Field::Description | Field::Abstract => same_description(truth, value),
        Field::Date => same_month(truth, value),
        Field::Author | Field::ReferencedAuthor => same_person(truth, value),
        Field::Keywords
        | Field::Classification
        | Field::Type
        | Field::Language
        | Field::Format
        | Field::Identifier
        | Field::FullText => plain(truth) == plain(value),
    }
}

/// Folded, with one space where there was anything but letters and digits.
fn plain(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty());
    let plain = words.collect::<Vec<_>>().join(" ");
    // What has neither letters nor digits is compared as it is.
    if plain.is_empty() { folded.trim().to_owned() } else { plain }
}

fn similar(truth: &str, value: &str) -> bool {
    is_similar(&plain(truth), &plain(value), SAME_TEXT)
}

fn same_description(truth: &str, value: &str) -> bool {
    let (truth, value) = (plain(truth), plain(value));
    let beginning = |text: &str| text.chars().take(SAME_BEGINNING).collect::<String>();
    let long = |text: &str| text.chars().nth(SAME_BEGINNING - 1).is_some();
    (long(&truth) && long(&value) && beginning(&truth) == beginning(&value))
        || is_similar(&truth, &value, SAME_TEXT)
}

/// A label that is a year only is met by every date of that year.
fn same_month(truth: &str, value: &str) -> bool {
    match (year_and_month(truth), year_and_month(value)) {
        (Some((year, None)), Some((other, _))) => year == other,
        (Some(truth), Some(value)) => truth == value,
        _ => plain(truth) == plain(value),
    }
}

/// Of an ISO date.
fn year_and_month(date: &str) -> Option<(&str, Option<&str>)> {
    let date = date.trim();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let year = date.get(..4).filter(|year| digits(year))?;
    match date.get(4..5) {
        None => Some((year, None)),
        Some("-") => Some((year, Some(date.get(5..7).filter(|month| digits(month))?))),
        Some(_) => None,
    }
}

fn same_person(truth: &str, value: &str) -> bool {
    let (truth, value) = (plain(truth), plain(value));
    truth == value || name_words(&truth) == name_words(&value)
}

/// The words of a name in alphabetical order, without titles; all words if nothing else is left.
fn name_words(plain: &str) -> Vec<&str> {
    let mut words: Vec<&str> = plain.split(' ').filter(|word| !HONORIFICS.contains(word)).collect();
    if words.is_empty() {
        words = plain.split(' ').collect();
    }
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_counts_as_the_same() {
        let long = "Jede Menge Spaß bereitet es den ehrenamtlichen Experten im Reparaturcafé, wenn";
        let cut = format!("{long} sie defekte Hausgeräte wieder flott bekommen");
        #[rustfmt::skip]
        let cases = [
            (Field::Title,       "Über uns",               "UEBER UNS!",                   true),
            (Field::Title,       "JSON parsing in C++",    "JSON-Parsing in C",            true),
            (Field::Title,       "Reparaturcafé",          "Reparaturcafé | Stadt Ahlen",  false),
            (Field::Title,       "",                       "Home",                         false),
            (Field::Title,       "???",                    "!!!",                          false),
            (Field::Date,        "2019-08-02",             "2019-08-30",                   true),
            (Field::Date,        "2019-08-02",             "2019-09-02",                   false),
            (Field::Date,        "2019-08-02",             "2019",                         false),
            (Field::Date,        "2019",                   "2019-09-02",                   true),
            (Field::Date,        "2019-08-02",             "gestern",                      false),
            (Field::Date,        "ä19-08-02",              "2019-08",                      false),
            (Field::Description, long,                     &cut,                           true),
            (Field::Description, "Ein Rückblick.",         "Ein Rückblick",                true),
            (Field::Description, "Ein Rückblick.",         "Ein Rückblick auf 15 Jahre",   false),
            (Field::Author,      "Daniel Lemire",          "Lemire, Daniel",               true),
            (Field::Author,      "Prof. Dr. Erika Muster", "Muster, Erika (Dr.)",          true),
            (Field::Author,      "Erika Muster",           "Max Muster",                   false),
            (Field::Author,      "Dr. Ing",                "Prof. Mag",                    false),
            (Field::Keywords,    "Reflexion",              "reflexion",                    true),
            (Field::Keywords,    "Blogs",                  "Blog",                         false),
            (Field::Institution, "Universität Gießen",     "Universitaet Giessen",         true),
        ];
        for (field, truth, value, expected) in cases {
            assert_eq!(matches(field, truth, value), expected, "{field}: {truth} / {value}");
        }
    }

    proptest! {
        #[test]
        fn any_text_matches_itself(text in ".{0,80}", other in ".{0,80}") {
            for field in Field::ALL {
                prop_assert!(matches(field, &text, &text), "{}", field);
                matches(field, &text, &other);
            }
        }
    }
}
