//! Which question to ask next, which are open, and what their answers could still change.
//!
//! Questions stand in the order of their cost: name servers answer in milliseconds, registries
//! count every query, and the last three knock at the host's own door. Asking ends as soon as no
//! answer could change the verdict. The host's own pages are left alone if the registrant is
//! clearly somebody else, unless other signs have already made the host doubtful.

use super::compare::{own_addresses, own_names};
use super::decide::{Band, PAPER};
use super::facts::{Fact, Observed, ZoneServer};
use super::known::Known;
use super::rules::RuleSays;
use super::score::{score_of, strengths};
use super::weigh::{is_clearly_another, is_undecided, weigh};
use crate::profile::Profile;
use crate::settings::{JudgeSettings, Method};
use auslese_model::{Evidence, Indicator, OpenQuestion, Timestamp};

/// One thing to find out about a host; each fills one field of [`Observed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    Addresses,
    Zone,
    /// Mail exchangers and the zone's texts: senders and tokens.
    Mail,
    /// Reverse names of its addresses.
    Pointers,
    Registration,
    Certificate,
    /// Redirect, tokens and links.
    FrontPage,
    Imprint,
}

impl Question {
    /// The cheapest first.
    pub const ALL: [Question; 8] = [
        Question::Addresses,
        Question::Zone,
        Question::Mail,
        Question::Pointers,
        Question::Registration,
        Question::Certificate,
        Question::FrontPage,
        Question::Imprint,
    ];

    /// What the answer is looked at for.
    pub fn indicators(self) -> &'static [Indicator] {
        match self {
            Question::Addresses => &[Indicator::Net],
            Question::Zone => &[Indicator::NameServer],
            Question::Mail => &[Indicator::MailRouting, Indicator::Token],
            Question::Pointers => &[Indicator::Pointer],
            Question::Registration => {
                &[Indicator::EmailDomain, Indicator::Holder, Indicator::PostalAddress]
            }
            Question::Certificate => &[Indicator::Certificate],
            Question::FrontPage => &[Indicator::Redirect, Indicator::Token, Indicator::Links],
            Question::Imprint => &[Indicator::Imprint],
        }
    }

    /// Whether the host itself has to be asked, not somebody who knows it.
    fn visits_the_host(self) -> bool {
        matches!(self, Question::Certificate | Question::FrontPage | Question::Imprint)
    }

    fn is_asked(self, observed: &Observed) -> bool {
        match self {
            Question::Addresses => {
                observed.addresses.is_asked() || observed.host.address().is_some()
            }
            Question::Zone => observed.zone.is_asked(),
            Question::Mail => observed.mail.is_asked(),
            Question::Pointers => observed.pointers.is_asked(),
            Question::Registration => observed.registration.is_asked(),
            Question::Certificate => observed.certificate.is_asked(),
            Question::FrontPage => observed.front_page.is_asked(),
            Question::Imprint => observed.imprint.is_asked(),
        }
    }

    /// Whether it can be asked at all: names belong to names, and pages need an address.
    fn makes_sense(self, observed: &Observed) -> bool {
        let has_address = observed.known_addresses().is_some_and(|known| !known.is_empty());
        match self {
            Question::Addresses => true,
            Question::Zone | Question::Mail | Question::Registration => {
                observed.host.address().is_none()
            }
            Question::Pointers
            | Question::Certificate
            | Question::FrontPage
            | Question::Imprint => has_address,
        }
    }

    /// Why there is no answer yet, though there may be one later.
    fn pending(self, observed: &Observed) -> Option<String> {
        fn cause<T>(fact: &Fact<T>) -> Option<String> {
            fact.pending().map(ToString::to_string)
        }
        fn unresolved(servers: &[ZoneServer]) -> Option<String> {
            let mut causes = servers.iter().filter_map(|s| Some((&s.host, s.pending()?)));
            causes.next().map(|(host, cause)| format!("{host}: {cause}"))
        }
        match self {
            Question::Addresses => cause(&observed.addresses),
            Question::Zone => match observed.zone.answer() {
                Some(told) => unresolved(&told.value.name_servers),
                None => cause(&observed.zone),
            },
            Question::Mail => match observed.mail.answer() {
                Some(told) => unresolved(&told.value.exchangers),
                None => cause(&observed.mail),
            },
            // Without addresses there is nothing to ask the reverse name of.
            Question::Pointers => cause(&observed.pointers).or_else(|| cause(&observed.addresses)),
            Question::Registration => match observed.registration.answer() {
                Some(told) => is_undecided(&told.value)
                    .then(|| format!("{}: {}", told.source, told.value.state.as_str())),
                None => cause(&observed.registration),
            },
            Question::Certificate => cause(&observed.certificate),
            Question::FrontPage => cause(&observed.front_page),
            Question::Imprint => cause(&observed.imprint),
        }
    }
}

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Thoroughness {
    /// Until the verdict is certain.
    #[default]
    UntilDecided,
    /// Everything, for explanations and for evaluation.
    Everything,
}

/// The next question worth asking; none if no answer could change the verdict any more.
pub fn next_question(
    observed: &Observed,
    profile: &Profile,
    known: &Known,
    settings: &JudgeSettings,
    thoroughness: Thoroughness,
    now: Timestamp,
) -> Option<Question> {
    if needs_addresses(observed, known) {
        return Some(Question::Addresses);
    }
    let mut unasked = Question::ALL.into_iter().filter(|question| {
        !question.is_asked(observed)
            && question.makes_sense(observed)
            && question.indicators().iter().any(|i| counts(*i, settings))
    });
    if thoroughness == Thoroughness::Everything {
        return unasked.next();
    }
    let evidence = weigh(observed, profile, known, settings, now);
    if evidence.iter().any(|sign| sign.indicator == Indicator::Rule) {
        return None;
    }
    let band = Band::of_evidence(&evidence, settings);
    let leave_alone = band == Band::Foreign && is_clearly_another(observed, &evidence);
    let worth: Vec<Question> =
        unasked.filter(|question| !(leave_alone && question.visits_the_host())).collect();
    let still_possible =
        worth.iter().flat_map(|question| question.indicators()).copied().chain(
            open_questions(observed, profile, settings).into_iter().map(|open| open.indicator),
        );
    let best = with_possible(&evidence, still_possible, |i| possible(i, profile, settings));
    let could_change = Band::of(&best, settings) != band;
    worth.into_iter().next().filter(|_| could_change)
}

/// Addresses are always asked for, since they also tell in which of the five cases a member is;
/// only a host that never belongs is left in peace.
fn needs_addresses(observed: &Observed, known: &Known) -> bool {
    let denied = known.rules.on(&observed.host).is_some_and(|rule| rule.says == RuleSays::Never);
    !denied && !Question::Addresses.is_asked(observed)
}

/// What could not be looked at and may be later, as far as it could speak for the host.
pub fn open_questions(
    observed: &Observed,
    profile: &Profile,
    settings: &JudgeSettings,
) -> Vec<OpenQuestion> {
    let mut open: Vec<OpenQuestion> = Vec::new();
    for question in Question::ALL {
        let Some(why) = question.pending(observed) else { continue };
        for indicator in question.indicators() {
            let counts = possible(*indicator, profile, settings) > 0.0;
            if counts && open.iter().all(|open| open.indicator != *indicator) {
                open.push(OpenQuestion { indicator: *indicator, why: why.clone() });
            }
        }
    }
    open
}

/// The evidence as it would be if the given indicators spoke with all they have.
pub(crate) fn with_possible(
    evidence: &[Evidence],
    indicators: impl Iterator<Item = Indicator>,
    most: impl Fn(Indicator) -> f64,
) -> Vec<(Indicator, f64)> {
    let mut strengths = strengths(evidence);
    strengths.extend(indicators.map(|indicator| (indicator, most(indicator))));
    strengths
}

/// Whether an indicator is looked at by the method.
pub(crate) fn counts(indicator: Indicator, settings: &JudgeSettings) -> bool {
    let by_method = match settings.method {
        Method::Weighted => true,
        Method::Paper => PAPER.contains(&indicator),
    };
    by_method && settings.looks_at(indicator)
}

/// The most an indicator can say, given what the profile has to compare with.
fn possible(indicator: Indicator, profile: &Profile, settings: &JudgeSettings) -> f64 {
    let comparable = match indicator {
        Indicator::Net => !profile.ranges.is_empty(),
        Indicator::Holder | Indicator::Imprint => own_names(profile).next().is_some(),
        Indicator::PostalAddress => own_addresses(profile).next().is_some(),
        Indicator::Token => !profile.tokens.is_empty(),
        _ => true,
    };
    if comparable && counts(indicator, settings) { settings.weights.most(indicator) } else { 0.0 }
}

/// The score if all open questions were answered in the host's favour.
pub(crate) fn best_score(
    evidence: &[Evidence],
    open: &[OpenQuestion],
    settings: &JudgeSettings,
) -> f64 {
    let open = open.iter().map(|open| open.indicator);
    score_of(&with_possible(evidence, open, |indicator| settings.weights.most(indicator)))
}
