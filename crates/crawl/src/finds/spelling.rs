//! Another spelling of an address that a server does not understand.
//!
//! Pages name files such as `operator%.html` without writing the percent sign as `%25`. Browsers send what is written, and
//! some servers look for the file; others call the request bad. Where they do, the address is asked for
//! once more as it should have been spelt: what a page names is then in the archive, with both answers.

use url::Url;

/// The address with `%25` in place of every percent sign that begins no escape; `None` if there is no such sign.
pub(super) fn percent_signs_escaped(url: &Url) -> Option<Url> {
    let mut repaired = url.clone();
    let path = escaped(url.path());
    let query = url.query().and_then(escaped);
    if path.is_none() && query.is_none() {
        return None;
    }
    if let Some(path) = path {
        repaired.set_path(&path);
    }
    if let Some(query) = query {
        repaired.set_query(Some(&query));
    }
    Some(repaired)
}

fn escaped(part: &str) -> Option<String> {
    let begins_escape = |at: usize| {
        let digits = part.as_bytes().get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let bare: Vec<usize> = part.match_indices('%').map(|(at, _)| at).collect();
    let bare: Vec<usize> = bare.into_iter().filter(|at| !begins_escape(*at)).collect();
    if bare.is_empty() {
        return None;
    }
    let mut text = String::with_capacity(part.len() + 2 * bare.len());
    let mut copied = 0;
    for at in bare {
        text.push_str(&part[copied..=at]);
        text.push_str("25");
        copied = at + 1;
    }
    text.push_str(&part[copied..]);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_begin_no_escape() {
        #[rustfmt::skip]
        let cases = [
            ("/operator%.html",     Some("/operator%25.html")),
            ("/100%/%41%zz?q=5%",   Some("/100%25/%41%25zz?q=5%25")),
            ("/%",                  Some("/%25")),
            ("/%%41",               Some("/%25%41")),
            ("/%25.html?a=%20",     None),
            ("/plain",              None),
        ];
        for (path, expected) in cases {
            let url = Url::parse(&format!("http://h.example{path}")).unwrap();
            let repaired = percent_signs_escaped(&url);
            let expected = expected.map(|path| format!("http://h.example{path}"));
            assert_eq!(repaired.as_ref().map(|url| url.to_string()), expected, "{path}");
            // Asked once more, and never again.
            assert_eq!(repaired.and_then(|url| percent_signs_escaped(&url)), None, "{path}");
        }
    }
}
