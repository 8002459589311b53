//! `$GENERATE`: many records from one line, as BIND has it.
//!
//! `$GENERATE 1-3 host-$ A 192.0.2.$` stands for three records. `${offset,width,base}` shifts and
//! formats the number, `$$` and `\$` are a dollar sign.

/// Which numbers, from `1-254` or `0-100/2`.
pub(crate) fn range(text: &str) -> Option<impl Iterator<Item = i64> + use<>> {
    let (bounds, step) = match text.split_once('/') {
        Some((bounds, step)) => (bounds, step.parse().ok()?),
        None => (text, 1),
    };
    let (first, last) = bounds.split_once('-')?;
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    let step = (step > 0).then_some(step)?;
    Some((i64::from(first)..=i64::from(last)).step_by(step))
}

/// Puts a number into a word.
pub(crate) fn put_in(word: &str, number: i64) -> String {
    let mut result = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['$', '\\']) {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        let plain = ["\\$", "$$"].iter().find(|sign| rest.starts_with(**sign));
        if let Some(sign) = plain {
            result.push('$');
            rest = &rest[sign.len()..];
        } else if let Some((format, after)) =
            rest.strip_prefix("${").and_then(|format| format.split_once('}'))
        {
            result.push_str(&formatted(format, number));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('$') {
            result.push_str(&number.to_string());
            rest = after;
        } else {
            result.push('\\');
            rest = &rest[1..];
        }
    }
    result + rest
}

/// Wider numbers than any name may hold are cut to this.
const MAX_WIDTH: usize = 64;

fn formatted(format: &str, number: i64) -> String {
    let mut parts = format.split(',');
    let offset: i64 = parts.next().and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let width: usize = parts.next().and_then(|width| width.parse().ok()).unwrap_or(0);
    let width = width.min(MAX_WIDTH);
    let number = number.saturating_add(offset);
    match parts.next() {
        Some("o") => format!("{number:0width$o}"),
        Some("x") => format!("{number:0width$x}"),
        Some("X") => format!("{number:0width$X}"),
        _ => format!("{number:0width$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        #[rustfmt::skip]
        let cases = [
            ("host-$",          7,  "host-7"),
            ("${0,3}",          7,  "007"),
            ("${10}.x",         7,  "17.x"),
            ("${0,2,x}",        255, "ff"),
            ("a$$b\\$c",        7,  "a$b$c"),
            ("${-5,2,d}",       7,  "02"),
            ("${",              7,  "7{"),
            ("\\",              7,  "\\"),
        ];
        for (word, number, expected) in cases {
            assert_eq!(put_in(word, number), expected, "{word}");
        }
    }

    #[test]
    fn ranges() {
        let numbers = |text: &str| range(text).map(|range| range.collect::<Vec<_>>());
        assert_eq!(numbers("1-3"), Some(vec![1, 2, 3]));
        assert_eq!(numbers("0-5/2"), Some(vec![0, 2, 4]));
        assert_eq!(numbers("3-1"), Some(vec![]));
        assert_eq!(numbers("1-3/0"), None);
        assert_eq!(numbers("x"), None);
    }
}
