//! Makes up the mind of a heuristic: which rules speak, for what, and how far that is to be trusted.
//!
//! There are two kinds. In a decision list the first rule that fires speaks alone, as in the paper the
//! language comes from. In the other kind every rule that fires speaks; equal values are one
//! candidate, for which all its rules speak, and `support` and `doubt` say more about it. What all
//! that is worth is for [`crate::weighing`] to say.

use super::code::{ClauseCode, ConditionCode, HeuristicCode, RemarkCode, RuleCode};
use super::evaluate::{Evaluated, Evaluation, Item, Value};
use super::syntax::{Decides, RemarkKind};
use crate::weighing::{Account, Choice, Indicator, Indicators, Weighed, choose};
use auslese_markup::{Places, XPathNode};
use auslese_model::{Field, Statement};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Candidates for one field of a document; more say nothing more.
pub const MAX_CANDIDATES: usize = 1_000;

/// What a heuristic decided about a document.
#[derive(Debug)]
pub(crate) struct Decision<'a> {
    pub(crate) heuristic: &'a HeuristicCode,
    /// By rule.
    pub(crate) outcomes: Vec<Outcome<'a>>,
    /// Best first, but chosen references and authors as they stand; the first [`Decision::loud`] of
    /// them are said aloud.
    pub(crate) candidates: Vec<Candidate>,
    loud: usize,
}

/// What became of a rule.
#[derive(Debug, Clone)]
pub(crate) enum Outcome<'a> {
    /// It gave these items.
    Fired(Value),
    /// This condition, its own or that of a `when` around it, does not hold.
    Failed(&'a ConditionCode),
    /// Its condition holds, but its value is empty.
    Empty,
    /// The rule with this place decided before.
    NotReached(usize),
}

/// A value that rules gave.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) item: Rc<Item>,
    pub(crate) parts: Vec<String>,
    pub(crate) origin: Option<String>,
    /// Places of the rules that gave it; that with the largest weight first.
    pub(crate) rules: Vec<usize>,
    /// Places of the remarks that hold for it.
    pub(crate) remarks: Vec<usize>,
    pub(crate) indicators: Indicators,
    pub(crate) weighed: Weighed,
}

impl Decision<'_> {
    /// The candidates that are said aloud, best first.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates[..self.loud].iter()
    }

    pub(crate) fn statements(
        &self,
        evaluation: &Evaluation<'_>,
        places: &mut Places<'_>,
    ) -> Vec<Statement> {
        let statement = |(at, it): (usize, &Candidate)| Statement {
            field: self.heuristic.field,
            value: evaluation.text(&it.item).to_owned(),
            parts: it.parts.clone(),
            weight: it.weighed.weight,
            initial: it.weighed.initial,
            rules: it.rules.iter().map(|rule| self.heuristic.rules[*rule].id.clone()).collect(),
            place: it.item.spot.found_at(places),
            origin: it.origin.clone(),
            chosen: at < self.loud,
        };
        self.candidates.iter().enumerate().map(statement).collect()
    }

    /// How the weights of the candidates came about.
    pub(crate) fn accounts(&self, evaluation: &Evaluation<'_>) -> Vec<Account> {
        let (weights, class) = (evaluation.weights, evaluation.class());
        let field = self.heuristic.field;
        match self.heuristic.decides {
            Decides::Together => {
                let indicators: Vec<Indicators> =
                    self.candidates.iter().map(|it| it.indicators.clone()).collect();
                weights.account(field, class, &indicators)
            }
            Decides::First => {
                let alone = |it: &Candidate| {
                    weights.account_alone(
                        field,
                        class,
                        &self.heuristic.rules[it.rules[0]].indicator(),
                    )
                };
                self.candidates.iter().map(alone).collect()
            }
        }
    }

    /// How sure the chosen values are all right together.
    pub(crate) fn list_weight(&self, evaluation: &Evaluation<'_>) -> Option<f64> {
        let weights: Vec<f64> = self.chosen().map(|it| it.weighed.weight).collect();
        let field = self.heuristic.field;
        (!weights.is_empty()).then(|| evaluation.weights.list_weight(field, &weights))
    }
}

impl<'a> Evaluation<'a> {
    pub(crate) fn decide(&self, number: usize) -> Evaluated<Decision<'a>> {
        let heuristic = &self.program.heuristics[number];
        let mut hearing = Hearing::new(self, heuristic);
        hearing.clauses(&heuristic.clauses)?;
        hearing.remark_on_candidates()?;
        Ok(hearing.closed())
    }

    pub(crate) fn class(&self) -> &str {
        self.class.get().map_or("", String::as_str)
    }
}

/// Goes through the clauses of a heuristic and listens to its rules.
struct Hearing<'e, 'a> {
    evaluation: &'e Evaluation<'a>,
    heuristic: &'a HeuristicCode,
    outcomes: Vec<Outcome<'a>>,
    /// Remarks whose `when` holds.
    remarks: Vec<usize>,
    candidates: Vec<Candidate>,
    by_spelling: FxHashMap<Box<str>, usize>,
    decided_by: Option<usize>,
}

impl<'e, 'a> Hearing<'e, 'a> {
    fn new(evaluation: &'e Evaluation<'a>, heuristic: &'a HeuristicCode) -> Self {
        Hearing {
            evaluation,
            heuristic,
            outcomes: vec![Outcome::Empty; heuristic.rules.len()],
            remarks: Vec::new(),
            candidates: Vec::new(),
            by_spelling: FxHashMap::default(),
            decided_by: None,
        }
    }

    fn clauses(&mut self, clauses: &'a [ClauseCode]) -> Evaluated<()> {
        for clause in clauses {
            match clause {
                ClauseCode::Rule(number) => {
                    let RuleCode { id, span, .. } = &self.heuristic.rules[*number];
                    let outcome = self.rule(*number);
                    self.outcomes[*number] = self.evaluation.noted(id.as_str(), *span, outcome)?;
                }
                ClauseCode::Remark(number) => self.remarks.push(*number),
                ClauseCode::Group { condition, clauses } => {
                    if self.decided_by.is_some() || self.holds_for_all(condition)? {
                        self.clauses(clauses)?;
                    } else {
                        self.fail(clauses, condition);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether what is said before several rules holds.
    fn holds_for_all(&self, condition: &ConditionCode) -> Evaluated<bool> {
        let holds = self.evaluation.holds(condition, None);
        self.evaluation.noted(&self.heuristic.name, condition.span, holds)
    }

    fn fail(&mut self, clauses: &'a [ClauseCode], condition: &'a ConditionCode) {
        for clause in clauses {
            match clause {
                ClauseCode::Rule(number) => self.outcomes[*number] = Outcome::Failed(condition),
                ClauseCode::Remark(_) => {}
                ClauseCode::Group { clauses, .. } => self.fail(clauses, condition),
            }
        }
    }

    fn rule(&mut self, number: usize) -> Evaluated<Outcome<'a>> {
        let rule = &self.heuristic.rules[number];
        if let Some(by) = self.decided_by {
            return Ok(Outcome::NotReached(by));
        }
        if !self.evaluation.holds(&rule.condition, None)? {
            return Ok(Outcome::Failed(&rule.condition));
        }
        let given = self.given(rule)?;
        if given.is_empty() {
            return Ok(Outcome::Empty);
        }
        let mut items = Vec::with_capacity(given.len());
        for (item, parts) in given {
            items.push(item.clone());
            self.add(number, item, parts)?;
        }
        if self.heuristic.decides == Decides::First {
            self.decided_by = Some(number);
        }
        Ok(Outcome::Fired(items.into()))
    }

    /// The items of a rule's value that have a text; those of several parts are joined to one.
    fn given(&self, rule: &RuleCode) -> Evaluated<Vec<(Rc<Item>, Vec<String>)>> {
        let evaluation = self.evaluation;
        if let [part] = rule.parts.as_slice() {
            let value = evaluation.value(part, None)?;
            let present = value.iter().filter(|item| evaluation.has_text(item));
            return Ok(present.map(|item| (item.clone(), Vec::new())).collect());
        }
        let mut parts: Vec<Rc<Item>> = Vec::new();
        for part in &rule.parts {
            let value = evaluation.value(part, None)?;
            let first = value.iter().find(|item| evaluation.has_text(item));
            parts.extend(first.cloned());
        }
        let texts: Vec<&str> = parts.iter().map(|part| evaluation.text(part)).collect();
        Ok(match parts.as_slice() {
            [] => Vec::new(),
            [only] => vec![(only.clone(), Vec::new())],
            [first, ..] => {
                let whole = Item::with_text(first.spot.clone(), &joined_readably(&texts));
                vec![(whole, texts.into_iter().map(str::to_owned).collect())]
            }
        })
    }

    fn add(&mut self, rule: usize, item: Rc<Item>, parts: Vec<String>) -> Evaluated<()> {
        self.evaluation.spend(1)?;
        let spelling = self.evaluation.folded(&item);
        let rules = &self.heuristic.rules;
        let origin = self.origin(rule, &item);
        if let Some(known) = self.by_spelling.get(spelling) {
            let candidate = &mut self.candidates[*known];
            if candidate.rules.contains(&rule) {
                return Ok(());
            }
            // The spelling, the place and the origin are those of the strongest rule.
            if rules[rule].weight > rules[candidate.rules[0]].weight {
                candidate.rules.insert(0, rule);
                candidate.item = item;
                candidate.parts = parts;
                candidate.origin = origin;
            } else {
                candidate.rules.push(rule);
            }
            return Ok(());
        }
        if self.candidates.len() < MAX_CANDIDATES {
            self.by_spelling.insert(spelling.into(), self.candidates.len());
            self.candidates.push(Candidate {
                item,
                parts,
                origin,
                rules: vec![rule],
                remarks: Vec::new(),
                indicators: Indicators::default(),
                weighed: Weighed { weight: 0.0, rank: 0.0, initial: 0.0 },
            });
        }
        Ok(())
    }

    /// Where a value of a rule comes from: as the rule says, or what the attribute it names says of the
    /// element the value was found at.
    fn origin(&self, rule: usize, item: &Item) -> Option<String> {
        let said = self.heuristic.rules[rule].origin.as_deref()?;
        let Some(name) = said.strip_prefix('@') else { return Some(said.to_owned()) };
        let node = match item.spot.node()? {
            XPathNode::Node(node) => node,
            XPathNode::Attribute { element, .. } => element,
        };
        let written = self.evaluation.tree().element(node)?.attribute(name)?.trim();
        (!written.is_empty()).then(|| written.to_owned())
    }

    fn remark_on_candidates(&mut self) -> Evaluated<()> {
        for candidate in &mut self.candidates {
            for remark in &self.remarks {
                let RemarkCode { id, condition, span, .. } = &self.heuristic.remarks[*remark];
                let holds = self.evaluation.holds(condition, Some(&candidate.item));
                if self.evaluation.noted(id.as_str(), *span, holds)? {
                    candidate.remarks.push(*remark);
                }
            }
            candidate.indicators = indicators(self.heuristic, candidate);
        }
        Ok(())
    }

    fn closed(self) -> Decision<'a> {
        let Hearing { evaluation, heuristic, outcomes, mut candidates, .. } = self;
        let weighed = weigh(evaluation, heuristic, &mut candidates);
        // A decision list says when it speaks; only where rules decide together that is measured.
        let measured = match heuristic.decides {
            Decides::First => None,
            Decides::Together => evaluation.weights.silent_below(heuristic.field),
        };
        let silent_below = measured.unwrap_or(heuristic.silent_below);
        let Choice { mut order, chosen } = choose(&weighed, silent_below, heuristic.at_most);
        match heuristic.field {
            // A bibliography has an order of its own, which those who number its entries need.
            Field::References => order[..chosen].sort_unstable(),
            // So do authors: the first is the one a work is cited by. What stands in one place comes in
            // the order in which it was heard, what stands nowhere in the document comes last.
            Field::Author => order[..chosen].sort_by_key(|at| {
                let node = candidates[*at].item.spot.node();
                (node.is_none(), node, *at)
            }),
            _ => {}
        }
        let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
        let candidates = order.iter().filter_map(|at| candidates[*at].take()).collect();
        Decision { heuristic, outcomes, candidates, loud: chosen }
    }
}

/// In the order of the file: rules, then remarks.
fn indicators(heuristic: &HeuristicCode, candidate: &Candidate) -> Indicators {
    let mut rules = candidate.rules.clone();
    rules.sort_unstable();
    let rules = rules.into_iter().map(|rule| heuristic.rules[rule].indicator());
    let remarks = candidate.remarks.iter().map(|remark| heuristic.remarks[*remark].indicator());
    rules.chain(remarks).collect()
}

impl RuleCode {
    fn indicator(&self) -> Indicator {
        Indicator::rule(self.id.clone(), self.weight)
    }
}

impl RemarkCode {
    fn indicator(&self) -> Indicator {
        match self.kind {
            RemarkKind::Support => Indicator::support(self.id.clone(), self.weight),
            RemarkKind::Doubt => Indicator::doubt(self.id.clone(), self.weight),
        }
    }
}

fn weigh(
    evaluation: &Evaluation<'_>,
    heuristic: &HeuristicCode,
    candidates: &mut [Candidate],
) -> Vec<Weighed> {
    let (field, class) = (heuristic.field, evaluation.class());
    let weighed: Vec<Weighed> = match heuristic.decides {
        Decides::Together => {
            let indicators: Vec<Indicators> =
                candidates.iter_mut().map(|it| std::mem::take(&mut it.indicators)).collect();
            let weighed = evaluation.weights.weigh(field, class, &indicators);
            for (candidate, indicators) in candidates.iter_mut().zip(indicators) {
                candidate.indicators = indicators;
            }
            weighed
        }
        Decides::First => {
            let alone = |it: &Candidate| {
                let rule = &heuristic.rules[it.rules[0]];
                let weights = evaluation.weights;
                let weight = weights.single_rule_weight(field, class, &rule.indicator());
                Weighed { weight, rank: weight, initial: rule.weight }
            };
            candidates.iter().map(alone).collect()
        }
    };
    for (candidate, weighed) in candidates.iter_mut().zip(&weighed) {
        candidate.weighed = *weighed;
    }
    weighed
}

/// Title and heading become `title: heading`; a part that ends with punctuation needs no colon.
fn joined_readably(parts: &[&str]) -> String {
    let mut joined = String::new();
    for part in parts {
        if !joined.is_empty() {
            let ends = joined.ends_with(|last: char| last.is_ascii_punctuation() && last != ')');
            joined.push_str(if ends { " " } else { ": " });
        }
        joined.push_str(part);
    }
    joined
}
