//! A rule on a page.
//!
//! A path is walked from left to right. A plain index leads to one node; several indices make a list of
//! what lies behind each; a new variable tries every candidate of its step and keeps those that satisfy
//! the conditions. A condition is tested as soon as all its variables are bound, on the nodes chosen so
//! far as long as its steps are those of the rule, otherwise from the document on. A variable that no
//! condition decides at its own step (because all that mention it wait for another variable) keeps the
//! values for which that other variable is found.
//!
//! Everything is paid from a budget before it is done, so that any rule ends on any page.

use super::budget::HelBudget;
use super::compare::Wanted;
use super::error::{HelCode, HelError};
use super::nsl::Nsl;
use super::properties;
use super::syntax::{
    Axis, Binding, Condition, ConditionSet, End, Index, Item, Op, Operand, Path, Pattern, Pick,
    Shared, Step, Test, Variable,
};
use super::view::HelPage;
use auslese_markup::NodeId;
use std::cell::Cell;

/// What evaluation needs of a rule.
pub(super) struct Plan<'a> {
    pub(super) path: &'a Path,
    pub(super) conditions: &'a [Condition],
    pub(super) guards: &'a [usize],
    pub(super) variables: usize,
}

pub(super) fn evaluate(
    plan: &Plan<'_>,
    page: &HelPage<'_>,
    budget: &mut HelBudget,
) -> Result<Nsl, HelError> {
    let values = vec![0; plan.variables];
    let mut walk = Walk { plan, page, budget, values, trail: Vec::new(), offset: 0 };
    let result = walk.rule();
    let offset = walk.offset;
    result.map_err(|Exhausted| {
        let message = "the rule takes too long on this page";
        HelError::new(HelCode::RuleBudget, offset, message)
    })
}

/// The budget is spent.
#[derive(Debug)]
pub(super) struct Exhausted;

/// A value, and the conditions that were satisfied on the way to it.
struct Found {
    value: Nsl,
    met: ConditionSet,
}

impl Found {
    const NOTHING: Found = Found { value: Nsl::Null, met: ConditionSet::NONE };
}

struct Walk<'a, 't> {
    plan: &'a Plan<'a>,
    page: &'a HelPage<'t>,
    budget: &'a mut HelBudget,
    /// The values of variables that are bound.
    values: Vec<u64>,
    /// The node chosen at each step so far.
    trail: Vec<NodeId>,
    /// Where in the rule the walk is.
    offset: usize,
}

impl<'a> Walk<'a, '_> {
    fn rule(&mut self) -> Result<Nsl, Exhausted> {
        for guard in self.plan.guards {
            if !self.holds(&self.plan.conditions[*guard], Shared::default())? {
                return Ok(Nsl::Null);
            }
        }
        Ok(self.path(self.plan.path, 0, NodeId::DOCUMENT)?.value)
    }

    /// Follows a path from a step on.
    fn path(&mut self, path: &'a Path, from: usize, node: NodeId) -> Result<Found, Exhausted> {
        let length = self.trail.len();
        let found = self.steps(path, from, node);
        self.trail.truncate(length);
        found
    }

    fn steps(&mut self, path: &'a Path, from: usize, mut node: NodeId) -> Result<Found, Exhausted> {
        for (at, step) in path.steps.iter().enumerate().skip(from) {
            self.offset = step.offset.unwrap_or(self.offset);
            let index = match &step.index {
                Index::One(index) => *index,
                Index::All => {
                    let all = self.candidates(node, step)?;
                    return self.list(path, at + 1, all.into_iter().map(Some));
                }
                Index::Items(items) => {
                    let all = self.candidates(node, step)?;
                    let chosen = items.iter().flat_map(|item| item.of(&all));
                    return self.list(path, at + 1, chosen);
                }
                Index::Variable(variable) => match &variable.binding {
                    Some(binding) => return self.variable(path, at, node, variable, binding),
                    None => self.values[variable.slot],
                },
            };
            match self.candidate(node, step, index)? {
                Some(next) => node = next,
                None => return Ok(Found::NOTHING),
            }
            self.trail.push(node);
        }
        self.end(&path.end, node)
    }

    fn end(&mut self, end: &'a End, node: NodeId) -> Result<Found, Exhausted> {
        match end {
            End::Value { property, ops } => {
                self.budget.evaluation()?;
                self.budget.read(properties::cost(self.page, node, property))?;
                let value = properties::value(self.page, node, property);
                let mut value = value.map_or(Nsl::Null, Nsl::Text);
                for op in ops {
                    value = self.apply(op, value)?;
                }
                Ok(Found { value, met: ConditionSet::NONE })
            }
            End::Fork(branches) => {
                let mut found = Found { value: Nsl::Null, met: ConditionSet::NONE };
                let mut members = Vec::with_capacity(branches.len());
                for branch in branches {
                    let branch = self.path(branch, 0, node)?;
                    members.push(branch.value);
                    found.met = found.met.union(branch.met);
                }
                found.value = Nsl::List(members);
                Ok(found)
            }
        }
    }

    /// One entry for each node; none for one that is not there.
    fn list(
        &mut self,
        path: &'a Path,
        from: usize,
        nodes: impl Iterator<Item = Option<NodeId>>,
    ) -> Result<Found, Exhausted> {
        let mut members = Vec::new();
        let mut met = ConditionSet::NONE;
        for node in nodes {
            self.budget.evaluation()?;
            let Some(node) = node else {
                members.push(Nsl::Null);
                continue;
            };
            self.trail.push(node);
            let found = self.path(path, from, node)?;
            self.trail.pop();
            members.push(found.value);
            met = met.union(found.met);
        }
        Ok(Found { value: Nsl::List(members), met })
    }

    /// Tries every candidate of a step.
    fn variable(
        &mut self,
        path: &'a Path,
        at: usize,
        node: NodeId,
        variable: &'a Variable,
        binding: &'a Binding,
    ) -> Result<Found, Exhausted> {
        let candidates = self.candidates(node, &path.steps[at])?;
        let (mut members, mut met) = (Vec::new(), ConditionSet::NONE);
        let mut satisfying = 0;
        for (index, candidate) in candidates.into_iter().enumerate() {
            self.budget.evaluation()?;
            self.values[variable.slot] = index as u64;
            self.trail.push(candidate);
            let found = self.candidate_value(path, at + 1, candidate, binding);
            self.trail.pop();
            let Some(found) = found? else { continue };
            met = met.union(found.met);
            match variable.pick {
                Pick::All => members.push(found.value),
                Pick::Nth(wanted) if satisfying == wanted => {
                    return Ok(Found { value: found.value, met });
                }
                Pick::Nth(_) => satisfying += 1,
            }
        }
        let value = match variable.pick {
            Pick::All => Nsl::List(members),
            Pick::Nth(_) => Nsl::Null,
        };
        Ok(Found { value, met })
    }

    /// What lies behind a candidate, if it satisfies the conditions.
    fn candidate_value(
        &mut self,
        path: &'a Path,
        from: usize,
        node: NodeId,
        binding: &'a Binding,
    ) -> Result<Option<Found>, Exhausted> {
        let mut met = ConditionSet::NONE;
        for completed in &binding.completes {
            let condition = &self.plan.conditions[completed.condition];
            if !self.holds(condition, completed.shared)? {
                return Ok(None);
            }
            met = met.with(completed.condition);
        }
        let mut found = self.path(path, from, node)?;
        if !found.met.contains_all(binding.awaits) {
            return Ok(None);
        }
        found.met = found.met.union(met);
        Ok(Some(found))
    }

    fn holds(&mut self, condition: &'a Condition, shared: Shared) -> Result<bool, Exhausted> {
        let offset = self.offset;
        let left = self.side(&condition.left, shared.left)?;
        let holds = match &condition.test {
            Test::Like(pattern) => self.any_match(&left, pattern, true)?,
            Test::Unlike(pattern) => self.any_match(&left, pattern, false)?,
            Test::Equal(operand) => {
                self.compare(&left, operand, shared, Comparison::Equal(true))?
            }
            Test::Unequal(operand) => {
                self.compare(&left, operand, shared, Comparison::Equal(false))?
            }
            Test::Ordered(order, operand) => {
                self.compare(&left, operand, shared, Comparison::Ordered(*order))?
            }
        };
        self.offset = offset;
        Ok(holds)
    }

    /// The value of a path of a condition, from the last step on that it shares with the rule.
    fn side(&mut self, path: &'a Path, shared: usize) -> Result<Nsl, Exhausted> {
        let node = match shared {
            0 => NodeId::DOCUMENT,
            _ => self.trail[shared - 1],
        };
        Ok(self.path(path, shared, node)?.value)
    }

    fn compare(
        &mut self,
        left: &Nsl,
        operand: &'a Operand,
        shared: Shared,
        comparison: Comparison,
    ) -> Result<bool, Exhausted> {
        let right;
        let wanted = match operand {
            Operand::Text(text) => Wanted::Text(text),
            Operand::Number { written, value } => Wanted::Number(written, *value),
            Operand::Path(path) => {
                right = self.side(path, shared.right)?;
                Wanted::Found(&right)
            }
        };
        self.budget.read(wanted.pairs(left))?;
        Ok(match comparison {
            Comparison::Equal(equal) => wanted.any_equal(left, equal),
            Comparison::Ordered(order) => wanted.any_ordered(left, order),
        })
    }

    fn any_match(
        &mut self,
        value: &Nsl,
        pattern: &Pattern,
        wanted: bool,
    ) -> Result<bool, Exhausted> {
        for text in value.texts() {
            self.budget.search(text.len(), pattern)?;
            if pattern.regex.is_match(text) == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn apply(&mut self, op: &Op, value: Nsl) -> Result<Nsl, Exhausted> {
        value.try_map(&mut |text| match op {
            Op::Match(pattern) => {
                self.budget.search(text.len(), pattern)?;
                (1..pattern.regex.captures_len()).try_for_each(|_| self.budget.evaluation())?;
                Ok(first_match(pattern, &text))
            }
            Op::Split(pattern) => {
                self.budget.search(text.len(), pattern)?;
                split(pattern, &text, self.budget)
            }
        })
    }

    fn candidates(&mut self, node: NodeId, step: &Step) -> Result<Vec<NodeId>, Exhausted> {
        self.budget.evaluation()?;
        match step.axis {
            Axis::Following => {
                let all = self.page.following(node, &step.name);
                self.budget.read(all.len() as u64)?;
                Ok(all.to_vec())
            }
            Axis::Child => {
                let passed = Cell::new(0);
                let all = self.page.children_named(node, &step.name, &passed).collect();
                self.budget.read(passed.get())?;
                Ok(all)
            }
        }
    }

    fn candidate(
        &mut self,
        node: NodeId,
        step: &Step,
        index: u64,
    ) -> Result<Option<NodeId>, Exhausted> {
        self.budget.evaluation()?;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        match step.axis {
            Axis::Following => Ok(self.page.following(node, &step.name).get(index).copied()),
            Axis::Child => {
                let passed = Cell::new(0);
                let found = self.page.children_named(node, &step.name, &passed).nth(index);
                self.budget.read(passed.get())?;
                Ok(found)
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Comparison {
    Equal(bool),
    Ordered(super::syntax::Order),
}

impl Item {
    /// The nodes it means: a range covers those that exist, an index that does not exist is a gap.
    fn of(self, all: &[NodeId]) -> Vec<Option<NodeId>> {
        let position = |index: u64| usize::try_from(index).unwrap_or(usize::MAX);
        match self {
            Item::One(index) => vec![all.get(position(index)).copied()],
            Item::Range { from, to } => {
                let end = to.map_or(all.len(), |to| position(to).saturating_add(1).min(all.len()));
                let nodes = all.get(position(from)..end).unwrap_or(&[]);
                nodes.iter().copied().map(Some).collect()
            }
        }
    }
}

/// The whole match, or what its groups hold: one as a text, several as a list.
fn first_match(pattern: &Pattern, text: &str) -> Nsl {
    let Some(captures) = pattern.regex.captures(text) else { return Nsl::Null };
    let group = |at: usize| captures.get(at).map_or(Nsl::Null, |it| Nsl::text(it.as_str()));
    match captures.len() {
        1 => group(0),
        2 => group(1),
        groups => Nsl::List((1..groups).map(group).collect()),
    }
}

/// The parts without white space at their ends; empty ones at the end are left out.
fn split(pattern: &Pattern, text: &str, budget: &mut HelBudget) -> Result<Nsl, Exhausted> {
    let mut parts = Vec::new();
    for part in pattern.regex.split(text) {
        budget.evaluation()?;
        parts.push(part.trim());
    }
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    Ok(Nsl::List(parts.into_iter().map(Nsl::text).collect()))
}
