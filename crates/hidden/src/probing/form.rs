//! Asking a form that nobody described, where whoever runs the harvest allows it.
//!
//! Only forms that send by GET are asked, and none with passwords, files or captchas. First comes a word that nothing
//! can contain: what its answer shows is not a row. Then, if something can be written, words that promise
//! most, or beginnings if the form knows a sign for any ending. A form of lists alone is asked
//! for a few choices of each; the list whose answers differ is asked for all.

use super::prefixes::PrefixDrilling;
use super::rows::{AnswerRow, answer_rows};
use super::searched_cells::SearchedCells;
use super::words::WordProbing;
use super::{Informativeness, is_informative};
use crate::forms::{ControlKind, Form, forms};
use crate::gathering::{Collected, DatabaseSummary, Navigator, TruncationWatch};
use crate::metadata::Navigation;
use crate::planning::general_fields_of;
use auslese_markup::Page;
use auslese_model::{Method, Problem, Request};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use url::Url;

/// Queries with which a database is probed, unless another number is given.
pub const DEFAULT_PROBING_BUDGET: u64 = 300;

/// Choices of a list that are asked to find out whether it tells anything.
const SAMPLED_CHOICES: usize = 8;

/// Lists of which a choice is tried to find rows at all.
const OPENING_CHOICES: usize = 3;

/// A word that no row contains; forms answer it as they answer everything that is not there.
const NOBODYS_WORD: &str = "qxzjvwkyqx";

/// What beginnings are made of.
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz0123456789äöüß";

/// Failures in a row after which a database is left alone.
const MAX_FAILURES: u32 = 5;

/// The attribute that rows become in the summary.
pub const PROBED_ATTRIBUTE: &str = "result";

/// How a form is probed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbingSettings {
    pub queries: u64,
    /// The sign for any ending, such as `%` or `*`, if the form knows one.
    pub any_ending: Option<String>,
}

impl Default for ProbingSettings {
    fn default() -> ProbingSettings {
        ProbingSettings { queries: DEFAULT_PROBING_BUDGET, any_ending: None }
    }
}

/// The state of probing one form.
#[derive(Debug)]
pub struct FormProbing {
    page: Url,
    form: Form,
    settings: ProbingSettings,
    stage: Stage,
    waiting: VecDeque<Url>,
    /// Rows of the answer under way, page by page.
    gathered: Vec<AnswerRow>,
    no_rows: FxHashSet<String>,
    navigator: Navigator,
    truncation: TruncationWatch,
    collected: Collected,
    queries: u64,
    empty: u64,
    pages: u64,
    failed: u64,
    failures_in_a_row: u32,
    stopped: Option<String>,
    problems: Vec<Problem>,
    coverage: Option<f64>,
    about: Vec<(String, String)>,
    requests: Vec<Option<Url>>,
}

#[derive(Debug)]
enum Stage {
    /// The word that nothing contains comes first.
    Nothing {
        field: String,
        words: WordProbing,
    },
    Words {
        field: String,
        words: WordProbing,
        asked: String,
        searched: SearchedCells,
    },
    /// A choice of a list, with nothing written, may show rows whose words can be asked for.
    Opening {
        field: String,
        words: WordProbing,
        choices: VecDeque<(String, String)>,
    },
    /// `whole` are beginnings whose answers did not seem to be cut, by the number of their query.
    Beginnings {
        field: String,
        ending: String,
        drilling: Box<PrefixDrilling>,
        asked: String,
        whole: Vec<(u64, String)>,
    },
    Sampling {
        lists: Vec<ListToSample>,
        at: usize,
    },
    Choices {
        name: String,
        values: VecDeque<String>,
    },
    Ended,
}

#[derive(Debug)]
struct ListToSample {
    name: String,
    values: Vec<String>,
    answers: Vec<Vec<String>>,
}

impl FormProbing {
    /// Takes the first form of a page that may be probed, or says why there is none.
    pub fn new(page: &Page, url: &Url, settings: ProbingSettings) -> Result<FormProbing, Problem> {
        let mut candidates = forms(page, url);
        candidates.retain(|form| {
            form.method == Method::Get && form.refusal().is_none() && form.asks_something()
        });
        if candidates.is_empty() {
            let message =
                "the page has no form that may be probed: by GET, without passwords, files \
                           and captchas"
                    .to_owned();
            return Err(Problem::error("E_NO_FORM", url.as_str(), message));
        }
        let form = candidates.swap_remove(0);
        let first = [page.title().unwrap_or_default(), page.text()];
        let Some(stage) = Stage::begin(&form, &first, settings.queries) else {
            let message = "nothing in the form can be written or chosen".to_owned();
            return Err(Problem::error("E_NO_FORM", url.as_str(), message));
        };
        Ok(FormProbing {
            page: url.clone(),
            form,
            settings,
            stage,
            waiting: VecDeque::new(),
            gathered: Vec::new(),
            no_rows: FxHashSet::default(),
            navigator: Navigator::new(&Navigation::Guessed, url),
            truncation: TruncationWatch::default(),
            collected: Collected::default(),
            queries: 0,
            empty: 0,
            pages: 0,
            failed: 0,
            failures_in_a_row: 0,
            stopped: None,
            problems: Vec::new(),
            coverage: None,
            about: crate::planning::about(page),
            requests: Vec::new(),
        })
    }

    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Queries sent, of which so many brought nothing, and different rows seen.
    pub fn progress(&self) -> (u64, u64, u64) {
        (self.queries, self.empty, self.collected.count(PROBED_ATTRIBUTE))
    }

    /// The next request; none if it is over.
    #[allow(
        clippy::should_implement_trait,
        reason = "what comes next depends on what was answered"
    )]
    pub fn next(&mut self) -> Option<Request> {
        if self.stopped.is_some() {
            return None;
        }
        if let Some(url) = self.waiting.pop_front() {
            return Request::new(Method::Get, url, None);
        }
        let (name, value) = self.question()?;
        self.queries += 1;
        let request = self.request(&name, &value)?;
        self.requests.push(Some(request.url.clone()));
        self.navigator.begin(&request.url);
        self.gathered.clear();
        Some(request)
    }

    /// The name of a control and what it is to say next.
    fn question(&mut self) -> Option<(String, String)> {
        if self.queries >= self.settings.queries {
            return None;
        }
        loop {
            match &mut self.stage {
                Stage::Ended => return None,
                Stage::Nothing { field, .. } => {
                    return Some((field.clone(), NOBODYS_WORD.to_owned()));
                }
                Stage::Opening { choices, .. } => match choices.pop_front() {
                    Some(question) => return Some(question),
                    None => self.begin_with_words(),
                },
                Stage::Words { field, words, asked, .. } => {
                    if let Some(word) = words.next_word() {
                        asked.clone_from(&word);
                        return Some((field.clone(), word));
                    }
                    self.coverage = words.coverage().estimate();
                    self.stage = Stage::Ended;
                }
                Stage::Beginnings { field, ending, drilling, asked, whole } => {
                    if let Some(beginning) = drilling.next_prefix() {
                        *asked = beginning;
                        return Some((field.clone(), format!("{asked}{ending}")));
                    }
                    // Where answers are cut is known only after some of them.
                    let cut = whole.iter().position(|(query, _)| self.truncation.is_cut(*query));
                    let (_, beginning) = whole.swap_remove(cut?);
                    drilling.was_cut(&beginning);
                }
                Stage::Sampling { lists, at } => {
                    let list = &lists[*at % lists.len()];
                    let sampled = list.answers.len();
                    if let Some(value) =
                        list.values.get(sampled).filter(|_| sampled < SAMPLED_CHOICES)
                    {
                        return Some((list.name.clone(), value.clone()));
                    }
                    if *at + 1 < lists.len() {
                        *at += 1;
                        continue;
                    }
                    self.stage = self.after_sampling();
                }
                Stage::Choices { name, values } => {
                    let value = values.pop_front()?;
                    return Some((name.clone(), value));
                }
            }
        }
    }

    /// The informative list with most choices is asked for all that were not asked yet.
    fn after_sampling(&mut self) -> Stage {
        let Stage::Sampling { lists, .. } = &self.stage else { return Stage::Ended };
        let mut best: Option<&ListToSample> = None;
        for list in lists {
            let judged = is_informative(&list.answers);
            if let Informativeness::Uninformative(share) = judged {
                let message = format!("{:.0} % of its answers differ", share * 100.0);
                self.problems.push(Problem::warning("W_UNINFORMATIVE", &list.name, message));
            }
            let informative = matches!(judged, Informativeness::Informative(_));
            if informative && best.is_none_or(|it| it.values.len() < list.values.len()) {
                best = Some(list);
            }
        }
        match best {
            Some(list) => Stage::Choices {
                name: list.name.clone(),
                values: list.values.iter().skip(list.answers.len()).cloned().collect(),
            },
            None => Stage::Ended,
        }
    }

    fn request(&self, name: &str, value: &str) -> Option<Request> {
        let mut fields = Vec::new();
        for control in &self.form.controls {
            match control.name == name {
                true => fields.push((name.to_owned(), value.to_owned())),
                false => fields.extend(general_fields_of(&self.form, control)),
            }
        }
        self.form.request(Method::Get, &self.form.action, &fields)
    }

    /// Takes an answer.
    pub fn answered(&mut self, url: &Url, status: u16, page: Option<&Page>) {
        let page = match page {
            Some(page) if status == 200 => page,
            Some(_) => return self.failed(&format!("status {status}")),
            None => return self.failed("the answer is no web page"),
        };
        self.failures_in_a_row = 0;
        self.pages += 1;
        let rows = answer_rows(page);
        if let Stage::Nothing { .. } = self.stage {
            self.no_rows.extend(rows.into_iter().map(|row| row.text));
            return self.open();
        }
        let rows: Vec<AnswerRow> =
            rows.into_iter().filter(|row| !self.no_rows.contains(&row.text)).collect();
        let query = self.queries.saturating_sub(1);
        rows.iter().for_each(|row| self.collected.add(PROBED_ATTRIBUTE, &row.text, Some(query)));
        let count = rows.len() as u64;
        self.gathered.extend(rows);
        self.waiting.extend(self.navigator.onward(page, url));
        self.truncation.note(query, count, !self.waiting.is_empty(), &page.text());
        if self.waiting.is_empty() {
            self.read_answer(query);
        }
    }

    /// What comes after the word that nothing contains: beginnings if the form knows them, else words. A choice of a list shows
    /// words that occur; without one the words of the page itself have to do.
    fn open(&mut self) {
        let Stage::Nothing { field, words } = std::mem::replace(&mut self.stage, Stage::Ended)
        else {
            return;
        };
        self.stage = match &self.settings.any_ending {
            Some(ending) => Stage::Beginnings {
                field,
                ending: ending.clone(),
                drilling: Box::new(PrefixDrilling::new(ALPHABET, self.settings.queries)),
                asked: String::new(),
                whole: Vec::new(),
            },
            None => Stage::Opening { field, words, choices: self.first_choices() },
        };
    }

    fn begin_with_words(&mut self) {
        if let Stage::Opening { field, words, .. } =
            std::mem::replace(&mut self.stage, Stage::Ended)
        {
            let (asked, searched) = (String::new(), SearchedCells::default());
            self.stage = Stage::Words { field, words, asked, searched };
        }
    }

    /// A choice of each list, for the first lists.
    fn first_choices(&self) -> VecDeque<(String, String)> {
        let lists = self.form.controls.iter().filter_map(|control| {
            let value = control.choices()?.iter().find(|choice| !choice.value.is_empty())?;
            Some((control.name.clone(), value.value.clone()))
        });
        lists.take(OPENING_CHOICES).collect()
    }

    /// All pages of an answer are there.
    fn read_answer(&mut self, query: u64) {
        let rows = std::mem::take(&mut self.gathered);
        self.empty += u64::from(rows.is_empty());
        let is_cut = self.truncation.is_cut(query);
        match &mut self.stage {
            Stage::Words { words, asked, searched, .. } => {
                searched.learn(asked, &rows);
                let parts = searched.parts(&rows);
                let rows = rows.iter().zip(&parts);
                words.answered_partly(rows.map(|(row, part)| (row.text.as_str(), part.as_str())));
            }
            Stage::Beginnings { drilling, asked, whole, .. } => {
                if !is_cut && !rows.is_empty() {
                    whole.push((query, asked.clone()));
                }
                let fitting = rows.iter().map(|row| {
                    let fits = |cell: &&String| cell.to_lowercase().starts_with(asked.as_str());
                    let cell = row.cells.iter().find(fits).unwrap_or(&row.cells[0]);
                    (row.text.as_str(), cell.as_str())
                });
                drilling.answered(asked, fitting, is_cut);
            }
            Stage::Sampling { lists, at } => {
                let rows = rows.into_iter().map(|row| row.text).collect();
                if let Some(list) = lists.get_mut(*at) {
                    list.answers.push(rows);
                }
            }
            Stage::Nothing { .. } => self.open(),
            Stage::Opening { words, choices, .. } if !rows.is_empty() => {
                // One list is enough.
                choices.clear();
                let parts = SearchedCells::default().parts(&rows);
                let rows = rows.iter().zip(&parts);
                words.answered_partly(rows.map(|(row, part)| (row.text.as_str(), part.as_str())));
            }
            Stage::Opening { .. } => {}
            Stage::Choices { .. } | Stage::Ended => {}
        }
    }

    /// Takes notice of a request that failed. The question counts as asked.
    pub fn failed(&mut self, cause: &str) {
        self.failed += 1;
        self.failures_in_a_row += 1;
        if self.failures_in_a_row >= MAX_FAILURES {
            self.stop(format!("{MAX_FAILURES} requests in a row failed, the last: {cause}"));
        }
        if self.waiting.is_empty() {
            self.read_answer(self.queries.saturating_sub(1));
        }
    }

    pub fn stop(&mut self, reason: String) {
        self.stopped.get_or_insert(reason);
    }

    /// The address of a query, by its number.
    pub fn query_address(&self, query: u64) -> Option<Url> {
        self.requests.get(usize::try_from(query).ok()?)?.clone()
    }

    /// Which share of the rows was seen, as far as that can be told.
    pub fn coverage(&self) -> Option<f64> {
        match &self.stage {
            Stage::Words { words, .. } => words.coverage().estimate(),
            _ => self.coverage,
        }
    }

    pub fn finish(mut self) -> DatabaseSummary {
        let truncated = self.truncation.verdict();
        if let Some(rows) = truncated {
            let message = format!("answers seem to be cut at {rows} rows");
            self.problems.push(Problem::warning("W_TRUNCATED", self.page.as_str(), message));
        }
        DatabaseSummary {
            url: self.page,
            about: self.about,
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

impl Stage {
    /// Words if something can be written, else lists.
    fn begin(form: &Form, first: &[String], budget: u64) -> Option<Stage> {
        let text = form.controls.iter().find(|it| matches!(it.kind, ControlKind::Text { .. }));
        if let Some(control) = text {
            let words = WordProbing::new(first, budget);
            return Some(Stage::Nothing { field: control.name.clone(), words });
        }
        let lists: Vec<ListToSample> = form
            .controls
            .iter()
            .filter_map(|control| {
                let choices = control.choices()?;
                let values: Vec<String> =
                    choices.iter().map(|it| it.value.clone()).filter(|it| !it.is_empty()).collect();
                let name = control.name.clone();
                (values.len() > 1).then_some(ListToSample { name, values, answers: Vec::new() })
            })
            .collect();
        (!lists.is_empty()).then_some(Stage::Sampling { lists, at: 0 })
    }
}
