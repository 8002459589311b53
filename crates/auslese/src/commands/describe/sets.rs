//! Which heuristics and weights a command works with: named on the command line, in the settings, or
//! those that come with the program.

use super::super::keyphrases;
use crate::config::DescribeTable;
use crate::messages::{Complaint, Exit, Failure};
use anyhow::Context;
use auslese_describe::{
    Heuristics, HeuristicsErrors, KeyphraseModels, MscTable, SHIPPED_HEURISTICS, Weights,
};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// Options of all commands that describe.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SetsArgs {
    /// The heuristics: `default` for pages, `papers` for documents made of pages, `carmen` (as in the
    /// paper), or a folder with .heur files; over a harvest they are those for pages
    #[arg(long, value_name = "NAME|DIR")]
    pub(crate) heuristics: Option<String>,

    /// A file with weights instead of those that come with the heuristics; `none` trusts the rules'
    /// own
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
}

impl SetsArgs {
    /// The heuristics of the command line, else those of the settings.
    pub(crate) fn heuristics_or(
        &self,
        table: &DescribeTable,
        dir: &Path,
    ) -> Result<FoundSet, Failure> {
        match &self.heuristics {
            Some(name) => FoundSet::named(name, Path::new("")),
            None => FoundSet::named(&table.heuristics, dir),
        }
    }

    /// The weights of the command line, if it names any.
    pub(crate) fn weights_if_named(&self) -> Result<Option<Weights>, Failure> {
        self.weights.as_deref().map(weights).transpose()
    }
}

/// What descriptions are made with.
#[derive(Debug, Clone)]
pub(crate) struct Sets {
    pub(crate) heuristics: Arc<Heuristics>,
    pub(crate) weights: Arc<Weights>,
}

impl Sets {
    /// Paths of the command line start where the user stands, those of the settings at the harvest.
    pub(crate) fn load(
        args: &SetsArgs,
        table: &DescribeTable,
        dir: &Path,
    ) -> Result<Sets, Failure> {
        let found = args.heuristics_or(table, dir)?;
        let file = weights_file(table, dir);
        Sets::with_weights(found, args.weights_if_named()?, table.weights.is_some(), &file)
    }

    /// The set for documents made of pages that the settings name.
    fn for_papers(table: &DescribeTable, dir: &Path) -> Result<LaterSets, Failure> {
        let (name, file) = (table.paper_heuristics.clone(), paper_weights_file(table, dir));
        let is_shipped = SHIPPED_HEURISTICS.contains(&name.as_str());
        if is_shipped && table.paper_weights.is_none() && !file.is_file() {
            return Ok(LazyLock::new(Box::new(move || Sets::shipped(&name))));
        }
        let found = FoundSet::named(&name, dir)?;
        let sets = Sets::with_weights(found, None, table.paper_weights.is_some(), &file)?;
        Ok(known(sets))
    }

    fn shipped(name: &str) -> Sets {
        let heuristics = Heuristics::shipped(name).expect("it is in the list of shipped ones");
        let weights = Weights::shipped_for(heuristics.name());
        Sets { heuristics: Arc::new(heuristics), weights: Arc::new(weights) }
    }

    fn with_weights(
        found: FoundSet,
        named: Option<Weights>,
        is_set: bool,
        file: &Path,
    ) -> Result<Sets, Failure> {
        let weights = match named {
            Some(named) => named,
            None if is_set => weights(file)?,
            None => own_weights(&found, file)?,
        };
        Ok(Sets { heuristics: Arc::new(found.heuristics), weights: Arc::new(weights) })
    }
}

/// The weights of pages that a harvest has itself: where the settings say, or where the front end puts them.
pub(crate) fn weights_file(table: &DescribeTable, dir: &Path) -> PathBuf {
    dir.join(table.weights.as_deref().unwrap_or(Path::new(OWN_WEIGHTS)))
}

/// The same for documents made of pages.
pub(crate) fn paper_weights_file(table: &DescribeTable, dir: &Path) -> PathBuf {
    dir.join(table.paper_weights.as_deref().unwrap_or(Path::new(OWN_PAPER_WEIGHTS)))
}

/// In a harvest, and beside a set in its folder.
pub(crate) const OWN_WEIGHTS: &str = "weights.toml";
const OWN_PAPER_WEIGHTS: &str = "paper-weights.toml";

/// Weights that were measured for these heuristics on the documents of the harvest, else those that come with them.
fn own_weights(found: &FoundSet, file: &Path) -> Result<Weights, Failure> {
    if file.is_file() {
        let own = weights(file)?;
        if own.header.heuristics == found.heuristics.name() {
            return Ok(own);
        }
    }
    found.weights()
}

/// Sets that are read when the first document asks for them. Only those that come with the program wait: they cannot be
/// faulty, and whoever describes pages alone is spared reading the rules for papers, which takes twice as long as
/// reading those for pages.
type LaterSets = LazyLock<Sets, Box<dyn FnOnce() -> Sets + Send>>;

fn known(sets: Sets) -> LaterSets {
    LazyLock::new(Box::new(move || sets))
}

/// What pages and what documents made of pages are described with.
#[derive(Debug)]
pub(crate) struct SetsByKind {
    pub(crate) pages: Sets,
    pub(crate) papers: LaterSets,
}

impl SetsByKind {
    /// For documents that are named one by one: heuristics or weights of the command line are meant
    /// for whatever it names.
    pub(crate) fn load(
        args: &SetsArgs,
        table: &DescribeTable,
        dir: &Path,
    ) -> Result<SetsByKind, Failure> {
        let pages = Sets::load(args, table, dir)?;
        let papers = match args.heuristics.is_some() || args.weights.is_some() {
            true => known(pages.clone()),
            false => Sets::for_papers(table, dir)?,
        };
        Ok(SetsByKind { pages, papers })
    }

    /// For a harvest, which has both: the command line speaks of pages.
    pub(crate) fn for_harvest(
        args: &SetsArgs,
        table: &DescribeTable,
        dir: &Path,
    ) -> Result<SetsByKind, Failure> {
        let (pages, papers) = (Sets::load(args, table, dir)?, Sets::for_papers(table, dir)?);
        Ok(SetsByKind { pages, papers })
    }
}

/// What keyphrases are extracted with, unless the settings want none.
pub(crate) fn keyphrase_models(table: &DescribeTable) -> Result<Option<KeyphraseModels>, Failure> {
    if !table.keyphrases {
        return Ok(None);
    }
    let named = table.keyphrase_models.iter().map(|name| keyphrases::model(name));
    Ok(Some(KeyphraseModels::new(named.collect::<Result<_, _>>()?)))
}

/// What codes of the MSC are checked against, if the command line or the settings name a table.
pub(super) fn msc_table(
    named: Option<&Path>,
    table: &DescribeTable,
    dir: &Path,
) -> Result<Option<Arc<MscTable>>, Failure> {
    let of_settings = || table.msc_table.as_ref().map(|file| dir.join(file));
    let Some(file) = named.map(Path::to_path_buf).or_else(of_settings) else { return Ok(None) };
    let bytes = crate::input::read_table(&file)?;
    let table = MscTable::parse(&String::from_utf8_lossy(&bytes)).map_err(|cause| {
        let context = format!("cannot use the table of the MSC in {}", file.display());
        let hint = "a table is plain text with a code at the beginning of each line";
        Failure::new(Exit::Usage, anyhow::Error::new(cause).context(context)).hint(hint)
    })?;
    Ok(Some(Arc::new(table)))
}

/// A set that somebody named.
#[derive(Debug)]
pub(crate) struct FoundSet {
    pub(crate) heuristics: Heuristics,
    /// Where it was read; none if it comes with the program.
    folder: Option<PathBuf>,
}

impl FoundSet {
    /// A set by its name, or from a folder. A folder of that name goes before a shipped set only if it is
    /// written as a path.
    pub(crate) fn named(name: &str, base: &Path) -> Result<FoundSet, Failure> {
        if let Some(heuristics) = Heuristics::shipped(name) {
            return Ok(FoundSet { heuristics, folder: None });
        }
        let folder = base.join(name);
        if !folder.is_dir() {
            let message =
                format!("there are no heuristics called {name}, and no folder of that name");
            let hint = format!("those that come with the program are {}", shipped_names());
            return Err(Failure::usage(message).hint(hint));
        }
        let heuristics = Heuristics::read(&folder).map_err(|errors| heuristics_failure(&errors))?;
        Ok(FoundSet { heuristics, folder: Some(folder) })
    }

    /// The weights that come with it: those of the program, or the file in its folder, else those that the
    /// rules were written with. So a copy of a set says the same as the set.
    pub(crate) fn weights(&self) -> Result<Weights, Failure> {
        let Some(folder) = &self.folder else {
            return Ok(Weights::shipped_for(self.heuristics.name()));
        };
        let file = folder.join(OWN_WEIGHTS);
        if file.is_file() { weights(&file) } else { Ok(Weights::initial()) }
    }
}

fn shipped_names() -> String {
    SHIPPED_HEURISTICS.join(", ")
}

/// All faults of a set, each with its file, line and column.
pub(crate) fn heuristics_failure(errors: &HeuristicsErrors) -> Failure {
    let complaints = errors
        .0
        .iter()
        .map(|error| Complaint { error: anyhow::Error::msg(error.to_string()), hint: None })
        .collect();
    Failure::all(Exit::Usage, complaints)
}

fn weights(file: &Path) -> Result<Weights, Failure> {
    if file == Path::new("none") {
        return Ok(Weights::initial());
    }
    let bytes = crate::input::read_table(file)?;
    let cannot_use = || format!("cannot use the weights in {}", file.display());
    let text = String::from_utf8(bytes)
        .context("it is not in UTF-8")
        .with_context(cannot_use)
        .map_err(|error| Failure::new(Exit::Usage, error))?;
    Weights::parse(&text).map_err(|cause| {
        let error = anyhow::Error::new(cause).context(cannot_use());
        Failure::new(Exit::Usage, error).hint("`auslese heuristics calibrate` makes such a file")
    })
}
