//! What holds for any expression and any page: nothing panics, everything ends within its budget,
//! paths lead back, and XML is well-formed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_markup::{
    Page, StepBudget, XPath, XPathFailure, XPathNode, XPathValue, parse, path_of, write_xml,
};
use proptest::prelude::*;
use quick_xml::XmlVersion;
use quick_xml::events::Event;
use std::collections::HashSet;

const STEPS: u64 = 20_000;

fn page_text() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let pieces = prop::sample::select(vec![
        "<p>", "</p>", "<div class='a b'>", "</div>", "<table><tr><td>", "</table>", "<ul><li>", "<b>", "</i>",
        "<i>", "<svg viewBox=1>", "<title>", "</title>", "</svg>", "<foreignObject>", "<math><mi>",
        "<a href=x xlink:href=y>", "<!--c-->", "<!---->", "<!-- a--b--- -->", "<!doctype html>", "text", " ä ",
        "&#13;\n", "&amp;&lt;&#1;\u{c}", "12", "<o:p x:y=z>", "<svg:svg>", "<svg><svg:svg>",
        "<p =a \"b'=c ä=1 xml:lang=de xmlns=x xmlns:a=b 1=2 _x=3>", "<a<b>", "<template>", "<html lang=de>",
        "<body id=x>", "<frameset>", "<select><option>", "<br/>", "<script>", "</script>", "<h1>", "<plaintext>",
        "<desc>", "\u{fffe}\u{1}",
    ]);
    let piece = prop_oneof![8 => pieces.prop_map(str::to_owned), 1 => "\\PC{0,6}", 1 => "<[a-z:\"'=. ]{1,9}>"];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Expressions by their grammar.
fn expression() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let leaf = prop::sample::select(vec![
        "1", "0", "2.5", "'a'", "''", "'12'", ".", "..", "/", "@*", "//*", "*", "node()", "text()", "//@class",
        "p", "$v", "$n", "position()", "last()", "true()", "string()", "name()", "//comment()", "self::node()",
        "svg:*", "o:p",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 3, |inner| {
        #[rustfmt::skip]
        let operator = prop::sample::select(vec![
            "+", "-", "*", " div ", " mod ", "=", "!=", "<", "<=", ">", ">=", " and ", " or ", "|", "/", "//",
        ]);
        #[rustfmt::skip]
        let axis = prop::sample::select(vec![
            "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following",
            "following-sibling", "namespace", "parent", "preceding", "preceding-sibling", "self",
        ]);
        #[rustfmt::skip]
        let function = prop::sample::select(vec![
            "count", "sum", "string", "number", "boolean", "not", "id", "lang", "floor", "round", "ceiling",
            "name", "local-name", "namespace-uri", "string-length", "normalize-space", "lower-case", "upper-case",
        ]);
        #[rustfmt::skip]
        let function_of_two = prop::sample::select(vec![
            "concat", "contains", "starts-with", "ends-with", "substring", "substring-before", "substring-after",
            "matches",
        ]);
        prop_oneof![
            (inner.clone(), operator, inner.clone()).prop_map(|(a, o, b)| format!("{a}{o}{b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}[{b}]")),
            (inner.clone(), axis, inner.clone())
                .prop_map(|(a, x, b)| format!("{a}/{x}::node()[{b}]")),
            (function, inner.clone()).prop_map(|(f, a)| format!("{f}({a})")),
            (function_of_two, inner.clone(), inner.clone())
                .prop_map(|(f, a, b)| format!("{f}({a},{b})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("translate({a},{b},{c})")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.prop_map(|a| format!("-{a}")),
        ]
    })
}

fn evaluate(xpath: &XPath, page: &Page) -> (Result<XPathValue, XPathFailure>, u64) {
    let mut budget = StepBudget::new(STEPS);
    let variable = |name: &str| {
        Some(match name {
            "v" => XPathValue::Text("a".to_owned()),
            _ => XPathValue::Nodes(vec![XPathNode::DOCUMENT]),
        })
    };
    let value = xpath.evaluate(page.tree(), XPathNode::DOCUMENT, &variable, &mut budget);
    (value, budget.left())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_an_expression_or_an_error(source in "\\PC{0,40}") {
        if let Err(error) = XPath::parse(&source) {
            prop_assert!(source.is_char_boundary(error.offset));
            prop_assert!(!error.expected.is_empty());
        }
    }

    #[test]
    fn any_signs_are_an_expression_or_an_error(source in "[a/@.*:()\\[\\]|+=<>!\"'$,1 -]{0,24}") {
        if let Ok(xpath) = XPath::parse(&source) {
            let _ = evaluate(&xpath, &parse(b"<p>1<a>2", None));
        }
    }

    #[test]
    fn any_expression_ends(source in expression(), html in page_text()) {
        let Ok(xpath) = XPath::parse(&source) else { return Ok(()) };
        let page = parse(html.as_bytes(), None);
        let (value, left) = evaluate(&xpath, &page);
        match &value {
            Ok(XPathValue::Nodes(nodes)) => {
                prop_assert!(nodes.is_sorted_by(|a, b| a < b), "{source}");
            }
            Err(failure) => {
                prop_assert_eq!(*failure == XPathFailure::Budget, left == 0);
            }
            Ok(_) => {}
        }
        // NaN is not equal to itself.
        prop_assert_eq!(format!("{value:?}"), format!("{:?}", evaluate(&xpath, &page).0));
    }

    #[test]
    fn paths_lead_back(html in page_text()) {
        let page = parse(html.as_bytes(), None);
        let tree = page.tree();
        let everything = XPath::parse("/ | //node() | //@*").unwrap();
        let (value, _) = evaluate(&everything, &page);
        for node in value.unwrap().nodes() {
            let path = path_of(tree, *node);
            let xpath = XPath::parse(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            let (found, _) = evaluate(&xpath, &page);
            prop_assert_eq!(found, Ok(XPathValue::Nodes(vec![*node])), "{}", path);
        }
    }

    #[test]
    fn texts_are_joined_and_not_empty(html in page_text()) {
        let page = parse(html.as_bytes(), None);
        for source in ["//text()/following-sibling::node()[1][self::text()]", "//text()[. = '']"] {
            let (value, _) = evaluate(&XPath::parse(source).unwrap(), &page);
            prop_assert_eq!(value, Ok(XPathValue::Nodes(Vec::new())), "{}", source);
        }
    }

    /// A step in one pass finds what two steps find.
    #[test]
    fn short_forms_mean_the_same(html in page_text()) {
        let page = parse(html.as_bytes(), None);
        for (short, long) in [
            ("//p", "/descendant-or-self::node()[true()]/child::p"),
            ("//*[@class]", "/descendant-or-self::node()[true()]/*[@class]"),
            ("//@*", "/descendant-or-self::node()[true()]/@*"),
            ("//p//b", "//p/descendant-or-self::node()[true()]/b"),
            ("//*/following::*", "//*/following::*[position() > 0]"),
            ("//*/preceding::*", "//*/preceding::*[position() > 0]"),
            ("//node()/ancestor::*", "//node()/ancestor::*[position() > 0]"),
            ("//*/descendant::node()", "//*/descendant::node()[position() > 0]"),
            ("//node()/following-sibling::*", "//node()/following-sibling::*[position() > 0]"),
            ("//@*/following::*", "//@*/following::*[position() > 0]"),
            ("//@*/ancestor-or-self::node()", "//@*/ancestor-or-self::node()[position() > 0]"),
            ("(//*)[3]", "(//*)[position() = 3 and last() > 0]"),
            ("//p[2]", "//p[position() = 2 and last() > 0]"),
            ("//p[2]", "/descendant-or-self::node()[true()]/p[2]"),
            ("//div//p[last()]", "//div/descendant-or-self::node()[true()]/p[last()]"),
            ("//*[last()]", "//*[position() = last() and true()]"),
        ] {
            let [short_value, long_value] = [short, long].map(|source| {
                let mut budget = StepBudget::default();
                let xpath = XPath::parse(source).unwrap();
                xpath.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget).unwrap()
            });
            prop_assert_eq!(short_value, long_value, "{}", short);
        }
    }

    #[test]
    fn xml_of_pages_is_well_formed(html in page_text()) {
        check_xml(&parse(html.as_bytes(), Some("utf-8")));
    }

    #[test]
    fn xml_of_any_bytes_is_well_formed(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_xml(&parse(&bytes, None));
    }

    #[test]
    fn xml_of_any_tag_is_well_formed(name in "[^>\\s]{0,8}", attribute in "[^>\\s]{0,8}", value in "[^\"]{0,8}") {
        let html = format!("<a{name} {attribute}=\"{value}\" {attribute}x><svg {attribute}='{name}'><b{name}>");
        check_xml(&parse(html.as_bytes(), Some("utf-8")));
    }
}

/// Reads the XML with a parser of others, and checks by hand what that leaves to its users.
fn check_xml(page: &Page) {
    let mut xml = Vec::new();
    write_xml(page.tree(), &mut xml).unwrap();
    let xml = String::from_utf8(xml).unwrap();
    let is_char = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(is_char), "{xml}");
    let mut reader = quick_xml::Reader::from_str(&xml);
    reader.config_mut().check_comments = true;
    let (mut depth, mut roots) = (0, 0);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {xml}")) {
            Event::Start(start) => {
                roots += usize::from(depth == 0);
                depth += 1;
                check_tag(&start, &xml);
            }
            Event::Empty(start) => {
                roots += usize::from(depth == 0);
                check_tag(&start, &xml);
            }
            Event::End(_) => depth -= 1,
            Event::Text(text) => {
                assert!(depth > 0 || text.trim_ascii().is_empty(), "{xml}");
            }
            Event::GeneralRef(_) => assert!(depth > 0, "{xml}"),
            Event::Eof => break,
            Event::Decl(_) | Event::Comment(_) => {}
            other => panic!("{other:?}: {xml}"),
        }
    }
    assert_eq!((depth, roots), (0, 1), "{xml}");
}

fn check_tag(start: &quick_xml::events::BytesStart, xml: &str) {
    check_name(start.name().as_ref(), xml);
    let mut names = HashSet::new();
    for attribute in start.attributes().with_checks(true) {
        let attribute = attribute.unwrap_or_else(|error| panic!("{error}: {xml}"));
        assert!(names.insert(attribute.key.as_ref().to_owned()), "{xml}");
        check_name(attribute.key.as_ref(), xml);
        attribute.normalized_value(XmlVersion::Explicit1_0).unwrap();
        assert!(!attribute.value.contains('<'), "{xml}");
    }
}

fn check_name(name: &str, xml: &str) {
    let local = match name.split_once(':') {
        Some(("svg" | "math" | "xlink" | "xml" | "xmlns", local)) => local,
        Some(_) => panic!("{name}: {xml}"),
        None => name,
    };
    let forbidden = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !"_-.".contains(c);
    assert!(!local.is_empty() && !local.contains(forbidden), "{name}: {xml}");
    assert!(!local.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c)), "{name}: {xml}");
}
