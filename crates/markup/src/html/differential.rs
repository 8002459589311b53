//! Compares our trees and errors with those of html5ever, on soups of everything that is hard.

use super::oracle::by_html5ever;
use super::{Built, Extent, build};
use crate::parse_errors::ParseError;
use crate::tree::{Node, Tree};
use proptest::prelude::*;
use std::borrow::Cow;
use std::path::Path;

fn lines(tree: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    for id in tree.ids() {
        let depth = tree.depth(id);
        match tree.node(id) {
            Node::Document => {}
            Node::Doctype { name, public_id, system_id } => {
                lines.push(format!("{depth} <!DOCTYPE {name} {public_id} {system_id}>"));
            }
            Node::Element(element) => {
                let namespace = element.namespace().uri();
                lines.push(format!("{depth} <{namespace} {}>", element.name()));
                for attribute in element.attributes() {
                    let (prefix, namespace) = (attribute.prefix(), attribute.namespace().uri());
                    let (name, value) = (attribute.name(), &attribute.value);
                    lines.push(format!("{depth} {prefix:?} {namespace} {name}={value}"));
                }
            }
            Node::Text(text) => lines.push(format!("{depth} \"{text}\"")),
            Node::Comment(text) => lines.push(format!("{depth} <!--{text}-->")),
        }
    }
    lines
}

/// The errors that do not depend on which doctypes our table knows.
fn without_doctypes(errors: Vec<(ParseError, u32)>) -> Vec<(ParseError, u32)> {
    errors.into_iter().filter(|error| error.0 != ParseError::BadDoctype).collect()
}

/// Misplaced text is counted in pieces, and where html5ever cuts next to references is its own
/// affair: that there is some must do.
fn without_pieces(errors: Vec<(ParseError, u32)>) -> Vec<(ParseError, u32)> {
    let count = |(kind, count)| (kind, if kind == ParseError::MisplacedText { 1 } else { count });
    without_doctypes(errors).into_iter().map(count).collect()
}

#[track_caller]
fn check(html: &str) {
    let Built { tree, errors, .. } = build(Cow::Borrowed(html), Extent::Whole);
    let (expected, expected_errors) = by_html5ever(html);
    assert_eq!(lines(&tree), expected, "{html}");
    assert_eq!(without_pieces(errors), without_pieces(expected_errors), "{html}");
}

/// All pages of a directory given in the environment, for whoever has many.
#[test]
fn given_pages() {
    let Some(directory) = std::env::var_os("AUSLESE_PAGES") else { return };
    let (mut count, mut different) = (0, 0);
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        let bytes = std::fs::read(entry.path()).expect("a file");
        let (text, _) = crate::decode(&bytes, None);
        // The error that an XML declaration is, is forgiven or not.
        let text = text.replace("<?xml", "");
        let Built { tree, errors, .. } = build(Cow::Borrowed(&*text), Extent::Whole);
        let (expected, expected_errors) = by_html5ever(&text);
        count += 1;
        let found = lines(&tree);
        let first = found.iter().zip(&expected).find(|(one, other)| one != other);
        let (errors, expected_errors) =
            (without_doctypes(errors), without_doctypes(expected_errors));
        if found != expected || errors != expected_errors {
            different += 1;
            println!(
                "{}: {first:.300?}\n  {errors:?}\n  {expected_errors:?}",
                entry.path().display()
            );
        }
    }
    assert_eq!(different, 0, "of {count}");
}

#[test]
fn fixtures() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for entry in std::fs::read_dir(directory).expect("the fixtures can be read").flatten() {
        let bytes = std::fs::read(entry.path()).expect("the fixtures can be read");
        check(&crate::decode(&bytes, None).0);
    }
}

/// Tags, texts and accidents from which soups are made.
fn soup(length: usize) -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let names = prop::sample::select(vec![
        "a", "a", "b", "b", "i", "p", "p", "div", "span", "table", "table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption",
        "colgroup", "col", "form", "select", "option", "optgroup", "button", "ul", "ol", "li", "dl", "dd", "dt", "h1", "h2", "pre",
        "listing", "br", "hr", "img", "image", "input", "font", "nobr", "object", "applet", "marquee", "head", "body", "html",
        "title", "style", "script", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript", "template", "meta", "link",
        "base", "frame", "frameset", "ruby", "rb", "rt", "rp", "rtc", "details", "summary", "center", "address", "x-y", "em",
        "svg", "math", "foreignObject", "desc", "mi", "mo", "mtext", "annotation-xml", "g", "path", "mglyph", "malignmark",
        "plaintext", "param", "source", "wbr", "area", "keygen", "isindex", "search", "dialog", "strong", "big", "u", "s",
        "DIV", "TaBle", "clipPath", "FOREIGNOBJECT", "section", "main", "menu", "legend",
    ]);
    #[rustfmt::skip]
    let attributes = prop::sample::select(vec![
        "", "", "", "", "", " href=a", " HREF='b c'", " src=\"d&amp;e\"", " x", " x=", " = y", "/", " /", " a=1 a=2", " size=1",
        " size=2", " color=red", " type=hidden", " type=HIDDEN", "\n\tb\r\n=\tc", " a='b\"c'd", " a=&copy=1", " a='&#0;&notit;&x;'",
        " encoding='text/html'", " encoding='Application/xhtml+XML'", " xlink:href=a xml:lang=b xmlns:xlink=c xmlns=d",
        " viewbox=1 definitionurl=2", " a\0b='c\0d'", " \"", " <", " id=1 class=2", " a=b/", " a='b'/", " class=2 id=1",
    ]);
    #[rustfmt::skip]
    let text = prop::sample::select(vec![
        "text", "x", " ", "\n", " \t\n ", "a b\nc", "&amp;", "&", "&#65;", "&#x20;", "&#xZ", "&auml", "&notin;", "&noti", "&bogus;",
        "&#150;", "<", ">", "\"", "'", "<!-- c -->", "<!--", "-->", "--!>", "<!-- <!-- -->", "<!-->", "<!--->", "<![CDATA[ x ]]>",
        "<![CDATA[\0]]>", "]]>", "<!doctype html>", "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" 'x'>", "<!doctype a b>",
        "<?pi?>", "</>x", "</ x>", "\0", "ä", "<!-- -- >", "<!>", "=", "\r\n", "\r", "\u{c}", "<a", "</a", "&#10;", "&lt;p&gt;",
        "<!doctype", "<!DOCTYPE html SYSTEM \"about:legacy-compat\">", "&NotEqualTilde;", "&#13;", "a < b", "\u{feff}",
    ]);
    let piece = prop_oneof![
        6 => (names.clone(), attributes).prop_map(|(name, rest)| format!("<{name}{rest}>")),
        4 => names.prop_map(|name| format!("</{name}>")),
        3 => text.prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..length).prop_map(|pieces| pieces.concat())
}

/// Formatting elements, blocks and tables that overlap.
fn overlapping() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let piece = prop::sample::select(vec![
        "<a>", "<a href=1>", "<b>", "<b>", "<b class=1>", "<i>", "<font size=1>", "<font>", "<nobr>", "<em>", "<p>", "<div>", "<table>",
        "<tr>", "<td>", "<ul><li>", "<li>", "<button>", "<object>", "<h1>", "<form>", "</a>", "</b>", "</b>", "</i>", "</font>",
        "</nobr>", "</em>", "</p>", "</div>", "</table>", "</tr>", "</td>", "</li>", "</ul>", "</button>", "</object>", "</h1>",
        "</form>", "x", "y", " ", "<br>", "<svg>", "</svg>", "<template>", "</template>", "<select>", "</select>", "<option>",
    ]);
    proptest::collection::vec(piece, 0..50).prop_map(|pieces| pieces.concat())
}

/// HTML, SVG and MathML within each other.
fn foreign() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let piece = prop::sample::select(vec![
        "<svg>", "<svg>", "<math>", "<math>", "<mi>", "<mtext>", "<mglyph>", "<malignmark>", "<annotation-xml>", "<g/>", "<g>", "<title>",
        "<annotation-xml encoding=text/html>", "<foreignObject>", "<desc>", "</svg>", "</math>", "</mi>", "</mtext>", "</g>", "</title>",
        "</annotation-xml>", "</foreignObject>", "</desc>", "<p>", "</p>", "<br>", "</br>", "<div>", "</div>", "<b>", "</b>", "<font>",
        "<font color=a>", "<style>", "</style>", "<script>", "</script>", "<![CDATA[<b>]]>", "x", "\0", " ", "<table>", "<td>", "<a>",
        "</a>", "<span>", "<textarea>", "<template>", "</template>", "<path viewbox=1 />", "<script/>", "<!-- c -->", "</table>",
        "<select>", "<option>", "<frameset>", "<body>", "<html a=b>", "<head>", "<mo>", "<ms/>", "<circle>",
    ]);
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn soups(html in soup(30)) {
        check(&html);
    }

    #[test]
    fn documents(html in soup(12)) {
        check(&format!("<!DOCTYPE html><title>t</title><body>{html}"));
    }

    #[test]
    fn overlaps(html in overlapping()) {
        check(&format!("<!DOCTYPE html>{html}"));
    }

    #[test]
    fn foreign_content(html in foreign()) {
        check(&html);
    }

    #[test]
    fn framesets(start in soup(4), html in "(<frameset>|</frameset>|<frame>|</html>|<noframes>|</noframes>| |x|&amp;|\n|a b|<html a=b>|<b>|<!--c-->|<body>|<p>|\0){0,12}") {
        check(&format!("{start}<frameset>{html}"));
    }

    #[test]
    fn markup_characters(html in "(<|>|/|!|-|=|'|\"|&|#|;|\\?|[a-c ]|\n|<a|<!--|--|<!doctype|amp|public|<script>|</script>|<!|\0|\\PC){0,40}") {
        check(&html);
    }

    #[test]
    fn scripts(html in "(<!--|-->|<script>|</script>|<script |</script |</script/|--|<|>|!|-|/|a|\0|<!|<!-){0,14}") {
        check(&format!("<script>{html}"));
    }

    #[test]
    fn doctypes(html in "( |\n|html|HTML|public|system|PUBLIC|'|\"|a|>|\0|-//W3C//DTD HTML 4.01 Transitional//EN|-//W3C//DTD HTML 3.2//EN){0,10}") {
        check(&format!("<!doctype{html}"));
        check(&format!("<!doctype html{html}><p><table>"));
    }
}

/// Few by default; more when asked, as for a change of the parser.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}
