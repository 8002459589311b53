//! `auslese vocabulary`: thesauri, classifications and subject headings of a harvest, and the concordances
//! between them.

use crate::args::Place;
use crate::messages::{Color, Exit, Failure, Harmless, Outcome, Word, say};
use crate::output;
use anyhow::Context;
use auslese_vocabulary::{
    ConceptLink, ConceptView, Import, ImportError, ImportFormat, ImportOptions, Listed,
    MappingView, Problem, ShortName, StoreError, Stored, Vocabularies, VocabularyStore,
};
use clap::{Args, Subcommand};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Vocabularies and concordances: import, list, show, remove
///
/// They let a question in the words of one vocabulary find documents that are indexed with another; see
/// `auslese search transfer`.
#[derive(Debug, Args)]
pub(crate) struct VocabularyArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Import(ImportArgs),
    List(ListArgs),
    Show(ShowArgs),
    Remove(RemoveArgs),
}

/// Import a vocabulary or a concordance
///
/// SKOS as Turtle, N-Triples or RDF/XML, mappings as SSSOM (TSV), both as JSKOS (JSON, or one object
/// per line); packed with gzip, too. One of the same name is replaced. Mappings to concepts that are not
/// there yet wait for their vocabulary.
#[derive(Debug, Args)]
#[command(after_help = IMPORT_EXAMPLES)]
struct ImportArgs {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Its short name; otherwise that of the file
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The format, if name and beginning of the file do not tell: turtle, n-triples, rdf-xml, sssom, jskos
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<ImportFormat>,

    /// Take the concepts of this scheme only, by its address
    #[arg(long, value_name = "URI")]
    scheme: Option<String>,

    /// Mappings hold in the direction in which they are written only
    #[arg(long)]
    directed: bool,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  auslese vocabulary import thesaurus.ttl subjects.rdf --dir giessen
  auslese vocabulary import stw.rdf.gz --name stw --dir giessen
  auslese vocabulary import thesaurus-subjects.sssom.tsv --dir giessen";

/// List vocabularies and concordances
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const LIST_EXAMPLES: &str = "\
Examples:
  auslese vocabulary list --dir giessen";

/// Show the tree of a vocabulary, or all about a concept
#[derive(Debug, Args)]
#[command(after_help = SHOW_EXAMPLES)]
struct ShowArgs {
    /// The vocabulary
    #[arg(value_name = "NAME")]
    name: String,

    /// A concept: its address, notation, or a part of a label
    #[arg(value_name = "CONCEPT")]
    concept: Option<String>,

    /// Levels of the tree
    #[arg(long, value_name = "N", default_value_t = 3)]
    levels: usize,

    /// Names in this language, where there are any
    #[arg(long, value_name = "TAG", default_value = "de")]
    language: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  auslese vocabulary show thesaurus --dir giessen
  auslese vocabulary show thesaurus Arbeitslosigkeit --dir giessen";

/// Remove a vocabulary with its mappings, a concordance, or what was learnt
#[derive(Debug, Args)]
#[command(after_help = REMOVE_EXAMPLES)]
struct RemoveArgs {
    #[arg(value_name = "NAME")]
    name: String,
}

const REMOVE_EXAMPLES: &str = "\
Examples:
  auslese vocabulary remove thesaurus --dir giessen";

/// Problems of an import that are told.
const TOLD: usize = 20;
/// Concepts that are listed of a tree.
const LISTED: usize = 500;

pub(crate) fn run(args: &VocabularyArgs, place: &Place, color: Color) -> Outcome {
    let store = store(place);
    match &args.action {
        Action::Import(args) => import(args, &store, color),
        Action::List(args) => list(args, &store),
        Action::Show(args) => show(args, &store),
        Action::Remove(args) => remove(args, &store),
    }
}

fn store(place: &Place) -> VocabularyStore {
    VocabularyStore::at(place.dir().join("vocabularies"))
}

fn format(text: &str) -> Result<ImportFormat, String> {
    ImportFormat::parse(text)
        .ok_or_else(|| "there are turtle, n-triples, rdf-xml, sssom and jskos".to_owned())
}

fn short_name(text: &str) -> Result<ShortName, Failure> {
    ShortName::new(text).ok_or_else(|| {
        Failure::usage(format!("{text:?} is no short name"))
            .hint("small letters, digits, `-`, `_` and `.`, beginning with a letter or digit")
    })
}

fn import(args: &ImportArgs, store: &VocabularyStore, color: Color) -> Outcome {
    if args.name.is_some() && args.files.len() > 1 {
        return Err(Failure::usage("--name is for one file")
            .hint("import them one by one, or leave out --name"));
    }
    let options = ImportOptions {
        id: args.name.as_deref().map(short_name).transpose()?,
        format: args.format,
        scheme: args.scheme.clone(),
        directed: args.directed.then_some(true),
    };
    for file in &args.files {
        let name = file.display().to_string();
        let input = unpacked(file).with_context(|| format!("cannot read {name}"))?;
        let import = Import::read(input, &name, &options).map_err(import_failure)?;
        let (warnings, untold) = (import.warnings.clone(), import.untold_warnings);
        let added = store.add(import).map_err(store_failure)?;
        tell(&warnings, untold, color);
        for (stored, what) in [(&added.vocabulary, "concepts"), (&added.concordance, "mappings")] {
            if let Some(Stored { id, replaced, entries }) = stored {
                let replaced = if *replaced { ", in the place of an older one" } else { "" };
                output::print(&format!("{id}: {entries} {what}{replaced}\n"))?;
            }
        }
        if !added.unresolved.is_empty() {
            tell(&added.unresolved, 0, color);
            let count = added.unresolved.len();
            let message = format!("{count} mappings wait for concepts that are not there yet");
            say(Word::Note, message, color);
        }
    }
    Ok(Exit::Done)
}

/// A file, unpacked if it is packed with gzip.
fn unpacked(file: &Path) -> std::io::Result<Box<dyn Read>> {
    let mut input = BufReader::new(File::open(file)?);
    let is_packed = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_packed { Box::new(MultiGzDecoder::new(input)) } else { Box::new(input) })
}

fn tell(problems: &[Problem], untold: u64, color: Color) {
    for problem in problems.iter().take(TOLD) {
        say(Word::Note, problem.to_string(), color);
    }
    let more = problems.len().saturating_sub(TOLD) as u64 + untold;
    if more > 0 {
        say(Word::Note, format!("and {more} more"), color);
    }
}

fn list(args: &ListArgs, store: &VocabularyStore) -> Outcome {
    let listed = store.load().map_err(store_failure)?.list();
    if args.json {
        output::print_json(&listed)?;
        return Ok(Exit::Done);
    }
    if listed.is_empty() {
        output::print("there is no vocabulary; `auslese vocabulary import` brings one in\n")?;
        return Ok(Exit::Done);
    }
    let mut rows = Vec::new();
    for one in &listed {
        rows.push(match one {
            Listed::Vocabulary { id, title, concepts, labels, languages, .. } => vec![
                id.to_string(),
                format!("{concepts} concepts, {labels} labels ({})", languages.join(", ")),
                title.values().next().cloned().unwrap_or_default(),
            ],
            Listed::Concordance { id, title, pairs, mappings, unresolved, .. } => {
                let name = |id: &Option<ShortName>| {
                    id.as_ref().map_or("?".to_owned(), ShortName::to_string)
                };
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(from, to, count)| format!("{} → {} {count}", name(from), name(to)))
                    .collect();
                let waiting = match unresolved {
                    0 => String::new(),
                    count => format!(", {count} waiting"),
                };
                vec![
                    id.to_string(),
                    format!("{mappings} mappings: {}{waiting}", pairs.join(", ")),
                    title.clone().unwrap_or_default(),
                ]
            }
        });
    }
    output::print(&output::table(&rows))?;
    Ok(Exit::Done)
}

fn show(args: &ShowArgs, store: &VocabularyStore) -> Outcome {
    let name = short_name(&args.name)?;
    let vocabularies = store.load().map_err(store_failure)?;
    if vocabularies.vocabulary(&name).is_none() {
        return Err(Failure::usage(format!("there is no vocabulary {name}"))
            .hint("`auslese vocabulary list` names them"));
    }
    let languages = [args.language.clone()];
    match &args.concept {
        None => show_tree(args, &vocabularies, &name, &languages),
        Some(wanted) => show_concept(args, &vocabularies, &name, wanted, &languages),
    }
}

fn show_tree(
    args: &ShowArgs,
    vocabularies: &Vocabularies,
    name: &ShortName,
    languages: &[String],
) -> Outcome {
    let tree = vocabularies.tree(name, None, args.levels, LISTED, languages).unwrap_or_default();
    if args.json {
        output::print_json(&tree)?;
        return Ok(Exit::Done);
    }
    if tree.is_empty() {
        let message = "no concept stands at the top, since the hierarchy goes round in circles; name a concept";
        output::print(&format!("{message}\n"))?;
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for node in &tree {
        let notations = node.concept.notations.join(" ");
        let label = format!("{notations} {}", node.concept.label);
        text.push_str(&format!("{}{}\n", "  ".repeat(node.depth), label.trim()));
    }
    output::print(&Harmless(text).to_string())?;
    Ok(Exit::Done)
}

fn show_concept(
    args: &ShowArgs,
    vocabularies: &Vocabularies,
    name: &ShortName,
    wanted: &str,
    languages: &[String],
) -> Outcome {
    let found = match vocabularies.view(name, wanted, languages) {
        Some(view) => Some(view),
        None => {
            let near = vocabularies.search(wanted, Some(name), languages, 1);
            near.first().and_then(|link| vocabularies.view(name, &link.uri, languages))
        }
    };
    let Some(view) = found else {
        return Err(Failure::usage(format!("{name} has no concept {wanted:?}"))
            .hint(format!("`auslese vocabulary show {name}` lists them")));
    };
    match args.json {
        true => output::print_json(&view)?,
        false => output::print(&Harmless(concept_text(&view)).to_string())?,
    }
    Ok(Exit::Done)
}

fn concept_text(view: &ConceptView) -> String {
    let mut text = format!("{}\n  {}\n", view.label, view.uri);
    let mut row = |name: &str, values: Vec<String>| {
        if !values.is_empty() {
            text.push_str(&format!("  {name}: {}\n", values.join("; ")));
        }
    };
    row("notation", view.notations.clone());
    let labels = view.labels.iter();
    row(
        "names",
        labels.map(|it| format!("{} ({}, {})", it.text, it.language, it.kind.as_str())).collect(),
    );
    for path in &view.paths {
        let names: Vec<&str> = path.iter().map(|link| link.label.as_str()).collect();
        row("below", vec![names.join(" › ")]);
    }
    row("narrower", names(&view.children));
    row("related", names(&view.related));
    row("mappings", view.mappings.iter().map(mapping_text).collect());
    for (language, notes) in &view.scope_notes {
        row(&format!("note ({language})"), notes.clone());
    }
    text
}

fn names(links: &[ConceptLink]) -> Vec<String> {
    links.iter().map(|link| link.label.clone()).collect()
}

fn mapping_text(mapping: &MappingView) -> String {
    let of = |link: &ConceptLink| match &link.vocabulary {
        Some(vocabulary) => format!("{} ({vocabulary})", link.label),
        None => link.uri.clone(),
    };
    let to: Vec<String> = mapping.to.iter().map(of).collect();
    let arrow = if mapping.directed { "→" } else { "↔" };
    format!(
        "{} {arrow} {} [{}, {}] in {}",
        of(&mapping.from),
        to.join(" + "),
        mapping.relation,
        mapping.relevance,
        mapping.concordance
    )
}

fn remove(args: &RemoveArgs, store: &VocabularyStore) -> Outcome {
    let name = short_name(&args.name)?;
    if !store.remove(&name).map_err(store_failure)? {
        return Err(Failure::usage(format!("there is nothing called {name}")).hint(
            "`auslese vocabulary list` and `auslese search transfer list` name what there is",
        ));
    }
    output::print(&format!("{name} was removed\n"))?;
    Ok(Exit::Done)
}

/// A file that cannot be imported is a mistake of whoever gave it.
fn import_failure(error: ImportError) -> Failure {
    let hint = match &error {
        ImportError::UnknownFormat { .. } => Some("name the format with --format"),
        ImportError::Unnamed { .. } => Some("name it with --name"),
        _ => None,
    };
    let told: Vec<String> = match &error {
        ImportError::Faulty { problems, .. } => {
            problems.iter().skip(1).take(TOLD).map(Problem::to_string).collect()
        }
        _ => Vec::new(),
    };
    let mut failure = Failure::new(Exit::Usage, error);
    if let Some(hint) = hint {
        failure = failure.hint(hint);
    } else if !told.is_empty() {
        failure = failure.hint(format!("also: {}", told.join("; ")));
    }
    failure
}

/// What is wrong with the folder of vocabularies.
pub(crate) fn store_failure(error: StoreError) -> Failure {
    let exit = match &error {
        StoreError::Damaged { .. } | StoreError::DamagedModel { .. } => Exit::Damaged,
        _ => Exit::Failures,
    };
    let hint = match exit {
        Exit::Damaged => "import it again, or remove the file",
        _ => return Failure::new(exit, error),
    };
    Failure::new(exit, error).hint(hint)
}
