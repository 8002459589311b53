//! Seeds from a file: addresses, one per line, or objects of SOIF.
//!
//! An object of SOIF names a document and says something about it. The document becomes a seed, and what is
//! said about it is kept, to stand beside what the document says itself.

use super::institutions::draw;
use crate::input::read_table;
use crate::messages::Failure;
use auslese_describe::is_record_attribute;
use auslese_harvest::SeedRecord;
use auslese_model::{SoifObject, read_soif_lenient};
use std::collections::HashSet;
use std::path::Path;
use url::Url;

/// Which of the seeds of a file are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) take: u64,
    pub(crate) seed: u64,
}

/// What stands in a file of seeds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SeedsFile {
    pub(crate) urls: Vec<Url>,
    /// What the file says about some of them.
    pub(crate) records: Vec<SeedRecord>,
    /// What was passed over, for people.
    pub(crate) remarks: Vec<String>,
}

/// An address, and what is said about it.
type Entry = (Url, Option<SeedRecord>);

impl SeedsFile {
    pub(crate) fn read(path: &Path, sample: Option<Sample>) -> Result<SeedsFile, Failure> {
        let bytes = read_table(path)?;
        let source = path.file_name().unwrap_or_default().to_string_lossy();
        let (entries, remarks) = match is_soif(&bytes) {
            true => soif_entries(&bytes, &source),
            false => list_entries(&bytes),
        };
        if entries.is_empty() {
            let why = remarks.first().map_or(String::new(), |remark| format!(": {remark}"));
            let message = format!("{} names no web address{why}", path.display());
            return Err(Failure::usage(message)
                .hint("write one address per line, or give a file in SOIF (`@FILE { http://…`)"));
        }
        let entries = match sample {
            Some(Sample { take, seed }) => draw(entries, usize::try_from(take)?, seed)?.0,
            None => entries,
        };
        let mut file = SeedsFile { remarks, ..SeedsFile::default() };
        for (url, record) in entries {
            file.urls.push(url);
            file.records.extend(record);
        }
        Ok(file)
    }
}

fn is_soif(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"@")
}

/// Each address once; of several objects about it the first counts.
fn soif_entries(bytes: &[u8], source: &str) -> (Vec<Entry>, Vec<String>) {
    let reading = read_soif_lenient(bytes);
    let mut remarks = Vec::new();
    if let Some(first) = reading.errors.first() {
        remarks.push(format!("{} places are no SOIF, the first {first}", reading.errors.len()));
    }
    let (mut entries, mut known, mut without): (Vec<Entry>, HashSet<Url>, usize) =
        (Vec::new(), HashSet::new(), 0);
    for object in &reading.objects {
        if object.kind.eq_ignore_ascii_case("delete") {
            continue;
        }
        match object.url.as_deref().and_then(web_address) {
            Some(url) if known.insert(url.clone()) => {
                let fields = record_fields(object);
                let record = (!fields.is_empty()).then(|| SeedRecord {
                    url: url.clone(),
                    source: source.to_owned(),
                    fields,
                });
                entries.push((url, record));
            }
            Some(_) => {}
            None => without += 1,
        }
    }
    if without > 0 {
        remarks.push(format!("{without} objects have no web address"));
    }
    (entries, remarks)
}

/// What an object says about its document, without texts and links.
fn record_fields(object: &SoifObject) -> Vec<(String, String)> {
    let wanted = object.attributes.iter().filter(|it| is_record_attribute(&it.name));
    wanted.map(|it| (it.name.clone(), it.text())).filter(|(_, value)| !value.is_empty()).collect()
}

fn list_entries(bytes: &[u8]) -> (Vec<Entry>, Vec<String>) {
    let text = String::from_utf8_lossy(bytes);
    let (mut entries, mut known, mut wrong) = (Vec::new(), HashSet::new(), Vec::new());
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match web_address(line) {
            Some(url) if known.insert(url.clone()) => entries.push((url, None)),
            Some(_) => {}
            None => wrong.push(number),
        }
    }
    let remark = |first: &u64| {
        format!("{} lines are no web address, the first is line {first}", wrong.len())
    };
    let remarks = wrong.first().map(remark).into_iter().collect();
    (entries, remarks)
}

fn web_address(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], sample: Option<Sample>) -> Result<SeedsFile, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("alt.soif");
        std::fs::write(&path, bytes).unwrap();
        SeedsFile::read(&path, sample).map_err(|failure| failure.to_string())
    }

    fn urls(file: &SeedsFile) -> Vec<&str> {
        file.urls.iter().map(Url::as_str).collect()
    }

    #[test]
    fn objects_of_soif() {
        let text = "@FILE { http://a.example/1\nTitle{3}:\tOne\nFull-Text{3}:\tabc\nType{4}:\tHTML\n}\n\
            @FILE { ftp://a.example/2\nTitle{3}:\tTwo\n}\n\
            @FILE { http://a.example/3\nSize{1}:\t9\n}\n\
            @FILE { http://a.example/1\nTitle{5}:\tAgain\n}\nrubbish\n";
        let file = read(text.as_bytes(), None).unwrap();
        assert_eq!(urls(&file), ["http://a.example/1", "http://a.example/3"]);
        let [record] = file.records.as_slice() else { panic!("{:?}", file.records) };
        assert_eq!(
            (record.url.as_str(), record.source.as_str()),
            ("http://a.example/1", "alt.soif")
        );
        assert_eq!(record.fields, [("Title".to_owned(), "One".to_owned())]);
        assert!(file.remarks.iter().any(|it| it == "1 objects have no web address"), "{file:?}");
        assert!(file.remarks.iter().any(|it| it.contains("no SOIF")), "{file:?}");
    }

    #[test]
    fn lists_of_addresses() {
        let text = "\u{feff}# ours\nhttp://a.example/\n\n  https://b.example/x \nnonsense\nhttp://a.example/\n";
        let file = read(text.as_bytes(), None).unwrap();
        assert_eq!(urls(&file), ["http://a.example/", "https://b.example/x"]);
        assert_eq!(file.remarks, ["1 lines are no web address, the first is line 5"]);
        for empty in ["", "# nothing\n", "@", "nonsense", "\0\u{1}"] {
            let message = read(empty.as_bytes(), None).unwrap_err();
            assert!(message.contains("names no web address"), "{message}");
        }
    }

    #[test]
    fn samples_can_be_repeated() {
        let text: String = (0..50).map(|n| format!("http://a.example/{n}\n")).collect();
        let draw = |seed| read(text.as_bytes(), Some(Sample { take: 5, seed })).unwrap();
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert_eq!(draw(7).urls.len(), 5);
        let message = read(text.as_bytes(), Some(Sample { take: 51, seed: 1 })).unwrap_err();
        assert!(message.contains("a sample of 51 cannot be drawn: the list holds 50"), "{message}");
    }
}
