//! Loose files described: one object per line, or a table for people.

use super::DescribeArgs;
use super::json_line::json_line;
use super::sets::{SetsByKind, keyphrase_models, msc_table};
use crate::args::Place;
use crate::config::Overrides;
use crate::loose_files::{self, foreign_format, on_all_cores};
use crate::messages::{Color, Exit, Failure, Harmless, Outcome};
use crate::output;
use anyhow::anyhow;
use auslese_describe::{
    Around, KeyphraseModels, MscTable, Subject, describe, describe_fields, own_address,
    owned_page_to_describe,
};
use auslese_harvest::{PAPER_PAGES, Paper, is_paper};
use auslese_markup::{Page, parse};
use auslese_model::{Description, Field};
use auslese_reader::{HelperPrograms, Limits, Readers, Request, Start};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// Files that are described before their results are printed, so that memory stays bounded.
const BATCH: usize = 256;

/// A page read from a file.
#[derive(Debug)]
pub(crate) struct LooseFile {
    /// The path as it was given.
    pub(crate) id: String,
    pub(crate) page: Page,
    /// The text of a document made of pages, such as a PDF.
    paper: Option<String>,
    /// The address the page gives itself.
    own_address: Option<Url>,
    around: Around,
    /// Why the page is not all of the file, or not as its author made it, if so.
    trouble: Option<String>,
}

impl LooseFile {
    pub(crate) fn read(path: &Path, papers: &Readers) -> Result<LooseFile, Failure> {
        let bytes = loose_files::read(path)?;
        let id = path.to_string_lossy().into_owned();
        let around = Around::default();
        if is_paper(&bytes, &id, None) {
            let Paper { page, text, trouble } = read_paper(&bytes, path, papers)?;
            let (paper, own_address) = (Some(text), None);
            return Ok(LooseFile { id, page, paper, own_address, around, trouble });
        }
        check_page(&bytes, path)?;
        let (page, trouble) = owned_page_to_describe(bytes, None);
        let own_address = own_address(&page);
        Ok(LooseFile { id, page, paper: None, own_address, around, trouble })
    }

    /// Whether it is a document made of pages.
    pub(crate) fn is_paper(&self) -> bool {
        self.paper.is_some()
    }

    fn describe(&self, means: &Means, args: &DescribeArgs) -> Description {
        let sets = if self.is_paper() { &*means.sets.papers } else { &means.sets.pages };
        let (subject, fields) = (self.subject(args.url.as_ref()), args.fields.as_slice());
        let mut description = match fields {
            [] => describe(&subject, &sets.heuristics, &sets.weights),
            fields => describe_fields(&subject, &sets.heuristics, &sets.weights, fields),
        };
        let has_keywords = fields.is_empty() || fields.contains(&Field::Keywords);
        if let (Some(models), Some(text), true) = (&means.keyphrases, &self.paper, has_keywords) {
            models.add_to(&mut description, text);
        }
        if let (Some(table), true) = (&means.msc_table, self.is_paper()) {
            table.check(&mut description);
        }
        let troubles: Vec<String> =
            self.trouble.clone().into_iter().chain(description.trouble).collect();
        description.trouble = (!troubles.is_empty()).then(|| troubles.join("; "));
        description
    }

    /// What is to be described; without an address, the one that the page gives itself.
    pub(crate) fn subject<'a>(&'a self, url: Option<&'a Url>) -> Subject<'a> {
        let url = url.or(self.own_address.as_ref());
        Subject { page: &self.page, url, around: &self.around }
    }
}

fn read_paper(bytes: &[u8], path: &Path, papers: &Readers) -> Result<Paper, Failure> {
    let name = path.to_string_lossy();
    let request = Request { name: &name, pages: Some(PAPER_PAGES), bytes, ..Request::default() };
    Paper::read(papers, &request).map_err(|why| {
        let error = anyhow!(why).context(format!("cannot describe {}", path.display()));
        Failure::new(Exit::Failures, error)
    })
}

/// Whether a file is plainly something else than a page.
fn check_page(bytes: &[u8], path: &Path) -> Result<(), Failure> {
    match foreign_format(bytes) {
        None => Ok(()),
        Some(format) => {
            let error = anyhow!("it is {format}, neither a web page nor a paper")
                .context(format!("cannot describe {}", path.display()));
            Err(Failure::new(Exit::Failures, error))
        }
    }
}

/// Readers for documents made of pages; they start when the first of these comes.
pub(crate) fn paper_readers(limits: Limits) -> Readers {
    let start = Start::this_program([crate::READER_MODE]);
    Readers::new(start, limits, HelperPrograms::installed())
}

/// What files are described with.
struct Means {
    sets: SetsByKind,
    keyphrases: Option<KeyphraseModels>,
    msc_table: Option<Arc<MscTable>>,
}

pub(super) fn run(args: &DescribeArgs, place: &Place, color: Color) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let means = Means {
        sets: SetsByKind::load(&args.sets, &config.describe, place.dir())?,
        keyphrases: keyphrase_models(&config.describe)?,
        msc_table: msc_table(args.msc_table.as_deref(), &config.describe, place.dir())?,
    };
    let papers = paper_readers(config.describe.reader_limits());
    let mut exit = Exit::Done;
    for files in args.files.chunks(BATCH) {
        let results = on_all_cores(files, |path| {
            if args.xml {
                return xml(path, &papers);
            }
            let file = LooseFile::read(path, &papers)?;
            let description = file.describe(&means, args);
            Ok(match args.json {
                true => json_line(&file.id, &description),
                false => as_text(&file.id, &description),
            })
        });
        for (path, result) in files.iter().zip(results) {
            match result {
                Ok(text) => output::print(&text)?,
                Err(failure) => {
                    if args.json {
                        output::print(&failure_line(path, &failure))?;
                    }
                    crate::messages::print(&failure, color);
                    exit = Exit::Failures;
                }
            }
        }
    }
    Ok(exit)
}

/// What heuristics see: of a page all of it, also what is left out when it is described.
fn xml(path: &Path, papers: &Readers) -> Result<String, Failure> {
    let bytes = loose_files::read(path)?;
    if is_paper(&bytes, &path.to_string_lossy(), None) {
        return Ok(read_paper(&bytes, path, papers)?.page.xml());
    }
    check_page(&bytes, path)?;
    Ok(parse(&bytes, None).xml())
}

/// A file that cannot be described has its line too, so that none is missing among the results.
fn failure_line(file: &Path, failure: &Failure) -> String {
    format!("{}\n", json!({ "id": file.to_string_lossy(), "error": failure.in_short() }))
}

/// The chosen values with their weights and rules; the rules' own weights in brackets.
pub(crate) fn as_text(id: &str, description: &Description) -> String {
    let mut rows = Vec::new();
    for statement in description.statements.iter().filter(|it| it.chosen) {
        let rule = statement.rules.first().map_or("", |rule| rule.as_str());
        let place = statement.place.as_ref().map(ToString::to_string).unwrap_or_default();
        rows.push(vec![
            format!("  {}", statement.field),
            format!("{:.2} [{:.1}]", statement.weight, statement.initial),
            shortened(&statement.value),
            rule.to_owned(),
            place,
        ]);
    }
    let mut text = format!("{id}\n");
    match rows.is_empty() {
        true => text.push_str("  nothing found\n"),
        false => text.push_str(&output::table(&rows)),
    }
    if let Some(trouble) = &description.trouble {
        text.push_str(&format!("  trouble: {trouble}\n"));
    }
    Harmless(text).to_string()
}

/// Characters of a value in a table.
const VALUE_SHOWN: usize = 70;

fn shortened(value: &str) -> String {
    match value.char_indices().nth(VALUE_SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
