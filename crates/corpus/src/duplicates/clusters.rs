//! Finds clusters of nearly equal texts among many, without comparing each with each.
//!
//! Signatures are cut into bands; only texts that agree in a whole band are compared (locality
//! sensitive hashing, Indyk and Motwani 1998). Documents are taken in the order of their claims: a
//! document joins the most similar original found so far if it is similar enough, and otherwise is
//! an original itself. So a cluster may be found over many bands and grow without end, but each of
//! its members is as similar to the *original* as the threshold demands; chains, in which each
//! document resembles the next and the last has nothing in common with the first, do not arise.
//!
//! Most documents share no band with another one. They are sorted out first, one band at a time,
//! so that the table of bands holds only the others. A band that very many originals share (pages
//! of one template) is searched up to [`MAX_CANDIDATES`] originals.

use super::Claim;
use super::minhash::{BANDS, WORDS_OF_BAND, is_signature, mix, similarity};
use auslese_model::{RequestId, Timestamp};
use rustc_hash::FxHashMap;

/// The least similarity to the original that makes a near duplicate. At 0.9 two pages of 300 words
/// differ in about three places.
pub const DEFAULT_NEAR_THRESHOLD: f64 = 0.9;

/// Originals that share one band and are compared with a document. Bands are 14, so one document
/// is never compared with more than 14 times as many.
pub const MAX_CANDIDATES: usize = 64;

/// A document to be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearInput<'a> {
    pub request: RequestId,
    /// When it was first captured.
    pub at: Timestamp,
    pub url_length: u32,
    /// As made by [`super::signature`]; a document without one is in no cluster.
    pub signature: &'a [u64],
}

/// Documents that are nearly the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    pub original: RequestId,
    /// The others, by their claim, each with its similarity to the original; never empty.
    pub members: Vec<(RequestId, f64)>,
}

/// The clusters, in the order of their originals' claims. Each document is in one at most. The
/// result does not depend on the order of the input.
pub fn near_clusters(documents: &[NearInput<'_>], threshold: f64) -> Vec<Cluster> {
    let mut documents: Vec<&NearInput<'_>> =
        documents.iter().filter(|document| is_signature(document.signature)).collect();
    documents.sort_unstable_by_key(|document| document.claim());
    let shared = sharing_a_band(&documents);
    let mut originals = Originals::new(threshold);
    for (document, _) in documents.iter().zip(shared).filter(|(_, shared)| *shared) {
        originals.place(document);
    }
    originals.clusters.into_iter().filter(|cluster| !cluster.members.is_empty()).collect()
}

impl NearInput<'_> {
    fn claim(&self) -> Claim {
        Claim { at: self.at, url_length: self.url_length, request: self.request }
    }

    fn bands(&self) -> impl Iterator<Item = u64> {
        (0..BANDS).map(|band| band_key(self.signature, band))
    }
}

fn band_key(signature: &[u64], band: usize) -> u64 {
    let values = &signature[band * WORDS_OF_BAND..][..WORDS_OF_BAND];
    values.iter().fold(mix(band as u64), |key, value| mix(key ^ value))
}

/// Which documents agree with another one in at least one band.
fn sharing_a_band(documents: &[&NearInput<'_>]) -> Vec<bool> {
    let mut shared = vec![false; documents.len()];
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(documents.len());
    for band in 0..BANDS {
        keys.clear();
        let numbered = (0u32..).zip(documents);
        keys.extend(numbered.map(|(at, document)| (band_key(document.signature, band), at)));
        keys.sort_unstable();
        for equal in keys.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1) {
            equal.iter().for_each(|(_, at)| shared[*at as usize] = true);
        }
    }
    shared
}

/// The originals so far, found by their bands.
struct Originals<'a> {
    threshold: f64,
    clusters: Vec<Cluster>,
    signatures: Vec<&'a [u64]>,
    by_band: FxHashMap<u64, Vec<u32>>,
}

impl<'a> Originals<'a> {
    fn new(threshold: f64) -> Originals<'a> {
        Originals {
            threshold,
            clusters: Vec::new(),
            signatures: Vec::new(),
            by_band: FxHashMap::default(),
        }
    }

    fn place(&mut self, document: &NearInput<'a>) {
        match self.most_similar(document) {
            Some((original, similarity)) => {
                self.clusters[original].members.push((document.request, similarity));
            }
            None => self.add(document),
        }
    }

    /// The original most similar to the document, the earlier of two, if one is similar enough.
    fn most_similar(&self, document: &NearInput<'_>) -> Option<(usize, f64)> {
        let mut candidates: Vec<u32> = document
            .bands()
            .filter_map(|band| self.by_band.get(&band))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut best: Option<(usize, f64)> = None;
        for candidate in candidates {
            let candidate = candidate as usize;
            let alike = similarity(self.signatures[candidate], document.signature).unwrap_or(0.0);
            if alike >= self.threshold && best.is_none_or(|(_, so_far)| alike > so_far) {
                best = Some((candidate, alike));
            }
        }
        best
    }

    fn add(&mut self, document: &NearInput<'a>) {
        // Numbers of documents in one harvest stay far below 2³².
        let number = self.clusters.len() as u32;
        self.clusters.push(Cluster { original: document.request, members: Vec::new() });
        self.signatures.push(document.signature);
        for band in document.bands() {
            let originals = self.by_band.entry(band).or_default();
            if originals.len() < MAX_CANDIDATES {
                originals.push(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::signature;
    use super::*;

    fn words(from: usize, count: usize) -> Vec<String> {
        (from..from + count).map(|n| format!("w{n}")).collect()
    }

    fn signed(words: &[String]) -> Vec<u64> {
        signature(words.iter().map(String::as_str))
    }

    fn input(request: i64, signature: &[u64]) -> NearInput<'_> {
        NearInput { request: RequestId(request), at: Timestamp(request), url_length: 1, signature }
    }

    #[test]
    fn a_chain_is_not_one_cluster() {
        // Each text is moved by 4 % against the one before: neighbours are alike, ends are not.
        let texts: Vec<Vec<u64>> = (0..20).map(|n| signed(&words(n * 40, 1000))).collect();
        let inputs: Vec<NearInput<'_>> = (0..).zip(&texts).map(|(n, s)| input(n, s)).collect();
        let clusters = near_clusters(&inputs, 0.9);
        assert!(clusters.len() > 3, "{clusters:?}");
        for cluster in &clusters {
            assert!(cluster.members.iter().all(|(_, alike)| *alike >= 0.9), "{cluster:?}");
        }
    }

    #[test]
    fn the_order_of_the_input_does_not_matter() {
        let texts: Vec<Vec<u64>> =
            (0..30).map(|n| signed(&words((n % 7) * 1000 + n / 7, 200))).collect();
        let mut inputs: Vec<NearInput<'_>> = (0..).zip(&texts).map(|(n, s)| input(n, s)).collect();
        let first = near_clusters(&inputs, 0.9);
        inputs.reverse();
        assert_eq!(near_clusters(&inputs, 0.9), first);
        assert_eq!(first.len(), 7);
        assert_eq!(first[0].original, RequestId(0));
    }

    #[test]
    fn texts_without_signature_are_in_no_cluster() {
        let inputs = [input(1, &[]), input(2, &[]), input(3, &[1, 2, 3]), input(4, &[1, 2, 3])];
        assert_eq!(near_clusters(&inputs, 0.0), []);
    }

    /// Ten thousand texts share half of their bands and are still all different: what would be
    /// fifty million comparisons stays below the limit of candidates.
    #[test]
    fn thousands_in_one_band_are_no_burden() {
        let texts: Vec<Vec<u64>> = (0..10_000u64)
            .map(|n| {
                let own = |at: u64| mix(n * 1000 + at);
                (0..56).map(|at| if at < 28 { at } else { own(at) }).collect()
            })
            .collect();
        let inputs: Vec<NearInput<'_>> = (0..).zip(&texts).map(|(n, s)| input(n, s)).collect();
        assert_eq!(near_clusters(&inputs, 0.9), []);
        let same: Vec<NearInput<'_>> = (0..10_000).map(|n| input(n, &texts[0])).collect();
        let clusters = near_clusters(&same, 0.9);
        assert_eq!(clusters.len(), 1);
        assert_eq!(clusters[0].members.len(), 9_999);
    }
}
