//! `auslese init`: makes a harvest, a directory with a commented configuration.
//!
//! Nothing that exists is ever overwritten. Institutions come from the command line or from a list;
//! a sample of a list is drawn with a seed that is written down, so that the drawing can be repeated.

use super::crawl::harvest_failure;
use super::discover::net_file;
use super::institutions::{self, Drawing};
use crate::args::Place;
use crate::config::text_forms::contact;
use crate::config::{CONFIG_FILE, Institution, write_template};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use anyhow::Context;
use auslese_harvest::HarvestDir;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use toml::Value;

/// Make a new harvest: a directory with a commented auslese.toml
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// Domains (or start pages) of the institutions to collect
    #[arg(conflicts_with = "list", value_name = "DOMAIN")]
    #[arg(value_parser = institutions::parse_root)]
    domains: Vec<Institution>,

    /// File with one institution per line: a label, a comma or tab, and its start page
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,

    /// Draw this many institutions of the list by chance
    #[arg(long, value_name = "N", conflicts_with = "domains")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,

    /// Seed of the drawing; one is made up and written down if none is given
    #[arg(long, value_name = "S", requires = "sample")]
    #[arg(value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Mail address or web page where server operators reach you
    #[arg(long, value_name = "MAIL", value_parser = contact)]
    contact: Option<String>,

    /// Name of the harvest
    #[arg(long)]
    name: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  auslese init uni-giessen.de --dir giessen --contact archive@uni-giessen.de
  auslese init --list universities.txt --dir germany
  auslese init --list universities.txt --sample 30 --seed 2001 --dir sample

A list looks like this:
  # label, start page
  GI, https://www.uni-giessen.de/
  KN, https://www.uni-konstanz.de/";

pub(crate) fn run(args: &InitArgs, place: &Place, color: Color) -> Outcome {
    let (institutions, drawing) = chosen(args)?;
    let dir = place.dir();
    make_directory(dir)?;
    let file = dir.join(CONFIG_FILE);
    let net_file = net_file(place)?;
    write_new(&file, &configuration(args, &institutions, drawing.as_ref(), net_file))?;
    report(&file, &institutions, drawing.as_ref(), args.contact.is_some(), place, color);
    Ok(Exit::Done)
}

fn chosen(args: &InitArgs) -> Result<(Vec<Institution>, Option<Drawing>), Failure> {
    let Some(list) = &args.list else {
        if args.domains.is_empty() {
            return Err(Failure::usage("it is not said what to collect")
                .hint("name domains (`auslese init uni-giessen.de`) or a file with --list"));
        }
        institutions::refuse_repeats(&args.domains)?;
        return Ok((args.domains.clone(), None));
    };
    let all = institutions::read_list(list)?;
    let Some(take) = args.sample else { return Ok((all, None)) };
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let (drawn, drawing) = institutions::draw(all, take as usize, seed)?;
    Ok((drawn, Some(drawing)))
}

/// Short enough to be typed again.
fn seed_of_the_moment() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    time.as_micros() as u64 % 1_000_000
}

fn make_directory(dir: &Path) -> Result<(), Failure> {
    HarvestDir::create(dir).map_err(harvest_failure)?;
    if dir.join(CONFIG_FILE).exists() {
        let message = format!("{} is a harvest already: it has an {CONFIG_FILE}", dir.display());
        return Err(Failure::usage(message)
            .hint(format!("change {CONFIG_FILE} by hand, or name another directory with --dir")));
    }
    Ok(())
}

/// Appears whole or not at all, and never in the place of another file.
pub(crate) fn write_new(file: &Path, text: &str) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write {}", file.display());
    let dir = file.parent().unwrap_or(Path::new("."));
    let mut draft = tempfile::NamedTempFile::new_in(dir).with_context(cannot_write)?;
    draft.write_all(text.as_bytes()).with_context(cannot_write)?;
    draft.as_file().sync_all().with_context(cannot_write)?;
    let written = draft.persist_noclobber(file).with_context(cannot_write)?;
    make_readable(&written).with_context(cannot_write)
}

/// A temporary file is private; a configuration is to be read by colleagues.
pub(crate) fn make_readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

fn configuration(
    args: &InitArgs,
    institutions: &[Institution],
    drawing: Option<&Drawing>,
    net_file: Option<String>,
) -> String {
    let mut given = vec![("harvest.institutions", institutions_value(institutions))];
    let mut give = |path, value: Option<Value>| given.extend(value.map(|value| (path, value)));
    give("harvest.name", args.name.clone().map(Value::from));
    give("harvest.contact", args.contact.clone().map(Value::from));
    give("net.file", net_file.map(Value::from));
    if let Some(Drawing { of, take, seed }) = drawing {
        let list = args.list.as_ref().map(|list| list.display().to_string());
        give("harvest.sample.list", list.map(Value::from));
        give("harvest.sample.of", Some(number(*of)));
        give("harvest.sample.take", Some(number(*take)));
        give("harvest.sample.seed", Some(number(*seed)));
    }
    write_template(&given)
}

pub(crate) fn institutions_value(institutions: &[Institution]) -> Value {
    let entry = |institution: &Institution| {
        let mut table = toml::Table::new();
        table.insert("label".to_owned(), Value::from(institution.label.as_str()));
        table.insert("root".to_owned(), Value::from(institution.root.as_str()));
        Value::Table(table)
    };
    Value::Array(institutions.iter().map(entry).collect())
}

fn number(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn report(
    file: &Path,
    institutions: &[Institution],
    drawing: Option<&Drawing>,
    has_contact: bool,
    place: &Place,
    color: Color,
) {
    let count = match institutions {
        [only] => only.root.to_string(),
        several => format!("{} institutions", several.len()),
    };
    let drawn = drawing.map_or(String::new(), |Drawing { of, seed, .. }| {
        format!(", drawn from {of} with seed {seed}")
    });
    say(Word::Note, format!("wrote {} for {count}{drawn}", file.display()), color);
    if !has_contact {
        let message = "set `contact` in it before you crawl: server operators must be able to \
                       reach you";
        say(Word::Hint, message, color);
    }
    let dir = place.dir.as_ref().map_or(String::new(), |dir| format!(" --dir {}", dir.display()));
    say(
        Word::Hint,
        format!("`auslese run{dir}` begins, `auslese doctor{dir}` checks this machine"),
        color,
    );
}
