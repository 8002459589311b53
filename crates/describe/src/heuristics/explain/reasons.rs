//! Why a condition does not hold: its innermost part that is false, with the values compared.

use super::SHOWN_ITEMS;
use crate::heuristics::code::{ConditionCode, ConditionIs, QuantityCode, ValueCode};
use crate::heuristics::evaluate::{Evaluated, Evaluation, Item, Value, quoted};
use crate::heuristics::syntax::{Kind, Relation};
use std::rc::Rc;

impl Evaluation<'_> {
    /// The innermost parts of a condition that make it false.
    pub(super) fn why_not(
        &self,
        condition: &ConditionCode,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<String> {
        let source = self.program.source(condition.span);
        Ok(match &condition.is {
            ConditionIs::Always => String::new(),
            ConditionIs::Present(value) => match self.value(value, it)?.len() {
                0 => format!("{} is absent", self.program.source(value.span)),
                _ => format!("{} is empty", self.program.source(value.span)),
            },
            ConditionIs::Compare(left, relation, right) => {
                let (left, right) = (self.shown(left, it)?, self.shown(right, it)?);
                format!("{source}: {left} {} {right}", is_not(*relation))
            }
            ConditionIs::Matches(value, _) => {
                format!("{source}: {} does not match", self.shown(value, it)?)
            }
            ConditionIs::Is(value, kind, _) => {
                format!("{source}: {} is {}", self.shown(value, it)?, no(*kind))
            }
            ConditionIs::Like(left, right, least) => {
                let best = self.best_likeness(left, right, it)?;
                let (left, right) = (self.shown(left, it)?, self.shown(right, it)?);
                format!("{source}: {left} is like {right} by {best:.2}, not {least:.2}")
            }
            ConditionIs::Numbers(left, _, right) => {
                let (left, right) = (self.number(left, it)?, self.number(right, it)?);
                format!("{source}: {left} against {right}")
            }
            ConditionIs::Not(inside) => format!("{source}: {}", self.why(inside, it)?),
            ConditionIs::And(members) => {
                for member in members {
                    if !self.holds(member, it)? {
                        return self.why_not(member, it);
                    }
                }
                String::new()
            }
            ConditionIs::Or(members) => {
                let reasons: Evaluated<Vec<String>> =
                    members.iter().map(|member| self.why_not(member, it)).collect();
                reasons?.join("; and ")
            }
        })
    }

    /// The same for a condition that holds where it should not.
    fn why(&self, condition: &ConditionCode, it: Option<&Rc<Item>>) -> Evaluated<String> {
        Ok(match &condition.is {
            ConditionIs::Present(value) => format!("it is {}", self.shown(value, it)?),
            ConditionIs::Compare(left, _, right) | ConditionIs::Like(left, right, _) => {
                format!("{} and {}", self.shown(left, it)?, self.shown(right, it)?)
            }
            ConditionIs::Matches(value, _) | ConditionIs::Is(value, ..) => {
                format!("{} does", self.shown(value, it)?)
            }
            ConditionIs::Numbers(left, _, right) => {
                format!("{} against {}", self.number(left, it)?, self.number(right, it)?)
            }
            ConditionIs::Not(inside) => self.why_not(inside, it)?,
            ConditionIs::Or(members) => {
                for member in members {
                    if self.holds(member, it)? {
                        return self.why(member, it);
                    }
                }
                String::new()
            }
            ConditionIs::Always | ConditionIs::And(_) => {
                format!("{} holds", self.program.source(condition.span))
            }
        })
    }

    /// The texts of a value, a few of them.
    fn shown(&self, value: &ValueCode, it: Option<&Rc<Item>>) -> Evaluated<String> {
        let value = self.value(value, it)?;
        Ok(shown_items(self, &value))
    }

    fn number(&self, quantity: &QuantityCode, it: Option<&Rc<Item>>) -> Evaluated<String> {
        let numbers = self.quantities(quantity, it)?;
        let told: Vec<String> = numbers.iter().take(SHOWN_ITEMS).map(f64::to_string).collect();
        Ok(if told.is_empty() { "nothing".to_owned() } else { told.join(", ") })
    }

    fn best_likeness(
        &self,
        left: &ValueCode,
        right: &ValueCode,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<f64> {
        let (left, right) = (self.value(left, it)?, self.value(right, it)?);
        let mut best: f64 = 0.0;
        for one in left.iter() {
            for other in right.iter() {
                best = best.max(self.like(one, other)?);
            }
        }
        Ok(best)
    }
}

fn shown_items(evaluation: &Evaluation<'_>, value: &Value) -> String {
    let shown = value.iter().take(SHOWN_ITEMS).map(|item| quoted(evaluation.text(item)));
    let mut told = shown.collect::<Vec<_>>().join(", ");
    match value.len() {
        0 => told.push_str("nothing"),
        1..=SHOWN_ITEMS => {}
        count => told.push_str(&format!(" … {count} in all")),
    }
    told
}

fn is_not(relation: Relation) -> &'static str {
    match relation {
        Relation::Equals => "is not",
        Relation::Same => "is not the same as",
        Relation::Contains => "does not contain",
        Relation::Mentions => "does not mention",
        Relation::StartsWith => "does not start with",
        Relation::EndsWith => "does not end with",
        Relation::In => "is not one of",
        Relation::Inside => "is not inside",
        Relation::Before => "is not before",
        Relation::After => "is not after",
    }
}

fn no(kind: Kind) -> &'static str {
    match kind {
        Kind::Generic => "not generic",
        Kind::Name => "no name",
        Kind::Organisation => "no organisation",
        Kind::Boilerplate => "not known as boilerplate",
        Kind::SiteWide => "not known from all over the site",
    }
}
