//! Repositories, good and bad; the server is a function.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::{
    Granularity, OaiHarvest, OaiRecord, OaiReply, OaiReport, OaiSettings, known_oai_addresses,
    linked_oai_addresses, read_oai,
};
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;
use url::Url;

const RECORDS: usize = 23;
const PAGE: usize = 5;

/// An answer: status, Retry-After, body.
type Answer = (u16, Option<u64>, String);

fn ok(body: String) -> Answer {
    (200, None, body)
}

fn envelope(content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\">\
         <responseDate>2026-11-17T09:00:00Z</responseDate><request/>{content}</OAI-PMH>"
    )
}

fn complaint(code: &str) -> Answer {
    ok(envelope(&format!("<error code=\"{code}\">no</error>")))
}

fn identify() -> Answer {
    ok(envelope(
        "<Identify><repositoryName>Hochschulschriften</repositoryName><baseURL>http://oai.example/oai</baseURL>\
         <adminEmail>a@oai.example</adminEmail><earliestDatestamp>2001-01-01</earliestDatestamp>\
         <deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify>",
    ))
}

fn date(number: usize) -> String {
    format!("2001-01-{:02}T00:00:00Z", number + 1)
}

fn record(number: usize) -> String {
    let (id, date) = (format!("oai:x:{number}"), date(number));
    if number % 10 == 3 {
        return format!(
            "<record><header status=\"deleted\"><identifier>{id}</identifier><datestamp>{date}</datestamp></header></record>"
        );
    }
    format!(
        "<record><header><identifier>{id}</identifier><datestamp>{date}</datestamp><setSpec>a</setSpec></header><metadata>\
         <oai_dc:dc><dc:title>Werk &amp; {number}</dc:title><dc:creator>A</dc:creator><dc:creator>B</dc:creator></oai_dc:dc>\
         </metadata></record>"
    )
}

/// The page of a list that begins with a record.
fn list(from: usize) -> String {
    let end = (from + PAGE).min(RECORDS);
    let records: String = (from..end).map(record).collect();
    let token = if end < RECORDS { format!("t{end}") } else { String::new() };
    envelope(&format!(
        "<ListRecords>{records}<resumptionToken completeListSize=\"{RECORDS}\" cursor=\"{from}\">{token}</resumptionToken></ListRecords>"
    ))
}

type Fields = BTreeMap<String, String>;

/// What a server that keeps to the protocol answers.
fn good(fields: &Fields) -> Answer {
    if fields["verb"] == "Identify" {
        return identify();
    }
    match fields.get("resumptionToken") {
        Some(_) if fields.len() > 2 => complaint("badArgument"),
        Some(token) => ok(list(token[1..].parse().unwrap())),
        None => {
            let from = fields.get("from").cloned().unwrap_or_default();
            match (0..RECORDS).find(|number| date(*number) >= from) {
                Some(number) => ok(list(number)),
                None => complaint("noRecordsMatch"),
            }
        }
    }
}

fn harvest(
    from: Option<&str>,
    server: &dyn Fn(&Fields) -> Answer,
) -> (OaiReport, Vec<OaiRecord>, Duration) {
    let mut settings = OaiSettings::all("http://oai.example/oai?repo=1".parse().unwrap());
    settings.from = from.map(str::to_owned);
    let mut harvest = OaiHarvest::new(settings);
    let (mut records, mut waited) = (Vec::new(), Duration::ZERO);
    while let Some(ask) = harvest.next() {
        waited += ask.wait;
        let mut fields: Fields = ask
            .request
            .url
            .query_pairs()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        assert_eq!(fields.remove("repo").as_deref(), Some("1"));
        let (status, retry_after, body) = server(&fields);
        let retry_after = retry_after.map(Duration::from_secs);
        let reply = OaiReply { status, retry_after, charset: None, body: body.as_bytes() };
        records.extend(harvest.answered(reply));
    }
    (harvest.finish(), records, waited)
}

fn check_complete(report: &OaiReport, records: &[OaiRecord]) {
    assert!(report.complete, "{report:?}");
    let mut ids: Vec<&str> = records.iter().map(|it| it.identifier.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), records.len(), report.records), (RECORDS, RECORDS, RECORDS as u64));
}

fn codes(report: &OaiReport) -> Vec<&str> {
    report.problems.iter().map(|it| it.code).collect()
}

#[test]
fn a_correct_server() {
    let (report, records, _) = harvest(None, &good);
    check_complete(&report, &records);
    assert_eq!((report.requests, report.deleted, report.announced), (6, 2, Some(23)));
    assert_eq!(report.next_from.as_deref(), Some("2026-11-17T09:00:00Z"));
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(report.identity.as_ref().unwrap().granularity, Granularity::Second);
    assert_eq!(records[1].values("title").collect::<Vec<_>>(), ["Werk & 1"]);
    assert_eq!(records[1].values("creator").collect::<Vec<_>>(), ["A", "B"]);
    assert!(records[3].deleted && records[3].fields.is_empty());
}

#[test]
fn only_what_changed() {
    let asked = RefCell::new(Vec::new());
    let server = |fields: &Fields| {
        asked.borrow_mut().extend(fields.get("from").cloned());
        good(fields)
    };
    let (report, records, _) = harvest(Some("2001-01-21"), &server);
    assert_eq!((records.len(), report.complete), (3, true));
    assert_eq!(asked.borrow()[..], ["2001-01-21T00:00:00Z"]);
    let (report, records, _) = harvest(Some("2002-01-01"), &server);
    assert_eq!((records.len(), report.complete), (0, true));
}

#[test]
fn a_prefix_with_the_token() {
    let server = |fields: &Fields| match fields.contains_key("resumptionToken") {
        true if !fields.contains_key("metadataPrefix") => complaint("badArgument"),
        true => ok(list(fields["resumptionToken"][1..].parse().unwrap())),
        false => good(fields),
    };
    let (report, records, _) = harvest(None, &server);
    check_complete(&report, &records);
    assert_eq!(codes(&report), ["W_OAI_PREFIX"]);
}

#[test]
fn the_same_page_for_ever() {
    let same_token = |fields: &Fields| match fields.contains_key("resumptionToken") {
        true => ok(list(5)),
        false => good(fields),
    };
    let (report, records, _) = harvest(None, &same_token);
    assert_eq!((records.len(), report.complete, report.requests), (10, false, 4));
    assert_eq!(codes(&report), ["W_OAI_LOOP"]);
    let count = Cell::new(0);
    let new_tokens = |fields: &Fields| {
        count.set(count.get() + 1);
        let (status, wait, body) = good(fields);
        (status, wait, body.replace(">t5<", &format!(">t5{}<", count.get())))
    };
    let server = |fields: &Fields| match fields.contains_key("resumptionToken") {
        true => new_tokens(&BTreeMap::from([("verb".to_owned(), "ListRecords".to_owned())])),
        false => new_tokens(fields),
    };
    let (report, records, _) = harvest(None, &server);
    assert_eq!((records.len(), report.complete), (5, false));
    assert!(report.requests < 10, "{}", report.requests);
}

#[test]
fn broken_xml() {
    let odd = |fields: &Fields| {
        let (status, wait, body) = good(fields);
        let body = body
            .replace("&amp;", "&")
            .replace("</oai_dc:dc>", "</dc>")
            .replace("Werk", "W\u{1}erk <i>");
        (status, wait, body.replace("</ListRecords>", ""))
    };
    let (report, records, _) = harvest(None, &odd);
    check_complete(&report, &records);
    // Every other answer ends in the middle.
    let count = Cell::new(0);
    let cut = |fields: &Fields| {
        count.set(count.get() + 1);
        let (status, wait, body) = good(fields);
        let end = if count.get() % 2 == 0 { body.len() / 2 } else { body.len() };
        (status, wait, body[..body.floor_char_boundary(end)].to_owned())
    };
    let (report, records, _) = harvest(None, &cut);
    check_complete(&report, &records);
    assert_eq!(codes(&report), ["W_OAI_AGAIN"]);
    let never = |fields: &Fields| match fields["verb"].as_str() {
        "Identify" => identify(),
        _ => ok(list(0)[..700].to_owned()),
    };
    let (report, _, _) = harvest(None, &never);
    assert!(!report.complete);
    assert_eq!(codes(&report), ["W_OAI_AGAIN", "E_OAI_ANSWER"]);
}

#[test]
fn tokens_that_expire() {
    let count = Cell::new(0);
    let once = |fields: &Fields| {
        count.set(count.get() + 1);
        if count.get() == 4 { complaint("badResumptionToken") } else { good(fields) }
    };
    let (report, records, _) = harvest(None, &once);
    check_complete(&report, &records);
    assert_eq!(codes(&report), ["W_OAI_RESTART"]);
    // A token holds for one page only; dates lead on.
    let first_only = |fields: &Fields| match fields.get("resumptionToken") {
        Some(_) => complaint("badResumptionToken"),
        None => good(fields),
    };
    let (report, records, _) = harvest(None, &first_only);
    check_complete(&report, &records);
    let nothing_helps = |fields: &Fields| match fields.get("resumptionToken") {
        Some(_) => complaint("badResumptionToken"),
        None if fields["verb"] == "Identify" => identify(),
        None => ok(list(0)),
    };
    let (report, records, _) = harvest(None, &nothing_helps);
    assert_eq!((records.len(), report.complete), (5, false));
    assert_eq!(codes(&report), ["W_OAI_RESTART", "E_OAI_TOKEN"]);
}

#[test]
fn patience() {
    let count = Cell::new(0);
    let busy = |fields: &Fields| {
        count.set(count.get() + 1);
        if count.get() % 3 == 0 { (503, Some(20), String::new()) } else { good(fields) }
    };
    let (report, records, waited) = harvest(None, &busy);
    check_complete(&report, &records);
    assert_eq!(waited, Duration::from_secs(40));
    let (report, _, waited) = harvest(None, &|_| (503, Some(100_000), String::new()));
    assert_eq!(
        (codes(&report), waited),
        (vec!["W_OAI_AGAIN", "E_NOT_OAI"], Duration::from_secs(4 * 600))
    );
    let (report, _, _) = harvest(None, &|_| ok("<html>Willkommen".to_owned()));
    assert_eq!(codes(&report), ["W_OAI_AGAIN", "E_NOT_OAI"]);
}

#[test]
fn addresses() {
    let html = "<a href='/oai?verb=Identify'>OAI</a><a href='http://b.example/r.php?repo=2&verb=ListRecords&metadataPrefix=oai_dc'>x</a>\
        <a href='?verb=drucken'>y</a><link rel=oai-pmh href=/pmh>";
    let page = auslese_markup::parse(html.as_bytes(), None);
    let here: Url = "http://a.example/x/".parse().unwrap();
    let found: Vec<String> =
        linked_oai_addresses(&page, &here).iter().map(Url::to_string).collect();
    assert_eq!(
        found,
        ["http://a.example/oai", "http://b.example/r.php?repo=2", "http://a.example/pmh"]
    );
    assert!(known_oai_addresses(&here).iter().any(|it| it.as_str() == "http://a.example/oai"));
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_oai(&bytes, None);
    }

    #[test]
    fn answers_cut_anywhere_give_whole_records(at in 0usize..2000) {
        let body = list(0);
        let answer = read_oai(&body.as_bytes()[..at.min(body.len())], None);
        for (number, record) in answer.records.iter().enumerate() {
            prop_assert_eq!(&record.identifier, &format!("oai:x:{number}"));
            prop_assert_eq!(&record.datestamp, &date(number));
        }
        prop_assert!(answer.token.is_none() || answer.records.len() == PAGE);
    }

    #[test]
    fn any_server_comes_to_an_end(kinds in prop::collection::vec(0u8..6, 1..40)) {
        let count = Cell::new(0);
        let server = |fields: &Fields| {
            count.set(count.get() + 1);
            match kinds[count.get() % kinds.len()] {
                0 => (500, None, String::new()),
                1 => complaint("badResumptionToken"),
                2 => ok(list(count.get() % RECORDS)),
                3 => ok(list(0)[..300].to_owned()),
                _ => good(fields),
            }
        };
        let (report, records, _) = harvest(None, &server);
        prop_assert!(report.requests < 5_000, "{}", report.requests);
        prop_assert!(records.len() <= RECORDS);
    }
}
