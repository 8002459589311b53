//! What is sent for elements that are not essential.

use super::{PlannedElement, PlannedField};
use crate::forms::{Choice, Control, ControlKind, Form, image_fields};
use auslese_model::Problem;

/// The fields of every query in the order of the form. Elements that the form does not have come last.
pub(super) fn fixed_fields(
    form: &Form,
    elements: &[PlannedElement],
    browser_defaults: bool,
    problems: &mut Vec<Problem>,
) -> Vec<PlannedField> {
    let mut fields = Vec::new();
    let mut placed = vec![false; elements.len()];
    let mut submitted = false;
    for control in &form.controls {
        if let Some(at) = elements.iter().position(|element| element.name == control.name) {
            if !placed[at] {
                placed[at] = true;
                fields.push(PlannedField::Element(at));
            }
            continue;
        }
        let is_submit = matches!(control.kind, ControlKind::Submit { .. } | ControlKind::Image);
        if is_submit && std::mem::replace(&mut submitted, true) {
            continue;
        }
        let (own, narrows) = match browser_defaults {
            true => (form.browser_fields_of(control), default_narrows(control)),
            false => general_fields(form, control),
        };
        if narrows {
            let message = "a choice is sent that narrows every answer".to_owned();
            problems.push(Problem::warning("W_DEFAULT_NARROWS", &control.name, message));
        }
        fields.extend(own.into_iter().map(|(name, value)| PlannedField::Fixed(name, value)));
    }
    let missing = (0..elements.len()).filter(|at| !placed[*at]);
    fields.extend(missing.map(PlannedField::Element));
    fields
}

/// What is sent for a control that nothing is asked of.
pub(crate) fn general_fields_of(form: &Form, control: &Control) -> Vec<(String, String)> {
    general_fields(form, control).0
}

/// The most general that a control can say, and whether that is still less than everything.
fn general_fields(form: &Form, control: &Control) -> (Vec<(String, String)>, bool) {
    let field = |value: &str| vec![(control.name.clone(), value.to_owned())];
    match &control.kind {
        ControlKind::Text { .. } => (field(""), false),
        ControlKind::Hidden { .. } | ControlKind::Submit { .. } => {
            (form.browser_fields_of(control), false)
        }
        ControlKind::Image => (image_fields(&control.name), false),
        ControlKind::Checkbox { .. } if !control.required => (Vec::new(), false),
        ControlKind::Select { choices, .. }
        | ControlKind::Radio { choices }
        | ControlKind::Checkbox { choices } => match general_choice(choices) {
            Some(choice) => (field(&choice.value), false),
            None if control.required => (form.browser_fields_of(control), true),
            None => (Vec::new(), false),
        },
        // Forms with such controls are never sent.
        ControlKind::File | ControlKind::Password { .. } => (Vec::new(), false),
    }
}

/// The choice that leaves everything open.
fn general_choice(choices: &[Choice]) -> Option<&Choice> {
    let empty = choices.iter().find(|choice| choice.value.is_empty());
    empty.or_else(|| choices.iter().find(|choice| is_general(choice)))
}

/// Words that mean everything, at the start of what is sent or shown.
fn is_general(choice: &Choice) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 14] = [
        "alle", "alles", "aller", "beliebig", "beliebige", "beliebiger", "egal", "jede", "jeder", "jedes", "all", "any",
        "every", "everything",
    ];
    let begins_general = |text: &str| {
        let lower = text.trim().to_lowercase();
        let word: String = lower.chars().take_while(|c| c.is_alphabetic()).collect();
        WORDS.contains(&word.as_str()) || matches!(lower.as_str(), "*" | "%")
    };
    begins_general(&choice.value) || begins_general(choice.shown())
}

/// Whether what a browser sends for a control chooses something.
fn default_narrows(control: &Control) -> bool {
    match &control.kind {
        ControlKind::Text { default } => !default.is_empty(),
        ControlKind::Select { choices, multiple } => {
            let chosen = choices.iter().rfind(|choice| choice.chosen);
            let chosen = chosen.or(if *multiple { None } else { choices.first() });
            chosen.is_some_and(|choice| !choice.value.is_empty() && !is_general(choice))
        }
        ControlKind::Radio { choices } | ControlKind::Checkbox { choices } => choices
            .iter()
            .any(|choice| choice.chosen && !choice.value.is_empty() && !is_general(choice)),
        _ => false,
    }
}
