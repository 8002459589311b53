//! What documents have to do with each other: copies, near copies, pages of one template, parts of
//! one text.

use auslese_corpus::{
    Claim, LogicalPage, NearInput, exact_groups, logical_documents, near_clusters,
};
use auslese_model::{Digest, Part, RequestId, ServerId, Timestamp};
use rustc_hash::FxHashMap;

/// One document as far as others are concerned.
#[derive(Debug)]
pub(super) struct Comparable {
    pub(super) request: RequestId,
    pub(super) url: String,
    pub(super) at: Timestamp,
    /// Whether the rules that look at one document alone keep it.
    pub(super) kept: bool,
    pub(super) server: ServerId,
    pub(super) digest: Option<Digest>,
    pub(super) structure: Option<u64>,
    pub(super) parts: Vec<Part>,
    pub(super) signature: Vec<u64>,
}

/// Who is like whom.
#[derive(Debug, Default)]
pub(super) struct Relations {
    pub(super) duplicate_of: FxHashMap<RequestId, RequestId>,
    pub(super) near: FxHashMap<RequestId, (RequestId, f64)>,
    pub(super) logical: FxHashMap<RequestId, RequestId>,
    same_structure: FxHashMap<(ServerId, u64), u32>,
    urls: FxHashMap<RequestId, String>,
}

impl Relations {
    /// Compares all documents. The original of a group is a kept document, if there is one: a copy
    /// must not fall out of the corpus because of a document that is not in it.
    pub(super) fn of(documents: Vec<Comparable>, threshold: f64) -> Relations {
        let mut relations = Relations::default();
        relations.find_copies(&documents);
        relations.find_near(&documents, threshold);
        relations.find_parts(&documents);
        for document in &documents {
            if let Some(structure) = document.structure {
                *relations.same_structure.entry((document.server, structure)).or_default() += 1;
            }
        }
        let originals =
            relations.duplicate_of.values().chain(relations.near.values().map(|it| &it.0));
        let named: rustc_hash::FxHashSet<RequestId> = originals.copied().collect();
        relations.urls = documents
            .into_iter()
            .filter(|document| named.contains(&document.request))
            .map(|document| (document.request, document.url))
            .collect();
        relations
    }

    pub(super) fn url(&self, request: RequestId) -> &str {
        self.urls.get(&request).map_or("", String::as_str)
    }

    pub(super) fn same_structure(&self, server: ServerId, structure: Option<u64>) -> u32 {
        let key = structure.map(|structure| (server, structure));
        key.and_then(|key| self.same_structure.get(&key)).copied().unwrap_or(0)
    }

    fn find_copies(&mut self, documents: &[Comparable]) {
        let mut kept_originals: FxHashMap<&Digest, RequestId> = FxHashMap::default();
        let with_digest = |kept: bool| {
            documents
                .iter()
                .filter(move |document| document.kept == kept)
                .filter_map(|document| Some((claim(document), document.digest.as_ref()?)))
        };
        for group in exact_groups(with_digest(true)) {
            self.add_copies(group.original, &group.copies);
        }
        for (claim, digest) in with_digest(true) {
            let original = self.duplicate_of.get(&claim.request).unwrap_or(&claim.request);
            kept_originals.insert(digest, *original);
        }
        for (claim, digest) in with_digest(false) {
            if let Some(original) = kept_originals.get(digest) {
                self.duplicate_of.insert(claim.request, *original);
            }
        }
        let lonely = with_digest(false).filter(|(_, digest)| !kept_originals.contains_key(digest));
        let groups = exact_groups(lonely);
        for group in groups {
            self.add_copies(group.original, &group.copies);
        }
    }

    fn add_copies(&mut self, original: RequestId, copies: &[RequestId]) {
        self.duplicate_of.extend(copies.iter().map(|copy| (*copy, original)));
    }

    /// Among what would be in the corpus; an exact copy needs no second mark.
    fn find_near(&mut self, documents: &[Comparable], threshold: f64) {
        let inputs: Vec<NearInput<'_>> = documents
            .iter()
            .filter(|document| document.kept && !document.signature.is_empty())
            .filter(|document| !self.duplicate_of.contains_key(&document.request))
            .map(|document| NearInput {
                request: document.request,
                at: day(document.at),
                url_length: url_length(document),
                signature: &document.signature,
            })
            .collect();
        for cluster in near_clusters(&inputs, threshold) {
            for (member, similarity) in cluster.members {
                if member != cluster.original {
                    self.near.insert(member, (cluster.original, similarity));
                }
            }
        }
    }

    fn find_parts(&mut self, documents: &[Comparable]) {
        let pages: Vec<LogicalPage<'_>> = documents
            .iter()
            .filter(|document| document.kept)
            .map(|document| LogicalPage {
                request: document.request,
                url: &document.url,
                parts: &document.parts,
            })
            .collect();
        for logical in logical_documents(&pages) {
            if let Some(first) = logical.pages.first() {
                self.logical.extend(logical.pages.iter().map(|page| (*page, *first)));
            }
        }
    }
}

fn claim(document: &Comparable) -> Claim {
    Claim { at: day(document.at), url_length: url_length(document), request: document.request }
}

/// The day of a capture. Within a crawl it is chance which of two copies comes first, and their
/// addresses tell more; archives of different times are worth telling apart.
fn day(at: Timestamp) -> Timestamp {
    const MICROSECONDS: i64 = 24 * 60 * 60 * 1_000_000;
    Timestamp(at.0.div_euclid(MICROSECONDS) * MICROSECONDS)
}

fn url_length(document: &Comparable) -> u32 {
    u32::try_from(document.url.len()).unwrap_or(u32::MAX)
}
