//! Decides whether a host belongs to the organisation.
//!
//! What was observed arrives as plain values ([`Observed`]); each indicator turns its part into
//! evidence ([`weigh`]), and the evidence becomes a verdict ([`decide`]) that carries its reasons.
//! [`next_question`] tells the investigation what is still worth asking. The words in which a
//! verdict is explained are made here too, so that they are the same everywhere.
//!
//! This module is pure: it asks nobody, and time and settings are arguments.

mod case;
mod compare;
mod decide;
mod facts;
mod known;
mod questions;
mod rules;
mod score;
mod spf;
mod weigh;
mod words;

pub use case::{Reached, case_of, in_network, is_within, reached_in};
pub use decide::decide;
pub use facts::{
    Fact, FrontPage, Imprint, ListKind, Listing, MailRoutes, Observed, Pointer, SeenCertificate,
    SpfTerm, Told, Zone, ZoneServer,
};
pub use known::{Known, NameServerUse, ScannedAs};
pub use questions::{Question, Thoroughness, next_question, open_questions};
pub use rules::{HandDecision, Rule, RuleError, RuleSays, Rules};
pub use score::score;
pub use spf::spf_terms;
pub use weigh::weigh;
pub use words::{evidence_in_short, explain, in_short, sentence};

pub(crate) use compare::{own_mail_domain, own_names};
pub(crate) use decide::is_member_in_the_paper;
pub(crate) use rules::check_pattern;
pub(crate) use score::{reaches, strengths};
pub(crate) use weigh::DOMAINS_OF_ONE_OWNER;

use crate::profile::Profile;
use crate::settings::JudgeSettings;
use auslese_model::{EvidenceGroup, Indicator, Membership, Timestamp, Verdict};

/// The verdict on a host for one organisation. `reached` says how the host came to be known, if
/// that is known already.
pub fn judge(
    observed: &Observed,
    profile: &Profile,
    known: &Known,
    settings: &JudgeSettings,
    reached: Option<Reached>,
    now: Timestamp,
) -> Verdict {
    let evidence = weigh(observed, profile, known, settings, now);
    let open = open_questions(observed, profile, settings);
    let mut verdict = decide(&observed.host, evidence, open, settings, now);
    let belongs = match verdict.membership {
        Membership::Member => true,
        Membership::Unsure => verdict.score > 0.0,
        Membership::Foreign => false,
    };
    verdict.label = belongs.then(|| profile.label.clone());
    if verdict.membership == Membership::Member {
        verdict.case = in_network(observed, profile).zip(reached).map(|(net, by)| case_of(net, by));
    }
    verdict
}

/// The verdict on a host where a harvest holds several organisations: that of the one it speaks
/// for most. If several are equal, the first is taken and the reason names the others. `None`
/// without any organisation.
pub fn judge_all(
    observed: &Observed,
    profiles: &[Profile],
    known: &Known,
    settings: &JudgeSettings,
    reached: Option<Reached>,
    now: Timestamp,
) -> Option<Verdict> {
    let verdicts: Vec<Verdict> = profiles
        .iter()
        .map(|profile| judge(observed, profile, known, settings, reached, now))
        .collect();
    let merit = |verdict: &Verdict| {
        // A rule says the same for every organisation, so the rest decides between them.
        let without_rule = score_without(verdict, |indicator| indicator == Indicator::Rule);
        (rank(verdict.membership), verdict.score, without_rule)
    };
    let by_merit = |a: &Verdict, b: &Verdict| {
        merit(a).partial_cmp(&merit(b)).unwrap_or(std::cmp::Ordering::Equal)
    };
    let best = verdicts.iter().max_by(|a, b| by_merit(a, b)).map(merit)?;
    let mut equal = verdicts.into_iter().filter(|verdict| merit(verdict) == best);
    let mut chosen = equal.next()?;
    let others: Vec<String> = equal.filter_map(|verdict| verdict.label).collect();
    if chosen.label.is_some() && !others.is_empty() {
        chosen.reason = format!("{}; {} could claim it equally", chosen.reason, others.join(", "));
    }
    Some(chosen)
}

fn rank(membership: Membership) -> u8 {
    match membership {
        Membership::Foreign => 0,
        Membership::Unsure => 1,
        Membership::Member => 2,
    }
}

/// Whether a member may itself serve as evidence for others (redirects, certificates, links):
/// only if it would be a member without such evidence of its own. So a chain of weak signs
/// cannot lead ever further away from the organisation.
pub fn may_vouch(verdict: &Verdict, settings: &JudgeSettings) -> bool {
    let without_web = score_without(verdict, |i| i.group() == EvidenceGroup::Web);
    verdict.membership == Membership::Member && reaches(without_web, settings.member)
}

/// The score without some of the evidence.
fn score_without(verdict: &Verdict, left_out: impl Fn(Indicator) -> bool) -> f64 {
    let mut strengths = strengths(&verdict.evidence);
    strengths.retain(|(indicator, _)| !left_out(*indicator));
    score::score_of(&strengths)
}
