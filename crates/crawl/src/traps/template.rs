//! Which addresses are of one make.
//!
//! A template is the address without what makes it one of many: numbers, dates and tokens in the path,
//! and the values of the query, whose names are sorted. The family is coarser: it is what a trap with
//! many templates has in common, such as everything below a session id, or a page with whatever
//! filters. An address whose path holds nothing variable belongs to its directory.

use crate::percent::escaped_byte;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use url::Url;

/// The longest template, in bytes; longer ones are cut, and count as the same if they begin alike.
pub const MAX_TEMPLATE: usize = 300;

/// Directories by which addresses without anything variable are told apart.
const DIRECTORIES: usize = 2;

/// Pieces of letters and digits from this length on may be tokens.
const TOKEN_LENGTH: usize = 6;
/// Changes between letters and digits that make such a piece a token; one will do if all its letters
/// are hexadecimal digits.
const TOKEN_CHANGES: usize = 2;
/// Hexadecimal digits that are a token even if all are letters.
const HEX_LENGTH: usize = 16;
/// The length of a UUID, and where its hyphens stand.
const UUID_LENGTH: usize = 36;
const UUID_HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// Repeated names in a path from which on it counts as mirrored: `/a/b/a/b/` has two.
const MIRRORED: usize = 2;

/// What addresses of one make have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Template {
    pub text: String,
    /// The coarser template it is counted in as long as it is not proven; none if it is that itself,
    /// or stands alone.
    pub family: Option<String>,
    /// What stands in the first variable part of the path, as a number, if that is what its family goes by.
    pub variant: Option<u64>,
}

impl Template {
    /// Addresses for which there is no room of their own.
    pub const OTHERS: &'static str = "(others)";
    /// Addresses whose path repeats itself.
    pub const REPEATED: &'static str = "/…/ (repeated parts)";

    pub fn of(url: &Url) -> Template {
        let names: Vec<&str> = url.path().split('/').skip(1).collect();
        if repeats(&names) >= MIRRORED {
            return Template { text: Template::REPEATED.to_owned(), family: None, variant: None };
        }
        let path = Path::of(&names);
        if let Some(query) = url.query() {
            let text = format!("{}?{}", path.text, query_names(query));
            return Template::cut(text, Some((format!("{}?*", path.text), None)));
        }
        match path.variable {
            None => Template::cut(directory(&names), None),
            Some(first) if first + 1 == path.parts => Template::cut(path.text, None),
            Some(first) => {
                let family = path.text.split('/').take(first + 2).collect::<Vec<_>>().join("/");
                Template::cut(path.text, Some((format!("{family}/*"), Some(path.variant))))
            }
        }
    }

    fn cut(mut text: String, family: Option<(String, Option<u64>)>) -> Template {
        shorten(&mut text);
        let family = family.map(|(mut family, variant)| {
            shorten(&mut family);
            (family, variant)
        });
        let (family, variant) = match family.filter(|(family, _)| *family != text) {
            Some((family, variant)) => (Some(family), variant),
            None => (None, None),
        };
        Template { text, family, variant }
    }

    /// The text by which pages are compared with each other: pages of a family with those of the
    /// family.
    pub fn kin(&self) -> &str {
        self.family.as_deref().unwrap_or(&self.text)
    }
}

fn shorten(text: &mut String) {
    if text.len() > MAX_TEMPLATE {
        text.truncate(text.floor_char_boundary(MAX_TEMPLATE - 3));
        text.push('…');
    }
}

/// How often names in a path come again; numbers do not count, since dates repeat them.
fn repeats(names: &[&str]) -> usize {
    if names.len() <= MIRRORED {
        return 0;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names.iter().filter(|name| name.bytes().any(|byte| !byte.is_ascii_digit())) {
        *counts.entry(name).or_default() += 1;
    }
    counts.values().map(|count| count - 1).sum()
}

/// The names of the parameters, each once, in order.
fn query_names(query: &str) -> String {
    let names = query.split('&').map(|part| part.split('=').next().unwrap_or(""));
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).map(piece_shapes).collect();
    names.sort_unstable();
    names.dedup();
    names.join("&")
}

/// Where addresses without anything variable belong.
fn directory(names: &[&str]) -> String {
    let folders = names.len().saturating_sub(1).min(DIRECTORIES);
    let mut text = String::from("/");
    for name in &names[..folders] {
        text.push_str(name);
        text.push('/');
    }
    text.push_str("**");
    text
}

/// A path with what varies left out.
struct Path {
    text: String,
    /// The first part that varies, counted from 0.
    variable: Option<usize>,
    /// What stands there, as a number.
    variant: u64,
    parts: usize,
}

impl Path {
    fn of(names: &[&str]) -> Path {
        let mut path = Path { text: String::new(), variable: None, variant: 0, parts: 0 };
        let mut rest = names;
        while let Some((name, after)) = rest.split_first() {
            let days = date_parts(rest);
            let shape = match days {
                0 => piece_shapes(name),
                _ => DATE.to_owned(),
            };
            if shape != *name && path.variable.is_none() {
                path.variable = Some(path.parts);
                path.variant = FxBuildHasher.hash_one(&rest[..days.max(1)]);
            }
            path.text.push('/');
            path.text.push_str(&shape);
            path.parts += 1;
            rest = if days > 1 { &rest[days..] } else { after };
        }
        path
    }
}

const DATE: &str = "{date}";
const TOKEN: &str = "{token}";
const NUMBER: char = '#';

/// How many parts of a path are a date together: `2026/11` or `2026/11/05`; 0 if they are none.
fn date_parts(parts: &[&str]) -> usize {
    let digits =
        |index: usize, most: usize| parts.get(index).is_some_and(|part| is_number(part, 1, most));
    let begins_with_year = parts.first().is_some_and(|part| is_number(part, 4, 5));
    match (begins_with_year, digits(1, 2), digits(2, 2)) {
        (true, true, true) => 3,
        (true, true, false) => 2,
        _ => 0,
    }
}

fn is_number(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name with its dates, tokens and numbers left out.
fn piece_shapes(name: &str) -> String {
    if name.len() < HEX_LENGTH && !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return name.to_owned();
    }
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let date = date_length(rest);
        if date > 0 {
            text.push_str(DATE);
            rest = &rest[date..];
        } else if begins_with_uuid(rest) {
            text.push_str(TOKEN);
            rest = &rest[UUID_LENGTH..];
        } else if rest.starts_with('%') && escaped_byte(rest.as_bytes()).is_some() {
            text.push_str(&rest[..3]);
            rest = &rest[3..];
        } else if end > 0 {
            push_shape(&mut text, &rest[..end]);
            rest = &rest[end..];
        } else {
            let separator = rest.chars().next().map_or(1, char::len_utf8);
            text.push_str(&rest[..separator]);
            rest = &rest[separator..];
        }
    }
    text
}

/// Bytes of a date at the beginning, such as `2026-11` or `2026.11.05`; 0 if there is none.
fn date_length(text: &str) -> usize {
    let mut at = 0;
    let mut parts = 0;
    for (number, part) in text.split(['-', '_', '.']).take(3).enumerate() {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let fits = match number {
            0 => matches!(digits, 4 | 5) && digits == part.len(),
            _ => matches!(digits, 1 | 2),
        };
        let ends_here = digits < part.len();
        if !fits || ends_here && part.as_bytes()[digits].is_ascii_alphanumeric() {
            break;
        }
        at += digits + usize::from(number > 0);
        parts += 1;
        if ends_here {
            break;
        }
    }
    if parts > 1 { at } else { 0 }
}

/// A piece of letters and digits: a token as a whole, else with `#` for its numbers.
fn push_shape(text: &mut String, piece: &str) {
    if is_token(piece) {
        return text.push_str(TOKEN);
    }
    let mut in_number = false;
    for c in piece.chars() {
        let is_digit = c.is_ascii_digit();
        if !is_digit {
            text.push(c);
        } else if !in_number {
            text.push(NUMBER);
        }
        in_number = is_digit;
    }
}

fn is_token(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    if bytes.len() < TOKEN_LENGTH || !bytes.iter().any(u8::is_ascii_alphabetic) {
        return false;
    }
    let needed = match bytes.iter().all(u8::is_ascii_hexdigit) {
        true if bytes.len() >= HEX_LENGTH => 0,
        true => 1,
        false => TOKEN_CHANGES,
    };
    let changes =
        bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    changes.count() >= needed
}

fn begins_with_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = bytes.get(UUID_LENGTH).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    ends && bytes.len() >= UUID_LENGTH
        && bytes[..UUID_LENGTH].iter().enumerate().all(|(at, byte)| match byte {
            b'-' => UUID_HYPHENS.contains(&at),
            _ => byte.is_ascii_hexdigit() && !UUID_HYPHENS.contains(&at),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn templates_and_families() {
        #[rustfmt::skip]
        let cases = [
            // path and query                         template                        family
            ("/",                                     "/**",                          None),
            ("/about.html",                           "/**",                          None),
            ("/a/b/c/d.html",                         "/a/b/**",                      None),
            ("/paper/12345.html",                     "/paper/#.html",                None),
            ("/paper12345.html",                      "/paper#.html",                 None),
            ("/v2/guide/install.html",                "/v#/guide/install.html",       Some("/v#/*")),
            ("/cal/2026/11",                          "/cal/{date}",                  None),
            ("/cal/2026/11/05",                       "/cal/{date}",                  None),
            ("/cal/12026/1/view.html",                "/cal/{date}/view.html",        Some("/cal/{date}/*")),
            ("/cal/month-2026-11.html",               "/cal/month-{date}.html",       None),
            ("/cal/2026-11-05/day",                   "/cal/{date}/day",              Some("/cal/{date}/*")),
            ("/s/8f3a9c0b1d/news/1.html",             "/s/{token}/news/#.html",       Some("/s/{token}/*")),
            ("/s/deadbeefdeadbeef/x",                 "/s/{token}/x",                 Some("/s/{token}/*")),
            ("/s/3fa9c01b/p1.html",                   "/s/{token}/p#.html",           Some("/s/{token}/*")),
            ("/s/12345e/p1.html",                     "/s/{token}/p#.html",           Some("/s/{token}/*")),
            ("/s/a1234567/p1.html",                   "/s/{token}/p#.html",           Some("/s/{token}/*")),
            ("/s/k3jx9z/p1.html",                     "/s/{token}/p#.html",           Some("/s/{token}/*")),
            ("/s/12345678/p1.html",                   "/s/#/p#.html",                 Some("/s/#/*")),
            ("/s/facade/p1.html",                     "/s/facade/p#.html",            None),
            ("/s/WS2026/p1.html",                     "/s/WS#/p#.html",               Some("/s/WS#/*")),
            ("/s/550e8400-e29b-41d4-a716-446655440000/x", "/s/{token}/x",             Some("/s/{token}/*")),
            ("/s/550E8400-e29b-41d4-a716_446655440000", "/s/{token}-e#b-#d#-a#_#",    None),
            ("/img/DSC00123.jpg",                     "/img/DSC#.jpg",                None),
            ("/list?size=4&colour=red",               "/list?colour&size",            Some("/list?*")),
            ("/list?colour=blue&size=9",              "/list?colour&size",            Some("/list?*")),
            ("/list?f[3]=1&f[7]=2",                   "/list?f[#]",                   Some("/list?*")),
            ("/cal?month=2026-11",                    "/cal?month",                   Some("/cal?*")),
            ("/a/b/a/b/",                             Template::REPEATED,             None),
            ("/a/b/c/a/c/b/x.html",                   Template::REPEATED,             None),
            ("/news/news/1.html",                     "/news/news/#.html",            None),
            ("/10/10/10/10",                          "/#/#/#/#",                     Some("/#/*")),
            ("/%C3%A4/1",                             "/%C3%A4/#",                    None),
        ];
        for (path, text, family) in cases {
            let url = Url::parse(&format!("http://h.example{path}")).unwrap();
            let template = Template::of(&url);
            assert_eq!(
                (template.text.as_str(), template.family.as_deref()),
                (text, family),
                "{path}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_address_has_a_short_template(rest in "\\PC{0,400}") {
            if let Ok(url) = Url::parse(&format!("http://h.example/{rest}")) {
                let template = Template::of(&url);
                prop_assert!(template.text.len() <= MAX_TEMPLATE);
                prop_assert!(template.kin().len() <= MAX_TEMPLATE);
                prop_assert!(!template.text.is_empty());
            }
        }

        #[test]
        fn numbers_do_not_matter(one in 0u32..100_000, other in 0u32..100_000) {
            let of = |number: u32| {
                Template::of(&Url::parse(&format!("http://h.example/x/{number}.html?id={number}")).unwrap())
            };
            prop_assert_eq!(of(one), of(other));
        }
    }
}
