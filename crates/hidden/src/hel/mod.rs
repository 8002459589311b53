//! HEL, the HTML Extraction Language: rules that say where on a page values stand.
//!
//! It was made for W4F (Sahuguet and Azavant, 1998) and taken up for the metadata of databases (Weber,
//! 2001). A rule leads along the tree of a page, by `.` to children and by `->` along the document, and
//! ends in a property; conditions choose among repeated parts. Its value is a nested string list.
//! `docs/hidden-web.md` has the language in full, and `tests/hel` a table of rules and values.

mod budget;
mod check;
mod compare;
mod cursor;
mod error;
mod evaluate;
mod grammar;
mod nsl;
mod pattern;
mod places;
mod prefix;
mod properties;
mod suggest;
mod syntax;
mod view;

pub use budget::{HelBudget, MAX_HEL_EVALUATIONS};
pub use error::{HelCode, HelError, HelWarning};
pub use nsl::Nsl;
pub use pattern::MAX_HEL_PATTERN;
pub use prefix::HelPrefix;
pub use suggest::{HelSuggestion, MAX_HEL_SUGGESTIONS, suggest};
pub use view::HelPage;

use check::Checked;
use evaluate::Plan;
use grammar::Parsed;
use std::fmt;
use syntax::{Condition, Path};

/// Bytes of a rule.
pub const MAX_HEL_LENGTH: usize = 16 * 1024;

/// Forks within forks.
pub const MAX_HEL_DEPTH: usize = 64;

/// Steps of a rule, those of its conditions included.
pub const MAX_HEL_STEPS: usize = 512;

/// Conditions of a rule.
pub const MAX_HEL_CONDITIONS: usize = 64;

/// Regular expressions of a rule.
pub const MAX_HEL_REGEXES: usize = 32;

/// A rule, ready to be evaluated on pages.
///
/// ```
/// use auslese_hidden::{HelBudget, HelPage, HelRule};
/// let page = auslese_markup::parse(b"<ul><li>Rostock<li class=x>Wismar</ul>", None);
/// let rule = HelRule::parse("html.body.ul.li[i].txt where html.body.ul.li[i].getAttr(class) = 'x'", None);
/// let value = rule.unwrap().evaluate(&HelPage::new(&page), &mut HelBudget::default());
/// assert_eq!(value.unwrap().texts(), ["Wismar"]);
/// ```
#[derive(Clone)]
pub struct HelRule {
    source: String,
    path: Path,
    conditions: Vec<Condition>,
    guards: Vec<usize>,
    variables: usize,
    warnings: Vec<HelWarning>,
}

impl HelRule {
    /// Reads and checks a rule. A prefix goes before its path and those of its conditions, unless they
    /// begin with `html`.
    pub fn parse(source: &str, prefix: Option<&HelPrefix>) -> Result<HelRule, HelError> {
        let Parsed { mut path, mut conditions, relative } = grammar::parse(source, prefix)?;
        let Checked { variables, guards, mut warnings } = check::check(&mut path, &mut conditions)?;
        warnings.extend(relative.into_iter().map(|offset| {
            let message =
                "the path does not begin with html, and there is no prefix: it begins at the document";
            HelWarning::new("W_RELATIVE", offset, message.to_owned())
        }));
        Ok(HelRule { source: source.to_owned(), path, conditions, guards, variables, warnings })
    }

    /// The rule as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What is allowed and may not be meant.
    pub fn warnings(&self) -> &[HelWarning] {
        &self.warnings
    }

    /// The value of the rule on a page.
    pub fn evaluate(&self, page: &HelPage<'_>, budget: &mut HelBudget) -> Result<Nsl, HelError> {
        let plan = Plan {
            path: &self.path,
            conditions: &self.conditions,
            guards: &self.guards,
            variables: self.variables,
        };
        evaluate::evaluate(&plan, page, budget)
    }
}

impl fmt::Debug for HelRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("HelRule").field(&self.source).finish()
    }
}
