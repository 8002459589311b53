//! The values that essential elements take.

use super::{DomainOrigin, PlannedElement};
use crate::finite::FiniteCode;
use crate::forms::{Control, ControlKind, Form};
use crate::metadata::{DbMetadata, DomainSource};
use auslese_model::Problem;
use rustc_hash::FxHashSet;

/// The essential elements with their values, and the size of their product; nothing if some have no values.
pub(super) fn planned(
    form: &Form,
    metadata: &DbMetadata,
    budget: u64,
    truncate: bool,
    problems: &mut Vec<Problem>,
) -> Option<(Vec<PlannedElement>, u64)> {
    let mut elements = Vec::new();
    let mut size: u64 = 1;
    let mut complete = true;
    for name in &metadata.elements {
        let control = form.control(name);
        if control.is_none() {
            let message = "the form has no such element; it is sent anyway".to_owned();
            problems.push(Problem::warning("W_NO_ELEMENT", name, message));
        }
        match domain(name, control, metadata, budget, truncate) {
            Ok((values, origin, count)) => {
                size = size.saturating_mul(count);
                note_strangers(name, control, &values, origin, problems);
                let label = control.and_then(|it| it.label.as_ref()).map(|it| it.text.clone());
                elements.push(PlannedElement { name: name.clone(), label, values, origin });
            }
            Err(problem) => {
                problems.push(problem);
                complete = false;
            }
        }
    }
    complete.then_some((elements, size))
}

type Domain = (Vec<Option<String>>, DomainOrigin, u64);

fn domain(
    name: &str,
    control: Option<&Control>,
    metadata: &DbMetadata,
    budget: u64,
    truncate: bool,
) -> Result<Domain, Problem> {
    let some = |values: Vec<String>| values.into_iter().map(Some).collect::<Vec<_>>();
    match metadata.domain(name) {
        Some(DomainSource::List(values)) if values.is_empty() => {
            let message = "the metadata give a list without values".to_owned();
            Err(Problem::error("E_OPEN_DOMAIN", name, message))
        }
        Some(DomainSource::List(values)) => {
            let values = some(values.clone());
            let count = values.len() as u64;
            Ok((values, DomainOrigin::Listed, count))
        }
        Some(DomainSource::Regex(regex)) => {
            let count = regex.count();
            let cap = if truncate { budget.saturating_mul(TRUNCATED_ROOM) } else { budget };
            match regex.values(cap) {
                Ok(values) => {
                    let count = values.len() as u64;
                    Ok((some(values), DomainOrigin::Expression, count))
                }
                Err(error) if error.code == FiniteCode::TooBig => {
                    let message = format!("{count} values: {}", error.message);
                    Err(Problem::error("E_PRODUCT_TOO_BIG", name, message))
                }
                Err(error) => Err(Problem::error(error.code.as_str(), name, error.message)),
            }
        }
        None => {
            let values = control.and_then(form_domain).ok_or_else(|| {
                let message = "the element takes any text, and the metadata give no values";
                Problem::error("E_OPEN_DOMAIN", name, message.to_owned())
            })?;
            let count = values.len() as u64;
            Ok((values, DomainOrigin::Form, count))
        }
    }
}

/// If only the first queries are sent, an expression may have this many times as many values.
const TRUNCATED_ROOM: u64 = 100;

/// The values of a control whose domain is in the page. An empty one means no choice and is left out unless
/// there is no other.
fn form_domain(control: &Control) -> Option<Vec<Option<String>>> {
    let choices = control.choices()?;
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let different = choices.iter().map(|choice| choice.value.as_str());
    let different = different.filter(|value| !value.is_empty() && seen.insert(value));
    let mut values: Vec<Option<String>> = different.map(|it| Some(it.to_owned())).collect();
    if values.is_empty() {
        values.extend(choices.first().map(|choice| Some(choice.value.clone())));
    }
    if matches!(control.kind, ControlKind::Checkbox { .. }) && choices.len() == 1 {
        values.push(None);
    }
    (!values.is_empty()).then_some(values)
}

/// Values that the form does not offer are doubtful, and sent anyway.
fn note_strangers(
    name: &str,
    control: Option<&Control>,
    values: &[Option<String>],
    origin: DomainOrigin,
    problems: &mut Vec<Problem>,
) {
    let Some(choices) = control.and_then(Control::choices) else { return };
    if origin == DomainOrigin::Form {
        return;
    }
    let offered: FxHashSet<&str> = choices.iter().map(|choice| choice.value.as_str()).collect();
    let is_strange = |value: &&String| !offered.contains(value.as_str());
    let strangers: Vec<&String> = values.iter().flatten().filter(is_strange).collect();
    if let Some(first) = strangers.first() {
        let message = format!("{} values are not in the form, such as {first:?}", strangers.len());
        problems.push(Problem::warning("W_NOT_IN_DOMAIN", name, message));
    }
}
