//! Precision and recall by hand and by the program.

use crate::world::*;
use Indicator::*;
use auslese_discover::JudgeSettings;
use auslese_discover::evaluate::{Counts, Evaluation, evaluate, read_truth};
use auslese_discover::judge::{Thoroughness, decide};
use auslese_model::{Evidence, Indicator, OpenQuestion, Verdict};

fn verdict(name: &str, strengths: &[(Indicator, f64)]) -> Verdict {
    let sign = |(indicator, strength): &(Indicator, f64)| Evidence {
        indicator: *indicator,
        seen: "seen".into(),
        compared: "compared".into(),
        strength: *strength,
        source: "source".into(),
        at: NOW,
    };
    let evidence = strengths.iter().map(sign).collect();
    decide(&host(name), evidence, vec![], &JudgeSettings::default(), NOW)
}

fn evaluation() -> Evaluation {
    evaluation_after(Thoroughness::UntilDecided)
}

fn evaluation_after(thoroughness: Thoroughness) -> Evaluation {
    let truth = read_truth(
        b"host,member,case\n\
          net.example,yes,1\n\
          guest.example,no,1\n\
          ns.example,yes,2\n\
          shared.example,no,2\n\
          imprint.example,yes,2\n\
          weak.example,yes,5\n\
          hand.example,yes,5\n\
          never.example,no,\n\
          unseen.example,yes,4\n",
    )
    .unwrap();
    #[rustfmt::skip]
    let verdicts = [
        verdict("net.example",     &[(Net, 1.0)]),
        verdict("guest.example",   &[(Net, 1.0)]),
        verdict("ns.example",      &[(Net, 0.0), (NameServer, 1.0)]),
        verdict("shared.example",  &[(Net, 0.0), (NameServer, 0.2)]),
        verdict("imprint.example", &[(NameServer, 0.2), (Imprint, 0.9)]),
        verdict("weak.example",    &[(Certificate, 0.5)]),
        verdict("hand.example",    &[(Rule, 1.0)]),
        verdict("never.example",   &[(Rule, 0.0), (Net, 1.0)]),
        verdict("extra.example",   &[(Net, 1.0)]),
    ];
    evaluate(&truth, &verdicts, thoroughness, &JudgeSettings::default())
}

fn counts(
    accepted_members: usize,
    accepted_others: usize,
    missed_members: usize,
    refused_others: usize,
) -> Counts {
    Counts { accepted_members, accepted_others, missed_members, refused_others }
}

#[test]
fn both_methods_and_all_cases() {
    let evaluation = evaluation();
    assert_eq!(evaluation.hosts, 8);
    assert_eq!(evaluation.without_verdict, [host("unseen.example")]);
    assert_eq!(evaluation.weighted.all, counts(4, 1, 1, 2).quality());
    assert_eq!(evaluation.weighted.for_review, 1);
    // The shared name server misleads it; what it finds of imprints is by that mistake too.
    assert_eq!(evaluation.paper.all, counts(4, 2, 1, 1).quality());
    let cases: Vec<_> = evaluation
        .weighted
        .cases
        .iter()
        .map(|row| (row.case.map(|case| case.number()), row.quality))
        .collect();
    #[rustfmt::skip]
    assert_eq!(cases, [
        (Some(1), counts(1, 1, 0, 0).quality()),
        (Some(2), counts(2, 0, 0, 1).quality()),
        (Some(5), counts(1, 0, 1, 0).quality()),
        (None,    counts(0, 0, 0, 1).quality()),
    ]);
    let mistakes: Vec<&str> = evaluation.mistakes.iter().map(|m| m.host.as_str()).collect();
    assert_eq!(mistakes, ["guest.example", "weak.example"]);
}

#[test]
fn indicators_alone() {
    #[rustfmt::skip]
    let cases = [
        // thoroughness              indicator    looked at, counts             not asked
        (Thoroughness::UntilDecided, Net,         5, counts(1, 2, 1, 1), 3),
        (Thoroughness::Everything,   Net,         8, counts(1, 2, 4, 1), 0),
        (Thoroughness::UntilDecided, NameServer,  3, counts(2, 1, 0, 0), 5),
        (Thoroughness::Everything,   NameServer,  8, counts(2, 1, 3, 2), 0),
        (Thoroughness::UntilDecided, Rule,        8, counts(1, 0, 4, 3), 0),
    ];
    for (thoroughness, indicator, looked_at, counts, not_asked) in cases {
        let rows = evaluation_after(thoroughness).indicators;
        let row = rows.iter().find(|row| row.indicator == indicator).unwrap();
        let measured = (row.looked_at, row.quality, row.not_asked.len());
        assert_eq!(
            measured,
            (looked_at, counts.quality(), not_asked),
            "{thoroughness:?} {indicator:?}"
        );
    }
    let rows = evaluation().indicators;
    assert!(rows.iter().all(|row| row.indicator != Holder), "nobody was asked for it");
}

#[test]
fn what_stays_open_is_not_asked() {
    let truth = read_truth(b"a.example,yes\nb.example,yes\n").unwrap();
    let open = OpenQuestion { indicator: Holder, why: "the registry is silent".into() };
    let silent = Verdict { open: vec![open], ..verdict("a.example", &[(Net, 0.0)]) };
    // Of a domain it does not know, the registry says so only once.
    let unknown = verdict("b.example", &[(Holder, 0.0)]);
    for thoroughness in [Thoroughness::UntilDecided, Thoroughness::Everything] {
        let settings = JudgeSettings::default();
        let rows = evaluate(&truth, &[silent.clone(), unknown.clone()], thoroughness, &settings)
            .indicators;
        let holder = rows.iter().find(|row| row.indicator == Holder).unwrap();
        assert_eq!(holder.not_asked, [host("a.example")], "{thoroughness:?}");
        assert_eq!(holder.quality, counts(0, 0, 1, 0).quality(), "{thoroughness:?}");
    }
}

#[test]
fn thresholds() {
    let evaluation = evaluation();
    assert_eq!(evaluation.thresholds.len(), 20);
    let at = |threshold: f64| {
        let mut rows = evaluation.thresholds.iter();
        rows.find(|row| (row.threshold - threshold).abs() < 1e-9).unwrap().quality
    };
    assert_eq!(at(0.05), counts(5, 2, 0, 1).quality());
    assert_eq!(at(0.2), counts(5, 2, 0, 1).quality());
    assert_eq!(at(0.25), counts(5, 1, 0, 2).quality());
    assert_eq!(at(0.5), counts(5, 1, 0, 2).quality());
    assert_eq!(at(0.55), counts(4, 1, 1, 2).quality());
    assert_eq!(at(0.95), counts(3, 1, 2, 2).quality());
    let best = evaluation.best.unwrap();
    assert_eq!(best.threshold, 0.5);
    assert!((best.quality.f1.unwrap() - 10.0 / 11.0).abs() < 1e-9);
    assert!((best.quality.precision.unwrap() - 5.0 / 6.0).abs() < 1e-9);
    assert_eq!(best.quality.recall, Some(1.0));
}

#[test]
fn shares_of_nothing() {
    #[rustfmt::skip]
    let cases = [
        (counts(0, 0, 0, 0), None,      None,      None),
        (counts(0, 0, 0, 9), None,      None,      None),
        (counts(0, 0, 2, 0), None,      Some(0.0), Some(0.0)),
        (counts(0, 2, 0, 0), Some(0.0), None,      Some(0.0)),
        (counts(1, 1, 1, 0), Some(0.5), Some(0.5), Some(0.5)),
    ];
    for (counts, precision, recall, f1) in cases {
        let quality = counts.quality();
        assert_eq!((quality.precision, quality.recall, quality.f1), (precision, recall, f1));
    }
    let nothing = evaluate(&[], &[], Thoroughness::Everything, &JudgeSettings::default());
    assert!(nothing.best.is_none() && nothing.weighted.cases.is_empty());
}

#[test]
fn as_json() {
    let json = serde_json::to_value(evaluation()).unwrap();
    assert_eq!(json["weighted"]["cases"][0]["case"], 1);
    assert_eq!(json["indicators"][0]["indicator"], "rule");
    assert_eq!(json["best"]["threshold"], 0.5);
    assert_eq!(json["best"]["accepted_members"], 5);
}
