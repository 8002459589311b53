//! DBContent documents: a provider's own summarizer, and what it is to hand out.
//!
//! Lines `Key: value`, in UTF-8 or Latin-1; blank lines and those that begin with `#` are passed over. After
//! `Table` come its attributes. The document lies on the provider's server and never carries a password: which
//! database is meant by its logical name, and how it is reached, only the summarizer knows. Both sides read it
//! with this module: whoever harvests, and the summarizer itself.

use crate::{Method, Problem, Request};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use url::Url;

/// Lines of a document that are read.
pub const MAX_DBCONTENT_LINES: usize = 100_000;

/// What a document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DbContent {
    pub summarizer: Url,
    /// The page with the form.
    pub interface: Url,
    /// The logical name of the database.
    pub database: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub keywords: Vec<String>,
    pub attributes: Vec<ContentAttribute>,
    /// Days after which to ask again.
    pub refresh_days: Option<u32>,
    /// What is doubtful; the subject is `line N`.
    pub problems: Vec<Problem>,
}

/// A column whose values go into the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentAttribute {
    pub table: String,
    pub attribute: String,
    /// Its name in the index, if it is to be another.
    pub index_name: Option<String>,
}

impl DbContent {
    /// Reads a document, or says what is wrong with it. Addresses in it may be relative to its own, `url`; a
    /// file on a disk has none.
    pub fn read(bytes: &[u8], url: Option<&Url>) -> Result<DbContent, Vec<Problem>> {
        let text = utf8_or_latin1(bytes);
        let mut draft = Draft::default();
        for (at, line) in text.lines().enumerate().take(MAX_DBCONTENT_LINES) {
            let line = line.trim_start_matches('\u{feff}').trim();
            if !line.is_empty() && !line.starts_with('#') {
                draft.take(at + 1, line);
            }
        }
        draft.finish(url)
    }

    /// The second and last request: the summarizer with the path of the document, as it sees it.
    pub fn request(&self, document: &Url) -> Option<Request> {
        let path = self.summarizer.make_relative(document)?;
        let mut url = self.summarizer.clone();
        url.query_pairs_mut().append_pair("config", &path);
        Request::new(Method::Get, url, None)
    }
}

/// Every byte is a letter of Latin-1, so there is always a text.
fn utf8_or_latin1(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

#[derive(Default)]
struct Draft {
    single: Vec<(String, String)>,
    keywords: Vec<String>,
    table: Option<String>,
    attributes: Vec<ContentAttribute>,
    /// Tables and attributes that were named, to find those named twice.
    pairs: FxHashSet<(String, String)>,
    problems: Vec<Problem>,
}

impl Draft {
    fn error(&mut self, line: usize, code: &'static str, message: String) {
        self.problems.push(Problem { code, subject: format!("line {line}"), message });
    }

    fn take(&mut self, line: usize, text: &str) {
        let Some((key, value)) = text.split_once(':') else {
            return self.error(line, "E_DBCONTENT_LINE", "expected a key and a colon".to_owned());
        };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().to_owned());
        match key.as_str() {
            "summarizer" | "url" | "title" | "description" | "database" | "refresh" => {
                if self.single.iter().any(|(known, _)| *known == key) {
                    return self.error(line, "W_REPEATED", format!("{key} is given twice"));
                }
                self.single.push((key, value));
            }
            "keywords" => self.keywords.extend(
                value.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned),
            ),
            "table" => self.table = Some(value),
            "attribute" => self.take_attribute(line, value),
            "as" => match self.attributes.last_mut() {
                Some(last) => last.index_name = Some(value),
                None => {
                    self.error(line, "E_DBCONTENT_ORDER", "As before any Attribute".to_owned());
                }
            },
            // Values that are not there are never indexed, so this says nothing new.
            "where-not-null" => {}
            _ => self.error(line, "W_UNKNOWN_KEY", format!("nobody knows {key}")),
        }
    }

    fn take_attribute(&mut self, line: usize, attribute: String) {
        let Some(table) = self.table.clone() else {
            return self.error(line, "E_DBCONTENT_ORDER", "Attribute before any Table".to_owned());
        };
        if !self.pairs.insert((table.clone(), attribute.clone())) {
            let message = format!("{table}.{attribute} is given twice");
            return self.error(line, "W_REPEATED", message);
        }
        self.attributes.push(ContentAttribute { table, attribute, index_name: None });
    }

    fn finish(mut self, url: Option<&Url>) -> Result<DbContent, Vec<Problem>> {
        let single = std::mem::take(&mut self.single);
        let value = |key: &str| {
            let found =
                single.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
            found.filter(|value| !value.is_empty())
        };
        let address = |key: &str| {
            let joined = value(key).and_then(|it| Url::options().base_url(url).parse(&it).ok());
            joined.filter(|it| matches!(it.scheme(), "http" | "https"))
        };
        let (summarizer, interface) = (address("summarizer"), address("url"));
        let database = value("database");
        #[rustfmt::skip]
        let required = [
            (summarizer.is_some(), "Summarizer, an address"), (interface.is_some(), "URL, the address of the form"),
            (database.is_some(), "Database"), (!self.attributes.is_empty(), "Table with at least one Attribute"),
        ];
        for (_, name) in required.iter().filter(|(is_there, _)| !is_there) {
            self.error(0, "E_DBCONTENT_MISSING", format!("expected {name}"));
        }
        match (summarizer, interface, database) {
            (Some(summarizer), Some(interface), Some(database))
                if !self.problems.iter().any(Problem::is_error) =>
            {
                Ok(DbContent {
                    summarizer,
                    interface,
                    database,
                    title: value("title"),
                    description: value("description"),
                    keywords: self.keywords,
                    attributes: self.attributes,
                    refresh_days: value("refresh").and_then(|days| days.parse().ok()),
                    problems: self.problems,
                })
            }
            _ => Err(self.problems),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's own document.
    const PAPER: &str = "Summarizer: http://www.cityworld.de/cgi-bin/Ora-DB.pl\n\
        URL:        http://www.cityworld.de/cgi-bin/auswahl.pl\nTitle:      CityWorld - Hotels und Pensionen\n\
        Description: Hotelf\u{fc}hrer M-V\nKeywords:   Hotel, Zimmer, Unterkunft, Pension, Preis\n\
        Database:   Cityworld\nTable:      hotel\nAttribute:  name\nAttribute:  ort\nTable:      region\nAttribute:  region\n";

    fn here() -> Url {
        "http://www.cityworld.de/db/cityworld.DBContent".parse().unwrap()
    }

    #[test]
    fn the_paper() {
        let latin1: Vec<u8> = PAPER.chars().map(|c| c as u8).collect();
        for bytes in [PAPER.as_bytes(), &latin1] {
            let content = DbContent::read(bytes, Some(&here())).unwrap();
            assert_eq!(content.description.as_deref(), Some("Hotelführer M-V"));
            let pairs: Vec<String> = content
                .attributes
                .iter()
                .map(|it| format!("{}.{}", it.table, it.attribute))
                .collect();
            assert_eq!(pairs, ["hotel.name", "hotel.ort", "region.region"]);
            assert_eq!(content.keywords.len(), 5);
            assert_eq!(
                content.request(&here()).unwrap().url.as_str(),
                "http://www.cityworld.de/cgi-bin/Ora-DB.pl?config=..%2Fdb%2Fcityworld.DBContent"
            );
        }
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        #[rustfmt::skip]
        let cases = [
            ("Quatsch\n",                       "line 12 E_DBCONTENT_LINE"),
            ("Table: a\nAs: b\n# x\nFoo: 1\n",  "line 15 W_UNKNOWN_KEY"),
            ("Attribute: region\n",             "line 12 W_REPEATED"),
            ("Title: x\n",                      "line 12 W_REPEATED"),
        ];
        for (more, expected) in cases {
            let problems = match DbContent::read(format!("{PAPER}{more}").as_bytes(), Some(&here()))
            {
                Ok(content) => content.problems,
                Err(problems) => problems,
            };
            let found: Vec<String> =
                problems.iter().map(|it| format!("{} {}", it.subject, it.code)).collect();
            assert_eq!(found, [expected], "{more}");
        }
        let problems =
            DbContent::read(b"Attribute: a\nSummarizer: ftp://x/", Some(&here())).unwrap_err();
        assert_eq!(problems.len(), 5, "{problems:?}");
        assert!(DbContent::read(&[0xff; 100], Some(&here())).is_err());
        let relative = PAPER.replace("http://www.cityworld.de", "");
        assert!(DbContent::read(relative.as_bytes(), Some(&here())).is_ok());
        assert_eq!(DbContent::read(relative.as_bytes(), None).unwrap_err().len(), 2);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read(
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300),
            lines in "((Table|Attribute|As|URL|Summarizer|Database|Refresh|Title|x): ?[^\n]{0,9}\n){0,20}",
        ) {
            for bytes in [&bytes[..], lines.as_bytes()] {
                match DbContent::read(bytes, Some(&here())) {
                    Ok(content) => assert!(!content.attributes.is_empty()),
                    Err(problems) => assert!(problems.iter().any(Problem::is_error)),
                }
            }
        }
    }
}
