//! Walks the steps of a path.
//!
//! Predicates are asked while the axis is walked, so that `[1]` ends the walk; only `last()` needs
//! all candidates first. Where no predicate counts positions, a node is found once even if it can
//! be reached from many: nested subtrees are walked once, chains of ancestors and siblings until
//! they meet one that was walked already. So each step takes linear time.

use super::axes::{AxisNodes, after_subtree, passes};
use super::element_tests::TextTest;
use super::evaluate::{Context, Evaluated, Evaluator};
use super::expression::{Axis, Expr, NameTest, NodeTest, Predicate, Step};
use super::functions::Kind;
use super::needs::attributes_needed;
use super::node::XPathNode;
use super::value::XPathValue;
use crate::names::LocalName;
use crate::tree::{Namespace, NodeId, Tree};

/// Which nodes of a node set are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    All,
    /// At least the first in document order.
    First(usize),
    /// At least one, if there is any.
    Any,
}

/// Steps from more nodes than this remember where they have been.
const FEW_NODES: usize = 16;

/// Sorted, each node once. Most steps yield that anyway.
pub(super) fn in_order(mut nodes: Vec<XPathNode>) -> Vec<XPathNode> {
    if !nodes.is_sorted_by(|left, right| left < right) {
        // What several steps found are several lists in order, which stable sorting merges.
        nodes.sort();
        nodes.dedup();
    }
    nodes
}

impl<'a> Evaluator<'a> {
    pub(super) fn steps(
        &mut self,
        steps: &'a [Step],
        start: Vec<XPathNode>,
        want: Want,
    ) -> Evaluated<Vec<XPathNode>> {
        let mut nodes = start;
        for (index, step) in steps.iter().enumerate() {
            let last = index + 1 == steps.len();
            nodes = self.step(step, nodes, if last { want } else { Want::All })?;
            if nodes.is_empty() {
                break;
            }
        }
        Ok(nodes)
    }

    fn step(
        &mut self,
        step: &'a Step,
        mut from: Vec<XPathNode>,
        want: Want,
    ) -> Evaluated<Vec<XPathNode>> {
        let enough = match want {
            Want::All => usize::MAX,
            Want::First(count) if from.len() == 1 && step.axis.is_forward() => count,
            Want::First(_) => usize::MAX,
            Want::Any => 1,
        };
        let mut seen = None;
        if !step.is_positional() {
            self.without_covered(step.axis, &mut from)?;
            if from.len() > FEW_NODES && walks_meet(step.axis) {
                let seen = seen.insert(Seen::new(self.tree));
                self.budget.spend(seen.words.len() as u64)?;
            }
        }
        let mut found = Vec::new();
        for node in from {
            self.walk(step, node, enough, seen.as_mut(), &mut found)?;
            if found.len() >= enough {
                break;
            }
        }
        Ok(in_order(found))
    }

    /// Adds what is found along the axis from one node.
    fn walk(
        &mut self,
        step: &'a Step,
        from: XPathNode,
        enough: usize,
        mut seen: Option<&mut Seen>,
        found: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        let start = found.len();
        let streamed = step.predicates.iter().take_while(|it| !it.needs_size()).count();
        let (streamed, rest) = step.predicates.split_at(streamed);
        let mut sieve = Sieve::new(streamed);
        let enough = if rest.is_empty() { enough } else { usize::MAX };
        if let Some((test, questions)) = asked_of_attributes(step)
            && is_anywhere(step, from)
            && enough == usize::MAX
        {
            return self.pick_by_attributes(test, &questions, found);
        }
        let mut nodes = match self.listed(step, from) {
            Some(elements) => match step.predicates.as_slice() {
                [predicate @ Predicate::Test { quick: Some(_), .. }] => {
                    return self.pick(predicate, elements, enough, found);
                }
                _ => AxisNodes::listed(self.tree, elements),
            },
            None => self.along(step.axis, from)?,
        };
        while let Some(node) = match &mut seen {
            None => self.next_of(&mut nodes, step)?,
            Some(seen) => self.next_unseen(&mut nodes, step, seen)?,
        } {
            if sieve.lets_pass(self, node)? {
                found.push(node);
            }
            if sieve.exhausted || found.len() >= enough {
                break;
            }
        }
        if !rest.is_empty() && found.len() > start {
            let candidates = found.split_off(start);
            found.extend(self.filter(rest, candidates)?);
        }
        Ok(())
    }

    /// The elements of the whole document that can pass a step, where the tree has them listed.
    fn listed(&self, step: &Step, from: XPathNode) -> Option<Vec<NodeId>> {
        if !is_anywhere(step, from) {
            return None;
        }
        let elements = match &step.test {
            NodeTest::Name(NameTest { prefix: None, local: Some(name) }) => {
                let named = self.tree.index().named(name);
                let needed = step.predicates.first().and_then(attributes_needed);
                // Of many links few have a `rel`.
                let marked = needed.map(|needed| self.tree.index().attributed(&needed));
                match marked.filter(|marked| 2 * marked.len() < named.len()) {
                    Some(mut marked) => {
                        marked.retain(|id| named.binary_search(id).is_ok());
                        marked
                    }
                    None => named.to_vec(),
                }
            }
            NodeTest::Star => {
                let needed = attributes_needed(step.predicates.first()?)?;
                self.tree.index().attributed(&needed)
            }
            _ => return None,
        };
        Some(elements)
    }

    /// Adds those of some elements for which a predicate holds that asks for no place among them.
    fn pick(
        &mut self,
        predicate: &'a Predicate,
        elements: Vec<NodeId>,
        enough: usize,
        found: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        self.budget.spend(elements.len() as u64)?;
        for node in elements.into_iter().map(XPathNode::Node) {
            if found.len() >= enough {
                break;
            }
            if self.holds(predicate, Context { node, position: 1, size: 1 })? {
                found.push(node);
            }
        }
        Ok(())
    }

    /// Adds the elements of which any of some questions about single attributes is true. Each is asked of those that have
    /// its attribute, so they come attribute by attribute; whoever walks steps puts in order what is found.
    fn pick_by_attributes(
        &mut self,
        predicate: &'a Predicate,
        questions: &[(&'a LocalName, &'a TextTest)],
        found: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        let tree = self.tree;
        for (name, test) in questions {
            for &id in tree.index().with_attribute(name) {
                let node = XPathNode::Node(id);
                let element = tree.element(id).filter(|it| it.name.ns == Namespace::Html);
                let holds = match element {
                    Some(element) => {
                        let (holds, steps) = test.holds_for(element, name);
                        self.budget.spend(steps)?;
                        holds
                    }
                    None => self.holds(predicate, Context { node, position: 1, size: 1 })?,
                };
                if holds {
                    found.push(node);
                }
            }
        }
        Ok(())
    }

    /// The next node that passes the test, unless the walk meets another.
    fn next_unseen(
        &mut self,
        nodes: &mut AxisNodes<'a>,
        step: &Step,
        seen: &mut Seen,
    ) -> Evaluated<Option<XPathNode>> {
        for node in nodes {
            self.budget.node()?;
            if !seen.insert(node) {
                return Ok(None);
            }
            if passes(self.tree, step.axis, &step.test, node) {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    /// Applies predicates to nodes in their order.
    pub(super) fn filter(
        &mut self,
        predicates: &'a [Predicate],
        mut nodes: Vec<XPathNode>,
    ) -> Evaluated<Vec<XPathNode>> {
        for predicate in predicates {
            let size = nodes.len();
            self.budget.spend(size as u64)?;
            let mut kept = Vec::new();
            for (index, node) in nodes.into_iter().enumerate() {
                let at = Context { node, position: index + 1, size };
                if self.holds(predicate, at)? {
                    kept.push(node);
                }
            }
            nodes = kept;
        }
        Ok(nodes)
    }

    fn holds(&mut self, predicate: &'a Predicate, at: Context) -> Evaluated<bool> {
        match predicate {
            Predicate::Nth(place) => Ok(at.position == *place),
            Predicate::FirstFew(count) => Ok(at.position <= *count),
            Predicate::Last => Ok(at.position == at.size),
            Predicate::Test { expr, quick, .. } => {
                if let Some(test) = quick
                    && let Some(holds) = test.holds(self.tree, at.node, self.budget)?
                {
                    return Ok(holds);
                }
                self.holds_test(expr, at)
            }
        }
    }

    /// A number is compared with the position; anything else is true or false.
    fn holds_test(&mut self, expr: &'a Expr, at: Context) -> Evaluated<bool> {
        let place = match expr.kind() {
            Kind::Number => self.number(expr, at)?,
            Kind::Unknown => match self.variable(expr)? {
                XPathValue::Number(place) => *place,
                other => return Ok(other.truth()),
            },
            _ => return self.truth(expr, at),
        };
        Ok(place == at.position as f64)
    }

    /// Leaves out nodes from which nothing can be reached that others do not reach.
    fn without_covered(&mut self, axis: Axis, from: &mut Vec<XPathNode>) -> Evaluated<()> {
        if from.len() < 2 {
            return Ok(());
        }
        match axis {
            Axis::Descendant | Axis::DescendantOrSelf => {
                let mut top: Option<XPathNode> = None;
                let tree = self.tree;
                let mut end = None;
                from.retain(|node| {
                    let covered = top.is_some_and(|top| is_below(*node, top, end));
                    if let (false, XPathNode::Node(id)) = (covered, *node) {
                        top = Some(*node);
                        end = after_subtree(tree, id).map(XPathNode::Node);
                    }
                    !covered
                });
            }
            Axis::Preceding => {
                from.drain(..from.len() - 1);
            }
            Axis::Following => {
                let climbs = from.iter().map(|node| self.tree.depth(node.anchor()) as u64);
                self.budget.spend(climbs.sum())?;
                let earliest =
                    from.iter().copied().min_by_key(|node| first_after(self.tree, *node));
                from.clear();
                from.extend(earliest);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether a node that follows `top` lies before the end of its subtree. An attribute is no
/// descendant, so it is kept for what stands on itself.
fn is_below(node: XPathNode, top: XPathNode, end: Option<XPathNode>) -> bool {
    let is_node = matches!(node, XPathNode::Node(_));
    is_node && node > top && end.is_none_or(|end| node < end)
}

/// Where the following axis begins; `None` is beyond everything.
fn first_after(tree: &Tree, node: XPathNode) -> u64 {
    let first = match node {
        XPathNode::Node(id) => after_subtree(tree, id),
        XPathNode::Attribute { element, .. } => tree.next_in_order(element),
    };
    first.map_or(u64::MAX, |id| u64::from(id.number()))
}

/// Whether a step looks at the whole document.
fn is_anywhere(step: &Step, from: XPathNode) -> bool {
    let is_below = matches!(step.axis, Axis::Descendant | Axis::DescendantOrSelf);
    is_below && from == XPathNode::DOCUMENT
}

/// The only predicate of a step that takes any element, and its questions, if it asks for nothing but attributes.
fn asked_of_attributes(step: &Step) -> Option<(&Predicate, Vec<(&LocalName, &TextTest)>)> {
    match (&step.test, step.predicates.as_slice()) {
        (
            NodeTest::Star,
            [predicate @ Predicate::Test { quick: Some(test), positional: false, .. }],
        ) => Some((predicate, test.questions_about_attributes()?)),
        _ => None,
    }
}

/// Whether two walks that meet go on together.
fn walks_meet(axis: Axis) -> bool {
    matches!(
        axis,
        Axis::Ancestor | Axis::AncestorOrSelf | Axis::FollowingSibling | Axis::PrecedingSibling
    )
}

/// The nodes that were walked over.
struct Seen {
    words: Vec<u64>,
}

impl Seen {
    fn new(tree: &Tree) -> Seen {
        Seen { words: vec![0; tree.len() / 64 + 1] }
    }

    /// Whether the node is new. Attributes always are: walks begin with them but never meet there.
    fn insert(&mut self, node: XPathNode) -> bool {
        let XPathNode::Node(id) = node else { return true };
        let (word, bit) = (id.number() as usize / 64, 1 << (id.number() % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }
}

/// Predicates that are asked one node after the other, each counting what reaches it.
struct Sieve<'a> {
    predicates: &'a [Predicate],
    counts: Vec<usize>,
    /// No further node can pass.
    exhausted: bool,
}

impl<'a> Sieve<'a> {
    fn new(predicates: &'a [Predicate]) -> Sieve<'a> {
        Sieve { predicates, counts: Vec::new(), exhausted: false }
    }

    fn lets_pass(&mut self, evaluator: &mut Evaluator<'a>, node: XPathNode) -> Evaluated<bool> {
        match self.predicates {
            [] => return Ok(true),
            // Such a predicate does not count.
            [Predicate::Test { quick: Some(test), .. }] => {
                if let Some(holds) = test.holds(evaluator.tree, node, evaluator.budget)? {
                    return Ok(holds);
                }
            }
            _ => {}
        }
        // Many walks find nothing that would have to be counted.
        self.counts.resize(self.predicates.len(), 0);
        for (predicate, count) in self.predicates.iter().zip(&mut self.counts) {
            *count += 1;
            // The size is not known yet, and not asked for.
            let at = Context { node, position: *count, size: 0 };
            if predicate.limit() == Some(*count) {
                self.exhausted = true;
            }
            if !evaluator.holds(predicate, at)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
