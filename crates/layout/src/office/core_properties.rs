//! What DOCX and ODT say about themselves: Dublin Core in a part of its own.

use super::parts::Parts;
use super::xml::{Descent, Element, Visitor};
use crate::Properties;

/// Bytes of a property. Some programs keep whole documents in one.
pub const MAX_PROPERTY: usize = 10_000;

/// The properties by Dublin Core and its neighbours.
pub(crate) fn read_core_properties(parts: &mut Parts<'_>, name: &str) -> Properties {
    let mut fields = Fields::default();
    parts.walk(name, &mut fields);
    fields.into_properties()
}

/// The program and the number of pages, as DOCX's extended properties give them.
pub(crate) fn read_page_count(parts: &mut Parts<'_>, name: &str) -> (Option<String>, Option<u32>) {
    let mut fields = Fields::default();
    parts.walk(name, &mut fields);
    (fields.first(&["Application"]), fields.page_count())
}

/// Each element that holds text only, with it.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    found: Vec<(String, String)>,
    text: String,
    pages: Option<String>,
}

impl Fields {
    pub(crate) fn into_properties(self) -> Properties {
        let keywords = self.all("keyword").or_else(|| self.first(&["keywords"]));
        Properties {
            title: self.first(&["title"]),
            author: self.first(&["initial-creator"]).or_else(|| self.first(&["creator"])),
            subject: self.first(&["subject"]),
            keywords,
            created: self.first(&["creation-date", "created"]),
            producer: self.first(&["generator"]),
            language: self.first(&["language"]),
        }
    }

    pub(crate) fn page_count(&self) -> Option<u32> {
        let pages = self.pages.clone().or_else(|| self.first(&["Pages"]))?;
        pages.parse().ok().filter(|pages| *pages > 0)
    }

    fn first(&self, names: &[&str]) -> Option<String> {
        let found = self.found.iter().find(|(name, _)| names.contains(&name.as_str()))?;
        Some(found.1.clone())
    }

    /// Several elements of a name, each a value.
    fn all(&self, name: &str) -> Option<String> {
        let values = self.found.iter().filter(|(found, _)| found == name);
        let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

impl Visitor for Fields {
    fn open(&mut self, element: &Element<'_>) -> Descent {
        self.text.clear();
        if element.name() == "document-statistic" {
            self.pages = element.attribute("page-count");
        }
        Descent::Into
    }

    fn text(&mut self, text: &str) {
        if self.text.len() + text.len() <= MAX_PROPERTY {
            self.text.push_str(text);
        }
    }

    fn close(&mut self, name: &str) {
        let text = std::mem::take(&mut self.text);
        let value = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !value.is_empty() && self.found.len() < MAX_FIELDS {
            self.found.push((name.to_owned(), value));
        }
    }
}

/// Properties looked at, far more than there are.
const MAX_FIELDS: usize = 200;
