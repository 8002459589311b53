//! Who may ask: addresses and tokens.
//!
//! A token comes as `Authorization: Bearer TOKEN`, or as the password of HTTP Basic with the client's name. Only
//! digests of tokens are kept, and all are compared in the same time whatever was sent, so that neither the
//! answer nor its duration tells how near a guess was.

use super::secret::Secret;
use data_encoding::BASE64;
use hyper::header::{AUTHORIZATION, HeaderMap};
use ipnet::IpNet;
use sha2::{Digest, Sha256};
use std::fmt;
use std::net::IpAddr;

/// Characters a token needs at least; 128 bits in hexadecimal digits have twice as many.
const MIN_TOKEN: usize = 16;

/// Where the address of whoever speaks through a proxy stands.
const FORWARDED_FOR: &str = "x-forwarded-for";

#[derive(Debug)]
pub(crate) struct Access {
    /// Without a token as well.
    pub(crate) anonymous: bool,
    /// If there are any, nobody else may ask.
    pub(crate) addresses: Vec<IpNet>,
    /// Whose word on the address of a client is believed.
    pub(crate) proxies: Vec<IpNet>,
    pub(crate) clients: Vec<Client>,
}

#[derive(Debug)]
pub(crate) struct Client {
    name: String,
    token: [u8; 32],
}

impl Client {
    pub(crate) fn new(name: &str, token: &Secret) -> Result<Client, &'static str> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err("the name of a client consists of letters, digits, `-`, `_` and `.`");
        }
        let is_visible = token.text().bytes().all(|byte| byte.is_ascii_graphic());
        if token.text().len() < MIN_TOKEN || !is_visible {
            return Err(
                "a token needs at least 16 visible ASCII characters; `openssl rand -hex 32` makes one",
            );
        }
        Ok(Client { name: name.to_owned(), token: digest(token.text()) })
    }
}

/// Whoever asks, as the log names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) name: String,
    pub(crate) address: Option<IpAddr>,
}

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            Some(address) => write!(f, "{} {address}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Why somebody may not ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Denied {
    Address(IpAddr),
    Credentials(IpAddr),
}

impl Access {
    pub(crate) fn judge(&self, peer: IpAddr, headers: &HeaderMap) -> Result<Caller, Denied> {
        let address = self.address_of(peer.to_canonical(), headers);
        if !self.addresses.is_empty() && !contains(&self.addresses, address) {
            return Err(Denied::Address(address));
        }
        let mut sent = headers.get_all(AUTHORIZATION).iter();
        let name = match (sent.next(), sent.next()) {
            (Some(credentials), None) => {
                credentials.to_str().ok().and_then(|text| self.client(text))
            }
            (None, _) if self.anonymous => Some("anonymous"),
            _ => None,
        };
        let name = name.ok_or(Denied::Credentials(address))?.to_owned();
        Ok(Caller { name, address: Some(address) })
    }

    /// The last entry of the header was written by the proxy itself; those before it by anybody.
    fn address_of(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !contains(&self.proxies, peer) {
            return peer;
        }
        let last = headers.get_all(FORWARDED_FOR).iter().next_back();
        let last = last.and_then(|value| value.to_str().ok()?.rsplit(',').next());
        let address = last.and_then(|text| text.trim().parse::<IpAddr>().ok());
        address.map_or(peer, |address| address.to_canonical())
    }

    fn client(&self, credentials: &str) -> Option<&str> {
        let (scheme, rest) = credentials.split_once(' ')?;
        let rest = rest.trim();
        if scheme.eq_ignore_ascii_case("bearer") {
            self.client_with(None, rest)
        } else if scheme.eq_ignore_ascii_case("basic") {
            let text = String::from_utf8(BASE64.decode(rest.as_bytes()).ok()?).ok()?;
            let (name, token) = text.split_once(':')?;
            self.client_with(Some(name), token)
        } else {
            None
        }
    }

    fn client_with(&self, name: Option<&str>, token: &str) -> Option<&str> {
        let sent = digest(token);
        let mut found = None;
        for client in &self.clients {
            let is_named = name.is_none_or(|name| name == client.name);
            if is_same(&sent, &client.token) & is_named {
                found = Some(client.name.as_str());
            }
        }
        found
    }
}

/// A range such as `192.0.2.0/24`, or one address.
pub(super) fn range_of(text: &str) -> Result<IpNet, String> {
    let range = text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    range.ok_or_else(|| format!("{text:?} is no address and no range such as 192.0.2.0/24"))
}

fn contains(ranges: &[IpNet], address: IpAddr) -> bool {
    ranges.iter().any(|range| range.contains(&address))
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Looks at every byte, wherever the first difference is.
fn is_same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    let difference = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::secret::Sources;
    use std::path::Path;

    const TOKEN: &str = "0123456789abcdef";

    fn secret(text: &str) -> Secret {
        let environment = |_: &str| Some(text.to_owned());
        let sources = Sources { folder: Path::new("."), environment: &environment };
        sources.secret(("env", Some("X")), ("file", None)).unwrap()
    }

    fn access(anonymous: bool, addresses: &[&str], proxies: &[&str]) -> Access {
        let ranges = |list: &[&str]| list.iter().map(|text| range_of(text).unwrap()).collect();
        let clients = vec![
            Client::new("rostock", &secret(TOKEN)).unwrap(),
            Client::new("kiel", &secret("fedcba9876543210")).unwrap(),
        ];
        Access { anonymous, addresses: ranges(addresses), proxies: ranges(proxies), clients }
    }

    fn headers(list: &[(&'static str, String)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn tokens() {
        let basic = |text: &str| format!("Basic {}", BASE64.encode(text.as_bytes()));
        #[rustfmt::skip]
        let cases = [
            (format!("Bearer {TOKEN}"),               Some("rostock")),
            (format!("bearer  {TOKEN} "),             Some("rostock")),
            ("Bearer fedcba9876543210".to_owned(),    Some("kiel")),
            (basic(&format!("rostock:{TOKEN}")),      Some("rostock")),
            (basic(&format!("kiel:{TOKEN}")),         None),
            (basic(TOKEN),                            None),
            ("Basic ###".to_owned(),                  None),
            (format!("Bearer {}", &TOKEN[1..]),       None),
            ("Bearer ".to_owned(),                    None),
            (TOKEN.to_owned(),                        None),
            (format!("Digest {TOKEN}"),               None),
        ];
        let peer = "192.0.2.7".parse().unwrap();
        for anonymous in [false, true] {
            let access = access(anonymous, &[], &[]);
            for (sent, expected) in &cases {
                let headers = headers(&[("authorization", sent.clone())]);
                let name = access.judge(peer, &headers).ok().map(|caller| caller.name);
                assert_eq!(name.as_deref(), *expected, "{sent}");
            }
            let twice = ["authorization"; 2].map(|name| (name, format!("Bearer {TOKEN}")));
            assert!(access.judge(peer, &headers(&twice)).is_err());
            let without = access.judge(peer, &HeaderMap::new()).ok().map(|caller| caller.name);
            assert_eq!(without.as_deref(), anonymous.then_some("anonymous"));
        }
    }

    #[test]
    fn addresses() {
        let access = access(true, &["192.0.2.0/24", "2001:db8::1"], &["127.0.0.1"]);
        #[rustfmt::skip]
        let cases = [
            ("192.0.2.7",        None,                          Some("192.0.2.7")),
            ("::ffff:192.0.2.7", None,                          Some("192.0.2.7")),
            ("198.51.100.1",     None,                          None),
            ("2001:db8::1",      None,                          Some("2001:db8::1")),
            ("2001:db8::2",      None,                          None),
            ("127.0.0.1",        None,                          None),
            ("127.0.0.1",        Some("192.0.2.9"),             Some("192.0.2.9")),
            ("127.0.0.1",        Some("192.0.2.9, 198.51.100.1"), None),
            ("127.0.0.1",        Some("198.51.100.1, 192.0.2.9"), Some("192.0.2.9")),
            ("198.51.100.1",     Some("192.0.2.9"),             None),
        ];
        for (peer, forwarded, expected) in cases {
            let list: Vec<_> =
                forwarded.map(|text| (FORWARDED_FOR, text.to_owned())).into_iter().collect();
            let judged = access.judge(peer.parse().unwrap(), &headers(&list));
            let address = judged.ok().and_then(|caller| caller.address).map(|it| it.to_string());
            assert_eq!(address.as_deref(), expected, "{peer} {forwarded:?}");
        }
    }

    #[test]
    fn weak_tokens_and_odd_names_are_refused() {
        assert!(Client::new("rostock", &secret("short")).is_err());
        assert!(Client::new("rostock", &secret("with blanks in between it")).is_err());
        assert!(Client::new("a:b", &secret(TOKEN)).is_err());
        assert!(Client::new("", &secret(TOKEN)).is_err());
    }
}
