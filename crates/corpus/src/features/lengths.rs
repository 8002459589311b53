//! How long sentences are, in words.

use std::collections::BTreeMap;

/// Upper ends of the classes of length, and their names.
const CLASSES: [(usize, &str); 6] = [
    (5, "sentence.length.1-5"),
    (10, "sentence.length.6-10"),
    (15, "sentence.length.11-15"),
    (20, "sentence.length.16-20"),
    (30, "sentence.length.21-30"),
    (usize::MAX, "sentence.length.31-"),
];

/// Lengths counted singly; longer ones count as this for the median.
const LONGEST_COUNTED: usize = 1_000;

#[derive(Debug)]
pub(super) struct Lengths {
    /// How many sentences have as many words as the index says.
    by_length: Vec<u64>,
    sentences: u64,
    words: u64,
    longest: usize,
}

impl Default for Lengths {
    fn default() -> Lengths {
        Lengths { by_length: vec![0; LONGEST_COUNTED + 1], sentences: 0, words: 0, longest: 0 }
    }
}

impl Lengths {
    pub(super) fn sentence(&mut self, words: u32) {
        let words = words as usize;
        self.by_length[words.min(LONGEST_COUNTED)] += 1;
        self.sentences += 1;
        self.words += words as u64;
        self.longest = self.longest.max(words);
    }

    /// Nothing if there is no sentence.
    pub(super) fn write(&self, features: &mut BTreeMap<String, f64>) {
        if self.sentences == 0 {
            return;
        }
        let mut set = |name: &str, value: f64| features.insert(name.to_owned(), value);
        set("sentence.count", self.sentences as f64);
        set("sentence.mean", self.words as f64 / self.sentences as f64);
        set("sentence.median", self.quantile(0.5) as f64);
        set("sentence.p90", self.quantile(0.9) as f64);
        set("sentence.longest", self.longest as f64);
        let mut from = 1;
        for (to, name) in CLASSES {
            let class = &self.by_length[from..=to.min(LONGEST_COUNTED)];
            set(name, class.iter().sum::<u64>() as f64 / self.sentences as f64);
            from = to.saturating_add(1);
        }
    }

    /// The least length that this share of the sentences does not exceed.
    fn quantile(&self, share: f64) -> usize {
        let wanted = (self.sentences as f64 * share).ceil() as u64;
        let mut seen = 0;
        self.by_length
            .iter()
            .position(|count| {
                seen += count;
                seen >= wanted
            })
            .unwrap_or(LONGEST_COUNTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        let mut lengths = Lengths::default();
        [3, 5, 8, 31, 2_000].into_iter().for_each(|words| lengths.sentence(words));
        let mut features = BTreeMap::new();
        lengths.write(&mut features);
        #[rustfmt::skip]
        let cases = [
            ("sentence.count",         5.0),
            ("sentence.mean",          409.4),
            ("sentence.median",        8.0),
            ("sentence.p90",           1000.0),
            ("sentence.longest",       2000.0),
            ("sentence.length.1-5",    0.4),
            ("sentence.length.6-10",   0.2),
            ("sentence.length.11-15",  0.0),
            ("sentence.length.31-",    0.4),
        ];
        for (name, expected) in cases {
            assert!((features[name] - expected).abs() < 1e-9, "{name}: {}", features[name]);
        }
    }
}
