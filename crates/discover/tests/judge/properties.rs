//! What holds for all observations.

use crate::world::*;
use auslese_discover::judge::Thoroughness::UntilDecided;
use auslese_discover::judge::{
    Fact, Known, ListKind, Observed, decide, explain, judge, next_question, open_questions, score,
    weigh,
};
use auslese_discover::{JudgeSettings, Method, Party};
use auslese_model::{Cause, CauseKind, Membership};
use proptest::prelude::*;

/// One of a few answers to each question, or none.
fn observed() -> impl Strategy<Value = Observed> {
    let choices = proptest::collection::vec(0u8..5, 9);
    choices.prop_map(|choice| {
        let pick = |number: usize, seen: Seen, options: [fn(Seen) -> Seen; 2]| match choice[number]
        {
            0 => seen,
            1 => options[0](seen),
            _ => options[1](seen),
        };
        let seen = Seen::new("www.a.example");
        let seen = pick(0, seen, [|s| s.at(&["198.18.1.1"]), |s| s.at(&["192.0.2.1"])]);
        let seen = pick(
            1,
            seen,
            [
                |s| s.served_by(&[("ns1.uni-musterstadt.example", "")]),
                |s| s.served_by(&[("ns.forschungsnetz.example", "203.0.113.53")]),
            ],
        );
        let seen = pick(
            2,
            seen,
            [|s| s.mail(&[("mx.uni-musterstadt.example", "")], ""), |s| s.mail(&[], "v=spf1 -all")],
        );
        let seen = pick(
            3,
            seen,
            [
                |s| s.pointers(&[("192.0.2.1", "w.uni-musterstadt.example", true)]),
                |s| s.pointers(&[("192.0.2.1", "w.uni-musterstadt.example", false)]),
            ],
        );
        let seen = pick(4, seen, [|s| s.held_by(university()), |s| s.hidden_holder()]);
        let seen = pick(
            5,
            seen,
            [
                |s| s.certificate(&["www.a.example", ROOT], None),
                |s| s.certificate(&["www.a.example"], None),
            ],
        );
        let seen = pick(6, seen, [|s| s.page(Some(ROOT), &[ROOT]), |s| s.page(None, &[])]);
        let seen = pick(7, seen, [|s| s.imprint(university(), &[]), |s| s.no_imprint()]);
        let mut seen = pick(8, seen, [|s| s.listed(ListKind::Own, "mine"), |s| s.token("t")]);
        if choice[4] == 4 {
            seen.0.registration = throttled();
        }
        if choice[0] == 4 {
            seen.0.addresses = Fact::Failed(Cause::new(CauseKind::Timeout, ""));
        }
        seen.0
    })
}

fn settings() -> impl Strategy<Value = JudgeSettings> {
    (any::<bool>(), 0.0f64..=1.0, 0.0f64..=1.0).prop_map(|(paper, a, b)| JudgeSettings {
        method: if paper { Method::Paper } else { Method::Weighted },
        member: a.max(b),
        review: a.min(b),
        ..JudgeSettings::default()
    })
}

/// What was not asked, answered as for another host.
fn with_answers(mut observed: Observed, others: Observed) -> Observed {
    fn fill<T>(fact: &mut Fact<T>, other: Fact<T>) {
        if !fact.is_asked() {
            *fact = other;
        }
    }
    fill(&mut observed.zone, others.zone);
    fill(&mut observed.mail, others.mail);
    fill(&mut observed.pointers, others.pointers);
    fill(&mut observed.registration, others.registration);
    fill(&mut observed.certificate, others.certificate);
    fill(&mut observed.front_page, others.front_page);
    fill(&mut observed.imprint, others.imprint);
    observed
}

proptest! {
    #[test]
    fn scores_stay_within_bounds(observed in observed(), settings in settings()) {
        let verdict = judge(&observed, &profile(), &Known::default(), &settings, None, NOW);
        prop_assert!((0.0..=1.0).contains(&verdict.score));
        prop_assert!(verdict.evidence.iter().all(|sign| (0.0..=1.0).contains(&sign.strength)));
        prop_assert!(verdict.until > NOW && !verdict.reason.is_empty());
        prop_assert!(explain(&verdict).iter().all(|line| !line.contains('\n')));
    }

    #[test]
    fn the_order_of_evidence_does_not_matter(observed in observed(), settings in settings()) {
        let profile = profile();
        let evidence = weigh(&observed, &profile, &Known::default(), &settings, NOW);
        let open = open_questions(&observed, &profile, &settings);
        let mut turned = evidence.clone();
        turned.reverse();
        prop_assert_eq!(score(&turned), score(&evidence));
        let forth = decide(&observed.host, evidence, open.clone(), &settings, NOW);
        let back = decide(&observed.host, turned, open, &settings, NOW);
        prop_assert_eq!(forth.membership, back.membership);
    }

    #[test]
    fn less_evidence_is_never_more(observed in observed(), leave_out in 0usize..15) {
        let settings = JudgeSettings::default();
        let all = weigh(&observed, &profile(), &Known::default(), &settings, NOW);
        let mut fewer = all.clone();
        if leave_out < fewer.len() {
            fewer.remove(leave_out);
        }
        prop_assert!(score(&fewer) <= score(&all));
    }

    /// A verdict that waits says for what; one that does not wait is asked again late.
    #[test]
    fn open_questions_are_never_taken_for_a_no(observed in observed()) {
        let settings = JudgeSettings::default();
        let verdict = judge(&observed, &profile(), &Known::default(), &settings, None, NOW);
        let registrant_open = observed.registration.is_asked()
            && matches!(observed.registration, Fact::Failed(_));
        if registrant_open {
            prop_assert!(verdict.membership != Membership::Foreign, "{}", verdict.reason);
            prop_assert!(!verdict.open.is_empty());
        }
    }

    /// Asking ends only when no answer to what was not asked could change the verdict.
    #[test]
    fn asking_ends_in_time(observed in observed(), others in observed(), settings in settings()) {
        let (profile, known) = (profile(), Known::default());
        let membership =
            |seen: &Observed| judge(seen, &profile, &known, &settings, None, NOW).membership;
        let next = next_question(&observed, &profile, &known, &settings, UntilDecided, NOW);
        if next.is_none() {
            let all = with_answers(observed.clone(), others);
            prop_assert_eq!(membership(&all), membership(&observed));
        }
    }

    #[test]
    fn any_text_of_a_registry(name in "\\PC{0,60}", email in "\\PC{0,40}", line in ".{0,80}") {
        let party = Party { name: Some(name.clone()), organization: Some(line.clone()), address: vec![line], email: Some(email) };
        let seen = Seen::new("a.example").held_by(party.clone()).imprint(party, &[]).token(&name);
        let verdict = judge(&seen.0, &profile(), &Known::default(), &JudgeSettings::default(), None, NOW);
        prop_assert!(explain(&verdict).iter().all(|line| !line.chars().any(char::is_control)));
    }
}
