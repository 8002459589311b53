//! A folder of a server: folders in it, and documents with what is known of them.

use super::super::listing::{Sorting, address, address_with, page_number, parameter};
use super::PER_PAGE;
use super::institutions::{first_steps, label_name};
use super::names::readable;
use crate::look::{Section, breadcrumbs, date_time, empty_note, pager, tabs};
use crate::problem::Problem;
use crate::site::Harvest;
use crate::view::{Page, View};
use auslese_catalog::{
    DocumentOrder, Folder, FolderDocument, FolderQuery, MAX_BROWSED, MAX_SORTED,
};
use auslese_model::{CorpusRule, Format, Keeping, Origin, Timestamp};
use auslese_statistics::{Cell, Table};
use maud::{Markup, html};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct FolderPage {
    harvest: String,
    title: String,
    institution: Option<String>,
    server: String,
    path: String,
    kept_only: bool,
    sort: Sorting,
    /// Whether the documents are in the order asked for.
    sorted: bool,
    page: usize,
    pages: usize,
    folder_count: u64,
    document_count: u64,
    /// Documents here and in all folders below.
    all_documents: u64,
    /// There is more than was counted.
    more: bool,
    folders: Vec<Entry>,
    documents: Vec<Document>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    page: String,
    documents: u64,
}

#[derive(Debug, Serialize)]
struct Document {
    request: i64,
    name: String,
    /// The document's page on this site.
    page: String,
    url: String,
    title: Option<String>,
    keeping: Option<Keeping>,
    rule: Option<CorpusRule>,
    gone: bool,
    status: u16,
    media_type: Option<String>,
    format: Option<Format>,
    language: Option<String>,
    size: Option<u64>,
    #[serde(skip)]
    captured_at: Timestamp,
    captured: String,
}

const ORDERS: [(&str, DocumentOrder); 5] = [
    ("name", DocumentOrder::Name),
    ("title", DocumentOrder::Title),
    ("type", DocumentOrder::Type),
    ("size", DocumentOrder::Size),
    ("captured", DocumentOrder::Captured),
];

pub(super) async fn open(
    harvest: &Harvest,
    server: &str,
    path: &str,
    parameters: &[(String, String)],
) -> Result<FolderPage, Problem> {
    let no_server = || {
        Problem::not_found(
            "There is no such server in this harvest.",
            "Diesen Server gibt es in dieser Ernte nicht.",
        )
    };
    let origin = Origin::parse(server).ok_or_else(no_server)?;
    let known = harvest.catalog.server_summary(&origin).await?.ok_or_else(no_server)?;
    let sort = Sorting::read(parameters, &ORDERS.map(|(name, _)| name));
    let order =
        ORDERS.iter().find(|(name, _)| *name == sort.by).map_or_else(Default::default, |it| it.1);
    let page = page_number(parameters);
    let kept_only = parameter(parameters, "only") == Some("kept");
    let query = FolderQuery {
        server: known.id,
        origin: &origin,
        path,
        kept_only,
        order,
        descending: sort.descending,
        offset: (page - 1) * PER_PAGE,
        limit: PER_PAGE,
    };
    let folder = harvest.catalog.folder(&query).await?;
    if folder.all == 0 && path != "/" && !kept_only {
        return Err(Problem::not_found(
            "There is no such folder on this server.",
            "Diesen Ordner gibt es auf diesem Server nicht.",
        ));
    }
    let Folder { shown_folders, shown_documents, .. } = folder;
    let entry = |name: String, documents: u64| Entry {
        page: folder_address(
            &harvest.name,
            &origin.to_string(),
            &format!("{path}{name}"),
            kept_only,
        ),
        name,
        documents,
    };
    let beginning = format!("{origin}{path}");
    Ok(FolderPage {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        institution: known.label,
        server: origin.to_string(),
        path: path.to_owned(),
        kept_only,
        sort,
        sorted: folder.sorted,
        page,
        pages: ((folder.folders + folder.documents) as usize).div_ceil(PER_PAGE),
        folder_count: folder.folders,
        document_count: folder.documents,
        all_documents: folder.all,
        more: folder.more,
        folders: shown_folders.into_iter().map(|it| entry(it.name, it.documents)).collect(),
        documents: shown_documents
            .into_iter()
            .map(|it| shown(&harvest.name, &beginning, it))
            .collect(),
    })
}

fn shown(harvest: &str, beginning: &str, it: FolderDocument) -> Document {
    Document {
        request: it.request.0,
        name: it.url.strip_prefix(beginning).unwrap_or(&it.url).to_owned(),
        page: format!("/doc/{harvest}/{}", it.request.0),
        url: it.url,
        title: it.title.filter(|title| !title.trim().is_empty()),
        keeping: it.keeping,
        rule: it.rule,
        gone: it.gone,
        status: it.status,
        media_type: it.media_type,
        format: it.format,
        language: it.language,
        size: it.size,
        captured_at: it.captured,
        captured: it.captured.to_second_text(),
    }
}

fn folder_address(harvest: &str, server: &str, path: &str, kept_only: bool) -> String {
    let mut parameters = vec![("server", server), ("path", path)];
    if kept_only {
        parameters.push(("only", "kept"));
    }
    address(&format!("/browse/{harvest}"), &parameters)
}

impl Page for FolderPage {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, _: &View) -> String {
        format!("{}{}", self.server, readable_path(&self.path))
    }

    fn body(&self, view: &View) -> Markup {
        let (steps, here) = self.steps(view);
        html! {
            (breadcrumbs(view, &steps, &here))
            h1 { (self.title(view)) }
            (self.counts(view))
            (tabs(view.say("Which documents", "Welche Dokumente"), &[
                (view.say("All answers", "Alle Antworten").to_owned(), address_with(view, &[("only", None), ("page", None)]), !self.kept_only),
                (view.say("In the corpus", "Im Korpus").to_owned(), address_with(view, &[("only", Some("kept")), ("page", None)]), self.kept_only),
            ]))
            @if !self.sorted {
                p .note {
                    (view.say("This folder is too large to be sorted so; it is sorted by name. Up to ", "Dieser Ordner ist zu groß, um so sortiert zu werden; er ist nach Namen sortiert. Bis zu "))
                    (view.tongue.number(MAX_SORTED as u64)) (view.say(" documents can be.", " Dokumente gehen."))
                }
            }
            @if self.folders.is_empty() && self.documents.is_empty() {
                (empty_note(view.say("There is nothing here.", "Hier ist nichts.")))
            } @else {
                (self.table(view))
                (pager(view, self.page, self.pages))
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let text = |text: &Option<String>| text.clone().map_or(Cell::Missing, Cell::Text);
        let folders = self.folders.iter().map(|it| {
            let mut row = vec![Cell::Text(it.name.clone()), Cell::Count(it.documents)];
            row.resize(HEAD.len(), Cell::Empty);
            row
        });
        let documents = self.documents.iter().map(|it| {
            vec![
                Cell::Text(it.name.clone()),
                Cell::Empty,
                Cell::Text(it.url.clone()),
                text(&it.title),
                it.keeping.map_or(Cell::Missing, |keeping| Cell::Text(keeping.as_str().to_owned())),
                Cell::Count(u64::from(it.status)),
                text(&it.media_type),
                text(&it.language),
                it.size.map_or(Cell::Missing, Cell::Bytes),
                Cell::Text(it.captured.clone()),
            ]
        });
        let rows = folders.chain(documents).collect();
        let table = Table { name: "folder", title: "Folder", head: HEAD.to_vec(), rows };
        Some(("folder".to_owned(), table.csv()))
    }
}

const HEAD: [&str; 10] = [
    "name",
    "documents in it",
    "url",
    "title",
    "corpus",
    "status",
    "type",
    "language",
    "bytes",
    "captured",
];

impl FolderPage {
    /// Harvest, institution, server and folders, the last of which is here.
    fn steps(&self, view: &View) -> (Vec<(String, String)>, String) {
        let mut steps = first_steps(view, &self.harvest, &self.title);
        let institution = self.institution.as_deref();
        steps.push((
            label_name(view, institution),
            address(
                &format!("/browse/{}", self.harvest),
                &[("institution", institution.unwrap_or_default())],
            ),
        ));
        let to = |path: &str| folder_address(&self.harvest, &self.server, path, self.kept_only);
        steps.push((self.server.clone(), to("/")));
        let mut path = "/".to_owned();
        for part in self.path.split('/').filter(|part| !part.is_empty()) {
            path.push_str(part);
            path.push('/');
            steps.push((readable(part), to(&path)));
        }
        let here = steps.pop().map_or_else(String::new, |(name, _)| name);
        (steps, here)
    }

    fn counts(&self, view: &View) -> Markup {
        let number = |number| view.tongue.number(number);
        html! {
            p .soft {
                (number(self.folder_count)) " " (if self.folder_count == 1 { view.say("folder", "Ordner") } else { view.say("folders", "Ordner") }) " · "
                (number(self.document_count)) " " (if self.document_count == 1 { view.say("document here", "Dokument hier") } else { view.say("documents here", "Dokumente hier") }) " · "
                @if self.more {
                    (view.say("more than ", "mehr als ")) (number(MAX_BROWSED as u64)) (view.say(" in all, of which the first are counted", " insgesamt, von denen die ersten gezählt sind"))
                } @else {
                    (number(self.all_documents)) (view.say(" in all", " insgesamt"))
                }
            }
        }
    }

    fn table(&self, view: &View) -> Markup {
        let head = |by, name, is_number| self.sort.head(view, by, name, is_number);
        html! {
            div .scroll tabindex="0" { table .folder {
                thead { tr {
                    (head("name", view.say("Name", "Name"), false))
                    (head("title", view.say("Title", "Titel"), false))
                    th { (view.say("Corpus", "Korpus")) }
                    (head("type", view.say("Type", "Typ"), false))
                    (head("size", view.say("Size", "Größe"), true))
                    (head("captured", view.say("Captured", "Aufgenommen"), false))
                } }
                tbody {
                    @for it in &self.folders {
                        tr {
                            td .name colspan="3" { a .into href=(it.page) { (readable(it.name.trim_end_matches('/'))) "/" } }
                            td .soft colspan="3" { (view.tongue.number(it.documents)) " " (if it.documents == 1 { view.say("document", "Dokument") } else { view.say("documents", "Dokumente") }) }
                        }
                    }
                    @for it in &self.documents {
                        tr {
                            td .name { a href=(it.page) title=(it.url) { (self.document_name(view, it)) } }
                            td .title { (it.title.as_deref().unwrap_or_default()) }
                            td { (keeping_tag(view, it)) }
                            td { (it.media_type.as_deref().unwrap_or("–")) }
                            td .right { (it.size.map_or_else(|| "–".to_owned(), |size| view.tongue.size(size))) }
                            td .nowrap { (date_time(it.captured_at)) }
                        }
                    }
                }
            } }
        }
    }

    fn document_name(&self, view: &View, document: &Document) -> String {
        match document.name.as_str() {
            "" => view.say("(the folder itself)", "(der Ordner selbst)").to_owned(),
            name => readable(name),
        }
    }
}

/// What the corpus says of a document; of an answer that is none, its status.
fn keeping_tag(view: &View, document: &Document) -> Markup {
    let (class, words) = match (document.keeping, document.rule) {
        _ if document.gone => ("bad", view.say("gone", "verschwunden").to_owned()),
        (_, Some(CorpusRule::Status)) if (300..400).contains(&document.status) => {
            ("", format!("{} {}", view.say("redirect", "Weiterleitung"), document.status))
        }
        (_, Some(CorpusRule::Status)) => {
            ("bad", format!("{} {}", view.say("error", "Fehler"), document.status))
        }
        (Some(Keeping::Kept), _) => ("good", view.say("kept", "behalten").to_owned()),
        (Some(Keeping::Left), Some(rule)) => ("doubt", left_by(view, rule).to_owned()),
        (Some(Keeping::Left), None) => ("doubt", view.say("left", "nicht behalten").to_owned()),
        (Some(Keeping::Unknown), _) => ("", view.say("only the header", "nur der Kopf").to_owned()),
        (None, _) => ("", view.say("not judged", "nicht beurteilt").to_owned()),
    };
    html! { span class={ "tag " (class) } { (words) } }
}

/// Why a document was left, in a word.
fn left_by(view: &View, rule: CorpusRule) -> &'static str {
    match rule {
        CorpusRule::NotFetched => view.say("not fetched", "nicht geholt"),
        CorpusRule::Status => view.say("no document", "kein Dokument"),
        CorpusRule::Machinery => view.say("for the crawl", "für die Ernte"),
        CorpusRule::Pattern => view.say("left: pattern", "nicht: Muster"),
        CorpusRule::Port => view.say("left: port", "nicht: Port"),
        CorpusRule::Suffix => view.say("left: suffix", "nicht: Endung"),
        CorpusRule::MimeType => view.say("left: type", "nicht: Typ"),
        CorpusRule::Size => view.say("left: size", "nicht: Größe"),
        CorpusRule::NoBody => view.say("not archived", "nicht archiviert"),
        CorpusRule::Format => view.say("left: format", "nicht: Format"),
        CorpusRule::Language => view.say("left: language", "nicht: Sprache"),
        CorpusRule::NotClassified => view.say("without text", "ohne Text"),
        CorpusRule::Duplicate => view.say("left: copy", "nicht: Kopie"),
        CorpusRule::NearDuplicate => view.say("left: near copy", "nicht: fast gleich"),
        CorpusRule::Template => view.say("left: template", "nicht: Vorlage"),
        CorpusRule::All => view.say("left", "nicht behalten"),
    }
}

/// A path with letters instead of codes.
fn readable_path(path: &str) -> String {
    path.split('/').map(readable).collect::<Vec<_>>().join("/")
}
