//! What is asked: the fields of the form, or the parameters of an address.

use super::Trial;
use crate::access::Filled;

/// A page that shows what there is to see, for who has none at hand.
const EXAMPLE: &str = include_str!("../../../assets/example.html");

#[derive(Debug)]
pub(super) struct Asked {
    fields: Filled,
    text: Option<String>,
}

impl Asked {
    pub(super) fn new(fields: Filled) -> Asked {
        let given = |name: &str| fields.get(name).filter(|text| !text.trim().is_empty());
        let wants_example = fields.text("example") == Some("yes");
        let text = given("text").or(wants_example.then_some(EXAMPLE)).map(plain_lines);
        Asked { text, fields }
    }

    /// What was pasted.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// A field without spaces around it; none if nothing is left.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.text(name)
    }

    /// A field of several lines, just as it was written.
    pub(super) fn lines(&self, name: &str) -> Option<String> {
        self.fields.get(name).map(plain_lines)
    }

    /// Without a choice, all.
    pub(super) fn wants(&self, trial: &dyn Trial) -> bool {
        let mut chosen = self.fields.all("try").peekable();
        chosen.peek().is_none() || chosen.any(|name| name == trial.name())
    }

    pub(super) fn wants_results_only(&self) -> bool {
        self.field("part") == Some("results")
    }
}

/// Browsers send forms with the line ends of another age.
fn plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}
