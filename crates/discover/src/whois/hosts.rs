//! Finds host names and e-mail addresses in the values of an answer.

use std::net::IpAddr;

/// A host name is not longer than this (RFC 1035).
const MAX_HOST_BYTES: usize = 253;
const MAX_LABEL_BYTES: usize = 63;
/// A line with more words than this is a sentence, not an entry in a list of name servers.
const MAX_ENTRY_WORDS: usize = 8;

/// The name servers on a line: `ns1.x. [192.0.2.1]`, `1) ns1.x`, `x NS ns1.x.`, `ns1.x, ns2.x`.
///
/// Empty if the line begins with something else than a host name.
pub(super) fn name_servers(line: &str) -> Vec<String> {
    // `x.pt NS ns1.x.pt.` is a record of the zone: the server stands behind the type.
    let line = match line.split_once(" NS ").or_else(|| line.split_once("\tNS\t")) {
        Some((_, target)) => target,
        None => line,
    };
    let mut words = line.split(is_separator).filter(|word| !word.is_empty()).peekable();
    while words.peek().is_some_and(|word| is_list_mark(word) || word.parse::<IpAddr>().is_ok()) {
        words.next();
    }
    let mut servers = Vec::new();
    for (place, word) in words.enumerate() {
        match host(word) {
            Some(host) if place < MAX_ENTRY_WORDS => servers.push(host),
            None if servers.is_empty() => return Vec::new(),
            _ if place >= MAX_ENTRY_WORDS => return Vec::new(),
            _ => {}
        }
    }
    servers
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | ';' | '(' | ')' | '[' | ']' | '|' | '/' | '"')
}

/// `1`, `2.`, `-`, `*` before the host name.
fn is_list_mark(word: &str) -> bool {
    let mark = word.trim_end_matches([')', '.', ':']);
    mark.len() <= 2 && mark.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'*'))
}

/// A host name with at least two labels, in lower case and without the dot at its end.
pub(super) fn host(word: &str) -> Option<String> {
    let name = word.trim_end_matches(['.', ':']);
    let name = name.strip_suffix(":53").unwrap_or(name);
    let (_, last) = name.rsplit_once('.')?;
    let top = last.chars().any(char::is_alphabetic);
    let valid = name.len() <= MAX_HOST_BYTES && top && last.chars().count() > 1;
    let named = !NOBODY.contains(&name) && valid && name.split('.').all(is_label);
    named.then(|| name.to_lowercase())
}

/// What registries write where there is no host.
const NOBODY: &[&str] = &["not.defined", "no.nameserver", "not.available"];

fn is_label(label: &str) -> bool {
    let inner = label.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    !label.is_empty() && label.len() <= MAX_LABEL_BYTES && inner && !label.starts_with('-')
}

/// The first e-mail address in a text.
pub(super) fn email_in(text: &str) -> Option<String> {
    text.split(is_mail_border).filter(|word| word.contains('@')).find_map(email)
}

/// The e-mail address in a field that holds one: also `x at y.org`, `x(at)y.org`.
pub(super) fn email_of(value: &str) -> Option<String> {
    email_in(value).or_else(|| email_in(&with_at_sign(value)?))
}

/// `value` with its `at` and `dot` as signs; `None` if there is not exactly one `at`.
fn with_at_sign(value: &str) -> Option<String> {
    let spaced: String = value
        .chars()
        .map(|letter| {
            if matches!(letter, '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>') {
                ' '
            } else {
                letter
            }
        })
        .collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is = |word: &str, sign: &str| word.eq_ignore_ascii_case(sign);
    let at = words.iter().position(|word| is(word, "at"))?;
    let signs = words.iter().filter(|word| is(word, "at")).count();
    // One word before, and after it a domain: anything longer is a sentence.
    if signs != 1 || at == 0 || words.len() > 9 {
        return None;
    }
    let joined = |words: &[&str]| -> Option<String> {
        let mut text = String::new();
        let mut open = true;
        for word in words {
            match (open, is(word, "dot")) {
                (_, true) => {
                    text.push('.');
                    open = true;
                }
                (true, false) => {
                    text.push_str(word);
                    open = false;
                }
                (false, false) => return None,
            }
        }
        Some(text)
    };
    Some(format!("{}@{}", joined(&words[..at])?, joined(&words[at + 1..])?))
}

fn is_mail_border(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, ',' | ';' | '<' | '>' | '(' | ')' | '[' | ']' | '"' | '|' | '：')
}

fn email(word: &str) -> Option<String> {
    let word = word.rsplit_once(':').map_or(word, |(_, address)| address);
    let (local, domain) = word.trim_matches(['.', '\'', '/']).split_once('@')?;
    let domain = domain.trim_end_matches('.');
    let local_fits = !local.is_empty()
        && local.len() <= 64
        && local
            .chars()
            .all(|letter| letter.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(letter));
    (local_fits && host(domain).is_some()).then(|| format!("{local}@{domain}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_name_servers() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 18] = [
            ("NS1.Uni.Example",                     &["ns1.uni.example"]),
            ("ns1.uni.example. 192.0.2.1",          &["ns1.uni.example"]),
            ("ns1.uni.example (192.0.2.1)",         &["ns1.uni.example"]),
            ("ns1.uni.example. [192.0.2.1] [OK]",   &["ns1.uni.example"]),
            ("ns1.uni.example [2001:db8::1]",       &["ns1.uni.example"]),
            ("ns1.uni.example - 192.0.2.1",         &["ns1.uni.example"]),
            ("1) ns1.uni.example",                  &["ns1.uni.example"]),
            ("192.0.2.1 ns1.uni.example",           &["ns1.uni.example"]),
            ("- ns1.uni.example",                   &["ns1.uni.example"]),
            ("ns1.a.example, ns2.a.example",        &["ns1.a.example", "ns2.a.example"]),
            ("uni.pt NS ns1.uni.pt.",               &["ns1.uni.pt"]),
            ("ns1.uni.pt. A 192.0.2.1",             &["ns1.uni.pt"]),
            ("ns1.bücher.example",                  &["ns1.bücher.example"]),
            ("ns1.uni.example | IPv4: 192.0.2.1 and IPv6: ", &["ns1.uni.example"]),
            ("192.0.2.1",                           &[]),
            ("none",                                &[]),
            ("Visit www.nic.example for more",      &[]),
            ("www.nic.example is where you can read all there is to know", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(name_servers(line), expected, "{line}");
        }
    }

    #[test]
    fn mail_addresses() {
        #[rustfmt::skip]
        let cases = [
            ("a.b@uni.example",                     Some("a.b@uni.example")),
            ("mailto:A@uni.example",                Some("A@uni.example")),
            ("<a@uni.example>, b@uni.example",      Some("a@uni.example")),
            ("a AT uni.example",                    Some("a@uni.example")),
            ("a(at)uni.example",                    Some("a@uni.example")),
            ("a [at] uni [dot] example",            Some("a@uni.example")),
            ("write to us at uni.example",          None),
            ("https://nic.example/contact?d=x",     None),
            ("Please query the RDDS service",       None),
            ("a@b",                                 None),
            ("@uni.example",                        None),
        ];
        for (value, expected) in cases {
            assert_eq!(email_of(value).as_deref(), expected, "{value}");
        }
    }
}
