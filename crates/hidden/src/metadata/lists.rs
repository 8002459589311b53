//! Lists of values in metadata.

/// Values between commas, without white space at their ends. Quotes hold a value together that has commas, and
/// braces around the whole list are left out, because the paper's table can be read that way.
pub(super) fn list(text: &str) -> Vec<String> {
    let text = text.trim();
    let text = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text);
    let mut values = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|sign| matches!(sign, '"' | '\''));
        let quoted = quote.and_then(|quote| {
            let (value, behind) = rest[1..].split_once(quote)?;
            let behind = behind.trim_start();
            (behind.is_empty() || behind.starts_with(',')).then_some((value, behind))
        });
        let (value, behind) = match quoted {
            Some((value, behind)) => (value, behind.strip_prefix(',').unwrap_or(behind)),
            None => {
                let (value, behind) = rest.split_once(',').unwrap_or((rest, ""));
                (value.trim(), behind)
            }
        };
        if !value.is_empty() || quoted.is_some() {
            values.push(value.to_owned());
        }
        rest = behind.trim_start();
    }
    values
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn values_between_commas() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("a, b ,c",              &["a", "b", "c"]),
            ("{ a, b }",             &["a", "b"]),
            ("\"a, b\", 'c'",        &["a, b", "c"]),
            ("a, '', b",             &["a", "", "b"]),
            ("it's, \"so\" so",      &["it's", "\"so\" so"]),
            (" , a,, ",              &["a"]),
            ("",                     &[]),
            ("Mecklenburgische Schweiz", &["Mecklenburgische Schweiz"]),
        ];
        for (text, expected) in cases {
            assert_eq!(list(text), *expected, "{text}");
        }
    }
}
