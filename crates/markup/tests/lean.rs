//! Trees without what is no text: the rest is as in the whole tree.

use auslese_markup::{Node, Page, parse, parse_text};
use proptest::prelude::*;

#[test]
fn what_is_left_out() {
    let picture = format!("<img src=\"data:image/png;base64,{}\" alt=a>", "x".repeat(90));
    let cut = "<img src=\"data:image/png;base64,xxxxxxxxxx\" alt=a>";
    #[rustfmt::skip]
    let cases = [
        ("<p>a</p>",                                     "<p>a</p>"),
        ("a<script>b < c</script>d",                     "a<script></script>d"),
        ("<script type='application/ld+json'>{}</script>", "<script type='application/ld+json'>{}</script>"),
        ("<script type=' TEXT/JSON '>{}</script>",       "<script type=' TEXT/JSON '>{}</script>"),
        ("<style>p { }</style><p style='b'>",            "<style></style><p style='b'>"),
        ("a<!-- b <p> -->c<!---->",                      "a<!---->c<!---->"),
        ("<svg a=b><g><path d=M/></g></svg>c",           "<svg a=b></svg>c"),
        ("<svg><svg><g/></svg><g/></svg>c<svg/>d",       "<svg></svg>c<svg/>d"),
        ("<svg><g><p>a</svg>",                           "<svg><g><p>a</svg>"),
        ("<svg><desc><p>a</desc></svg>",                 "<svg><desc><p>a</desc></svg>"),
        ("<div><svg><g></div><svg><g/></svg>",           "<div><svg><g></div><svg></svg>"),
        ("<svg>a<!-- b -->",                             "<svg>a<!---->"),
        (picture.as_str(),                               cut),
        ("<textarea><!-- a --></textarea>",              "<textarea><!-- a --></textarea>"),
    ];
    for (html, expected) in cases {
        let lean = parse_text(html.as_bytes(), None);
        assert_eq!(lean.xml(), parse(expected.as_bytes(), None).xml(), "{html}");
    }
}

#[test]
fn the_base_is_that_of_the_whole_page() {
    for html in
        ["<base><base href='a&amp;b'><base href=c>", "<p><base href=a>", "<svg><base href=b>", "a"]
    {
        let [lean, whole] = [parse_text, parse].map(|read| read(html.as_bytes(), None));
        assert_eq!(lean.links().base, whole.links().base, "{html}");
    }
}

/// Elements and texts that are no bulk, with their depth.
fn outside_of_bulk(page: &Page) -> Vec<(usize, String)> {
    let tree = page.tree();
    let is_bulk = |id| {
        let element = tree.element(id);
        element.is_some_and(|it| ["script", "style", "svg"].contains(&it.name()))
    };
    let outside = tree.ids().filter(|id| !tree.ancestors(*id).any(is_bulk));
    outside
        .map(|id| {
            let told = match tree.node(id) {
                Node::Element(element) => element.name().to_owned(),
                Node::Text(text) => format!("\"{text}"),
                _ => String::new(),
            };
            (tree.depth(id), told)
        })
        .collect()
}

proptest! {
    /// What a reader sees is the same with and without, but for the words in drawings.
    #[test]
    fn the_text_stays(
        pieces in proptest::collection::vec(
            "[ab<>/ ]{0,3}|<!--a?-?->?|<svg>(<path/>|<g></g>|<svg></svg>|<!--a-->){0,3}</svg>\
            |<(p|b|title|table|td|script|style|textarea|template)( a=b)?/?>\
            |</(p|b|title|table|td|script|style|textarea|template)>",
            0..24,
        )
    ) {
        let html = format!("<body>{}", pieces.concat());
        let whole = parse(html.as_bytes(), Some("utf-8"));
        let lean = parse_text(html.as_bytes(), Some("utf-8"));
        prop_assert_eq!(outside_of_bulk(&whole), outside_of_bulk(&lean), "{}", html);
    }
}
