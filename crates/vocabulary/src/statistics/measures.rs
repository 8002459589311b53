//! How strong an association is, from four counts.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How often a word and a term occur, alone and together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Documents.
    pub n: u32,
    /// Documents with the free word.
    pub n_t: u32,
    /// Documents with the controlled term.
    pub n_c: u32,
    /// Documents with both.
    pub n_tc: u32,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// How probable the target is where the source is.
    Conditional,
    Jaccard,
    /// `n_tc² / (n_t · n_c)`: conditional probability in both directions.
    #[default]
    Equivalence,
    /// G², by how much the counts speak against chance (T. Dunning, Accurate methods for the
    /// statistics of surprise and coincidence, 1993); 0 for what avoids each other.
    LogLikelihood,
}

impl Measure {
    pub const ALL: [Measure; 4] =
        [Measure::Conditional, Measure::Jaccard, Measure::Equivalence, Measure::LogLikelihood];

    pub fn as_str(self) -> &'static str {
        match self {
            Measure::Conditional => "conditional",
            Measure::Jaccard => "jaccard",
            Measure::Equivalence => "equivalence",
            Measure::LogLikelihood => "log-likelihood",
        }
    }

    pub fn parse(text: &str) -> Option<Measure> {
        Measure::ALL.into_iter().find(|measure| measure.as_str() == text)
    }

    /// Its value where the source occurs in `n_source` documents; all but G² lie in 0..=1.
    pub fn value(self, counts: Counts, n_source: u32) -> f64 {
        let [n_t, n_c, n_tc] = [counts.n_t, counts.n_c, counts.n_tc].map(f64::from);
        let value = match self {
            Measure::Conditional => n_tc / f64::from(n_source),
            Measure::Jaccard => n_tc / (n_t + n_c - n_tc),
            Measure::Equivalence => n_tc * n_tc / (n_t * n_c),
            Measure::LogLikelihood => log_likelihood(counts),
        };
        // Counts of nothing divide by nothing.
        if value.is_finite() { value } else { 0.0 }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

pub(super) fn log_likelihood(counts: Counts) -> f64 {
    let [n, n_t, n_c, n_tc] = [counts.n, counts.n_t, counts.n_c, counts.n_tc].map(f64::from);
    if n_tc * n <= n_t * n_c {
        return 0.0;
    }
    #[rustfmt::skip]
    let cells = [
        // observed                       expected
        (n_tc,                            n_t * n_c / n),
        (n_t - n_tc,                      n_t * (n - n_c) / n),
        (n_c - n_tc,                      (n - n_t) * n_c / n),
        ((n - n_t - n_c + n_tc).max(0.0), (n - n_t) * (n - n_c) / n),
    ];
    let share = |(observed, expected): (f64, f64)| match observed > 0.0 && expected > 0.0 {
        true => observed * (observed / expected).ln(),
        false => 0.0,
    };
    (2.0 * cells.into_iter().map(share).sum::<f64>()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // 100 documents, the word in 20, the term in 10, both in 8:
        //   P(c|t) = 8/20, Jaccard = 8/22, equivalence = 64/200.
        //   Expected 2, 18, 8, 72; observed 8, 12, 2, 78:
        //   G² = 2 (8 ln 4 + 12 ln 2/3 + 2 ln 1/4 + 78 ln 13/12)
        //      = 2 (11.0903549 − 4.8655813 − 2.7725887 + 6.2433312) = 19.3910321
        let counts = Counts { n: 100, n_t: 20, n_c: 10, n_tc: 8 };
        #[rustfmt::skip]
        let cases = [
            (Measure::Conditional,   20, 0.4),
            (Measure::Conditional,   10, 0.8),
            (Measure::Jaccard,       20, 8.0 / 22.0),
            (Measure::Equivalence,   20, 0.32),
            (Measure::LogLikelihood, 20, 19.391_032_1),
        ];
        for (measure, n_source, expected) in cases {
            let value = measure.value(counts, n_source);
            assert!((value - expected).abs() < 1e-6, "{measure}: {value}");
        }
    }

    #[test]
    fn what_avoids_each_other_and_nothing_at_all() {
        let apart = Counts { n: 100, n_t: 50, n_c: 50, n_tc: 10 };
        assert_eq!(Measure::LogLikelihood.value(apart, 50), 0.0);
        let chance = Counts { n: 100, n_t: 50, n_c: 20, n_tc: 10 };
        assert_eq!(Measure::LogLikelihood.value(chance, 50), 0.0);
        let nothing = Counts { n: 0, n_t: 0, n_c: 0, n_tc: 0 };
        for measure in Measure::ALL {
            assert_eq!(measure.value(nothing, 0), 0.0);
            assert_eq!(Measure::parse(measure.as_str()), Some(measure));
        }
        let always = Counts { n: 10, n_t: 5, n_c: 5, n_tc: 5 };
        let twice_ten_bits = 2.0 * 10.0 * 2f64.ln();
        assert!((Measure::LogLikelihood.value(always, 5) - twice_ten_bits).abs() < 1e-9);
    }
}
