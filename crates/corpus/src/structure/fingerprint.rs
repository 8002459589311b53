//! A fingerprint of a page's skeleton, equal for pages made from the same template.
//!
//! The skeleton are the elements that divide a page (`div`, layout tables, `nav`, frames …), each
//! told by its name, its id and its first class without digits. What an author writes (headings,
//! paragraphs, lists, tables of data) is no part of it, and so is what stands below the innermost
//! element that calls itself the content. The fingerprint is a hash over the set of paths from the
//! root to each skeleton element: a set, so ten news items are the same as three.
//!
//! Pages with hardly any skeleton have no fingerprint: every short hand-made page would equal every
//! other.

use super::StableHash;
use auslese_markup::{Element, Node, NodeId, Tree};

/// Fewest different paths that make a fingerprint, those of `html` and `body` left aside.
const FEWEST_PATHS: usize = 3;

/// Longest part of an id or class that tells elements apart, in bytes.
const LONGEST_NAME: usize = 40;

/// The fingerprint; none for a page with hardly any structure.
pub(crate) fn fingerprint(tree: &Tree) -> Option<u64> {
    let notes = Notes::taken(tree);
    let mut paths: Vec<u64> = Vec::new();
    // The paths of the open skeleton elements, by depth.
    let mut open: Vec<(usize, StableHash)> = vec![(0, StableHash::new())];
    let mut skip_below = None;
    for id in tree.ids() {
        let Some(element) = tree.element(id) else { continue };
        let depth = tree.depth(id);
        if skip_below.is_some_and(|level| depth > level) {
            continue;
        }
        skip_below = None;
        while open.last().is_some_and(|(level, _)| *level >= depth) {
            open.pop();
        }
        match part(element, notes.of(id)) {
            Part::Skeleton => {
                let mut path = open.last().map_or_else(StableHash::new, |(_, path)| *path);
                add_step(&mut path, element);
                open.push((depth, path));
                paths.push(path.finish());
                if notes.of(id).is_innermost_content {
                    skip_below = Some(depth);
                }
            }
            Part::Through => {}
            Part::Written => skip_below = Some(depth),
        }
    }
    paths.sort_unstable();
    paths.dedup();
    (paths.len() >= FEWEST_PATHS).then(|| {
        let mut hash = StableHash::new();
        paths.iter().for_each(|path| hash.add(&path.to_le_bytes()));
        hash.finish()
    })
}

/// What an element is to the skeleton.
#[derive(PartialEq, Eq)]
enum Part {
    Skeleton,
    /// Not part of it, but what is inside may be.
    Through,
    /// Written by the author: neither it nor what is inside.
    Written,
}

fn part(element: &Element, note: Note) -> Part {
    if !element.is(element.name()) {
        return Part::Written;
    }
    match element.name() {
        "div" | "nav" | "header" | "footer" | "main" | "aside" | "section" | "article" | "form"
        | "frameset" | "frame" | "layer" | "ilayer" => Part::Skeleton,
        "table" if note.is_layout => Part::Skeleton,
        "tr" | "td" | "th" => Part::Skeleton,
        // Authors centre and colour what they like, so these are as good as absent.
        "html" | "body" | "tbody" | "thead" | "tfoot" | "center" | "font" | "span" | "noscript" => {
            Part::Through
        }
        _ => Part::Written,
    }
}

/// What has to be known of an element before its subtree is walked.
#[derive(Debug, Clone, Copy, Default)]
struct Note {
    /// A table with blocks in its cells.
    is_layout: bool,
    /// Called content, with nothing inside that is called so or is navigation.
    is_innermost_content: bool,
}

struct Notes {
    notes: Vec<(NodeId, Note)>,
}

impl Notes {
    /// One walk backwards: what is inside has been seen when an element is met.
    fn taken(tree: &Tree) -> Notes {
        let mut notes = Vec::new();
        // For each depth whether blocks, or content or navigation, have been met below.
        let mut inside = vec![Inside::default(); 2];
        for id in tree.ids().rev() {
            let Node::Element(element) = tree.node(id) else { continue };
            let depth = tree.depth(id);
            if inside.len() < depth + 2 {
                inside.resize(depth + 2, Inside::default());
            }
            let below = std::mem::take(&mut inside[depth + 1]);
            let is_content = is_content(element);
            let note = Note {
                is_layout: element.is("table") && below.blocks,
                is_innermost_content: is_content && !below.content && !below.navigation,
            };
            if note.is_layout || note.is_innermost_content {
                notes.push((id, note));
            }
            let above = &mut inside[depth];
            above.blocks |= below.blocks || is_block(element);
            above.content |= below.content || is_content;
            above.navigation |= below.navigation || element.is("nav");
        }
        notes.reverse();
        Notes { notes }
    }

    fn of(&self, id: NodeId) -> Note {
        let found = self.notes.binary_search_by_key(&id, |(id, _)| *id);
        found.map_or_else(|_| Note::default(), |at| self.notes[at].1)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Inside {
    blocks: bool,
    content: bool,
    navigation: bool,
}

/// Blocks that tables of data do not have in their cells.
fn is_block(element: &Element) -> bool {
    ["table", "div", "p", "ul", "ol", "h1", "h2", "h3", "h4", "form", "center", "hr"]
        .iter()
        .any(|name| element.is(name))
}

/// Whether an element calls itself the place of the content.
fn is_content(element: &Element) -> bool {
    if element.is("main") || element.is("article") {
        return true;
    }
    if !element.is("div") && !element.is("td") && !element.is("section") {
        return false;
    }
    let says = |name: &str| {
        let value = shortened(element.attribute(name).unwrap_or("")).to_ascii_lowercase();
        ["content", "inhalt", "article", "entry", "maintext"]
            .iter()
            .any(|word| value.contains(word))
    };
    says("id") || says("class")
}

/// One step of a path: name, id and first class that is no state, without digits.
fn add_step(path: &mut StableHash, element: &Element) {
    path.add(b">");
    path.add(element.name().as_bytes());
    for (mark, name) in [(b"#", "id"), (b".", "class")] {
        let value = element.attribute(name).unwrap_or("");
        let mut words = shortened(value).split_ascii_whitespace();
        if let Some(word) = words.find(|word| !is_state(word)) {
            path.add(mark);
            word.bytes().filter(|byte| !byte.is_ascii_digit()).for_each(|byte| path.add(&[byte]));
        }
    }
}

fn shortened(value: &str) -> &str {
    &value[..value.floor_char_boundary(LONGEST_NAME)]
}

/// Classes that tell pages of one template apart.
fn is_state(class: &str) -> bool {
    #[rustfmt::skip]
    const STATES: &[&str] = &[
        "active", "current", "first", "last", "odd", "even", "open", "closed", "selected", "hidden", "clearfix", "hover", "on", "off",
    ];
    STATES.iter().any(|state| class.eq_ignore_ascii_case(state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    fn check(html: &str) -> Option<u64> {
        fingerprint(parse(html.as_bytes(), None).tree())
    }

    fn modern(id: usize, content: &str, items: usize) -> String {
        let items: String = (0..items).map(|i| format!("<li><a href={i}>Punkt {i}</a>")).collect();
        let active = if id.is_multiple_of(2) { "active item" } else { "item" };
        format!(
            "<!DOCTYPE html><html><body class='page-{id}'><div id=page><div class='head'><img src=l></div>\
             <nav><ul>{items}</ul><div class='{active}'>x</div></nav><div id=content class='c{id}'>{content}</div>\
             <div id=footer>Stand {id}</div></div></body></html>"
        )
    }

    fn table_page(content: &str, rows: usize) -> String {
        let rows = "<tr><td>1<td>2".repeat(rows);
        format!(
            "<html><body><table width=600><tr><td><p><a href=x>Start</a></td><td><h1>T</h1>{content}\
             <table border=1>{rows}</table></td></tr></table><center><hr>Impressum</center>"
        )
    }

    #[test]
    fn equal_templates_are_equal() {
        let pages = [
            modern(1, "<h1>A</h1><p>kurz", 3),
            modern(
                2,
                "<h1>B</h1><p>lang<p>und <b>fett</b><ul><li>x<li>y</ul><table><tr><td>1</table>",
                9,
            ),
            modern(37, "<div class=box><div>Kasten</div></div><blockquote>z</blockquote>", 1),
            modern(40, "", 0),
        ];
        let prints: Vec<_> = pages.iter().map(|page| check(page)).collect();
        assert!(prints[0].is_some());
        assert!(prints.iter().all(|print| *print == prints[0]), "{prints:?}");

        let tables = [
            table_page("<p>a", 3),
            table_page("<p>b<p>c<ul><li>d</ul>", 20),
            table_page("<center><img src=x></center><iframe src=film></iframe>", 0),
        ];
        assert!(check(&tables[0]).is_some());
        assert!(tables.iter().all(|page| check(page) == check(&tables[0])));
    }

    #[test]
    fn different_templates_differ() {
        let base = modern(1, "x", 3);
        let pages = [
            base.clone(),
            table_page("x", 3),
            base.replace("<div id=footer>", "<div id=footer><div class=logo></div>"),
            base.replace("id=page", "id=wrapper"),
            base.replace("<div class='head'>", "<header>"),
            "<frameset cols='*,*'><frame src=a><frameset rows='*,*'><frame src=b><frame src=c></frameset></frameset>".to_owned(),
        ];
        let mut prints: Vec<_> = pages.iter().map(|page| check(page)).collect();
        assert!(prints.iter().all(Option::is_some), "{prints:?}");
        prints.sort_unstable();
        prints.dedup();
        assert_eq!(prints.len(), pages.len());
    }

    #[test]
    fn hand_made_pages_have_none() {
        for html in ["", "<h1>a</h1><p>b<ul><li>c</ul>", "<center><h1>a</h1></center><p>b"] {
            assert_eq!(check(html), None, "{html}");
        }
    }
}
