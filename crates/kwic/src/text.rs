//! A text with what is known about it: what callers hand in, one after the other.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A text and its tags. Tags that are not known are `None`, which is a group of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Text<'t> {
    /// What names the document. Lines are ordered by it, and samples are drawn by it.
    pub key: &'t str,
    pub url: Option<&'t str>,
    pub host: Option<&'t str>,
    /// The kind of text: a media type, or a class such as `preprint`.
    pub kind: Option<&'t str>,
    pub year: Option<i32>,
    /// From 1 to 12; others count as unknown.
    pub month: Option<u8>,
    pub language: Option<&'t str>,
    pub collection: Option<&'t str>,
    pub text: &'t str,
}

/// What texts can be grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The form of the node itself.
    Form,
    Host,
    #[serde(rename = "type")]
    Kind,
    Year,
    Month,
    Language,
    Collection,
    Document,
}

impl By {
    pub const ALL: [By; 8] = [
        By::Form,
        By::Host,
        By::Kind,
        By::Year,
        By::Month,
        By::Language,
        By::Collection,
        By::Document,
    ];

    pub fn name(self) -> &'static str {
        match self {
            By::Form => "form",
            By::Host => "host",
            By::Kind => "type",
            By::Year => "year",
            By::Month => "month",
            By::Language => "language",
            By::Collection => "collection",
            By::Document => "document",
        }
    }

    /// The group a text belongs to; [`By::Form`] is no matter of the text.
    pub(crate) fn of<'t>(self, text: &Text<'t>) -> Option<Cow<'t, str>> {
        match self {
            By::Form => None,
            By::Host => text.host.map(Cow::Borrowed),
            By::Kind => text.kind.map(Cow::Borrowed),
            By::Year => text.year.map(|year| Cow::Owned(format!("{year:04}"))),
            By::Month => text.period(Step::Month).map(|period| Cow::Owned(period.to_string())),
            By::Language => text.language.map(Cow::Borrowed),
            By::Collection => text.collection.map(Cow::Borrowed),
            By::Document => Some(Cow::Borrowed(text.key)),
        }
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for By {
    type Err = String;

    fn from_str(name: &str) -> Result<By, String> {
        let found = By::ALL.into_iter().find(|by| by.name() == name);
        found.ok_or_else(|| {
            let names = By::ALL.map(By::name);
            format!("no group is called {name:?}; there are {}", names.join(", "))
        })
    }
}

/// How finely time is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    #[default]
    Year,
    Month,
}

/// A year, or a month of a year. Written `2024` and `2024-05`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Period {
    pub year: i32,
    pub month: Option<u8>,
}

impl Period {
    /// Months or years since the year 0: neighbours differ by one.
    pub(crate) fn number(self) -> i64 {
        match self.month {
            Some(month) => i64::from(self.year) * 12 + i64::from(month) - 1,
            None => i64::from(self.year),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        self.month.map_or(Ok(()), |month| write!(f, "-{month:02}"))
    }
}

impl Serialize for Period {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Text<'_> {
    /// When the text was written, as far as that is known finely enough.
    pub(crate) fn period(&self, step: Step) -> Option<Period> {
        let year = self.year?;
        match step {
            Step::Year => Some(Period { year, month: None }),
            Step::Month => {
                let month = self.month.filter(|month| (1..=12).contains(month))?;
                Some(Period { year, month: Some(month) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_a_text() {
        let text = Text {
            key: "7",
            host: Some("a.example"),
            year: Some(2024),
            month: Some(5),
            ..Text::default()
        };
        let groups: Vec<Option<String>> =
            By::ALL.into_iter().map(|by| by.of(&text).map(Cow::into_owned)).collect();
        let expected =
            [None, Some("a.example"), None, Some("2024"), Some("2024-05"), None, None, Some("7")];
        assert_eq!(groups, expected.map(|group| group.map(str::to_owned)));
        let thirteenth = Text { month: Some(13), ..text };
        assert_eq!(thirteenth.period(Step::Month), None);
        for by in By::ALL {
            assert_eq!(by.name().parse(), Ok(by));
        }
        assert!("hosts".parse::<By>().unwrap_err().contains("host, type"));
    }
}
