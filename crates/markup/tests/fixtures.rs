//! The fixtures: small pages of several decades, each with the list of its links beside it.
//!
//! A line of a `.links` file is a link: kind, text, `< codebase` and `nofollow` where they apply;
//! or the `base`; or what `robots` are asked for.

use auslese_markup::{Link, LinkKind, Links, Page, parse, rewrite_html, scan_links};
use std::collections::HashSet;
use std::path::Path;
use url::Url;

fn fixtures() -> Vec<(String, Vec<u8>, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures: Vec<_> = std::fs::read_dir(directory)
        .expect("the fixtures can be read")
        .map(|entry| entry.expect("the fixtures can be read").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "html"))
        .map(|path| {
            let links = std::fs::read_to_string(path.with_extension("links"))
                .expect("the fixtures can be read");
            (
                path.display().to_string(),
                std::fs::read(path).expect("the fixtures can be read"),
                links,
            )
        })
        .collect();
    fixtures.sort();
    assert!(fixtures.len() >= 5);
    fixtures
}

fn in_words(links: &Links) -> String {
    let base = links.base.iter().map(|base| format!("base {base}"));
    let robots = links.robots;
    let asked = [
        (robots.nofollow, " nofollow"),
        (robots.noarchive, " noarchive"),
        (robots.noindex, " noindex"),
    ];
    let asked: String = asked.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    let robots = (!asked.is_empty()).then(|| format!("robots{asked}"));
    let found = links.found.iter().map(|Link { href, kind, nofollow, codebase }| {
        let codebase = codebase.iter().map(|codebase| format!(" < {codebase}")).collect::<String>();
        let nofollow = if *nofollow { " nofollow" } else { "" };
        format!("{kind:?} {}{codebase}{nofollow}", href.replace('\n', "\\n"))
    });
    base.chain(robots).chain(found).map(|line| line + "\n").collect()
}

#[test]
fn links_are_as_listed() {
    for (name, html, expected) in fixtures() {
        assert_eq!(in_words(&scan_links(&html, None)), expected, "{name}");
    }
}

#[test]
fn both_ways_find_the_same_links() {
    for (name, html, _) in fixtures() {
        let page = parse(&html, None);
        assert_eq!(*page.links(), scan_links(&html, None), "{name}");
        let known: HashSet<_> =
            page.links().found.iter().map(|link| (link.href.as_str(), link.kind)).collect();
        for link in plain_links_of_tree(&page) {
            assert!(known.contains(&link), "{name}: {link:?} is only in the tree");
        }
    }
}

/// Links by the tree alone, for attributes that hold one URL each.
fn plain_links_of_tree(page: &Page) -> Vec<(&str, LinkKind)> {
    let rules = [
        ("a", "href", LinkKind::Page),
        ("area", "href", LinkKind::Page),
        ("img", "src", LinkKind::Embedded),
        ("script", "src", LinkKind::Embedded),
        ("frame", "src", LinkKind::Frame),
        ("iframe", "src", LinkKind::Frame),
        ("embed", "src", LinkKind::Embedded),
        ("body", "background", LinkKind::Embedded),
    ];
    let of_rule = |(element, attribute, kind)| {
        page.tree()
            .elements_named(element)
            .filter_map(move |(_, element)| Some((element.attribute(attribute)?, kind)))
    };
    let found = rules.into_iter().flat_map(of_rule);
    found.filter(|(href, _)| !href.starts_with("data:")).collect()
}

#[test]
fn a_map_that_says_nothing_changes_nothing() {
    let document = Url::parse("http://h.example/d/p.html").unwrap();
    for (name, html, _) in fixtures() {
        assert_eq!(rewrite_html(&html, None, &document, &mut |_, _| None), html, "{name}");
    }
}

#[test]
fn a_rewritten_page_links_to_what_the_map_said() {
    let document = Url::parse("http://h.example/d/p.html").unwrap();
    let moved =
        |url: &Url| format!("http://archive.example/at/{}", url.as_str().replace(',', "%2C"));
    for (name, html, _) in fixtures() {
        let before = scan_links(&html, None);
        let rewritten = rewrite_html(&html, None, &document, &mut |url, _| Some(moved(url)));
        let after = scan_links(&rewritten, None);
        assert_eq!(after.charset.name, before.charset.name, "{name}");
        let urls = |links: &Links| {
            links.resolve(&document).into_iter().map(|found| (found.url, found.kind))
        };
        // An empty link means the document itself and is not touched.
        let expected: Vec<_> = urls(&before)
            .filter(|(url, _)| before.base.is_none() || url.as_str() != "http://h.example/x/")
            .map(|(url, kind)| (moved(&url), kind))
            .collect();
        let found: Vec<_> = urls(&after)
            .filter(|(url, _)| url.host_str() == Some("archive.example"))
            .map(|(url, kind)| (url.to_string(), kind))
            .collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn texts_and_titles() {
    let cases = [
        ("nineties", "Willkommen am Institut für Mathematik", "Neu: Kolloquium"),
        ("frameset", "Rahmen", ""),
        ("modern", "Neuigkeiten", "vor der Tabelle"),
        ("latin1", "Köln", "Straße"),
    ];
    for (name, title, excerpt) in cases {
        let (_, html, _) = fixtures()
            .into_iter()
            .find(|(path, ..)| path.ends_with(&format!("{name}.html")))
            .unwrap();
        let page = parse(&html, None);
        assert_eq!(page.title().as_deref(), Some(title));
        assert!(page.text().contains(excerpt), "{name}: {}", page.text());
    }
}
