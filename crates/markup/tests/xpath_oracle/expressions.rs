//! The expressions that both must agree on: written ones, and all combinations of an axis, a node
//! test and a predicate.

/// Left out is what is ours alone (`id()` by the attribute `id`, functions of XPath 2.0), and where
/// libxml2 departs from the standard (exponents in
/// numbers, the following axis of attributes, `last()` without a predicate).
#[rustfmt::skip]
const WRITTEN: &[&str] = &[
    // What heuristics ask for.
    "//title", "//h1", "//h2 | //h1", "//h1 | //h2 | //h3 | //h4 | //h5 | //h6", "(//h1 | //h2)[1]",
    "//meta[@name='author']/@content", "//meta[@name='keywords']/@content", "//meta[@http-equiv]",
    "//a/@href", "//a[starts-with(@href,'mailto:')]", "//a[contains(@href,'.pdf')]/text()", "//img[not(@alt)]",
    "//table//table", "//table[not(.//table)]", "//tr[td[2]]/td[1]", "//td[@colspan > 1]", "//font[@size >= 4]",
    "//body//text()[normalize-space()]", "//p[string-length(normalize-space(.)) > 20]", "//b[../self::p]",
    "//*[@class='a']", "//*[contains(concat(' ', @class, ' '), ' b ')]", "//*[@id]", "//*[@lang or @xml:lang]",
    "//ul/li[1] | //ol/li[1]", "//li[not(ul)]", "//dl/dt[following-sibling::dd]", "//dt/following-sibling::dd[1]",
    "//form//input[@type='text' or not(@type)]/@name", "//select/option[@selected]", "//label[@for = //input/@id]",
    "//svg:svg", "//svg:title", "//svg:*", "//svg:a/@xlink:href", "//math:mi", "//@xlink:*", "//@xml:lang",
    "//comment()", "//comment()[contains(., 'c')]", "//processing-instruction()", "/comment()", "/node()",
    // Places.
    "/", "/*", "/html/body/*", "/html/body/*[2]", "/html/body/*[last()]", "/html/body/node()[3]", "/html/*/*/..",
    "//*[1]", "//*[2]", "//*[last()]", "//*[last()-1]", "(//*)[7]", "(//*)[last()]", "(//*)[position() mod 5 = 0]",
    "//*[position()=2]", "//*[position()<3]", "//*[position()<=2]", "//*[position()>2]", "//*[position()!=1]",
    "//*[3 > position()]", "//*[position()=last()]", "//*[1][1]", "//*[2][1]", "//*[1][2]", "//p[1]/b[1]",
    "//p[b][1]", "//p[1][b]", "//p[not(position()=1)]", "//li[position() = count(../li)]", "//*[count(*)=2]",
    "//*[count(*)]", "//*[count(preceding-sibling::*)+1]", "//*[not(*)]", "//*[*[2]]", "//*[*[last()][self::b]]",
    "//*[.='x']", "//*[.='']", "//text()[.='x']", "//text()[last()]", "//text()[2]", "//node()[self::text()][1]",
    "//*[@*]", "//*[count(@*)=2]", "//@*[2]", "//@*[last()]", "//@*[.='a']", "//@*[name()='class']", "//@class/..",
    "//@*/ancestor::*[1]", "//@*/parent::*/@*[1]", "//@class/ancestor-or-self::node()", "//@*/self::node()",
    "//@*/self::*", "//@*/child::node()", "//@*/descendant-or-self::node()", "//@*/preceding::*[1]",
    "..", ".", "./head", ".//p", "../*", "head/..", "body//*", "body/descendant::*[3]", "body/descendant::p[2]",
    "body//p[2]", "body/descendant-or-self::*[2]", "//p/..//b", "//b/ancestor::*[2]", "//b/ancestor::*[last()]",
    "//b/ancestor-or-self::*[position()<3]", "//li/ancestor::ul[1]/li[1]", "//td/ancestor::table[1]/@*",
    "(//b/ancestor::*)[1]", "(//b/preceding::*)[1]", "//b/preceding::*[1]", "//b/preceding::text()[1]",
    "//b/following::text()[1]", "(//b)[1]/following::*[2]", "(//b)[last()]/preceding::*[2]",
    "//p[preceding-sibling::*[1][self::p]]", "//p[following-sibling::*[1][self::div]]", "//*[preceding::b][1]",
    "//div[.//p[.//b]]", "//div//div//p", "//div/div/p | //p/b", "//*[ancestor::table]", "//*[not(ancestor::div)]",
    "(//p | //b | //i)[2]", "((//p)[2] | (//b)[1])/text()", "(//p/b)[1]", "(//p)[2]//b", "(//div)[1]//*[2]",
    "//p[//b]", "//p[/html/body]", "//b[. = //i]", "//*[@class = //*/@id]", "//*[. = ../*[1]]",
    // Operators.
    "1 + 2 * 3 - 4 div 2", "7 mod 3", "-7 mod 3", "7 mod -3", "1.5 mod 0.4", "1 div 0", "-1 div 0", "0 div 0", "--5",
    "count(//p) > 2 and count(//b) < 9", "count(//p) or //none", "//none and 1", "1 < 2 < 3", "3 > 2 > 1", "1 = 1 = 1",
    "'a' = 'a'", "'a' != 'a'", "'a' < 'b'", "'10' > 9", "'x' = 0", "true() = 'x'", "true() > 0", "false() = ''",
    "//p = 'x'", "//p != 'x'", "//b = //i", "//b != //i", "//b != //b", "//none = //none", "//none != //none",
    "//td = 3", "//td > 3", "3 < //td", "//td < //li", "//td >= //li", "//td <= //none", "//td = true()",
    "//none = false()", "//td != false()", "//td < true()", "//@size > 3", "//@size = '4'", "//@size != 4",
    "count(//p) * 2", "count(//p)-1", "sum(//@size)", "sum(//none)", "sum(//td) > 0", "-count(//b)",
    "number(//@size) + 1", "* * 2 = 3", "count(body/*)*2", "//p and not(//none)", "count(//p | //b | //p)",
    // Functions.
    "string(//title)", "string(//p)", "string(//none)", "string()", "string(/)", "string(12)", "string(-1.5)",
    "string(0.1)", "string(1 div 0)", "string(0 div 0)", "string(true())", "string(//@class)", "string(//comment())",
    "concat(//title, ' - ', count(//p))", "concat('a', 1, true())", "starts-with(//title, 'S')", "starts-with('a', '')",
    "contains(//p, 'ä')", "contains('', '')", "substring-before('a=b=c', '=')", "substring-after('a=b=c', '=')",
    "substring-before('abc', '')", "substring-after('abc', '')", "substring-after('abc', 'x')",
    "substring('12345', 2, 3)", "substring('12345', 2)", "substring('12345', 1.5, 2.6)", "substring('12345', 0, 3)",
    "substring('12345', 0 div 0, 3)", "substring('12345', 1, 0 div 0)", "substring('12345', -42, 1 div 0)",
    "substring('12345', -1 div 0, 1 div 0)", "substring('12345', 6)", "substring('äöüß', 2, 2)", "substring(//p, 3, 5)",
    "string-length('äöü')", "string-length(//p)", "string-length()", "string-length('')", "normalize-space('  a  b ')",
    "normalize-space(//p)", "normalize-space()", "translate('bar', 'abc', 'AB')", "translate('äöü', 'äöü', 'aou')",
    "translate(//title, 'abcdefgh', 'ABCDEFGH')", "translate('aab', 'aa', 'xy')", "boolean(//p)", "boolean(//none)",
    "boolean('')", "boolean(' ')", "boolean(0)", "boolean(0 div 0)", "boolean(-1)", "not(//p)", "true()", "false()",
    "number('12')", "number(' 12.5 ')", "number('-.5')", "number('a')", "number('')", "number(true())", "number(//@size)",
    "number()", "floor(2.5)", "floor(-2.5)", "ceiling(2.5)", "ceiling(-2.5)", "round(2.5)", "round(-2.5)", "round(2.4)",
    "round(-0.2)", "round(0 div 0)", "round(1 div 0)", "floor(-0.5)", "ceiling(-0.5)",
    "count(//node())", "count(//@*)", "count(//text())", "count(/)", "count(..)", "count(//*/ancestor::node())",
    "count(//*/following::node())", "count(//*/preceding::node())", "name()", "name(/)", "name(//svg:*)",
    "local-name(//svg:title)", "namespace-uri(//svg:title)", "namespace-uri(//p)", "name(//@xlink:href)",
    "local-name(//@xlink:href)", "name(//@xml:lang)", "local-name(//@xml:lang)", "name(//text())", "name(//@*[last()])",
    "//*[lang('de')]", "//*[lang('en')]", "//p[lang('DE')]", "//*[name()='p']", "//*[local-name()='title']",
    "//*[namespace-uri()='http://www.w3.org/2000/svg']", "//*[starts-with(name(), 'h')]", "//*[string-length(name())=1]",
    "//*[contains(., 'ß')]", "//*[text()='x']", "//*[text()[2]]", "//*[normalize-space(text())='x']",
    "//*[sum(.//@size) > 5]", "//*[number(.) = number(.)]", "//td[. mod 2 = 0]", "//*[floor(count(*) div 2) = 1]",
    "//*[position() = floor(last() div 2 + 0.5) or position() = ceiling(last() div 2 + 0.5)]",
    "//*[last() > 3 and position() = last() - 2]", "//*[substring(name(), 2, 1) = '1']", "//li[. > ../li[1]]",
];

pub(crate) fn expressions() -> Vec<String> {
    let mut all: Vec<String> = WRITTEN.iter().map(|&source| source.to_owned()).collect();
    let from = ["//p", "//b", "//li", "//td", "//div", "//text()", "//*[@class]", "(//*)[9]"];
    let axes = [
        "ancestor",
        "ancestor-or-self",
        "attribute",
        "child",
        "descendant",
        "descendant-or-self",
        "following",
        "following-sibling",
        "parent",
        "preceding",
        "preceding-sibling",
        "self",
    ];
    let tests = ["*", "node()", "p", "text()"];
    let predicates = ["", "[1]", "[2]", "[last()]", "[position()>1]", "[@class]", "[.='x'][1]"];
    let mut number = 0;
    for axis in axes {
        for test in tests {
            for predicate in predicates {
                number += 1;
                let from = from[number % from.len()];
                all.push(format!("{from}/{axis}::{test}{predicate}"));
            }
        }
    }
    all
}
