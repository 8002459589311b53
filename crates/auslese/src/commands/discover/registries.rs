//! Two tools for looking at single steps: reading a registry's answer, comparing two names.

use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use auslese_discover::{Ground, Party, Registration, Side, Similarity, parse_whois, similarity};
use clap::Args;
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;

/// Read the answer of a WHOIS server
#[derive(Debug, Args)]
#[command(after_help = WHOIS_EXAMPLES)]
pub(crate) struct ParseWhoisArgs {
    /// File with the answer, `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const WHOIS_EXAMPLES: &str = "\
Examples:
  auslese discover parse-whois answer.txt --json
  whois -h whois.denic.de -- '-T dn,ace uni-giessen.de' | auslese discover parse-whois -";

/// Compare two names of institutions, and say what counts
#[derive(Debug, Args)]
#[command(after_help = SIMILARITY_EXAMPLES)]
pub(crate) struct SimilarityArgs {
    /// The name of the institution
    #[arg(value_name = "A")]
    root: String,

    /// The name to compare with it
    #[arg(value_name = "B")]
    other: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const SIMILARITY_EXAMPLES: &str = "\
Examples:
  auslese discover similarity 'Universität Gießen' 'UNIVERSITAET GIESSEN, Rechenzentrum'
  auslese discover similarity 'Hochschule Hannover' 'Medizinische Hochschule Hannover' --json";

/// An answer, read; the shape of the JSON is a promise.
#[derive(Debug, Serialize)]
struct ReadAnswer<'a> {
    registrant: Registrant<'a>,
    name_servers: &'a [String],
    net_range: Vec<String>,
    state: &'static str,
}

#[derive(Debug, Serialize)]
struct Registrant<'a> {
    name: Option<&'a str>,
    organization: Option<&'a str>,
    address: &'a [String],
    email: Option<&'a str>,
}

pub(super) fn run_parse_whois(args: &ParseWhoisArgs) -> Outcome {
    let registration = parse_whois(&read_file(&args.file)?);
    if args.json {
        output::print_json(&answer(&registration))?;
    } else {
        output::print(&answer_text(&registration))?;
    }
    Ok(Exit::Done)
}

/// More than any registry says; the reader itself looks at less.
const LARGEST_ANSWER: u64 = 1 << 20;

fn read_file(file: &PathBuf) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == "-" {
        std::io::stdin().lock().take(LARGEST_ANSWER).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|open| open.take(LARGEST_ANSWER).read_to_end(&mut bytes))
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(cause) => {
            let error =
                anyhow::Error::new(cause).context(format!("cannot read {}", file.display()));
            Err(Failure::new(Exit::Usage, error))
        }
    }
}

fn answer(registration: &Registration) -> ReadAnswer<'_> {
    let Party { name, organization, address, email } = &registration.registrant;
    ReadAnswer {
        registrant: Registrant {
            name: name.as_deref(),
            organization: organization.as_deref(),
            address,
            email: email.as_deref(),
        },
        name_servers: &registration.name_servers,
        net_range: registration.net_range.iter().map(ToString::to_string).collect(),
        state: registration.state.as_str(),
    }
}

fn answer_text(registration: &Registration) -> String {
    let ReadAnswer { registrant, name_servers, net_range, state } = answer(registration);
    let row = |name: &str, value: String| [name.to_owned(), value];
    let rows = [
        row("state", state.to_owned()),
        row("name", registrant.name.unwrap_or("–").to_owned()),
        row("organization", registrant.organization.unwrap_or("–").to_owned()),
        row("address", registrant.address.join("; ")),
        row("email", registrant.email.unwrap_or("–").to_owned()),
        row("name servers", name_servers.join(" ")),
        row("net range", net_range.join(" ")),
    ];
    output::columns(&rows)
}

pub(super) fn run_similarity(args: &SimilarityArgs) -> Outcome {
    let similarity = similarity(&args.root, &args.other);
    if args.json {
        output::print_json(&similarity)?;
    } else {
        output::print(&similarity_text(&similarity))?;
    }
    Ok(Exit::Done)
}

fn similarity_text(similarity: &Similarity) -> String {
    let ground = match similarity.ground {
        Ground::Spelling => "they are spelled alike",
        Ground::Coverage => "the second contains the first",
        Ground::Separated => "a word separates them",
        Ground::NothingTold => "one of them names nobody",
    };
    let Similarity { score, levenshtein, coverage, .. } = similarity;
    let mut text =
        format!("{score:.3}  {ground}\nspelling {levenshtein:.3}, covered {coverage:.3}\n\n");
    let words = similarity.reasons.iter().map(|reason| {
        let fate = match (&reason.matched, reason.separates) {
            (_, true) => "separates".to_owned(),
            (Some(other), _) => format!("= {other}"),
            (None, _) => "missing".to_owned(),
        };
        let side = match reason.side {
            Side::Root => "first",
            Side::Other => "second",
        };
        let class = format!("{:?}", reason.class).to_lowercase();
        [reason.token.clone(), side.to_owned(), class, format!("{:.2}", reason.weight), fate]
    });
    let head = ["word", "name", "kind", "weight", "fate"].map(str::to_owned);
    text.push_str(&output::columns(&std::iter::once(head).chain(words).collect::<Vec<_>>()));
    text
}
