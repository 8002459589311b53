//! Which of the forms of a page is meant, and whether it may be sent at all.

use crate::forms::Form;
use auslese_model::Problem;
use url::Url;

/// The form with all essential elements; else the first in which something can be written or chosen.
pub(super) fn choose_form(
    forms: Vec<Form>,
    elements: &[String],
    page: &Url,
) -> Result<Form, Problem> {
    let has_all = |form: &Form| elements.iter().all(|name| form.control(name).is_some());
    let at = match elements.is_empty() {
        false => forms.iter().position(has_all),
        true => None,
    };
    let at = at.or_else(|| forms.iter().position(Form::asks_something));
    let Some(form) = at.and_then(|at| forms.into_iter().nth(at)) else {
        let message = "the page has no form in which something can be written or chosen".to_owned();
        return Err(Problem::error("E_NO_FORM", page.as_str(), message));
    };
    if let Some(name) = form.refusal() {
        let message = "forms with passwords, files or captchas are not sent".to_owned();
        return Err(Problem::error("E_UNSUPPORTED_CONTROL", name, message));
    }
    Ok(form)
}
