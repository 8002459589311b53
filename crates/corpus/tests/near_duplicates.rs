//! How well near duplicates are found, on made texts whose similarity is known by counting.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_corpus::{NearInput, SHINGLE_WORDS, near_clusters, signature, similarity};
use auslese_model::{RequestId, Timestamp};
use std::collections::HashSet;

/// A small generator of its own, so that the texts are the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    /// Words as in real texts: few are frequent, most are rare.
    fn word(&mut self) -> String {
        let rarity = 10usize.pow(1 + self.roll(4) as u32);
        format!("w{}", self.roll(rarity))
    }

    fn text(&mut self, words: usize) -> Vec<String> {
        (0..words).map(|_| self.word()).collect()
    }

    /// Changes, drops or inserts words in so many places.
    fn edited(&mut self, text: &[String], places: usize) -> Vec<String> {
        let mut text = text.to_vec();
        for _ in 0..places {
            let at = self.roll(text.len());
            match self.roll(3) {
                0 => text[at] = self.word(),
                1 => drop(text.remove(at)),
                _ => text.insert(at, self.word()),
            }
        }
        text
    }
}

fn jaccard(a: &[String], b: &[String]) -> f64 {
    let a: HashSet<&[String]> = a.windows(SHINGLE_WORDS).collect();
    let b: HashSet<&[String]> = b.windows(SHINGLE_WORDS).collect();
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

fn signed(text: &[String]) -> Vec<u64> {
    signature(text.iter().map(String::as_str))
}

#[test]
fn the_estimate_is_close() {
    let mut dice = Dice(1);
    let (mut sum, mut largest, mut bias, mut pairs) = (0.0, 0.0_f64, 0.0, 0);
    for places in [0, 1, 2, 4, 8, 16, 32, 64] {
        for _ in 0..25 {
            let text = dice.text(400);
            let other = dice.edited(&text, places);
            let error =
                similarity(&signed(&text), &signed(&other)).unwrap() - jaccard(&text, &other);
            sum += error.abs();
            bias += error;
            largest = largest.max(error.abs());
            pairs += 1;
        }
    }
    let (mean, bias) = (sum / f64::from(pairs), bias / f64::from(pairs));
    assert!(mean < 0.035, "mean error {mean}");
    assert!(bias.abs() < 0.01, "bias {bias}");
    assert!(largest < 0.17, "largest error {largest}");
}

/// Families of an original and edited copies. Copies above 0.95 must be found, those below 0.8
/// must not be; in between the estimate decides.
#[test]
fn copies_are_found_and_others_are_not() {
    let mut dice = Dice(2);
    let mut documents: Vec<(RequestId, Vec<u64>)> = Vec::new();
    let mut near = Vec::new();
    let mut far = Vec::new();
    for family in 0..150 {
        let original = dice.text(300);
        documents.push((RequestId(family * 10), signed(&original)));
        for copy in 1..10 {
            let places = [0, 1, 1, 1, 0, 3, 30, 40, 60, 80][copy as usize];
            let text = dice.edited(&original, places);
            let id = RequestId(family * 10 + copy);
            match jaccard(&original, &text) {
                alike if alike >= 0.95 => near.push(id),
                alike if alike < 0.8 => far.push(id),
                _ => {}
            }
            documents.push((id, signed(&text)));
        }
    }
    let inputs: Vec<NearInput<'_>> = documents
        .iter()
        .map(|(request, signature)| NearInput {
            request: *request,
            at: Timestamp(request.0),
            url_length: 20,
            signature,
        })
        .collect();
    let clusters = near_clusters(&inputs, 0.9);
    let mut found = HashSet::new();
    for cluster in &clusters {
        for (member, _) in &cluster.members {
            assert_eq!(member.0 / 10, cluster.original.0 / 10, "strangers in one cluster");
            if cluster.original.0 % 10 == 0 {
                found.insert(*member);
            }
        }
    }
    assert!(near.len() > 400 && far.len() > 400, "{} near, {} far", near.len(), far.len());
    let recall = near.iter().filter(|id| found.contains(id)).count() as f64 / near.len() as f64;
    let false_alarms = far.iter().filter(|id| found.contains(id)).count();
    assert!(recall >= 0.97, "recall {recall}");
    assert!(false_alarms * 200 <= far.len(), "{false_alarms} of {} false", far.len());
}
