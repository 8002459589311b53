//! Where a text stands on a page, written as steps of HEL.

use super::properties;
use super::syntax::{NodeName, Property};
use super::view::{HelPage, name_of};
use auslese_markup::{Node, NodeId};
use std::cell::Cell;

/// Nodes of a row whose attributes may become conditions, and how deep they lie.
const ROW_NODES: usize = 200;
const ROW_DEPTH: usize = 4;

/// Longest attribute that becomes a condition.
const CONDITION_BYTES: usize = 80;

/// The way from the root to a node, and the property that has the text.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) steps: Vec<PlaceStep>,
    property: String,
}

#[derive(Debug, Clone)]
pub(super) struct PlaceStep {
    pub(super) name: String,
    pub(super) index: usize,
    pub(super) node: NodeId,
    parent: NodeId,
}

/// What stands in place of a number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spot {
    All,
    From(usize),
    /// A variable, with all its values or as a plain index.
    Variable(&'static str, bool),
}

impl PlaceStep {
    /// How many nodes have the same name and the same parent.
    pub(super) fn fellows(&self, page: &HelPage<'_>) -> usize {
        page.children_named(self.parent, &NodeName::of(&self.name), &Cell::new(0)).count()
    }
}

impl Place {
    /// Whether both have the same steps but for numbers.
    pub(super) fn is_alike(&self, other: &Place) -> bool {
        self.property == other.property
            && self.steps.len() == other.steps.len()
            && self.steps.iter().zip(&other.steps).all(|(one, other)| one.name == other.name)
    }

    /// The rule with some numbers replaced.
    pub(super) fn rule(&self, spots: &[(usize, Spot)]) -> String {
        format!("{}{}", self.path(self.steps.len().saturating_sub(1), spots), self.property)
    }

    /// The steps up to one of them.
    pub(super) fn path(&self, last: usize, spots: &[(usize, Spot)]) -> String {
        let mut path = String::new();
        for (at, step) in self.steps.iter().enumerate().take(last + 1) {
            if at > 0 {
                path.push('.');
            }
            path.push_str(&step.name);
            let spot = spots.iter().find(|(position, _)| *position == at).map(|(_, spot)| spot);
            path.push_str(&match spot {
                Some(Spot::All) => "[*]".to_owned(),
                Some(Spot::From(index)) => format!("[{index}-]"),
                Some(Spot::Variable(name, true)) => format!("[{name}:*]"),
                Some(Spot::Variable(name, false)) => format!("[{name}]"),
                None if step.index == 0 => String::new(),
                None => format!("[{}]", step.index),
            });
        }
        path
    }
}

/// The places of a text: the innermost nodes that have it, and attributes.
pub(super) fn places_of(page: &HelPage<'_>, text: &str, limit: usize) -> Vec<Place> {
    let mut places = Vec::new();
    if text.is_empty() {
        return places;
    }
    for id in page.tree.ids() {
        if places.len() >= limit {
            break;
        }
        let attributes = page.tree.attributes(id).iter();
        let attribute = attributes.clone().find(|it| it.value.trim() == text && is_word(it.name()));
        if let Some(attribute) = attribute {
            places.extend(place(page, id, format!(".getAttr({})", attribute.name())));
        }
        // A text that is all of its parent is better known by its parent.
        let is_whole =
            |node| properties::value(page, node, &Property::Text).as_deref() == Some(text);
        let innermost = may_hold(page, id, text)
            && is_whole(id)
            && !page
                .children(id)
                .any(|child| page.tree.element(child).is_some() && is_whole(child));
        if innermost && !(page.tree.element(id).is_none() && has_whole_parent(page, id, text)) {
            places.extend(place(page, id, ".txt".to_owned()));
        }
    }
    places
}

/// A quick look before texts are put together: only nodes whose text cannot be much longer count.
fn may_hold(page: &HelPage<'_>, id: NodeId, text: &str) -> bool {
    match page.tree.node(id) {
        Node::Text(_) => page.is_piece(id),
        Node::Element(_) => {
            let mut bytes = 0;
            page.tree.subtree(id).all(|node| {
                if let Node::Text(part) = page.tree.node(node) {
                    bytes += part.split_whitespace().map(str::len).sum::<usize>();
                }
                bytes <= text.len()
            })
        }
        _ => false,
    }
}

fn has_whole_parent(page: &HelPage<'_>, id: NodeId, text: &str) -> bool {
    page.tree.parent(id).is_some_and(|parent| {
        properties::value(page, parent, &Property::Text).as_deref() == Some(text)
    })
}

/// The steps to a node; sections of tables are looked through.
fn place(page: &HelPage<'_>, node: NodeId, property: String) -> Option<Place> {
    let mut steps = Vec::new();
    let mut at = node;
    while at != NodeId::DOCUMENT {
        let name = match page.tree.node(at) {
            Node::Element(element) => match name_of(element) {
                NodeName::Tag(tag) => tag,
                NodeName::Text => return None,
            },
            Node::Text(_) => "pcdata".to_owned(),
            _ => return None,
        };
        let mut parent = page.tree.parent(at)?;
        let table = page.tree.parent(parent);
        if name == "tr"
            && page.is_section(parent)
            && let Some(table) = table
        {
            parent = table;
        }
        let step_name = NodeName::of(&name);
        let passed = Cell::new(0);
        let index =
            page.children_named(parent, &step_name, &passed).position(|child| child == at)?;
        if !is_word(&name) {
            return None;
        }
        steps.push(PlaceStep { name, index, node: at, parent });
        at = parent;
    }
    steps.reverse();
    Some(Place { steps, property })
}

/// Whether a name can be written in a rule.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Conditions that the attributes of a row and of what is in it satisfy, from the row on.
pub(super) fn attributes_below(page: &HelPage<'_>, row: NodeId) -> Vec<String> {
    let mut conditions = Vec::new();
    for node in page.tree.subtree(row).take(ROW_NODES) {
        let Some(element) = page.tree.element(node) else { continue };
        let Some(way) = way(page, row, node) else { continue };
        for attribute in element.attributes() {
            let (name, value) = (attribute.name(), attribute.value.as_str());
            if is_word(name) && !value.trim().is_empty() && value.len() <= CONDITION_BYTES {
                let value = value.replace('\\', "\\\\").replace('\'', "\\'");
                conditions.push(format!("{way}.getAttr({name}) = '{value}'"));
            }
        }
    }
    conditions
}

/// The steps from a row to a node in it.
fn way(page: &HelPage<'_>, row: NodeId, node: NodeId) -> Option<String> {
    if page.tree.depth(node) > page.tree.depth(row) + ROW_DEPTH {
        return None;
    }
    let from = page.tree.depth(row) + 1;
    let place = place(page, node, String::new())?;
    let below = place.steps.iter().position(|step| step.node == row).map_or(from, |at| at + 1);
    let mut way = String::new();
    for step in place.steps.iter().skip(below) {
        way.push('.');
        way.push_str(&step.name);
        if step.index > 0 {
            way.push_str(&format!("[{}]", step.index));
        }
    }
    Some(way)
}
