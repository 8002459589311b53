//! What a provider says about a database: `DB.*` metadata of the page with the form.
//!
//! They stand in META tags, or in a configuration file that the page names; what the file says goes before
//! what the page says. The paper's own inconsistencies are accepted: `DB.Navigation` and `DB.NavigationURL` are
//! one thing, braces around lists may be there or not, a prefix may end in a dot.

mod entries;
mod lists;

pub use entries::{DbEntry, MAX_DB_ENTRIES, MAX_DB_VALUE, config_entries, page_entries};

use crate::finite::FiniteRegex;
use crate::hel::{HelCode, HelPrefix, HelRule};
use auslese_model::{Method, Problem};
use lists::list;

/// What the metadata of a database mean.
#[derive(Debug, Clone, Default)]
pub struct DbMetadata {
    /// The address of a file with further metadata, as written.
    pub config_file: Option<String>,
    /// What answers instead of the form's own action, as written, and its method.
    pub query_script: Option<(String, Option<Method>)>,
    /// The internal names of essential elements, in the order given.
    pub elements: Vec<String>,
    /// The values of elements, where they are given.
    pub domains: Vec<(String, DomainSource)>,
    pub results: Vec<ResultAttribute>,
    pub navigation: Navigation,
    /// Where on a page between query and answer the address of the answer stands.
    pub step: Option<HelRule>,
    /// What is wrong or doubtful.
    pub problems: Vec<Problem>,
}

/// Where the values of an element come from, if not from the form.
#[derive(Debug, Clone)]
pub enum DomainSource {
    Regex(FiniteRegex),
    List(Vec<String>),
}

/// An attribute to be indexed.
#[derive(Debug, Clone)]
pub struct ResultAttribute {
    /// As written.
    pub name: String,
    pub source: ResultSource,
}

#[derive(Debug, Clone)]
pub enum ResultSource {
    /// Where on answers its values stand.
    Rule(HelRule),
    /// Its values.
    List(Vec<String>),
}

/// How further pages of an answer are found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Navigation {
    /// By links that lead on.
    #[default]
    Guessed,
    /// There are none.
    SinglePage,
    /// By links whose address fits; `*` stands for anything.
    Pattern(String),
}

impl DbMetadata {
    /// Whether the provider agrees to being asked through the form.
    pub fn invites_queries(&self) -> bool {
        !self.elements.is_empty()
    }

    pub fn domain(&self, element: &str) -> Option<&DomainSource> {
        self.domains.iter().find(|(name, _)| name == element).map(|(_, domain)| domain)
    }

    /// The rules among the attributes.
    pub fn rules(&self) -> impl Iterator<Item = (&str, &HelRule)> {
        self.results.iter().filter_map(|result| match &result.source {
            ResultSource::Rule(rule) => Some((result.name.as_str(), rule)),
            ResultSource::List(_) => None,
        })
    }

    /// Makes sense of entries. Those of a configuration file come second and go before those of the page.
    pub fn of_entries(page: &[DbEntry], config: &[DbEntry]) -> DbMetadata {
        let mut metadata = DbMetadata::default();
        for entry in config.iter().filter(|entry| entry.is("ConfigFile")) {
            let message = "a configuration file names no other".to_owned();
            metadata.problems.push(Problem::error("E_CONFIG_NESTED", &entry.name, message));
        }
        let stands = |entry: &&DbEntry| !config.iter().any(|other| other.is_like(entry));
        let entries: Vec<&DbEntry> = page
            .iter()
            .filter(stands)
            .chain(config.iter().filter(|entry| !entry.is("ConfigFile")))
            .collect();
        // The prefix is needed before any rule is read, wherever it stands.
        let prefix = entries.iter().rev().find(|entry| entry.is("Result"));
        let prefix = prefix.and_then(|entry| metadata.prefix(entry));
        for entry in &entries {
            metadata.take(entry, prefix.as_ref());
        }
        metadata
    }

    fn prefix(&mut self, entry: &DbEntry) -> Option<HelPrefix> {
        match HelPrefix::parse(&entry.value) {
            Ok(prefix) => prefix,
            Err(error) => {
                let message = format!("at {}: {}", error.offset, error.message);
                self.problems.push(Problem::error(error.code.as_str(), &entry.name, message));
                None
            }
        }
    }

    fn take(&mut self, entry: &DbEntry, prefix: Option<&HelPrefix>) {
        let lower = entry.name.to_ascii_lowercase();
        match lower.split_once('.') {
            None => match lower.as_str() {
                "configfile" => self.config_file = Some(entry.value.trim().to_owned()),
                "queryscript" => self.take_script(entry),
                "queryelement" | "queryelements" => self.take_elements(entry),
                "result" => {}
                "step" => self.take_step(entry),
                "navigation" | "navigationurl" => self.navigation = navigation(&entry.value),
                _ => self.warn("W_UNKNOWN_METADATA", entry, "there is no such metadata"),
            },
            Some(("queryelement" | "queryelements", _)) => self.take_domain(entry),
            Some(("result", _)) => self.take_result(entry, prefix),
            Some(_) => self.warn("W_UNKNOWN_METADATA", entry, "there is no such metadata"),
        }
    }

    fn warn(&mut self, code: &'static str, entry: &DbEntry, message: &str) {
        self.problems.push(Problem::warning(code, &entry.name, message.to_owned()));
    }

    fn take_script(&mut self, entry: &DbEntry) {
        let (url, method) = match entry.value.rsplit_once(',') {
            Some((url, word)) => match Method::parse(&word.trim().to_ascii_uppercase()) {
                Some(method @ (Method::Get | Method::Post)) => (url, Some(method)),
                _ => (entry.value.as_str(), None),
            },
            None => (entry.value.as_str(), None),
        };
        self.query_script = Some((url.trim().to_owned(), method));
    }

    /// A step is a rule for a page that is no answer, so the prefix of answers is not meant.
    fn take_step(&mut self, entry: &DbEntry) {
        match HelRule::parse(&entry.value, None) {
            Ok(rule) => self.step = Some(rule),
            Err(error) => {
                let message = format!("at {}: {}", error.offset, error.message);
                let problem = Problem::error(error.code.as_str(), &entry.name, message);
                self.problems.push(problem);
            }
        }
    }

    fn take_elements(&mut self, entry: &DbEntry) {
        if !self.elements.is_empty() {
            self.warn("W_ELEMENTS_TWICE", entry, "elements are named twice; all are taken");
        }
        for name in list(&entry.value) {
            if !self.elements.contains(&name) {
                self.elements.push(name);
            }
        }
    }

    fn take_domain(&mut self, entry: &DbEntry) {
        let element = entry.suffix().to_owned();
        if self.domain(&element).is_some() {
            return self.warn("W_REPEATED", entry, "the values are given twice; the first count");
        }
        let value = entry.value.trim();
        let domain = match value.starts_with('/') && value.len() > 1 && value.ends_with('/') {
            true => match FiniteRegex::parse(value) {
                Ok(regex) => DomainSource::Regex(regex),
                Err(error) => {
                    let message = format!("at {}: {}", error.offset, error.message);
                    let problem = Problem::error(error.code.as_str(), &entry.name, message);
                    return self.problems.push(problem);
                }
            },
            false => {
                if value.starts_with('/') && !value.contains(',') {
                    let message = "this is no expression between two slashes; it is sent as it is";
                    self.warn("W_LIST_FORM", entry, message);
                } else if value.starts_with('{') != value.ends_with('}') {
                    let message = "a brace is missing; it is part of a value";
                    self.warn("W_LIST_FORM", entry, message);
                }
                DomainSource::List(list(value))
            }
        };
        self.domains.push((element, domain));
    }

    fn take_result(&mut self, entry: &DbEntry, prefix: Option<&HelPrefix>) {
        let name = entry.suffix().to_owned();
        if self.results.iter().any(|known| known.name == name) {
            return self.warn(
                "W_REPEATED",
                entry,
                "the attribute is given twice; the first counts",
            );
        }
        let source = match HelRule::parse(&entry.value, prefix) {
            Ok(rule) => {
                for warning in rule.warnings() {
                    let message = format!("at {}: {}", warning.offset, warning.message);
                    self.problems.push(Problem::warning(warning.code, &entry.name, message));
                }
                ResultSource::Rule(rule)
            }
            Err(error) if error.code == HelCode::Syntax && !looks_like_a_rule(&entry.value) => {
                ResultSource::List(list(&entry.value))
            }
            Err(error) => {
                let message = format!("at {}: {}", error.offset, error.message);
                return self.problems.push(Problem::error(
                    error.code.as_str(),
                    &entry.name,
                    message,
                ));
            }
        };
        self.results.push(ResultAttribute { name, source });
    }
}

/// A rule with a slip of the pen is not a list of odd values.
fn looks_like_a_rule(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    ["->", ".txt", ".src", ".getattr", ".numberof"].iter().any(|sign| lower.contains(sign))
}

fn navigation(value: &str) -> Navigation {
    let value = value.trim();
    if value.eq_ignore_ascii_case("no") {
        Navigation::SinglePage
    } else if value.is_empty() || value.eq_ignore_ascii_case("yes") {
        Navigation::Guessed
    } else {
        Navigation::Pattern(value.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    #[test]
    fn lists_that_were_meant_otherwise() {
        #[rustfmt::skip]
        let cases = [
            ("/abc/i",  true),
            ("/ab",     true),
            ("{a, b",   true),
            ("a, b}",   true),
            ("{a, b}",  false),
            ("/a/, /b", false),
            ("/[ab]/",  false),
            ("a",       false),
        ];
        for (value, warned) in cases {
            let entries = [
                DbEntry { name: "QueryElement".to_owned(), value: "q".to_owned() },
                DbEntry { name: "QueryElement.q".to_owned(), value: value.to_owned() },
            ];
            let metadata = DbMetadata::of_entries(&entries, &[]);
            let codes: Vec<&str> = metadata.problems.iter().map(|it| it.code).collect();
            assert_eq!(codes.contains(&"W_LIST_FORM"), warned, "{value}: {codes:?}");
        }
    }

    /// The paper's own six lines.
    const PAPER: &str = r#"
        <META NAME="DB.QueryElement" CONTENT="region">
        <META NAME="DB.Result.region"
          CONTENT="html.body->A[i]->pdata[1].txt
          where html.body->A[i].getAttr(name) = 'Seitenanfang'">
        <META NAME="DB.Result" CONTENT="html.body->table[1].">
        <META NAME="DB.Result.ort" CONTENT="tr[j:*].td[1].txt
          where tr[j].td[1].font.getAttr(color) = '#FF8000'">
        <META NAME="DB.Result.name" CONTENT="tr[k:*].td[1].b.txt
          where tr[k].td[0].input.getAttr(name) = 'hotel_id'">
        <META NAME="DB.Navigation" CONTENT="NO">"#;

    fn metadata(html: &str, config: &str) -> DbMetadata {
        let page = parse(html.as_bytes(), Some("utf-8"));
        DbMetadata::of_entries(&page_entries(&page), &config_entries(config.as_bytes()))
    }

    #[test]
    fn the_paper() {
        let metadata = metadata(PAPER, "");
        assert!(metadata.problems.is_empty(), "{:?}", metadata.problems);
        assert_eq!(metadata.elements, ["region"]);
        let names: Vec<&str> = metadata.rules().map(|(name, _)| name).collect();
        assert_eq!(names, ["region", "ort", "name"]);
        assert_eq!(metadata.navigation, Navigation::SinglePage);
        assert!(metadata.invites_queries());
    }

    #[test]
    fn a_file_goes_before_the_page() {
        let config = "# ours\nDB.QueryElements: ort, preis\nDB.QueryElement.ort: /[A-Z]%/\n\
            <META NAME='DB.Navigation' CONTENT='http://a.example/s?*'>\nDB.ConfigFile: x\nnot this\n\
            db.queryscript: /such.pl , post\nDB.Result.kategorie: {einfach, \"gut, besser\"}\nDB.Was: x\n";
        let metadata = metadata(PAPER, config);
        assert_eq!(metadata.elements, ["ort", "preis"]);
        assert_eq!(metadata.navigation, Navigation::Pattern("http://a.example/s?*".to_owned()));
        assert_eq!(metadata.query_script, Some(("/such.pl".to_owned(), Some(Method::Post))));
        let Some(DomainSource::Regex(regex)) = metadata.domain("ort") else { panic!("no regex") };
        assert_eq!(regex.count(), 26);
        let list = metadata.results.iter().find(|it| it.name == "kategorie").unwrap();
        let ResultSource::List(values) = &list.source else { panic!("no list") };
        assert_eq!(values[..], ["einfach", "gut, besser"]);
        let codes: Vec<&str> = metadata.problems.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["E_CONFIG_NESTED", "W_UNKNOWN_METADATA"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        #[rustfmt::skip]
        let cases = [
            ("DB.Result.a: html.body.p[i].txt",             "E_NO_CONDITION"),
            ("DB.Result.a: html.body.p.txt, match/(/",      "E_REGEX"),
            ("DB.Result.a: html.body.p[.txt",               "E_SYNTAX"),
            ("DB.Result: html.body.txt",                    "E_PREFIX"),
            ("DB.QueryElement.a: /a*/",                     "E_INFINITE"),
            ("DB.QueryElement.a: /[^a]/",                   "E_UNSUPPORTED"),
            ("DB.QueryElement: a\nDB.QueryElements: b, c",   "W_ELEMENTS_TWICE"),
            ("DB.Foo.bar: x",                               "W_UNKNOWN_METADATA"),
            ("DB.Result.a: x\nDB.Result.a: y",              "W_REPEATED"),
            ("DB.Result.a: body.p.txt",                     "W_RELATIVE"),
        ];
        for (config, code) in cases {
            let problems = metadata("", config).problems;
            assert_eq!(problems.len(), 1, "{config}: {problems:?}");
            assert_eq!(problems[0].code, code, "{config}");
        }
    }
}
