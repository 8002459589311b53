//! The pattern of one token: a word, a word with wildcards, a regular expression, or anything.

use crate::Sensitivity;
use crate::error::Problem;
use auslese_words::fold;
use regex_automata::meta::{Config, Regex};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, Look};

/// Largest regular expression over a token, compiled, in bytes.
pub const MAX_TOKEN_REGEX: usize = 1 << 20;

/// Deepest nesting of a regular expression.
const REGEX_NESTING: u32 = 64;

/// What a token must be like.
#[derive(Debug, Clone)]
pub(crate) struct TokenPattern {
    pub(crate) kind: PatternKind,
    pub(crate) sensitivity: Sensitivity,
    regex: Option<Regex>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum PatternKind {
    Any,
    /// In the form of its sensitivity.
    Word(String),
    /// Literal stretches in that form, with `*` and `?` between them.
    Wildcards(Vec<Wild>),
    Regex(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Wild {
    Literal(String),
    /// `*`: any letters, also none.
    Many,
    /// `?`: one letter.
    One,
}

impl PartialEq for TokenPattern {
    fn eq(&self, other: &TokenPattern) -> bool {
        self.kind == other.kind && self.sensitivity == other.sensitivity
    }
}

impl TokenPattern {
    pub(crate) fn any() -> TokenPattern {
        TokenPattern { kind: PatternKind::Any, sensitivity: Sensitivity::AsWritten, regex: None }
    }

    pub(crate) fn word(token: &str, sensitivity: Sensitivity) -> TokenPattern {
        let form = sensitivity.form(token).into_owned();
        TokenPattern { kind: PatternKind::Word(form), sensitivity, regex: None }
    }

    pub(crate) fn wildcards(
        parts: Vec<Wild>,
        sensitivity: Sensitivity,
    ) -> Result<TokenPattern, Problem> {
        let parts: Vec<Wild> = parts
            .into_iter()
            .map(|part| match part {
                Wild::Literal(text) => Wild::Literal(sensitivity.form(&text).into_owned()),
                other => other,
            })
            .collect();
        let pattern: String = parts
            .iter()
            .map(|part| match part {
                Wild::Literal(text) => regex_syntax::escape(text),
                Wild::Many => "(?s:.*)".to_owned(),
                Wild::One => "(?s:.)".to_owned(),
            })
            .collect();
        let regex = compile(&pattern, false)?;
        Ok(TokenPattern { kind: PatternKind::Wildcards(parts), sensitivity, regex: Some(regex) })
    }

    /// A regular expression that must match the whole token.
    pub(crate) fn regex(pattern: &str, sensitivity: Sensitivity) -> Result<TokenPattern, Problem> {
        if sensitivity == Sensitivity::Folded
            && let Some(letter) = pattern.chars().find(|letter| is_folded_away(*letter))
        {
            return Err(Problem::NeverFolded { letter, instead: fold(&letter.to_string()) });
        }
        // Folded forms are in lower case, and the expression may not be.
        let regex = compile(pattern, sensitivity != Sensitivity::AsWritten)?;
        let kind = PatternKind::Regex(pattern.to_owned());
        Ok(TokenPattern { kind, sensitivity, regex: Some(regex) })
    }

    /// Whether comparing takes longer than looking up what came of it before.
    pub(crate) fn is_costly(&self) -> bool {
        self.regex.is_some()
    }

    /// Whether a token in the form of this pattern's sensitivity is like it.
    pub(crate) fn fits(&self, form: &str) -> bool {
        match (&self.kind, &self.regex) {
            (PatternKind::Any, _) => true,
            (PatternKind::Word(word), _) => word == form,
            (_, Some(regex)) => regex.is_match(form),
            (_, None) => false,
        }
    }
}

fn is_folded_away(letter: char) -> bool {
    !letter.is_ascii()
        && !fold(&letter.to_string()).starts_with(letter.to_lowercase().next().unwrap_or(letter))
}

/// The expression with the borders of the token around it. They are added to the parsed tree, since
/// brackets or comments of the pattern could undo what is written around its text.
fn compile(pattern: &str, ignore_case: bool) -> Result<Regex, Problem> {
    let mut parser =
        ParserBuilder::new().case_insensitive(ignore_case).nest_limit(REGEX_NESTING).build();
    let tree = parser.parse(pattern).map_err(|error| Problem::BadRegex(short(&error)))?;
    let whole = Hir::concat(vec![Hir::look(Look::Start), tree, Hir::look(Look::End)]);
    let limits = Config::new()
        .nfa_size_limit(Some(MAX_TOKEN_REGEX))
        .onepass_size_limit(Some(MAX_TOKEN_REGEX))
        .hybrid_cache_capacity(MAX_TOKEN_REGEX);
    let built = Regex::builder().configure(limits).build_from_hir(&whole);
    built.map_err(|error| match error.size_limit() {
        Some(limit) => Problem::RegexTooLarge { limit },
        None => Problem::BadRegex(error.to_string()),
    })
}

/// What is wrong, without the drawing that the parser adds.
fn short(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        other => other.to_string(),
    }
}
