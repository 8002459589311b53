//! Conditions, with their measures and thresholds.

use super::{Checked, Compiler};
use crate::heuristics::code::{ConditionCode, ConditionIs, QuantityCode};
use crate::heuristics::suggestion::did_you_mean;
use crate::heuristics::syntax::{ConditionKind, ConditionSyntax, Kind, QuantitySyntax};
use crate::heuristics::vocabulary::Measure;

/// How alike two texts are from which one is `like` the other, if the rule does not say.
pub(crate) const ALIKE: f64 = 0.85;

impl Compiler<'_> {
    /// A condition in which `it` is the item or the candidate in question.
    pub(super) fn condition_about_it(
        &mut self,
        condition: &ConditionSyntax,
    ) -> Checked<ConditionCode> {
        let outside = std::mem::replace(&mut self.it_is_known, true);
        let checked = self.condition(condition);
        self.it_is_known = outside;
        checked
    }

    pub(super) fn condition(&mut self, condition: &ConditionSyntax) -> Checked<ConditionCode> {
        let is = match &condition.is {
            ConditionKind::Always | ConditionKind::Otherwise => ConditionIs::Always,
            ConditionKind::Present(value) => ConditionIs::Present(self.kept_value(value)?),
            ConditionKind::Compare(left, relation, right) => {
                let (left, right) = (self.kept_value(left), self.kept_value(right));
                ConditionIs::Compare(left?, *relation, right?)
            }
            ConditionKind::Matches(value, pattern) => {
                let (value, regex) =
                    (self.kept_value(value), self.regex(&pattern.is, pattern.span));
                ConditionIs::Matches(value?, regex?)
            }
            ConditionKind::Is(value, kind) => {
                if *kind == Kind::SiteWide && self.field.is_none() {
                    let message = "`is site-wide` means something only in the rules of a heuristic";
                    return self.fault(condition.span, message);
                }
                ConditionIs::Is(self.kept_value(value)?, *kind, self.field)
            }
            ConditionKind::Like(left, right, least) => {
                let (left, right) = (self.kept_value(left), self.kept_value(right));
                let least = match least {
                    None => ALIKE,
                    Some(least) if (0.0..=1.0).contains(&least.is) => least.is,
                    Some(least) => {
                        return self.fault(least.span, "expected a similarity from 0 to 1");
                    }
                };
                ConditionIs::Like(left?, right?, least)
            }
            ConditionKind::Numbers(left, order, right) => {
                let (left, right) = (self.quantity(left), self.quantity(right));
                ConditionIs::Numbers(left?, *order, right?)
            }
            ConditionKind::Not(inside) => ConditionIs::Not(Box::new(self.condition(inside)?)),
            ConditionKind::And(members) => ConditionIs::And(self.each(members, Self::condition)?),
            ConditionKind::Or(members) => ConditionIs::Or(self.each(members, Self::condition)?),
        };
        Ok(ConditionCode { is, span: condition.span })
    }

    fn quantity(&mut self, quantity: &QuantitySyntax) -> Checked<QuantityCode> {
        match quantity {
            QuantitySyntax::Number(number) => Ok(QuantityCode::Number(*number)),
            QuantitySyntax::Measure(word, value) => {
                let value = self.kept_value(value);
                let Some(measure) = Measure::named(&word.is) else {
                    let known: Vec<&str> = Measure::ALL.iter().map(|(name, _)| *name).collect();
                    let hint = did_you_mean(&word.is, &known);
                    let message = format!("there is no measure `{}`{hint}", word.is);
                    return self.fault(word.span, message);
                };
                Ok(QuantityCode::Measure(measure, value?))
            }
        }
    }
}
