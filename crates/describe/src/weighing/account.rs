//! How a weight came about, step by step, for people who ask.

use super::findings::Findings;
use super::indicators::{Indicator, Indicators, Voice};
use super::regression::Competition;
use super::weights::{FieldWeights, Weights};
use auslese_model::Field;
use serde::Serialize;
use std::fmt;

/// The way to one weight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Account {
    pub steps: Vec<Step>,
    pub weight: f64,
}

/// One step on the way to a weight.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "step")]
pub enum Step {
    /// The weight an indicator was written with, since nothing was measured for the field.
    Initial { indicator: String, weight: f64 },
    /// The share an indicator was right in, outside the regression; or at most that of a rule
    /// without data.
    Single { indicator: String, weight: f64, right: u64, n: u64 },
    /// Where the regression starts, in all documents or in those of a class.
    Intercept { class: Option<String>, log_odds: f64 },
    /// What a signal adds, in all documents or in those of a class.
    Signal { signal: String, class: Option<String>, value: f64, log_odds: f64 },
    /// The sum as a probability, its share among all candidates where they compete.
    Regression { log_odds: f64, probability: f64, competing: bool },
    /// What such a probability turned out to be worth.
    Curve { from: f64, to: f64 },
}

impl Weights {
    /// For each candidate of a field, how [`Weights::weigh`] comes to its weight.
    pub fn account(&self, field: Field, class: &str, candidates: &[Indicators]) -> Vec<Account> {
        let weighed = self.weigh(field, class, candidates);
        let steps: Vec<Vec<Step>> = match self.fields.get(&field) {
            None => candidates.iter().map(initial_steps).collect(),
            Some(weights) => {
                let findings = Findings::of(weights, class, candidates);
                let competition = Competition::new(&findings, candidates);
                let scores = weights.scores(&findings, &competition, candidates);
                let steps = |which: usize| match scores[which] {
                    Some(score) => {
                        let signals = competition.signals(which);
                        weights.known_steps(class, &signals, score, &candidates[which])
                    }
                    None => weights.single_steps(class, candidates[which].spoke.iter()).collect(),
                };
                (0..candidates.len()).map(steps).collect()
            }
        };
        let accounts = steps.into_iter().zip(weighed);
        accounts.map(|(steps, weighed)| Account { steps, weight: weighed.weight }).collect()
    }
}

impl Weights {
    /// How [`Weights::single_rule_weight`] comes to its weight.
    pub fn account_alone(&self, field: Field, class: &str, rule: &super::Indicator) -> Account {
        let steps = match self.fields.get(&field) {
            None => initial_steps(&Indicators::new(vec![rule.clone()])),
            Some(weights) => vec![weights.single_step(class, rule)],
        };
        Account { steps, weight: self.single_rule_weight(field, class, rule) }
    }
}

fn initial_steps(indicators: &Indicators) -> Vec<Step> {
    let step =
        |it: &Indicator| Step::Initial { indicator: spoken_name(it), weight: it.initial_weight() };
    indicators.spoke.iter().map(step).collect()
}

fn spoken_name(indicator: &Indicator) -> String {
    match indicator.voice {
        Voice::Rule => indicator.id.to_string(),
        Voice::Support => format!("support {}", indicator.id),
        Voice::Doubt => format!("doubt {}", indicator.id),
    }
}

impl FieldWeights {
    /// Of a candidate that the regression knows.
    fn known_steps(
        &self,
        class: &str,
        signals: &[(&str, f64)],
        score: f64,
        indicators: &Indicators,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut sum = 0.0;
        let classes = [None, Some(class.to_owned())];
        for (regression, class) in self.regressions(class).zip(classes) {
            sum += regression.intercept;
            steps.push(Step::Intercept { class: class.clone(), log_odds: regression.intercept });
            for (signal, value) in signals {
                let Some(coefficient) = regression.coefficients.get(*signal) else { continue };
                let (signal, class) = ((*signal).to_owned(), class.clone());
                let log_odds = coefficient * value;
                sum += log_odds;
                steps.push(Step::Signal { signal, class, value: *value, log_odds });
            }
        }
        let competing = self.competing;
        steps.push(Step::Regression { log_odds: sum, probability: score, competing });
        if !self.curve.points().is_empty() {
            steps.push(Step::Curve { from: score, to: self.curve.at(score) });
        }
        steps.extend(self.single_steps(class, self.speaking_beside(indicators)));
        steps
    }

    fn single_steps<'a>(
        &'a self,
        class: &'a str,
        indicators: impl Iterator<Item = &'a Indicator>,
    ) -> impl Iterator<Item = Step> {
        indicators.map(move |it| self.single_step(class, it))
    }

    fn single_step(&self, class: &str, indicator: &Indicator) -> Step {
        let measured = self.measured(class, indicator.id.as_str());
        let (right, n) = measured.map_or((0, 0), |it| (it.right, it.n));
        let weight = self.single_rule_weight(class, indicator);
        Step::Single { indicator: spoken_name(indicator), weight, right, n }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        write!(f, "weight {:.3}", self.weight)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |class: &Option<String>| {
            class.as_ref().map(|class| format!(" in the class {class}")).unwrap_or_default()
        };
        match self {
            Step::Initial { indicator, weight } => {
                write!(f, "{indicator}: written with {weight:.3}")
            }
            Step::Single { indicator, weight, n: 0, .. } => {
                write!(f, "{indicator}: without data, counts {weight:.3}")
            }
            Step::Single { indicator, weight, right, n } => {
                write!(f, "{indicator}: right {right} times of {n}, counts {weight:.3}")
            }
            Step::Intercept { class, log_odds } => {
                write!(f, "{log_odds:+.3} to begin with{}", within(class))
            }
            Step::Signal { signal, class, value, log_odds } if *value == 1.0 => {
                write!(f, "{log_odds:+.3} {signal}{}", within(class))
            }
            Step::Signal { signal, class, value, log_odds } => {
                write!(f, "{log_odds:+.3} {signal} ({value:.2}){}", within(class))
            }
            Step::Regression { log_odds, probability, competing } => {
                let among = if *competing { " among all candidates" } else { "" };
                write!(f, "{log_odds:+.3} in all, a probability of {probability:.3}{among}")
            }
            Step::Curve { from, to } => write!(f, "{from:.3} turned out to be {to:.3}"),
        }
    }
}
