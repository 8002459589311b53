//! Rewrites the links of a document for its place in the mirror, and remembers them.
//!
//! A link to a document of the mirror becomes a relative path, any other the absolute remote
//! address. Both are noted as short hashes: a document is up to date as long as all its local
//! links still lead to the same files, and none of its remote ones has come into the mirror. That
//! can be checked without reading the document again, whatever happened in between.

use super::path::MirrorPath;
use auslese_markup::{rewrite_css, rewrite_html};
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use url::{Position, Url};

/// Six bytes: among a million documents with fifty links each, two are mixed up once in five
/// mirrors, and then one document is written without need.
pub(super) type LinkMark = u64;

pub(super) const LINK_MARK_BYTES: usize = 6;

/// The files of a mirror by their addresses.
#[derive(Debug, Default)]
pub(super) struct Targets {
    files: FxHashMap<String, MirrorPath>,
    addresses: FxHashSet<LinkMark>,
    leading_to_files: FxHashSet<LinkMark>,
}

/// The links of one document, as they were when it was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LinkMarks {
    pub(super) local: Vec<LinkMark>,
    pub(super) remote: Vec<LinkMark>,
}

impl Targets {
    /// The first of two claims to one address holds.
    pub(super) fn add(&mut self, url: &Url, path: &MirrorPath) {
        let url = address(url);
        if !self.files.contains_key(&url) {
            self.addresses.insert(remote_mark(&url));
            self.leading_to_files.insert(local_mark(&url, path));
            self.files.insert(url, path.clone());
        }
    }

    /// Whether links noted earlier would be written the same way today.
    pub(super) fn still_hold(&self, local: &[LinkMark], remote: &[LinkMark]) -> bool {
        local.iter().all(|mark| self.leading_to_files.contains(mark))
            && !remote.iter().any(|mark| self.addresses.contains(mark))
    }

    /// The document for its place, with its links.
    pub(super) fn rewrite(
        &self,
        bytes: &[u8],
        source: &Source<'_>,
        here: &MirrorPath,
    ) -> (Vec<u8>, LinkMarks) {
        let mut local = BTreeSet::new();
        let mut remote = BTreeSet::new();
        let rewrite = match source.format() {
            Rewritten::Html => rewrite_html,
            Rewritten::Css => rewrite_css,
            Rewritten::No => return (bytes.to_vec(), LinkMarks::default()),
        };
        let rewritten = rewrite(bytes, source.charset, source.url, &mut |url, _| {
            let target = address(url);
            Some(match self.files.get(&target) {
                Some(path) => {
                    local.insert(local_mark(&target, path));
                    relative(here, path)
                }
                None => {
                    remote.insert(remote_mark(&target));
                    url.as_str().to_owned()
                }
            })
        });
        let marks =
            LinkMarks { local: local.into_iter().collect(), remote: remote.into_iter().collect() };
        (rewritten, marks)
    }
}

/// What is known of a document besides its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) url: &'a Url,
    pub(super) media_type: Option<&'a str>,
    pub(super) charset: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rewritten {
    Html,
    Css,
    No,
}

impl Source<'_> {
    pub(super) fn format(&self) -> Rewritten {
        let essence = self.media_type.unwrap_or("").split(';').next().unwrap_or("").trim();
        match essence.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => Rewritten::Html,
            "text/css" => Rewritten::Css,
            _ => Rewritten::No,
        }
    }
}

/// An address without fragment and credentials, neither of which makes another document.
fn address(url: &Url) -> String {
    let rest = &url[Position::BeforeHost..Position::AfterQuery];
    format!("{}://{rest}", url.scheme())
}

fn remote_mark(url: &str) -> LinkMark {
    shortened(Sha256::new().chain_update(url))
}

fn local_mark(url: &str, path: &MirrorPath) -> LinkMark {
    shortened(Sha256::new().chain_update(url).chain_update([0]).chain_update(path.as_str()))
}

fn shortened(hash: Sha256) -> LinkMark {
    let digest = hash.finalize();
    digest[..LINK_MARK_BYTES].iter().fold(0, |mark, byte| mark << 8 | u64::from(*byte))
}

/// The link from one file to another. Names in a mirror contain nothing that needs escaping.
pub(super) fn relative(from: &MirrorPath, to: &MirrorPath) -> String {
    let from: Vec<&str> = from.as_str().split('/').collect();
    let to: Vec<&str> = to.as_str().split('/').collect();
    let directories = from.len().min(to.len()) - 1;
    let common = (0..directories).take_while(|at| from[*at] == to[*at]).count();
    let mut link = "../".repeat(from.len() - 1 - common);
    link.push_str(&to[common..].join("/"));
    link
}
