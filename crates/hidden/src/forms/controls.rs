//! The controls of a form, and the values they can take.

use super::labels::{Label, Labels};
use super::{Encoding, MAX_CHOICES};
use auslese_markup::{Element, NodeId, Page, Tree};

/// What a name can say in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The internal name; never empty, except of submit buttons.
    pub name: String,
    pub kind: ControlKind,
    pub label: Option<Label>,
    /// Whether a browser would insist on a value.
    pub required: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ControlKind {
    /// Takes any text.
    Text {
        default: String,
    },
    Hidden {
        value: String,
    },
    Select {
        choices: Vec<Choice>,
        multiple: bool,
    },
    Radio {
        choices: Vec<Choice>,
    },
    /// Boxes of one name; each may be ticked or not.
    Checkbox {
        choices: Vec<Choice>,
    },
    Submit {
        value: String,
    },
    /// A picture to click on: two coordinates are sent.
    Image,
    File,
    Password {
        default: String,
    },
}

/// A value that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What people see; of a radio button or a box it may be missing or a guess.
    pub label: Option<Label>,
    /// Whether it is chosen from the start.
    pub chosen: bool,
}

impl Choice {
    /// What people see, or else what is sent.
    pub fn shown(&self) -> &str {
        self.label.as_ref().map_or(&self.value, |label| &label.text)
    }
}

impl Control {
    pub(super) fn is_submit(&self) -> bool {
        matches!(self.kind, ControlKind::Submit { .. } | ControlKind::Image)
    }

    pub(super) fn is_forbidden(&self) -> bool {
        matches!(self.kind, ControlKind::File | ControlKind::Password { .. })
            || self.name.to_ascii_lowercase().contains("captcha")
    }

    /// The choices, if the domain is in the page.
    pub fn choices(&self) -> Option<&[Choice]> {
        match &self.kind {
            ControlKind::Select { choices, .. }
            | ControlKind::Radio { choices }
            | ControlKind::Checkbox { choices } => Some(choices),
            _ => None,
        }
    }

    /// What a browser sends for it if nobody touches it.
    pub(super) fn browser_fields(&self, encoding: Encoding) -> Vec<(String, String)> {
        let field = |value: &str| (self.name.clone(), value.to_owned());
        match &self.kind {
            ControlKind::Text { default } | ControlKind::Password { default } => {
                vec![field(default)]
            }
            ControlKind::Hidden { value } => vec![field(self.hidden_value(value, encoding))],
            ControlKind::File => vec![field("")],
            ControlKind::Submit { .. } if self.name.is_empty() => Vec::new(),
            ControlKind::Submit { value } => vec![field(value)],
            ControlKind::Image => image_fields(&self.name),
            ControlKind::Select { choices, multiple } => {
                let mut chosen = choices.iter().filter(|choice| choice.chosen);
                match multiple {
                    true => chosen.map(|choice| field(&choice.value)).collect(),
                    // The last that is chosen counts, and the first if none is.
                    false => {
                        let one = chosen.next_back().or(choices.first());
                        one.map(|choice| field(&choice.value)).into_iter().collect()
                    }
                }
            }
            ControlKind::Radio { choices } => {
                let chosen = choices.iter().rfind(|choice| choice.chosen);
                chosen.map(|choice| field(&choice.value)).into_iter().collect()
            }
            ControlKind::Checkbox { choices } => {
                let chosen = choices.iter().filter(|choice| choice.chosen);
                chosen.map(|choice| field(&choice.value)).collect()
            }
        }
    }

    /// Browsers write the encoding into a hidden field of this name.
    fn hidden_value<'a>(&self, value: &'a str, encoding: Encoding) -> &'a str {
        match self.name.eq_ignore_ascii_case("_charset_") {
            true => encoding.name(),
            false => value,
        }
    }
}

/// Somebody clicks on the upper left corner.
pub(crate) fn image_fields(name: &str) -> Vec<(String, String)> {
    let prefix = if name.is_empty() { String::new() } else { format!("{name}.") };
    ["x", "y"].map(|axis| (format!("{prefix}{axis}"), "0".to_owned())).to_vec()
}

/// The controls of a page in its order.
pub(super) fn in_order(tree: &Tree) -> impl Iterator<Item = NodeId> {
    tree.ids().filter(|id| {
        let element = tree.element(*id);
        element.is_some_and(|it| {
            ["input", "select", "textarea", "button"].iter().any(|name| it.is(name))
        })
    })
}

/// Puts controls together form by form.
pub(super) struct ControlReader<'p> {
    tree: &'p Tree,
    labels: Labels<'p>,
    forms: Vec<Vec<Control>>,
}

impl<'p> ControlReader<'p> {
    pub(super) fn new(page: &'p Page, forms: usize) -> ControlReader<'p> {
        let tree = page.tree();
        ControlReader { tree, labels: Labels::of(tree), forms: vec![Vec::new(); forms] }
    }

    pub(super) fn finish(self) -> Vec<Vec<Control>> {
        self.forms
    }

    pub(super) fn read(&mut self, form: usize, id: NodeId) {
        let Some(element) = self.tree.element(id) else { return };
        if is_disabled(self.tree, id, element) || is_in(self.tree, id, "datalist") {
            return;
        }
        let name = element.attribute("name").unwrap_or_default();
        let Some(kind) = self.kind(id, element) else { return };
        let is_submit = matches!(kind, ControlKind::Submit { .. } | ControlKind::Image);
        if name.is_empty() && !is_submit {
            return;
        }
        if let Some(known) = self.forms[form].iter_mut().find(|known| known.name == name)
            && joined(&mut known.kind, &kind)
        {
            return;
        }
        let label = match kind {
            // What stands beside one choice does not name them all.
            ControlKind::Radio { .. } | ControlKind::Checkbox { .. } => self.labels.of_group(id),
            _ => self.labels.of_control(id),
        };
        let required = element.attribute("required").is_some();
        let control = Control { name: name.to_owned(), kind, label, required };
        self.forms[form].push(control);
    }

    fn kind(&mut self, id: NodeId, element: &Element) -> Option<ControlKind> {
        let kind = element.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
        let value = || element.attribute("value").unwrap_or_default().to_owned();
        if element.is("select") {
            let multiple = element.attribute("multiple").is_some();
            return Some(ControlKind::Select { choices: options(self.tree, id), multiple });
        }
        if element.is("textarea") {
            return Some(ControlKind::Text { default: self.tree.string_value(id) });
        }
        if element.is("button") {
            let is_submit = !matches!(kind.as_str(), "button" | "reset" | "menu");
            return is_submit.then(|| ControlKind::Submit { value: value() });
        }
        Some(match kind.as_str() {
            "hidden" => ControlKind::Hidden { value: value() },
            "submit" => ControlKind::Submit { value: value() },
            "image" => ControlKind::Image,
            "file" => ControlKind::File,
            "password" => ControlKind::Password { default: value() },
            "button" | "reset" => return None,
            "radio" | "checkbox" => {
                let choice = Choice {
                    value: element.attribute("value").unwrap_or("on").to_owned(),
                    label: self.labels.of_choice(id),
                    chosen: element.attribute("checked").is_some(),
                };
                match kind.as_str() {
                    "radio" => ControlKind::Radio { choices: vec![choice] },
                    _ => ControlKind::Checkbox { choices: vec![choice] },
                }
            }
            _ => ControlKind::Text { default: value() },
        })
    }
}

/// Radio buttons and boxes of one name are one control.
fn joined(known: &mut ControlKind, new: &ControlKind) -> bool {
    match (known, new) {
        (ControlKind::Radio { choices }, ControlKind::Radio { choices: new })
        | (ControlKind::Checkbox { choices }, ControlKind::Checkbox { choices: new }) => {
            if choices.len() < MAX_CHOICES {
                choices.extend(new.iter().cloned());
            }
            true
        }
        _ => false,
    }
}

/// The options of a list that can be chosen.
fn options(tree: &Tree, select: NodeId) -> Vec<Choice> {
    let mut choices = Vec::new();
    for id in tree.subtree(select).filter(|id| tree.element(*id).is_some_and(|it| it.is("option")))
    {
        let Some(option) = tree.element(id) else { continue };
        let group = tree.parent(id).and_then(|parent| tree.element(parent));
        let in_disabled =
            group.is_some_and(|it| it.is("optgroup") && it.attribute("disabled").is_some());
        if option.attribute("disabled").is_some() || in_disabled {
            continue;
        }
        if choices.len() == MAX_CHOICES {
            break;
        }
        let text = words(&tree.string_value(id));
        let shown = option.attribute("label").filter(|it| !it.is_empty()).unwrap_or(&text);
        choices.push(Choice {
            value: option.attribute("value").map_or_else(|| text.clone(), str::to_owned),
            label: Some(Label::sure(shown)),
            chosen: option.attribute("selected").is_some(),
        });
    }
    choices
}

pub(super) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_disabled(tree: &Tree, id: NodeId, element: &Element) -> bool {
    if element.attribute("disabled").is_some() {
        return true;
    }
    let mut below = id;
    for ancestor in tree.ancestors(id) {
        let fieldset = tree
            .element(ancestor)
            .filter(|it| it.is("fieldset") && it.attribute("disabled").is_some());
        if fieldset.is_some() {
            // The first legend of a disabled group stays usable.
            let legend = tree
                .children(ancestor)
                .find(|child| tree.element(*child).is_some_and(|it| it.is("legend")));
            if legend != Some(below) {
                return true;
            }
        }
        below = ancestor;
    }
    false
}

fn is_in(tree: &Tree, id: NodeId, name: &str) -> bool {
    tree.ancestors(id).any(|ancestor| tree.element(ancestor).is_some_and(|it| it.is(name)))
}
