//! Decides which documents are the same as another one, and which of them is the original.
//!
//! Exact duplicates have equal payloads. Near duplicates share most of their word sequences, which
//! is estimated from short signatures ([`signature`]) so that a million documents can be compared.
//! In both cases the original is the document captured first; of several captured at the same
//! moment the one with the shortest address, then the one with the lowest number. Nothing is
//! removed here: duplicates are marked, and leaving them out is a view.

mod clusters;
mod minhash;

pub use clusters::{Cluster, DEFAULT_NEAR_THRESHOLD, MAX_CANDIDATES, NearInput, near_clusters};
pub(crate) use minhash::mix;
pub use minhash::{MIN_SIGNATURE_WORDS, SHINGLE_WORDS, SIGNATURE_VALUES, signature, similarity};

use auslese_model::{Digest, RequestId, Timestamp};
use rustc_hash::FxHashMap;

/// Who came first: documents are ordered by their claim to be the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// When the document was first captured.
    pub at: Timestamp,
    /// Length of its address: of two names for one thing the shorter is usually the proper one.
    pub url_length: u32,
    pub request: RequestId,
}

/// Documents with one payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactGroup {
    pub original: RequestId,
    /// The other documents, by their claim; never empty.
    pub copies: Vec<RequestId>,
}

/// Groups documents with equal payloads; the groups are in the order of their originals' claims.
///
/// Empty bodies are equal to each other too; whether they are documents at all is for the caller
/// to say, who knows their length.
pub fn exact_groups<'a>(documents: impl Iterator<Item = (Claim, &'a Digest)>) -> Vec<ExactGroup> {
    let mut by_digest: FxHashMap<&Digest, Vec<Claim>> = FxHashMap::default();
    for (claim, digest) in documents {
        by_digest.entry(digest).or_default().push(claim);
    }
    let mut groups: Vec<Vec<Claim>> =
        by_digest.into_values().filter(|claims| claims.len() > 1).collect();
    for claims in &mut groups {
        claims.sort_unstable();
    }
    groups.sort_unstable();
    groups
        .into_iter()
        .map(|claims| {
            let mut requests = claims.into_iter().map(|claim| claim.request);
            let original = requests.next().expect("a group has at least two documents");
            ExactGroup { original, copies: requests.collect() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Algorithm;

    fn claim(request: i64, at: i64, url_length: u32) -> Claim {
        Claim { at: Timestamp(at), url_length, request: RequestId(request) }
    }

    #[test]
    fn the_original_is_the_first_then_the_shortest_then_the_lowest() {
        let digest = |byte| Digest { algorithm: Algorithm::Sha256, bytes: vec![byte; 32] };
        let digests = [digest(1), digest(2), digest(3), digest(4)];
        let documents = [
            (claim(1, 50, 10), 0),
            (claim(2, 40, 99), 0),
            (claim(3, 40, 30), 1),
            (claim(4, 40, 20), 1),
            (claim(6, 10, 20), 2),
            (claim(5, 10, 20), 2),
            (claim(7, 10, 20), 3),
        ];
        let groups = exact_groups(documents.iter().map(|(claim, d)| (*claim, &digests[*d])));
        let found: Vec<(i64, Vec<i64>)> = groups
            .into_iter()
            .map(|group| (group.original.0, group.copies.iter().map(|id| id.0).collect()))
            .collect();
        assert_eq!(found, [(5, vec![6]), (4, vec![3]), (2, vec![1])]);
    }
}
