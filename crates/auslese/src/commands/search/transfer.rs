//! `auslese search transfer`: how questions are carried from one vocabulary into another, what was learnt
//! for that, and what would be searched.

use super::AskingArgs;
use super::asking::{ask, failure};
use super::opening::{Opened, search_failure};
use crate::args::Place;
use crate::commands::vocabulary::store_failure;
use crate::config::{Config, TransferChoice};
use crate::messages::{Color, Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_harvest::HarvestDir;
use auslese_inquiry::{Collection, Transferring};
use auslese_search::{Facet, QuerySyntax, SearchRequest, SearchResults};
use auslese_vocabulary::{
    LearnSettings, Learner, Measure, Rewriting, ShortName, Switch, TransferDocument, TransferTerm,
    VocabularyStore,
};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Carry questions from one vocabulary into another: learn, explain, list
#[derive(Debug, Args)]
pub(super) struct TransferArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Learn(LearnArgs),
    Explain(ExplainArgs),
    List(ListArgs),
}

/// Learn from documents that carry both which words go with which controlled terms
///
/// Counts in how many documents of the index words and terms occur together. Collections whose `model`
/// of the table `search` names the result are then asked with the terms that go with the words of a question.
#[derive(Debug, Args)]
#[command(after_help = LEARN_EXAMPLES)]
struct LearnArgs {
    /// The name of the result
    #[arg(long, value_name = "NAME", default_value = "general")]
    name: String,

    /// Learn from this collection only
    #[arg(long, value_name = "NAME")]
    collection: Option<String>,

    /// The language of the texts, for the endings of words; otherwise that of most documents
    #[arg(long, value_name = "TAG")]
    language: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const LEARN_EXAMPLES: &str = "\
Examples:
  auslese search transfer learn --dir giessen
  auslese search transfer learn --name sociology --collection sociology --dir giessen";

/// Show what would be searched for a question in each collection, and why
#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
struct ExplainArgs {
    /// The question
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,

    /// Which transfers act [default: the setting `search.transfer`]
    #[arg(long, value_enum, value_name = "WHICH")]
    transfer: Option<TransferChoice>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  auslese search transfer explain Erwerbslosigkeit --dir giessen
  auslese search transfer explain 'soziale Mobilität' --transfer all --dir giessen";

/// List collections with their vocabularies, and what was learnt
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const LIST_EXAMPLES: &str = "\
Examples:
  auslese search transfer list --dir giessen";

pub(super) fn run(args: &TransferArgs, place: &Place, color: Color) -> Outcome {
    match &args.action {
        Action::Learn(args) => learn(args, place, color),
        Action::Explain(args) => explain(args, place, color),
        Action::List(args) => list(args, place, color),
    }
}

/// What the first harvest has, switched as the command line says.
pub(super) fn transferring(opened: &Opened, args: &AskingArgs) -> Result<Transferring, Failure> {
    let mut transferring = load(opened, args.transfer)?;
    let switches = [(&args.switch_on, Switch::On), (&args.switch_off, Switch::Off)];
    for (ids, switch) in switches {
        for id in ids {
            transferring.switch(id, switch);
        }
    }
    Ok(transferring)
}

fn load(opened: &Opened, choice: Option<TransferChoice>) -> Result<Transferring, Failure> {
    let config = opened.config.as_ref();
    let choice = choice.or(config.map(|config| config.search.transfer));
    let choice = choice.unwrap_or(TransferChoice::Exact);
    let measure = config.and_then(|config| Measure::parse(&config.search.measure));
    let collections = config.map(collections).transpose()?.unwrap_or_default();
    Transferring::load(&store(&opened.dirs[0]), choice.into(), measure, &collections)
        .map_err(store_failure)
}

/// Asks with all transfers that act.
pub(super) fn ask_transferred(
    transferring: &Transferring,
    opened: &Opened,
    request: SearchRequest,
) -> Result<(SearchResults, Vec<Rewriting>), Failure> {
    let query = request.query.clone();
    transferring.search(&opened.searcher, request).map_err(|error| failure(error, &query))
}

pub(crate) fn store(dir: &std::path::Path) -> VocabularyStore {
    let folder: PathBuf =
        HarvestDir::open(dir).map_or_else(|_| dir.join("vocabularies"), |dir| dir.vocabularies());
    VocabularyStore::at(folder)
}

/// The collections of the configuration.
pub(crate) fn collections(config: &Config) -> Result<Vec<Collection>, Failure> {
    let collections = config.search.collections.iter().map(|collection| {
        Ok(Collection {
            name: collection.name.clone(),
            vocabulary: collection.vocabulary.as_deref().map(short_name).transpose()?,
            model: collection.model.as_deref().map(short_name).transpose()?,
        })
    });
    collections.collect()
}

fn short_name(text: &str) -> Result<ShortName, Failure> {
    ShortName::new(text).ok_or_else(|| {
        Failure::usage(format!("{text:?} is no short name"))
            .hint("small letters, digits, `-`, `_` and `.`, beginning with a letter or digit")
    })
}

fn learn(args: &LearnArgs, place: &Place, color: Color) -> Outcome {
    let name = short_name(&args.name)?;
    let opened = Opened::open(place, &[], color)?;
    let language = match &args.language {
        Some(language) => Some(language.clone()),
        None => main_language(&opened)?,
    };
    let mut learner = Learner::new(LearnSettings { language, ..LearnSettings::default() });
    let mut documents = 0_u64;
    for document in opened.searcher.learning_documents().map_err(search_failure)? {
        let document = document.map_err(search_failure)?;
        if args.collection.as_ref().is_some_and(|wanted| *wanted != document.collection) {
            continue;
        }
        let terms: Vec<&str> = document.words.iter().map(|(_, word)| word.as_str()).collect();
        let controlled: Vec<TransferTerm<'_>> = document
            .subjects
            .iter()
            .map(|(scheme, term, weight)| TransferTerm {
                scheme: scheme.as_deref().unwrap_or_default(),
                term,
                weight: *weight,
            })
            .collect();
        learner.add(TransferDocument { terms: &terms, controlled: &controlled });
        documents += 1;
    }
    if documents == 0 {
        return Err(Failure::usage("no document has both words and controlled terms")
            .hint("`auslese describe` finds keywords and classifications; then index again"));
    }
    let model = learner.finish(name.as_str());
    store(place.dir()).add_model(&name, &model).map_err(store_failure)?;
    let (words, terms, pairs) = model.size();
    if args.json {
        output::print_json(&serde_json::json!({
            "name": name, "documents": documents, "words": words, "terms": terms, "pairs": pairs,
        }))?;
    } else {
        output::print(&format!(
            "{name}: {words} words and {terms} terms in {pairs} pairs, learnt from {documents} documents\n"
        ))?;
    }
    Ok(Exit::Done)
}

/// The language of most documents.
fn main_language(opened: &Opened) -> Result<Option<String>, Failure> {
    let facets = vec![Facet::Language];
    let request = SearchRequest { facets, limit: 0, ..SearchRequest::new("*") };
    let counts = ask(opened, &request)?.facets;
    let first = counts.into_iter().flat_map(|it| it.values).find(|(tag, _)| !tag.is_empty());
    Ok(first.map(|(tag, _)| tag))
}

fn explain(args: &ExplainArgs, place: &Place, color: Color) -> Outcome {
    let query = args.query.join(" ");
    let opened = Opened::open(place, &[], color)?;
    let transferring = load(&opened, args.transfer)?;
    let request = SearchRequest { syntax: QuerySyntax::Language, ..SearchRequest::new(&query) };
    let (results, rewritings) =
        ask_transferred(&transferring, &opened, SearchRequest { limit: 1, ..request })?;
    if args.json {
        output::print_json(&serde_json::json!({
            "query": query, "collections": rewritings, "hits": results.alternatives,
        }))?;
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for rewriting in &rewritings {
        text.push_str(&format!("{}\n", rewriting.collection));
        for transfer in &rewriting.transfers {
            let of_collection = |it: &&auslese_search::AlternativeHits| {
                it.id == transfer.id && it.collection.as_deref() == Some(&rewriting.collection)
            };
            let hits: u64 =
                results.alternatives.iter().filter(of_collection).map(|it| it.hits).sum();
            let state = if transfer.active { format!("{hits} found") } else { "off".to_owned() };
            text.push_str(&format!(
                "  {} → {}  {:.2}  {state}\n    {}\n    {}\n",
                transfer.words,
                transfer.target.label(),
                transfer.weight,
                transfer.why,
                transfer.id
            ));
        }
        for note in &rewriting.notes {
            text.push_str(&format!("  note: {note}\n"));
        }
    }
    output::print(&Harmless(text).to_string())?;
    Ok(Exit::Done)
}

fn list(args: &ListArgs, place: &Place, color: Color) -> Outcome {
    let opened = Opened::open(place, &[], color)?;
    let transferring = load(&opened, None)?;
    if args.json {
        let collections: Vec<_> = transferring
            .collections()
            .iter()
            .map(|it| {
                serde_json::json!({
                    "name": it.name, "vocabulary": it.vocabulary, "models": it.models,
                })
            })
            .collect();
        let models: Vec<_> = transferring
            .models()
            .iter()
            .map(|(name, model)| serde_json::json!({ "name": name, "head": model.head, "size": model.size() }))
            .collect();
        output::print_json(&serde_json::json!({ "collections": collections, "models": models }))?;
        return Ok(Exit::Done);
    }
    let mut rows = vec![["collection", "vocabulary", "learnt"].map(str::to_owned).to_vec()];
    for collection in transferring.collections() {
        let vocabulary = collection.vocabulary.as_ref().map_or("–", ShortName::as_str).to_owned();
        let models: Vec<&str> = collection.models.iter().map(ShortName::as_str).collect();
        let models = if models.is_empty() { "–".to_owned() } else { models.join(", ") };
        rows.push(vec![collection.name.clone(), vocabulary, models]);
    }
    let mut text = output::table(&rows);
    for (name, model) in transferring.models().iter() {
        let (words, terms, pairs) = model.size();
        let documents = model.head.documents;
        text.push_str(&format!(
            "{name}: {words} words and {terms} terms in {pairs} pairs, learnt from {documents} documents\n"
        ));
    }
    output::print(&text)?;
    Ok(Exit::Done)
}
