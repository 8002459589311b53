//! `auslese citations`: which documents of a harvest cite which, and what stands in their bibliographies.

mod entries;

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_catalog::{Catalog, CitationEdge, CitationNeighbours};
use auslese_model::{CaptureId, RequestId, RunId};
use clap::Args;
pub(super) use entries::{EntryStory, entry_stories, entry_text};
use serde_json::{Value, json};

/// Show which documents cite which, or the references of one document and who cites it
///
/// `auslese describe` finds the bibliographies of documents, takes their entries apart, and resolves those
/// that cite other documents of the harvest. Without an address all citations between documents are
/// listed. With one: its references with their parts and what each resolved to, the documents that cite
/// it, and those within some steps along references in either direction.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CitationsArgs {
    /// The address of a document
    #[arg(value_name = "URL")]
    url: Option<String>,

    /// The run of `auslese describe`; the newest that is finished without a number
    #[arg(long, value_name = "ID")]
    run: Option<i64>,

    /// How many steps along references to go from the document
    #[arg(long, value_name = "N", default_value_t = 1, requires = "url")]
    distance: usize,

    /// Print JSON; without an address one object per line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese citations --dir giessen
  auslese citations http://www.uni.example/papers/a.pdf --dir giessen
  auslese citations http://www.uni.example/papers/a.pdf --distance 3 --dir giessen --json
  auslese citations --run 4 --json --dir giessen | jq -r '[.citing, .cited] | @tsv'";

/// Citations asked for at a time.
const PAGE: usize = 1_000;

pub(crate) fn run(args: &CitationsArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let run = chosen_run(&catalog, args.run).await?;
        match &args.url {
            None => edges(&catalog, run, args.json).await?,
            Some(url) => {
                let story = document_story(&catalog, run, url, args.distance).await?;
                match args.json {
                    true => output::print_json(&story.as_json())?,
                    false => output::print(&Harmless(story.text()).to_string())?,
                }
            }
        }
        catalog.close().await;
        Ok(Exit::Done)
    })
}

async fn chosen_run(catalog: &Catalog, number: Option<i64>) -> Result<RunId, Failure> {
    let run = match number {
        None => catalog.current_describe_run().await.map_err(catalog_failure)?,
        Some(number) => {
            let known = catalog.describe_runs().await.map_err(catalog_failure)?;
            known.into_iter().map(|run| run.run).find(|run| run.0 == number)
        }
    };
    run.ok_or_else(|| match number {
        None => Failure::usage("nothing was described yet").hint("`auslese describe` does it"),
        Some(number) => Failure::usage(format!("there is no run {number}"))
            .hint("`auslese runs list` numbers them"),
    })
}

/// All citations of a run, page by page.
async fn edges(catalog: &Catalog, run: RunId, as_json: bool) -> Result<(), Failure> {
    let mut after = (CaptureId(0), 0);
    let mut none = true;
    loop {
        let page = catalog.citation_edges(run, after, PAGE).await.map_err(catalog_failure)?;
        let Some(last) = page.last() else { break };
        after = (last.capture, last.entry);
        none = false;
        let line = |edge: &CitationEdge| match as_json {
            true => format!("{}\n", edge_json(edge)),
            false => {
                let (score, by) = (edge.cited.score, evidence(&edge.cited.by));
                format!("{} → {}  {score:.2}  {by}\n", edge.citing_url, edge.cited_url)
            }
        };
        let lines: String = page.iter().map(line).collect();
        output::print(&Harmless(lines).to_string())?;
    }
    if none && !as_json {
        output::print("no document cites another one of this harvest\n")?;
    }
    Ok(())
}

fn edge_json(edge: &CitationEdge) -> Value {
    json!({
        "citing": edge.citing_url,
        "entry": edge.entry,
        "cited": edge.cited_url,
        "score": edge.cited.score,
        "by": edge.cited.by,
    })
}

pub(super) fn evidence(by: &[auslese_model::CitationEvidence]) -> String {
    by.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What is known of one document.
#[derive(Debug)]
struct DocumentStory {
    url: String,
    run: RunId,
    references: Vec<EntryStory>,
    cited_by: Vec<CitationEdge>,
    distance: usize,
    neighbours: CitationNeighbours,
}

async fn document_story(
    catalog: &Catalog,
    run: RunId,
    url: &str,
    distance: usize,
) -> Result<DocumentStory, Failure> {
    let Some((capture, document)) = described(catalog, run, url).await? else {
        let message = format!("run {} has not described {url}", run.0);
        return Err(
            Failure::usage(message).hint("`auslese explain URL` says what is known of an address")
        );
    };
    let entries = catalog.citations_of(run, capture).await.map_err(catalog_failure)?;
    Ok(DocumentStory {
        url: url.to_owned(),
        run,
        references: entries.into_iter().map(EntryStory::from).collect(),
        cited_by: catalog.cited_by(run, document).await.map_err(catalog_failure)?,
        distance,
        neighbours: catalog
            .citation_neighbours(run, document, distance)
            .await
            .map_err(catalog_failure)?,
    })
}

/// The capture that stores the body of a document, and the request that stands for it: of addresses
/// with the same body, the first.
pub(super) async fn described(
    catalog: &Catalog,
    run: RunId,
    url: &str,
) -> Result<Option<(CaptureId, RequestId)>, Failure> {
    for known in catalog.find_requests(url).await.map_err(catalog_failure)? {
        let listed = catalog.description_of(known.id, Some(run)).await.map_err(catalog_failure)?;
        let Some(capture) = listed.map(|listed| listed.described.capture) else { continue };
        let stored = catalog.capture(capture).await.map_err(catalog_failure)?;
        return Ok(Some((capture, stored.map_or(known.id, |stored| stored.capture.request))));
    }
    Ok(None)
}

impl DocumentStory {
    fn text(&self) -> String {
        let mut text = format!("{}\nby run {}\n\nreferences\n", self.url, self.run.0);
        self.references.iter().for_each(|entry| text.push_str(&entry_text(entry)));
        if self.references.is_empty() {
            text.push_str("  none were found\n");
        }
        text.push_str("\ncited by\n");
        for edge in &self.cited_by {
            let (score, by) = (edge.cited.score, evidence(&edge.cited.by));
            let CitationEdge { citing_url, entry, .. } = edge;
            text.push_str(&format!("  {citing_url}, entry {entry}  {score:.2}  {by}\n"));
        }
        if self.cited_by.is_empty() {
            text.push_str("  no document of this harvest\n");
        }
        let steps = if self.distance == 1 { "step" } else { "steps" };
        text.push_str(&format!("\nwithin {} {steps}\n", self.distance));
        for it in &self.neighbours.documents {
            text.push_str(&format!("  {}  {}\n", it.distance, it.url));
        }
        if self.neighbours.documents.is_empty() {
            text.push_str("  no document of this harvest\n");
        }
        if self.neighbours.cut {
            text.push_str("  and more\n");
        }
        text
    }

    fn as_json(&self) -> Value {
        let neighbours = self.neighbours.documents.iter();
        let neighbours: Vec<Value> =
            neighbours.map(|it| json!({ "url": it.url, "distance": it.distance })).collect();
        json!({
            "url": self.url,
            "run": self.run.0,
            "references": self.references,
            "cited_by": self.cited_by.iter().map(edge_json).collect::<Vec<Value>>(),
            "neighbours": neighbours,
            "more_neighbours": self.neighbours.cut,
        })
    }
}
