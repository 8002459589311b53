//! The sort key of a URL in CDXJ files: `org,example)/path?query`.
//!
//! Replay software looks a page up by this key, so it must come out letter for letter as the
//! tools around pywb make it: host reversed, without `www.`, port only if unusual; path and query
//! in lower case, escaped in one way, arguments sorted, well-known session ids removed. The rules
//! below are those tools' rules, including where one may think otherwise.

use std::ops::Range;

/// The key of a URL. An address that cannot be taken apart is its own key.
pub fn surt(url: &str) -> String {
    let plain = url.trim().replace(['\t', '\r', '\n'], "");
    if plain.is_empty() {
        return "-".to_owned();
    }
    if plain.starts_with("filedesc") {
        return plain;
    }
    let address = with_one_scheme(&plain);
    match Parts::split(&address) {
        Some(parts) => parts.key(),
        None => url.to_owned(),
    }
}

/// An address taken apart, but not changed yet.
struct Parts<'a> {
    scheme: &'a str,
    host: Option<String>,
    port: Option<u16>,
    path: &'a str,
    query: &'a str,
}

impl<'a> Parts<'a> {
    fn split(address: &'a str) -> Option<Parts<'a>> {
        let (scheme, rest) = address.split_once(':')?;
        let rest = rest.split('#').next().unwrap_or(rest);
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        let (host, port) = host_and_port(authority)?;
        if host.is_some() || !scheme.starts_with("http") || path.is_empty() {
            return Some(Parts { scheme, host, port, path, query });
        }
        // Too many slashes before the host.
        let path = path.trim_start_matches('/');
        let (host, path) = path.split_at(path.find('/').unwrap_or(path.len()));
        let host = (!host.is_empty()).then(|| host.to_owned());
        Some(Parts { scheme, host, port, path, query })
    }

    fn key(&self) -> String {
        let mut key = match &self.host {
            Some(host) => reversed(&massaged_host(host, self.scheme)),
            None => format!("{}:", self.scheme),
        };
        if self.host.is_some() {
            if let Some(port) = self.port.filter(|port| !is_default(self.scheme, *port)) {
                key.push_str(&format!(":{port}"));
            }
            key.push(')');
        }
        let path = key_path(self.path, self.host.is_some());
        let query = key_query(self.query);
        if path.is_empty() && !query.is_empty() {
            key.push('/');
        }
        key.push_str(&path);
        if !query.is_empty() {
            key.push('?');
            key.push_str(&query);
        }
        key
    }
}

/// Adds a missing scheme and keeps the last of several (`http://https://…`).
fn with_one_scheme(address: &str) -> String {
    let name = address.split(':').next().unwrap_or("");
    let has_scheme = name.len() < address.len()
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !has_scheme {
        return format!("http://{address}");
    }
    let (mut last, mut rest) = ("", address);
    while let Some(scheme) = ["http://", "https://"].into_iter().find(|s| rest.starts_with(s)) {
        (last, rest) = (scheme, &rest[scheme.len()..]);
    }
    format!("{last}{rest}")
}

/// `None` if the port is not one.
fn host_and_port(authority: &str) -> Option<(Option<String>, Option<u16>)> {
    let authority = authority.trim_end_matches(':');
    let site = authority.rsplit('@').next().unwrap_or(authority);
    let (host, port) = match site.split_once('[') {
        Some((_, bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (host, after.split_once(':').map_or("", |(_, port)| port))
        }
        None => site.split_once(':').unwrap_or((site, "")),
    };
    let port = if port.is_empty() { 0 } else { port.parse::<u16>().ok()? };
    let host = (!host.is_empty()).then(|| host.to_lowercase());
    Some((host, Some(port).filter(|port| *port != 0)))
}

fn is_default(scheme: &str, port: u16) -> bool {
    match scheme.to_ascii_lowercase().as_str() {
        "http" => port == 80,
        "https" => port == 443,
        _ => false,
    }
}

fn massaged_host(host: &str, scheme: &str) -> String {
    let mut host = String::from_utf8_lossy(&unescaped(host.as_bytes())).into_owned();
    if !host.is_ascii()
        && let Ok(ascii) = url::Host::parse(&host)
    {
        host = ascii.to_string();
    }
    let host = host.replace("..", ".");
    let host = host.trim_matches('.');
    let host = match as_address(host) {
        Some(address) => address,
        None => escaped(host.to_lowercase().as_bytes()),
    };
    if scheme == "dns" { host } else { without_www(&host).to_owned() }
}

/// Numbers are IP addresses in disguise.
fn as_address(host: &str) -> Option<String> {
    if host.is_empty() || !host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    if !host.contains('.') {
        let number = host.bytes().fold(0u32, |number, digit| {
            number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        });
        return Some(std::net::Ipv4Addr::from(number).to_string());
    }
    match url::Host::parse(host) {
        Ok(url::Host::Ipv4(address)) => Some(address.to_string()),
        _ => None,
    }
}

/// `www.` and `www2.` say nothing.
fn without_www(host: &str) -> &str {
    let rest =
        host.strip_prefix("www").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.and_then(|rest| rest.strip_prefix('.')).unwrap_or(host)
}

fn reversed(host: &str) -> String {
    host.split('.').rev().collect::<Vec<_>>().join(",")
}

fn key_path(path: &str, under_host: bool) -> String {
    let plain = unescaped(path.as_bytes());
    let plain = if under_host { without_dots(&plain) } else { plain };
    let path = escaped(&plain).to_lowercase();
    let path = without_path_session(&path);
    match path.strip_suffix('/') {
        Some(shorter) if !shorter.is_empty() => shorter.to_owned(),
        _ => path,
    }
}

/// Resolves `.` and `..` and joins repeated slashes; a final slash stays.
fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/').skip(1) {
        match part {
            b"." => {}
            // What leads above the root has nowhere to go and is kept.
            b".." if kept.pop().is_some() => {}
            _ => kept.push(part),
        }
    }
    let last = kept.pop().unwrap_or(b"");
    let mut clean = b"/".to_vec();
    for part in kept.into_iter().filter(|part| !part.is_empty()) {
        clean.extend_from_slice(part);
        clean.push(b'/');
    }
    clean.extend_from_slice(last);
    clean
}

fn key_query(query: &str) -> String {
    let query = escaped(&unescaped(query.as_bytes())).to_lowercase();
    let query = without_query_session(query);
    let mut arguments: Vec<_> = query.split('&').collect();
    // By name, then without a value before an empty value before any other.
    arguments.sort_by_key(|argument| match argument.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (*argument, None),
    });
    arguments.join("&")
}

/// Undoes percent escapes until none is left: an escape that appears by undoing others counts too.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text {
        plain.push(*byte);
        while let [.., b'%', high, low] = plain[..]
            && let (Some(high), Some(low)) = (hex(high), hex(low))
        {
            plain.truncate(plain.len() - 3);
            plain.push(high << 4 | low);
        }
    }
    plain
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Escapes blanks, control and non-ASCII bytes, `#` and `%`; nothing else.
fn escaped(plain: &[u8]) -> String {
    let mut text = String::with_capacity(plain.len());
    for byte in plain {
        match byte {
            b'#' | b'%' => text.push_str(&format!("%{byte:02X}")),
            0x21..=0x7e => text.push(char::from(*byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Removes `/(…24 letters or digits…)/` and `/(a(…24…)b(…24…))/` before an `.aspx` page.
fn without_path_session(path: &str) -> String {
    let mut path = path.to_owned();
    if !path.contains(".aspx") {
        return path;
    }
    for is_session in [is_tagged_session, is_bare_session] {
        let found = path.rmatch_indices('/').find_map(|(slash, _)| {
            let segment = path[slash + 1..].split('/').next().unwrap_or("");
            let page = path.get(slash + 1 + segment.len() + 1..)?;
            (is_session(segment) && is_aspx(page)).then(|| slash..slash + 1 + segment.len())
        });
        if let Some(range) = found {
            path.replace_range(range, "");
        }
    }
    path
}

fn is_aspx(page: &str) -> bool {
    page.find(".aspx").is_some_and(|at| at > 0 && !page[..at].contains('?'))
}

/// How long the session ids of ASP.NET are.
const ASP_SESSION: usize = 24;

fn is_bare_session(segment: &str) -> bool {
    let id = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    id.is_some_and(|id| id.len() == ASP_SESSION && id.bytes().all(|b| b.is_ascii_alphanumeric()))
}

fn is_tagged_session(segment: &str) -> bool {
    let tags = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    tags.filter(|tags| !tags.is_empty()).is_some_and(|tags| {
        tags.as_bytes().chunks(ASP_SESSION + 3).all(|tag| {
            tag.first().is_some_and(u8::is_ascii_alphabetic)
                && std::str::from_utf8(&tag[1..]).is_ok_and(is_bare_session)
        })
    })
}

/// How long the value of a session argument is, if it is one.
type ValueLength = fn(&str) -> Option<usize>;

const SESSION_ARGUMENTS: [(&str, ValueLength); 4] = [
    ("jsessionid=", |rest| run(rest, 32, u8::is_ascii_alphanumeric)),
    ("phpsessid=", |rest| run(rest, 32, u8::is_ascii_alphanumeric)),
    ("sid=", |rest| run(rest, 32, u8::is_ascii_alphanumeric)),
    ("aspsessionid", |rest| {
        let name = run(rest, 8, u8::is_ascii_alphabetic)?;
        let value = rest[name..].strip_prefix('=')?;
        Some(name + 1 + run(value, ASP_SESSION, u8::is_ascii_alphabetic)?)
    }),
];

/// Removes well-known session arguments from a query in lower case.
fn without_query_session(mut query: String) -> String {
    for (name, value_length) in SESSION_ARGUMENTS {
        let found = query.rmatch_indices(name).find_map(|(start, _)| {
            let value = start + name.len();
            let end = value + value_length(&query[value..])?;
            let rest = &query[end..];
            (rest.is_empty() || rest.starts_with('&')).then_some(start..end)
        });
        remove_argument(&mut query, found);
    }
    let found = cold_fusion_session(&query);
    remove_argument(&mut query, found);
    query
}

/// `cfid=…&cftoken=…`, the last one.
fn cold_fusion_session(query: &str) -> Option<Range<usize>> {
    query.rmatch_indices("&cftoken=").find_map(|(id_end, token_name)| {
        let argument = query[..id_end].rfind('&').map_or(0, |before| before + 1);
        // At least one character belongs to the id.
        let name = query.get(argument..id_end.checked_sub(1)?)?.rfind("cfid=")?;
        let token = &query[id_end + token_name.len()..];
        let token_length = token.find('&').unwrap_or(token.len());
        let end = id_end + token_name.len() + token_length;
        (token_length > 0).then_some(argument + name..end)
    })
}

/// Removes a part of a query with the `&` behind it.
fn remove_argument(query: &mut String, found: Option<Range<usize>>) {
    if let Some(Range { start, end }) = found {
        query.replace_range(start..(end + 1).min(query.len()), "");
    }
}

/// The length of a run of so many characters of a kind, if there is one.
fn run(text: &str, length: usize, kind: fn(&u8) -> bool) -> Option<usize> {
    text.as_bytes().get(..length).is_some_and(|run| run.iter().all(kind)).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text(text in ".{0,200}") {
            surt(&text);
        }

        #[test]
        fn any_url(text in "https?://[a-z.:@%\\[\\]0-9]{0,20}/[a-zA-Z%/.()?&=0-9;#äß ]{0,60}") {
            surt(&text);
        }
    }
}
