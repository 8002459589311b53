//! The tree written out as steps that a machine without memory of its past can run.

use super::{MAX_QUERY_STEPS, Tree};
use crate::error::{KwicError, Problem};

/// One step. Where there is a choice, the first way is preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The token must fit the pattern with this number; then on to the next step.
    Token(u8),
    Either(u32, u32),
    Jump(u32),
    Hit,
}

pub(super) fn compile(tree: &Tree, query_length: usize) -> Result<Vec<Step>, KwicError> {
    if size(tree) >= MAX_QUERY_STEPS {
        let problem = Problem::TooManySteps { limit: MAX_QUERY_STEPS };
        return Err(KwicError::new(problem, 0..query_length));
    }
    let mut steps = Vec::new();
    write(tree, &mut steps);
    steps.push(Step::Hit);
    Ok(steps)
}

/// How many steps [`write()`] makes at most.
fn size(tree: &Tree) -> usize {
    match tree {
        Tree::Token(_) => 1,
        Tree::Sequence(parts) => parts.iter().map(size).fold(0, usize::saturating_add),
        Tree::Any(parts) => {
            parts.iter().map(|part| size(part).saturating_add(2)).fold(0, usize::saturating_add)
        }
        Tree::Repeat { of, most, .. } => size(of).saturating_add(1).saturating_mul(*most),
    }
}

fn write(tree: &Tree, steps: &mut Vec<Step>) {
    match tree {
        Tree::Token(number) => {
            steps.push(Step::Token(u8::try_from(*number).expect("there are few patterns")));
        }
        Tree::Sequence(parts) => parts.iter().for_each(|part| write(part, steps)),
        Tree::Any(parts) => write_any(parts, steps),
        Tree::Repeat { of, least, most, is_gap } => {
            (0..*least).for_each(|_| write(of, steps));
            write_optional(of, most - least, *is_gap, steps);
        }
    }
}

fn write_any(parts: &[Tree], steps: &mut Vec<Step>) {
    let mut jumps = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let choice = steps.len();
        let is_last = number + 1 == parts.len();
        if !is_last {
            steps.push(Step::Hit);
        }
        write(part, steps);
        if !is_last {
            jumps.push(steps.len());
            steps.push(Step::Hit);
            steps[choice] = Step::Either(place(choice + 1), place(steps.len()));
        }
    }
    let end = place(steps.len());
    jumps.into_iter().for_each(|jump| steps[jump] = Step::Jump(end));
}

/// Up to `times` more of it; each may be the last.
fn write_optional(of: &Tree, times: usize, is_gap: bool, steps: &mut Vec<Step>) {
    let mut choices = Vec::new();
    for _ in 0..times {
        choices.push(steps.len());
        steps.push(Step::Hit);
        write(of, steps);
    }
    let end = place(steps.len());
    for choice in choices {
        let more = place(choice + 1);
        steps[choice] = if is_gap { Step::Either(end, more) } else { Step::Either(more, end) };
    }
}

fn place(at: usize) -> u32 {
    u32::try_from(at).expect("programs are short")
}
