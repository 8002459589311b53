//! Input made to hurt: every kind is read in time that grows with its length only.

use auslese_markup::{
    MAX_DEPTH, MAX_LINK_TEXT, MAX_NODES, MAX_RESOLVED_TEXT, NodeId, Page, parse, scan_links,
};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Enough for a slow machine without optimisation; quadratic time would be hours.
const PATIENCE: Duration = Duration::from_secs(120);

const SIZE: usize = 200_000;

fn read(html: &str) -> Page {
    let start = Instant::now();
    let page = parse(html.as_bytes(), None);
    page.text();
    assert!(start.elapsed() < PATIENCE, "{:.40}… took {:?}", html, start.elapsed());
    let tree = page.tree();
    assert!(tree.ids().all(|id| tree.depth(id) <= MAX_DEPTH), "{html:.40}… is too deep");
    assert!(tree.len() < MAX_NODES + 10_000, "{html:.40}… has {} nodes", tree.len());
    page
}

#[test]
fn repeated_tags() {
    #[rustfmt::skip]
    let pieces = [
        "<b>", "<a>", "<div>", "<table>", "<font>", "<table><tr><td>", "<svg>", "<math><mi>", "<form><div></form>",
        "<b><p></b>", "<a><table>x", "<select><option>", "<template>", "<p>", "</p>", "<ul><li>", "<button>", "<nobr>",
        "&", "<", "<!--", "<a href='", "<p a=", "\0", "<script>", "<svg><title>", "<noframes>",
    ];
    for piece in pieces {
        read(&piece.repeat(SIZE / piece.len()));
    }
}

#[test]
fn deep_nesting_is_flattened_but_keeps_its_text() {
    let html = format!("{}deep{}after", "<div>".repeat(5000), "</div>".repeat(5000));
    let page = read(&html);
    assert_eq!(page.text(), "deep\nafter");
    assert!(page.oddities().iter().any(|oddity| oddity.kind == "nested-too-deep"));
    let tree = page.tree();
    let last = tree.ids().last().unwrap();
    // What follows the dropped tags stands where it stood before them.
    assert_eq!(tree.string_value(last), "after");
    assert_eq!(tree.depth(last), 3);
}

#[test]
fn formatting_that_multiplies() {
    let distinct: String = (0..600).map(|i| format!("<font size={i} face='{i:0>500}'>")).collect();
    let page = read(&format!("<p>{distinct}{}", "<p>x".repeat(20_000)));
    assert!(!page.oddities().is_empty());
}

/// Each is compared with all that are open, attributes in any order.
#[test]
fn formatting_with_many_attributes() {
    let page: String = (0..300)
        .map(|i| {
            let turned = (0..200).map(|j| format!(" a{}=b", (i + j) % 200)).collect::<String>();
            format!("<b{turned} c={i}>")
        })
        .collect();
    // None is like another, so that nesting is what ends them.
    assert!(read(&page).tree().elements_named("b").count() > MAX_DEPTH / 3);
}

#[test]
fn many_attributes() {
    let many: String = (0..60_000).map(|i| format!("a{i}=b ")).collect();
    let page = read(&format!("<p {many}><a href=x>y</a>"));
    assert_eq!(page.text(), "y");
    assert_eq!(page.links().found.len(), 1);
    assert!(page.oddities().iter().any(|oddity| oddity.kind == "too-many-attributes"));
    read(&(0..20_000).map(|i| format!("<html a{i}=b>")).collect::<String>());
}

#[test]
fn many_links() {
    let links = scan_links("<a href=x>".repeat(150_000).as_bytes(), None);
    assert_eq!(links.found.len(), auslese_markup::MAX_LINKS);
    assert_eq!(links.oddities[0].kind, "too-many-links");
}

#[test]
fn long_links_and_long_bases() {
    let long = format!("<a href={}>", "x".repeat(10_000)).repeat(2_000);
    let links = scan_links(long.as_bytes(), None);
    let text: usize = links.found.iter().map(|link| link.href.len()).sum();
    assert!(text < MAX_LINK_TEXT + 10_000, "{text}");
    assert_eq!(links.oddities[0].kind, "too-many-links");

    let short: String = (0..10_000).map(|i| format!("<a href={i}>")).collect();
    let page = format!("<base href='http://h.example/{}/'>{short}", "b".repeat(10_000));
    let links = scan_links(page.as_bytes(), None);
    let urls = links.resolve(&"http://h.example/".parse().unwrap());
    let text: usize = urls.iter().map(|found| found.url.as_str().len()).sum();
    assert!((MAX_RESOLVED_TEXT..MAX_RESOLVED_TEXT + 20_000).contains(&text), "{text}");
}

fn soup() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let piece = prop::sample::select(vec![
        "<a href=x>", "</a>", "<b>", "</b>", "<p>", "</p>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<caption>",
        "<select>", "<option>", "</select>", "<form>", "</form>", "<svg>", "</svg>", "<math>", "<mi>", "<foreignObject>",
        "<desc>", "<title>", "</title>", "<template>", "</template>", "<frameset>", "<frame src=y>", "</frameset>",
        "<noframes>", "<body background=z>", "</body>", "<html lang=a>", "</html>", "<head>", "</head>", "<style>", "</style>",
        "<script>", "</script>", "<col>", "<colgroup>", "</colgroup>", "<button>", "<li>", "<dd>", "<h1>", "</h1>", "text",
        "<nobr>", "<ruby><rt>", "<object>", "</object>", "<annotation-xml encoding='text/html'>", "<textarea>", "<br/>",
        "</br>", "<image>", "<input type=hidden>", "<plaintext>", " ", "<!-- -->", "<!doctype html>", "\0", "<tbody>",
        "</tbody>", "</tr>", "<font size=1>", "</font>", "<i>", "</i>", "<hr>", "<noscript>", "</noscript>", "<optgroup>",
    ]);
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Links between nodes agree with each other, and numbers with document order.
fn check_tree(page: &Page) {
    let tree = page.tree();
    for id in tree.ids() {
        let children: Vec<_> = tree.children(id).collect();
        assert!(children.iter().all(|child| tree.parent(*child) == Some(id) && *child > id));
        assert!(children.is_sorted());
        assert_eq!(tree.last_child(id), children.last().copied());
        assert!(children.windows(2).all(|pair| tree.previous_sibling(pair[1]) == Some(pair[0])));
    }
    assert_eq!(tree.subtree(NodeId::DOCUMENT).count(), tree.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn tag_soup(html in soup()) {
        let page = parse(html.as_bytes(), None);
        check_tree(&page);
        let blocks = page.blocks();
        let joined: Vec<&str> = blocks.iter().map(|block| &*block.text).collect();
        prop_assert_eq!(page.text(), joined.join("\n"));
        prop_assert!(blocks.iter().all(|block| !block.text.is_empty()));
        prop_assert!(blocks.iter().all(|block| block.link_characters <= block.characters));
        page.title();
        prop_assert_eq!(page.links(), &scan_links(html.as_bytes(), None));
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), charset in "[a-z0-9-]{0,10}") {
        let page = parse(&bytes, Some(&charset));
        check_tree(&page);
        prop_assert_eq!(page.links(), &scan_links(&bytes, Some(&charset)));
    }
}
