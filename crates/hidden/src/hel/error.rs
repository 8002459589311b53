//! What can be wrong with a rule, and what is only doubtful.

use serde::Serialize;
use std::fmt;

/// Kinds of errors; the names are those of the manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HelCode {
    /// The text is no rule.
    Syntax,
    /// A regular expression is none, or needs too much memory.
    Regex,
    /// A variable of the path occurs in no condition.
    NoCondition,
    /// A condition uses a variable that the path does not have.
    Unbound,
    /// What several rules begin with has a property, a fork or conditions.
    Prefix,
    /// The rule takes too long on this page.
    RuleBudget,
}

impl HelCode {
    pub fn as_str(self) -> &'static str {
        match self {
            HelCode::Syntax => "E_SYNTAX",
            HelCode::Regex => "E_REGEX",
            HelCode::NoCondition => "E_NO_CONDITION",
            HelCode::Unbound => "E_UNBOUND",
            HelCode::Prefix => "E_PREFIX",
            HelCode::RuleBudget => "E_RULE_BUDGET",
        }
    }
}

impl fmt::Display for HelCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for HelCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Why a text is no rule, or why a rule has no value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct HelError {
    pub code: HelCode,
    /// Where, in bytes from the start of the rule; of the prefix if the code is [`HelCode::Prefix`].
    pub offset: usize,
    pub message: String,
}

impl HelError {
    pub(super) fn new(code: HelCode, offset: usize, message: impl Into<String>) -> HelError {
        HelError { code, offset, message: message.into() }
    }
}

/// Something in a rule that is allowed and may not be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HelWarning {
    pub code: &'static str,
    /// Where, in bytes from the start of the rule.
    pub offset: usize,
    pub message: String,
}

impl HelWarning {
    pub(super) fn new(code: &'static str, offset: usize, message: String) -> HelWarning {
        HelWarning { code, offset, message }
    }
}
