//! What long lists have in common: an order and a page in their address, heads that sort, and the choice of a harvest.

use crate::look::Section;
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;
use url::form_urlencoded;

/// Pages of a list that can be reached.
const MAX_PAGES: usize = 10_000;

/// The value of a parameter.
pub(super) fn parameter<'a>(parameters: &'a [(String, String)], name: &str) -> Option<&'a str> {
    parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// The page that is asked for, from 1.
pub(super) fn page_number(parameters: &[(String, String)]) -> usize {
    let number = parameter(parameters, "page").and_then(|text| text.parse().ok());
    number.unwrap_or(1).clamp(1, MAX_PAGES)
}

/// By what a list is sorted: `size`, or downwards `-size`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Sorting {
    pub(super) by: String,
    pub(super) descending: bool,
}

impl Sorting {
    /// What is not among the known ones is the first of them.
    pub(super) fn read(parameters: &[(String, String)], known: &[&str]) -> Sorting {
        let text = parameter(parameters, "sort").unwrap_or_default();
        let (descending, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text),
        };
        match known.iter().find(|it| **it == name) {
            Some(by) => Sorting { by: (*by).to_owned(), descending },
            None => Sorting {
                by: known.first().copied().unwrap_or_default().to_owned(),
                descending: false,
            },
        }
    }

    /// The head of a column that sorts by it; numbers begin with the greatest.
    pub(super) fn head(&self, view: &View, by: &str, name: &str, is_number: bool) -> Markup {
        let is_here = self.by == by;
        let descending = if is_here { !self.descending } else { is_number };
        let value = if descending { format!("-{by}") } else { by.to_owned() };
        let address = address_with(view, &[("sort", Some(&value)), ("page", None)]);
        let direction = match (is_here, self.descending) {
            (false, _) => None,
            (true, false) => Some("ascending"),
            (true, true) => Some("descending"),
        };
        html! {
            th .right[is_number] aria-sort=[direction] {
                a .sort href=(address) { (name) @if let Some(direction) = direction { span .arrow aria-hidden="true" { (if direction == "ascending" { "↑" } else { "↓" }) } } }
            }
        }
    }
}

/// The address of this page with some parameters changed.
pub(super) fn address_with(view: &View, changes: &[(&str, Option<&str>)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (key, old) in form_urlencoded::parse(view.query.as_bytes()) {
        if changes.iter().all(|(name, _)| *name != key) {
            query.append_pair(&key, &old);
        }
    }
    for (name, value) in changes {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    match query.finish() {
        query if query.is_empty() => view.path.clone(),
        query => format!("{}?{query}", view.path),
    }
}

/// An address on this site with parameters.
pub(super) fn address(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in parameters {
        query.append_pair(name, value);
    }
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// The harvests there are, each with its page in a section.
#[derive(Debug, Serialize)]
struct Choice {
    #[serde(skip)]
    section: Section,
    harvests: Vec<Chosen>,
}

#[derive(Debug, Serialize)]
struct Chosen {
    name: String,
    title: String,
    page: String,
}

/// Sections that show one harvest at a time.
pub(crate) async fn choose(State(site): State<Arc<Site>>, view: View) -> Result<Response, Problem> {
    let section = match view.path.as_str() {
        "/browse" => Section::Browse,
        "/organisation" => Section::Organisation,
        "/statistics" => Section::Statistics,
        "/review" | "/rules" => Section::Monitor,
        "/databases" => Section::Databases,
        "/sql" => Section::Sql,
        "/bench" => Section::Bench,
        _ => Section::None,
    };
    let page = |name: &str| format!("{}/{name}", view.path);
    let is_shown = |harvest: &&Arc<Harvest>| section != Section::Sql || harvest.takes_sql();
    let shown: Vec<&Arc<Harvest>> = site.harvests.iter().filter(is_shown).collect();
    if let [only] = shown.as_slice() {
        let query = if view.query.is_empty() { String::new() } else { format!("?{}", view.query) };
        return Ok(Redirect::temporary(&format!("{}{query}", page(&only.name))).into_response());
    }
    let harvests = shown.into_iter().map(|harvest| Chosen {
        name: harvest.name.clone(),
        title: harvest.title.clone(),
        page: page(&harvest.name),
    });
    Ok(view.answer(&Choice { section, harvests: harvests.collect() }))
}

impl Page for Choice {
    fn section(&self) -> Section {
        self.section
    }

    fn title(&self, view: &View) -> String {
        view.say("Which harvest?", "Welche Ernte?").to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (self.title(view)) }
            ul .cards { @for harvest in &self.harvests { li .sheet { h3 { a href=(harvest.page) { (harvest.title) } } } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        let read = |text: &str| {
            let sorting = Sorting::read(&[("sort".to_owned(), text.to_owned())], &["name", "size"]);
            (sorting.by, sorting.descending)
        };
        #[rustfmt::skip]
        let cases = [
            ("size", ("size", false)), ("-size", ("size", true)), ("", ("name", false)),
            ("-x'; --", ("name", false)), ("--size", ("name", false)),
        ];
        for (text, (by, descending)) in cases {
            assert_eq!(read(text), (by.to_owned(), descending), "{text}");
        }
        let pages = |text: &str| page_number(&[("page".to_owned(), text.to_owned())]);
        assert_eq!(["0", "7", "x", "99999999"].map(pages), [1, 7, 1, MAX_PAGES]);
    }
}
