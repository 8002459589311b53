//! Heuristics: their settings, rules and remarks.

use super::calls::whole;
use super::{Checked, Compiler};
use crate::heuristics::code::{ClauseCode, HeuristicCode, RemarkCode, RuleCode};
use crate::heuristics::faults::Span;
use crate::heuristics::suggestion::did_you_mean;
use crate::heuristics::syntax::{
    ClauseSyntax, ConditionKind, Decides, FileSyntax, HeuristicSyntax, RemarkSyntax, RuleSyntax,
    Spanned,
};
use auslese_model::{Field, RuleId};
use rustc_hash::FxHashMap;

/// A heuristic whose clauses are being read.
struct Growing<'s> {
    name: &'s str,
    decides: Decides,
    rules: Vec<RuleCode>,
    remarks: Vec<RemarkCode>,
    labels: FxHashMap<&'s str, Span>,
}

impl Compiler<'_> {
    pub(super) fn heuristics(&mut self, parsed: &[FileSyntax]) -> Vec<HeuristicCode> {
        let mut heuristics: Vec<HeuristicCode> = Vec::new();
        let mut by_name: FxHashMap<String, Span> = FxHashMap::default();
        let mut by_field: FxHashMap<String, Span> = FxHashMap::default();
        for syntax in parsed.iter().flat_map(|file| &file.heuristics) {
            self.once(&mut by_name, &syntax.name, "is the name of a heuristic already");
            self.once(&mut by_field, &syntax.field, "has a heuristic already");
            if let Ok(heuristic) = self.heuristic(syntax) {
                heuristics.push(heuristic);
            }
        }
        heuristics
    }

    fn once(&mut self, seen: &mut FxHashMap<String, Span>, what: &Spanned<String>, told: &str) {
        if let Some(earlier) = seen.insert(what.is.clone(), what.span) {
            let place = self.place(earlier);
            // The fault is noted, and reading goes on to find more.
            let _noted = self.fault::<()>(what.span, format!("{} {told}, in {place}", what.is));
        }
    }

    fn place(&self, span: Span) -> String {
        let file = &self.files[span.file as usize];
        format!("{}:{}", file.path, file.position(span.start).0)
    }

    fn heuristic(&mut self, syntax: &HeuristicSyntax) -> Checked<HeuristicCode> {
        let field = self.field(&syntax.field);
        let decides = match &syntax.decides {
            Some(decides) => Ok(decides.is),
            None => {
                let message = "expected `decide first` or `decide together` in this heuristic";
                self.fault(syntax.name.span, message)
            }
        };
        let silent_below = self.share(syntax.silent_below.as_ref());
        let at_most = self.at_most(syntax.at_most.as_ref());
        let mut growing = Growing {
            name: &syntax.name.is,
            decides: *decides.as_ref().unwrap_or(&Decides::Together),
            rules: Vec::new(),
            remarks: Vec::new(),
            labels: FxHashMap::default(),
        };
        self.field = field.as_ref().ok().copied();
        let clauses = self.clauses(&syntax.clauses, &mut growing);
        self.field = None;
        let clauses = clauses?;
        if growing.rules.is_empty() {
            let message = format!("the heuristic {} has no rule", syntax.name.is);
            return self.fault(syntax.name.span, message);
        }
        let field = field?;
        let usual = if field.is_single() { 1 } else { usize::MAX };
        Ok(HeuristicCode {
            name: syntax.name.is.clone(),
            field,
            decides: decides?,
            silent_below: silent_below?.unwrap_or(0.0),
            at_most: at_most?.unwrap_or(usual),
            clauses,
            rules: growing.rules,
            remarks: growing.remarks,
        })
    }

    fn field(&mut self, field: &Spanned<String>) -> Checked<Field> {
        match Field::parse(&field.is) {
            Some(field) => Ok(field),
            None => {
                let hint = did_you_mean(&field.is, &Field::ALL.map(Field::as_str));
                self.fault(field.span, format!("there is no field `{}`{hint}", field.is))
            }
        }
    }

    fn share(&mut self, number: Option<&Spanned<f64>>) -> Checked<Option<f64>> {
        match number {
            Some(number) if !(0.0..=1.0).contains(&number.is) => {
                self.fault(number.span, "expected a weight from 0 to 1")
            }
            number => Ok(number.map(|number| number.is)),
        }
    }

    fn at_most(&mut self, number: Option<&Spanned<f64>>) -> Checked<Option<usize>> {
        let Some(number) = number else { return Ok(None) };
        match whole(number.is) {
            Some(count) => Ok(Some(count)),
            None => self.fault(number.span, "expected a whole number from 1 on"),
        }
    }

    fn clauses<'s>(
        &mut self,
        clauses: &'s [ClauseSyntax],
        growing: &mut Growing<'s>,
    ) -> Checked<Vec<ClauseCode>> {
        let mut checked = Vec::new();
        for (at, clause) in clauses.iter().enumerate() {
            let followed = clauses[at + 1..].iter().any(|it| matches!(it, ClauseSyntax::Rule(_)));
            checked.push(match clause {
                ClauseSyntax::Rule(rule) => self.rule(rule, followed, growing),
                ClauseSyntax::Remark(remark) => self.remark(remark, growing),
                ClauseSyntax::Group { condition, clauses } => {
                    let condition = self.condition(condition);
                    let clauses = self.clauses(clauses, growing);
                    match (condition, clauses) {
                        (Ok(condition), Ok(clauses)) => {
                            let condition = Box::new(condition);
                            Ok(ClauseCode::Group { condition, clauses })
                        }
                        (Err(noted), _) | (_, Err(noted)) => Err(noted),
                    }
                }
            });
        }
        checked.into_iter().collect()
    }

    fn rule<'s>(
        &mut self,
        rule: &'s RuleSyntax,
        followed: bool,
        growing: &mut Growing<'s>,
    ) -> Checked<ClauseCode> {
        let id = self.label(&rule.label, growing);
        let is_last_resort = matches!(rule.condition.is, ConditionKind::Otherwise);
        if is_last_resort && followed && growing.decides == Decides::First {
            let message = "expected `otherwise` in the last rule: those below are never reached";
            return self.fault(rule.condition.span, message);
        }
        let condition = self.condition(&rule.condition);
        let weight = self.share(Some(&rule.weight));
        let parts = self.each(&rule.parts, Self::kept_value);
        growing.rules.push(RuleCode {
            id: id?,
            condition: condition?,
            weight: weight?.unwrap_or_default(),
            parts: parts?,
            origin: rule.origin.as_ref().map(|origin| origin.is.clone()),
            span: rule.span,
        });
        Ok(ClauseCode::Rule(growing.rules.len() - 1))
    }

    fn remark<'s>(
        &mut self,
        remark: &'s RemarkSyntax,
        growing: &mut Growing<'s>,
    ) -> Checked<ClauseCode> {
        let id = self.label(&remark.label, growing);
        if growing.decides == Decides::First {
            let message = "`support` and `doubt` need `decide together`";
            return self.fault(remark.span, message);
        }
        let condition = self.condition_about_it(&remark.condition);
        let weight = self.share(Some(&remark.weight));
        growing.remarks.push(RemarkCode {
            kind: remark.kind,
            id: id?,
            condition: condition?,
            weight: weight?.unwrap_or_default(),
            span: remark.span,
        });
        Ok(ClauseCode::Remark(growing.remarks.len() - 1))
    }

    fn label<'s>(
        &mut self,
        label: &'s Spanned<String>,
        growing: &mut Growing<'s>,
    ) -> Checked<RuleId> {
        if let Some(earlier) = growing.labels.insert(&label.is, label.span) {
            let place = self.place(earlier);
            return self.fault(label.span, format!("<{}> is used already, in {place}", label.is));
        }
        Ok(RuleId::new(growing.name, &label.is))
    }
}
