//! What accompanies WARC files that are handed over to the Internet Archive or another keeper of archives: check sums
//! that common tools compare, a list of the files, what the whole is as the upload tool `ia` reads it, and a page for
//! people.

use auslese_archive::{Description, FileSums, Indexed};
use auslese_export::CorpusHead;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Characters of an item's name, without its dates: with them it has the 80 that the Internet Archive advises.
const MAX_IDENTIFIER: usize = 55;

/// A file in the folder.
#[derive(Debug)]
pub(super) struct Handed {
    pub(super) name: String,
    pub(super) sums: FileSums,
    pub(super) is_warc: bool,
}

/// A folder that is being described.
#[derive(Debug)]
pub(super) struct HandOver {
    head: CorpusHead,
    description: Description,
    files: Vec<Handed>,
}

impl HandOver {
    pub(super) fn new(head: CorpusHead, description: Description) -> HandOver {
        HandOver { head, description, files: Vec::new() }
    }

    pub(super) fn add(&mut self, file: Handed) {
        self.files.push(file);
    }

    pub(super) fn warcs(&self) -> u64 {
        self.files.iter().filter(|file| file.is_warc).count() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.sums.bytes).sum()
    }

    /// The texts that belong to the files, by their names.
    pub(super) fn documents(&self, indexed: &Indexed) -> [(&'static str, String); 7] {
        let item = self.item(indexed);
        let json = serde_json::to_string_pretty(&item).expect("a value of ours");
        [
            ("MD5SUMS", self.sums(|sums| &sums.md5)),
            ("SHA1SUMS", self.sums(|sums| &sums.sha1)),
            ("SHA256SUMS", self.sums(|sums| &sums.sha256)),
            ("files.tsv", self.table()),
            ("metadata.csv", self.spreadsheet(&item)),
            ("metadata.json", json + "\n"),
            ("README.txt", self.readme(&item, indexed)),
        ]
    }

    /// As `md5sum`, `sha1sum` and `sha256sum` write and check it.
    fn sums(&self, sum: impl Fn(&FileSums) -> &str) -> String {
        self.files.iter().map(|file| format!("{}  {}\n", sum(&file.sums), file.name)).collect()
    }

    fn table(&self) -> String {
        let mut table = "file\tbytes\tmd5\tsha1\tsha256\n".to_owned();
        for Handed { name, sums, .. } in &self.files {
            let FileSums { bytes, md5, sha1, sha256 } = sums;
            let _ = writeln!(table, "{name}\t{bytes}\t{md5}\t{sha1}\t{sha256}");
        }
        table
    }

    /// What the Internet Archive calls the metadata of an item.
    fn item(&self, indexed: &Indexed) -> Map<String, Value> {
        let (first, last) = self.span(indexed);
        let Description { software, operator, user_agent, robots, is_part_of, .. } =
            &self.description;
        let CorpusHead { title, institutions, selection, .. } = &self.head;
        let creators: Vec<&str> = match institutions.as_slice() {
            [] => vec![operator.as_str()],
            names => names.iter().map(String::as_str).collect(),
        };
        let dates = match (day(&first), day(&last)) {
            (first, last) if first == last => first,
            (first, last) => format!("{first} to {last}"),
        };
        let description = format!(
            "Web archive \"{title}\": {} captures in {} WARC files, fetched {dates}. {selection}",
            indexed.lines,
            self.warcs(),
        );
        let mut item = Map::new();
        let mut add = |name: &str, value: Value| {
            let is_empty = value.as_str().is_some_and(str::is_empty)
                || value.as_array().is_some_and(|all| all.iter().all(|it| it == ""));
            if !is_empty {
                item.insert(name.to_owned(), value);
            }
        };
        add("identifier", self.identifier(&first, &last).into());
        add("mediatype", "web".into());
        add("collection", "opensource".into());
        add("title", format!("{title}, web archive, {dates}").into());
        add("creator", json!(creators));
        add("description", description.into());
        add("date", day(&first).into());
        add("subject", json!(["web archive", "WARC"]));
        add("firstfiledate", first.clone().into());
        add("lastfiledate", last.clone().into());
        add("crawljob", is_part_of.as_str().into());
        add("crawler", software.as_str().into());
        add("operator", operator.as_str().into());
        add("user_agent", user_agent.as_str().into());
        add("robots", robots.as_str().into());
        add("numwarcs", self.warcs().to_string().into());
        item
    }

    /// First and last capture, in fourteen digits.
    fn span(&self, indexed: &Indexed) -> (String, String) {
        let now = || (self.head.at.digits14(), self.head.at.digits14());
        indexed.span.clone().unwrap_or_else(now)
    }

    /// The name of the item, which must be unique at the Internet Archive: letters, digits, `-` and `_` only.
    fn identifier(&self, first: &str, last: &str) -> String {
        let mut name = String::new();
        for c in self.head.title.to_lowercase().chars() {
            match c {
                'a'..='z' | '0'..='9' | '_' => name.push(c),
                'ä' => name.push_str("ae"),
                'ö' => name.push_str("oe"),
                'ü' => name.push_str("ue"),
                'ß' => name.push_str("ss"),
                _ if name.ends_with('-') || name.is_empty() => {}
                _ => name.push('-'),
            }
        }
        name.truncate(MAX_IDENTIFIER);
        let name = match name.trim_matches('-') {
            "" => "harvest",
            name => name,
        };
        format!("{name}-web-{}-{}", &first[..8], &last[..8])
    }

    /// For `ia upload --spreadsheet`: the item in the first row, and a row for each file.
    fn spreadsheet(&self, item: &Map<String, Value>) -> String {
        let mut columns = vec![("identifier".to_owned(), String::new())];
        columns.push(("file".to_owned(), String::new()));
        for (name, value) in item.iter().filter(|(name, _)| *name != "identifier") {
            match value {
                Value::Array(values) => {
                    let values = values.iter().enumerate();
                    columns.extend(values.map(|(at, it)| (format!("{name}[{at}]"), plain(it))));
                }
                value => columns.push((name.clone(), plain(value))),
            }
        }
        let identifier = item.get("identifier").map(plain).unwrap_or_default();
        let mut table = row(columns.iter().map(|(name, _)| name.as_str()));
        for (number, file) in self.files.iter().enumerate() {
            let about = columns.iter().skip(2).map(|(_, value)| value.as_str());
            let about = about.map(|value| if number == 0 { value } else { "" });
            table += &row([identifier.as_str(), &file.name].into_iter().chain(about));
        }
        table
    }

    fn readme(&self, item: &Map<String, Value>, indexed: &Indexed) -> String {
        let field = |name: &str| match item.get(name) {
            Some(Value::Array(values)) => values.iter().map(plain).collect::<Vec<_>>().join("; "),
            Some(value) => plain(value),
            None => "not stated".to_owned(),
        };
        let (first, last) = self.span(indexed);
        let (first, last) = (moment(&first), moment(&last));
        format!(
            "{title}\n\n\
             {description}\n\n\
             captures        {captures}, the first of {first}, the last of {last} (UTC)\n\
             WARC files      {warcs}, with their index {bytes} bytes\n\
             made by         {creator}\n\
             crawl operator  {operator}\n\
             software        {software}\n\
             user agent      {user_agent}\n\
             robots.txt      {robots}\n\n\
             The last four are those of the harvest as it is set up today. Of files that others made, the warcinfo records in\n\
             the files themselves say it.\n\n\
             What is in this folder\n\n\
             *.warc.gz, *.warc    the archive, WARC (ISO 28500), a gzip member per record\n\
             index.cdxj           the index of all captures, sorted, as pywb reads it\n\
             files.tsv            every file with its length and check sums\n\
             SHA256SUMS           check sums; so are SHA1SUMS and MD5SUMS\n\
             metadata.json        what this is, in the fields of the Internet Archive\n\
             metadata.csv         the same for its upload tool, with a row for each file\n\n\
             To check that everything arrived:\n\n    \
             sha256sum -c SHA256SUMS\n\n\
             To upload it to the Internet Archive with its tool `ia`, look through metadata.csv first: the identifier must be\n\
             new there, and the collection must be one that you may add to. Then, in this folder:\n\n    \
             ia upload --spreadsheet=metadata.csv\n\n\
             Files may be hard links to those of the harvest. Copy them before you change them.\n",
            title = field("title"),
            description = field("description"),
            captures = indexed.lines,
            warcs = self.warcs(),
            bytes = self.bytes(),
            creator = field("creator"),
            operator = field("operator"),
            software = field("crawler"),
            user_agent = field("user_agent"),
            robots = field("robots"),
        )
    }
}

/// `2026-11-15`.
fn day(digits: &str) -> String {
    format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..8])
}

/// `2026-11-15 21:40:00`.
fn moment(digits: &str) -> String {
    format!("{} {}:{}:{}", day(digits), &digits[8..10], &digits[10..12], &digits[12..14])
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A row of a CSV file (RFC 4180).
fn row<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let quoted = |cell: &str| match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Timestamp;

    fn hand_over(title: &str) -> HandOver {
        let head = CorpusHead {
            title: title.to_owned(),
            institutions: Vec::new(),
            selection: "All, \"really\".".to_owned(),
            version: "0.1.0".to_owned(),
            at: Timestamp(0),
        };
        let description =
            Description { operator: "library@uni.example".to_owned(), ..Description::default() };
        let sums = FileSums { bytes: 3, md5: "m".into(), sha1: "1".into(), sha256: "2".into() };
        let mut hand_over = HandOver::new(head, description);
        for name in ["a.warc.gz", "index.cdxj"] {
            hand_over.add(Handed {
                name: name.into(),
                sums: sums.clone(),
                is_warc: name.ends_with("gz"),
            });
        }
        hand_over
    }

    fn indexed() -> Indexed {
        let span = Some(("20260102030405".to_owned(), "20260203040506".to_owned()));
        Indexed { lines: 7, span, ..Indexed::default() }
    }

    #[test]
    fn identifiers() {
        #[rustfmt::skip]
        let cases = [
            ("Gießen & Umgebung", "giessen-umgebung-web-20260102-20260203"),
            ("???",               "harvest-web-20260102-20260203"),
            ("北京",               "harvest-web-20260102-20260203"),
        ];
        for (title, expected) in cases {
            let found = hand_over(title).identifier("20260102030405", "20260203040506");
            assert_eq!(found, expected, "{title}");
        }
        let long = hand_over(&"ab-".repeat(100)).identifier("20260102030405", "20260203040506");
        assert!(long.len() <= 80, "{long}");
    }

    #[test]
    fn a_row_for_each_file() {
        let hand_over = hand_over("uni");
        let item = hand_over.item(&indexed());
        assert_eq!(item["creator"], json!(["library@uni.example"]));
        assert_eq!(item.get("crawljob"), None, "nothing is said of what nobody knows");
        let table = hand_over.spreadsheet(&item);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].starts_with("identifier,file,"), "{table}");
        assert!(lines[1].starts_with("uni-web-20260102-20260203,a.warc.gz,"), "{table}");
        assert!(lines[1].contains("All, \"\"really\"\""), "{table}");
        assert!(lines[2].starts_with("uni-web-20260102-20260203,index.cdxj,,"), "{table}");
        assert_eq!(hand_over.sums(|sums| &sums.sha256), "2  a.warc.gz\n2  index.cdxj\n");
    }
}
