//! Which requests bring the content of a database to light, before any is sent.
//!
//! Essential elements take each value of their domain: the values that the metadata list, those of a finite
//! expression, or those of the form. Several elements make the product of their domains, the last changing
//! fastest; how large it is is known before it is made. Other elements take their most general value or are
//! left out, because a default that is chosen from the start would silently narrow every answer. Hidden fields
//! and the first submit button are always sent.

mod choosing;
mod domains;
mod general;

use crate::forms::{Form, forms};
use crate::metadata::DbMetadata;
use auslese_markup::Page;
use auslese_model::{Method, Problem, Request};
use choosing::choose_form;
use general::fixed_fields;
pub(crate) use general::general_fields_of;
use url::Url;

/// Requests for one database.
pub const DEFAULT_QUERY_BUDGET: u64 = 2_000;

/// How a database is to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanSettings {
    /// Most queries; pages that follow an answer are not counted.
    pub budget: u64,
    /// Ask the first queries if there are more than the budget allows, instead of none.
    pub truncate: bool,
    /// Send what a browser would send for elements that are not essential.
    pub browser_defaults: bool,
}

impl Default for PlanSettings {
    fn default() -> PlanSettings {
        PlanSettings { budget: DEFAULT_QUERY_BUDGET, truncate: false, browser_defaults: false }
    }
}

/// An essential element and the values that are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedElement {
    pub name: String,
    /// What people call it.
    pub label: Option<String>,
    /// What is sent; none means that a box is not ticked.
    pub values: Vec<Option<String>>,
    pub origin: DomainOrigin,
}

/// Where the values of an element come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainOrigin {
    /// Listed in the metadata.
    Listed,
    /// Written out from a finite expression.
    Expression,
    /// In the form.
    Form,
}

/// A plan to ask a database.
#[derive(Debug, Clone)]
pub struct QueryPlan {
    /// The page with the form.
    pub page: Url,
    pub form: Form,
    /// Where requests go; the form's action unless the metadata name another.
    pub action: Url,
    pub method: Method,
    /// What the page says about itself, by the names of SOIF: title, description, keywords, author.
    pub about: Vec<(String, String)>,
    pub elements: Vec<PlannedElement>,
    fields: Vec<PlannedField>,
    /// How many queries there are in all.
    pub size: u64,
    /// How many of them are to be sent.
    pub queries: u64,
    pub problems: Vec<Problem>,
}

/// A field of every query, in the order of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlannedField {
    Fixed(String, String),
    /// The element of that number.
    Element(usize),
}

/// A query: what is asked for, and the request that asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The essential elements and their values.
    pub values: Vec<(String, Option<String>)>,
    pub request: Request,
}

/// Plans the queries for the database behind the form of a page, or says why there can be none.
pub fn plan(
    page: &Page,
    url: &Url,
    metadata: &DbMetadata,
    settings: PlanSettings,
) -> Result<QueryPlan, Vec<Problem>> {
    let mut problems = metadata.problems.clone();
    let form = match choose_form(forms(page, url), &metadata.elements, url) {
        Ok(form) => form,
        Err(problem) => {
            problems.push(problem);
            return Err(problems);
        }
    };
    let (action, method) = match target(page, url, metadata, &form) {
        Ok(target) => target,
        Err(problem) => {
            problems.push(problem);
            return Err(problems);
        }
    };
    if metadata.elements.is_empty() && metadata.rules().next().is_some() {
        let message = "the metadata name no element to ask for".to_owned();
        problems.push(Problem::error("E_NO_QUERY_ELEMENT", url.as_str(), message));
        return Err(problems);
    }
    let (elements, size) = match domains::planned(
        &form,
        metadata,
        settings.budget,
        settings.truncate,
        &mut problems,
    ) {
        Some(planned) => planned,
        None => return Err(problems),
    };
    let queries = match size {
        _ if elements.is_empty() => 0,
        size if size > settings.budget && !settings.truncate => {
            let budget = settings.budget;
            let message = format!("{size} queries, and {budget} are allowed");
            problems.push(Problem::error("E_PRODUCT_TOO_BIG", url.as_str(), message));
            return Err(problems);
        }
        size => size.min(settings.budget),
    };
    let fields = fixed_fields(&form, &elements, settings.browser_defaults, &mut problems);
    let (about, page) = (about(page), url.clone());
    Ok(QueryPlan { page, form, action, method, about, elements, fields, size, queries, problems })
}

/// What a page says about itself.
pub(crate) fn about(page: &Page) -> Vec<(String, String)> {
    let mut about: Vec<(String, String)> = Vec::new();
    about.extend(page.title().map(|title| ("Title".to_owned(), title)));
    for name in ["Description", "Keywords", "Author"] {
        let named = page.tree().elements_named("meta").find(|(_, meta)| {
            meta.attribute("name").is_some_and(|it| it.trim().eq_ignore_ascii_case(name))
        });
        let content = named.and_then(|(_, meta)| meta.attribute("content")).map(str::trim);
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            about.push((name.to_owned(), content.to_owned()));
        }
    }
    about
}

/// Methods with which a query must not be sent, whatever is said: they may change something.
const OTHER_METHODS: [&str; 7] = ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"];

/// Where queries go, and how.
fn target(
    page: &Page,
    url: &Url,
    metadata: &DbMetadata,
    form: &Form,
) -> Result<(Url, Method), Problem> {
    let Some((script, method)) = &metadata.query_script else {
        return Ok((form.action.clone(), form.method));
    };
    if let Some((_, word)) = script.rsplit_once(',')
        && OTHER_METHODS.iter().any(|method| method.eq_ignore_ascii_case(word.trim()))
    {
        let message = format!("queries are sent by GET or POST, not by {}", word.trim());
        return Err(Problem::error("E_QUERY_SCRIPT", "QueryScript", message));
    }
    let action = page.resolve(url, script).filter(|it| matches!(it.scheme(), "http" | "https"));
    match action {
        Some(action) => Ok((action, method.unwrap_or(form.method))),
        None => {
            let message = format!("{script} is no address of the web");
            Err(Problem::error("E_QUERY_SCRIPT", "QueryScript", message))
        }
    }
}

impl QueryPlan {
    /// All queries that are to be sent, in their order.
    pub fn queries(&self) -> impl Iterator<Item = Query> {
        (0..self.queries).filter_map(|number| self.query(number))
    }

    /// The query of a number, from 0.
    pub fn query(&self, number: u64) -> Option<Query> {
        if number >= self.queries {
            return None;
        }
        let chosen = self.combination(number);
        let mut fields = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            match field {
                PlannedField::Fixed(name, value) => fields.push((name.clone(), value.clone())),
                PlannedField::Element(at) => {
                    if let Some(value) = chosen[*at] {
                        fields.push((self.elements[*at].name.clone(), value.clone()));
                    }
                }
            }
        }
        let values = self.elements.iter().zip(&chosen);
        Some(Query {
            values: values.map(|(element, value)| (element.name.clone(), value.cloned())).collect(),
            request: self.form.request(self.method, &self.action, &fields)?,
        })
    }

    /// The values of a number; the last element changes fastest.
    fn combination(&self, mut number: u64) -> Vec<Option<&String>> {
        let mut chosen = Vec::with_capacity(self.elements.len());
        for element in self.elements.iter().rev() {
            let count = element.values.len().max(1) as u64;
            let at = usize::try_from(number % count).unwrap_or(0);
            chosen.push(element.values.get(at).and_then(Option::as_ref));
            number /= count;
        }
        chosen.reverse();
        chosen
    }

    /// Names and choices that people see in the form; they are indexed without any request. Texts beside radio
    /// buttons and boxes count only if the page says that they belong to them.
    pub fn visible_domains(&self) -> Vec<(String, Vec<String>)> {
        let mut domains = Vec::new();
        for control in &self.form.controls {
            let Some(choices) = control.choices() else { continue };
            let sure = choices.iter().filter(|choice| !choice.value.is_empty());
            let sure = sure.filter_map(|choice| choice.label.as_ref().filter(|label| label.sure));
            let texts: Vec<String> = sure.map(|label| label.text.clone()).collect();
            if !texts.is_empty() {
                domains.push((control.name.clone(), texts));
            }
        }
        domains
    }
}
