//! What texts in the configuration have to be readable as.
//!
//! Each form is checked where it is written, so that a wrong address is reported with its line and
//! not when the crawl first needs it.

use super::schema::TextForm;
use auslese_crawl::{CrawlError, Rule, parse_duration};
use auslese_depot::StoreAddress;
use auslese_model::{HostName, Origin};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use url::Url;

pub(crate) const WORDS: TextForm =
    TextForm { what: "a text in quotation marks", check: |_| Ok(()) };

/// A text that becomes part of a header line.
pub(crate) const HEADER_WORDS: TextForm = TextForm {
    what: "a text without line breaks",
    check: |text| match text.chars().find(|c| c.is_control() || !c.is_ascii()) {
        Some(c) => Err(format!("the character {:?} cannot be sent in a header", c)),
        None => Ok(()),
    },
};

pub(crate) const DURATION: TextForm = TextForm {
    what: "a length of time such as \"500ms\", \"2s\", \"1h 30m\" or \"2d\"",
    check: |text| parse_duration(text).map(drop).map_err(|cause| cause.to_string()),
};

pub(crate) const SCOPE_RULE: TextForm = TextForm {
    what: "a scope rule such as \"accept host .uni.example\" or \"reject suffix .zip\"",
    check: |text| match text.parse::<Rule>() {
        Ok(_) => Ok(()),
        Err(CrawlError::Rule { column, fault, .. }) => Err(format!("{fault}, character {column}")),
        Err(other) => Err(other.to_string()),
    },
};

/// A host, or with a dot before it all hosts below.
pub(crate) const HOST_PATTERN: TextForm = TextForm {
    what: "host or .suffix",
    check: |text| (HOST.check)(text.strip_prefix('.').unwrap_or(text)),
};

pub(crate) const CONTACT: TextForm = TextForm {
    what: "a mail address or a web page, such as \"archive@uni.example\"",
    check: |text| contact(text).map(drop),
};

pub(crate) const WEB_URL: TextForm = TextForm {
    what: "a web address such as \"https://www.uni.example/\"",
    check: |text| web_url(text).map(drop),
};

pub(crate) const HOST: TextForm = TextForm {
    what: "a host such as \"www.uni.example\"",
    check: |text| match HostName::parse(text) {
        Some(host) if !host.as_str().split('.').any(str::is_empty) => Ok(()),
        _ => Err(format!("\"{text}\" is no host name")),
    },
};

pub(crate) const NETWORK: TextForm = TextForm {
    what: "an address or a range such as \"10.0.0.0/8\"",
    check: |text| network(text).map(drop),
};

pub(crate) const SOCKET: TextForm = TextForm {
    what: "an address with a port such as \"127.0.0.1:53\"",
    check: |text| socket(text).map(drop),
};

pub(crate) const PATH: TextForm = TextForm {
    what: "the path of a file",
    check: |text| if text.is_empty() { Err("the path is empty".to_owned()) } else { Ok(()) },
};

pub(crate) const LANGUAGE_TAG: TextForm =
    TextForm { what: "a language as \"de\" or \"nds\"", check: language_tag };

/// Two or three small letters, as the detector writes languages: anything else would fit no document.
pub(crate) fn language_tag(text: &str) -> Result<(), String> {
    let fits = (2..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase());
    if fits {
        return Ok(());
    }
    Err(format!("\"{text}\" is not a language of two or three small letters, such as \"de\""))
}

/// A media type, or a pattern with a star for several.
pub(crate) const MEDIA_TYPE: TextForm = TextForm {
    what: "a media type such as \"text/html\" or \"text/*\"",
    check: |text| match text.contains(['/', '*']) && !text.contains([';', ' ']) {
        true => Ok(()),
        false => Err(format!("\"{text}\" fits no media type")),
    },
};

/// A pattern that is compared with whole addresses.
pub(crate) const ADDRESS_PATTERN: TextForm = TextForm {
    what: "an address, or a pattern such as \"*/calendar/*\"",
    check: |text| {
        let begins = text.starts_with('*') || text.starts_with("http");
        let can_fit = begins && (text.contains('*') || text.contains("://"));
        match can_fit {
            true => Ok(()),
            false if text.is_empty() => Err("an empty pattern fits no address".to_owned()),
            false => Err(format!(
                "\"{text}\" fits no address, since the whole of it is compared: \
                 did you mean \"*{}*\"?",
                text.trim_end_matches('*')
            )),
        }
    },
};

pub(crate) const CATALOG_URL: TextForm =
    TextForm { what: "a database such as \"postgres://user@host/database\"", check: catalog_url };

pub(crate) const STORE_ADDRESS: TextForm = TextForm {
    what: "a place in object storage such as \"s3://bucket/prefix\"",
    check: |text| text.parse::<StoreAddress>().map(drop).map_err(|error| error.to_string()),
};

pub(crate) const FILE_PREFIX: TextForm = TextForm {
    what: "letters, digits, \"-\", \"_\" and \".\" as in a file name",
    check: |text| {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        match text {
            "" => Err("the prefix is empty".to_owned()),
            text if text.starts_with('.') => Err("a hidden file would be made".to_owned()),
            text if text.chars().all(fits) => Ok(()),
            text => Err(format!("\"{text}\" has characters that do not suit file names")),
        }
    },
};

/// Reads a contact: a mail address or a web page.
pub(crate) fn contact(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_page = Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    let is_mail = text.split_once('@').is_some_and(|(name, domain)| {
        !name.is_empty()
            && domain.contains('.')
            && HostName::parse(domain).is_some()
            // The contact becomes part of a header line.
            && text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '(' | ')' | '<' | '>'))
    });
    if is_page || is_mail {
        Ok(text.to_owned())
    } else {
        Err(format!("\"{text}\" is neither a mail address nor a web page"))
    }
}

/// Reads an `http` or `https` URL.
pub(crate) fn web_url(text: &str) -> Result<Url, String> {
    let text = text.trim();
    match Url::parse(text) {
        Ok(url) if Origin::of(&url).is_some() => Ok(url),
        Ok(url) if url.has_host() || text.contains(':') && !looks_like_host_and_port(text) => {
            Err(format!("only http and https can be crawled, not {}", url.scheme()))
        }
        _ => Err(match Url::parse(&format!("http://{text}")) {
            Ok(url) if !text.is_empty() && Origin::of(&url).is_some() => {
                format!("the scheme is missing: did you mean {url}?")
            }
            _ => format!("\"{text}\" is no web address"),
        }),
    }
}

/// `localhost:8080` parses as a URL with the scheme `localhost`, but nobody means that.
fn looks_like_host_and_port(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())
}

/// Reads a range of addresses; a single address is a range of one.
pub(crate) fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let single = text.parse::<IpAddr>().map(IpNet::from).ok();
    single
        .or_else(|| text.parse::<IpNet>().ok().map(|net| net.trunc()))
        .ok_or_else(|| format!("\"{text}\" is no address and no range of addresses"))
}

/// Reads an address with a port.
pub(crate) fn socket(text: &str) -> Result<SocketAddr, String> {
    text.trim().parse().map_err(|_| match text.trim().parse::<IpAddr>() {
        Ok(IpAddr::V6(address)) => format!("the port is missing: write \"[{address}]:53\""),
        Ok(address) => format!("the port is missing: write \"{address}:53\""),
        Err(_) => format!("\"{text}\" is no address with a port"),
    })
}

fn catalog_url(text: &str) -> Result<(), String> {
    let url = Url::parse(text).map_err(|_| format!("\"{text}\" is no database address"))?;
    match url.scheme() {
        "postgres" | "postgresql" => {}
        other => return Err(format!("only postgres:// is known, not {other}:")),
    }
    if url.password().is_some() {
        return Err("a password does not belong into a configuration file: put it into the \
                    environment variable of this setting (AUSLESE_CATALOG_PASSWORD, \
                    AUSLESE_SQL_PASSWORD) or into its password file"
            .to_owned());
    }
    if url.host_str().is_none_or(str::is_empty) && url.query().is_none() {
        return Err("the host is missing".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms() {
        #[rustfmt::skip]
        let cases: &[(&str, TextForm, &str, bool)] = &[
            ("contact",  CONTACT,     "archive@uni.example",            true),
            ("contact",  CONTACT,     "https://uni.example/archive",    true),
            ("contact",  CONTACT,     "the archive",                    false),
            ("contact",  CONTACT,     "a@b",                            false),
            ("contact",  CONTACT,     "a\r\nX: y@uni.example",          false),
            ("url",      WEB_URL,     "http://127.0.0.1:8080/a?b",      true),
            ("url",      WEB_URL,     "www.uni.example",                false),
            ("url",      WEB_URL,     "mailto:a@uni.example",           false),
            ("host",     HOST,        "www.uni.example",                true),
            ("host",     HOST,        "www uni",                        false),
            ("pattern",  HOST_PATTERN, ".uni.example",                  true),
            ("pattern",  HOST_PATTERN, "..uni",                         false),
            ("rule",     SCOPE_RULE,  "accept any",                     true),
            ("rule",     SCOPE_RULE,  "acept any",                      false),
            ("rule",     SCOPE_RULE,  "",                               false),
            ("header",   HEADER_WORDS, "auslese/1 (+{contact})",        true),
            ("header",   HEADER_WORDS, "auslese\r\nX: y",               false),
            ("duration", DURATION,    "1h 30m",                         true),
            ("duration", DURATION,    "2",                              false),
            ("network",  NETWORK,     "10.0.0.0/8",                     true),
            ("network",  NETWORK,     "2001:db8::1",                    true),
            ("network",  NETWORK,     "10.0.0.0/33",                    false),
            ("socket",   SOCKET,      "[::1]:53",                       true),
            ("socket",   SOCKET,      "127.0.0.1",                      false),
            ("catalog",  CATALOG_URL, "postgres://me@db.example/web",   true),
            ("catalog",  CATALOG_URL, "postgres://me:pw@db.example/w",  false),
            ("catalog",  CATALOG_URL, "mysql://db.example/web",         false),
            ("store",    STORE_ADDRESS, "s3://archive/giessen",         true),
            ("store",    STORE_ADDRESS, "s3://archive/../giessen",      false),
            ("store",    STORE_ADDRESS, "https://archive.example/",     false),
            ("language", LANGUAGE_TAG, "nds",                           true),
            ("language", LANGUAGE_TAG, "DE",                            false),
            ("language", LANGUAGE_TAG, "german",                        false),
            ("language", LANGUAGE_TAG, "de-AT",                         false),
            ("type",     MEDIA_TYPE,  "text/html",                      true),
            ("type",     MEDIA_TYPE,  "*",                              true),
            ("type",     MEDIA_TYPE,  "html",                           false),
            ("type",     MEDIA_TYPE,  "text/html; charset=utf-8",       false),
            ("address",  ADDRESS_PATTERN, "*/_vti_bin/*",               true),
            ("address",  ADDRESS_PATTERN, "http*.pdf",                  true),
            ("address",  ADDRESS_PATTERN, "http://uni.example/",        true),
            ("address",  ADDRESS_PATTERN, "/fb09/*",                    false),
            ("address",  ADDRESS_PATTERN, "www.uni.example/*",          false),
            ("address",  ADDRESS_PATTERN, "",                           false),
            ("prefix",   FILE_PREFIX, "giessen-2026",                   true),
            ("prefix",   FILE_PREFIX, "../x",                           false),
            ("prefix",   FILE_PREFIX, "",                               false),
        ];
        for (name, form, text, good) in cases {
            assert_eq!((form.check)(text).is_ok(), *good, "{name}: {text}");
        }
    }

    #[test]
    fn a_forgotten_scheme_is_offered() {
        #[rustfmt::skip]
        let cases = [
            ("www.uni.example/a", "the scheme is missing: did you mean http://www.uni.example/a?"),
            ("localhost:8080",    "the scheme is missing: did you mean http://localhost:8080/?"),
            ("ftp://uni.example", "only http and https can be crawled, not ftp"),
            ("mailto:a@b.example", "only http and https can be crawled, not mailto"),
            ("",                  "\"\" is no web address"),
        ];
        for (text, message) in cases {
            assert_eq!(web_url(text).unwrap_err(), message);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".*") {
            for form in [
                CONTACT, WEB_URL, HOST, HOST_PATTERN, NETWORK, SOCKET, CATALOG_URL, FILE_PREFIX,
                DURATION, SCOPE_RULE,
            ] {
                let _ = (form.check)(&text);
            }
        }
    }
}
