//! XPath through the door: every axis, operator and function, in tables.

use auslese_markup::{
    MAX_XPATH_DEPTH, MAX_XPATH_LENGTH, MAX_XPATH_STEPS, NodeId, Page, StepBudget, XPath,
    XPathFailure, XPathNode, XPathValue, parse, path_of,
};

const PAGE: &str = "<!doctype html><html lang=de><!--c1--><head><title>Der Titel</title>\
    <meta name=DC.Title content='Über Äpfel'><meta name=keywords content='a, b'></head>\
    <body><div id=one class='a b'><h1>Eins</h1><p>Text <b>fett</b> Ende</p><p lang=en-GB>two</p></div>\
    <div id=two><ul><li>1<li>2<li>3</ul><!--c2--><p>drei</p></div>\
    <svg viewBox='0 0 1 1'><title>Bild</title><a xlink:href='#x'/></svg>\
    <table><tr><td>10<td>20<tr><td>x<td>2.5</table></body></html>";

fn page() -> Page {
    parse(PAGE.as_bytes(), Some("utf-8"))
}

fn evaluate(page: &Page, source: &str) -> Result<XPathValue, XPathFailure> {
    let xpath = XPath::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let mut budget = StepBudget::new(MAX_XPATH_STEPS);
    xpath.evaluate(page.tree(), XPathNode::DOCUMENT, &variable, &mut budget)
}

fn variable(name: &str) -> Option<XPathValue> {
    match name {
        "two" => Some(XPathValue::Number(2.0)),
        "text" => Some(XPathValue::Text("drei".to_owned())),
        "yes" => Some(XPathValue::Truth(true)),
        "root" => Some(XPathValue::Nodes(vec![XPathNode::DOCUMENT])),
        _ => None,
    }
}

/// Node sets as their paths with commas, anything else as `string()` has it.
fn shown(page: &Page, source: &str) -> String {
    match evaluate(page, source).unwrap_or_else(|error| panic!("{source}: {error}")) {
        XPathValue::Nodes(nodes) => {
            let paths: Vec<String> = nodes.iter().map(|node| path_of(page.tree(), *node)).collect();
            paths.join(" ")
        }
        other => other.string(page.tree()).into_owned(),
    }
}

fn check(cases: &[(&str, &str)]) {
    let page = page();
    for (source, expected) in cases {
        assert_eq!(shown(&page, source), *expected, "{source}");
    }
}

#[test]
fn attributes_of_any_element() {
    #[rustfmt::skip]
    check(&[
        ("//*[@class = 'a b' or @id = 'two' or @lang = 'de']", "/html /html/body/div[1] /html/body/div[2]"),
        ("//*[@id = 'one' or @class = 'a b']",                 "/html/body/div[1]"),
        ("//*[@id or contains(@content, 'pfel')]/@*[1]",       "/html/head/meta[1]/@name /html/body/div[1]/@id /html/body/div[2]/@id"),
        ("(//*[@lang = 'en-GB' or @id])[1]",                   "/html/body/div[1]"),
        ("count(//*[@viewBox or @id])",                        "3"),
        ("//*[@id = 'three' or @nothing]",                     ""),
    ]);
}

#[test]
fn axes() {
    #[rustfmt::skip]
    check(&[
        ("/",                                   "/"),
        ("/*",                                  "/html"),
        ("/html/child::*",                      "/html/head /html/body"),
        ("/node()",                             "/html"),
        ("/html/comment()",                     "/html/comment()"),
        ("//h1",                                "/html/body/div[1]/h1"),
        ("//h1/ancestor::*",                    "/html /html/body /html/body/div[1]"),
        ("//h1/ancestor::node()",               "/ /html /html/body /html/body/div[1]"),
        ("//h1/ancestor-or-self::*[1]",         "/html/body/div[1]/h1"),
        ("//h1/ancestor::*[1]",                 "/html/body/div[1]"),
        ("//h1/ancestor::*[last()]",            "/html"),
        ("//b/parent::p",                       "/html/body/div[1]/p[1]"),
        ("//b/..",                              "/html/body/div[1]/p[1]"),
        ("//b/parent::div",                     ""),
        ("//li[2]/following-sibling::*",        "/html/body/div[2]/ul/li[3]"),
        ("//li[2]/preceding-sibling::li",       "/html/body/div[2]/ul/li[1]"),
        ("//li[3]/preceding-sibling::li[1]",    "/html/body/div[2]/ul/li[2]"),
        ("//li[3]/preceding-sibling::li[last()]", "/html/body/div[2]/ul/li[1]"),
        ("//h1/following::p",                   "/html/body/div[1]/p[1] /html/body/div[1]/p[2] /html/body/div[2]/p"),
        ("//li[1]/preceding::p[1]",             "/html/body/div[1]/p[2]"),
        ("//li[1]/preceding::*[last()]",        "/html/head"),
        ("//ul/preceding::div",                 "/html/body/div[1]"),
        ("//ul/descendant::text()",             "/html/body/div[2]/ul/li[1]/text() /html/body/div[2]/ul/li[2]/text() /html/body/div[2]/ul/li[3]/text()"),
        ("//ul/descendant-or-self::*[1]",       "/html/body/div[2]/ul"),
        ("//div/self::div[@id='two']",          "/html/body/div[2]"),
        ("//div/@id",                           "/html/body/div[1]/@id /html/body/div[2]/@id"),
        ("//@id/..",                            "/html/body/div[1] /html/body/div[2]"),
        ("//div[1]/attribute::*",               "/html/body/div[1]/@id /html/body/div[1]/@class"),
        ("//@id/self::id",                      ""),
        ("//@id/self::node()",                  "/html/body/div[1]/@id /html/body/div[2]/@id"),
        ("//@id/child::node() | //@id/descendant::node() | //@id/following-sibling::node()", ""),
        ("/html/body/div[2]/@id/following::li[1]", "/html/body/div[2]/ul/li[1]"),
        ("/html/body/div[2]/@id/preceding::p[1]",  "/html/body/div[1]/p[2]"),
        ("//div[1]/@id/ancestor-or-self::node()",  "/ /html /html/body /html/body/div[1] /html/body/div[1]/@id"),
        ("//h1/namespace::*",                   ""),
        ("//processing-instruction()",          ""),
        ("//processing-instruction('x')",       ""),
        ("//comment()",                         "/html/comment() /html/body/div[2]/comment()"),
        ("//tr[1]/td[last()]/text()",           "/html/body/table/tbody/tr[1]/td[2]/text()"),
    ]);
}

#[test]
fn predicates_and_paths() {
    #[rustfmt::skip]
    check(&[
        ("//p[1]",                              "/html/body/div[1]/p[1] /html/body/div[2]/p"),
        ("(//p)[1]",                            "/html/body/div[1]/p[1]"),
        ("(//p)[last()]",                       "/html/body/div[2]/p"),
        ("//p[2][1]",                           "/html/body/div[1]/p[2]"),
        ("//p[@lang][1]",                       "/html/body/div[1]/p[2]"),
        ("//p[1][@lang]",                       ""),
        ("//li[position()<3]",                  "/html/body/div[2]/ul/li[1] /html/body/div[2]/ul/li[2]"),
        ("//li[position()<=1]",                 "/html/body/div[2]/ul/li[1]"),
        ("//li[2>position()]",                  "/html/body/div[2]/ul/li[1]"),
        ("//li[position()>1]",                  "/html/body/div[2]/ul/li[2] /html/body/div[2]/ul/li[3]"),
        ("//li[position()=last()]",             "/html/body/div[2]/ul/li[3]"),
        ("//li[position()=last()-1]",           "/html/body/div[2]/ul/li[2]"),
        ("//li[last()-1]",                      "/html/body/div[2]/ul/li[2]"),
        ("//li[position() mod 2 = 1]",          "/html/body/div[2]/ul/li[1] /html/body/div[2]/ul/li[3]"),
        ("//li[$two]",                          "/html/body/div[2]/ul/li[2]"),
        ("//li[$yes][1]",                       "/html/body/div[2]/ul/li[1]"),
        ("//li[0]",                             ""),
        ("//li[1.5]",                           ""),
        ("//li['']",                            ""),
        ("//li['x'][2]",                        "/html/body/div[2]/ul/li[2]"),
        ("//li[.='2']",                         "/html/body/div[2]/ul/li[2]"),
        ("//li[.=2]",                           "/html/body/div[2]/ul/li[2]"),
        ("//p[.=$text]",                        "/html/body/div[2]/p"),
        ("//div[p][h1]",                        "/html/body/div[1]"),
        ("//div[not(h1)]",                      "/html/body/div[2]"),
        ("//div[.//li]",                        "/html/body/div[2]"),
        ("//div[ul/li[3]]",                     "/html/body/div[2]"),
        ("//*[@class]",                         "/html/body/div[1]"),
        ("//*[@lang='de' or @id='two']",        "/html /html/body/div[2]"),
        ("$root//h1",                           "/html/body/div[1]/h1"),
        ("($root | //h1)/descendant::b",        "/html/body/div[1]/p[1]/b"),
        ("(//ul | //h1)[1]",                    "/html/body/div[1]/h1"),
        ("//li | //li[1] | //h1",               "/html/body/div[1]/h1 /html/body/div[2]/ul/li[1] /html/body/div[2]/ul/li[2] /html/body/div[2]/ul/li[3]"),
        ("id('two')/p",                         "/html/body/div[2]/p"),
        ("id('two one none')",                  "/html/body/div[1] /html/body/div[2]"),
        ("id(//div/@id)",                       "/html/body/div[1] /html/body/div[2]"),
        ("id('one')//b/text()",                 "/html/body/div[1]/p[1]/b/text()"),
        ("//div//p//text()[1]",                 "/html/body/div[1]/p[1]/text()[1] /html/body/div[1]/p[1]/b/text() /html/body/div[1]/p[2]/text() /html/body/div[2]/p/text()"),
        (".//h1/.",                             "/html/body/div[1]/h1"),
        ("./html/./head/title",                 "/html/head/title"),
        ("//text()[contains(., 'Ende')]/..",    "/html/body/div[1]/p[1]"),
        ("//*[self::h1 or self::h2]",           "/html/body/div[1]/h1"),
        ("//*[name()='h1']",                    "/html/body/div[1]/h1"),
        ("//p[preceding-sibling::*[1][self::h1]]", "/html/body/div[1]/p[1]"),
    ]);
}

#[test]
fn names() {
    #[rustfmt::skip]
    check(&[
        ("//title",             "/html/head/title"),
        ("//TITLE",             "/html/head/title"),
        ("//html:title",        "/html/head/title"),
        ("//svg:title",         "/html/body/svg:svg/svg:title"),
        ("//svg:*/@*",          "/html/body/svg:svg/@viewBox /html/body/svg:svg/svg:a/@xlink:href"),
        ("//@viewbox",          "/html/body/svg:svg/@viewBox"),
        ("//@VIEWBOX",          "/html/body/svg:svg/@viewBox"),
        ("//@xlink:href",       "/html/body/svg:svg/svg:a/@xlink:href"),
        ("//@xlink:*",          "/html/body/svg:svg/svg:a/@xlink:href"),
        ("//@href",             ""),
        ("//svg",               ""),
        ("//META/@CONTENT",     "/html/head/meta[1]/@content /html/head/meta[2]/@content"),
        ("name(//svg:title)",   "svg:title"),
        ("local-name(//svg:title)",     "title"),
        ("namespace-uri(//svg:title)",  "http://www.w3.org/2000/svg"),
        ("namespace-uri(//h1)",         ""),
        ("name(//@xlink:href)",         "xlink:href"),
        ("local-name(//@xlink:href)",   "href"),
        ("name(/)",                     ""),
        ("name(//text())",              ""),
        ("local-name(//h1)",            "h1"),
        ("name(//none)",                ""),
    ]);
}

#[test]
fn written_prefixes() {
    let html = "<html xmlns='x' xmlns:o='y' xml:lang=fr><body><o:p v:a=1>x</o:p><p>";
    let page = parse(html.as_bytes(), None);
    #[rustfmt::skip]
    let cases = [
        ("//o:p",           "/html/body/o:p"),
        ("//o:*",           "/html/body/o:p"),
        ("//@v:a",          "/html/body/o:p/@v:a"),
        ("//@xml:lang",     "/html/@xml:lang"),
        ("//@xml:*",        "/html/@xml:lang"),
        ("/html/@*",        "/html/@xml:lang"),
        ("name(/*/@*)",     "xml:lang"),
        ("local-name(/*/@*)", "lang"),
        ("namespace-uri(/*/@*)", "http://www.w3.org/XML/1998/namespace"),
        ("//p[lang('fr')]", "/html/body/p"),
    ];
    for (source, expected) in cases {
        assert_eq!(shown(&page, source), expected, "{source}");
    }
}

#[test]
fn operators() {
    #[rustfmt::skip]
    check(&[
        ("1 + 2 * 3",                "7"),
        ("(1 + 2) * 3",              "9"),
        ("10 - 3 - 2",               "5"),
        ("7 div 2",                  "3.5"),
        ("5 mod 2",                  "1"),
        ("5 mod -2",                 "1"),
        ("-5 mod 2",                 "-1"),
        ("1.5 mod 0.5",              "0"),
        ("1 div 0",                  "Infinity"),
        ("-1 div 0",                 "-Infinity"),
        ("0 div 0",                  "NaN"),
        ("--3",                      "3"),
        ("--'3'",                    "3"),
        ("-'x'",                     "NaN"),
        ("- - -3",                   "-3"),
        ("2 - -2",                   "4"),
        ("1 = 1 and 2 > 1",          "true"),
        ("1 or x",                   "true"),
        ("true() = 1 = 1",           "true"),
        ("3 > 2 > 1",                "false"),
        ("1 < 2 = true()",           "true"),
        ("'a' = 'a'",                "true"),
        ("'a' != 'b'",               "true"),
        ("'1' = 1.0",                "true"),
        ("'a' < 'b'",                "false"),
        ("'1' < '2'",                "true"),
        ("true() > false()",         "true"),
        ("//li = 2",                 "true"),
        ("//li != 2",                "true"),
        ("//li = '4'",               "false"),
        ("//li > 2",                 "true"),
        ("2 < //li",                 "true"),
        ("//li > 3",                 "false"),
        ("//none = //none",          "false"),
        ("//none != //none",         "false"),
        ("//none = ''",              "false"),
        ("//none = false()",         "true"),
        ("//li = true()",            "true"),
        ("//li < true()",            "false"),
        ("//li = //td",              "false"),
        ("//li != //li",             "true"),
        ("//h1 != //h1",             "false"),
        ("//li < //td",              "true"),
        ("//li > //td",              "true"),
        ("//td >= //td",             "true"),
        ("//li[1] >= //li[3]",       "false"),
        ("//h1 < //li",              "false"),
        ("//li * 2",                 "2"),
        ("* * 2",                    "NaN"),
        ("//li[1]*3",                "3"),
        ("$two*$two",                "4"),
        ("//div[@id='one']/p - 1",   "NaN"),
        ("count(//li)-1",            "2"),
        ("//div/@id = 'two'",        "true"),
        ("$text = //p",              "true"),
        ("$root = 'x'",              "false"),
        ("$yes = //none",            "false"),
    ]);
}

#[test]
fn functions() {
    #[rustfmt::skip]
    check(&[
        ("string(//title)",                     "Der Titel"),
        ("string(//p)",                         "Text fett Ende"),
        ("string(//none)",                      ""),
        ("string(1.50)",                        "1.5"),
        ("string(1 div 3)",                     "0.3333333333333333"),
        ("string(100000000000000000000000)",    "100000000000000000000000"),
        ("string(-0)",                          "0"),
        ("string(true())",                      "true"),
        ("string()",                            "Der TitelEinsText fett Endetwo123dreiBild1020x2.5"),
        ("concat('a', 1, true(), //h1)",        "a1trueEins"),
        ("starts-with(//title, 'Der')",         "true"),
        ("starts-with('a', '')",                "true"),
        ("starts-with('', 'a')",                "false"),
        ("contains(//title, 'Tit')",            "true"),
        ("contains('a', 'A')",                  "false"),
        ("substring-before('1999/04/01', '/')", "1999"),
        ("substring-after('1999/04/01', '/')",  "04/01"),
        ("substring-after('1999/04/01', '19')", "99/04/01"),
        ("substring-before('a', 'x')",          ""),
        ("substring-after('abc', '')",          "abc"),
        ("substring-before('abc', '')",         ""),
        ("substring('12345', 2, 3)",            "234"),
        ("substring('12345', 1.5, 2.6)",        "234"),
        ("substring('12345', 0 div 0, 3)",      ""),
        ("substring('12345', -42, 1 div 0)",    "12345"),
        ("substring(//h1, 2)",                  "ins"),
        ("string-length('Äpfel')",              "5"),
        ("string-length(//meta/@content)",      "10"),
        ("string-length()",                     "49"),
        ("normalize-space('  a \n b  ')",       "a b"),
        ("normalize-space(//p)",                "Text fett Ende"),
        ("translate('bar','abc','ABC')",        "BAr"),
        ("translate('--aaa--','abc-','ABC')",   "AAA"),
        ("boolean(0)",                          "false"),
        ("boolean(-0.5)",                       "true"),
        ("boolean(0 div 0)",                    "false"),
        ("boolean('false')",                    "true"),
        ("boolean('')",                         "false"),
        ("boolean(//h1)",                       "true"),
        ("boolean(//h7)",                       "false"),
        ("not(//h7)",                           "true"),
        ("true()",                              "true"),
        ("false()",                             "false"),
        ("number('  12.50 ')",                  "12.5"),
        ("number('1e3')",                       "NaN"),
        ("number(true())",                      "1"),
        ("number(//td)",                        "10"),
        ("number()",                            "NaN"),
        ("number('')",                          "NaN"),
        ("sum(//tr[1]/td)",                     "30"),
        ("sum(//td)",                           "NaN"),
        ("sum(//none)",                         "0"),
        ("floor(2.6)",                          "2"),
        ("floor(-2.5)",                         "-3"),
        ("ceiling(2.2)",                        "3"),
        ("ceiling(-2.5)",                       "-2"),
        ("round(2.5)",                          "3"),
        ("round(-2.5)",                         "-2"),
        ("round(1 div -3)",                     "0"),
        ("1 div round(-0.2)",                   "-Infinity"),
        ("count(//li)",                         "3"),
        ("count(//li | //li)",                  "3"),
        ("last()",                              "1"),
        ("position()",                          "1"),
        ("count(//p[lang('en')])",              "1"),
        ("count(//p[lang('EN-gb')])",           "1"),
        ("count(//p[lang('de')])",              "2"),
        ("count(//p[lang('d')])",               "0"),
        ("lower-case('ÄÖ')",                    "äö"),
        ("upper-case('straße')",                "STRASSE"),
        ("lower-case(//h1)",                    "eins"),
        ("ends-with(//title, 'Titel')",         "true"),
        ("matches('Stand: 12.3.2004', '\\d+\\.\\d+\\.\\d{4}')", "true"),
        ("count(//*[matches(name(), '^h[1-6]$')])", "1"),
        ("matches('ABC', concat('(?i)', 'b'))", "true"),
        ("count(//li[matches(., string(//li[2]))])", "1"),
    ]);
}

#[test]
fn errors() {
    #[rustfmt::skip]
    let cases = [
        ("",                 0,  "expected an expression, found the end"),
        ("//h1 foo",         5,  "expected an operator or the end of the expression, found `foo`"),
        ("//",               2,  "expected a name, `*`, or a node type such as `text()`, found the end"),
        ("//h1[",            5,  "expected an expression, found the end"),
        ("//h1[1",           6,  "expected an operator or `]`, found the end"),
        ("(1",               2,  "expected an operator or `)`, found the end"),
        ("foo()",            0,  "there is no function `foo()`"),
        ("x:foo()",          0,  "there is no function `x:foo()`"),
        ("foo::x",           0,  "there is no axis `foo`"),
        ("count()",          0,  "count() takes one argument, here are 0"),
        ("concat('a')",      0,  "concat() takes at least 2 arguments, here are 1"),
        ("substring('a')",   0,  "substring() takes 2 or 3 arguments, here are 1"),
        ("count(1)",         0,  "count() takes a node set"),
        ("'a'/b",            0,  "a path can start from a node set only"),
        ("'a'[1]",           0,  "only a node set can be followed by `[`"),
        ("a | 1",            0,  "`|` joins node sets only"),
        ("'abc",             0,  "the text that begins here has no closing '"),
        ("//a[#]",           4,  "the character `#` has no meaning here"),
        ("$",                1,  "expected the name of a variable"),
        ("//ä[ö] ü",         9,  "expected an operator or the end of the expression, found `ü`"),
        ("a[1]b",            4,  "expected an operator or the end of the expression, found `b`"),
        ("text(1)",          5,  "expected `)`, found `1`"),
        ("1 +",              3,  "expected an expression, found the end"),
        ("concat('a' 'b')",  11, "expected an operator, `,` or `)`, found `'b'`"),
        ("/html/1",          6,  "expected a name, `*`, or a node type such as `text()`, found `1`"),
    ];
    for (source, offset, expected) in cases {
        let error = XPath::parse(source).expect_err(source);
        assert_eq!((error.offset, error.to_string().as_str()), (offset, expected), "{source}");
    }
    let error = XPath::parse("matches(a, '(')").unwrap_err();
    assert!(error.expected.contains("does not compile"), "{error}");
}

#[test]
fn limits_of_expressions() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(XPath::parse(&nested(MAX_XPATH_DEPTH - 1)).is_ok());
    assert!(XPath::parse(&nested(MAX_XPATH_DEPTH)).is_err());
    assert!(XPath::parse(&"(".repeat(MAX_XPATH_LENGTH)).is_err());
    assert!(XPath::parse(&"a".repeat(MAX_XPATH_LENGTH + 1)).is_err());
    assert!(XPath::parse(&format!("1{}", "=1".repeat(8000))).is_err());
    // Long is not deep.
    let page = page();
    for (source, expected) in [
        (format!("1{}", "+1".repeat(8000)), "8001"),
        (format!("{}1", "-".repeat(16_000)), "1"),
        (format!("count(/{})", "|/".repeat(8000)), "1"),
        (format!("1{}", " or 1".repeat(3000)), "true"),
        (format!("count(/html{})", "[1]".repeat(5000)), "1"),
        (format!("count(/html{})", "/.".repeat(8000)), "1"),
    ] {
        assert_eq!(shown(&page, &source), expected, "{source:.20}");
    }
    let deepest = "a[".repeat(MAX_XPATH_DEPTH - 1) + "a" + &"]".repeat(MAX_XPATH_DEPTH - 1);
    assert_eq!(shown(&page, &format!("//{deepest}")), "");
    let chain = "count(*[".repeat(31) + "1" + &"])".repeat(31);
    shown(&page, &chain);
}

#[test]
fn failures() {
    let page = page();
    #[rustfmt::skip]
    let cases = [
        ("$none",           XPathFailure::UnknownVariable("none".to_owned())),
        ("1 or $none",      XPathFailure::UnknownVariable("none".to_owned())),
        ("$two/a",          XPathFailure::NotNodes("this place of a variable".to_owned())),
        ("count($text)",    XPathFailure::NotNodes("this place of a variable".to_owned())),
    ];
    for (source, expected) in cases {
        assert_eq!(evaluate(&page, source), Err(expected), "{source}");
    }
    let failure = evaluate(&page, "matches('a', concat('(', ''))").unwrap_err();
    assert!(matches!(failure, XPathFailure::Pattern(_)), "{failure}");
}

#[test]
fn nodes_of_other_trees_are_refused() {
    let (small, large) = (parse(b"", None), page());
    let last = XPathNode::Node(large.tree().ids().last().unwrap());
    let xpath = XPath::parse("$x").unwrap();
    let mut budget = StepBudget::default();
    let given = |_: &str| Some(XPathValue::Nodes(vec![last]));
    let result = xpath.evaluate(small.tree(), XPathNode::DOCUMENT, &given, &mut budget);
    assert_eq!(result, Err(XPathFailure::ForeignNode));
    let result = xpath.evaluate(small.tree(), last, &given, &mut budget);
    assert_eq!(result, Err(XPathFailure::ForeignNode));
    let no_attribute = XPathNode::Attribute { element: NodeId::DOCUMENT, index: 0 };
    let result = xpath.evaluate(small.tree(), no_attribute, &given, &mut budget);
    assert_eq!(result, Err(XPathFailure::ForeignNode));
}

/// A page so wide that anything but linear time would run out of steps.
#[test]
fn linear_time() {
    let html = format!("<p>{}", "<b class=x id=y><i>a</i></b>".repeat(20_000));
    let page = parse(html.as_bytes(), None);
    #[rustfmt::skip]
    let cases = [
        ("count(//b)",                                      "20000"),
        ("count(//*//node()//i)",                           "20000"),
        ("count(//i/ancestor::*)",                          "20003"),
        ("count(//b/following-sibling::b)",                 "19999"),
        ("count(//b/preceding-sibling::b)",                 "19999"),
        ("count(//i/following::i)",                         "19999"),
        ("count(//i/preceding::i)",                         "19999"),
        ("count(//b[following-sibling::b])",                "19999"),
        ("count(//b[preceding::i])",                        "19999"),
        ("count(//b[1] | //b[2])",                          "2"),
        ("count(//b[position() < 3])",                      "2"),
        ("count((//b)[last()])",                            "1"),
        ("count(//b[//none])",                              "0"),
        ("count(//b[@id = /html/@class])",                  "0"),
        ("//b != //i",                                      "false"),
        ("//b/@class = //b/@id",                            "false"),
    ];
    for (source, expected) in cases {
        let xpath = XPath::parse(source).unwrap();
        let mut budget = StepBudget::new(1_000_000);
        let value = xpath.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
        let value = value.unwrap_or_else(|failure| panic!("{source}: {failure}"));
        assert_eq!(value.string(page.tree()), expected, "{source}");
    }
    let quadratic = XPath::parse("//b[count(preceding::*) > 9]").unwrap();
    let mut budget = StepBudget::default();
    let value = quadratic.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
    assert_eq!((value, budget.left()), (Err(XPathFailure::Budget), 0));
}

#[test]
fn variables_are_named_once() {
    let xpath = XPath::parse("$b + $a * $b + count(//x[. = $c:d])").unwrap();
    assert_eq!(xpath.variables().collect::<Vec<_>>(), ["b", "a", "c:d"]);
    assert_eq!(xpath.source(), "$b + $a * $b + count(//x[. = $c:d])");
    assert_eq!(xpath, xpath.clone());
}

#[test]
fn context_nodes() {
    let page = page();
    let tree = page.tree();
    let at = |path: &str| evaluate(&page, path).unwrap().nodes()[0];
    #[rustfmt::skip]
    let cases = [
        ("//div[2]",        "p",                  "drei"),
        ("//div[2]",        ".//li[2]",           "2"),
        ("//div[2]",        "../div[1]/h1",       "Eins"),
        ("//div[2]",        "//title",            "Der Titel"),
        ("//div[2]/@id",    "string()",           "two"),
        ("//div[2]/@id",    "../p",               "drei"),
        ("//h1/text()",     ".",                  "Eins"),
        ("//h1/text()",     "following::li",      "1"),
    ];
    for (place, source, expected) in cases {
        let xpath = XPath::parse(source).unwrap();
        let mut budget = StepBudget::default();
        let value = xpath.evaluate(tree, at(place), &|_| None, &mut budget).unwrap();
        assert_eq!(value.string(tree), expected, "{place} {source}");
    }
}

#[test]
fn conversions_of_values() {
    let page = page();
    let tree = page.tree();
    let value = evaluate(&page, "//li").unwrap();
    assert_eq!((&*value.string(tree), value.number(tree), value.truth()), ("1", 1.0, true));
    let value = XPathValue::Nodes(Vec::new());
    assert_eq!((&*value.string(tree), value.truth()), ("", false));
    assert!(value.number(tree).is_nan());
    let value = XPathValue::Text("0".to_owned());
    assert_eq!((value.number(tree), value.truth()), (0.0, true));
    let value = XPathValue::Truth(true);
    assert_eq!((&*value.string(tree), value.number(tree)), ("true", 1.0));
}
