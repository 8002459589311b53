//! How signs add up.
//!
//! Groups of signs are independent of each other, so the doubts they leave are multiplied
//! ("noisy or"): two halves make three quarters. Within a group signs say much the same, so the
//! strongest counts. The registrant's group is the one exception: a postal address shared with
//! the organisation says nothing alone (other institutions live in the same house), but confirms
//! the holder's name. The mail address and the holder come from the same answer of the same
//! registry, so they do not add up.

use auslese_model::{Evidence, EvidenceGroup, Indicator};

/// Scores are sums of rounded numbers: 0.5 and 0.4 must make 0.7, not a hair less.
const HAIR: f64 = 1e-9;

pub(crate) const GROUPS: [EvidenceGroup; 6] = [
    EvidenceGroup::Hand,
    EvidenceGroup::Net,
    EvidenceGroup::NameServer,
    EvidenceGroup::Registrant,
    EvidenceGroup::Mail,
    EvidenceGroup::Web,
];

/// From 0 (nothing speaks for it) to 1 (certain). More evidence never lowers it, and its order
/// does not matter.
pub fn score(evidence: &[Evidence]) -> f64 {
    score_of(&strengths(evidence))
}

/// The same for bare strengths.
pub(crate) fn score_of(strengths: &[(Indicator, f64)]) -> f64 {
    let doubt: f64 = GROUPS.iter().map(|group| 1.0 - group_strength(strengths, *group)).product();
    1.0 - doubt
}

pub(crate) fn strengths(evidence: &[Evidence]) -> Vec<(Indicator, f64)> {
    evidence.iter().map(|sign| (sign.indicator, sign.strength)).collect()
}

/// What one group contributes.
pub(crate) fn group_strength(strengths: &[(Indicator, f64)], group: EvidenceGroup) -> f64 {
    let strongest = |indicators: &[Indicator]| {
        let counted = strengths.iter().filter(|(indicator, _)| indicators.contains(indicator));
        counted.map(|(_, strength)| within_bounds(*strength)).fold(0.0, f64::max)
    };
    if group != EvidenceGroup::Registrant {
        let of_group: Vec<_> = Indicator::ALL.into_iter().filter(|i| i.group() == group).collect();
        return strongest(&of_group);
    }
    let holder = strongest(&[Indicator::Holder]);
    let address = if holder > 0.0 { strongest(&[Indicator::PostalAddress]) } else { 0.0 };
    let holder_with_address = 1.0 - (1.0 - holder) * (1.0 - address);
    holder_with_address.max(strongest(&[Indicator::EmailDomain]))
}

/// Whether a score reaches a threshold.
pub(crate) fn reaches(score: f64, threshold: f64) -> bool {
    score + HAIR >= threshold
}

/// Stored evidence may hold anything.
fn within_bounds(strength: f64) -> f64 {
    if strength.is_nan() { 0.0 } else { strength.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sums() {
        use Indicator::*;
        #[rustfmt::skip]
        let cases: &[(&[(Indicator, f64)], f64)] = &[
            (&[],                                                          0.0),
            (&[(Net, 1.0)],                                                1.0),
            (&[(MailRouting, 0.5), (Certificate, 0.5)],                    0.75),
            (&[(MailRouting, 0.5), (Pointer, 0.4)],                        0.7),
            // One group: the strongest counts.
            (&[(Certificate, 0.5), (Pointer, 0.4), (Redirect, 0.4)],       0.5),
            (&[(Holder, 0.7), (PostalAddress, 0.3)],                       0.79),
            (&[(PostalAddress, 0.3)],                                      0.0),
            (&[(EmailDomain, 0.9), (Holder, 0.7), (PostalAddress, 0.3)],   0.9),
            (&[(EmailDomain, 0.9), (PostalAddress, 0.3)],                  0.9),
            (&[(NameServer, 0.2), (Certificate, 0.5)],                     0.6),
            // Settings and stored rows may hold nonsense.
            (&[(Net, 7.0)],                                                1.0),
            (&[(Net, -1.0), (Holder, f64::NAN)],                           0.0),
        ];
        for (strengths, expected) in cases {
            let score = score_of(strengths);
            assert!((score - expected).abs() < 1e-9, "{strengths:?}: {score}");
        }
        assert!(reaches(score_of(&[(MailRouting, 0.5), (Pointer, 0.4)]), 0.7));
    }

    fn signs() -> impl Strategy<Value = Vec<(Indicator, f64)>> {
        let sign = (0..Indicator::ALL.len(), 0.0f64..=1.0);
        proptest::collection::vec(sign.prop_map(|(i, s)| (Indicator::ALL[i], s)), 0..20)
    }

    proptest! {
        #[test]
        fn stays_within_bounds(strengths in signs(), wild in any::<f64>()) {
            let score = score_of(&strengths);
            prop_assert!((0.0..=1.0).contains(&score));
            let with_wild = [strengths, vec![(Indicator::Net, wild)]].concat();
            prop_assert!((0.0..=1.0).contains(&score_of(&with_wild)));
        }

        #[test]
        fn more_evidence_never_lowers(strengths in signs(), more in signs()) {
            let all = [strengths.clone(), more].concat();
            prop_assert!(score_of(&all) >= score_of(&strengths));
        }

        #[test]
        fn order_does_not_matter(strengths in signs(), turn in 0usize..20) {
            let mut other = strengths.clone();
            let turn = turn % other.len().max(1);
            other.rotate_left(turn);
            prop_assert_eq!(score_of(&other), score_of(&strengths));
            other.reverse();
            prop_assert_eq!(score_of(&other), score_of(&strengths));
        }
    }
}
