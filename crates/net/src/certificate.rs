//! The names in a server's certificate.
//!
//! They are read by a walk of our own over the encoding, because certificates of devices and of
//! forgotten servers are what a survey meets: old versions, expired, self-signed, with a common
//! name instead of a list. Whether a certificate can be trusted is a question of its own, answered
//! beside the names. The walk goes forward only, is as deep as the format, and gives up where the
//! bytes are not what they should be.

use auslese_model::HostName;
use std::collections::HashSet;
use std::net::IpAddr;

/// Whose certificate: at least one of host and address must be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CertificateOf<'a> {
    /// The name asked for in the handshake; none: the server shows what it shows to everybody.
    pub host: Option<&'a HostName>,
    /// Where to ask; none: the addresses of the host.
    pub address: Option<IpAddr>,
    pub port: u16,
}

/// What a server showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// DNS names of the list of alternative names, then the common name if it is one; lower case,
    /// each once. Wildcards (`*.uni.example`) stay as they are.
    pub names: Vec<String>,
    pub der: Vec<u8>,
    /// Why it cannot be trusted, if so. Names are not compared if none was asked for.
    pub problem: Option<String>,
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT_ID: u8 = 0x06;
const OCTET_STRING: u8 = 0x04;
/// `[0]`, the version of the certificate.
const VERSION: u8 = 0xa0;
/// `[3]`, its extensions.
const EXTENSIONS: u8 = 0xa3;
/// `[2]` in a list of general names: a name of the DNS.
const DNS_NAME: u8 = 0x82;
/// 2.5.29.17
const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1d, 0x11];
/// 2.5.4.3
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];

/// The names in an X.509 certificate (RFC 5280); none if it cannot be read.
pub(crate) fn names(der: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut known = HashSet::new();
    let Some((subject, extensions)) = subject_and_extensions(der) else { return names };
    let alternative = extensions.into_iter().flat_map(alternative_names);
    for bytes in alternative.chain(common_names(subject)) {
        if let Some(name) = dns_name(bytes)
            && known.insert(name.clone())
        {
            names.push(name);
        }
    }
    names
}

fn subject_and_extensions(der: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let mut certificate = Elements(element_of(SEQUENCE, der)?);
    let mut parts = Elements(certificate.next_of(SEQUENCE)?);
    // The first version of the format does not say so.
    if parts.next()?.0 == VERSION {
        parts.next()?;
    }
    let [_algorithm, _issuer, _validity] = [parts.next()?, parts.next()?, parts.next()?];
    let subject = parts.next_of(SEQUENCE)?;
    let extensions = parts.find(|(tag, _)| *tag == EXTENSIONS);
    Some((subject, extensions.and_then(|(_, list)| element_of(SEQUENCE, list))))
}

fn alternative_names(extensions: &[u8]) -> impl Iterator<Item = &[u8]> {
    let values = Elements(extensions).filter_map(|(_, extension)| {
        let mut parts = Elements(extension);
        (parts.next_of(OBJECT_ID)? == SUBJECT_ALT_NAME)
            .then(|| parts.find(|(tag, _)| *tag == OCTET_STRING))?
    });
    let lists = values.filter_map(|(_, value)| element_of(SEQUENCE, value));
    lists.flat_map(Elements).filter(|(tag, _)| *tag == DNS_NAME).map(|(_, name)| name)
}

fn common_names(subject: &[u8]) -> impl Iterator<Item = &[u8]> {
    let sets = Elements(subject).filter(|(tag, _)| *tag == SET);
    let attributes = sets.flat_map(|(_, set)| Elements(set));
    attributes.filter_map(|(_, attribute)| {
        let mut parts = Elements(attribute);
        (parts.next_of(OBJECT_ID)? == COMMON_NAME).then(|| parts.next())?.map(|(_, text)| text)
    })
}

/// A host name or a wildcard; common names are often something else.
fn dns_name(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?.trim_end_matches('.').to_ascii_lowercase();
    let host = text.strip_prefix("*.").unwrap_or(&text);
    let plain = host.len() <= HostName::MAX
        && host.contains('.')
        && host.split('.').all(|label| !label.is_empty() && label.bytes().all(is_label_byte));
    (plain && host.parse::<IpAddr>().is_err()).then_some(text)
}

fn is_label_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// The content of the one element expected at the beginning.
fn element_of(tag: u8, bytes: &[u8]) -> Option<&[u8]> {
    Elements(bytes).next_of(tag)
}

/// The elements of a DER encoding side by side: tag and content. Ends at the first fault.
#[derive(Debug, Clone, Copy)]
struct Elements<'a>(&'a [u8]);

impl<'a> Elements<'a> {
    fn next_of(&mut self, wanted: u8) -> Option<&'a [u8]> {
        self.next().filter(|(tag, _)| *tag == wanted).map(|(_, content)| content)
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = (u8, &'a [u8]);

    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&[tag, short], rest) = self.0.split_first_chunk::<2>()?;
        let (length, rest) = match short {
            0..=0x7f => (usize::from(short), rest),
            // No certificate needs more than three bytes for a length.
            0x81..=0x83 => {
                let (long, rest) = rest.split_at_checked(usize::from(short & 0x7f))?;
                (long.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
            }
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = content.len();
        let head = match length {
            0..=0x7f => vec![tag, length as u8],
            _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
        };
        [head, content.to_vec()].concat()
    }

    fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
        element(SEQUENCE, &parts.concat())
    }

    fn subject(common_name: &str) -> Vec<u8> {
        let text = element(0x0c, common_name.as_bytes());
        let attribute = sequence(&[element(OBJECT_ID, COMMON_NAME), text]);
        sequence(&[element(SET, &attribute)])
    }

    /// A certificate of the first version (without names) or the third.
    fn written(common_name: &str, alternative: Option<&[&str]>) -> Vec<u8> {
        let filler = || sequence(&[]);
        let mut parts = vec![element(0x02, &[1]), filler(), filler(), filler()];
        parts.extend([subject(common_name), filler()]);
        if let Some(names) = alternative {
            parts.insert(0, element(VERSION, &element(0x02, &[2])));
            let names: Vec<_> =
                names.iter().map(|name| element(DNS_NAME, name.as_bytes())).collect();
            let other = sequence(&[element(OBJECT_ID, &[0x55, 0x1d, 0x0f]), element(0x04, &[1])]);
            let list = element(OCTET_STRING, &sequence(&names));
            let critical = element(0x01, &[0xff]);
            let named = sequence(&[element(OBJECT_ID, SUBJECT_ALT_NAME), critical, list]);
            parts.push(element(EXTENSIONS, &sequence(&[other, named])));
        }
        sequence(&[sequence(&parts), filler(), element(0x03, &[0])])
    }

    type Names = &'static [&'static str];

    #[test]
    fn names_of_certificates() {
        #[rustfmt::skip]
        let cases: [(&str, Option<Names>, Names); 6] = [
            ("www.uni.example",   None,                               &["www.uni.example"]),
            ("HP LaserJet 4200",  None,                               &[]),
            ("printer",           None,                               &[]),
            ("192.0.2.7",         Some(&["a.example", "A.Example."]), &["a.example"]),
            ("cn.example",        Some(&["*.uni.example", "x y.example", "", "*.*.example"]),
                                  &["*.uni.example", "cn.example"]),
            ("uni.example",       Some(&["uni.example", "_sip.uni.example"]),
                                  &["uni.example", "_sip.uni.example"]),
        ];
        for (common_name, alternative, expected) in cases {
            assert_eq!(names(&written(common_name, alternative)), expected, "{common_name}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            names(&bytes);
        }

        #[test]
        fn any_damage(at in 0_usize..200, byte in any::<u8>(), cut in 0_usize..200) {
            let mut der = written("cn.example", Some(&["a.example", "b.example"]));
            let at = at % der.len();
            der[at] = byte;
            der.truncate(der.len() - cut % der.len());
            prop_assert!(names(&der).len() <= 3);
        }
    }
}
