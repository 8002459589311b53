//! Measures of association and of difference, each a function of counts. Formulas and sources are in
//! `docs/kwic.md`.

/// A word inside and outside of windows, or in one corpus and in another: the four numbers that fix
/// a table of two by two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contingency {
    /// The word inside.
    pub(crate) together: u64,
    /// All tokens inside.
    pub(crate) inside: u64,
    /// The word anywhere.
    pub(crate) word: u64,
    /// All tokens.
    pub(crate) all: u64,
}

impl Contingency {
    /// How often the word would be inside if words were spread by chance.
    pub(crate) fn expected(&self) -> f64 {
        if self.all == 0 { 0.0 } else { self.inside as f64 * self.word as f64 / self.all as f64 }
    }

    /// Dunning's G², negative if the word is inside less often than expected.
    pub(crate) fn log_likelihood(&self) -> f64 {
        let outside = self.all.saturating_sub(self.inside) as f64;
        let others = self.all.saturating_sub(self.word) as f64;
        let (inside, word, all) = (self.inside as f64, self.word as f64, self.all as f64);
        let o11 = self.together as f64;
        let (o12, o21) = (inside - o11, word - o11);
        let o22 = outside - o21;
        let term = |observed: f64, row: f64, column: f64| match observed > 0.0 {
            true => observed * (observed * all / (row * column)).ln(),
            false => 0.0,
        };
        let sum = term(o11, inside, word)
            + term(o12, inside, others)
            + term(o21, outside, word)
            + term(o22, outside, others);
        let g2 = (2.0 * sum).max(0.0);
        if o11 < self.expected() { -g2 } else { g2 }
    }

    /// Mutual information: log2 of observed by expected.
    pub(crate) fn mutual_information(&self) -> f64 {
        (self.together as f64 / self.expected()).log2()
    }

    pub(crate) fn t_score(&self) -> f64 {
        let observed = self.together as f64;
        (observed - self.expected()) / observed.sqrt()
    }

    /// Rychlý's logDice; `nodes` is how often the node occurs.
    pub(crate) fn log_dice(&self, nodes: u64) -> f64 {
        14.0 + (2.0 * self.together as f64 / (nodes as f64 + self.word as f64)).log2()
    }
}

/// G² of a count in two corpora after Rayson and Garside, negative if it is rarer in the first.
pub(crate) fn keyness(a: u64, a_tokens: u64, b: u64, b_tokens: u64) -> f64 {
    let (a_all, b_all) = (a_tokens as f64, b_tokens as f64);
    if a + b == 0 || a_tokens == 0 || b_tokens == 0 {
        return 0.0;
    }
    let rate = (a + b) as f64 / (a_all + b_all);
    let term = |count: u64, all: f64| match count {
        0 => 0.0,
        count => count as f64 * (count as f64 / (rate * all)).ln(),
    };
    let g2 = (2.0 * (term(a, a_all) + term(b, b_all))).max(0.0);
    if (a as f64) * b_all < (b as f64) * a_all { -g2 } else { g2 }
}

/// How much more frequent something is, in per cent of its frequency in the reference.
pub(crate) fn percent_difference(a: u64, a_tokens: u64, b: u64, b_tokens: u64) -> Option<f64> {
    let (here, there) = (per_million(a, a_tokens), per_million(b, b_tokens));
    (there > 0.0).then(|| (here - there) * 100.0 / there)
}

pub(crate) fn per_million(count: u64, tokens: u64) -> f64 {
    if tokens == 0 { 0.0 } else { count as f64 * 1e6 / tokens as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 5e-4, "{value} is not {expected}");
    }

    /// 1,000 tokens, 100 of them inside windows; the word occurs 20 times, 10 of them inside; the
    /// node occurs 30 times.
    ///
    /// Expected inside: 100 · 20 / 1000 = 2. The table is
    ///
    ///     inside    10 of 20     90 of 980     E:  2    98
    ///     outside   10          890                18   882
    ///
    /// MI = log2(10/2) = log2 5 = 2.32193.
    /// t = (10 − 2) / √10 = 2.52982.
    /// logDice = 14 + log2(2·10 / (30 + 20)) = 14 + log2 0.4 = 14 − 1.32193 = 12.67807.
    /// G² = 2 (10 ln 5 + 90 ln(90/98) + 10 ln(10/18) + 890 ln(890/882))
    ///    = 2 (16.09438 − 7.66421 − 5.87787 + 8.03617) = 2 · 10.58847 = 21.17694.
    #[test]
    fn association_by_hand() {
        let table = Contingency { together: 10, inside: 100, word: 20, all: 1_000 };
        near(table.expected(), 2.0);
        near(table.mutual_information(), 2.32193);
        near(table.t_score(), 2.52982);
        near(table.log_dice(30), 12.67807);
        near(table.log_likelihood(), 21.17694);
    }

    /// The same word only once inside: E = 2 > 1, so G² is negative.
    /// 2 (1 ln(1/2) + 99 ln(99/98) + 19 ln(19/18) + 881 ln(881/882))
    ///    = 2 (−0.69315 + 1.00509 + 1.02728 − 0.99943) = 2 · 0.33979 = 0.67958.
    #[test]
    fn repelled_words_are_negative() {
        let table = Contingency { together: 1, inside: 100, word: 20, all: 1_000 };
        near(table.log_likelihood(), -0.67958);
        near(table.mutual_information(), -1.0);
        near(table.t_score(), -1.0);
    }

    /// 30 in 10,000 tokens against 20 in 20,000. Pooled rate 50 / 30,000, so 16.667 and 33.333 are
    /// expected: G² = 2 (30 ln 1.8 + 20 ln 0.6) = 2 (17.63360 − 10.21651) = 14.83418.
    /// Per million 3,000 against 1,000: %DIFF = 200.
    #[test]
    fn keyness_by_hand() {
        near(keyness(30, 10_000, 20, 20_000), 14.83418);
        near(keyness(20, 20_000, 30, 10_000), -14.83418);
        near(percent_difference(30, 10_000, 20, 20_000).unwrap(), 200.0);
        near(percent_difference(0, 10_000, 20, 20_000).unwrap(), -100.0);
        assert_eq!(percent_difference(3, 10_000, 0, 20_000), None);
        near(keyness(5, 100, 50, 1_000), 0.0);
        assert_eq!(keyness(0, 0, 0, 0), 0.0);
    }

    proptest! {
        #[test]
        fn measures_are_numbers(
            together in 1u64..50, more_inside in 0u64..500, more_word in 0u64..500, rest in 0u64..5_000,
        ) {
            let inside = together + more_inside;
            let word = together + more_word;
            let table = Contingency { together, inside, word, all: inside + more_word + rest };
            let values = [
                table.log_likelihood(), table.mutual_information(), table.t_score(), table.log_dice(3),
            ];
            prop_assert!(values.iter().all(|value| value.is_finite()), "{:?} {:?}", table, values);
        }
    }
}
