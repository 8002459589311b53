//! What is tried on: a text or page that was pasted, or a document of a harvest with all that surrounds it.

use super::super::document::{Subject, no_document};
use super::super::organisation::institution_names;
use super::asked::Asked;
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use auslese_catalog::Describable;
use auslese_corpus::{Reading, looks_like_html};
use auslese_describe::{Around, own_address, page_to_describe};
use auslese_harvest::{HarvestError, document_of_harvest, stored_body};
use auslese_markup::Page;
use auslese_model::{CaptureId, Format, RequestId};
use serde::Serialize;
use std::sync::Arc;
use tokio::runtime::Handle;
use url::Url;

/// Where the matter is.
pub(super) enum Source {
    Pasted { text: String, is_html: bool },
    Document(Box<Document>),
}

/// A document of a harvest, by the capture that stores it.
pub(super) struct Document {
    harvest: Arc<Harvest>,
    number: i64,
    url: String,
    format: Option<Format>,
    content: Option<CaptureId>,
}

/// What the page says about the matter.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub(super) enum About {
    Pasted { bytes: usize },
    Document { harvest: String, number: i64, url: String },
}

/// The matter, read.
#[derive(Debug)]
pub(super) struct Matter {
    /// Where it comes from; none for what was pasted.
    pub(super) harvest: Option<Arc<Harvest>>,
    /// A page, a text, or a paper.
    pub(super) kind: Format,
    /// The tree that heuristics look at.
    pub(super) page: Page,
    /// What a reader sees, one paragraph a line.
    pub(super) text: String,
    /// The language the page declares.
    pub(super) html_lang: Option<String>,
    pub(super) url: Option<Url>,
    pub(super) around: Around,
    /// Why it is not all, if so.
    pub(super) trouble: Option<String>,
}

/// What the form names: what is pasted counts more than an address. None if it names nothing.
pub(super) async fn find(site: &Site, asked: &Asked) -> Result<Option<Source>, Problem> {
    if let Some(text) = asked.text() {
        let is_html = match asked.field("as") {
            Some("html") => true,
            Some("text") => false,
            _ => looks_like_html("", text.as_bytes()),
        };
        return Ok(Some(Source::Pasted { text: text.to_owned(), is_html }));
    }
    let Some(named) = asked.field("document") else { return Ok(None) };
    let harvest = match (asked.field("harvest"), site.harvests.first()) {
        (Some(name), _) => site.harvest(name)?,
        (None, Some(first)) => first.clone(),
        (None, None) => return Err(no_document()),
    };
    let id = match named.parse() {
        Ok(number) => RequestId(number),
        Err(_) => {
            let found = harvest.catalog.find_requests(named).await?;
            found.first().ok_or_else(no_document)?.id
        }
    };
    let subject = Subject::load(harvest, id, Vec::new()).await?;
    let (content, format) = (subject.content_id(), subject.format());
    Ok(Some(Source::Document(Box::new(Document {
        harvest: subject.harvest,
        number: id.0,
        url: subject.request.url,
        format,
        content,
    }))))
}

impl Source {
    pub(super) fn about(&self) -> About {
        match self {
            Source::Pasted { text, .. } => About::Pasted { bytes: text.len() },
            Source::Document(document) => About::Document {
                harvest: document.harvest.name.clone(),
                number: document.number,
                url: document.url.clone(),
            },
        }
    }

    /// Reads it, or says why it cannot be read. Takes a processor and the disk.
    pub(super) fn read(
        self,
        site: &Site,
        runtime: &Handle,
    ) -> Result<Result<Matter, String>, Problem> {
        match self {
            Source::Pasted { text, is_html } => Ok(Ok(Matter::pasted(text, is_html))),
            Source::Document(document) => document.read(site, runtime),
        }
    }
}

impl Document {
    fn read(&self, site: &Site, runtime: &Handle) -> Result<Result<Matter, String>, Problem> {
        let Some(content) = self.content else { return Ok(Err("there is no capture".to_owned())) };
        let read = match self.format {
            Some(Format::Binary | Format::Empty) => Err("it is no text".to_owned()),
            Some(Format::Text | Format::Xml) => self.plain(content, runtime)?,
            Some(Format::Html | Format::Paper) => self.described(content, site, runtime)?,
            // Nobody has looked at it yet.
            None => match self.described(content, site, runtime)? {
                Ok(matter) => Ok(matter),
                Err(_) => self.plain(content, runtime)?,
            },
        };
        Ok(read.map_err(|why| self.harvest.archive().concealed(&why)))
    }

    /// A page or paper, as the stage sees it that describes documents.
    fn described(
        &self,
        content: CaptureId,
        site: &Site,
        runtime: &Handle,
    ) -> Result<Result<Matter, String>, Problem> {
        let harvest = &self.harvest;
        let names = institution_names(harvest)?;
        let looking = document_of_harvest(
            &harvest.dir,
            &harvest.catalog,
            content,
            &harvest.canonical,
            &names,
            &site.readers,
        );
        let read = match runtime.block_on(looking) {
            Ok(read) => read,
            Err(HarvestError::NoPage { why, .. }) => return Ok(Err(why)),
            Err(HarvestError::Catalog(error)) => return Err(error.into()),
            Err(error) => return Err(Problem::internal("a document to try on", &error)),
        };
        let kind = match read.kind {
            Describable::Pages => Format::Html,
            Describable::Papers => Format::Paper,
        };
        Ok(Ok(Matter {
            harvest: Some(harvest.clone()),
            kind,
            text: read.text.unwrap_or_else(|| read.page.text()),
            html_lang: read.page.lang().map(str::to_owned),
            url: Url::parse(&self.url).ok(),
            page: read.page,
            around: read.around,
            trouble: read.trouble,
        }))
    }

    fn plain(
        &self,
        content: CaptureId,
        runtime: &Handle,
    ) -> Result<Result<Matter, String>, Problem> {
        let stored = runtime.block_on(self.harvest.catalog.capture(content))?;
        let Some(capture) = stored.map(|stored| stored.capture) else {
            return Ok(Err("the capture it refers to was removed".to_owned()));
        };
        let Ok(url) = Url::parse(&self.url) else {
            return Ok(Err("its address cannot be read".to_owned()));
        };
        let body = match stored_body(&self.harvest.archive(), &capture) {
            Ok(body) => body,
            Err(why) => return Ok(Err(why)),
        };
        let (media_type, charset) = (capture.fields.media_type(), capture.fields.charset());
        let reading = Reading::of(&body.bytes, media_type.as_deref(), charset.as_deref(), &url);
        if matches!(reading.format, Format::Paper | Format::Binary | Format::Empty) {
            return Ok(Err(reading.trouble.unwrap_or_else(|| "it is no text".to_owned())));
        }
        let text = reading.texts().collect::<Vec<&str>>().join("\n");
        let trouble = reading.trouble;
        let harvest = Some(self.harvest.clone());
        Ok(Ok(Matter { harvest, trouble, url: Some(url), ..Matter::pasted(text, false) }))
    }
}

impl Matter {
    /// What was pasted is UTF-8, whatever it says about itself.
    fn pasted(text: String, is_html: bool) -> Matter {
        let (page, trouble) = page_to_describe(text.as_bytes(), Some("utf-8"));
        let around = Around::default();
        match is_html {
            true => Matter {
                harvest: None,
                kind: Format::Html,
                text: page.text(),
                html_lang: page.lang().map(str::to_owned),
                url: own_address(&page),
                page,
                around,
                trouble,
            },
            false => Matter {
                harvest: None,
                kind: Format::Text,
                text,
                html_lang: None,
                url: None,
                page,
                around,
                trouble,
            },
        }
    }

    /// The paragraphs of the text.
    pub(super) fn blocks(&self) -> Vec<&str> {
        self.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }
}
