//! Thresholds, open questions, several institutions, and the words of a verdict.

use crate::world::*;
use Membership::{Foreign, Member, Unsure};
use auslese_discover::judge::{
    HandDecision, Known, ListKind, Reached, Rules, case_of, decide, evidence_in_short, explain,
    in_short, judge, judge_all, may_vouch,
};
use auslese_discover::{JudgeSettings, Method, Profile, Registration, RegistrationState};
use auslese_model::{Case, Evidence, Indicator, Membership, OpenQuestion, Verdict};

type Strengths<'a> = &'a [(Indicator, f64)];

fn signs(strengths: Strengths<'_>) -> Vec<Evidence> {
    let sign = |(indicator, strength): &(Indicator, f64)| Evidence {
        indicator: *indicator,
        seen: "seen".into(),
        compared: "compared".into(),
        strength: *strength,
        source: "source".into(),
        at: NOW,
    };
    strengths.iter().map(sign).collect()
}

fn open(indicators: &[Indicator]) -> Vec<OpenQuestion> {
    let open = |indicator: &Indicator| OpenQuestion { indicator: *indicator, why: "busy".into() };
    indicators.iter().map(open).collect()
}

fn decided(
    strengths: &[(Indicator, f64)],
    open_ones: &[Indicator],
    settings: &JudgeSettings,
) -> Verdict {
    decide(&host("a.example"), signs(strengths), open(open_ones), settings, NOW)
}

#[test]
fn thresholds_and_open_questions() {
    use Indicator::*;
    let settings = JudgeSettings::default();
    #[rustfmt::skip]
    let cases: &[(Strengths<'_>, &[Indicator], Membership, bool)] = &[
        // evidence                                open                     verdict  asked again soon
        (&[],                                      &[],                     Foreign, false),
        (&[(Holder, 0.7)],                         &[],                     Member,  false),
        (&[(MailRouting, 0.5), (Pointer, 0.4)],    &[],                     Member,  false),
        (&[(Certificate, 0.5)],                    &[],                     Unsure,  false),
        (&[(Pointer, 0.4)],                        &[],                     Unsure,  false),
        (&[(Token, 0.3)],                          &[],                     Foreign, false),
        // Open, and could make it a member.
        (&[],                                      &[Net],                  Unsure,  true),
        (&[],                                      &[EmailDomain, Holder],  Unsure,  true),
        (&[],                                      &[Imprint],              Unsure,  true),
        (&[(MailRouting, 0.5)],                    &[Certificate],          Unsure,  true),
        (&[],                                      &[MailRouting, Certificate], Unsure, true),
        // Open, but could not.
        (&[],                                      &[Certificate],          Foreign, false),
        (&[],                                      &[PostalAddress],        Foreign, false),
        (&[(Token, 0.3)],                          &[Certificate, Pointer], Foreign, false),
        (&[(Certificate, 0.5)],                    &[Redirect],             Unsure,  false),
        // Decided already: what is open does not matter.
        (&[(Net, 1.0)],                            &[EmailDomain],          Member,  false),
        (&[(Rule, 1.0)],                           &[Net],                  Member,  false),
        (&[(Rule, 0.0), (Net, 1.0)],               &[Holder],               Foreign, false),
    ];
    for (strengths, open, membership, soon) in cases {
        let verdict = decided(strengths, open, &settings);
        assert_eq!(verdict.membership, *membership, "{strengths:?} {open:?}: {}", verdict.reason);
        let until = if *soon { settings.retry } else { settings.keep };
        assert_eq!(verdict.until, NOW.plus(until), "{strengths:?} {open:?}");
        assert_eq!(verdict.open.len(), open.len());
    }
}

#[test]
fn reasons_in_words() {
    use Indicator::*;
    let settings = JudgeSettings::default();
    #[rustfmt::skip]
    let cases: &[(Strengths<'_>, &[Indicator], &str)] = &[
        (&[], &[], "nothing found speaks for it, less than 0.40"),
        (&[(Certificate, 0.5)], &[],
            "certificate speaks for it with 0.50, between 0.40 (below it foreign) and 0.70 (from there a member): a person should look"),
        (&[(MailRouting, 0.5), (Certificate, 0.5)], &[],
            "mail-routing and certificate together reach 0.75, and 0.70 makes a member"),
        (&[(Token, 0.3)], &[EmailDomain, Holder],
            "token speaks for it with 0.30; open: email-domain and holder, which could lift it to 0.93, and 0.70 makes a member"),
        (&[], &[Certificate],
            "nothing found speaks for it, less than 0.40; what is open (certificate) could lift it to 0.50 at most"),
        (&[(Net, 1.0)], &[], "its address seen lies in compared"),
        (&[(Rule, 0.0), (Net, 1.0)], &[], "the rule 'compared' names it (source)"),
    ];
    for (strengths, open, reason) in cases {
        assert_eq!(decided(strengths, open, &settings).reason, *reason);
    }
}

#[test]
fn the_papers_method_knows_three_indicators() {
    use Indicator::*;
    let settings = JudgeSettings { method: Method::Paper, ..JudgeSettings::default() };
    #[rustfmt::skip]
    let cases: &[(Strengths<'_>, &[Indicator], Membership)] = &[
        (&[(Net, 1.0)],                                 &[],            Member),
        (&[(NameServer, 0.2)],                          &[],            Member),
        (&[(EmailDomain, 0.9)],                         &[],            Member),
        (&[(Holder, 0.7)],                              &[],            Member),
        (&[(Imprint, 0.9), (MailRouting, 0.5)],         &[],            Foreign),
        (&[],                                           &[Holder],      Unsure),
        (&[],                                           &[Imprint],     Foreign),
        (&[(Rule, 0.0), (Net, 1.0)],                    &[],            Foreign),
        (&[(Root, 1.0)],                                &[],            Member),
        (&[(List, 1.0)],                                &[],            Member),
    ];
    for (strengths, open, membership) in cases {
        let verdict = decided(strengths, open, &settings);
        assert_eq!(verdict.membership, *membership, "{strengths:?} {open:?}: {}", verdict.reason);
    }
}

#[test]
fn never_beats_always_and_everything_else() {
    let settings = JudgeSettings {
        always: vec![".haus.example".into()],
        never: vec!["gast.haus.example".into()],
        ..JudgeSettings::default()
    };
    let hand = [
        HandDecision {
            host_pattern: "neu.example".into(),
            accept: true,
            note: "seen in print".into(),
        },
        HandDecision {
            host_pattern: "www.uni-musterstadt.example".into(),
            accept: false,
            note: String::new(),
        },
    ];
    let known = Known { rules: Rules::new(&settings, &hand).unwrap(), ..Known::default() };
    #[rustfmt::skip]
    let cases = [
        ("www.haus.example",            Member),
        ("gast.haus.example",           Foreign),
        ("neu.example",                 Member),
        // Even a name under the root.
        ("www.uni-musterstadt.example", Foreign),
    ];
    for (name, membership) in cases {
        let seen = Seen::new(name).at(&["198.18.1.1"]);
        let verdict = judge(&seen.0, &profile(), &known, &settings, None, NOW);
        assert_eq!(verdict.membership, membership, "{name}");
        assert_eq!(verdict.decided_by, Some(Indicator::Rule));
        assert_eq!(verdict.score, if membership == Member { 1.0 } else { 0.0 });
    }
}

#[test]
fn five_cases() {
    #[rustfmt::skip]
    let cases = [
        (true,  Reached::Root,         1),
        (true,  Reached::InternalLink, 1),
        (true,  Reached::ExternalLink, 3),
        (true,  Reached::Found,        4),
        (false, Reached::Root,         2),
        (false, Reached::InternalLink, 2),
        (false, Reached::ExternalLink, 2),
        (false, Reached::Found,        5),
    ];
    for (in_network, reached, number) in cases {
        assert_eq!(Some(case_of(in_network, reached)), Case::from_number(number));
    }
}

fn second() -> Profile {
    let mut second = profile();
    second.label = "zweitstadt".into();
    second.root = host("zweitstadt.example");
    second.domains = vec!["zweitstadt.example".into()];
    second.name = Some("Hochschule Zweitstadt".into());
    second.registrant = Default::default();
    second.imprint = Default::default();
    second.ranges[0].net = "198.19.0.0/16".parse().unwrap();
    second.ranges.truncate(1);
    second
}

#[test]
fn several_institutions() {
    let settings = JudgeSettings::default();
    let both = [profile(), second()];
    let all = |seen: &Seen, profiles: &[Profile]| {
        judge_all(&seen.0, profiles, &Known::default(), &settings, None, NOW)
    };
    let label = |seen: &Seen| all(seen, &both).unwrap().label;
    assert_eq!(label(&Seen::new("a.example").at(&["198.19.1.1"])).as_deref(), Some("zweitstadt"));
    assert_eq!(label(&Seen::new("a.example").at(&["198.18.1.1"])).as_deref(), Some("musterstadt"));
    assert_eq!(label(&Seen::elsewhere("a.example").hidden_holder()), None);
    assert!(all(&Seen::new("a.example"), &[]).is_none());
    let tie = all(&Seen::new("a.example").at(&["198.18.1.1", "198.19.1.1"]), &both).unwrap();
    assert_eq!(tie.label.as_deref(), Some("musterstadt"));
    assert!(tie.reason.ends_with("; zweitstadt could claim it equally"), "{}", tie.reason);
}

#[test]
fn a_rule_leaves_the_choice_of_the_institution_to_the_evidence() {
    let settings = JudgeSettings { always: vec!["a.example".into()], ..JudgeSettings::default() };
    let known = Known { rules: Rules::new(&settings, &[]).unwrap(), ..Known::default() };
    let seen = Seen::new("a.example").at(&["198.19.1.1"]);
    let verdict = judge_all(&seen.0, &[profile(), second()], &known, &settings, None, NOW);
    assert_eq!(verdict.unwrap().label.as_deref(), Some("zweitstadt"));
}

#[test]
fn only_members_by_themselves_vouch_for_others() {
    use Indicator::*;
    let settings = JudgeSettings::default();
    #[rustfmt::skip]
    let cases: &[(Strengths<'_>, bool)] = &[
        (&[(Net, 1.0)],                                 true),
        (&[(Rule, 1.0)],                                true),
        (&[(Holder, 0.7), (Redirect, 0.4)],             true),
        (&[(Imprint, 0.9)],                             false),
        (&[(MailRouting, 0.5), (Certificate, 0.5)],     false),
        (&[(Rule, 0.0), (Net, 1.0)],                    false),
    ];
    for (strengths, expected) in cases {
        let verdict = decided(strengths, &[], &settings);
        assert_eq!(may_vouch(&verdict, &settings), *expected, "{strengths:?}");
    }
}

#[test]
fn explained_line_by_line() {
    let registration = Registration::empty(RegistrationState::Throttled);
    let seen = Seen::elsewhere("universität-m.example")
        .registration(registration)
        .mail(&[("mx.uni-musterstadt.example", "198.18.0.25")], "")
        .certificate(&["*.uni-musterstadt.example", "universität-m.example"], None);
    let verdict = judge(
        &seen.0,
        &profile(),
        &Known::default(),
        &JudgeSettings::default(),
        Some(Reached::InternalLink),
        NOW,
    );
    let lines = explain(&verdict);
    #[rustfmt::skip]
    assert_eq!(lines, [
        "xn--universitt-m-ocb.example (universität-m.example) is a member of musterstadt (score 0.75)",
        "  because mail-routing and certificate together reach 0.75, and 0.70 makes a member",
        "  case 2: outside the organisation's network, linked",
        "  looked at:",
        "    net            0.00  address: 192.0.2.80; in no range of the organisation [DNS, 2026-11-15]",
        "    name-server    0.00  name servers: ns1.hoster.example; no name server of the organisation [DNS, 2026-11-15]",
        "    mail-routing   0.50  its mail: mail exchanger mx.uni-musterstadt.example, under uni-musterstadt.example of the organisation [DNS, 2026-11-15]",
        "    pointer        0.00  reverse name: no reverse name; nothing to compare [DNS, 2026-11-15]",
        "    certificate    0.50  its certificate for *.uni-musterstadt.example, universität-m.example names uni-musterstadt.example, a domain of the organisation [TLS, 2026-11-15]",
        "  sum: mail 0.50 and web 0.50 leave a doubt of 0.50 × 0.50, so 0.75",
        "  could not be looked at:",
        "    email-domain   WHOIS whois.example: throttled",
        "    holder         WHOIS whois.example: throttled",
        "    postal-address WHOIS whois.example: throttled",
        "  made 2026-11-15T21:40:00Z, relied on until 2026-12-15T21:40:00Z",
    ]);
    assert_eq!(
        in_short(&verdict),
        "xn--universitt-m-ocb.example (universität-m.example)  member 0.75  sum of signs"
    );
    assert!(evidence_in_short(&verdict.evidence).starts_with("mail-routing 0.50 (mail exchanger"));
}

#[test]
fn every_indicator_has_its_sentence() {
    let full = Seen::new("a.example")
        .at(&["198.18.1.1"])
        .served_by(&[("ns1.uni-musterstadt.example", "")])
        .mail(&[], "v=spf1 include:uni-musterstadt.example")
        .pointers(&[("198.18.1.1", "a.example", true)])
        .held_by(university())
        .certificate(&["a.example", ROOT], None)
        .page(Some(ROOT), &[ROOT])
        .linked_from(&[ROOT])
        .imprint(university(), &[])
        .token("google-site-verification=muster")
        .listed(ListKind::Own, "host list mine.txt");
    let verdict =
        judge(&full.0, &profile(), &Known::default(), &JudgeSettings::default(), None, NOW);
    let told: Vec<String> =
        verdict.evidence.iter().map(auslese_discover::judge::sentence).collect();
    #[rustfmt::skip]
    assert_eq!(told, [
        "it stands in host list mine.txt, imported as the organisation's own",
        "its address 198.18.1.1 lies in 198.18.0.0/16 of Universität Musterstadt",
        "its zone is served by ns1.uni-musterstadt.example: the organisation's own name server",
        "its mail: SPF lets the senders of uni-musterstadt.example pass, under uni-musterstadt.example of the organisation",
        "its address 198.18.1.1 is named a.example: its own name, in 198.18.0.0/16 of Universität Musterstadt",
        "the mail address hostmaster@uni-musterstadt.example (registrant) is in uni-musterstadt.example, a domain of the organisation",
        "the registrant Universität Musterstadt has the name of Universität Musterstadt (similarity 1.00)",
        "the registrant's address Hauptstraße 1, 12345 Musterstadt is the organisation's address (similarity 1.00)",
        "its token google-site-verification=muster is also on pages or in the zone of the organisation",
        "it links to uni-musterstadt.example, a domain of the organisation, and uni-musterstadt.example links back",
        "its certificate for a.example, uni-musterstadt.example names uni-musterstadt.example, a domain of the organisation",
        "it redirects to uni-musterstadt.example, a domain of the organisation",
        "its imprint names Universität Musterstadt, with postcode, mail domain",
    ]);
}
