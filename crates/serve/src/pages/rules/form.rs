//! The rules of a corpus as a form: how each looks as text, and how it is read back.

use crate::access::Filled;
use crate::view::View;
use auslese_corpus::{Choice, CorpusRules};
use maud::{Markup, html};
use std::collections::HashMap;

/// Entries of a list, and letters of a field.
const MAX_ENTRIES: usize = 500;
const MAX_LETTERS: usize = 20_000;

/// The fields of a rules form, as they came.
pub(super) struct Fields(HashMap<String, String>);

impl Fields {
    pub(super) fn of_query(parameters: &[(String, String)]) -> Fields {
        Fields(parameters.iter().cloned().collect())
    }

    pub(super) fn of_form(filled: &Filled) -> Fields {
        let named =
            |name: &&str| filled.get(name).map(|value| ((*name).to_owned(), value.to_owned()));
        Fields(NAMES.iter().filter_map(named).collect())
    }

    /// Whether rules were sent at all.
    pub(super) fn has_rules(&self) -> bool {
        NAMES.iter().any(|name| self.0.contains_key(*name))
    }

    /// The rules as they were filled in; what was not sent is as it was.
    pub(super) fn rules(&self, present: &CorpusRules) -> Result<CorpusRules, (String, String)> {
        let mut rules = present.clone();
        self.list("mime_types", &mut rules.mime_types)?;
        self.list("unwanted_suffixes", &mut rules.unwanted_suffixes)?;
        self.list("languages", &mut rules.languages)?;
        self.list("keep", &mut rules.keep)?;
        self.list("leave", &mut rules.leave)?;
        if let Some(text) = self.text("max_size")? {
            rules.max_size = match text {
                "" => None,
                text => Some(number("max_size", text)?),
            };
        }
        if let Some(text) = self.text("ports")? {
            let ports = text.split_whitespace().map(|port| number("ports", port));
            rules.ports = ports.collect::<Result<_, _>>()?;
        }
        for (name, place) in choices(&mut rules) {
            match self.text(name)? {
                Some("keep") => *place = Choice::Keep,
                Some("leave") => *place = Choice::Leave,
                _ => {}
            }
        }
        if let Some(text) = self.text("near_threshold")?.filter(|text| !text.is_empty()) {
            rules.near_threshold = number("near_threshold", text)?;
        }
        if let Some(text) = self.text("template_size")?.filter(|text| !text.is_empty()) {
            rules.template_size = number("template_size", text)?;
        }
        Ok(rules)
    }

    fn text(&self, name: &str) -> Result<Option<&str>, (String, String)> {
        match self.0.get(name).map(|text| text.trim()) {
            Some(text) if text.len() > MAX_LETTERS => Err((
                format!("{name} is too long: at most {MAX_LETTERS} bytes"),
                format!("{name} ist zu lang: höchstens {MAX_LETTERS} Bytes"),
            )),
            text => Ok(text),
        }
    }

    fn list(&self, name: &str, place: &mut Vec<String>) -> Result<(), (String, String)> {
        let Some(text) = self.text(name)? else { return Ok(()) };
        let entries: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if entries.len() > MAX_ENTRIES {
            return Err((
                format!("{name} has too many entries: at most {MAX_ENTRIES}"),
                format!("{name} hat zu viele Einträge: höchstens {MAX_ENTRIES}"),
            ));
        }
        *place = entries;
        Ok(())
    }
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, (String, String)> {
    text.parse().map_err(|_| {
        (
            format!("{name}: “{text}” is no number that is possible here"),
            format!("{name}: „{text}“ ist hier keine mögliche Zahl"),
        )
    })
}

/// The names of the settings, as in the configuration.
pub(super) const NAMES: [&str; 14] = [
    "mime_types",
    "unwanted_suffixes",
    "max_size",
    "ports",
    "languages",
    "unclear_language",
    "not_classified",
    "duplicates",
    "near_duplicates",
    "near_threshold",
    "template_pages",
    "template_size",
    "keep",
    "leave",
];

fn choices(rules: &mut CorpusRules) -> [(&'static str, &mut Choice); 5] {
    [
        ("unclear_language", &mut rules.unclear_language),
        ("not_classified", &mut rules.not_classified),
        ("duplicates", &mut rules.duplicates),
        ("near_duplicates", &mut rules.near_duplicates),
        ("template_pages", &mut rules.template_pages),
    ]
}

/// A setting as it is written into its field.
pub(super) fn written(rules: &CorpusRules, name: &str) -> String {
    let choice = |choice: Choice| {
        match choice {
            Choice::Keep => "keep",
            Choice::Leave => "leave",
        }
        .to_owned()
    };
    match name {
        "mime_types" => rules.mime_types.join(" "),
        "unwanted_suffixes" => rules.unwanted_suffixes.join(" "),
        "max_size" => rules.max_size.map(|size| size.to_string()).unwrap_or_default(),
        "ports" => rules.ports.iter().map(u16::to_string).collect::<Vec<_>>().join(" "),
        "languages" => rules.languages.join(" "),
        "unclear_language" => choice(rules.unclear_language),
        "not_classified" => choice(rules.not_classified),
        "duplicates" => choice(rules.duplicates),
        "near_duplicates" => choice(rules.near_duplicates),
        "near_threshold" => rules.near_threshold.to_string(),
        "template_pages" => choice(rules.template_pages),
        "template_size" => rules.template_size.to_string(),
        "keep" => rules.keep.join("\n"),
        _ => rules.leave.join("\n"),
    }
}

/// The settings that differ.
pub(super) fn changed(now: &CorpusRules, then: &CorpusRules) -> Vec<&'static str> {
    NAMES.into_iter().filter(|name| written(now, name) != written(then, name)).collect()
}

/// The fields of the form, with those marked that differ from what is in force.
pub(super) fn inputs(view: &View, rules: &CorpusRules, in_force: &CorpusRules) -> Markup {
    let differing = changed(in_force, rules);
    html! {
        div .rules { @for name in NAMES {
            @let value = written(rules, name);
            @let (title, about) = words(view, name);
            label .is-changed[differing.contains(&name)] {
                span { (title) } small .soft { (about) }
                @match name {
                    "unwanted_suffixes" | "keep" | "leave" => textarea name=(name) rows="3" spellcheck="false" { (value) },
                    "max_size" => input type="number" name=(name) min="1" step="1" value=(value);,
                    "template_size" => input type="number" name=(name) min="1" step="1" value=(value);,
                    "near_threshold" => input type="number" name=(name) min="0" max="1" step="0.01" value=(value);,
                    "mime_types" | "ports" | "languages" => input type="text" name=(name) value=(value) autocomplete="off" spellcheck="false";,
                    _ => select name=(name) {
                        option value="keep" selected[value == "keep"] { (view.say("keep", "behalten")) }
                        option value="leave" selected[value == "leave"] { (view.say("leave", "weglassen")) }
                    },
                }
            }
        } }
    }
}

/// The fields as they are, to be sent with a deed.
pub(super) fn hidden(rules: &CorpusRules) -> Markup {
    html! { @for name in NAMES { input type="hidden" name=(name) value=(written(rules, name)); } }
}

fn words(view: &View, name: &str) -> (&'static str, &'static str) {
    match name {
        "mime_types" => view.say(
            ("Media types", "such as text/html or text/*, with spaces between; empty for all"),
            (
                "Medientypen",
                "etwa text/html oder text/*, durch Leerzeichen getrennt; leer für alle",
            ),
        ),
        "unwanted_suffixes" => view.say(
            ("Unwanted endings", "of addresses, left whatever their media type"),
            ("Unerwünschte Endungen", "von Adressen, gleich welchen Medientyps"),
        ),
        "max_size" => view.say(
            ("Largest size in bytes", "larger documents are left; empty for any size"),
            ("Größte Länge in Bytes", "größere Dokumente werden weggelassen; leer für jede Größe"),
        ),
        "ports" => view.say(
            ("Ports", "with spaces between; empty for all"),
            ("Ports", "durch Leerzeichen getrennt; leer für alle"),
        ),
        "languages" => view.say(
            ("Languages", "such as de, with spaces between; empty for all"),
            ("Sprachen", "etwa de, durch Leerzeichen getrennt; leer für alle"),
        ),
        "unclear_language" => view.say(
            ("Language unclear", "where languages are named"),
            ("Sprache unklar", "wenn Sprachen genannt sind"),
        ),
        "not_classified" => view.say(
            ("Text not read", "formats whose text is not read, where languages are named"),
            ("Text nicht gelesen", "Formate ohne gelesenen Text, wenn Sprachen genannt sind"),
        ),
        "duplicates" => view.say(
            ("Exact copies", "of a document that is kept"),
            ("Genaue Kopien", "eines behaltenen Dokuments"),
        ),
        "near_duplicates" => view.say(
            ("Near copies", "of a document that is kept"),
            ("Fast gleiche", "wie ein behaltenes Dokument"),
        ),
        "near_threshold" => view.say(
            ("How alike, of 1", "to count as nearly the same"),
            ("Wie ähnlich, von 1", "um als fast gleich zu gelten"),
        ),
        "template_pages" => view.say(
            ("Pages of a template", "that many pages of their server share"),
            ("Seiten einer Vorlage", "die viele Seiten des Servers teilen"),
        ),
        "template_size" => view.say(
            ("Pages that make a template", "from this number on"),
            ("Seiten, die eine Vorlage machen", "ab dieser Zahl"),
        ),
        "keep" => view.say(
            ("Always keep", "addresses, one on each line; * stands for any characters"),
            ("Immer behalten", "Adressen, je Zeile eine; * steht für beliebige Zeichen"),
        ),
        _ => view.say(
            ("Always leave", "addresses; asked before those that are kept"),
            ("Immer weglassen", "Adressen; gilt vor den behaltenen"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let rules = CorpusRules {
            max_size: None,
            ports: vec![80, 8080],
            languages: vec!["de".to_owned()],
            duplicates: Choice::Leave,
            near_threshold: 0.85,
            keep: vec!["http://a.example/*".to_owned(), "*b*".to_owned()],
            ..CorpusRules::default()
        };
        let fields = NAMES.map(|name| (name.to_owned(), written(&rules, name)));
        let read = Fields::of_query(&fields).rules(&CorpusRules::default()).unwrap();
        assert_eq!(read, rules);
        let all = ["max_size", "ports", "languages", "duplicates", "near_threshold", "keep"];
        assert_eq!(changed(&CorpusRules::default(), &rules), all);
        // What was not sent is as it was.
        assert_eq!(Fields::of_query(&[]).rules(&rules).unwrap(), rules);
        for (name, bad) in
            [("ports", "80 x"), ("ports", "70000"), ("max_size", "-1"), ("template_size", "1.5")]
        {
            let fields = [(name.to_owned(), bad.to_owned())];
            assert!(Fields::of_query(&fields).rules(&rules).is_err(), "{name} {bad}");
        }
    }
}
