//! Answers of repositories.
//!
//! Names count without their prefixes, because servers choose these freely. Tags that do not match, bare `&` and signs that
//! XML does not allow are passed over: what matters is whether the list came to its end. Where it did not,
//! [`OaiAnswer::is_cut`] says so, and only complete records are given.

use auslese_markup::{XmlPiece, XmlTagKind, decode, xml_pieces};

/// Fields of one record.
pub const MAX_OAI_FIELDS: usize = 10_000;

/// What a repository answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OaiAnswer {
    /// Whether it is an answer of the protocol at all.
    pub is_oai: bool,
    /// The server's clock, as written.
    pub response_date: Option<String>,
    pub identity: Option<OaiIdentity>,
    pub records: Vec<OaiRecord>,
    /// Metadata formats and sets, if these were asked for.
    pub formats: Vec<String>,
    pub sets: Vec<(String, String)>,
    pub token: Option<OaiToken>,
    pub complaints: Vec<OaiComplaint>,
    /// Whether the answer ends before its list does.
    pub is_cut: bool,
}

/// What a repository says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OaiIdentity {
    pub name: String,
    pub base_url: String,
    pub emails: Vec<String>,
    pub earliest: String,
    /// How deleted records are kept: `no`, `transient` or `persistent`.
    pub deleted_records: String,
    pub granularity: Granularity,
}

/// How exact dates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Granularity {
    #[default]
    Day,
    Second,
}

impl Granularity {
    /// A date as this repository wants it; one that is less exact stays as it is.
    pub fn date(self, date: &str) -> String {
        match (self, date.split_once('T')) {
            (Granularity::Day, Some((day, _))) => day.to_owned(),
            (Granularity::Second, None) if date.len() == 10 => format!("{date}T00:00:00Z"),
            _ => date.to_owned(),
        }
    }
}

/// One record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OaiRecord {
    pub identifier: String,
    pub datestamp: String,
    pub sets: Vec<String>,
    pub deleted: bool,
    /// Names without prefix, as written, and values.
    pub fields: Vec<(String, String)>,
}

impl OaiRecord {
    /// The values of a field.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.fields.iter().filter(move |(field, _)| field.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }
}

/// Where a list goes on; an empty one ends it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OaiToken {
    pub value: String,
    pub complete_list_size: Option<u64>,
    pub cursor: Option<u64>,
}

/// An error that the repository reports, such as `badResumptionToken`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OaiComplaint {
    pub code: String,
    pub message: String,
}

/// Reads an answer; never fails.
pub fn read_oai(bytes: &[u8], http_charset: Option<&str>) -> OaiAnswer {
    let (text, _) = decode(bytes, http_charset.or_else(|| declared_charset(bytes)));
    let mut reader = Reader::default();
    for piece in xml_pieces(&text) {
        match piece {
            XmlPiece::Text(text) => reader.text.push_str(&text),
            XmlPiece::Tag(tag) => {
                let name = tag.name.rsplit(':').next().unwrap_or(tag.name).to_owned();
                match tag.kind {
                    XmlTagKind::Start => reader.start(&name, &|it| tag.attribute(it)),
                    XmlTagKind::End => reader.end(&name),
                    XmlTagKind::Empty => {
                        reader.start(&name, &|it| tag.attribute(it));
                        reader.end(&name);
                    }
                }
            }
        }
    }
    let mut answer = reader.answer;
    answer.is_cut = answer.is_oai && !reader.ended && answer.complaints.is_empty();
    answer
}

/// XML says its encoding itself, and is UTF-8 otherwise.
fn declared_charset(bytes: &[u8]) -> Option<&str> {
    let head = &bytes[..bytes.len().min(200)];
    let at = head.windows(9).position(|window| window == b"encoding=")? + 10;
    let name = head.get(at..)?;
    let end = name.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    std::str::from_utf8(&name[..end]).ok()
}

#[derive(Default)]
struct Reader {
    answer: OaiAnswer,
    /// The text since the last tag.
    text: String,
    record: Option<OaiRecord>,
    in_metadata: bool,
    in_set: Option<(String, String)>,
    /// Whether the element under way has elements of its own.
    has_children: bool,
    token: Option<OaiToken>,
    complaint: Option<OaiComplaint>,
    /// Whether the list, or what else was asked for, came to its end.
    ended: bool,
}

impl Reader {
    fn start(&mut self, name: &str, attribute: &dyn Fn(&str) -> Option<String>) {
        self.text.clear();
        self.has_children = false;
        if self.in_metadata {
            return;
        }
        match name {
            "OAI-PMH" => self.answer.is_oai = true,
            "Identify" => self.answer.identity = Some(OaiIdentity::default()),
            "record" => self.record = Some(OaiRecord::default()),
            "header" => {
                // Lists of identifiers have headers without records.
                let record = self.record.get_or_insert_default();
                record.deleted = attribute("status").is_some_and(|it| it == "deleted");
            }
            "metadata" if self.record.is_some() => self.in_metadata = true,
            "set" => self.in_set = Some(Default::default()),
            "resumptionToken" => {
                let number = |name: &str| attribute(name).and_then(|it| it.trim().parse().ok());
                self.token = Some(OaiToken {
                    value: String::new(),
                    complete_list_size: number("completeListSize"),
                    cursor: number("cursor"),
                });
            }
            "error" => {
                let code = attribute("code").unwrap_or_default();
                self.complaint = Some(OaiComplaint { code, message: String::new() });
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        let text = std::mem::take(&mut self.text).trim().to_owned();
        let is_leaf = !std::mem::replace(&mut self.has_children, true);
        if self.in_metadata {
            match name {
                "metadata" => self.in_metadata = false,
                // An end tag of the metadata is missing.
                "record" => {
                    self.in_metadata = false;
                    self.answer.records.extend(self.record.take());
                }
                _ if is_leaf && !text.is_empty() => {
                    if let Some(record) = &mut self.record
                        && record.fields.len() < MAX_OAI_FIELDS
                    {
                        record.fields.push((name.to_owned(), text));
                    }
                }
                _ => {}
            }
            return;
        }
        match name {
            "ListRecords"
            | "ListIdentifiers"
            | "GetRecord"
            | "Identify"
            | "ListSets"
            | "ListMetadataFormats"
            | "OAI-PMH" => self.ended = true,
            "responseDate" => self.answer.response_date = Some(text),
            "record" => self.answer.records.extend(self.record.take()),
            "metadataPrefix" => self.answer.formats.push(text),
            "resumptionToken" => {
                if let Some(token) = self.token.take() {
                    self.answer.token = Some(OaiToken { value: text, ..token });
                    // Nothing of the list follows its token.
                    self.ended = true;
                }
            }
            "error" => {
                if let Some(complaint) = self.complaint.take() {
                    self.answer.complaints.push(OaiComplaint { message: text, ..complaint });
                }
            }
            "set" => self.answer.sets.extend(self.in_set.take()),
            _ => self.end_of_value(name, text),
        }
    }

    fn end_of_value(&mut self, name: &str, text: String) {
        if let Some(set) = &mut self.in_set {
            match name {
                "setSpec" => set.0 = text,
                "setName" => set.1 = text,
                _ => {}
            }
        } else if let Some(record) = &mut self.record {
            match name {
                "identifier" => record.identifier = text,
                "datestamp" => record.datestamp = text,
                "setSpec" => record.sets.push(text),
                _ => {}
            }
        } else if let Some(identity) = &mut self.answer.identity {
            match name {
                "repositoryName" => identity.name = text,
                "baseURL" => identity.base_url = text,
                "adminEmail" => identity.emails.push(text),
                "earliestDatestamp" => identity.earliest = text,
                "deletedRecord" => identity.deleted_records = text,
                "granularity" if text.contains('T') => identity.granularity = Granularity::Second,
                _ => {}
            }
        }
    }
}
