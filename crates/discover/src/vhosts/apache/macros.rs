//! Macros: `<Macro name $arguments>` and `Use`, as in `mod_macro`.
//!
//! A macro is lines; using it puts its arguments in, letter by letter, the longest name first, and
//! obeys the result. An argument declared with `@` is put in with quotes around it.

use super::super::MAX_EXPANDED_LINE;
use super::lines::{Line, words};

#[derive(Debug, Clone)]
pub(crate) struct Macro {
    /// With the sign they begin with, in the order of declaration.
    parameters: Vec<String>,
    body: Vec<Line>,
}

/// Macros with more parameters are not used: each is looked for at each letter.
const MAX_PARAMETERS: usize = 64;

/// Why a use of a macro brings nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    WrongArguments,
    TooLong,
}

impl Macro {
    /// Reads what stands behind `<Macro`; the name comes in lower case.
    pub(crate) fn declare(arguments: &str, body: Vec<Line>) -> Option<(String, Macro)> {
        let mut words = words(arguments).into_iter();
        let name = words.next()?.to_ascii_lowercase();
        let parameters = words.filter(|word| !word.is_empty()).collect();
        Some((name, Macro { parameters, body }))
    }

    pub(crate) fn lines(&self) -> usize {
        self.body.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.body.iter().map(|line| line.text.len()).sum()
    }

    /// The lines of the macro with arguments in place of parameters, of at most `room` bytes.
    pub(crate) fn expand(&self, arguments: &[String], room: usize) -> Result<Vec<Line>, Unusable> {
        if arguments.len() != self.parameters.len() {
            return Err(Unusable::WrongArguments);
        }
        if arguments.len() > MAX_PARAMETERS {
            return Err(Unusable::TooLong);
        }
        let mut pairs: Vec<(&str, String)> = self
            .parameters
            .iter()
            .zip(arguments)
            .map(|(parameter, argument)| (parameter.as_str(), put_in(parameter, argument)))
            .collect();
        pairs.sort_by_key(|(parameter, _)| std::cmp::Reverse(parameter.len()));
        let mut room = room;
        let mut lines = Vec::new();
        for line in &self.body {
            // A line that becomes shorter still has to be read.
            room = room.checked_sub(line.text.len()).ok_or(Unusable::TooLong)?;
            let text = substitute(&line.text, &pairs).ok_or(Unusable::TooLong)?;
            room = room.checked_sub(text.len()).ok_or(Unusable::TooLong)?;
            lines.push(Line { number: line.number, text });
        }
        Ok(lines)
    }
}

fn put_in(parameter: &str, argument: &str) -> String {
    if parameter.starts_with('@') {
        let escaped = argument.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{escaped}\"")
    } else {
        argument.to_owned()
    }
}

/// One pass from left to right: what was put in is not looked at again.
fn substitute(line: &str, pairs: &[(&str, String)]) -> Option<String> {
    let mut result = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        match pairs.iter().find(|(parameter, _)| rest.starts_with(parameter)) {
            Some((parameter, argument)) => {
                result.push_str(argument);
                rest = &rest[parameter.len()..];
            }
            None => {
                result.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        if result.len() > MAX_EXPANDED_LINE {
            return None;
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::super::lines::logical_lines;
    use super::*;

    fn expand(declaration: &str, body: &str, arguments: &[&str]) -> Result<String, Unusable> {
        let (_, macro_) = Macro::declare(declaration, logical_lines(body)).unwrap();
        let arguments: Vec<_> = arguments.iter().map(|text| (*text).to_owned()).collect();
        let lines = macro_.expand(&arguments, 200_000)?;
        Ok(lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn arguments_are_put_in() {
        #[rustfmt::skip]
        let cases = [
            ("VH $name",      "ServerName $name.x",  vec!["a"],       Ok("ServerName a.x")),
            ("VH $n $name",   "$name $n $names",     vec!["1", "2"],  Ok("2 1 2s")),
            ("VH @b",         "Use @b",              vec!["a\"b"],    Ok("Use \"a\\\"b\"")),
            ("VH $a $b",      "$a",                  vec!["$b", "c"], Ok("$b")),
            ("VH $a",         "$a",                  vec![],          Err(Unusable::WrongArguments)),
            ("VH",            "x",                   vec![],          Ok("x")),
        ];
        for (declaration, body, arguments, expected) in cases {
            let expected = expected.map(str::to_owned);
            assert_eq!(expand(declaration, body, &arguments), expected, "{declaration}");
        }
        let long = "x".repeat(MAX_EXPANDED_LINE);
        assert_eq!(expand("VH $a", "$a$a", &[&long]), Err(Unusable::TooLong));
        assert_eq!(expand("VH $a", "$a\n$a\n$a\n$a", &[&long]), Err(Unusable::TooLong));
    }
}
