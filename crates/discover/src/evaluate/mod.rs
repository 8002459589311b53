//! How good the verdicts are, measured against right answers.
//!
//! Everything is computed from the evidence of the verdicts, so both methods and all thresholds
//! come from one investigation. An indicator is measured on the hosts it was looked at for; the others
//! are named beside it. If the investigation has asked everything ([`Thoroughness::Everything`]),
//! these are only hosts with questions that nobody answered.
//!
//! A host in the review band is not accepted, so it counts as missed if it is a member; how many
//! there are is told beside.

mod truth;

pub use truth::{Truth, read_truth};

use crate::judge::{Thoroughness, is_member_in_the_paper, reaches, score, strengths};
use crate::settings::JudgeSettings;
use auslese_model::{Case, Evidence, HostName, Indicator, Verdict};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The distance between the thresholds that are tried, in hundredths.
const STEP: u32 = 5;

/// All measurements of one evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// Hosts with an answer and a verdict.
    pub hosts: usize,
    /// Hosts with an answer but no verdict; they are not measured.
    pub without_verdict: Vec<HostName>,
    /// The weighted method with the threshold of the settings.
    pub weighted: MethodResult,
    pub paper: MethodResult,
    /// What each indicator would do alone.
    pub indicators: Vec<IndicatorResult>,
    /// The weighted method at other thresholds.
    pub thresholds: Vec<ThresholdResult>,
    /// The threshold with the best F1; of several the highest, which accepts least. None if
    /// there is no member to be found.
    pub best: Option<ThresholdResult>,
    /// Hosts the weighted method got wrong.
    pub mistakes: Vec<Mistake>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodResult {
    pub all: Quality,
    pub cases: Vec<CaseResult>,
    /// Hosts between the thresholds, where a person is asked.
    pub for_review: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseResult {
    /// None for answers without a case.
    pub case: Option<Case>,
    #[serde(flatten)]
    pub quality: Quality,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndicatorResult {
    pub indicator: Indicator,
    /// For how many hosts it was looked at; the counts are theirs.
    pub looked_at: usize,
    /// The hosts about which there is nothing to tell: it was not asked for, or nobody answered.
    pub not_asked: Vec<HostName>,
    #[serde(flatten)]
    pub quality: Quality,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThresholdResult {
    pub threshold: f64,
    #[serde(flatten)]
    pub quality: Quality,
}

/// A host on which the verdict is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mistake {
    pub host: HostName,
    pub member: bool,
    pub score: f64,
    pub reason: String,
}

/// Right and wrong answers counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Members that were accepted.
    pub accepted_members: usize,
    /// Others that were accepted.
    pub accepted_others: usize,
    /// Members that were not accepted.
    pub missed_members: usize,
    /// Others that were not accepted.
    pub refused_others: usize,
}

/// Counts with what is usually made of them. A share of nothing is none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quality {
    pub accepted_members: usize,
    pub accepted_others: usize,
    pub missed_members: usize,
    pub refused_others: usize,
    /// Of what was accepted, how much is right.
    pub precision: Option<f64>,
    /// Of the members, how many were accepted.
    pub recall: Option<f64>,
    pub f1: Option<f64>,
}

/// Compares verdicts, which were made with this thoroughness, with the right answers.
pub fn evaluate(
    truth: &[Truth],
    verdicts: &[Verdict],
    thoroughness: Thoroughness,
    settings: &JudgeSettings,
) -> Evaluation {
    let by_host: FxHashMap<&HostName, &Verdict> =
        verdicts.iter().map(|verdict| (&verdict.host, verdict)).collect();
    let (mut answered, mut without_verdict) = (Vec::new(), Vec::new());
    for answer in truth {
        match by_host.get(&answer.host) {
            Some(verdict) => answered.push(Answered { truth: answer, verdict }),
            None => without_verdict.push(answer.host.clone()),
        }
    }
    let weighted = |evidence: &[Evidence]| accepts_at(evidence, settings.member);
    let thresholds = thresholds(&answered);
    Evaluation {
        hosts: answered.len(),
        without_verdict,
        weighted: MethodResult {
            for_review: answered.iter().filter(|a| a.is_for_review(settings)).count(),
            ..method_result(&answered, weighted)
        },
        paper: method_result(&answered, accepts_in_the_paper),
        indicators: Indicator::ALL
            .into_iter()
            .filter_map(|indicator| alone(&answered, indicator, thoroughness))
            .collect(),
        best: best(&thresholds),
        thresholds,
        mistakes: answered
            .iter()
            .filter(|a| weighted(&a.verdict.evidence) != a.truth.member)
            .map(Answered::mistake)
            .collect(),
    }
}

/// A host with its right answer and its verdict.
struct Answered<'a> {
    truth: &'a Truth,
    verdict: &'a Verdict,
}

impl Answered<'_> {
    fn is_for_review(&self, settings: &JudgeSettings) -> bool {
        let evidence = &self.verdict.evidence;
        by_rule(evidence).is_none()
            && accepts_at(evidence, settings.review)
            && !accepts_at(evidence, settings.member)
    }

    fn mistake(&self) -> Mistake {
        Mistake {
            host: self.truth.host.clone(),
            member: self.truth.member,
            score: self.verdict.score,
            reason: self.verdict.reason.clone(),
        }
    }
}

/// Rules decide whatever the method and the threshold.
fn by_rule(evidence: &[Evidence]) -> Option<bool> {
    let rule = evidence.iter().find(|sign| sign.indicator == Indicator::Rule)?;
    Some(rule.strength > 0.0)
}

fn accepts_at(evidence: &[Evidence], threshold: f64) -> bool {
    by_rule(evidence).unwrap_or_else(|| reaches(score(evidence), threshold))
}

fn accepts_in_the_paper(evidence: &[Evidence]) -> bool {
    by_rule(evidence).unwrap_or_else(|| is_member_in_the_paper(&strengths(evidence)))
}

fn method_result(answered: &[Answered<'_>], accepts: impl Fn(&[Evidence]) -> bool) -> MethodResult {
    let of_case = |case: Option<Case>| {
        let of_case = answered.iter().filter(|answered| answered.truth.case == case);
        let counts = count(of_case, &accepts);
        (counts.total() > 0).then(|| CaseResult { case, quality: counts.quality() })
    };
    let cases = Case::ALL.into_iter().map(Some).chain([None]);
    MethodResult {
        all: count(answered.iter(), &accepts).quality(),
        cases: cases.filter_map(of_case).collect(),
        for_review: 0,
    }
}

/// An indicator that says anything at all accepts. None if it was looked at for no host.
fn alone(
    answered: &[Answered<'_>],
    indicator: Indicator,
    thoroughness: Thoroughness,
) -> Option<IndicatorResult> {
    let accepts = |evidence: &[Evidence]| {
        evidence.iter().any(|sign| sign.indicator == indicator && sign.strength > 0.0)
    };
    let seen = |a: &&Answered<'_>| a.verdict.evidence.iter().any(|it| it.indicator == indicator);
    answered.iter().find(seen)?;
    let (asked, not_asked): (Vec<&Answered<'_>>, Vec<&Answered<'_>>) =
        answered.iter().partition(|a| was_asked(a.verdict, indicator, thoroughness));
    Some(IndicatorResult {
        indicator,
        looked_at: asked.len(),
        not_asked: not_asked.iter().map(|a| a.truth.host.clone()).collect(),
        quality: count(asked.iter().copied(), accepts).quality(),
    })
}

/// Whether it is known what an indicator says of a host: evidence may be lacking because there is
/// none, or because the question was left out once the host was decided.
fn was_asked(verdict: &Verdict, indicator: Indicator, thoroughness: Thoroughness) -> bool {
    let seen = |indicator| verdict.evidence.iter().any(|sign| sign.indicator == indicator);
    let left_open = verdict.open.iter().any(|open| open.indicator == indicator);
    match indicator {
        _ if seen(indicator) => true,
        _ if left_open => false,
        // Nobody has to be asked for these.
        Indicator::Rule | Indicator::Root | Indicator::List => true,
        // One answer of the registry settles all three; of a domain it does not know, only one says so.
        Indicator::EmailDomain | Indicator::Holder | Indicator::PostalAddress
            if seen(Indicator::EmailDomain) || seen(Indicator::Holder) =>
        {
            true
        }
        _ => thoroughness == Thoroughness::Everything,
    }
}

fn thresholds(answered: &[Answered<'_>]) -> Vec<ThresholdResult> {
    let steps = (STEP..=100).step_by(STEP as usize).map(|step| f64::from(step) / 100.0);
    let at = |threshold: f64| {
        let counts = count(answered.iter(), |evidence| accepts_at(evidence, threshold));
        ThresholdResult { threshold, quality: counts.quality() }
    };
    steps.map(at).collect()
}

fn best(thresholds: &[ThresholdResult]) -> Option<ThresholdResult> {
    let with_f1 = thresholds.iter().filter(|row| row.quality.f1.is_some());
    // Of equal ones `max_by` takes the last, which is the highest threshold.
    with_f1
        .max_by(|a, b| a.quality.f1.partial_cmp(&b.quality.f1).unwrap_or(std::cmp::Ordering::Equal))
        .cloned()
}

fn count<'a>(
    answered: impl Iterator<Item = &'a Answered<'a>>,
    accepts: impl Fn(&[Evidence]) -> bool,
) -> Counts {
    let mut counts = Counts::default();
    for answered in answered {
        let place = match (answered.truth.member, accepts(&answered.verdict.evidence)) {
            (true, true) => &mut counts.accepted_members,
            (false, true) => &mut counts.accepted_others,
            (true, false) => &mut counts.missed_members,
            (false, false) => &mut counts.refused_others,
        };
        *place += 1;
    }
    counts
}

impl Counts {
    fn total(self) -> usize {
        self.accepted_members + self.accepted_others + self.missed_members + self.refused_others
    }

    pub fn quality(self) -> Quality {
        let Counts { accepted_members, accepted_others, missed_members, refused_others } = self;
        let twice = 2 * accepted_members;
        Quality {
            accepted_members,
            accepted_others,
            missed_members,
            refused_others,
            precision: share(accepted_members, accepted_members + accepted_others),
            recall: share(accepted_members, accepted_members + missed_members),
            f1: share(twice, twice + accepted_others + missed_members),
        }
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
