//! Which mark-up carries titles and authors, and how pages use what mark-up offers: the table with
//! which the paper began, for any collection of pages.

use auslese_markup::{NodeId, Page, Tree};
use auslese_model::{Description, Field};
use auslese_words::{fold, tokens};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// One spelling for many: folded words with single spaces.
fn fold_text(text: &str) -> String {
    tokens(&fold(text)).collect::<Vec<_>>().join(" ")
}

/// Mark-up that may carry a title or an author, in the order of the table.
const CARRIERS: [&str; 14] = [
    "title", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "meta", "address", "a", "image",
    "other",
];

/// Elements that only say how something looks.
const FORMATTING: [&str; 8] = ["font", "b", "i", "center", "big", "small", "u", "tt"];

/// Counts over pages; one page may count in several places.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    pub pages: u64,
    /// How many pages have their title in which mark-up.
    pub title: BTreeMap<String, u64>,
    pub without_title: u64,
    pub author: BTreeMap<String, u64>,
    pub without_author: u64,
    /// Pages with `<meta>` elements for author, description or keywords.
    pub with_meta: u64,
    /// Pages that describe themselves in Dublin Core.
    pub with_dublin_core: u64,
    /// Pages with JSON-LD, microdata, RDFa or OpenGraph.
    pub with_structured_data: u64,
    /// Pages whose `<title>` stands in the body.
    pub misplaced_title: u64,
    /// Pages whose description names the institution instead of saying what they are about.
    pub misused_description: u64,
    /// Pages with mark-up that only says how something looks.
    pub with_formatting: u64,
}

impl Survey {
    /// Adds one page, with what was found out about it.
    pub fn add(&mut self, page: &Page, description: &Description) {
        self.pages += 1;
        let chosen = |field: Field| -> Vec<&str> {
            description.chosen(field).map(|it| it.value.as_str()).collect()
        };
        let tree = page.tree();
        for (field, carriers, without) in [
            (Field::Title, &mut self.title, &mut self.without_title),
            (Field::Author, &mut self.author, &mut self.without_author),
        ] {
            let values = chosen(field);
            if values.is_empty() {
                *without += 1;
            }
            let found: BTreeSet<&str> =
                values.iter().flat_map(|value| carriers_of(tree, value)).collect();
            for carrier in found {
                *carriers.entry(carrier.to_owned()).or_default() += 1;
            }
        }
        let habits = Habits::of(tree, &chosen(Field::Institution));
        self.with_meta += u64::from(habits.meta);
        self.with_dublin_core += u64::from(habits.dublin_core);
        self.with_structured_data += u64::from(habits.structured_data);
        self.misplaced_title += u64::from(habits.misplaced_title);
        self.misused_description += u64::from(habits.misused_description);
        self.with_formatting += u64::from(habits.formatting);
    }

    /// The names of the columns, for tables.
    pub fn carriers() -> &'static [&'static str] {
        &CARRIERS
    }
}

/// What carries a value: every element whose own text, attribute or picture says it.
fn carriers_of(tree: &Tree, value: &str) -> BTreeSet<&'static str> {
    let wanted = fold_text(value);
    let mut found = BTreeSet::new();
    if wanted.is_empty() {
        return found;
    }
    for (id, element) in tree.ids().filter_map(|id| Some((id, tree.element(id)?))) {
        let says = |text: &str| fold_text(text).contains(&wanted);
        let attribute = |name: &str| element.attribute(name).is_some_and(says);
        match element.name() {
            "meta" if attribute("content") => drop(found.insert("meta")),
            "img" if attribute("alt") => drop(found.insert("image")),
            name if has_text(tree, id) && says(&tree.string_value(id)) => {
                found.insert(carrier(name));
            }
            _ => {}
        }
    }
    // Whatever has a name of its own need not be counted as anything else.
    if found.len() > 1 {
        found.remove("other");
    }
    found
}

fn carrier(name: &str) -> &'static str {
    CARRIERS.into_iter().find(|known| *known == name).unwrap_or("other")
}

/// Whether the element is the innermost around some of its text: `body` carries no title.
fn has_text(tree: &Tree, id: NodeId) -> bool {
    use auslese_markup::Node;
    tree.children(id)
        .any(|child| matches!(tree.node(child), Node::Text(text) if !text.trim().is_empty()))
}

/// How a page uses what mark-up offers.
#[derive(Debug, Default)]
struct Habits {
    meta: bool,
    dublin_core: bool,
    structured_data: bool,
    misplaced_title: bool,
    misused_description: bool,
    formatting: bool,
}

impl Habits {
    fn of(tree: &Tree, institutions: &[&str]) -> Habits {
        let mut habits = Habits::default();
        for (id, element) in tree.ids().filter_map(|id| Some((id, tree.element(id)?))) {
            let lower = |name: &str| element.attribute(name).map(str::to_ascii_lowercase);
            match element.name() {
                "meta" => {
                    let name = lower("name").or_else(|| lower("property")).unwrap_or_default();
                    let content = element.attribute("content").unwrap_or_default();
                    habits.note_meta(&name, content, institutions);
                }
                "script" => {
                    habits.structured_data |=
                        lower("type").is_some_and(|kind| kind.contains("ld+json"));
                }
                "title" if element.is("title") => {
                    habits.misplaced_title |= tree
                        .ancestors(id)
                        .any(|above| tree.element(above).is_some_and(|it| it.is("body")));
                }
                name => {
                    habits.formatting |= FORMATTING.contains(&name);
                    habits.structured_data |= ["itemscope", "typeof", "vocab"]
                        .into_iter()
                        .any(|attribute| element.attribute(attribute).is_some());
                }
            }
        }
        habits
    }

    fn note_meta(&mut self, name: &str, content: &str, institutions: &[&str]) {
        self.meta |= ["author", "description", "keywords"].contains(&name);
        self.dublin_core |= name.starts_with("dc.") || name.starts_with("dcterms.");
        self.structured_data |= name.starts_with("og:") || name.starts_with("article:");
        if name == "description" {
            let said = fold_text(content);
            let is_name = |institution: &&str| {
                let institution = fold_text(institution);
                !said.is_empty() && (said == institution || institution.contains(&said))
            };
            self.misused_description |= institutions.iter().any(is_name)
                || crate::shapes::institutions(content).iter().any(|it| fold_text(it) == said);
        }
    }
}
