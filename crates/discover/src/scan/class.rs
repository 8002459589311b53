//! Tells sites from printers: what a server is, by what it shows.
//!
//! Only certificates and answers to `HEAD /` are known here. So a device is told by its product name
//! or its realm; a default page by the length that the server's own page is known to have; a login
//! page by a status or a redirect. A default page that somebody changed, a form on the start page and
//! a page that only says "under construction" look like public pages. In doubt a server is public:
//! leaving one out would lose a site.

use super::answers::{HeadAnswer, OpenPort};
use super::marks::{DEFAULT_PAGES, DEVICES, LOGIN_WORDS};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of server it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ServerClass {
    /// A site, as far as can be told.
    Public,
    /// The page that came with the server.
    Default,
    /// A printer, router, camera, management board or the like.
    Device,
    /// Nothing is shown without a login.
    LoginOnly,
    /// The port is open, but no web server answers.
    Silent,
}

impl ServerClass {
    pub fn as_str(self) -> &'static str {
        match self {
            ServerClass::Public => "public",
            ServerClass::Default => "default",
            ServerClass::Device => "device",
            ServerClass::LoginOnly => "login-only",
            ServerClass::Silent => "silent",
        }
    }
}

impl fmt::Display for ServerClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The class of a server, and why.
pub(crate) fn classify(ports: &[OpenPort]) -> (ServerClass, String) {
    let answers = || ports.iter().flat_map(|port| &port.answers);
    if let Some(device) = answers().find_map(device) {
        return (ServerClass::Device, device);
    }
    // One public answer makes a public server; the weaker classes count only if all agree. An
    // answer that brings a page is the best reason.
    let mut telling: Vec<_> = answers().filter(|answer| !only_moves_on(answer)).collect();
    telling.sort_by_key(|answer| !(200..300).contains(&answer.status));
    let preference = [ServerClass::Public, ServerClass::Default, ServerClass::LoginOnly];
    let judged: Vec<_> = telling.into_iter().map(judge).collect();
    let found = preference
        .into_iter()
        .find_map(|class| judged.iter().find(|(judged, _)| *judged == class).cloned());
    let moved = || answers().next().map(|_| (ServerClass::Public, "it redirects".to_owned()));
    found.or_else(moved).unwrap_or_else(|| (ServerClass::Silent, silence(ports)))
}

fn silence(ports: &[OpenPort]) -> String {
    let secured = ports.iter().any(|port| port.certificate.is_some());
    let fault = ports.iter().flat_map(|port| &port.faults).next();
    let what = if secured { "a certificate, but no answer" } else { "no answer" };
    match fault {
        Some(fault) => format!("{what}: {fault}"),
        None => what.to_owned(),
    }
}

fn device(answer: &HeadAnswer) -> Option<String> {
    let named = [("Server", &answer.server), ("realm", &answer.authenticate)];
    named.into_iter().find_map(|(place, value)| {
        let value = value.as_deref()?.to_lowercase();
        let (word, what) = DEVICES.iter().find(|(word, _)| has_word(&value, word))?;
        Some(format!("{what}: \"{word}\" in its {place} line"))
    })
}

/// A redirect to the same host over TLS says nothing; the answer there does.
fn only_moves_on(answer: &HeadAnswer) -> bool {
    answer.redirect_url().is_some_and(|target| {
        target.scheme() == "https"
            && target.path() == "/"
            && target.query().is_none()
            && answer.redirect_host().is_none()
    })
}

fn judge(answer: &HeadAnswer) -> (ServerClass, String) {
    let HeadAnswer { asked, status, .. } = answer;
    if let Some(word) = login_word(answer) {
        return (ServerClass::LoginOnly, format!("it redirects to a login (\"{word}\")"));
    }
    if let Some(target) = &answer.redirect {
        return (ServerClass::Public, format!("it redirects to {target}"));
    }
    if let Some(page) = default_page(answer) {
        return (ServerClass::Default, format!("{page}, by its length"));
    }
    match status {
        401 | 403 => (ServerClass::LoginOnly, format!("status {status} for {asked}")),
        _ => (ServerClass::Public, format!("status {status} for {asked}")),
    }
}

fn default_page(answer: &HeadAnswer) -> Option<&'static str> {
    let server = answer.server.as_deref()?.to_lowercase();
    let length = answer.length.filter(|_| answer.status == 200)?;
    let page = DEFAULT_PAGES
        .iter()
        .find(|(word, of_page, _)| *of_page == length && has_word(&server, word));
    page.map(|(_, _, what)| *what)
}

fn login_word(answer: &HeadAnswer) -> Option<&'static str> {
    let target = answer.redirect_url()?;
    // The query often repeats where the visitor came from; it says nothing about the page.
    let place = format!("{} {}", target.host_str().unwrap_or_default(), target.path());
    let place = place.to_lowercase();
    LOGIN_WORDS.iter().copied().find(|word| has_word(&place, word))
}

/// Whether a word stands in a text of lower case, with no letter or digit beside it.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{Headers, HostName, Scheme};
    use proptest::prelude::*;
    use url::Url;

    fn answer(status: u16, lines: &[(&str, &str)]) -> HeadAnswer {
        let headers: Headers = lines.iter().copied().collect();
        let asked = HostName::parse("198.18.1.1").unwrap();
        HeadAnswer::read(asked, &Url::parse("http://198.18.1.1/").unwrap(), status, &headers)
    }

    fn port(answers: Vec<HeadAnswer>) -> OpenPort {
        let scheme = Scheme::Http;
        OpenPort { port: 80, scheme, certificate: None, answers, faults: Vec::new() }
    }

    fn check(answers: Vec<HeadAnswer>) -> ServerClass {
        let (class, reason) = classify(&[port(answers)]);
        assert!(!reason.is_empty());
        class
    }

    type Lines = &'static [(&'static str, &'static str)];

    #[test]
    fn one_answer() {
        use ServerClass::{Default, Device, LoginOnly, Public};
        #[rustfmt::skip]
        let cases: [(u16, Lines, ServerClass); 25] = [
            (200, &[("Server", "Apache/2.4.57 (Debian)"), ("Content-Length", "5120")], Public),
            (200, &[],                                                                 Public),
            (404, &[("Server", "nginx")],                                              Public),
            (405, &[("Server", "nginx")],                                              Public),
            (503, &[("Server", "nginx")],                                              Public),
            (200, &[("Server", "Apache/2.4.57 (Debian)"), ("Content-Length", "10701")], Default),
            (200, &[("Server", "nginx/1.22.1"), ("Content-Length", "615")],            Default),
            (200, &[("Server", "Microsoft-IIS/10.0"), ("Content-Length", "703")],      Default),
            (200, &[("Server", "Apache"), ("Content-Length", "615")],                  Public),
            (404, &[("Server", "nginx"), ("Content-Length", "615")],                   Public),
            (200, &[("Server", "HP HTTP Server; HP LaserJet 400 M401dn")],             Device),
            (200, &[("Server", "Allegro-Software-RomPager/4.07")],                     Device),
            (401, &[("Server", "Boa/0.94.13")],                                        Device),
            (401, &[("WWW-Authenticate", "Digest realm=\"AXIS_ACCC8E012345\"")],       Device),
            (401, &[("WWW-Authenticate", "Basic realm=\"level_15_access\"")],          Device),
            (301, &[("Server", "HPE-iLO-Server/1.30"), ("Location", "https://198.18.1.1/")], Device),
            (200, &[("Server", "Bootstrapboard/1.0")],                                 Public),
            (401, &[("WWW-Authenticate", "Negotiate")],                                LoginOnly),
            (403, &[("Server", "Apache")],                                             LoginOnly),
            (302, &[("Location", "/login.php?next=%2F")],                              LoginOnly),
            (302, &[("Location", "https://idp.uni.example/profile/SAML2/Redirect/SSO")], LoginOnly),
            (302, &[("Location", "/owa/")],                                            LoginOnly),
            (302, &[("Location", "/case/study")],                                      Public),
            (301, &[("Location", "https://www.uni.example/")],                         Public),
            (301, &[("Location", "https://198.18.1.1/")],                              Public),
        ];
        for (status, lines, expected) in cases {
            assert_eq!(check(vec![answer(status, lines)]), expected, "{status} {lines:?}");
        }
    }

    #[test]
    fn several_answers() {
        let login = || answer(401, &[("WWW-Authenticate", "Basic")]);
        let default = || answer(200, &[("Server", "nginx"), ("Content-Length", "612")]);
        let moving = || answer(301, &[("Location", "https://198.18.1.1/")]);
        let public = || answer(200, &[("Server", "nginx")]);
        let device = || answer(200, &[("Server", "iDRAC/8")]);
        #[rustfmt::skip]
        let cases = [
            (vec![],                               ServerClass::Silent),
            (vec![login(), default()],             ServerClass::Default),
            (vec![default(), public(), login()],   ServerClass::Public),
            (vec![moving(), login()],              ServerClass::LoginOnly),
            (vec![moving()],                       ServerClass::Public),
            (vec![public(), device()],             ServerClass::Device),
        ];
        for (answers, expected) in cases {
            assert_eq!(check(answers.clone()), expected, "{answers:?}");
        }
    }

    #[test]
    fn tables_are_in_lower_case() {
        for (word, _) in DEVICES {
            assert_eq!(*word, word.to_lowercase());
        }
    }

    proptest! {
        #[test]
        fn any_lines(server in "\\PC{0,40}", realm in "\\PC{0,40}", to in "\\PC{0,40}") {
            let lines = [("Server", server.as_str()), ("WWW-Authenticate", &realm), ("Location", &to)];
            check(vec![answer(302, &lines)]);
        }
    }
}
