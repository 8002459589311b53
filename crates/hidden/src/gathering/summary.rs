//! All values of a database, as one object for the index.

use auslese_model::{Problem, SoifLists, SoifObject, Timestamp};
use rustc_hash::FxHashSet;
use url::Url;

/// Bytes of a value; the rest is left out.
pub const MAX_SUMMARY_VALUE: usize = 1_000;

/// Values of one attribute; further ones are left out.
pub const MAX_SUMMARY_VALUES: usize = 100_000;

/// Bytes of all values; further ones are left out.
pub const MAX_FRAGMENT_BYTES: usize = 16 << 20;

/// What was found in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseSummary {
    /// The page with the form.
    pub url: Url,
    /// What that page says about itself: title, description, keywords.
    pub about: Vec<(String, String)>,
    pub attributes: Vec<SummaryAttribute>,
    /// Queries answered, pages read, requests failed.
    pub queries: u64,
    pub pages: u64,
    pub failed: u64,
    /// At how many rows answers are cut, if they are, and which queries had such answers.
    pub truncated: Option<u64>,
    pub truncated_queries: Vec<u64>,
    /// Why the database was left alone before all was asked.
    pub stopped: Option<String>,
    pub problems: Vec<Problem>,
}

/// An attribute with its different values, in the order in which they were first seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SummaryAttribute {
    pub name: String,
    pub values: Vec<String>,
    /// The query that showed each value first; none for what the form or the metadata say.
    pub shown_by: Vec<Option<u64>>,
    /// Whether values were left out or cut because of a limit.
    pub capped: bool,
}

impl DatabaseSummary {
    /// The summary as a SOIF object; `now` is when the database was asked.
    pub fn soif(&self, now: Timestamp, lists: SoifLists) -> SoifObject {
        let mut object = SoifObject::new("FILE", Some(self.url.as_str()));
        object.add("Type", "DBForm");
        for (name, value) in &self.about {
            object.add(name, value.as_str());
        }
        let mut bytes = 0;
        for attribute in &self.attributes {
            bytes += attribute.values.iter().map(String::len).sum::<usize>();
            object.add_all(&attribute.name, attribute.values.iter().map(String::as_str), lists);
            if attribute.capped {
                object.add(&format!("Truncated-{}", attribute.name), "true");
            }
        }
        object.add("Query-Count", self.queries.to_string());
        object.add("Page-Count", self.pages.to_string());
        object.add("File-Size", bytes.to_string());
        object.add("Truncated", self.truncated.map_or("false".to_owned(), |rows| rows.to_string()));
        object.add("Update-Time", now.to_second_text());
        object
    }
}

/// Values while they are gathered.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    attributes: Vec<(SummaryAttribute, FxHashSet<String>)>,
    bytes: usize,
}

impl Collected {
    /// Makes room for an attribute, so that attributes keep the order of the metadata.
    pub(crate) fn declare(&mut self, name: &str) {
        self.position(name);
    }

    fn position(&mut self, name: &str) -> usize {
        let known = self.attributes.iter().position(|(attribute, _)| attribute.name == name);
        known.unwrap_or_else(|| {
            let attribute =
                SummaryAttribute { name: name.to_owned(), ..SummaryAttribute::default() };
            self.attributes.push((attribute, FxHashSet::default()));
            self.attributes.len() - 1
        })
    }

    /// Adds a value that a query showed, unless it is known; white space does not count.
    pub(crate) fn add(&mut self, name: &str, value: &str, query: Option<u64>) {
        let at = self.position(name);
        let (attribute, seen) = &mut self.attributes[at];
        let mut value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if value.len() > MAX_SUMMARY_VALUE {
            value.truncate(value.floor_char_boundary(MAX_SUMMARY_VALUE));
            attribute.capped = true;
        }
        if value.is_empty() || seen.contains(&value) {
            return;
        }
        if attribute.values.len() >= MAX_SUMMARY_VALUES
            || self.bytes + value.len() > MAX_FRAGMENT_BYTES
        {
            attribute.capped = true;
            return;
        }
        self.bytes += value.len();
        seen.insert(value.clone());
        attribute.values.push(value);
        attribute.shown_by.push(query);
    }

    /// Different values of an attribute so far.
    pub(crate) fn count(&self, name: &str) -> u64 {
        let known = self.attributes.iter().find(|(attribute, _)| attribute.name == name);
        known.map_or(0, |(attribute, _)| attribute.values.len() as u64)
    }

    pub(crate) fn finish(self) -> Vec<SummaryAttribute> {
        let attributes = self.attributes.into_iter().map(|(attribute, _)| attribute);
        attributes.filter(|attribute| !attribute.values.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_flagged() {
        let mut collected = Collected::default();
        collected.add("a", &"x".repeat(MAX_SUMMARY_VALUE + 1), None);
        collected.add("b", " y\n z ", Some(3));
        collected.add("b", "y z", Some(4));
        for number in 0..=MAX_SUMMARY_VALUES {
            collected.add("c", &number.to_string(), None);
        }
        let attributes = collected.finish();
        let flags: Vec<bool> = attributes.iter().map(|it| it.capped).collect();
        assert_eq!(flags, [true, false, true]);
        assert_eq!(
            (&attributes[1].values[..], &attributes[1].shown_by[..]),
            (&["y z".to_owned()][..], &[Some(3)][..])
        );
        assert_eq!(attributes[2].values.len(), MAX_SUMMARY_VALUES);
    }
}
