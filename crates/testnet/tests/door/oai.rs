//! The repository, harvested as the protocol says, and where it goes wrong.

use crate::client::get;
use auslese_testnet::databases::{OaiFault, OaiGranularity, OaiRepository};
use auslese_testnet::{Internet, Running, Site};

fn served(repository: OaiRepository, later: Option<OaiRepository>) -> Running {
    let site = repository.add_to(Site::new("http://h.example"), "/oai");
    let site = match later {
        Some(later) => later.add_later_to(site, "/oai"),
        None => site,
    };
    Internet::new().site(site).start().unwrap()
}

fn ask(net: &Running, arguments: &str) -> String {
    get(net.http(), "h.example", &format!("/oai?{arguments}"))
}

fn token(answer: &str) -> Option<&str> {
    let rest = answer.split("<resumptionToken").nth(1)?;
    let token = rest.split_once('>')?.1.split('<').next()?;
    Some(token).filter(|token| !token.is_empty())
}

/// Follows tokens to the end, at most so many pages; the identifiers seen, and how often asked.
fn harvest(net: &Running, first: &str, pages: usize) -> (Vec<String>, usize) {
    let mut answer = ask(net, first);
    let mut found = Vec::new();
    for page in 1.. {
        let identifiers = answer.split("<identifier>").skip(1);
        found.extend(identifiers.map(|rest| rest.split('<').next().unwrap().to_owned()));
        match token(&answer) {
            Some(token) if page < pages => {
                answer = ask(net, &format!("verb=ListRecords&resumptionToken={token}"));
            }
            _ => return (found, page),
        }
    }
    unreachable!("pages are counted");
}

#[test]
fn tokens_lead_through_all_records() {
    let repository = OaiRepository::new(230, 5);
    let all: Vec<String> = repository.records.iter().map(|it| it.identifier.clone()).collect();
    let deleted = repository.records.iter().filter(|it| it.deleted).count();
    assert!(deleted > 0);
    let net = served(repository.clone(), None);
    assert_eq!(harvest(&net, "verb=ListRecords&metadataPrefix=oai_dc", 9), (all, 3));
    let first = ask(&net, "verb=ListRecords&metadataPrefix=oai_dc");
    assert!(first.contains("completeListSize=\"230\" cursor=\"0\">100!1!!!<"), "{first}");
    let last = ask(&net, "verb=ListRecords&resumptionToken=200!2!!!");
    assert!(last.contains("cursor=\"200\"></resumptionToken>"), "{last}");

    let since = &repository.records[200].datestamp;
    let of_set = |set: &str| repository.records.iter().filter(|it| it.sets[0] == set).count();
    let prefix = "metadataPrefix=oai_dc";
    #[rustfmt::skip]
    let cases = [
        (format!("verb=ListRecords&{prefix}&from={since}"),                30),
        (format!("verb=ListRecords&{prefix}&until={since}"),               201),
        (format!("verb=ListRecords&{prefix}&from={since}&until={since}"),  1),
        (format!("verb=ListRecords&{prefix}&from={0}&until={0}", &since[..10]), 1),
        (format!("verb=ListRecords&{prefix}&set=karten"),                  of_set("karten")),
    ];
    for (arguments, expected) in cases {
        assert_eq!(harvest(&net, &arguments, 9).0.len(), expected, "{arguments}");
    }
}

#[test]
fn verbs_and_refusals() {
    let mut repository = OaiRepository::new(5, 5);
    repository.granularity = OaiGranularity::Day;
    repository.records[1].deleted = true;
    let net = served(repository, None);
    let id = "oai:repositorium.example";
    #[rustfmt::skip]
    let cases = [
        ("verb=Identify".to_owned(),                            "<granularity>YYYY-MM-DD</granularity>"),
        ("verb=Identify".to_owned(),                            "<earliestDatestamp>2010-01-01</earliestDatestamp>"),
        ("verb=Identify".to_owned(),                            "<deletedRecord>persistent</deletedRecord>"),
        ("verb=Identify".to_owned(),                            "<request verb=\"Identify\">http://h.example/oai</request>"),
        ("verb=ListSets".to_owned(),                            "<setSpec>karten</setSpec>"),
        ("verb=ListMetadataFormats".to_owned(),                 "<metadataPrefix>oai_dc</metadataPrefix>"),
        ("verb=ListIdentifiers&metadataPrefix=oai_dc".to_owned(), "<header status=\"deleted\"><identifier>oai:repositorium.example:2<"),
        (format!("verb=GetRecord&metadataPrefix=oai_dc&identifier={id}:1"), " &amp; 1</dc:title>"),
        (format!("verb=GetRecord&metadataPrefix=oai_dc&identifier={id}:9"), "code=\"idDoesNotExist\""),
        (format!("verb=GetRecord&metadataPrefix=marc&identifier={id}:1"),   "code=\"cannotDisseminateFormat\""),
        ("verb=ListRecords".to_owned(),                         "code=\"badArgument\""),
        ("verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc".to_owned(), "code=\"badArgument\""),
        ("verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=0!0!!!".to_owned(), "code=\"badArgument\""),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2010-01-01T00:00:00Z".to_owned(), "code=\"badArgument\""),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2031-01-01".to_owned(), "code=\"noRecordsMatch\""),
        ("verb=ListRecords&resumptionToken=x".to_owned(),       "code=\"badResumptionToken\""),
        ("verb=Delete".to_owned(),                              "code=\"badVerb\""),
        (String::new(),                                         "code=\"badVerb\""),
    ];
    for (arguments, expected) in cases {
        let answer = ask(&net, &arguments);
        assert!(answer.contains(expected), "{arguments}\n{answer}");
    }
}

#[test]
fn faults() {
    let first = "verb=ListRecords&metadataPrefix=oai_dc";
    let second = "verb=ListRecords&resumptionToken=10!1!!!";
    #[rustfmt::skip]
    let cases = [
        // fault                                     asked                         last answer contains
        (OaiFault::PrefixWithToken,                  vec![second],                 "code=\"badArgument\""),
        (OaiFault::PrefixWithToken,                  vec!["verb=ListRecords&resumptionToken=10!1!!!&metadataPrefix=oai_dc"], "example:11<"),
        (OaiFault::Repeats { page: 1 },              vec![second],                 ">10!2!!!<"),
        (OaiFault::RepeatsToken { page: 1 },         vec![second],                 ">10!1!!!<"),
        (OaiFault::CutOnce { request: 1 },           vec![first, first, first],    "</OAI-PMH>"),
        (OaiFault::TokensExpire { pages: 2 },        vec![second],                 ">20!2!!!<"),
        (OaiFault::TokensExpire { pages: 2 },        vec!["verb=ListRecords&resumptionToken=20!2!!!"], "code=\"badResumptionToken\""),
        (OaiFault::Busy { every: 3, seconds: 2 },    vec![first, first, first],    "Retry-After: 2\r\n"),
        (OaiFault::ClaimsSize(999),                  vec![first],                  "completeListSize=\"999\""),
    ];
    for (fault, asked, expected) in cases {
        let mut repository = OaiRepository::new(35, 5).with_fault(fault.clone());
        repository.page_size = 10;
        let net = served(repository, None);
        let answers: Vec<String> = asked.iter().map(|arguments| ask(&net, arguments)).collect();
        let last = answers.last().unwrap();
        assert!(last.contains(expected), "{fault:?}\n{last}");
    }
    for (fault, whole) in
        [(OaiFault::CutAlways, [false; 3]), (OaiFault::CutOnce { request: 1 }, [true, false, true])]
    {
        let net = served(OaiRepository::new(35, 5).with_fault(fault), None);
        let is_whole = |_| ask(&net, first).ends_with("</OAI-PMH>\n");
        assert_eq!([0, 1, 2].map(is_whole), whole);
    }
    let net = served(OaiRepository::new(350, 5).with_fault(OaiFault::Repeats { page: 1 }), None);
    let (found, pages) = harvest(&net, first, 7);
    assert_eq!((found.len(), pages), (700, 7), "it goes on for ever");
}

#[test]
fn the_second_round_has_other_records() {
    let repository = OaiRepository::new(20, 5);
    let mut later = repository.clone();
    later.clock = "2026-12-01T00:00:00Z".to_owned();
    later.records[3].deleted = true;
    later.records[3].datestamp = "2026-11-20T00:00:00Z".to_owned();
    let net = served(repository, Some(later));
    let since = "verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-01";
    assert!(ask(&net, since).contains("noRecordsMatch"));
    net.begin_second_round();
    assert!(
        ask(&net, since)
            .contains("<header status=\"deleted\"><identifier>oai:repositorium.example:4<")
    );
}
