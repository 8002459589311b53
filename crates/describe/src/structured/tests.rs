//! Structured data as it should be, as it is, and as it is made to do harm.

use super::*;
use auslese_markup::parse;
use proptest::prelude::*;

fn data(html: &str) -> StructuredData {
    StructuredData::of(&parse(html.as_bytes(), Some("utf-8")))
}

fn texts(found: &[FoundValue]) -> Vec<&str> {
    found.iter().map(|value| value.text.as_str()).collect()
}

fn in_script(json: &str) -> StructuredData {
    data(&format!("<script type='application/ld+json'>{json}</script>"))
}

#[test]
fn meta_elements() {
    let html = r#"
        <meta name="Author" content=" Eva  Meier ">
        <meta name="DC.Title" content="Algebra &amp;amp; mehr"><meta name="dcterms.title" content="Zwei">
        <meta name="dc:title" content="Zwei">
        <meta property="og:title twitter:title" content="OG">
        <meta http-equiv="Last-Modified" content="Fri">
        <meta itemprop="headline" content="H">
        <meta name="citation_author" content="Meier, Eva"><meta name="citation_author" content="Huber, Karl">
        <meta name="eprints.title" content="E"><meta name="prism:publicationDate" content="2004">
        <meta name="bepress_citation_title" content="B">
        <meta name="empty" content=" "><meta name="none">"#;
    #[rustfmt::skip]
    let cases: &[(&str, &[&str])] = &[
        ("author",                 &["Eva Meier"]),
        ("AUTHOR",                 &["Eva Meier"]),
        ("dc.title",               &["Algebra & mehr", "Zwei"]),
        ("DCTERMS:title",          &["Algebra & mehr", "Zwei"]),
        ("og:title",               &["OG"]),
        ("twitter:title",          &["OG"]),
        ("last-modified",          &["Fri"]),
        ("headline",               &["H"]),
        ("citation_author",        &["Meier, Eva", "Huber, Karl"]),
        ("eprints.title",          &["E"]),
        ("prism.publicationdate",  &["2004"]),
        ("bepress_citation_title", &["B"]),
        ("empty",                  &[]),
        ("none",                   &[]),
        ("missing",                &[]),
    ];
    let data = data(html);
    for (name, expected) in cases {
        assert_eq!(texts(data.meta(name)), *expected, "{name}");
    }
}

#[test]
fn places_are_kept() {
    let page =
        parse(b"<p>x<meta name=author content=Eva><b itemscope><i itemprop=name>Karl</i>", None);
    let data = StructuredData::of(&page);
    let meta = &data.meta("author")[0];
    assert!(page.tree().element(meta.node).is_some_and(|element| element.is("meta")));
    assert_eq!(meta.attribute, Some("content"));
    let microdata = &data.microdata("name", &[])[..];
    assert_eq!(texts(microdata), [""; 0], "a thing without a type is not what the page is about");
}

#[test]
fn jsonld_paths() {
    let graph = r##"{"@context":"https://schema.org","@graph":[
        {"@type":"WebSite","@id":"#site","name":"Der Anzeiger"},
        {"@type":"WebPage","@id":"#page","name":"Seite","inLanguage":"de","isPartOf":{"@id":"#site"}},
        {"@type":["NewsArticle"],"headline":"Das &quot;Ergebnis&quot; <b>heute</b>","wordCount":321,
         "author":[{"@id":"#eva"},{"@type":"Person","name":"Karl Huber"},"Ute Frank","https://a.example/x","#jan"],
         "publisher":{"@type":"Organization","name":"Anzeiger GmbH","logo":{"@type":"ImageObject","url":"l.png"}},
         "keywords":["Wahl",{"@type":"DefinedTerm","name":"Stadt"}],
         "datePublished":{"@value":"2004-03-12"},
         "isPartOf":{"@id":"#page"},
         "comment":[{"@type":"Comment","author":{"@type":"Person","name":"Troll"}}]},
        {"@type":"Person","@id":"#eva","name":"Eva Meier"},
        {"@type":"Person","@id":"#jan","name":"Jan Pohl"},
        {"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","item":{"@id":"/p","name":"Politik"}}]}]}"##;
    #[rustfmt::skip]
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("headline",               &[],                &["Das \"Ergebnis\" heute"]),
        ("author.name",            &[],                &["Eva Meier", "Karl Huber", "Ute Frank", "Jan Pohl"]),
        ("author",                 &[],                &["Eva Meier", "Karl Huber", "Ute Frank", "https://a.example/x", "Jan Pohl"]),
        ("wordCount",              &[],                &["321"]),
        ("publisher.name",         &[],                &["Anzeiger GmbH"]),
        ("publisher.logo.url",     &[],                &["l.png"]),
        ("keywords",               &[],                &["Wahl", "Stadt"]),
        ("datePublished",          &[],                &["2004-03-12"]),
        ("isPartOf.isPartOf.name", &[],                &["Der Anzeiger"]),
        ("inLanguage",             &[],                &["de"]),
        ("@type",                  &[],                &["NewsArticle"]),
        ("headline",               &["Article"],       &["Das \"Ergebnis\" heute"]),
        ("headline",               &["Event"],         &[]),
        ("name",                   &["WebSite"],       &["Der Anzeiger"]),
        ("name",                   &["Person"],        &["Karl Huber", "Eva Meier", "Jan Pohl"]),
        ("name",                   &["Comment"],       &[]),
        ("itemListElement.item.name", &["BreadcrumbList"], &["Politik"]),
        ("missing.path",           &[],                &[]),
        ("",                       &[],                &[]),
    ];
    let data = in_script(graph);
    for (path, types, expected) in cases {
        let found = data.jsonld(path, types);
        let mut seen = texts(&found);
        let mut expected = expected.to_vec();
        if *path == "name" {
            seen.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!(seen, expected, "{path} {types:?}");
    }
    assert_eq!(texts(&data.jsonld_types()), ["NewsArticle"]);
}

#[test]
fn what_the_page_is_about() {
    let article = |name: &str| {
        format!(r#"{{"@type":"Article","headline":"{name}","url":"http://a.example/{name}"}}"#)
    };
    let page = r#"{"@type":"WebPage","headline":"page"}"#;
    let three = [article("eins"), article("zwei"), article("drei"), page.to_owned()].join(",");
    #[rustfmt::skip]
    let cases = [
        (format!("[{page},{}]", article("eins")),                                     "", vec!["eins"]),
        (format!("[{},{}]", article("eins"), article("zwei")),                        "", vec!["eins"]),
        (format!("[{},{}]", article("eins"), article("zwei")),                        "zwei", vec!["zwei"]),
        (format!("[{three}]"),                                                        "", vec!["page"]),
        (format!("[{three}]"),                                                        "drei", vec!["drei"]),
        (format!(r#"{{"@type":"WebPage","mainEntity":{}}}"#, article("eins")),        "", vec!["eins"]),
        (format!(r#"{{"@type":"ItemList","itemListElement":[{}]}}"#, article("eins")), "", vec![]),
        (r#"{"@type":"BreadcrumbList","headline":"x"}"#.to_owned(),                   "", vec![]),
        (r#"{"type":"Article","headline":"t"}"#.to_owned(),                           "", vec!["t"]),
        (r#"{"@type":"http://schema.org/Thesis","headline":"t"}"#.to_owned(),         "", vec!["t"]),
    ];
    for (json, canonical, expected) in cases {
        let html = format!(
            "<link rel=canonical href='https://a.example/{canonical}'>\
             <script type='application/ld+json; charset=utf-8'>{json}</script>"
        );
        assert_eq!(texts(&data(&html).jsonld("headline", &[])), expected, "{json} {canonical}");
    }
}

#[test]
fn broken_jsonld() {
    #[rustfmt::skip]
    let cases = [
        (r#"<!-- {"@type":"Article","headline":"x"} -->"#,                         "x"),
        ("//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"x\"}\n//]]>",         "x"),
        ("/* <![CDATA[ */ {\"@type\":\"Article\",\"headline\":\"x\"} /* ]]> */",   "x"),
        (r#"{"@type":"Article","headline":"x",}"#,                                 "x"),
        (r#"{"@type":"Article","headline":"x","keywords":["a",],};"#,              "x"),
        (r#"[{"@type":"Article","headline":"x"},]"#,                               "x"),
        ("{\"@type\":\"Article\",\"headline\":\"a\n\tb\"}",                        "a b"),
        (r#"{"@type":"Article","headline":"Er sagte "ja" dazu"}"#,                 "Er sagte \"ja\" dazu"),
        (r#"{"@type":"Article","headline":"Er sagte "nein", dann ging er"}"#,      "Er sagte \"nein\", dann ging er"),
        (r#"{"@type":"Article","headline":"it\'s"}"#,                              "it's"),
        (r#"{"@type":"Article","headline":"C:\dir"}"#,                             r"C:\dir"),
        (r#"{"@type":"Article" "headline":"x"}"#,                                  "x"),
        (r#"{"@type":"WebSite","name":"s"}{"@type":"Article","headline":"x"}"#,    "x"),
        ("{\"@type\":\"WebSite\"}\n{\"@type\":\"Article\",\"headline\":\"x\"}",    "x"),
        (r#"{"@type":"Article","headline":"x","author":{"name":"#,                 "x"),
        (r#"{"@type":"Article","headline":"x","body":"abge"#,                      "x"),
        (r#"{"@type":"Article", // Kommentar
            "headline":"x"}"#,                                                     "x"),
        (r#"{"@type":"Article","headline":"x","n":undefined}"#,                    "x"),
        (r#"{"@type":"Article","headline":"x"}}"#,                                 "x"),
        (r#"{"@type":"Article","headline":"x","a":[{"b":1}"#,                      "x"),
        (r#"{"@type":"Article","headline":"\u00fcber"}"#,                          "über"),
    ];
    for (script, expected) in cases {
        assert_eq!(texts(&in_script(script).jsonld("headline", &[])), [expected], "{script}");
    }
}

#[test]
fn references_in_circles_end() {
    let data = in_script(
        r##"[{"@type":"Article","@id":"#a","headline":"x","isPartOf":{"@id":"#b"}},
             {"@type":"WebPage","@id":"#b","isPartOf":[{"@id":"#a"},{"@id":"#b"}]}]"##,
    );
    let path = vec!["isPartOf"; 40].join(".") + ".headline";
    assert!(data.jsonld(&path, &[]).len() <= 1);
}

#[test]
fn microdata_values() {
    let html = r#"
        <link rel="canonical" href="http://a.example/1">
        <article itemscope itemtype="http://schema.org/BlogPosting" itemref="extra">
          <h1 itemprop="headline name">Das <b>Ergebnis</b></h1>
          <a itemprop="author" href="/eva">Eva Meier</a>
          <a itemprop="url" href="http://a.example/1">hier</a>
          <time itemprop="datePublished" datetime="2004-03-12">gestern</time>
          <time itemprop="dateModified">2005</time>
          <img itemprop="image" src="b.png">
          <meta itemprop="keywords" content="Wahl">
          <span itemprop="inLanguage" content="de">Deutsch</span>
          <div itemprop="publisher" itemscope itemtype="https://schema.org/Organization">
            <span itemprop="name">Anzeiger</span></div>
          <div itemprop="comment" itemscope itemtype="http://schema.org/Comment">
            <span itemprop="author">Troll</span><span itemprop="headline">Quatsch</span></div>
        </article>
        <p id="extra"><i itemprop="license">CC0</i></p>
        <div itemscope itemtype="http://schema.org/Person"><b itemprop="name">Karl</b></div>"#;
    #[rustfmt::skip]
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("headline",        &[],               &["Das Ergebnis"]),
        ("name",            &[],               &["Das Ergebnis"]),
        ("author",          &[],               &["Eva Meier"]),
        ("author.name",     &[],               &["Eva Meier"]),
        ("url",             &[],               &["http://a.example/1"]),
        ("datePublished",   &[],               &["2004-03-12"]),
        ("dateModified",    &[],               &["2005"]),
        ("image",           &[],               &["b.png"]),
        ("keywords",        &[],               &["Wahl"]),
        ("inLanguage",      &[],               &["de"]),
        ("publisher.name",  &[],               &["Anzeiger"]),
        ("license",         &[],               &["CC0"]),
        ("headline",        &["Article"],      &["Das Ergebnis"]),
        ("name",            &["Organization"], &["Anzeiger"]),
        ("name",            &["Person"],       &["Karl"]),
        ("headline",        &["Comment"],      &[]),
    ];
    let data = data(html);
    for (path, types, expected) in cases {
        assert_eq!(texts(&data.microdata(path, types)), *expected, "{path} {types:?}");
    }
    assert_eq!(texts(&data.microdata_types()), ["BlogPosting"]);
}

#[test]
fn rdfa_properties() {
    let html = r#"
        <html prefix="d: http://purl.org/dc/terms/ og: http://ogp.me/ns#" xmlns:f="http://xmlns.com/foaf/0.1/">
        <meta property="og:title" content="OG">
        <h1 property="d:title">Das Ergebnis</h1>
        <span property="dc:date dc:created" content="2004-03-12">gestern</span>
        <i property="http://purl.org/dc/elements/1.1/subject">Wahl</i>
        <div vocab="http://schema.org/" typeof="Article">
          <span property="headline">Kopf</span>
          <a property="url" href="/1">hier</a>
          <div property="author" typeof="Person">Frau <b property="name">Eva Meier</b>, Ulm</div>
        </div>
        <b property="f:name">Karl</b>
        <div typeof="sioc:Post sioct:Comment"><span property="dc:title">Quatsch</span></div>"#;
    #[rustfmt::skip]
    let cases: &[(&str, &[&str])] = &[
        ("dc:title",         &["Das Ergebnis"]),
        ("dcterms:title",    &["Das Ergebnis"]),
        ("dc:date",          &["2004-03-12"]),
        ("dc:created",       &["2004-03-12"]),
        ("dc:subject",       &["Wahl"]),
        ("og:title",         &["OG"]),
        ("schema:headline",  &["Kopf"]),
        ("schema:url",       &["/1"]),
        ("schema:author",    &["Eva Meier"]),
        ("schema:name",      &["Eva Meier"]),
        ("foaf:name",        &["Karl"]),
        ("dc:missing",       &[]),
    ];
    let data = data(html);
    for (property, expected) in cases {
        assert_eq!(texts(&data.rdfa(property)), *expected, "{property}");
    }
}

#[test]
fn coins_of_one_work() {
    let one = "<span class='x Z3988' title='ctx_ver=Z39.88-2004&amp;rft.atitle=%C3%9Cber+Nullstellen&amp;rft.au=Meier%2C+Eva&amp;rft.au=Karl+Huber'></span>";
    let other = one.replace("Nullstellen", "Pole");
    assert_eq!(texts(&data(one).coins("rft.atitle")), ["Über Nullstellen"]);
    assert_eq!(texts(&data(one).coins("RFT.AU")), ["Meier, Eva", "Karl Huber"]);
    assert_eq!(texts(&data(&format!("{one}{one}")).coins("rft.atitle")), ["Über Nullstellen"]);
    let list = data(&format!("{one}{other}"));
    assert_eq!((list.coins_count(), list.coins("rft.atitle").len()), (2, 0), "a list of works");
}

#[test]
fn hostile_nesting_ends_quickly() {
    let deep = "[".repeat(200_000) + &"}".repeat(200_000);
    assert!(in_script(&deep).jsonld("headline", &[]).is_empty());
    let scopes = "<div itemscope itemtype=Article itemprop=hasPart>x".repeat(5_000);
    assert!(data(&scopes).microdata("headline", &[]).is_empty());
    let many = r#"{"@type":"Article","headline":"x"},"#.repeat(30_000);
    assert!(
        in_script(&format!("[{many}]")).jsonld("headline", &["Article"]).len() <= MAX_FOUND_VALUES
    );
}

proptest! {
    // Whole pages are dear to read without optimisation.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_json_is_mended_without_panic(text in "[\\[\\]{}\":,a\\\\ /*;n1-]{0,60}|\\PC{0,80}") {
        in_script(&text).jsonld("a.b", &["Article"]);
    }

    #[test]
    fn correct_json_keeps_its_meaning(texts in prop::collection::vec("[a-zäöü \\\\/\"<>{},:\\[\\]]{0,20}", 0..6)) {
        let json = serde_json::json!({"a": texts.clone(), "b": {"c": [1, true, null]}});
        let mended = repair::repaired(&json.to_string());
        let read: Result<serde_json::Value, _> = serde_json::from_str(&mended);
        let ambiguous = texts.iter().any(|text| text.contains('"'));
        prop_assert!(ambiguous || read.is_ok_and(|read| read == json), "{}", mended);
    }

    #[test]
    fn any_page(html in "(<(div|span|meta|a|script)( itemscope| itemprop=a| property=b:c| typeof=d| itemref=x| id=x| class=Z3988| title=a=b| content=e)*>|\\PC{0,8}){0,30}") {
        let data = data(&html);
        data.microdata("a.name", &[]);
        data.rdfa("b:c");
        data.coins("a");
    }
}
