//! Which format a file has, by what it begins with and, where that leaves several, by its name.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportFormat {
    Turtle,
    NTriples,
    RdfXml,
    Sssom,
    Jskos,
}

impl ImportFormat {
    pub const ALL: [ImportFormat; 5] = [
        ImportFormat::Turtle,
        ImportFormat::NTriples,
        ImportFormat::RdfXml,
        ImportFormat::Sssom,
        ImportFormat::Jskos,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            ImportFormat::Turtle => "turtle",
            ImportFormat::NTriples => "n-triples",
            ImportFormat::RdfXml => "rdf-xml",
            ImportFormat::Sssom => "sssom",
            ImportFormat::Jskos => "jskos",
        }
    }

    pub fn parse(text: &str) -> Option<ImportFormat> {
        ImportFormat::ALL.into_iter().find(|format| format.as_str() == text)
    }

    pub(super) fn told(file: &str, beginning: &[u8]) -> Option<ImportFormat> {
        by_content(beginning).or_else(|| by_name(file))
    }
}

impl fmt::Display for ImportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ImportFormat::Turtle => "Turtle",
            ImportFormat::NTriples => "N-Triples",
            ImportFormat::RdfXml => "RDF/XML",
            ImportFormat::Sssom => "SSSOM",
            ImportFormat::Jskos => "JSKOS",
        })
    }
}

fn by_name(file: &str) -> Option<ImportFormat> {
    let name = file.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "ttl" | "turtle" | "n3" => ImportFormat::Turtle,
        "nt" => ImportFormat::NTriples,
        "rdf" | "xml" | "owl" | "skos" => ImportFormat::RdfXml,
        "tsv" | "sssom" => ImportFormat::Sssom,
        "json" | "ndjson" | "jsonl" | "jskos" => ImportFormat::Jskos,
        _ => return None,
    })
}

/// What the first lines leave no doubt about.
fn by_content(bytes: &[u8]) -> Option<ImportFormat> {
    let text = String::from_utf8_lossy(bytes);
    let first =
        text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let lower = first.to_ascii_lowercase();
    let starts = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if lower.split('\t').any(|column| column == "subject_id") {
        Some(ImportFormat::Sssom)
    } else if starts(&["@prefix", "prefix ", "@base", "base "]) {
        Some(ImportFormat::Turtle)
    } else if starts(&["<?xml", "<rdf:", "<!doctype", "<!--"]) {
        Some(ImportFormat::RdfXml)
    } else if starts(&["{"]) || begins_json_list(&text) {
        Some(ImportFormat::Jskos)
    } else if starts(&["<"]) {
        // Turtle without prefixes and N-Triples are read the same way.
        Some(if first.ends_with('.') { ImportFormat::NTriples } else { ImportFormat::Turtle })
    } else {
        None
    }
}

/// `[` followed by an object; in Turtle a blank node begins with the same sign.
fn begins_json_list(text: &str) -> bool {
    let list = text.trim_start().strip_prefix('[').map(str::trim_start);
    list.is_some_and(|rest| rest.starts_with('{') || rest == "]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_by_content_before_name() {
        use ImportFormat::*;
        #[rustfmt::skip]
        let cases: [(&str, &str, Option<ImportFormat>); 14] = [
            ("a.ttl",       "@prefix skos: <http://x> .",                    Some(Turtle)),
            ("a",           "# note\nPREFIX a: <http://x>",                  Some(Turtle)),
            ("a.txt",       "<?xml version=\"1.0\"?><rdf:RDF/>",             Some(RdfXml)),
            ("a.ttl",       "<rdf:RDF xmlns:rdf=\"x\"/>",                    Some(RdfXml)),
            ("a",           "<http://a> <http://b> \"c\" .",                 Some(NTriples)),
            ("a.ttl",       "<http://a>\n  a <http://b> .",                  Some(Turtle)),
            ("a.tsv",       "#curie_map:\n#  x: http://x/\nsubject_id\tpredicate_id\tobject_id", Some(Sssom)),
            ("a.txt",       "{\"uri\":\"x\"}\n{}",                           Some(Jskos)),
            ("a",           " [ {\"uri\":\"x\"} ]",                          Some(Jskos)),
            ("a.ttl",       "[] a <http://x> .",                             Some(Turtle)),
            ("a.TTL.gz",    "",                                              Some(Turtle)),
            ("a.nt",        "_:b <http://b> \"c\" .",                        Some(NTriples)),
            ("a.pdf",       "%PDF-1.4",                                      None),
            ("a",           "",                                              None),
        ];
        for (file, text, expected) in cases {
            assert_eq!(ImportFormat::told(file, text.as_bytes()), expected, "{file} {text:?}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for format in ImportFormat::ALL {
            assert_eq!(ImportFormat::parse(format.as_str()), Some(format));
        }
    }
}
