//! Asking a database: which request comes next, and what each answer says.
//!
//! A [`Gathering`] is driven from outside, one request at a time: [`Gathering::next`] says what to send, and
//! [`Gathering::answered`] or [`Gathering::failed`] takes what became of it. It never sends anything itself, so
//! politeness, robots.txt and the archive are those of whoever drives it. The same answers always lead to the same requests:
//! after an interruption, handing in archived answers again brings it back to where it was.

mod navigator;
mod summary;
mod truncation;

pub use navigator::MAX_PAGES_PER_QUERY;
pub(crate) use navigator::Navigator;
pub(crate) use summary::Collected;
pub use summary::{
    DatabaseSummary, MAX_FRAGMENT_BYTES, MAX_SUMMARY_VALUE, MAX_SUMMARY_VALUES, SummaryAttribute,
};
pub(crate) use truncation::TruncationWatch;

use crate::forms::{Form, forms};
use crate::hel::{HelBudget, HelPage, Nsl};
use crate::metadata::{DbMetadata, ResultSource};
use crate::planning::QueryPlan;
use auslese_markup::Page;
use auslese_model::{Problem, Request};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use url::Url;

/// Failures in a row after which a database is left alone.
pub const MAX_FAILURES_IN_A_ROW: u32 = 5;

/// Answers in a row that ask something back, after which a database is left alone.
pub const MAX_QUESTIONS_BACK: u32 = 3;

/// A request to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The number of the query in the plan.
    pub query: u64,
    /// The number of the page of its answer, from 0.
    pub page: u32,
    pub request: Request,
}

/// What came back.
#[derive(Debug, Clone, Copy)]
pub struct DatabaseAnswer<'a> {
    /// The address it came from, after redirects.
    pub url: &'a Url,
    pub status: u16,
    /// The page, if it is one.
    pub page: Option<&'a Page>,
}

/// The state of asking one database.
#[derive(Debug)]
pub struct Gathering {
    plan: QueryPlan,
    metadata: DbMetadata,
    next_query: u64,
    /// Further pages of the query under way.
    waiting: VecDeque<Ask>,
    navigator: Navigator,
    truncation: TruncationWatch,
    collected: Collected,
    /// Attributes that had a value on some page.
    live: FxHashSet<String>,
    queries: u64,
    pages: u64,
    failed: u64,
    failures_in_a_row: u32,
    questions_back: u32,
    /// The query whose page in between was passed last.
    stepped: Option<u64>,
    stopped: Option<String>,
    problems: Vec<Problem>,
}

impl Gathering {
    pub fn new(plan: QueryPlan, metadata: DbMetadata) -> Gathering {
        let navigator = Navigator::new(&metadata.navigation, &plan.page);
        let mut collected = Collected::default();
        for (name, texts) in plan.visible_domains() {
            texts.iter().for_each(|text| collected.add(&name, text, None));
        }
        for result in &metadata.results {
            collected.declare(&result.name);
            if let ResultSource::List(values) = &result.source {
                values.iter().for_each(|value| collected.add(&result.name, value, None));
            }
        }
        Gathering {
            problems: plan.problems.clone(),
            plan,
            metadata,
            next_query: 0,
            waiting: VecDeque::new(),
            navigator,
            truncation: TruncationWatch::default(),
            collected,
            live: FxHashSet::default(),
            queries: 0,
            pages: 0,
            failed: 0,
            failures_in_a_row: 0,
            questions_back: 0,
            stepped: None,
            stopped: None,
        }
    }

    pub fn plan(&self) -> &QueryPlan {
        &self.plan
    }

    /// Queries begun, and those planned.
    pub fn progress(&self) -> (u64, u64) {
        (self.next_query, self.plan.queries)
    }

    /// The next request; none if all is asked, or the database is to be left alone.
    #[allow(
        clippy::should_implement_trait,
        reason = "what comes next depends on what was answered"
    )]
    pub fn next(&mut self) -> Option<Ask> {
        if self.stopped.is_some() {
            return None;
        }
        if let Some(ask) = self.waiting.pop_front() {
            return Some(ask);
        }
        let query = self.plan.query(self.next_query)?;
        self.navigator.begin(&query.request.url);
        let ask = Ask { query: self.next_query, page: 0, request: query.request };
        self.next_query += 1;
        Some(ask)
    }

    /// Takes an answer. One that is no page, or says that something went wrong, counts as failed.
    pub fn answered(&mut self, ask: &Ask, answer: DatabaseAnswer<'_>) {
        let page = match answer.page {
            Some(page) if answer.status == 200 => page,
            Some(_) => return self.failed(ask, &format!("status {}", answer.status)),
            None => return self.failed(ask, "the answer is no web page"),
        };
        self.failures_in_a_row = 0;
        self.pages += 1;
        self.queries += u64::from(ask.page == 0 && self.stepped != Some(ask.query));
        let rows = self.read(page, ask.query);
        if rows.is_none()
            && let Some(request) = self.step(page, answer.url, ask.query)
        {
            // Once for each query: a page behind it that says nothing either is an answer.
            self.stepped = Some(ask.query);
            self.waiting.push_front(Ask { query: ask.query, page: ask.page, request });
            return;
        }
        self.watch_for_questions(page, answer.url, rows.is_none());
        let links = self.navigator.onward(page, answer.url);
        for link in &links {
            if let Some(request) = Request::new(auslese_model::Method::Get, link.clone(), None) {
                let page = self.navigator.pages_known();
                self.waiting.push_back(Ask { query: ask.query, page, request });
            }
        }
        self.truncation.note(ask.query, rows.unwrap_or(0), !self.waiting.is_empty(), &page.text());
    }

    /// Takes notice of a request that failed.
    pub fn failed(&mut self, ask: &Ask, cause: &str) {
        self.failed += 1;
        self.failures_in_a_row += 1;
        if self.failures_in_a_row >= MAX_FAILURES_IN_A_ROW {
            let url = &ask.request.url;
            self.stop(format!(
                "{MAX_FAILURES_IN_A_ROW} requests in a row failed, the last at {url}: {cause}"
            ));
        }
    }

    /// Leaves the database alone, for a reason of the driver's.
    pub fn stop(&mut self, reason: String) {
        self.stopped.get_or_insert(reason);
    }

    /// Collects what the rules find; the number of rows, if they find anything.
    fn read(&mut self, page: &Page, query: u64) -> Option<u64> {
        let view = HelPage::new(page);
        let mut rows: Option<u64> = None;
        for (name, rule) in self.metadata.rules() {
            let value = match rule.evaluate(&view, &mut HelBudget::default()) {
                Ok(value) => value,
                Err(error) => {
                    let problem = Problem::error(error.code.as_str(), name, error.message);
                    if !self.problems.contains(&problem) {
                        self.problems.push(problem);
                    }
                    continue;
                }
            };
            let values = value.index_values();
            if values.is_empty() {
                continue;
            }
            self.live.insert(name.to_owned());
            values.iter().for_each(|value| self.collected.add(name, value, Some(query)));
            rows = rows.max(Some(row_count(&value)));
        }
        rows
    }

    /// The address behind a page between query and answer, as the metadata describe it.
    fn step(&self, page: &Page, url: &Url, query: u64) -> Option<Request> {
        let rule = self.metadata.step.as_ref().filter(|_| self.stepped != Some(query))?;
        let value = rule.evaluate(&HelPage::new(page), &mut HelBudget::default()).ok()?;
        let href = value.index_values().into_iter().next()?;
        Request::new(auslese_model::Method::Get, page.resolve(url, href)?, None)
    }

    /// An answer with a form and without values asks something back, which nobody can answer here.
    fn watch_for_questions(&mut self, page: &Page, url: &Url, is_empty: bool) {
        let asks_back = is_empty
            && self.metadata.rules().next().is_some()
            && forms(page, url).iter().any(wants_something);
        if !asks_back {
            self.questions_back = 0;
            return;
        }
        self.questions_back += 1;
        let subject = self.plan.action.as_str();
        if !self.problems.iter().any(|problem| problem.code == "W_INTERACTION") {
            let message = format!("an answer has a form and no values: {url}");
            self.problems.push(Problem::warning("W_INTERACTION", subject, message));
        }
        if self.questions_back >= MAX_QUESTIONS_BACK && self.live.is_empty() {
            self.stop(format!("{MAX_QUESTIONS_BACK} answers in a row ask something back"));
        }
    }

    /// What was found, and what is to be said about it.
    pub fn finish(mut self) -> DatabaseSummary {
        for (name, _) in self.metadata.rules().filter(|_| self.pages > 0) {
            if !self.live.contains(name) {
                let message = format!("the rule found nothing on {} pages", self.pages);
                self.problems.push(Problem::warning("W_RULE_DEAD", name, message));
            }
        }
        let truncated = self.truncation.verdict();
        if let Some(rows) = truncated {
            let message = format!("answers seem to be cut at {rows} rows");
            self.problems.push(Problem::warning("W_TRUNCATED", self.plan.page.as_str(), message));
        }
        DatabaseSummary {
            url: self.plan.page.clone(),
            about: self.plan.about.clone(),
            attributes: self.collected.finish(),
            queries: self.queries,
            pages: self.pages,
            failed: self.failed,
            truncated,
            truncated_queries: self.truncation.cut_queries(),
            stopped: self.stopped,
            problems: self.problems,
        }
    }
}

/// Whether people could say something in a form, if only yes.
fn wants_something(form: &Form) -> bool {
    use crate::forms::ControlKind::{Checkbox, Radio, Select, Text};
    let open = |kind: &crate::forms::ControlKind| {
        matches!(kind, Text { .. } | Select { .. } | Radio { .. } | Checkbox { .. })
    };
    form.controls.iter().any(|control| open(&control.kind))
}

/// A list has as many rows as entries; anything else is one.
fn row_count(value: &Nsl) -> u64 {
    match value {
        Nsl::List(members) => members.len() as u64,
        _ => 1,
    }
}
