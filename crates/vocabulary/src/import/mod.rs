//! Reads vocabularies and concordances that others have made: SKOS, SSSOM, JSKOS.
//!
//! Each format says what it finds to [`gathered`], which knows nothing of formats. Bytes come from
//! a reader and are never held as a whole; what unpacks them is the caller's business.

mod format;
mod gathered;
mod jskos;
mod json_records;
mod limits;
mod lines;
mod rdf;
mod rdf_xml;
mod sssom;
mod turtle;
mod turtle_places;
mod xml_guard;

pub use format::ImportFormat;
pub(crate) use gathered::MAPPINGS_OF_VOCABULARY;
pub use limits::*;

use crate::problem::{Problem, Problems};
use crate::{Concordance, ShortName, Vocabulary};
use gathered::Gathered;
use lines::Metered;
use std::io::{self, BufRead, BufReader, Read};

/// What a file contained.
#[derive(Debug)]
pub struct Import {
    pub format: ImportFormat,
    /// If it describes concepts.
    pub vocabulary: Option<Vocabulary>,
    /// If it maps concepts to others.
    pub concordance: Option<Concordance>,
    pub warnings: Vec<Problem>,
    /// Warnings beyond those.
    pub untold_warnings: u64,
}

/// What a file cannot say of itself.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Its short name; by default that of the file.
    pub id: Option<ShortName>,
    /// By default told from its name and its first bytes.
    pub format: Option<ImportFormat>,
    /// Take the concepts of this scheme only.
    pub scheme: Option<String>,
    /// Whether exact, close and related mappings hold in the written direction only. By default
    /// those of JSKOS do, while SKOS and SSSOM, which use the words of SKOS, are symmetric.
    pub directed: Option<bool>,
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("cannot read {file}")]
    Read {
        file: String,
        #[source]
        cause: io::Error,
    },
    #[error(
        "{file} is none of the formats known here: SKOS as Turtle, N-Triples or RDF/XML, SSSOM (TSV), JSKOS (JSON)"
    )]
    UnknownFormat { file: String },
    #[error("{file} was read as {format} and has neither concepts nor mappings")]
    Empty { file: String, format: ImportFormat },
    #[error("{file} gives no short name; name the vocabulary")]
    Unnamed { file: String },
    #[error("{}", first_of(problems, *untold))]
    Faulty { problems: Vec<Problem>, untold: u64 },
}

fn first_of(problems: &[Problem], untold: u64) -> String {
    let first = problems.first().map(Problem::to_string).unwrap_or_default();
    match problems.len().saturating_sub(1) as u64 + untold {
        0 => first,
        more => format!("{first} (and {more} more)"),
    }
}

impl ImportError {
    fn faulty(problems: Problems) -> ImportError {
        let Problems { mut told, untold, .. } = problems;
        told.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
        ImportError::Faulty { problems: told, untold }
    }
}

/// Bytes looked at to tell the format.
const SNIFFED: usize = 16 << 10;

impl Import {
    /// Reads a file; `file` is its name, for messages and for telling the format.
    pub fn read(
        input: impl Read,
        file: &str,
        options: &ImportOptions,
    ) -> Result<Import, ImportError> {
        let failed = |cause| ImportError::Read { file: file.to_owned(), cause };
        let mut input = BufReader::with_capacity(SNIFFED, Metered::new(input));
        let beginning = beginning(&mut input).map_err(failed)?;
        let known = options.format.or_else(|| ImportFormat::told(file, &beginning));
        let Some(format) = known else {
            return Err(ImportError::UnknownFormat { file: file.to_owned() });
        };
        let input = BufReader::with_capacity(SNIFFED, io::Cursor::new(beginning).chain(input));
        let mut gathered = Gathered::of(file);
        match format {
            ImportFormat::Turtle | ImportFormat::NTriples => {
                turtle::read(input, &mut gathered, options)
            }
            ImportFormat::RdfXml => rdf_xml::read(input, &mut gathered, options),
            ImportFormat::Sssom => sssom::read(input, &mut gathered, options),
            ImportFormat::Jskos => jskos::read(input, &mut gathered, options),
        }
        .map_err(failed)?;
        gathered.finish(file, format, options)
    }
}

/// The first bytes, without a byte order mark.
fn beginning(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(SNIFFED as u64).read_to_end(&mut bytes)?;
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    Ok(bytes)
}
