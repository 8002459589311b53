//! A talk with a form: its page, the configuration file that page may name, then the queries of the plan; or
//! probing, where nobody described the form and it is allowed for its host.

use super::findings::Findings;
use super::talk::{Answer, Heard, Turn};
use auslese_hidden::{
    Ask, DatabaseAnswer, DbEntry, DbMetadata, DomainOrigin, FormProbing, Gathering, Navigation,
    PlanSettings, ProbingSettings, Problem, QueryPlan, ResultSource, config_entries, page_entries,
    plan,
};
use auslese_markup::{Page, parse};
use auslese_model::{Method, Request};
use serde_json::{Value, json};
use url::Url;

/// Values of an element that are shown of a plan.
const SHOWN_VALUES: usize = 10;

/// What may be done with a form.
#[derive(Debug, Clone)]
pub(crate) struct FormSettings {
    pub(crate) plan: PlanSettings,
    /// Set where a form may be asked although nobody described it.
    pub(crate) probing: Option<ProbingSettings>,
}

#[derive(Debug)]
pub(crate) struct FormTalk {
    page: Url,
    settings: FormSettings,
    stage: Stage,
    plan: Option<(Value, u64)>,
    /// What was doubtful before there was a plan.
    noticed: Vec<Problem>,
    findings: Findings,
}

#[derive(Debug)]
enum Stage {
    Page,
    Config { page: Box<Page>, url: Url },
    Gathering { gathering: Box<Gathering>, ask: Option<Ask> },
    Probing(Box<FormProbing>),
    Over,
}

impl FormTalk {
    pub(crate) fn new(page: Url, settings: FormSettings) -> FormTalk {
        FormTalk {
            page,
            settings,
            stage: Stage::Page,
            plan: None,
            noticed: Vec::new(),
            findings: Findings::default(),
        }
    }

    pub(super) fn next(&mut self) -> Option<Turn> {
        match &mut self.stage {
            Stage::Page => Turn::page(&self.page),
            Stage::Config { url, .. } => {
                Request::new(Method::Get, url.clone(), None).map(Turn::new)
            }
            Stage::Gathering { gathering, ask } => {
                *ask = gathering.next();
                ask.as_ref().map(|ask| Turn::new(ask.request.clone()))
            }
            Stage::Probing(probing) => probing.next().map(Turn::new),
            Stage::Over => None,
        }
    }

    pub(super) fn hear(&mut self, heard: Heard) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Page => match self.open(heard) {
                Some(answer) => self.read_page(&answer),
                None => Stage::Over,
            },
            Stage::Config { page, .. } => match self.open(heard) {
                Some(answer) => self.read_config(&page, &answer),
                None => Stage::Over,
            },
            Stage::Gathering { mut gathering, ask } => {
                if let Some(ask) = ask {
                    tell_gathering(&mut gathering, &ask, heard);
                }
                Stage::Gathering { gathering, ask: None }
            }
            Stage::Probing(mut probing) => {
                match heard {
                    Heard::Nothing(cause) => probing.failed(&cause),
                    Heard::Answer(answer) => {
                        let page = answer
                            .is_page()
                            .then(|| parse(&answer.bytes, answer.charset.as_deref()));
                        probing.answered(&answer.url, answer.status, page.as_ref());
                    }
                }
                Stage::Probing(probing)
            }
            Stage::Over => {
                // Only if the program failed on what came before.
                if let Heard::Nothing(cause) = heard {
                    self.findings.stop(&cause);
                }
                Stage::Over
            }
        };
    }

    fn open(&mut self, heard: Heard) -> Option<Answer> {
        match heard {
            Heard::Answer(answer) => self.findings.is_open(&answer).then_some(answer),
            Heard::Nothing(cause) => {
                self.findings.failed += 1;
                self.findings.stop(&cause);
                None
            }
        }
    }

    fn read_page(&mut self, answer: &Answer) -> Stage {
        self.page = answer.url.clone();
        let page = parse(&answer.bytes, answer.charset.as_deref());
        let entries = page_entries(&page);
        if entries.is_empty() {
            return self.probe(&page);
        }
        let metadata = DbMetadata::of_entries(&entries, &[]);
        let Some(file) = &metadata.config_file else {
            return self.begin(&page, &entries, &[]);
        };
        let url = page.resolve(&self.page, file);
        match url.filter(|url| url.host() == self.page.host()) {
            Some(url) => Stage::Config { page: Box::new(page), url },
            None => {
                let message = format!("{file} lies on another host");
                self.findings.problems.push(Problem::new("E_CONFIG_HOST", "ConfigFile", message));
                self.findings.stop("the configuration file lies on another host");
                Stage::Over
            }
        }
    }

    fn read_config(&mut self, page: &Page, answer: &Answer) -> Stage {
        let config = config_entries(&answer.bytes);
        if config.is_empty() {
            let message = "the configuration file has no metadata".to_owned();
            let problem = Problem::new("W_CONFIG_EMPTY", answer.url.as_str(), message);
            self.noticed.push(problem);
        }
        self.begin(page, &page_entries(page), &config)
    }

    /// The provider has said what may be asked.
    fn begin(&mut self, page: &Page, entries: &[DbEntry], config: &[DbEntry]) -> Stage {
        let metadata = DbMetadata::of_entries(entries, config);
        match plan(page, &self.page, &metadata, self.settings.plan) {
            Ok(plan) => {
                self.plan = Some((plan_value(&plan, &metadata), plan.queries));
                Stage::Gathering { gathering: Box::new(Gathering::new(plan, metadata)), ask: None }
            }
            Err(problems) => {
                let first = problems.iter().find(|problem| problem.is_error());
                let reason = first.map(|it| format!("{}: {}", it.code, it.message));
                self.findings.stop(reason.as_deref().unwrap_or("there is no plan to ask it"));
                self.findings.problems = problems;
                Stage::Over
            }
        }
    }

    /// Nobody has said anything; only whoever runs the harvest can allow it.
    fn probe(&mut self, page: &Page) -> Stage {
        let Some(settings) = self.settings.probing.clone() else {
            self.findings.stop("nobody said that it may be asked");
            return Stage::Over;
        };
        match FormProbing::new(page, &self.page, settings) {
            Ok(probing) => {
                let form = probing.form();
                let plan = json!({
                    "method": form.method.as_str(),
                    "action": form.action.as_str(),
                    "probing": true,
                });
                let budget = self.settings.probing.as_ref().map_or(0, |it| it.queries);
                self.plan = Some((plan, budget));
                Stage::Probing(Box::new(probing))
            }
            Err(problem) => {
                self.findings.stop(&format!("{}: {}", problem.code, problem.message));
                self.findings.problems.push(problem);
                Stage::Over
            }
        }
    }

    pub(super) fn finish(mut self) -> Findings {
        if let (Stage::Probing(probing), Some((plan, _))) = (&self.stage, &mut self.plan) {
            let (queries, empty, rows) = probing.progress();
            plan["queries"] = json!(queries);
            plan["empty"] = json!(empty);
            plan["rows"] = json!(rows);
        }
        let mut findings = match self.stage {
            Stage::Gathering { gathering, .. } => {
                let plan = gathering.plan().clone();
                Findings::of_summary(gathering.finish(), |query| {
                    let request = plan.query(query)?.request;
                    (request.method == Method::Get).then(|| request.url.to_string())
                })
            }
            Stage::Probing(probing) => {
                let coverage = probing.coverage();
                let (queries, _, _) = probing.progress();
                let addresses: Vec<Option<String>> = (0..queries)
                    .map(|query| probing.query_address(query).map(String::from))
                    .collect();
                let address = |query: u64| addresses.get(usize::try_from(query).ok()?)?.clone();
                Findings { coverage, ..Findings::of_summary(probing.finish(), address) }
            }
            Stage::Page | Stage::Config { .. } | Stage::Over => self.findings,
        };
        findings.plan = self.plan;
        findings.problems.extend(self.noticed);
        findings
    }
}

fn tell_gathering(gathering: &mut Gathering, ask: &Ask, heard: Heard) {
    match heard {
        Heard::Nothing(cause) => gathering.failed(ask, &cause),
        Heard::Answer(answer) => {
            let page = answer.is_page().then(|| parse(&answer.bytes, answer.charset.as_deref()));
            let told =
                DatabaseAnswer { url: &answer.url, status: answer.status, page: page.as_ref() };
            gathering.answered(ask, told);
        }
    }
}

/// A plan as people see it.
pub fn plan_value(plan: &QueryPlan, metadata: &DbMetadata) -> Value {
    let elements: Vec<Value> = plan
        .elements
        .iter()
        .map(|element| {
            let shown = element.values.iter().take(SHOWN_VALUES);
            json!({
                "name": element.name,
                "label": element.label,
                "values": element.values.len(),
                "origin": match element.origin {
                    DomainOrigin::Listed => "listed",
                    DomainOrigin::Expression => "expression",
                    DomainOrigin::Form => "form",
                },
                "sample": shown.collect::<Vec<_>>(),
            })
        })
        .collect();
    let attributes: Vec<Value> = metadata
        .results
        .iter()
        .map(|result| match &result.source {
            ResultSource::Rule(rule) => json!({ "name": result.name, "rule": rule.source() }),
            ResultSource::List(values) => json!({ "name": result.name, "listed": values.len() }),
        })
        .collect();
    json!({
        "method": plan.method.as_str(),
        "action": plan.action.as_str(),
        "elements": elements,
        "attributes": attributes,
        "navigation": match &metadata.navigation {
            Navigation::Guessed => "links that lead on",
            Navigation::SinglePage => "none",
            Navigation::Pattern(pattern) => pattern,
        },
        "size": plan.size,
        "queries": plan.queries,
    })
}
