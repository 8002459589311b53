//! What a configuration may say: the shape of a setting, apart from any particular one.
//!
//! The settings themselves are data (see [`super::tables`]). From that one list come the checks with
//! line and column, the suggestions for misspelt names, the template that `auslese init` writes, and
//! the listing of `auslese config show`; so none of them can disagree.

use crate::size_text;
use std::ops::RangeInclusive;

/// The word that unsets an optional setting, so that a default of "nothing" can be written down.
pub(crate) const NONE: &str = "none";

/// A table of `auslese.toml`.
#[derive(Debug)]
pub(crate) struct Table {
    /// Dotted, as between the brackets of its heading.
    pub(crate) path: &'static str,
    pub(crate) about: &'static str,
    pub(crate) settings: &'static [Setting],
}

/// One setting of a table.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) key: &'static str,
    pub(crate) kind: Kind,
    pub(crate) default: Preset,
    /// One line, a full sentence, for people.
    pub(crate) about: &'static str,
}

/// What holds if nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    /// TOML text.
    Is(&'static str),
    /// TOML text; `"none"` does without.
    OrNone(&'static str),
    /// Nothing; may be written as `"none"`.
    Unset,
    /// The setting has to be given (in records of a list only).
    Required,
}

/// What may stand to the right of the equals sign.
#[derive(Debug)]
pub(crate) enum Kind {
    Switch,
    Whole(RangeInclusive<i64>),
    Number(RangeInclusive<f64>),
    Choice(&'static [&'static str]),
    /// A text such as `"1 GB"`, for at least so many bytes; handed on as a number of bytes.
    Size(u64),
    Text(TextForm),
    List(&'static Kind),
    /// A list of tables, each with these settings.
    Records(&'static [Setting]),
    /// A table of tables: names of the form, and the settings of each.
    Named(TextForm, &'static [Setting]),
}

/// A text that has to be readable as something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextForm {
    /// Completes "expected …".
    pub(crate) what: &'static str,
    /// Says what is wrong with the text, if anything is.
    pub(crate) check: fn(&str) -> Result<(), String>,
}

impl Setting {
    pub(crate) fn is_optional(&self) -> bool {
        matches!(self.default, Preset::Unset | Preset::OrNone(_))
    }

    /// The default as TOML text.
    pub(crate) fn default_text(&self) -> &'static str {
        match self.default {
            Preset::Is(text) | Preset::OrNone(text) => text,
            Preset::Unset | Preset::Required => "\"none\"",
        }
    }

    /// Completes "expected …".
    pub(crate) fn allowed(&self) -> String {
        let allowed = self.kind.allowed();
        if self.is_optional() { format!("{allowed}, or \"none\"") } else { allowed }
    }
}

impl Kind {
    pub(crate) fn allowed(&self) -> String {
        match self {
            Kind::Switch => "true or false".to_owned(),
            Kind::Whole(range) => match (*range.start(), *range.end()) {
                (least, i64::MAX) => format!("a whole number from {least} on"),
                (least, most) => format!("a whole number from {least} to {most}"),
            },
            Kind::Number(range) => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            Kind::Choice(words) => match words {
                [only] => format!("\"{only}\""),
                [first @ .., last] => format!("\"{}\" or \"{last}\"", first.join("\", \"")),
                [] => "nothing".to_owned(),
            },
            Kind::Size(_) => size_text::FORM.to_owned(),
            Kind::Text(form) => form.what.to_owned(),
            Kind::List(each) => format!("a list [ … ] of items, each {}", each.allowed()),
            Kind::Records(settings) => format!("a list of tables {}", keys_of(settings)),
            Kind::Named(name, settings) => {
                format!("a table for each {} {}", name.what, keys_of(settings))
            }
        }
    }
}

/// `{ label, root }`
pub(crate) fn keys_of(settings: &[Setting]) -> String {
    let keys: Vec<&str> = settings.iter().map(|setting| setting.key).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// The nearest of the known names, if one is near enough to be meant.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Below this the names have little in common but a letter or two.
    const NEAR: f64 = 0.75;
    /// One slip in a short name weighs more than the measure thinks it does.
    const ONE_SLIP: f64 = 0.9;
    let folded = name.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|candidate| {
            let one_slip = folded.len() > 2 && strsim::damerau_levenshtein(&folded, candidate) == 1;
            let similarity = strsim::jaro_winkler(&folded, candidate);
            (if one_slip { similarity.max(ONE_SLIP) } else { similarity }, candidate)
        })
        .filter(|(similarity, _)| *similarity >= NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen() {
        let known =
            ["delay", "delay_factor", "connections", "connections_per_host", "rules", "dns"];
        #[rustfmt::skip]
        let cases = [
            ("dealy",                Some("delay")),
            ("Delay",                Some("delay")),
            ("delay-factor",         Some("delay_factor")),
            ("conections",           Some("connections")),
            ("connection_per_hosts", Some("connections_per_host")),
            ("dsn",                  Some("dns")),
            ("zzz",                  None),
            ("",                     None),
        ];
        for (written, meant) in cases {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
    }
}
