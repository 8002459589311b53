//! What steps do with texts: cutting off what stands before, behind and around.

/// What stands between the parts of a title, or between a label and what it labels.
const BETWEEN: [char; 16] =
    ['|', '-', '–', '—', ':', '·', '•', '»', '«', '/', '<', '>', '~', ',', ';', '›'];

/// A text without an affix and without what set it apart. Upper and lower case do not matter. A text
/// that is nothing but the affix is left empty.
pub(super) fn without_affix(text: &str, affix: &str) -> String {
    if let Some(rest) = without_prefix(text, affix)
        && (rest.is_empty() || rest.trim_start().starts_with(BETWEEN))
    {
        return rest.trim_start().trim_start_matches(BETWEEN).trim_start().to_owned();
    }
    if let Some(rest) = without_suffix(text, affix)
        && rest.trim_end().ends_with(BETWEEN)
    {
        return rest.trim_end().trim_end_matches(BETWEEN).trim_end().to_owned();
    }
    text.to_owned()
}

/// What follows a label at the beginning of a text; none if it does not begin with the label as a
/// whole word.
pub(super) fn after_label<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let rest = without_prefix(text, label)?;
    let is_whole = !label.ends_with(char::is_alphanumeric)
        || !rest.starts_with(|next: char| next.is_alphanumeric());
    let is_between = |next: char| next == '.' || next.is_whitespace() || BETWEEN.contains(&next);
    is_whole.then(|| rest.trim_start_matches(is_between))
}

/// Without punctuation and white space at both ends; brackets, quotes and a full stop stay, for they
/// may belong to the text.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || BETWEEN.contains(&letter))
}

/// Which text is the longest or the shortest; the first of several.
pub(super) fn best_by_length<'t>(
    texts: impl Iterator<Item = &'t str>,
    better: fn(usize, usize) -> bool,
) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    for (at, text) in texts.enumerate() {
        let length = text.chars().count();
        if best.is_none_or(|(_, known)| better(length, known)) {
            best = Some((at, length));
        }
    }
    best.map(|(at, _)| at)
}

fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for letter in prefix.chars() {
        if !same_letter(rest.next()?, letter) {
            return None;
        }
    }
    Some(rest.as_str())
}

fn without_suffix<'t>(text: &'t str, suffix: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for letter in suffix.chars().rev() {
        if !same_letter(rest.next_back()?, letter) {
            return None;
        }
    }
    Some(rest.as_str())
}

fn same_letter(one: char, other: char) -> bool {
    one == other || one.to_lowercase().eq(other.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affixes() {
        #[rustfmt::skip]
        let cases = [
            ("Kants Ethik | Uni Ulm",  "uni ulm",  "Kants Ethik"),
            ("UNI ULM: Kants Ethik",   "Uni Ulm",  "Kants Ethik"),
            ("Uni Ulm",                "Uni Ulm",  ""),
            ("Die Uni Ulm",            "Uni Ulm",  "Die Uni Ulm"),
            ("Uni Ulmer Ethik",        "Uni Ulm",  "Uni Ulmer Ethik"),
            ("Ethik",                  "Uni Ulm",  "Ethik"),
        ];
        for (text, affix, expected) in cases {
            assert_eq!(without_affix(text, affix), expected, "{text}");
        }
    }

    #[test]
    fn labels() {
        #[rustfmt::skip]
        let cases = [
            ("Autor: Ada Ei",   "autor", Some("Ada Ei")),
            ("Autor – Ada Ei",  "Autor", Some("Ada Ei")),
            ("Von Ada Ei",      "von",   Some("Ada Ei")),
            ("Vondel",          "von",   None),
            ("Die Autorin",     "autor", None),
            ("Autor",           "Autor", Some("")),
        ];
        for (text, label, expected) in cases {
            assert_eq!(after_label(text, label), expected, "{text}");
        }
    }
}
