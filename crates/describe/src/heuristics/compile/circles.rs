//! Names that explain each other in a circle, and chains of names that are too long.
//!
//! Evaluation follows names by recursion, so this check is what bounds its depth.

use crate::heuristics::code::{
    ClauseCode, ConditionCode, ConditionIs, Program, QuantityCode, SourceCode, StepCode, ValueCode,
    ValueIs, XPathCode,
};
use crate::heuristics::faults::{HeuristicsError, Span};

/// Expressions within expressions, counted through the names they mention.
pub const MAX_CHAIN: usize = 256;

pub(super) fn check(program: &Program, faults: &mut Vec<HeuristicsError>) {
    let mut walk = Walk {
        program,
        lets: vec![Depth::Unknown; program.lets.len()],
        heuristics: vec![Depth::Unknown; program.heuristics.len()],
        path: Vec::new(),
        fault: None,
    };
    for number in 0..program.lets.len() {
        walk.binding(number);
    }
    for number in 0..program.heuristics.len() {
        walk.heuristic(number);
    }
    faults.extend(walk.fault);
}

#[derive(Clone, Copy)]
enum Depth {
    Unknown,
    UnderWay,
    Known(usize),
}

/// Depths are counted from below: a name is one deeper than what it mentions.
struct Walk<'a> {
    program: &'a Program,
    lets: Vec<Depth>,
    heuristics: Vec<Depth>,
    /// The names that are being followed.
    path: Vec<(String, Span)>,
    fault: Option<HeuristicsError>,
}

impl Walk<'_> {
    fn binding(&mut self, number: usize) -> usize {
        let it = &self.program.lets[number];
        match self.lets[number] {
            Depth::Known(depth) => return depth,
            Depth::UnderWay => return self.circle(&it.name),
            Depth::Unknown => {}
        }
        if !self.enter(&it.name, it.value.span) {
            return 0;
        }
        self.lets[number] = Depth::UnderWay;
        let depth = self.value(&it.value) + 1;
        self.lets[number] = Depth::Known(depth);
        self.leave(depth)
    }

    fn heuristic(&mut self, number: usize) -> usize {
        let it = &self.program.heuristics[number];
        let name = format!("chosen(\"{}\")", it.field);
        match self.heuristics[number] {
            Depth::Known(depth) => return depth,
            Depth::UnderWay => return self.circle(&name),
            Depth::Unknown => {}
        }
        if !self.enter(&name, it.rules[0].span) {
            return 0;
        }
        self.heuristics[number] = Depth::UnderWay;
        let groups = self.clauses(&it.clauses);
        let rules = it.rules.iter().map(|rule| {
            let parts = rule.parts.iter().map(|part| self.value(part)).max();
            self.condition(&rule.condition).max(parts.unwrap_or(0))
        });
        let rules = rules.max().unwrap_or(0);
        let remarks = it.remarks.iter().map(|remark| self.condition(&remark.condition)).max();
        let depth = groups.max(rules).max(remarks.unwrap_or(0)) + 1;
        self.heuristics[number] = Depth::Known(depth);
        self.leave(depth)
    }

    fn clauses(&mut self, clauses: &[ClauseCode]) -> usize {
        let depths = clauses.iter().map(|clause| match clause {
            ClauseCode::Group { condition, clauses } => {
                self.condition(condition).max(self.clauses(clauses)) + 1
            }
            ClauseCode::Rule(_) | ClauseCode::Remark(_) => 0,
        });
        depths.max().unwrap_or(0)
    }

    fn value(&mut self, value: &ValueCode) -> usize {
        let inside = match &value.is {
            ValueIs::Let(number) => self.binding(*number),
            ValueIs::Nameless(number) => self.value(&self.program.nameless[*number]),
            ValueIs::Source(SourceCode::Chosen(number)) => self.heuristic(*number),
            ValueIs::FirstOf(members) | ValueIs::AllOf(members) => {
                members.iter().map(|member| self.value(member)).max().unwrap_or(0)
            }
            ValueIs::Steps(source, steps) => {
                let steps = steps.iter().map(|step| self.step(step)).max().unwrap_or(0);
                self.value(source).max(steps)
            }
            ValueIs::XPath(path) => self.variables(path),
            ValueIs::Texts(_) | ValueIs::It | ValueIs::Source(_) => 0,
        };
        inside + 1
    }

    fn variables(&mut self, path: &XPathCode) -> usize {
        path.variables.iter().map(|(_, number)| self.binding(*number)).max().unwrap_or(0)
    }

    fn step(&mut self, step: &StepCode) -> usize {
        match step {
            StepCode::At(path) => self.variables(path),
            StepCode::Where(condition) => self.condition(condition),
            StepCode::Without(value) | StepCode::After(value) => self.value(value),
            _ => 0,
        }
    }

    fn condition(&mut self, condition: &ConditionCode) -> usize {
        let inside = match &condition.is {
            ConditionIs::Always => 0,
            ConditionIs::Present(value)
            | ConditionIs::Matches(value, _)
            | ConditionIs::Is(value, ..) => self.value(value),
            ConditionIs::Compare(left, _, right) | ConditionIs::Like(left, right, _) => {
                self.value(left).max(self.value(right))
            }
            ConditionIs::Numbers(left, _, right) => self.quantity(left).max(self.quantity(right)),
            ConditionIs::Not(inside) => self.condition(inside),
            ConditionIs::And(members) | ConditionIs::Or(members) => {
                members.iter().map(|member| self.condition(member)).max().unwrap_or(0)
            }
        };
        inside + 1
    }

    fn quantity(&mut self, quantity: &QuantityCode) -> usize {
        match quantity {
            QuantityCode::Number(_) => 0,
            QuantityCode::Measure(_, value) => self.value(value),
        }
    }

    /// Whether the walk may follow another name.
    fn enter(&mut self, name: &str, span: Span) -> bool {
        if self.fault.is_some() {
            return false;
        }
        if self.path.len() == MAX_CHAIN {
            self.too_long(span);
            return false;
        }
        self.path.push((name.to_owned(), span));
        true
    }

    fn leave(&mut self, depth: usize) -> usize {
        if let Some((_, span)) = self.path.pop()
            && depth > MAX_CHAIN
            && self.fault.is_none()
        {
            self.too_long(span);
        }
        depth
    }

    fn too_long(&mut self, span: Span) {
        let message = format!("expressions lie more than {MAX_CHAIN} deep in each other");
        self.fault = Some(self.program.files[span.file as usize].fault(span.start, message));
    }

    fn circle(&mut self, name: &str) -> usize {
        if self.fault.is_none() {
            let from = self.path.iter().position(|(known, _)| known == name).unwrap_or(0);
            let names = self.path[from..].iter().map(|(known, _)| known.as_str());
            let round: Vec<&str> = names.chain([name]).collect();
            let message = format!("{name} is explained by itself: {}", round.join(" → "));
            let span = self.path.get(from).map_or(Span::default(), |(_, span)| *span);
            self.fault = Some(self.program.files[span.file as usize].fault(span.start, message));
        }
        0
    }
}
