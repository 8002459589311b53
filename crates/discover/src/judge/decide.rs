//! From evidence to a verdict.
//!
//! A rule decides first. Otherwise the signs add up to a score ([`super::score`]): from the
//! member threshold on the host belongs, below the review threshold it does not, and in between
//! a person should look. An open question is never taken for "nothing found": if its answer could
//! make the host a member, the verdict waits; if it could not, the verdict stands and says so.
//!
//! The paper's method is binary: one of its three indicators is enough, whatever its weight.

use super::questions::best_score;
use super::score::{reaches, score, score_of};
use super::words::{list_of, sentence};
use crate::settings::{JudgeSettings, Method};
use auslese_model::{Evidence, HostName, Indicator, Membership, OpenQuestion, Timestamp, Verdict};

/// The indicators of the paper: net range, name servers, registrant.
pub(crate) const PAPER: [Indicator; 4] =
    [Indicator::Net, Indicator::NameServer, Indicator::EmailDomain, Indicator::Holder];

/// What the evidence amounts to, and until when that is relied on.
pub fn decide(
    host: &HostName,
    evidence: Vec<Evidence>,
    open: Vec<OpenQuestion>,
    settings: &JudgeSettings,
    now: Timestamp,
) -> Verdict {
    let outcome = by_rule(&evidence).unwrap_or_else(|| match settings.method {
        Method::Weighted => by_score(&evidence, &open, settings),
        Method::Paper => as_in_the_paper(&evidence, &open, settings),
    });
    let relied_on = if outcome.waits { settings.retry } else { settings.keep };
    Verdict {
        host: host.clone(),
        membership: outcome.membership,
        score: outcome.score,
        case: None,
        decided_by: outcome.decided_by,
        reason: outcome.reason,
        label: None,
        evidence,
        open,
        at: now,
        until: now.plus(relied_on),
    }
}

/// Where a score lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Band {
    Foreign,
    Review,
    Member,
}

impl Band {
    pub(crate) fn of_evidence(evidence: &[Evidence], settings: &JudgeSettings) -> Band {
        Band::of(&super::score::strengths(evidence), settings)
    }

    pub(crate) fn of(strengths: &[(Indicator, f64)], settings: &JudgeSettings) -> Band {
        match settings.method {
            Method::Weighted => Band::of_score(score_of(strengths), settings),
            Method::Paper if is_member_in_the_paper(strengths) => Band::Member,
            Method::Paper => Band::Foreign,
        }
    }

    fn of_score(score: f64, settings: &JudgeSettings) -> Band {
        if reaches(score, settings.member) {
            Band::Member
        } else if reaches(score, settings.review) {
            Band::Review
        } else {
            Band::Foreign
        }
    }
}

/// Any of the paper's signs is enough; so is what people said.
pub(crate) fn is_member_in_the_paper(strengths: &[(Indicator, f64)]) -> bool {
    let counts = |indicator: &Indicator| {
        PAPER.contains(indicator) || matches!(indicator, Indicator::Root | Indicator::List)
    };
    strengths.iter().any(|(indicator, strength)| counts(indicator) && *strength > 0.0)
}

struct Outcome {
    membership: Membership,
    score: f64,
    decided_by: Option<Indicator>,
    reason: String,
    /// Whether it is worth asking again soon.
    waits: bool,
}

/// A rule's strength says what it says: 1 always, 0 never.
fn by_rule(evidence: &[Evidence]) -> Option<Outcome> {
    let rule = evidence.iter().find(|sign| sign.indicator == Indicator::Rule)?;
    let (membership, score) =
        if rule.strength > 0.0 { (Membership::Member, 1.0) } else { (Membership::Foreign, 0.0) };
    let decided_by = Some(Indicator::Rule);
    Some(Outcome { membership, score, decided_by, reason: sentence(rule), waits: false })
}

fn by_score(evidence: &[Evidence], open: &[OpenQuestion], settings: &JudgeSettings) -> Outcome {
    let score = score(evidence);
    let best = best_score(evidence, open, settings);
    let could_be_member = !open.is_empty() && reaches(best, settings.member);
    let outcome = |membership, decided_by, reason, waits| Outcome {
        membership,
        score,
        decided_by,
        reason,
        waits,
    };
    let (member, review) = (settings.member, settings.review);
    let sum = sum_in_words(evidence, score);
    match Band::of_score(score, settings) {
        Band::Member => match settling(evidence, member) {
            Some(sign) => outcome(Membership::Member, Some(sign.indicator), sentence(sign), false),
            None => {
                let reason = format!("{sum}, and {member:.2} makes a member");
                outcome(Membership::Member, None, reason, false)
            }
        },
        _ if could_be_member => {
            let open = open_in_words(open);
            let reason = format!(
                "{sum}; open: {open}, which could lift it to {best:.2}, and {member:.2} makes a member"
            );
            outcome(Membership::Unsure, None, reason, true)
        }
        Band::Review => {
            let reason = format!(
                "{sum}, between {review:.2} (below it foreign) and {member:.2} (from there a member): \
                 a person should look{}",
                harmless_in_words(open, best)
            );
            outcome(Membership::Unsure, None, reason, false)
        }
        Band::Foreign => {
            let reason = format!("{sum}, less than {review:.2}{}", harmless_in_words(open, best));
            outcome(Membership::Foreign, None, reason, false)
        }
    }
}

fn as_in_the_paper(
    evidence: &[Evidence],
    open: &[OpenQuestion],
    settings: &JudgeSettings,
) -> Outcome {
    let says = |sign: &&Evidence| is_member_in_the_paper(&[(sign.indicator, sign.strength)]);
    if let Some(sign) = evidence.iter().find(says) {
        return Outcome {
            membership: Membership::Member,
            score: 1.0,
            decided_by: Some(sign.indicator),
            reason: sentence(sign),
            waits: false,
        };
    }
    let none = "neither address, nor name servers, nor registrant are the organisation's";
    let could_be_member = open.iter().any(|open| {
        is_member_in_the_paper(&[(open.indicator, settings.weights.most(open.indicator))])
    });
    let (membership, reason) = if could_be_member {
        let reason = format!("{none} as far as known; open: {}", open_in_words(open));
        (Membership::Unsure, reason)
    } else {
        (Membership::Foreign, none.to_owned())
    };
    Outcome { membership, score: 0.0, decided_by: None, reason, waits: could_be_member }
}

/// The first sign, in the order of cost, that is enough alone.
fn settling(evidence: &[Evidence], member: f64) -> Option<&Evidence> {
    evidence.iter().find(|sign| reaches(score_of(&[(sign.indicator, sign.strength)]), member))
}

fn sum_in_words(evidence: &[Evidence], score: f64) -> String {
    let mut says: Vec<&str> = evidence
        .iter()
        .filter(|sign| sign.strength > 0.0)
        .map(|sign| sign.indicator.as_str())
        .collect();
    says.dedup();
    match says.as_slice() {
        [] => "nothing found speaks for it".to_owned(),
        [one] => format!("{one} speaks for it with {score:.2}"),
        several => format!("{} together reach {score:.2}", list_of(several)),
    }
}

fn open_in_words(open: &[OpenQuestion]) -> String {
    let names: Vec<&str> = open.iter().map(|open| open.indicator.as_str()).collect();
    list_of(&names)
}

fn harmless_in_words(open: &[OpenQuestion], best: f64) -> String {
    match open {
        [] => String::new(),
        open => {
            format!("; what is open ({}) could lift it to {best:.2} at most", open_in_words(open))
        }
    }
}
