//! `auslese hidden` as a user types it, on the demo and on files.

use super::{auslese, empty, stderr, stdout};
use auslese_testnet::demo;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The paper's own six lines (G. Weber, Rostock 2001), over a form of two regions.
const FORM: &str = r##"<html><head><title>CityWorld</title>
<META NAME="DB.QueryElement" CONTENT="region">
<META NAME="DB.Result.region" CONTENT="html.body->A[i]->pdata[1].txt
  where html.body->A[i].getAttr(name) = 'Seitenanfang'">
<META NAME="DB.Result" CONTENT="html.body->table[1].">
<META NAME="DB.Result.ort" CONTENT="tr[j:*].td[1].txt
  where tr[j].td[1].font.getAttr(color) = '#FF8000'">
<META NAME="DB.Result.name" CONTENT="tr[k:*].td[1].b.txt
  where tr[k].td[0].input.getAttr(name) = 'hotel_id'">
<META NAME="DB.Navigation" CONTENT="NO"></head><body><form action=suche.pl method=post>
<input type=radio name=region value=1> Schweiz <input type=radio name=region value=2> Ostsee</form>"##;

fn json(dir: &Path, args: &[&str]) -> Value {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn values(shown: &Value, attribute: &str) -> BTreeSet<String> {
    let values = shown["attributes"][attribute]["values"].as_array().unwrap();
    values.iter().map(|it| it["value"].as_str().unwrap().to_owned()).collect()
}

/// Everything that is in the demo's databases is found, by every degree of cooperation.
#[test]
fn the_databases_of_the_demo() {
    let dir = empty();
    let output = auslese(dir.path(), &["demo", "--no-serve"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("databases known, "), "{}", stdout(&output));
    let truth = demo::database_truth();
    let names: BTreeSet<String> = truth.hotels.hotels().iter().map(|it| it.name.clone()).collect();
    let towns: BTreeSet<String> = truth.hotels.towns().iter().map(|it| it.name.clone()).collect();
    let regions: BTreeSet<String> =
        truth.hotels.regions().iter().map(|it| (*it).to_owned()).collect();
    let show = |url: &str| {
        json(
            dir.path(),
            &["hidden", "show", url, "--values", "9999", "--json", "--dir", "auslese-demo"],
        )
    };
    let guide = show(truth.hotel_form);
    assert_eq!(values(&guide, "region"), regions);
    assert_eq!(values(&guide, "ort"), towns);
    assert_eq!(values(&guide, "name"), names);
    assert_eq!(guide["cooperation"], "restricted");
    let offer = show(&truth.hotel_document);
    assert_eq!(values(&offer, "hotel.name"), names);
    assert_eq!(values(&offer, "hotel.ort"), towns);
    assert_eq!(values(&offer, "region.region"), regions);
    // The second round brought what had changed.
    let repository = show(truth.repository);
    let later = &truth.records_later;
    assert_eq!(repository["records"]["count"], later.len());
    assert_eq!(
        repository["records"]["deleted"],
        later.iter().filter(|record| record.deleted).count()
    );
    assert!(repository["requests"].as_u64() <= Some(3), "only what changed: {repository}");
    let list = json(dir.path(), &["hidden", "list", "--json", "--dir", "auslese-demo"]);
    let museum = list.as_array().unwrap().iter().find(|it| it["url"] == truth.museum_form).unwrap();
    assert_eq!((&museum["cooperation"], &museum["queries"]), (&"none".into(), &30.into()));

    let output = auslese(dir.path(), &["hidden", "show", "1", "--soif", "--dir", "auslese-demo"]);
    assert!(stdout(&output).starts_with("@FILE { "), "{}", stdout(&output));
    let town = towns.first().unwrap();
    let question = format!("source:database \"{town}\"");
    let found = json(dir.path(), &["search", &question, "--json", "--dir", "auslese-demo"]);
    let text = found.to_string();
    assert!(text.contains(truth.hotel_form) && text.contains("ort"), "{text}");
    let record = &later.iter().find(|it| !it.deleted).unwrap().fields;
    let (_, title) = record.iter().find(|(name, _)| *name == "title").unwrap();
    let question = format!("source:record \"{}\"", title.replace('"', " "));
    let found = json(dir.path(), &["search", &question, "--json", "--dir", "auslese-demo"]);
    assert!(found.to_string().contains(title.split(' ').next().unwrap()), "{found}");
}

#[test]
fn plans_are_made_without_sending_anything() {
    let dir = empty();
    fs::write(dir.path().join("form.html"), FORM).unwrap();
    let url = ["--url", "http://www.cityworld.example/auswahl.pl"];
    let plan = ["hidden", "plan", "form.html", url[0], url[1]];
    let output = auslese(dir.path(), &plan);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "sends    POST http://www.cityworld.example/suche.pl\n",
        "element  region: 2 values: 1, 2\n",
        "queries  2 of 2\n",
        "  POST http://www.cityworld.example/suche.pl  region=2\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let value = json(dir.path(), &[&plan[..], &["--json"]].concat());
    assert_eq!((&value["queries"], &value["invites_queries"]), (&2.into(), &true.into()));
    assert_eq!(value["requests"][1]["body"], "region=2");
    #[rustfmt::skip]
    let refused = [
        ("<form><input name=q></form>",                               "DB.QueryElement: q",                              "E_OPEN_DOMAIN"),
        ("<form><input name=q></form>",                               "DB.QueryElement: q\nDB.QueryElement.q: /[a-z]{4}/", "E_PRODUCT_TOO_BIG"),
        ("<form><input name=q></form>",                               "DB.QueryElement: q\nDB.QueryElement.q: /a*/",     "E_INFINITE"),
        ("<form><input name=q><input type=password name=p></form>",   "DB.QueryElement: q\nDB.QueryElement.q: a",        "E_UNSUPPORTED_CONTROL"),
        ("<p>nothing",                                                "DB.QueryElement: q",                              "E_NO_FORM"),
    ];
    for (form, metadata, code) in refused {
        fs::write(dir.path().join("bad.html"), form).unwrap();
        fs::write(dir.path().join("bad.conf"), metadata).unwrap();
        let output = auslese(dir.path(), &["hidden", "plan", "bad.html", "--config", "bad.conf"]);
        assert_eq!(output.status.code(), Some(2), "{code}: {}", stdout(&output));
        assert!(stderr(&output).contains(code), "{code}: {}", stderr(&output));
    }
}

#[test]
fn clear_words_where_there_is_nothing() {
    let dir = empty();
    let output = auslese(dir.path(), &["hidden", "run", "--dir", "nowhere"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = auslese(dir.path(), &["hidden", "plan", "missing.html"]);
    assert_ne!(output.status.code(), Some(0));
    assert!(stderr(&output).starts_with("error: "), "{}", stderr(&output));
    let output = auslese(dir.path(), &["hidden", "run", "--probe-queries", "3"]);
    assert_eq!(output.status.code(), Some(2), "a number of queries means nothing without a host");
}
