//! What names a work for good: DOI, number at arXiv, ISBN and address, each in one spelling, so that
//! two of them are equal exactly if they are the same.

use crate::lazy_regex::LazyRegex;
use auslese_model::WorkIdentifier;
use std::sync::LazyLock;

/// Identifiers of one text; an entry has few.
const MAX_IDENTIFIERS: usize = 8;

struct Patterns {
    doi: LazyRegex,
    arxiv: LazyRegex,
    isbn: LazyRegex,
    url: LazyRegex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let fixed = |pattern: &str| LazyRegex::new(pattern.to_owned());
    Patterns {
        doi: fixed(r#"\b10\.[0-9]{4,9}/[^\s"<>]{1,200}"#),
        arxiv: fixed(
            r"(?i)arxiv(?:\.org/(?:abs|pdf)/|:\s?)([0-9]{4}\.[0-9]{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/[0-9]{7})",
        ),
        isbn: fixed(r"\b(?i-u:ISBN)(?:-1[03])?[:\s]\s?([0-9][0-9Xx -]{8,18}[0-9Xx])"),
        url: fixed(r#"(?i)\b(?:https?://|www\.)[^\s"<>„“”]{3,500}"#),
    }
});

/// All identifiers in a text, the surest first.
///
/// ```
/// use auslese_describe::work_identifiers;
/// let found = work_identifiers("doi:10.1000/XYZ.1, ISBN 3-16-148410-X.");
/// let found: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert_eq!(found, ["doi:10.1000/xyz.1", "ISBN 9783161484100"]);
/// ```
pub fn work_identifiers(text: &str) -> Vec<WorkIdentifier> {
    let patterns = &*PATTERNS;
    // Most texts have none, and the expressions are large.
    let dois = has(text, "10.").then(|| patterns.doi.find_iter(text)).into_iter().flatten();
    let dois = dois.map(|found| WorkIdentifier::Doi(without_end(found.as_str()).to_lowercase()));
    let arxiv = has(text, "arxiv").then(|| patterns.arxiv.captures_iter(text));
    let arxiv = arxiv.into_iter().flatten();
    let arxiv = arxiv.map(|found| WorkIdentifier::Arxiv(found[1].to_lowercase()));
    let isbns = has(text, "isbn").then(|| patterns.isbn.captures_iter(text));
    let isbns = isbns.into_iter().flatten();
    let isbns = isbns.filter_map(|found| isbn(&found[1])).map(WorkIdentifier::Isbn);
    let is_address = has(text, "http") || has(text, "www.");
    let urls = is_address.then(|| patterns.url.find_iter(text)).into_iter().flatten();
    let urls = urls.filter_map(|found| address_identifier(without_end(found.as_str())));
    let mut found: Vec<WorkIdentifier> = Vec::new();
    for identifier in dois.chain(arxiv).chain(isbns).chain(urls) {
        if found.len() < MAX_IDENTIFIERS && !found.contains(&identifier) {
            found.push(identifier);
        }
    }
    found
}

/// Whether a text has a piece of ASCII, in upper or lower case.
fn has(text: &str, piece: &str) -> bool {
    let mut windows = text.as_bytes().windows(piece.len());
    windows.any(|window| window.eq_ignore_ascii_case(piece.as_bytes()))
}

/// An address as an identifier: without what does not tell documents apart. Addresses that say a DOI
/// or a number at arXiv are identifiers of that kind already.
pub fn address_identifier(url: &str) -> Option<WorkIdentifier> {
    let lower = url.to_ascii_lowercase();
    if lower.contains("doi.org/10.") || lower.contains("arxiv.org/") {
        return None;
    }
    let bare = url.split('#').next().unwrap_or_default();
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| lower.starts_with(scheme))
        .map_or(0, str::len);
    let rest = &bare[scheme.min(bare.len())..];
    let rest = rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/');
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let whole = host.contains('.') && !host.ends_with('.');
    whole.then(|| WorkIdentifier::Url(format!("{}{path}", host.to_ascii_lowercase())))
}

/// Without the signs that end a sentence or a bracket around it.
fn without_end(text: &str) -> &str {
    let mut text = text.trim_end_matches(['.', ',', ';', ':', '\'', '’', '>', ']']);
    while text.ends_with(')') && text.matches('(').count() < text.matches(')').count() {
        text = text[..text.len() - 1].trim_end_matches(['.', ',']);
    }
    text
}

/// Thirteen digits, if the last one proves the others.
fn isbn(text: &str) -> Option<String> {
    let digits: Vec<u32> = text
        .chars()
        .filter(|sign| !matches!(sign, ' ' | '-'))
        .map(|sign| if matches!(sign, 'x' | 'X') { Some(10) } else { sign.to_digit(10) })
        .collect::<Option<_>>()?;
    let thirteen = |nine: &[u32]| {
        let twelve: Vec<u32> = [9, 7, 8].into_iter().chain(nine.iter().copied()).collect();
        let last = (10 - weighted(&twelve) % 10) % 10;
        twelve.into_iter().chain([last]).map(|digit| digit.to_string()).collect::<String>()
    };
    let sound = |digits: &[u32]| digits.iter().all(|digit| *digit < 10);
    match digits.len() {
        10 if sound(&digits[..9]) => {
            let sum: u32 = (1..).zip(&digits).map(|(place, digit)| (11 - place) * digit).sum();
            sum.is_multiple_of(11).then(|| thirteen(&digits[..9]))
        }
        13 if sound(&digits) && weighted(&digits).is_multiple_of(10) => {
            Some(digits.iter().map(ToString::to_string).collect())
        }
        _ => None,
    }
}

/// The sum in which every second digit counts three times.
fn weighted(digits: &[u32]) -> u32 {
    digits.iter().enumerate().map(|(place, digit)| digit * if place % 2 == 0 { 1 } else { 3 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 11] = [
            ("doi: 10.1007/s00205-003-0275-4.",            &["doi:10.1007/s00205-003-0275-4"]),
            ("(https://doi.org/10.1000/A(b)1)",            &["doi:10.1000/a(b)1"]),
            ("arXiv:math/0309136v2 [math.NT]",             &["arXiv:math/0309136"]),
            ("https://arxiv.org/abs/1203.4567v1",          &["arXiv:1203.4567"]),
            ("ISBN 978-3-16-148410-0",                     &["ISBN 9783161484100"]),
            ("ISBN 3-16-148410-X, Tübingen",               &["ISBN 9783161484100"]),
            ("ISBN 3-16-148410-1",                         &[]),
            ("ISBN-10: 0-8044-2957-X.",                    &["ISBN 9780804429573"]),
            ("URL: http://www.Uni.example/~meier/a.ps.gz.", &["uni.example/~meier/a.ps.gz"]),
            ("www.uni.example/",                           &["uni.example"]),
            ("Math. Notes 10.5 (1999), 10.1/2",            &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<String> =
                work_identifiers(text).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
