//! Who spoke for a candidate, and what that is worth as long as nothing was measured.

use super::probability;
use auslese_model::RuleId;

/// The weight of a rule that comes without one, and the most that a rule without data counts for
/// where others were measured. Low on purpose: what a stranger's rule was written with is a hope.
pub const UNTESTED_WEIGHT: f64 = 0.3;

/// How an indicator speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Voice {
    /// It gave the value.
    Rule,
    /// It holds for the value and speaks for it.
    Support,
    /// It holds for the value and speaks against it.
    Doubt,
}

/// A rule, support or doubt that holds for a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Indicator {
    pub id: RuleId,
    pub voice: Voice,
    /// The weight it was written with.
    pub initial: Option<f64>,
}

impl Indicator {
    pub fn rule(id: RuleId, initial: f64) -> Indicator {
        Indicator { id, voice: Voice::Rule, initial: Some(initial) }
    }

    pub fn support(id: RuleId, initial: f64) -> Indicator {
        Indicator { id, voice: Voice::Support, initial: Some(initial) }
    }

    pub fn doubt(id: RuleId, initial: f64) -> Indicator {
        Indicator { id, voice: Voice::Doubt, initial: Some(initial) }
    }

    /// The weight it was written with, in 0..=1.
    pub fn initial_weight(&self) -> f64 {
        probability(self.initial.unwrap_or(UNTESTED_WEIGHT))
    }
}

/// All that spoke for or against one candidate, in the order of the heuristics file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Indicators {
    pub spoke: Vec<Indicator>,
}

impl Indicators {
    pub fn new(spoke: Vec<Indicator>) -> Indicators {
        Indicators { spoke }
    }

    /// The weight without calibration: the largest of the rules' weights, raised by support, then
    /// lowered by doubt.
    pub fn initial_weight(&self) -> f64 {
        self.spoken(Indicator::initial_weight)
    }

    /// The rules that gave the value.
    pub fn rules(&self) -> impl Iterator<Item = &Indicator> {
        self.with_voice(Voice::Rule)
    }

    /// The same combination with other weights for the indicators.
    pub(super) fn spoken(&self, weight: impl Fn(&Indicator) -> f64) -> f64 {
        let largest = |voice| self.with_voice(voice).map(&weight).fold(0.0, f64::max);
        let raised = largest(Voice::Rule).max(largest(Voice::Support));
        self.with_voice(Voice::Doubt).map(&weight).fold(raised, f64::min)
    }

    fn with_voice(&self, voice: Voice) -> impl Iterator<Item = &Indicator> {
        self.spoke.iter().filter(move |it| it.voice == voice)
    }
}

impl FromIterator<Indicator> for Indicators {
    fn from_iter<I: IntoIterator<Item = Indicator>>(spoke: I) -> Indicators {
        Indicators { spoke: spoke.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_rule_then_support_then_doubt() {
        #[rustfmt::skip]
        let cases: [(&[(Voice, f64)], f64); 7] = [
            (&[],                                                                       0.0),
            (&[(Voice::Rule, 0.4)],                                                     0.4),
            (&[(Voice::Rule, 0.4), (Voice::Rule, 0.6)],                                 0.6),
            (&[(Voice::Rule, 0.4), (Voice::Support, 0.5)],                              0.5),
            (&[(Voice::Rule, 0.9), (Voice::Support, 0.5)],                              0.9),
            (&[(Voice::Doubt, 0.1), (Voice::Rule, 0.9), (Voice::Support, 0.95)],        0.1),
            (&[(Voice::Rule, f64::NAN), (Voice::Support, 7.0), (Voice::Doubt, 0.7)],    0.7),
        ];
        for (spoke, expected) in cases {
            let indicators: Indicators = spoke
                .iter()
                .map(|(voice, initial)| Indicator {
                    id: RuleId::new("title", "any"),
                    voice: *voice,
                    initial: Some(*initial),
                })
                .collect();
            assert_eq!(indicators.initial_weight(), expected, "{spoke:?}");
        }
    }
}
