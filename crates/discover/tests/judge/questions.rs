//! What is asked, in which order, and when asking ends.

use crate::world::*;
use Question::*;
use auslese_discover::judge::{
    Fact, HandDecision, Known, ListKind, Question, Rules, Thoroughness, next_question,
};
use auslese_discover::{JudgeSettings, Method, Party};
use auslese_model::{Cause, CauseKind, Indicator};

fn next(
    seen: &Seen,
    known: &Known,
    settings: &JudgeSettings,
    how: Thoroughness,
) -> Option<Question> {
    next_question(&seen.0, &profile(), known, settings, how, NOW)
}

/// Answers questions from a host of which all is known, as an investigation does.
fn asked(all: &Seen, known: &Known, settings: &JudgeSettings, how: Thoroughness) -> Vec<Question> {
    let mut so_far = Seen::new(all.0.host.as_str());
    so_far.0.listings = all.0.listings.clone();
    let mut questions = Vec::new();
    while let Some(question) = next(&so_far, known, settings, how) {
        assert!(!questions.contains(&question), "{question:?} is asked twice");
        questions.push(question);
        match question {
            Addresses => so_far.0.addresses = all.0.addresses.clone(),
            Zone => so_far.0.zone = all.0.zone.clone(),
            Mail => so_far.0.mail = all.0.mail.clone(),
            Pointers => so_far.0.pointers = all.0.pointers.clone(),
            Registration => so_far.0.registration = all.0.registration.clone(),
            Certificate => so_far.0.certificate = all.0.certificate.clone(),
            FrontPage => so_far.0.front_page = all.0.front_page.clone(),
            Imprint => so_far.0.imprint = all.0.imprint.clone(),
        }
    }
    questions
}

fn bare(name: &str) -> Seen {
    Seen::elsewhere(name).certificate(&[name], None).page(None, &[]).no_imprint()
}

#[test]
fn asking_ends_when_the_verdict_is_certain() {
    let mut throttled_whois = bare("a.example");
    throttled_whois.0.registration = throttled();
    let mut gone = Seen::new("a.example").hidden_holder().served_by(&[]).mail(&[], "");
    gone.0.addresses = Fact::Failed(Cause::new(CauseKind::NoSuchName, ""));
    let hand =
        HandDecision { host_pattern: "nie.example".into(), accept: false, note: String::new() };
    let hand_yes =
        HandDecision { host_pattern: "ja.example".into(), accept: true, note: String::new() };
    let rules = Rules::new(&JudgeSettings::default(), &[hand, hand_yes]).unwrap();
    let known = Known { rules, ..Known::default() };
    let dns = [Addresses, Zone, Mail, Pointers];
    let with_whois = [dns.as_slice(), &[Registration]].concat();
    let all = Question::ALL.to_vec();
    #[rustfmt::skip]
    let cases: Vec<(&str, Seen, Vec<Question>)> = vec![
        ("denied by hand", bare("nie.example"),                       vec![]),
        ("accepted by hand; the case is wanted", bare("ja.example"),  vec![Addresses]),
        ("under the root", bare("www.uni-musterstadt.example"),       vec![Addresses]),
        ("listed", bare("a.example").listed(ListKind::Own, "mine"),   vec![Addresses]),
        ("in the range", bare("a.example").at(&["198.18.1.1"]),       vec![Addresses]),
        ("own name server", bare("a.example").served_by(&[("ns1.uni-musterstadt.example", "")]), vec![Addresses, Zone]),
        ("mail and pointer are enough", bare("a.example").mail(&[("mx.uni-musterstadt.example", "")], "")
            .pointers(&[("192.0.2.80", "w.uni-musterstadt.example", true)]), dns.to_vec()),
        ("registrant", bare("a.example").held_by(university()),       with_whois.clone()),
        ("somebody else's: its pages are left alone", bare("a.example").held_by(company()), with_whois.clone()),
        ("somebody else's, but doubtful", bare("a.example").held_by(company())
            .mail(&[("mx.uni-musterstadt.example", "")], ""),         all.clone()),
        ("hidden holder", bare("a.example").hidden_holder(),          all.clone()),
        ("throttled", throttled_whois,                                all.clone()),
        ("no such name", gone,                                        vec![Addresses, Zone, Mail, Registration]),
    ];
    for (what, seen, expected) in cases {
        let questions = asked(&seen, &known, &JudgeSettings::default(), Thoroughness::UntilDecided);
        assert_eq!(questions, expected, "{what}");
    }
}

#[test]
fn everything_is_asked_for_explanations() {
    let settings = JudgeSettings::default();
    for seen in [
        bare("a.example").at(&["198.18.1.1"]).held_by(university()),
        bare("a.example").held_by(company()),
        bare("www.uni-musterstadt.example").hidden_holder(),
    ] {
        let questions = asked(&seen, &Known::default(), &settings, Thoroughness::Everything);
        assert_eq!(questions, Question::ALL);
    }
    let by_address =
        Seen::new("192.0.2.1").pointers(&[]).certificate(&[], None).page(None, &[]).no_imprint();
    let questions = asked(&by_address, &Known::default(), &settings, Thoroughness::Everything);
    assert_eq!(questions, [Pointers, Certificate, FrontPage, Imprint]);
}

#[test]
fn indicators_that_are_off_are_not_asked_for() {
    let off = vec![
        Indicator::EmailDomain,
        Indicator::Holder,
        Indicator::PostalAddress,
        Indicator::Imprint,
        Indicator::Net,
    ];
    let settings = JudgeSettings { off, ..JudgeSettings::default() };
    let seen = bare("a.example").hidden_holder();
    let questions = asked(&seen, &Known::default(), &settings, Thoroughness::UntilDecided);
    assert_eq!(questions, [Addresses, Zone, Mail, Pointers, Certificate, FrontPage]);
}

#[test]
fn the_papers_method_asks_three_questions() {
    let settings = JudgeSettings { method: Method::Paper, ..JudgeSettings::default() };
    #[rustfmt::skip]
    let cases = [
        (bare("a.example").hidden_holder(),                                     vec![Addresses, Zone, Registration]),
        (bare("a.example").at(&["198.18.1.1"]),                                 vec![Addresses]),
        (bare("a.example").served_by(&[("ns.forschungsnetz.example", "")]),     vec![Addresses, Zone]),
        (bare("a.example").held_by(Party { email: None, ..university() }),      vec![Addresses, Zone, Registration]),
    ];
    for (seen, expected) in cases {
        let questions = asked(&seen, &Known::default(), &settings, Thoroughness::UntilDecided);
        assert_eq!(questions, expected);
    }
}
