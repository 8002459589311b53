//! The forms of a page: where they send, and what their controls can say.
//!
//! A form is a set of pairs of an element and its domain: the values it can take. Lists, radio buttons and
//! boxes have their domain in the page; text fields take anything. Each choice is a pair, too: what people
//! see, and what is sent. Which control belongs to which form is the parser's knowledge
//! ([`auslese_markup::Tree::form_owner`]), because in old pages forms lie across tables.

mod controls;
mod labels;
mod sending;

pub use controls::{Choice, Control, ControlKind};
pub use labels::Label;
pub use sending::{Encoding, Enctype};

use auslese_markup::{NodeId, Page, Tree};
use auslese_model::{Method, Request};
use controls::ControlReader;
pub(crate) use controls::image_fields;
use url::Url;

/// Forms of a page that are looked at.
pub const MAX_FORMS: usize = 1_000;

/// Controls of a page that are looked at.
pub const MAX_CONTROLS: usize = 20_000;

/// Choices of a list, radio group or group of boxes.
pub const MAX_CHOICES: usize = 100_000;

/// A form as it would be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Its name or `id`, for messages.
    pub name: Option<String>,
    pub action: Url,
    pub method: Method,
    pub enctype: Enctype,
    /// The encoding of what is sent.
    pub encoding: Encoding,
    /// In the order of the page; radio buttons and boxes of one name are one control.
    pub controls: Vec<Control>,
    /// Whether a riddle stands in it that tells people from machines.
    pub has_riddle: bool,
}

impl Form {
    pub fn control(&self, name: &str) -> Option<&Control> {
        self.controls.iter().find(|control| control.name == name)
    }

    /// The fields a browser would send if nothing were filled in: defaults, and the first submit button.
    pub fn browser_fields(&self) -> Vec<(String, String)> {
        let submit = self.controls.iter().position(Control::is_submit);
        let mut fields = Vec::new();
        for (at, control) in self.controls.iter().enumerate() {
            if !control.is_submit() || Some(at) == submit {
                fields.extend(control.browser_fields(self.encoding));
            }
        }
        fields
    }

    /// What a browser would send for one control.
    pub(crate) fn browser_fields_of(&self, control: &Control) -> Vec<(String, String)> {
        control.browser_fields(self.encoding)
    }

    /// The request that these fields make.
    pub(crate) fn request(
        &self,
        method: Method,
        action: &Url,
        fields: &[(String, String)],
    ) -> Option<Request> {
        sending::request(method, action, self.enctype, self.encoding, fields)
    }

    /// Controls that nobody may fill in for others: passwords, files, riddles that tell people from machines.
    pub fn forbidden_controls(&self) -> impl Iterator<Item = &Control> {
        self.controls.iter().filter(|control| control.is_forbidden())
    }

    /// What must not be sent by a machine, if there is something: the name of a control, or the riddle.
    pub fn refusal(&self) -> Option<&str> {
        let control = self.forbidden_controls().next().map(|control| control.name.as_str());
        control.or_else(|| self.has_riddle.then_some("captcha"))
    }

    /// Whether anything can be chosen or written.
    pub fn asks_something(&self) -> bool {
        self.controls.iter().any(|control| {
            matches!(control.kind, ControlKind::Text { .. } | ControlKind::Select { .. })
        })
    }
}

/// All forms of a page in its order; `url` is the page's own.
pub fn forms(page: &Page, url: &Url) -> Vec<Form> {
    let tree = page.tree();
    let nodes: Vec<NodeId> = tree
        .elements_named("form")
        .map(|(id, _)| id)
        .filter(|id| is_shown(tree, *id))
        .take(MAX_FORMS)
        .collect();
    if nodes.is_empty() {
        return Vec::new();
    }
    let mut reader = ControlReader::new(page, nodes.len());
    for control in controls::in_order(tree).take(MAX_CONTROLS) {
        let owner = tree.form_owner(control);
        if let Some(form) = owner.and_then(|owner| nodes.binary_search(&owner).ok()) {
            reader.read(form, control);
        }
    }
    let controls = reader.finish();
    nodes
        .into_iter()
        .zip(controls)
        .filter_map(|(node, controls)| {
            let element = tree.element(node)?;
            let attribute =
                |name: &str| element.attribute(name).map(str::trim).filter(|it| !it.is_empty());
            let action = match attribute("action") {
                Some(action) => page.resolve(url, action)?,
                None => url.clone(),
            };
            if !matches!(action.scheme(), "http" | "https") {
                return None;
            }
            let method = match attribute("method") {
                Some(method) if method.eq_ignore_ascii_case("post") => Method::Post,
                // It closes a window and sends nothing.
                Some(method) if method.eq_ignore_ascii_case("dialog") => return None,
                _ => Method::Get,
            };
            Some(Form {
                name: attribute("name").or(attribute("id")).map(str::to_owned),
                action,
                method,
                enctype: Enctype::of(attribute("enctype")),
                encoding: Encoding::of_form(attribute("accept-charset"), page.charset().name),
                has_riddle: has_riddle(tree, node),
                controls,
            })
        })
        .collect()
}

/// What stands in a template is not there until a script puts it somewhere.
fn is_shown(tree: &Tree, form: NodeId) -> bool {
    !tree.ancestors(form).any(|id| tree.element(id).is_some_and(|it| it.is("template")))
}

/// Whether a form has a captcha, by the names that are usual for it. A form that lies across a table is empty in the
/// tree, so the whole page is looked at.
fn has_riddle(tree: &Tree, form: NodeId) -> bool {
    let own = tree.subtree(form);
    let is_empty = tree.first_child(form).is_none();
    let looked_at: Vec<NodeId> = if is_empty { tree.ids().collect() } else { own.collect() };
    looked_at.into_iter().filter_map(|id| tree.element(id)).any(|element| {
        let says = |name: &str, word: &str| {
            element.attribute(name).is_some_and(|it| it.to_ascii_lowercase().contains(word))
        };
        element.attribute("data-sitekey").is_some()
            || ["class", "id", "src", "name"].iter().any(|name| says(name, "captcha"))
            || says("class", "cf-turnstile")
    })
}
