//! Tags of languages as XML and RDF take them.

/// A tag in the form of `xsd:language`; none if the text is none.
pub(crate) fn language_tag(written: &str) -> Option<String> {
    let tag = written.trim().replace('_', "-");
    let mut parts = tag.split('-');
    let is_language = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let is_other = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let is_tag = parts.next().is_some_and(is_language) && parts.all(is_other);
    is_tag.then_some(tag)
}

/// What stands for a language that could not be told.
pub(crate) const UNKNOWN: &str = "und";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        #[rustfmt::skip]
        let cases = [
            ("de",         Some("de")),
            (" en_GB ",    Some("en-GB")),
            ("zh-Hant-TW", Some("zh-Hant-TW")),
            ("",           None),
            ("de-",        None),
            ("deutschland", None),
            ("d e",        None),
            ("4x",         None),
        ];
        for (written, expected) in cases {
            assert_eq!(language_tag(written).as_deref(), expected, "{written:?}");
        }
    }
}
