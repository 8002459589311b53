//! One document of the catalog as the index takes it.

use super::key;
use super::texts::DocumentText;
use auslese_archive::Holdings;
use auslese_catalog::{BodyPlace, SearchableDocument, SearchableStatement};
use auslese_model::{Field, Format, Keeping};
use auslese_reader::Readers;
use auslese_search::{DocumentDate, IndexedDocument, IndexedStatement, Kept, Source};
use url::Url;

/// Everything the catalog knows of a document.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) document: SearchableDocument,
    pub(super) collection: String,
    pub(super) fingerprint: u64,
    /// The capture that stores its body.
    pub(super) stored: Option<BodyPlace>,
    pub(super) statements: Vec<SearchableStatement>,
    pub(super) anchors: Vec<(String, u64)>,
}

impl Gathered {
    /// The entry of the index; and why it has no text, if it should have one.
    pub(super) fn entry(
        &self,
        archive: &Holdings,
        readers: &Readers,
    ) -> (IndexedDocument, Option<String>) {
        let document = &self.document;
        let (read, trouble) = match &self.stored {
            Some(stored) => DocumentText::read(archive, stored, document.format, readers),
            None => (DocumentText::default(), None),
        };
        let path = Url::parse(&document.url).map(|url| url.path().to_owned()).unwrap_or_default();
        let language = document.language.clone().filter(|tag| tag != UNKNOWN_LANGUAGE);
        let entry = IndexedDocument {
            key: key(document.request),
            id: document.url.clone(),
            fingerprint: self.fingerprint,
            host: document.host.clone(),
            path,
            institution: document.label.clone().unwrap_or_default(),
            collection: self.collection.clone(),
            source: self.source(),
            kept: match document.keeping {
                Keeping::Kept => Kept::Kept,
                Keeping::Left => Kept::Left,
                Keeping::Unknown => Kept::Unknown,
            },
            media_type: document.media_type.clone().unwrap_or_default(),
            format: document.format.map_or("", Format::as_str).to_owned(),
            size: document.size.unwrap_or(0),
            language: language.or_else(|| self.chosen(Field::Language).map(|it| it.value.clone())),
            document_type: self.document_type(),
            captured: Some(document.captured),
            date: self.date(),
            versions: u32::try_from(document.versions).unwrap_or(u32::MAX),
            title: self.title(),
            headings: read.headings,
            anchors: self.anchors.clone(),
            text: read.text,
            statements: self.statements.iter().map(indexed).collect(),
        };
        (entry, trouble)
    }

    fn source(&self) -> Source {
        match (&self.stored, self.document.format) {
            (None, _) | (_, Some(Format::Binary | Format::Empty)) => Source::HeaderOnly,
            (_, Some(Format::Paper)) => Source::Paper,
            _ => Source::Page,
        }
    }

    fn chosen(&self, field: Field) -> Option<&SearchableStatement> {
        self.statements.iter().find(|statement| statement.field == field && statement.chosen)
    }

    /// What is shown as its title: the one that was chosen, else what stands in its head, else the end
    /// of its address.
    fn title(&self) -> String {
        let said = self.chosen(Field::Title).map(|statement| statement.value.as_str());
        let written = self.document.page_title.as_deref();
        let address = self.document.url.trim_end_matches('/').rsplit('/').next();
        let title = said.or(written).filter(|title| !title.trim().is_empty());
        title.or(address).unwrap_or_default().to_owned()
    }

    fn document_type(&self) -> String {
        let said = self.chosen(Field::Type).map(|statement| statement.value.as_str());
        said.or(self.document.class.as_deref()).unwrap_or_default().to_owned()
    }

    fn date(&self) -> Option<DocumentDate> {
        let said = self.chosen(Field::Date)?;
        let mut parts = said.value.splitn(3, '-');
        let year = parts.next()?.parse().ok()?;
        let mut part = || parts.next().and_then(|part| part.get(..2)?.parse().ok());
        Some(DocumentDate { year, month: part(), day: part(), weight: said.weight })
    }
}

/// What the corpus calls a language that could not be told.
const UNKNOWN_LANGUAGE: &str = "und";

/// Where keywords come from that belong to no vocabulary.
const FREE_ORIGINS: [&str; 3] = ["meta tag", "marked by the author", "keyphrase extraction"];

fn indexed(statement: &SearchableStatement) -> IndexedStatement {
    let is_subject = matches!(statement.field, Field::Keywords | Field::Classification);
    let scheme = statement
        .origin
        .clone()
        .filter(|origin| is_subject && !FREE_ORIGINS.contains(&origin.as_str()));
    IndexedStatement {
        field: statement.field,
        value: statement.value.clone(),
        weight: statement.weight,
        scheme,
        chosen: statement.chosen,
    }
}
