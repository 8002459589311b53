//! Whether conditions hold.
//!
//! A comparison of two lists holds if it holds for any item of the one and any item of the other, as
//! in XPath. An item without text is no item here: otherwise every text would contain it.

use super::item::normalised;
use super::{Evaluated, Evaluation, Item, Value};
use crate::heuristics::code::{ConditionCode, ConditionIs, QuantityCode, ValueCode, ValueIs};
use crate::heuristics::syntax::{Kind, Order, Relation};
use crate::heuristics::vocabulary::Measure;
use crate::shapes::{
    is_generic_title, is_organisation, is_person_name, most_similar, similarity_of_folded,
};
use crate::western::Letters;
use auslese_model::Field;
use memchr::memmem;
use std::cmp::Ordering;
use std::rc::Rc;

impl Evaluation<'_> {
    pub(crate) fn holds(
        &self,
        condition: &ConditionCode,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<bool> {
        self.spend(1)?;
        Ok(match &condition.is {
            ConditionIs::Always => true,
            ConditionIs::Present(value) => self.is_present(&self.value(value, it)?)?,
            ConditionIs::Compare(left, relation, right) => {
                let (left, right) = (self.value(left, it)?, self.value(right, it)?);
                self.compares(&left, *relation, &right)?
            }
            ConditionIs::Matches(value, regex) => match value.attribute_of_it().zip(it) {
                // Asked of every link of a page, so no item is made of it.
                Some((name, it)) => {
                    let written = self.attribute_of(it, name).unwrap_or_default();
                    self.spend_bytes(written.len())?;
                    regex.may_be_in(written) && {
                        let text = normalised(written);
                        !text.is_empty() && regex.is_match(&text, Letters::of(&text))
                    }
                }
                None => self.any(&self.value(value, it)?, |item| {
                    self.spend_bytes(self.text(item).len())?;
                    Ok(self.may_match(regex, item)
                        && regex.is_match(self.text(item), self.letters_of(item)))
                })?,
            },
            ConditionIs::Is(value, kind, field) => {
                self.any(&self.value(value, it)?, |item| self.is(item, *kind, *field))?
            }
            ConditionIs::Like(left, right, least) => {
                let (left, right) = (self.value(left, it)?, self.value(right, it)?);
                self.any_pair(&left, &right, |left, right| {
                    let may_be = most_similar(self.folded(left), self.folded(right)) >= *least;
                    Ok(may_be && self.like(left, right)? >= *least)
                })?
            }
            ConditionIs::Numbers(
                QuantityCode::Measure(Measure::Words, value),
                order @ (Order::Less | Order::AtMost),
                QuantityCode::Number(most),
            ) => {
                let value = self.value(value, it)?;
                self.any_short(&value, |words| ordered(words, *order, *most), *most)?
            }
            ConditionIs::Numbers(
                QuantityCode::Measure(Measure::Words, value),
                order @ (Order::More | Order::AtLeast),
                QuantityCode::Number(least),
            ) => {
                let value = self.value(value, it)?;
                self.any_long(&value, |words| ordered(words, *order, *least), *least)?
            }
            ConditionIs::Numbers(
                QuantityCode::Measure(measure, value),
                order,
                QuantityCode::Number(number),
            ) if *measure != Measure::Count => {
                let value = self.value(value, it)?;
                self.any_measured(&value, *measure, |measured| ordered(measured, *order, *number))?
            }
            ConditionIs::Numbers(left, order, right) => {
                let (left, right) = (self.quantities(left, it)?, self.quantities(right, it)?);
                left.iter().any(|left| right.iter().any(|right| ordered(*left, *order, *right)))
            }
            ConditionIs::Not(inside) => !self.holds(inside, it)?,
            ConditionIs::And(members) => {
                if it.is_some_and(|it| members.iter().any(|member| self.is_refused(member, it))) {
                    return Ok(false);
                }
                for member in members {
                    if !self.holds(member, it)? {
                        return Ok(false);
                    }
                }
                true
            }
            ConditionIs::Or(members) => {
                for member in members {
                    if self.holds(member, it)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }

    /// Whether a condition certainly does not hold for an item, because its text has nothing of what an
    /// expression needs. This is known at once, so it is asked before anything is counted or compared.
    fn is_refused(&self, condition: &ConditionCode, it: &Item) -> bool {
        match &condition.is {
            ConditionIs::Matches(ValueCode { is: ValueIs::It, .. }, regex) => {
                !self.may_match(regex, it)
            }
            _ => false,
        }
    }

    /// An attribute of the element where an item stands, as it is written.
    fn attribute_of(&self, item: &Item, name: &str) -> Option<&str> {
        let element = item.spot.node()?.anchor();
        let mut attributes = self.tree().attributes(element).iter();
        let found = attributes.find(|it| it.name().eq_ignore_ascii_case(name))?;
        Some(&found.value)
    }

    /// Whether any item has few enough words.
    fn any_short(
        &self,
        value: &Value,
        is_short: impl Fn(f64) -> bool,
        most: f64,
    ) -> Evaluated<bool> {
        let within = most.max(0.0) as usize;
        for item in value.iter() {
            self.spend(1)?;
            // There is at least one byte between two words, so few bytes are few words.
            let known = item.text.get().map(|text| text.len().div_ceil(2));
            if known.is_some_and(|bound| is_short(bound as f64)) {
                return Ok(true);
            }
            if self.words_within(item, within)?.is_some_and(|words| is_short(f64::from(words))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether any item has words enough.
    fn any_long(
        &self,
        value: &Value,
        is_long: impl Fn(f64) -> bool,
        least: f64,
    ) -> Evaluated<bool> {
        let within = least.max(0.0) as usize;
        for item in value.iter() {
            self.spend(1)?;
            if self.words_within(item, within)?.is_none_or(|words| is_long(f64::from(words))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn any_measured(
        &self,
        value: &Value,
        measure: Measure,
        fits: impl Fn(f64) -> bool,
    ) -> Evaluated<bool> {
        for item in value.iter() {
            if self.measure(measure, item)?.is_some_and(&fits) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn compares(&self, left: &Value, relation: Relation, right: &Value) -> Evaluated<bool> {
        let pair = |test: &dyn Fn(&Item, &Item) -> bool| {
            self.any_pair(left, right, |left, right| {
                self.spend_bytes(self.text(left).len())?;
                Ok(test(left, right))
            })
        };
        match relation {
            Relation::Same | Relation::In => self.any(left, |left| self.is_in(left, right)),
            Relation::Inside => self.any(left, |left| self.is_inside(left, right)),
            Relation::Equals => pair(&|left, right| self.text(left) == self.text(right)),
            Relation::Contains => pair(&|left, right| self.lower(left).contains(self.lower(right))),
            Relation::Mentions => {
                pair(&|left, right| mentions(self.folded(left), self.folded(right)))
            }
            Relation::StartsWith => {
                pair(&|left, right| self.lower(left).starts_with(self.lower(right)))
            }
            Relation::EndsWith => {
                pair(&|left, right| self.lower(left).ends_with(self.lower(right)))
            }
            Relation::Before => pair(&|left, right| order(left, right) == Some(Ordering::Less)),
            Relation::After => pair(&|left, right| order(left, right) == Some(Ordering::Greater)),
        }
    }

    /// Whether a test holds for any item with a text.
    fn any(&self, value: &Value, test: impl Fn(&Rc<Item>) -> Evaluated<bool>) -> Evaluated<bool> {
        for item in value.iter() {
            self.spend(1)?;
            if self.has_text(item) && test(item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn any_pair(
        &self,
        left: &Value,
        right: &Value,
        test: impl Fn(&Rc<Item>, &Rc<Item>) -> Evaluated<bool>,
    ) -> Evaluated<bool> {
        self.any(left, |left| self.any(right, |right| test(left, right)))
    }

    /// Whether the text is, folded, that of an item of the list.
    fn is_in(&self, item: &Item, list: &Value) -> Evaluated<bool> {
        self.spend(1)?;
        let list = match list {
            Value::Nothing => return Ok(false),
            Value::One(only) => {
                return Ok(self.has_text(only) && self.folded(only) == self.folded(item));
            }
            Value::Many(list) => list,
        };
        let spellings =
            list.spellings(|item| self.has_text(item).then(|| self.folded(item).into()));
        let may_hold = item.is_folded() || spellings.may_hold(self.text(item));
        Ok(may_hold && spellings.hold(self.folded(item)))
    }

    /// Whether the item stands in a node of the list, or is one.
    fn is_inside(&self, item: &Item, list: &Value) -> Evaluated<bool> {
        let Some(node) = item.spot.node() else { return Ok(false) };
        let node = node.anchor();
        self.spend(self.tree().depth(node) as u64)?;
        Ok(list.has_node(node) || self.tree().ancestors(node).any(|it| list.has_node(it)))
    }

    fn is(&self, item: &Item, kind: Kind, field: Option<Field>) -> Evaluated<bool> {
        let text = self.text(item);
        self.spend_bytes(text.len())?;
        let memory = self.subject.around.site.as_deref();
        Ok(match kind {
            Kind::Generic => is_generic_title(text),
            Kind::Name => is_person_name(text),
            Kind::Organisation => is_organisation(text),
            Kind::Boilerplate => memory.is_some_and(|it| it.is_boilerplate_heading(text)),
            Kind::SiteWide => {
                memory.zip(field).is_some_and(|(memory, field)| memory.is_site_wide(field, text))
            }
        })
    }

    pub(crate) fn like(&self, left: &Item, right: &Item) -> Evaluated<f64> {
        let (left, right) = (self.folded(left), self.folded(right));
        if left == right {
            return Ok(1.0);
        }
        // The same two are compared again and again, with another threshold.
        if let Some(known) = self.likeness.borrow().get(left).and_then(|it| it.get(right)) {
            self.spend(1)?;
            return Ok(*known);
        }
        self.spend_bytes(left.len().saturating_mul(right.len()) / 4)?;
        let likeness = similarity_of_folded(left, right);
        let mut known = self.likeness.borrow_mut();
        known.entry(left.into()).or_default().insert(right.into(), likeness);
        Ok(likeness)
    }

    pub(crate) fn quantities(
        &self,
        quantity: &QuantityCode,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<Vec<f64>> {
        match quantity {
            QuantityCode::Number(number) => Ok(vec![*number]),
            QuantityCode::Measure(measure, value) => {
                let value = self.value(value, it)?;
                self.measured(*measure, &value)
            }
        }
    }
}

/// How the places of two items lie in the document; none if one of them is elsewhere.
fn order(left: &Item, right: &Item) -> Option<Ordering> {
    Some(left.spot.node()?.cmp(&right.spot.node()?))
}

/// Whether the words of one folded text stand in another, whole and in this order.
fn mentions(text: &str, words: &str) -> bool {
    let mut from = 0;
    while let Some(found) = memmem::find(&text.as_bytes()[from..], words.as_bytes()) {
        let (start, end) = (from + found, from + found + words.len());
        let begins = !text[..start].ends_with(char::is_alphanumeric);
        let ends = !text[end..].starts_with(char::is_alphanumeric);
        if begins && ends {
            return true;
        }
        from = start + text[start..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

fn ordered(left: f64, order: Order, right: f64) -> bool {
    match order {
        Order::Less => left < right,
        Order::AtMost => left <= right,
        Order::Equal => left == right,
        Order::Unequal => left != right,
        Order::AtLeast => left >= right,
        Order::More => left > right,
    }
}
