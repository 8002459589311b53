//! Nodes that belong together because they follow each other: the two constructions of the CARMEN
//! title heuristic, `runs` and `alike`.

use auslese_markup::{Node, NodeId, Tree};

/// Cuts a list of nodes into maximal runs in which each is the immediate predecessor of the next.
pub(super) fn runs(tree: &Tree, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut runs: Vec<Vec<NodeId>> = Vec::new();
    for &node in nodes {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| precedes(tree, *last, node)) => {
                run.push(node);
            }
            _ => runs.push(vec![node]),
        }
    }
    runs
}

/// The longest prefix in which neighbours have the same element name, parents of the same element
/// name, and the parent of one is the immediate predecessor of the parent of the next.
///
/// Two nodes in one parent end it: no node is its own predecessor.
pub(super) fn alike<'n>(tree: &Tree, nodes: &'n [NodeId]) -> &'n [NodeId] {
    let goes_on = |pair: &&[NodeId]| belong_together(tree, pair[0], pair[1]);
    let length = nodes.windows(2).take_while(goes_on).count() + 1;
    &nodes[..length.min(nodes.len())]
}

fn belong_together(tree: &Tree, one: NodeId, next: NodeId) -> bool {
    let (Some(parent), Some(next_parent)) = (tree.parent(one), tree.parent(next)) else {
        return false;
    };
    same_name(tree, one, next)
        && same_name(tree, parent, next_parent)
        && precedes(tree, parent, next_parent)
}

fn same_name(tree: &Tree, one: NodeId, other: NodeId) -> bool {
    match (tree.element(one), tree.element(other)) {
        (Some(one), Some(other)) => {
            one.name() == other.name() && one.namespace() == other.namespace()
        }
        _ => false,
    }
}

/// Whether a node is the immediate predecessor of another: its sibling, with nothing but white space
/// and comments between them.
fn precedes(tree: &Tree, one: NodeId, next: NodeId) -> bool {
    let mut between = tree.next_sibling(one);
    while let Some(node) = between {
        if node == next {
            return true;
        }
        match tree.node(node) {
            Node::Comment(_) => {}
            Node::Text(text) if text.trim().is_empty() => {}
            _ => return false,
        }
        between = tree.next_sibling(node);
    }
    false
}
