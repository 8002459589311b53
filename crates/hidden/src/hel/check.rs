//! What is known about the variables of a rule before any page is seen.
//!
//! A path is walked from left to right, so it is known where each variable is bound, which conditions
//! have all their variables there, and how many steps these have in common with the path. Each variable
//! must occur in a condition, and each condition must be testable somewhere.

use super::error::{HelCode, HelError, HelWarning};
use super::syntax::{
    Binding, Completed, Condition, ConditionSet, End, Index, Path, Shared, Step, Variable,
};
use std::collections::BTreeSet;

/// What the check adds to the parts of a rule.
pub(super) struct Checked {
    pub(super) variables: usize,
    /// Conditions without variables.
    pub(super) guards: Vec<usize>,
    pub(super) warnings: Vec<HelWarning>,
}

/// Numbers the variables and says at each step that binds one what can be tested there.
pub(super) fn check(path: &mut Path, conditions: &mut [Condition]) -> Result<Checked, HelError> {
    let mut names = Vec::new();
    path.each_step_mut(&mut |step| {
        if let Index::Variable(variable) = &mut step.index {
            variable.slot = slot_of(&mut names, &variable.name);
        }
    });
    every_variable_has_a_condition(path, conditions)?;
    let needs = conditions
        .iter_mut()
        .map(|condition| variables_of(condition, &names))
        .collect::<Result<Vec<_>, _>>()?;
    let mut pass = Pass {
        conditions,
        needs: &needs,
        trail: Vec::new(),
        bound: BTreeSet::new(),
        tested: vec![false; needs.len()],
        warnings: Vec::new(),
    };
    pass.path(path)?;
    let Pass { tested, warnings, .. } = pass;
    let guards: Vec<usize> = (0..needs.len()).filter(|at| needs[*at].is_empty()).collect();
    for (at, condition) in conditions.iter().enumerate() {
        if !tested[at] && !guards.contains(&at) {
            let message = "the variables of the condition never meet on one way through the rule";
            return Err(HelError::new(HelCode::Unbound, condition.offset, message));
        }
    }
    Ok(Checked { variables: names.len(), guards, warnings })
}

fn slot_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

fn every_variable_has_a_condition(path: &Path, conditions: &[Condition]) -> Result<(), HelError> {
    let mut in_conditions = BTreeSet::new();
    for path in conditions.iter().flat_map(Condition::paths) {
        path.each_step(&mut |step| {
            in_conditions.extend(step.variable().map(|variable| variable.name.as_str()));
        });
    }
    let mut missing = None;
    path.each_step(&mut |step| {
        let variable = step.variable().filter(|it| !in_conditions.contains(it.name.as_str()));
        missing = missing.take().or(variable.map(|variable| no_condition(step, variable)));
    });
    missing.map_or(Ok(()), Err)
}

fn no_condition(step: &Step, variable: &Variable) -> HelError {
    let message = format!("the variable {} has no condition", variable.name);
    HelError::new(HelCode::NoCondition, step.offset.unwrap_or(0), message)
}

/// The variables of a condition, which all must be variables of the path.
fn variables_of(condition: &mut Condition, names: &[String]) -> Result<BTreeSet<usize>, HelError> {
    let mut slots = BTreeSet::new();
    let mut unbound = None;
    for path in condition.paths_mut() {
        path.each_step_mut(&mut |step| {
            let Index::Variable(variable) = &mut step.index else { return };
            match names.iter().position(|name| *name == variable.name) {
                Some(slot) => {
                    variable.slot = slot;
                    slots.insert(slot);
                }
                None => {
                    let message = format!("the path has no variable {}", variable.name);
                    let offset = step.offset.unwrap_or(0);
                    unbound.get_or_insert(HelError::new(HelCode::Unbound, offset, message));
                }
            }
        });
    }
    unbound.map_or(Ok(slots), Err)
}

/// A walk along all ways through a rule.
struct Pass<'a> {
    conditions: &'a [Condition],
    /// The variables of each condition.
    needs: &'a [BTreeSet<usize>],
    /// The steps up to here.
    trail: Vec<Step>,
    bound: BTreeSet<usize>,
    tested: Vec<bool>,
    warnings: Vec<HelWarning>,
}

impl Pass<'_> {
    fn path(&mut self, path: &mut Path) -> Result<(), HelError> {
        let (length, bound) = (self.trail.len(), self.bound.clone());
        let later = variables_from_each_step(path);
        for (step, later) in path.steps.iter_mut().zip(later) {
            self.trail.push(step.clone());
            let at = step.clone();
            if let Index::Variable(variable) = &mut step.index
                && self.bound.insert(variable.slot)
            {
                variable.binding = Some(self.binding(&at, variable, &later)?);
            }
        }
        if let End::Fork(branches) = &mut path.end {
            for branch in branches {
                self.path(branch)?;
            }
        }
        self.trail.truncate(length);
        self.bound = bound;
        Ok(())
    }

    fn binding(
        &mut self,
        step: &Step,
        variable: &Variable,
        later: &BTreeSet<usize>,
    ) -> Result<Binding, HelError> {
        let mut binding = Binding::default();
        let possible: BTreeSet<usize> = self.bound.union(later).copied().collect();
        for (condition, needs) in self.needs.iter().enumerate() {
            if !needs.contains(&variable.slot) {
                continue;
            }
            if needs.is_subset(&self.bound) {
                self.tested[condition] = true;
                let shared = self.shared(&self.conditions[condition]);
                binding.completes.push(Completed { condition, shared });
            } else if needs.is_subset(&possible) {
                binding.awaits = binding.awaits.with(condition);
            }
        }
        match binding.completes.len() {
            0 if binding.awaits == ConditionSet::default() => {
                return Err(no_condition(step, variable));
            }
            0 | 1 => {}
            count => self.warnings.push(HelWarning::new(
                "W_SEVERAL_CONDITIONS",
                step.offset.unwrap_or(0),
                format!("the variable {} has {count} conditions; all must hold", variable.name),
            )),
        }
        if !binding.completes.is_empty() {
            binding.awaits = ConditionSet::default();
        }
        Ok(binding)
    }

    fn shared(&self, condition: &Condition) -> Shared {
        let common = |path: &Path| {
            let pairs = path.steps.iter().zip(&self.trail);
            pairs.take_while(|(own, rule)| own.is_same(rule)).count()
        };
        Shared { left: common(&condition.left), right: condition.test.path().map_or(0, common) }
    }
}

/// For each step of a path, the variables that occur behind it.
fn variables_from_each_step(path: &Path) -> Vec<BTreeSet<usize>> {
    let mut later = BTreeSet::new();
    if let End::Fork(branches) = &path.end {
        for branch in branches {
            branch.each_step(&mut |step| later.extend(step.variable().map(|it| it.slot)));
        }
    }
    let mut sets = Vec::with_capacity(path.steps.len());
    for step in path.steps.iter().rev() {
        sets.push(later.clone());
        later.extend(step.variable().map(|variable| variable.slot));
    }
    sets.reverse();
    sets
}
