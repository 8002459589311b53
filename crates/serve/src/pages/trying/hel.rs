//! An extraction rule (HEL) tried on the page: the nested list it finds, or the error with its place.

use super::asked::Asked;
use super::matter::Matter;
use super::{Outcome, Trial, shortened};
use crate::look::empty_note;
use crate::site::Site;
use crate::view::View;
use auslese_hidden::{HelBudget, HelError, HelPage, HelPrefix, HelRule, Nsl};
use auslese_markup::parse;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::Value;

/// What stands in the form at first: finds something on most pages.
const EXAMPLE_RULE: &str = "html->a[*]( .txt # .getAttr(href) )";
/// Letters of a value that are shown.
const VALUE_LETTERS: usize = 300;
/// Values that are shown.
const VALUES: usize = 500;

pub(super) struct Extraction;

#[derive(Debug, Serialize)]
struct Found {
    rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Nsl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
    warnings: Vec<String>,
    /// Values as an index would keep them: without gaps and repetitions.
    values: usize,
}

/// What is wrong with a rule, and where.
#[derive(Debug, Serialize)]
struct Fault {
    code: String,
    /// In characters, from 1.
    column: usize,
    message: String,
    /// Whether it is in the prefix.
    in_prefix: bool,
}

impl Trial for Extraction {
    fn name(&self) -> &'static str {
        "hel"
    }

    fn title(&self, view: &View) -> &'static str {
        view.say("Extraction rule (HEL)", "Auszugsregel (HEL)")
    }

    fn controls(&self, view: &View, asked: &Asked) -> Markup {
        html! {
            label for="hel" { (view.say("Rule", "Regel")) }
            textarea #hel name="hel" rows="3" spellcheck="false" autocapitalize="none" { (asked.field("hel").unwrap_or(EXAMPLE_RULE)) }
            label for="hel-prefix" { (view.say("Prefix, as DB.Result gives it", "Vorspann, wie ihn DB.Result angibt")) }
            input #hel-prefix type="text" name="hel-prefix" value=(asked.field("hel-prefix").unwrap_or_default()) spellcheck="false" autocapitalize="none";
        }
    }

    fn run(&self, _: &Site, matter: &Matter, asked: &Asked) -> Box<dyn Outcome> {
        let rule = asked.field("hel").unwrap_or(EXAMPLE_RULE);
        let prefix = asked.field("hel-prefix").unwrap_or_default();
        // What was pasted is read whole; heuristics look at pages without scripts and comments.
        let pasted = asked.text().map(|text| parse(text.as_bytes(), Some("utf-8")));
        let page = HelPage::new(pasted.as_ref().unwrap_or(&matter.page));
        Box::new(Found::of(rule, prefix, &page))
    }
}

impl Found {
    fn of(rule: &str, prefix: &str, page: &HelPage<'_>) -> Found {
        let mut found = Found {
            rule: rule.to_owned(),
            value: None,
            error: None,
            warnings: Vec::new(),
            values: 0,
        };
        let parsed_prefix = match HelPrefix::parse(prefix) {
            Ok(prefix) => prefix,
            Err(error) => return Found { error: Some(Fault::of(&error, prefix, true)), ..found },
        };
        let parsed = match HelRule::parse(rule, parsed_prefix.as_ref()) {
            Ok(parsed) => parsed,
            Err(error) => return Found { error: Some(Fault::of(&error, rule, false)), ..found },
        };
        found.warnings =
            parsed.warnings().iter().map(|it| format!("{}: {}", it.code, it.message)).collect();
        match parsed.evaluate(page, &mut HelBudget::default()) {
            Ok(value) => {
                found.values = value.index_values().len();
                found.value = Some(value);
            }
            Err(error) => found.error = Some(Fault::of(&error, rule, false)),
        }
        found
    }
}

impl Fault {
    fn of(error: &HelError, text: &str, in_prefix: bool) -> Fault {
        let before = text.get(..error.offset).unwrap_or(text);
        Fault {
            code: error.code.to_string(),
            column: before.chars().count() + 1,
            message: error.message.clone(),
            in_prefix,
        }
    }
}

impl Outcome for Found {
    fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn summary(&self, view: &View) -> String {
        match &self.error {
            Some(fault) => format!("HEL {}", fault.code),
            None => format!("HEL: {} {}", self.values, view.say("values", "Werte")),
        }
    }

    fn markup(&self, view: &View) -> Markup {
        let mut left = VALUES;
        let shown = self.value.as_ref().map(|value| list(value, &mut left));
        html! {
            @if let Some(fault) = &self.error {
                p .problem {
                    strong { (fault.code) } " "
                    @if fault.in_prefix { (view.say("in the prefix, ", "im Vorspann, ")) }
                    (view.say("character ", "Zeichen ")) (fault.column) ": " span lang="en" { (fault.message) }
                }
            }
            @for warning in &self.warnings { p .note lang="en" { (warning) } }
            @match &self.value {
                None => {},
                Some(value) if self.values == 0 && !matches!(value, Nsl::Text(_)) => {
                    (empty_note(view.say("The rule finds nothing on this page.", "Die Regel findet auf dieser Seite nichts.")))
                }
                Some(_) => {
                    p .soft { (self.values) " " (view.say("different values", "verschiedene Werte")) }
                    @if let Some(shown) = &shown { div .nsl { (shown) } }
                    @if left == 0 { p .soft { (view.say("Only the first values are shown.", "Nur die ersten Werte sind gezeigt.")) } }
                }
            }
        }
    }
}

/// A nested list as nested lists.
fn list(value: &Nsl, left: &mut usize) -> Markup {
    if *left == 0 {
        return html! {};
    }
    match value {
        Nsl::Null => {
            *left -= 1;
            html! { span .soft { "null" } }
        }
        Nsl::Text(text) => {
            *left -= 1;
            html! { span .breaks { (shortened(text, VALUE_LETTERS)) } }
        }
        Nsl::List(items) => {
            let mut shown = Vec::new();
            for item in items {
                if *left == 0 {
                    break;
                }
                shown.push(list(item, left));
            }
            html! { ol start="0" { @for item in shown { li { (item) } } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_a_place() {
        let page = parse(b"<p>a</p><p>b</p>", None);
        let page = HelPage::new(&page);
        let found = Found::of("html.body.p[*].txt", "", &page);
        assert_eq!(found.values, 2);
        let broken = Found::of("html.body.p[*", "", &page).error.unwrap();
        assert_eq!((broken.code.as_str(), broken.in_prefix), ("E_SYNTAX", false));
        assert!(broken.column > 1);
        let broken = Found::of("p.txt", "html.body.p.txt", &page).error.unwrap();
        assert!(broken.in_prefix, "{broken:?}");
    }
}
