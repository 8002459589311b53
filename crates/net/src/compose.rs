//! Writes a request, byte for byte as it is sent.

use crate::error::NetError;
use crate::oddity::{self, Oddities, shown};
use crate::settings::NetSettings;
use auslese_model::{Headers, Request};

/// The header lines that are the same in every request.
#[derive(Debug, Clone)]
pub(crate) struct Composer {
    constant: Vec<u8>,
}

/// How the request line names its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetForm<'a> {
    /// `/path?query`
    Origin,
    /// `http://host/path?query`, for a proxy, with the proxy's credentials as a header line.
    Absolute { authorization: &'a str },
}

/// A request ready to be sent.
#[derive(Debug, Default)]
pub(crate) struct Composed {
    /// What is kept of it: all but credentials.
    pub(crate) kept: Vec<u8>,
    /// What is sent, if that is not the same.
    pub(crate) sent: Option<Vec<u8>>,
    pub(crate) oddities: Oddities,
}

impl Composer {
    pub(crate) fn new(settings: &NetSettings) -> Result<Composer, NetError> {
        // `From` is for mail addresses; a web page as contact stands in the user agent.
        let contact = settings.contact.as_deref().filter(|contact| contact.contains('@'));
        let contact = contact.unwrap_or("");
        let lines = [
            ("User-Agent", "user_agent", settings.user_agent.as_str()),
            ("From", "contact", contact),
            ("Accept", "accept", &settings.accept),
            ("Accept-Encoding", "accept_encoding", &settings.accept_encoding),
        ];
        let mut constant = Vec::new();
        for (name, setting, value) in lines {
            if value.chars().any(char::is_control) {
                return Err(NetError::ControlCharacter { setting });
            }
            if !value.is_empty() {
                push_line(&mut constant, name, value.as_bytes());
            }
        }
        push_line(&mut constant, "Connection", b"keep-alive");
        Ok(Composer { constant })
    }

    pub(crate) fn compose(
        &self,
        request: &Request,
        extra: &Headers,
        form: TargetForm<'_>,
        credential: Option<&str>,
    ) -> Composed {
        let mut oddities = Oddities::default();
        let mut bytes = Vec::with_capacity(self.constant.len() + request.url.as_str().len() + 128);
        bytes.extend_from_slice(request.method.as_str().as_bytes());
        bytes.push(b' ');
        if let TargetForm::Absolute { .. } = form {
            bytes.extend_from_slice(request.url.scheme().as_bytes());
            bytes.extend_from_slice(b"://");
            bytes.extend_from_slice(host_and_port(request).as_bytes());
        }
        bytes.extend_from_slice(request.target().as_bytes());
        bytes.extend_from_slice(b" HTTP/1.1\r\nHost: ");
        bytes.extend_from_slice(host_and_port(request).as_bytes());
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.constant);
        for (name, value) in extra.iter() {
            if is_sendable(name, value) {
                push_line(&mut bytes, name, value);
            } else {
                oddities.note(oddity::UNSENDABLE_HEADER, || shown(name.as_bytes()));
            }
        }
        let content = request.body.as_ref();
        if let Some((media_type, content)) = content {
            if is_sendable("Content-Type", media_type.as_bytes()) {
                push_line(&mut bytes, "Content-Type", media_type.as_bytes());
            }
            push_line(&mut bytes, "Content-Length", content.len().to_string().as_bytes());
        }
        let content = content.map_or(&[][..], |(_, content)| content);
        let finish = |mut bytes: Vec<u8>| {
            bytes.extend_from_slice(b"\r\n");
            bytes.extend_from_slice(content);
            bytes
        };
        let mut secret = Vec::new();
        if let TargetForm::Absolute { authorization } = form {
            secret.extend_from_slice(authorization.as_bytes());
        }
        if let Some(value) = credential.filter(|it| is_sendable("Authorization", it.as_bytes())) {
            push_line(&mut secret, "Authorization", value.as_bytes());
        }
        let sent =
            (!secret.is_empty()).then(|| finish([bytes.as_slice(), secret.as_slice()].concat()));
        Composed { kept: finish(bytes), sent, oddities }
    }
}

/// The host as the URL spells it, with the port unless it is the scheme's own.
fn host_and_port(request: &Request) -> &str {
    &request.url[url::Position::BeforeHost..url::Position::AfterPort]
}

fn is_sendable(name: &str, value: &[u8]) -> bool {
    let token = |byte: u8| byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(&byte);
    !name.is_empty()
        && name.bytes().all(token)
        && !value.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0))
}

fn push_line(bytes: &mut Vec<u8>, name: &str, value: &[u8]) {
    bytes.extend_from_slice(name.as_bytes());
    bytes.extend_from_slice(b": ");
    bytes.extend_from_slice(value);
    bytes.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Method;

    fn composer() -> Composer {
        Composer::new(&NetSettings {
            user_agent: "test/1".to_owned(),
            contact: Some("a@b.example".to_owned()),
            accept: "*/*".to_owned(),
            ..NetSettings::default()
        })
        .unwrap()
    }

    fn text(composed: &Composed) -> &str {
        std::str::from_utf8(&composed.kept).unwrap()
    }

    #[test]
    fn a_request_in_full() {
        let request = Request::get("http://user:pw@H.example:8080/a//b?x=%zz".parse().unwrap());
        let extra: Headers = [("If-None-Match", "\"e\""), ("X", "a\r\nB: c")].into_iter().collect();
        let composed = composer().compose(&request, &extra, TargetForm::Origin, None);
        assert_eq!(
            text(&composed),
            "GET /a//b?x=%zz HTTP/1.1\r\nHost: h.example:8080\r\nUser-Agent: test/1\r\n\
             From: a@b.example\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n\
             Connection: keep-alive\r\nIf-None-Match: \"e\"\r\n\r\n"
        );
        assert_eq!(composed.oddities.into_list()[0].kind, oddity::UNSENDABLE_HEADER);
    }

    #[test]
    fn a_form_through_a_proxy() {
        let url = "http://h.example:80/q".parse().unwrap();
        let body = Some(("application/x-www-form-urlencoded".to_owned(), b"a=1".to_vec()));
        let request = Request::new(Method::Post, url, body).unwrap();
        let form = TargetForm::Absolute { authorization: "Proxy-Authorization: Basic eA==\r\n" };
        let composed =
            composer().compose(&request, &Headers::default(), form, Some("Bearer geheim"));
        assert!(
            text(&composed).starts_with("POST http://h.example/q HTTP/1.1\r\nHost: h.example\r\n")
        );
        assert!(text(&composed).ends_with("Content-Length: 3\r\n\r\na=1"));
        assert!(!text(&composed).contains("Proxy-"));
        assert!(!text(&composed).contains("geheim"));
        let sent = String::from_utf8(composed.sent.unwrap()).unwrap();
        let secret = "Proxy-Authorization: Basic eA==\r\nAuthorization: Bearer geheim\r\n\r\na=1";
        assert!(sent.contains(secret));
    }

    #[test]
    fn settings_cannot_inject() {
        let settings =
            NetSettings { user_agent: "a\r\nHost: b".to_owned(), ..NetSettings::default() };
        assert!(Composer::new(&settings).is_err());
    }
}
