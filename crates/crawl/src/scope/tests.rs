//! Tables for the rules, and random scopes for the agreement of both ways to decide.

use super::*;
use proptest::prelude::*;

#[derive(Debug)]
struct Facts {
    addresses: Option<Vec<IpAddr>>,
    verdict: HostVerdict,
}

impl HostFacts for Facts {
    fn addresses(&self, _host: &HostName) -> Option<Vec<IpAddr>> {
        self.addresses.clone()
    }

    fn verdict(&self, _host: &HostName) -> HostVerdict {
        self.verdict.clone()
    }
}

fn decide_with(rules: &str, url: &str, hops: &str, facts: &dyn HostFacts) -> Decided {
    let scope = Scope::parse(rules).unwrap();
    let (url, hops) = (Url::parse(url).unwrap(), HopPath(hops.to_owned()));
    let candidate = Candidate { url: &url, hops: &hops, via_accepted: true };
    let decided = scope.decide(&candidate, facts);
    assert_eq!(scope.judge(&candidate, facts).decided, decided, "{rules} {url}");
    decided
}

fn check(rules: &str, url: &str, hops: &str) -> Decision {
    decide_with(rules, url, hops, &NoFacts).decision
}

#[test]
fn tests_of_rules() {
    use Decision::{Accept, Reject, Undecided};
    #[rustfmt::skip]
    let cases = [
        // rules                                 url                                hops     expected
        ("",                                     "http://h.example/",               "",      Reject),
        ("accept any",                           "http://h.example/",               "",      Accept),
        ("accept host .uni.example",             "http://www.uni.example/",         "L",     Accept),
        ("accept host .uni.example",             "http://uni.example./",            "L",     Accept),
        ("accept host .uni.example",             "http://muni.example/",            "L",     Reject),
        ("accept host uni.example",              "http://www.uni.example/",         "L",     Reject),
        ("accept host .München.example",         "http://a.xn--mnchen-3ya.example/", "L",    Accept),
        ("accept surt http://(de,uni-giessen,",  "https://www.uni-giessen.de/a",    "L",     Accept),
        ("accept surt https://(de,uni-giessen,", "http://www.uni-giessen.de/a",     "L",     Reject),
        ("accept surt (de,uni,www,:8080)/a",     "http://www.uni.de:8080/ab",       "L",     Accept),
        ("accept surt http://(134.176.2.1)/",    "http://134.176.2.1/x",            "L",     Accept),
        ("accept url http://h.example",          "http://h.example.org/",           "L",     Reject),
        ("accept url HTTP://H.example/a",        "http://h.example/ab",             "L",     Accept),
        ("accept site h.example",                "https://h.example/",              "L",     Accept),
        ("accept site h.example",                "http://h.example:8080/",          "L",     Reject),
        ("accept site h.example:8080",           "http://h.example:8080/",          "L",     Accept),
        ("accept any\nreject regex /cal/\\d+",   "http://h.example/cal/2024",       "L",     Reject),
        ("accept any\nreject regex /cal/\\d+",   "http://h.example/cal/x",          "L",     Accept),
        ("accept any\nreject suffix .zip .EXE",  "http://h.example/a.Zip?x",        "L",     Reject),
        ("accept any\nreject suffix .zip .EXE",  "http://h.example/zip",            "L",     Accept),
        ("accept port 80 8080",                  "http://h.example/",               "L",     Accept),
        ("accept scheme https",                  "http://h.example/",               "L",     Reject),
        ("accept any\nreject hops > 2",          "http://h.example/",               "LRLE",  Accept),
        ("accept any\nreject hops > 2",          "http://h.example/",               "LLL",   Reject),
        ("accept any\nreject length > 20",       "http://h.example/aaaa",           "L",     Reject),
        ("accept any\nreject depth > 2",         "http://h.example/a//b/",          "L",     Accept),
        ("accept any\nreject repeats > 2",       "http://h.example/a/b/a/b/a/b/",   "L",     Reject),
        ("accept any\nreject repeats > 2",       "http://h.example/a/b/a/b/",       "L",     Accept),
        ("accept any\nreject parameters > 1",    "http://h.example/?a&b=1",         "L",     Reject),
        ("accept any\nreject query-length > 3",  "http://h.example/?a=12",          "L",     Reject),
        ("accept embeds",                        "http://cdn.example/x.css",        "LLE",   Accept),
        ("accept embeds",                        "http://cdn.example/x.css",        "LERE",  Accept),
        ("accept embeds 1",                      "http://cdn.example/x.woff",       "LEE",   Reject),
        ("accept embeds",                        "http://cdn.example/x",            "LEL",   Reject),
        ("accept embeds",                        "http://cdn.example/x",            "LR",    Reject),
        ("accept redirects",                     "http://other.example/x",          "LR",    Accept),
        ("accept redirects 1",                   "http://other.example/x",          "LRR",   Reject),
        ("accept net 134.176.0.0/16",            "http://134.176.1.2/",             "L",     Accept),
        ("accept net 134.176.0.0/16",            "http://h.example/",               "L",     Undecided(Need::Address)),
        ("accept members",                       "http://h.example/",               "L",     Undecided(Need::Verdict)),
        // An open question that cannot change the answer is not asked.
        ("accept any\naccept members",           "http://h.example/",               "L",     Accept),
        ("reject net 10.0.0.0/8",                "http://h.example/",               "L",     Reject),
        ("accept members\nreject any",           "http://h.example/",               "L",     Reject),
        ("accept any\nreject net 10.0.0.0/8\naccept members", "http://h.example/",  "L",     Undecided(Need::Verdict)),
    ];
    for (rules, url, hops, expected) in cases {
        assert_eq!(check(rules, url, hops), expected, "{rules} | {url} | {hops}");
    }
}

#[test]
fn facts_and_labels() {
    let facts =
        |address: &str, verdict| Facts { addresses: Some(vec![address.parse().unwrap()]), verdict };
    let member = |label: &str| HostVerdict::Member(Some(label.to_owned()));
    #[rustfmt::skip]
    let cases = [
        ("accept net 192.0.2.0/24 2001:db8::/32", facts("2001:db8::1", HostVerdict::Foreign),     Decision::Accept, None),
        ("accept net 192.0.2.0/24",       facts("::ffff:192.0.2.7", HostVerdict::Foreign),        Decision::Accept, None),
        ("accept net 192.0.2.0/24",       facts("192.0.3.7", HostVerdict::Foreign),               Decision::Reject, None),
        ("accept members",                facts("192.0.2.1", member("giessen")),                  Decision::Accept, Some("giessen")),
        ("accept members of marburg",     facts("192.0.2.1", member("giessen")),                  Decision::Reject, None),
        ("accept as x members",           facts("192.0.2.1", member("giessen")),                  Decision::Accept, Some("x")),
        ("accept as k host .h.example",   facts("192.0.2.1", HostVerdict::Foreign),               Decision::Accept, Some("k")),
        ("accept members",                facts("192.0.2.1", HostVerdict::Foreign),               Decision::Reject, None),
    ];
    for (rules, facts, decision, label) in cases {
        let decided = decide_with(rules, "http://www.h.example/", "L", &facts);
        assert_eq!((decided.decision, decided.label.as_deref()), (decision, label), "{rules}");
    }
}

#[test]
fn seeds_make_a_scope() {
    let seeds = ["http://h.example/start", "https://s.example:8443/"].map(|s| s.parse().unwrap());
    let scope = Scope::of_seeds(&seeds).unwrap();
    let texts: Vec<String> = scope.rules().map(Rule::to_string).collect();
    assert_eq!(texts[0], "seeds: accept site h.example s.example:8443");
    let rules = texts.join("\n");
    #[rustfmt::skip]
    let cases = [
        ("http://h.example/other",       Decision::Accept),
        ("https://h.example/",           Decision::Accept),
        ("http://h.example:8080/",       Decision::Reject),
        ("http://www.h.example/",        Decision::Reject),
        ("https://s.example:8443/a",     Decision::Accept),
        ("https://s.example/",           Decision::Reject),
        ("http://h.example/a/a/a/a/a/",  Decision::Reject),
    ];
    for (url, expected) in cases {
        assert_eq!(check(&rules, url, "L"), expected, "{url}");
    }
}

#[test]
fn the_trace_names_the_rule() {
    let scope = Scope::parse("accept host .uni.example\nzips: reject suffix .zip").unwrap();
    let (url, hops) = (Url::parse("http://uni.example/a.zip").unwrap(), HopPath::default());
    let candidate = Candidate { url: &url, hops: &hops, via_accepted: true };
    let judgement = scope.judge(&candidate, &NoFacts);
    assert_eq!(judgement.decided.decided_by, Some(2));
    let said: Vec<String> = judgement
        .trace
        .iter()
        .map(|step| format!("{} {} {:?} {}", step.number, step.name, step.opinion, step.why))
        .collect();
    assert_eq!(
        said,
        ["1 accept host .uni.example Accept host uni.example", "2 zips Reject path /a.zip"]
    );
}

#[test]
fn faults_have_a_place() {
    #[rustfmt::skip]
    let cases = [
        ("acept host .x",               "`acept` is no action; did you mean `accept`? (line 1, column 1)"),
        ("# fine\n  accept hsot .x",    "`hsot` is no test; did you mean `host`? (line 2, column 10)"),
        ("accept",                      "what to look at, such as `host` is missing (line 1, column 7)"),
        ("accept host",                 "a host is missing (line 1, column 12)"),
        ("accept host a b/c",           "`b/c` is no host name (line 1, column 15)"),
        ("ä: accept port 99999",        "`99999` is no number up to 65535 (line 1, column 16)"),
        ("reject hops >= 3",            "`>` expected, not `>=` (line 1, column 13)"),
        ("accept any thing",            "`thing` is too much (line 1, column 12)"),
        ("accept net 10.0.0.0/33",      "`10.0.0.0/33` is no address range (line 1, column 12)"),
        ("accept regex a(b",            "the regular expression is wrong: unclosed group (line 1, column 14)"),
        ("accept scheme ftp",           "`ftp` is no scheme that is crawled (line 1, column 15)"),
        ("accept surt de,uni",          "a SURT prefix begins with `http://(`, `https://(` or `(` (line 1, column 13)"),
    ];
    for (text, expected) in cases {
        assert_eq!(parse_rules(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn huge_regexes_are_refused() {
    let error = parse_rules("reject regex \\w{1000}{1000}").unwrap_err().to_string();
    assert!(error.starts_with("the regular expression is wrong"), "{error}");
}

fn rule_text() -> impl Strategy<Value = String> {
    let test = prop_oneof![
        Just("any".to_owned()),
        Just("members".to_owned()),
        Just("members of giessen".to_owned()),
        Just("net 192.0.2.0/24 2001:db8::/32".to_owned()),
        Just("host .uni.example www.h.example".to_owned()),
        Just("site h.example h.example:8080".to_owned()),
        Just("surt http://(example,uni,".to_owned()),
        Just("url http://h.example/a".to_owned()),
        Just("suffix .zip .html".to_owned()),
        Just("port 80 8080".to_owned()),
        Just("scheme https".to_owned()),
        Just("embeds".to_owned()),
        Just("redirects 2".to_owned()),
        (0u32..6).prop_map(|limit| format!("hops > {limit}")),
        (0u32..6).prop_map(|limit| format!("repeats > {limit}")),
        "[a-c/.]{1,4}".prop_map(|pattern| format!("regex {pattern}")),
    ];
    let parts =
        (prop::option::of("[a-z]{1,5}"), any::<bool>(), prop::option::of("[a-z]{1,5}"), test);
    parts.prop_map(|(name, accept, label, test)| {
        let name = name.map_or(String::new(), |name| format!("{name}: "));
        let action = if accept { "accept" } else { "reject" };
        let label = label.map_or(String::new(), |label| format!("as {label} "));
        format!("{name}{action} {label}{test}")
    })
}

fn facts() -> impl Strategy<Value = Facts> {
    let addresses = prop_oneof![
        Just(None),
        Just(Some(vec![])),
        Just(Some(vec!["192.0.2.1".parse().unwrap()])),
        Just(Some(vec!["2001:db9::1".parse().unwrap()])),
    ];
    let verdict = prop_oneof![
        Just(HostVerdict::Unknown),
        Just(HostVerdict::Foreign),
        Just(HostVerdict::Member(None)),
        Just(HostVerdict::Member(Some("giessen".to_owned()))),
    ];
    (addresses, verdict).prop_map(|(addresses, verdict)| Facts { addresses, verdict })
}

proptest! {
    #[test]
    fn both_ways_agree(
        rules in prop::collection::vec(rule_text(), 0..8),
        host in "(www\\.)?(uni|h)\\.example(:8080)?",
        path in "/([a-c]/){0,5}(\\.zip|\\.html)?",
        hops in "[LRES]{0,5}",
        via_accepted in any::<bool>(),
        facts in facts(),
    ) {
        let scope = Scope::parse(&rules.join("\n")).unwrap();
        let url = Url::parse(&format!("http://{host}{path}")).unwrap();
        let hops = HopPath(hops);
        let candidate = Candidate { url: &url, hops: &hops, via_accepted };
        let judgement = scope.judge(&candidate, &facts);
        prop_assert_eq!(scope.decide(&candidate, &facts), judgement.decided);
        prop_assert_eq!(judgement.trace.len(), rules.len());
    }

    /// The answer with open questions is the one that every possible answer leads to.
    #[test]
    fn undecided_means_it_depends(rules in prop::collection::vec(rule_text(), 0..6)) {
        let scope = Scope::parse(&rules.join("\n")).unwrap();
        let (url, hops) = (Url::parse("http://h.example/a").unwrap(), HopPath("L".to_owned()));
        let candidate = Candidate { url: &url, hops: &hops, via_accepted: true };
        let open = scope.decide(&candidate, &NoFacts).decision;
        for addresses in [vec![], vec!["192.0.2.1".parse().unwrap()]] {
            for verdict in [HostVerdict::Foreign, HostVerdict::Member(None)] {
                let facts = Facts { addresses: Some(addresses.clone()), verdict };
                let decision = scope.decide(&candidate, &facts).decision;
                prop_assert!(!matches!(decision, Decision::Undecided(_)));
                if !matches!(open, Decision::Undecided(_)) {
                    prop_assert_eq!(open, decision);
                }
            }
        }
    }

    #[test]
    fn rules_round_trip(text in rule_text()) {
        let rule: Rule = text.parse().unwrap();
        prop_assert_eq!(&rule.to_string(), &text);
        prop_assert_eq!(rule.to_string().parse::<Rule>().unwrap(), rule);
    }

    #[test]
    fn any_text_is_answered(text in "(?s).{0,80}") {
        let _ = parse_rules(&text);
    }

    #[test]
    fn any_words_are_answered(
        text in "(accept |reject |as |host |net |regex |site |url |surt |hops |> |[.a-z0-9/:()\\[]{1,6} ){1,6}"
    ) {
        if let Ok(rules) = parse_rules(&text) {
            let again: Vec<String> = rules.iter().map(Rule::to_string).collect();
            prop_assert_eq!(parse_rules(&again.join("\n")).unwrap(), rules);
        }
    }
}
