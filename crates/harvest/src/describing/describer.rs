//! Describes one stored document: a page as it is, a paper through the confined readers.

use super::pairing::Announced;
use super::recorded::add_recorded;
use crate::corpus::stored_body;
use crate::papers::{PAPER_PAGES, Paper};
use auslese_archive::Holdings;
use auslese_catalog::{Describable, StoredCapture};
use auslese_describe::{
    Around, Heuristics, KeyphraseModels, MscTable, Subject, Weights, describe, page_to_describe,
};
use auslese_markup::Page;
use auslese_model::{DescribedCapture, Description};
use auslese_reader::{Readers, Request};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use url::Url;

/// What one kind of document is described with.
#[derive(Debug, Clone)]
pub struct DescribingSet {
    pub heuristics: Arc<Heuristics>,
    pub weights: Arc<Weights>,
}

impl DescribingSet {
    /// All files of the heuristics, for the record of a run.
    pub(super) fn heuristics_text(&self) -> String {
        let files = self.heuristics.files().map(|(name, text)| format!("# {name}\n{text}"));
        files.collect::<Vec<String>>().join("\n")
    }

    pub(super) fn weights_text(&self) -> String {
        format!("# {}\n{}", self.heuristics.name(), self.weights.to_toml())
    }
}

/// A document with what is known around it.
#[derive(Debug)]
pub(super) struct ToDescribe {
    pub(super) kind: Describable,
    pub(super) stored: StoredCapture,
    pub(super) around: Around,
    /// What a page that announces it says about it.
    pub(super) announced: Option<Announced>,
    /// What others recorded about it.
    pub(super) recorded: Vec<Description>,
}

/// Describes stored documents.
#[derive(Debug)]
pub(super) struct Describer {
    pub(super) archive: Holdings,
    pub(super) pages: DescribingSet,
    pub(super) papers: DescribingSet,
    pub(super) readers: Arc<Readers>,
    /// For papers without keywords.
    pub(super) keyphrases: Option<Arc<KeyphraseModels>>,
    pub(super) msc_table: Option<Arc<MscTable>>,
}

impl Describer {
    /// What a document says about itself. Whatever is wrong with it is part of the answer.
    pub(super) fn describe(&self, document: &ToDescribe) -> DescribedCapture {
        let attempt = catch_unwind(AssertUnwindSafe(|| self.read(document)));
        let mut description = attempt
            .unwrap_or_else(|_| Err("the program failed on this document".to_owned()))
            .unwrap_or_else(|why| Description {
                statements: Vec::new(),
                field_weights: Vec::new(),
                class: String::new(),
                trouble: Some(why),
            });
        if let Some(announced) = &document.announced {
            announced.add_to(&mut description);
        }
        add_recorded(&mut description, &document.recorded);
        DescribedCapture { capture: document.stored.capture.id, description }
    }

    fn read(&self, document: &ToDescribe) -> Result<Description, String> {
        let ToDescribe { kind, stored, around, .. } = document;
        let set = match kind {
            Describable::Pages => &self.pages,
            Describable::Papers => &self.papers,
        };
        let read = ReadDocument::of(&self.archive, stored, *kind, &self.readers)?;
        let url = Url::parse(&stored.url).ok();
        let subject = Subject { page: &read.page, url: url.as_ref(), around };
        let mut description = describe(&subject, &set.heuristics, &set.weights);
        if let (Some(models), Some(text)) = (&self.keyphrases, &read.text) {
            models.add_to(&mut description, text);
        }
        if let (Some(table), Describable::Papers) = (&self.msc_table, kind) {
            table.check(&mut description);
        }
        description.trouble = joined(read.trouble.into_iter().chain(description.trouble));
        Ok(description)
    }
}

/// A stored document as it was read.
pub(super) struct ReadDocument {
    pub(super) page: Page,
    /// The text of a paper.
    pub(super) text: Option<String>,
    pub(super) trouble: Option<String>,
}

impl ReadDocument {
    /// Reads a document, or says why it cannot be read.
    pub(super) fn of(
        archive: &Holdings,
        stored: &StoredCapture,
        kind: Describable,
        readers: &Readers,
    ) -> Result<ReadDocument, String> {
        let body = stored_body(archive, &stored.capture)?;
        let fields = &stored.capture.fields;
        let (page, text, trouble) = match kind {
            Describable::Pages => {
                let (page, cut) = page_to_describe(&body.bytes, fields.charset().as_deref());
                (page, None, cut)
            }
            Describable::Papers => {
                let (url, mime_type) = (Url::parse(&stored.url).ok(), fields.media_type());
                let request = Request {
                    name: url.as_ref().map_or("", Url::path),
                    mime_type: mime_type.as_deref().unwrap_or_default(),
                    pages: Some(PAPER_PAGES),
                    bytes: &body.bytes,
                    ..Request::default()
                };
                let Paper { page, text, trouble } = Paper::read(readers, &request)?;
                (page, Some(text), trouble)
            }
        };
        let trouble = joined(body.troubles.into_iter().chain(trouble));
        Ok(ReadDocument { page, text, trouble })
    }
}

fn joined(troubles: impl Iterator<Item = String>) -> Option<String> {
    let troubles: Vec<String> = troubles.collect();
    (!troubles.is_empty()).then(|| troubles.join("; "))
}
