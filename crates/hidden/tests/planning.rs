//! From a page with a form and metadata to the requests that ask its database.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::{DbMetadata, PlanSettings, QueryPlan, config_entries, page_entries, plan};
use auslese_markup::parse;
use url::Url;

/// The query form of the paper's hotel guide, with radio buttons, a text field and a price.
const HOTELS: &str = r#"<html><head><title>CityWorld</title>
<META NAME="DB.QueryElement" CONTENT="region">
<META NAME="DB.Result.region" CONTENT="html.body->A[i]->pdata[1].txt where html.body->A[i].getAttr(name) = 'Seitenanfang'">
<META NAME="DB.Navigation" CONTENT="NO"></head>
<body><form action="/cgi-bin/suche.pl" method="POST">
<input type="radio" name="region" value="1"> Ostsee
<input type="radio" name="region" value="2" checked> Müritz
<input type="radio" name="region" value="3"> Schweiz
Ort: <input name="ort">
Preis: <select name="preis"><option value="0" selected>bis 50 DM<option value="9">beliebig</select>
<input type="hidden" name="sprache" value="de"><input type="submit" name="los" value="Suchen"><input type="submit" name="weg" value="x">
</form></body></html>"#;

fn planned(html: &str, config: &str, settings: PlanSettings) -> Result<QueryPlan, Vec<String>> {
    let page = parse(html.as_bytes(), Some("utf-8"));
    let url: Url = "http://www.cityworld.example/cgi-bin/auswahl.pl".parse().unwrap();
    let metadata = DbMetadata::of_entries(&page_entries(&page), &config_entries(config.as_bytes()));
    let plan = plan(&page, &url, &metadata, settings);
    plan.map_err(|problems| problems.iter().map(|it| it.code.to_owned()).collect())
}

/// The requests of a plan: bodies of POST, queries of GET.
fn asked(plan: &QueryPlan) -> Vec<String> {
    let text = |query: auslese_hidden::Query| match query.request.body {
        Some((_, body)) => String::from_utf8(body).unwrap(),
        None => query.request.url.query().unwrap_or_default().to_owned(),
    };
    plan.queries().map(text).collect()
}

fn codes(plan: &QueryPlan) -> Vec<&str> {
    plan.problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn one_request_for_each_region() {
    let plan = planned(HOTELS, "", PlanSettings::default()).unwrap();
    assert_eq!((plan.size, plan.queries), (3, 3));
    assert_eq!(plan.action.as_str(), "http://www.cityworld.example/cgi-bin/suche.pl");
    assert_eq!(
        asked(&plan),
        [
            "region=1&ort=&preis=9&sprache=de&los=Suchen",
            "region=2&ort=&preis=9&sprache=de&los=Suchen",
            "region=3&ort=&preis=9&sprache=de&los=Suchen",
        ]
    );
    assert!(plan.problems.is_empty(), "{:?}", plan.problems);
}

#[test]
fn browsers_would_narrow() {
    let settings = PlanSettings { browser_defaults: true, ..PlanSettings::default() };
    let plan = planned(HOTELS, "", settings).unwrap();
    assert_eq!(asked(&plan)[0], "region=1&ort=&preis=0&sprache=de&los=Suchen");
    assert_eq!(codes(&plan), ["W_DEFAULT_NARROWS"]);
}

#[test]
fn products_go_in_the_order_of_elements() {
    let config = "DB.QueryElements: ort, region\nDB.QueryElement.ort: /[AB]%/\nDB.QueryElement.region: 1, 7\n";
    let plan = planned(HOTELS, config, PlanSettings::default()).unwrap();
    assert_eq!(plan.size, 4);
    let ends: Vec<String> =
        asked(&plan).iter().map(|it| it.split("&preis").next().unwrap().to_owned()).collect();
    assert_eq!(
        ends,
        ["region=1&ort=A%25", "region=7&ort=A%25", "region=1&ort=B%25", "region=7&ort=B%25"]
    );
    assert_eq!(codes(&plan), ["W_NOT_IN_DOMAIN"]);
}

#[test]
fn what_cannot_be_planned() {
    let with = |controls: &str| format!("<form><input name=a>{controls}</form>");
    #[rustfmt::skip]
    let cases = [
        ("<p>no form".to_owned(),                "DB.QueryElement: a",                         "E_NO_FORM"),
        (with(""),                               "DB.QueryElement: a",                         "E_OPEN_DOMAIN"),
        (with("<input type=password name=p>"),   "DB.QueryElement: a\nDB.QueryElement.a: x",   "E_UNSUPPORTED_CONTROL"),
        (with("<input type=file name=p>"),       "DB.QueryElement: a\nDB.QueryElement.a: x",   "E_UNSUPPORTED_CONTROL"),
        (with("<input name=g-reCAPTCHA-answer>"), "DB.QueryElement: a\nDB.QueryElement.a: x",  "E_UNSUPPORTED_CONTROL"),
        (with("<div class=g-recaptcha>"),        "DB.QueryElement: a\nDB.QueryElement.a: x",   "E_UNSUPPORTED_CONTROL"),
        (with("<img src=captcha.php>"),          "DB.QueryElement: a\nDB.QueryElement.a: x",   "E_UNSUPPORTED_CONTROL"),
        ("<template><form><input name=a></form></template>".to_owned(), "DB.QueryElement: a",  "E_NO_FORM"),
        ("<form method=dialog><input name=a></form>".to_owned(),        "DB.QueryElement: a",  "E_NO_FORM"),
        (with(""),                               "DB.QueryElement: a\nDB.QueryElement.a: ,,",  "E_OPEN_DOMAIN"),
        (with(""),                               "DB.QueryElement: a\nDB.QueryElement.a: /[a-z]{4}/", "E_PRODUCT_TOO_BIG"),
        (with("<input name=b>"),                 "DB.QueryElements: a, b\nDB.QueryElement.a: /[a-z]\\d/\nDB.QueryElement.b: /\\d/", "E_PRODUCT_TOO_BIG"),
        (with(""),                               "DB.Result.x: html.body.txt",                 "E_NO_QUERY_ELEMENT"),
        (with(""),                               "DB.QueryElement: a\nDB.QueryElement.a: x\nDB.QueryScript: ftp://x/", "E_QUERY_SCRIPT"),
        (with(""),                               "DB.QueryElement: a\nDB.QueryElement.a: x\nDB.QueryScript: /cgi, DELETE", "E_QUERY_SCRIPT"),
    ];
    for (html, config, code) in cases {
        let problems = planned(&html, config, PlanSettings::default()).unwrap_err();
        assert_eq!(problems, [code], "{html} {config}");
    }
}

#[test]
fn budgets_can_cut_a_plan() {
    let html = "<form><input name=a></form>";
    let config = "DB.QueryElement: a\nDB.QueryElement.a: /\\d{2}/";
    let settings = PlanSettings { budget: 10, truncate: true, ..PlanSettings::default() };
    let plan = planned(html, config, settings).unwrap();
    assert_eq!((plan.size, plan.queries, plan.queries().count()), (100, 10, 10));
    assert_eq!(asked(&plan)[9], "a=09");
}

#[test]
fn another_script_and_other_choices() {
    let html = "<form action=x method=post enctype=multipart/form-data><select name=s multiple><option>a<option selected>b</select>\
        <input type=checkbox name=c value=1 checked><input type=radio name=r value='' ><input type=radio name=r value=x checked>\
        <select name=required required><option>p<option selected>q</select></form>";
    let config = "DB.QueryElements: s, c\nDB.QueryScript: /einfach.pl, GET";
    let plan = planned(html, config, PlanSettings::default()).unwrap();
    assert_eq!(plan.action.path(), "/einfach.pl");
    assert_eq!(
        asked(&plan),
        [
            "s=a&c=1&r=&required=q",
            "s=a&r=&required=q",
            "s=b&c=1&r=&required=q",
            "s=b&r=&required=q"
        ]
    );
    assert_eq!(codes(&plan), ["W_DEFAULT_NARROWS"]);
}

#[test]
fn labels_and_visible_choices() {
    let html = "<form><table><tr><td>Ort:</td><td><select name=ort><option value=''>alle<option value=1>Waren<option>Röbel</select>\
        <tr><td>Preis<td><label><input type=radio name=preis value=a> billig</label> <input type=radio name=preis value=b> teuer\
        <tr><td colspan=2><label for=x>Wort</label><input id=x name=wort aria-label=nie></table></form>";
    let plan = planned(html, "DB.QueryElement: ort", PlanSettings::default()).unwrap();
    let label = |name: &str| plan.form.control(name).unwrap().label.clone().unwrap();
    assert_eq!((label("ort").text.as_str(), label("ort").sure), ("Ort", false));
    assert_eq!((label("preis").text.as_str(), label("preis").sure), ("Preis", false));
    assert_eq!((label("wort").text.as_str(), label("wort").sure), ("Wort", true));
    let domains = plan.visible_domains();
    assert_eq!(domains[0], ("ort".to_owned(), vec!["Waren".to_owned(), "Röbel".to_owned()]));
    assert_eq!(domains[1], ("preis".to_owned(), vec!["billig".to_owned()]));
    assert_eq!(plan.elements[0].values, [Some("1".to_owned()), Some("Röbel".to_owned())]);
}

#[test]
fn the_right_form_is_found() {
    let html = "<form action=/login><input name=user></form><table><form action=/suche><tr><td><input name=ort></form></table>";
    let config = "DB.QueryElement: ort\nDB.QueryElement.ort: Waren";
    assert_eq!(planned(html, config, PlanSettings::default()).unwrap().action.path(), "/suche");
    let config = "DB.QueryElement: land\nDB.QueryElement.land: D";
    let plan = planned(html, config, PlanSettings::default()).unwrap();
    assert_eq!((plan.action.path(), asked(&plan)[0].as_str()), ("/login", "user=&land=D"));
    assert_eq!(codes(&plan), ["W_NO_ELEMENT"]);
}
