//! The papers and office documents on the servers of the demo, with what is right about them.
//!
//! The papers are test preprints, so their answers (`gold.jsonl`, `citations.jsonl`) are known and
//! are read here rather than typed again; so are those of the office documents. Servers say what a
//! file is as servers do: mostly right, sometimes that it is a compressed file, or bytes. Which
//! papers: those that cite each other and show bitmap and Type 1 fonts, PostScript and PDF, umlauts,
//! two columns, at a size that a binary can carry. Some more cannot be read by anybody.

use super::files::dated;
use super::math::HOST as MATH;
use super::sociology::HOST as SOCIOLOGY;
use crate::answer::Answer;
use crate::site::Site;
use serde_json::Value;

const GOLD: &str = include_str!("../../preprints/gold.jsonl");
const CITATIONS: &str = include_str!("../../preprints/citations.jsonl");
const OFFICE_GOLD: &str = include_str!("../../office/gold.jsonl");

/// What a person says about a paper or an office document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperTruth {
    /// As in its collection.
    pub id: String,
    pub url: String,
    pub language: String,
    pub title: String,
    pub authors: Vec<String>,
    /// `YYYY-MM-DD`; not every paper says it.
    pub dated: String,
    /// Its abstract; empty if it has none.
    pub summary: String,
    pub keywords: Vec<String>,
    /// The entries of the bibliography, without their labels.
    pub references: Vec<String>,
    /// The addresses of the other papers of the demo that it cites.
    pub cites: Vec<String>,
}

/// Why nobody can read a paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// The upload was interrupted before the first page.
    CutShort,
    /// It is encrypted with a password.
    Locked,
    /// It is a picture of paper.
    Scanned,
}

/// A file at its place.
pub(super) struct Paper {
    pub(super) id: &'static str,
    host: &'static str,
    pub(super) path: &'static str,
    served: Served,
    bytes: &'static [u8],
}

/// What the server says that a paper is.
enum Served {
    As(&'static str),
    /// PostScript that was compressed for the way, though the file is compressed itself.
    Encoded,
}

macro_rules! paper {
    ($id:literal . $ending:literal, $host:ident $path:literal, $served:expr) => {
        paper!("preprints/files/", $id . $ending, $host $path, $served)
    };
    ($folder:literal, $id:literal . $ending:literal, $host:ident $path:literal, $served:expr) => {
        Paper {
            id: $id,
            host: $host,
            path: $path,
            served: $served,
            bytes: include_bytes!(concat!("../../", $folder, $id, ".", $ending)),
        }
    };
}

const PDF: Served = Served::As("application/pdf");
const GZIP: Served = Served::As("application/gzip");
const WORD: Served = Served::As("application/msword");
const RTF: Served = Served::As("text/rtf");
const ODT: Served = Served::As("application/vnd.oasis.opendocument.text");
const DOCX: Served =
    Served::As("application/vnd.openxmlformats-officedocument.wordprocessingml.document");

// These tables are statics, as the compiler may copy a constant, with all bytes, to each of its uses.

#[rustfmt::skip]
pub(super) static PAPERS: &[Paper] = &[
    paper!("multigrid-jumps"."ps.gz",  MATH "/preprints/96-02.ps.gz", Served::Encoded),
    paper!("gegenbeispiel"."ps.gz",    MATH "/preprints/98-05.ps.gz", GZIP),
    paper!("glue-groups"."ps.gz",      MATH "/preprints/99-08.ps.gz", Served::As("application/x-gzip")),
    paper!("strip-walks"."ps.gz",      MATH "/preprints/00-03.ps.gz", GZIP),
    paper!("steife-moore"."ps.gz",     MATH "/preprints/01-09.ps.gz", GZIP),
    paper!("gebietszerlegung"."ps.gz", MATH "/preprints/03-12.ps.gz", GZIP),
    paper!("codes-gitter"."pdf",       MATH "/preprints/05-01.pdf",   PDF),
    paper!("river-extremes"."ps.gz",   MATH "/preprints/05-07.ps.gz", Served::As("application/octet-stream")),
    paper!("ensemble-weir"."pdf",      MATH "/preprints/09-04.pdf",   PDF),
    paper!("heat-bogs"."pdf",          MATH "/preprints/10-06.pdf",   Served::As("application/octet-stream")),
    paper!("kein-gegenbeispiel"."pdf", MATH "/preprints/11-02.pdf",   PDF),
    paper!("feierabend"."ps.gz",       SOCIOLOGY "/preprints/11.ps.gz", GZIP),
    paper!("greeting-rules"."pdf",     SOCIOLOGY "/preprints/12.pdf",   PDF),
    paper!("pendler"."pdf",            SOCIOLOGY "/preprints/19.pdf",   PDF),
];

#[rustfmt::skip]
static OFFICE: &[Paper] = &[
    paper!("office/files/", "studienordnung"."docx", MATH "/lehre/studienordnung.docx", DOCX),
    paper!("office/files/", "merkblatt"."doc",       MATH "/lehre/merkblatt.doc",       WORD),
    paper!("office/files/", "antrag"."rtf",          MATH "/lehre/antrag.rtf",          RTF),
    paper!("office/files/", "brueckengruss"."odt",   SOCIOLOGY "/preprints/20.odt",     ODT),
];

#[rustfmt::skip]
static UNREADABLE: &[(Unreadable, Paper)] = &[
    (Unreadable::CutShort, paper!("preprints/unreadable/", "cut-short"."pdf", MATH "/preprints/06-02.pdf", PDF)),
    (Unreadable::Locked,   paper!("preprints/unreadable/", "locked"."pdf", MATH "/lehre/klausur-1201.pdf", PDF)),
    (Unreadable::Scanned,  paper!("preprints/unreadable/", "scanned"."pdf", MATH "/preprints/bericht-1991.pdf", PDF)),
];

/// Puts the papers and office documents of a host on its site.
pub(super) fn papers(site: Site, host: &str) -> Site {
    let unreadable = UNREADABLE.iter().map(|(_, paper)| paper);
    let all = PAPERS.iter().chain(OFFICE).chain(unreadable);
    let of_host = all.filter(|paper| paper.host == host);
    of_host.fold(site, |site, paper| site.answer(paper.path, dated(paper.answer())))
}

/// The truth about all papers, in the order of their table.
pub(super) fn truths() -> Vec<PaperTruth> {
    PAPERS.iter().filter_map(Paper::truth).collect()
}

/// The truth about the office documents.
pub(super) fn office_truths() -> Vec<PaperTruth> {
    OFFICE.iter().filter_map(Paper::truth).collect()
}

/// The addresses of papers that nobody can read.
pub(super) fn unreadable() -> Vec<(String, Unreadable)> {
    UNREADABLE.iter().map(|(why, paper)| (paper.url(), *why)).collect()
}

impl Paper {
    fn answer(&self) -> Answer {
        match self.served {
            Served::As(media_type) => Answer::file(media_type, self.bytes),
            Served::Encoded => Answer::file("application/postscript", self.bytes)
                .header("Content-Encoding", "gzip"),
        }
    }

    fn url(&self) -> String {
        format!("http://{}{}", self.host, self.path)
    }

    pub(super) fn truth(&self) -> Option<PaperTruth> {
        let gold = line(GOLD, self.id).or_else(|| line(OFFICE_GOLD, self.id))?;
        let cites = line(CITATIONS, self.id).unwrap_or_else(|| gold.clone());
        let cited = texts(&cites["cites"]);
        let of_demo = PAPERS.iter().filter(|paper| cited.iter().any(|id| id == paper.id));
        Some(PaperTruth {
            id: self.id.to_owned(),
            url: self.url(),
            language: text(&gold["language"]),
            title: text(&gold["title"]),
            authors: texts(&gold["author"]),
            dated: text(&gold["dated"]),
            summary: text(&gold["abstract"]),
            keywords: texts(&gold["keywords"]),
            references: texts(&gold["references"]),
            cites: of_demo.map(Paper::url).collect(),
        })
    }
}

/// The line about a paper in one of the files of answers.
fn line(answers: &str, id: &str) -> Option<Value> {
    let mut lines = answers.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.find(|line| line["id"] == id)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_is_known_and_is_what_its_name_says() {
        let truths = truths();
        assert_eq!(truths.len(), PAPERS.len());
        for (paper, truth) in PAPERS.iter().zip(&truths) {
            let start: &[u8] = if paper.path.ends_with(".pdf") { b"%PDF-" } else { b"\x1f\x8b" };
            assert!(paper.bytes.starts_with(start), "{}", paper.id);
            assert!(!truth.title.is_empty() && !truth.authors.is_empty(), "{truth:?}");
            assert!(!truth.references.is_empty() && truth.dated.len() == 10, "{truth:?}");
        }
    }

    #[test]
    fn they_cite_each_other_at_a_size_that_a_binary_can_carry() {
        let truths = truths();
        let edges: usize = truths.iter().map(|truth| truth.cites.len()).sum();
        assert!(edges >= 10, "{edges}");
        for truth in &truths {
            assert!(!truth.cites.contains(&truth.url), "{}", truth.id);
        }
        let bytes: usize = PAPERS.iter().chain(OFFICE).map(|paper| paper.bytes.len()).sum();
        assert!(bytes < 1_500_000, "{bytes}");
    }

    #[test]
    fn office_documents_are_known_and_one_cites_papers() {
        let truths = office_truths();
        assert_eq!(truths.len(), OFFICE.len());
        assert!(truths.iter().all(|truth| !truth.title.is_empty()));
        let edges: usize = truths.iter().map(|truth| truth.cites.len()).sum();
        assert_eq!(edges, 2);
    }
}
