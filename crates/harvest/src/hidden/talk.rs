//! What is said to a database and heard from it, for every way to reach one.
//!
//! The rules are those of [`auslese_hidden`]; here they become one kind of thing: a talk asks for its next
//! request, hears what became of it, and ends with findings. It fetches nothing and knows neither catalog nor
//! archive, so a talk that was interrupted is repeated with archived answers.

use super::findings::Findings;
use super::form_talk::FormTalk;
use auslese_catalog::NewRecord;
use auslese_hidden::{DbContent, OaiHarvest, OaiRecord, OaiReply, OaiSettings, Problem};
use auslese_model::{Method, Request, read_soif};
use std::time::Duration;
use url::Url;

/// The next thing to ask.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) request: Request,
    /// How long to wait before.
    pub(crate) wait: Duration,
    /// An archived answer will do, however old.
    pub(crate) any_age: bool,
}

impl Turn {
    pub(super) fn new(request: Request) -> Turn {
        Turn { request, wait: Duration::ZERO, any_age: false }
    }

    pub(super) fn page(url: &Url) -> Option<Turn> {
        let request = Request::new(Method::Get, url.clone(), None)?;
        Some(Turn { any_age: true, ..Turn::new(request) })
    }
}

/// What became of a request.
#[derive(Debug)]
pub(crate) enum Heard {
    Answer(Answer),
    /// There was no answer, and why.
    Nothing(String),
}

/// An answer, its body decoded.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) media_type: Option<String>,
    pub(crate) charset: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(super) fn is_page(&self) -> bool {
        self.media_type.as_deref().is_none_or(|it| it.contains("html"))
    }
}

/// A talk with one database.
#[derive(Debug)]
pub(crate) enum Talk {
    Form(Box<FormTalk>),
    Content(Box<ContentTalk>),
    Oai(Box<OaiTalk>),
}

impl Talk {
    pub(crate) fn next(&mut self) -> Option<Turn> {
        match self {
            Talk::Form(talk) => talk.next(),
            Talk::Content(talk) => talk.next(),
            Talk::Oai(talk) => talk.next(),
        }
    }

    pub(crate) fn hear(&mut self, heard: Heard) {
        match self {
            Talk::Form(talk) => talk.hear(heard),
            Talk::Content(talk) => talk.hear(heard),
            Talk::Oai(talk) => talk.hear(heard),
        }
    }

    /// Records that were heard of since this was asked last.
    pub(crate) fn take_records(&mut self) -> Vec<NewRecord> {
        match self {
            Talk::Oai(talk) => std::mem::take(&mut talk.records),
            Talk::Form(_) | Talk::Content(_) => Vec::new(),
        }
    }

    pub(crate) fn finish(self) -> Findings {
        match self {
            Talk::Form(talk) => talk.finish(),
            Talk::Content(talk) => talk.finish(),
            Talk::Oai(talk) => talk.finish(),
        }
    }
}

/// A provider's own summarizer: its document, then what it hands out.
#[derive(Debug)]
pub(crate) struct ContentTalk {
    document: Url,
    stage: ContentStage,
    findings: Findings,
}

#[derive(Debug)]
enum ContentStage {
    Document,
    Summary(Box<DbContent>),
    Over,
}

impl ContentTalk {
    pub(crate) fn new(document: Url) -> ContentTalk {
        ContentTalk { document, stage: ContentStage::Document, findings: Findings::default() }
    }

    fn next(&mut self) -> Option<Turn> {
        match &self.stage {
            ContentStage::Document => Turn::page(&self.document),
            ContentStage::Summary(content) => match content.request(&self.document) {
                Some(request) => Some(Turn::new(request)),
                None => {
                    self.findings.stop("the summarizer cannot be told the path of the document");
                    None
                }
            },
            ContentStage::Over => None,
        }
    }

    fn hear(&mut self, heard: Heard) {
        let answer = match heard {
            Heard::Answer(answer) => answer,
            Heard::Nothing(cause) => {
                self.findings.failed += 1;
                self.findings.stop(&cause);
                self.stage = ContentStage::Over;
                return;
            }
        };
        self.findings.pages += 1;
        self.stage = match std::mem::replace(&mut self.stage, ContentStage::Over) {
            ContentStage::Document => self.read_document(&answer),
            ContentStage::Summary(content) => {
                self.read_summary(&content, &answer);
                ContentStage::Over
            }
            ContentStage::Over => ContentStage::Over,
        };
    }

    fn read_document(&mut self, answer: &Answer) -> ContentStage {
        if !self.findings.is_open(answer) {
            return ContentStage::Over;
        }
        match DbContent::read(&answer.bytes, Some(&answer.url)) {
            Ok(content) => {
                self.findings.title.clone_from(&content.title);
                self.findings.problems.clone_from(&content.problems);
                self.document = answer.url.clone();
                ContentStage::Summary(Box::new(content))
            }
            Err(problems) => {
                self.findings.problems = problems;
                self.findings.stop("the document cannot be read");
                ContentStage::Over
            }
        }
    }

    /// Takes the attributes that the document names, and no others.
    fn read_summary(&mut self, content: &DbContent, answer: &Answer) {
        if !self.findings.is_open(answer) {
            return;
        }
        let objects = match read_soif(&answer.bytes) {
            Ok(objects) => objects,
            Err(error) => {
                let problem =
                    Problem::new("E_SUMMARY", answer.url.as_str(), format!("no SOIF: {error}"));
                self.findings.problems.push(problem);
                return self.findings.stop("the summary cannot be read");
            }
        };
        self.findings.queries = 1;
        self.findings.complete = true;
        for attribute in &content.attributes {
            let own = format!("{}.{}", attribute.table, attribute.attribute);
            let name = attribute.index_name.clone().unwrap_or(own);
            for object in &objects {
                self.findings.add_all(&name, object.values(&name));
                if object.text(&format!("Truncated-{name}")).is_some() {
                    let message = "the summarizer hands out a part of its values".to_owned();
                    self.findings.problems.push(Problem::new("W_TRUNCATED", &name, message));
                }
            }
        }
    }

    fn finish(self) -> Findings {
        self.findings
    }
}

/// A repository of records.
#[derive(Debug)]
pub(crate) struct OaiTalk {
    harvest: OaiHarvest,
    records: Vec<NewRecord>,
    pages: u64,
    failed: u64,
}

impl OaiTalk {
    pub(crate) fn new(settings: OaiSettings) -> OaiTalk {
        let harvest = OaiHarvest::new(settings);
        OaiTalk { harvest, records: Vec::new(), pages: 0, failed: 0 }
    }

    fn next(&mut self) -> Option<Turn> {
        let ask = self.harvest.next()?;
        Some(Turn { wait: ask.wait, ..Turn::new(ask.request) })
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Answer(answer) => {
                self.pages += 1;
                let records = self.harvest.answered(OaiReply {
                    status: answer.status,
                    // Servers that ask for patience were given it by the crawl.
                    retry_after: None,
                    charset: answer.charset.as_deref(),
                    body: &answer.bytes,
                });
                self.records.extend(records.into_iter().map(record));
            }
            Heard::Nothing(cause) => {
                self.failed += 1;
                self.harvest.failed(&cause);
            }
        }
    }

    fn finish(self) -> Findings {
        let report = self.harvest.finish();
        let mut errors = report.problems.iter().filter(|problem| problem.is_error());
        let error = errors.next().map(|it| format!("{}: {}", it.code, it.message));
        Findings {
            stopped: error.filter(|_| !report.complete),
            title: report.identity.map(|it| it.name).filter(|name| !name.is_empty()),
            complete: report.complete,
            queries: report.requests,
            pages: self.pages,
            failed: self.failed,
            next_from: report.next_from,
            problems: report.problems,
            ..Findings::default()
        }
    }
}

/// The first address among the identifiers of a record is where its document is.
fn record(record: OaiRecord) -> NewRecord {
    let is_web = |value: &&str| value.starts_with("http://") || value.starts_with("https://");
    let url = record.values("identifier").map(str::trim).find(is_web).map(str::to_owned);
    NewRecord {
        identifier: record.identifier,
        datestamp: record.datestamp,
        deleted: record.deleted,
        url,
        fields: record.fields,
    }
}
