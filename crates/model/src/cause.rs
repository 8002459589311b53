//! Why a request brought no capture.
//!
//! The kinds are what people group failures by, and what the crawl decides on: may it be tried
//! again, or is the answer final?

use serde::{Deserialize, Serialize};
use std::fmt;

/// A reason with its particulars, stored with the request and shown by `auslese explain`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    pub kind: CauseKind,
    pub detail: String,
}

impl Cause {
    pub fn new(kind: CauseKind, detail: impl Into<String>) -> Cause {
        Cause { kind, detail: detail.into() }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail.as_str() {
            "" => f.write_str(self.kind.words()),
            detail => write!(f, "{}: {detail}", self.kind.words()),
        }
    }
}

macro_rules! cause_kinds {
    ($($kind:ident $name:literal $words:literal $temporary:literal)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum CauseKind { $($kind),* }

        impl CauseKind {
            pub const ALL: &[CauseKind] = &[$(CauseKind::$kind),*];

            /// The name in the catalog and in JSON.
            pub fn as_str(self) -> &'static str {
                match self { $(CauseKind::$kind => $name),* }
            }

            /// The name in messages.
            pub fn words(self) -> &'static str {
                match self { $(CauseKind::$kind => $words),* }
            }

            /// Whether a later attempt may end otherwise.
            pub fn is_temporary(self) -> bool {
                match self { $(CauseKind::$kind => $temporary),* }
            }

            pub fn parse(name: &str) -> Option<CauseKind> {
                match name { $($name => Some(CauseKind::$kind),)* _ => None }
            }
        }
    };
}

cause_kinds! {
    // kind          name              in words                                    try again?
    NoSuchName       "no-such-name"    "the name does not exist"                   false
    Dns              "dns"             "the name could not be resolved"            true
    Guarded          "guarded"         "the address is not public"                 false
    NotMapped        "not-mapped"      "the address has no connect_to entry"       false
    NoContact        "no-contact"      "hosts elsewhere need a contact address"    false
    Connect          "connect"         "no connection"                             true
    Tls              "tls"             "no TLS connection"                         true
    Certificate      "certificate"     "the certificate was refused"               false
    Proxy            "proxy"           "the proxy refused"                         true
    Timeout          "timeout"         "time ran out"                              true
    TooSlow          "too-slow"        "the server sends too slowly"               true
    Closed           "closed"          "the connection was cut"                    true
    Protocol         "protocol"        "the answer is not HTTP"                    true
    HeaderTooLarge   "header-too-large" "the response header is too large"         false
    ServerBusy       "server-busy"     "the server asked to come back later"       true
    Robots           "robots"          "robots.txt disallows it"                   false
    RobotsUnknown    "robots-unknown"  "robots.txt cannot be read"                 true
    Scope            "scope"           "not in scope"                              false
    Redirects        "redirects"       "too many redirects"                        false
    Budget           "budget"          "the budget is used up"                     false
    Excluded         "excluded"        "excluded by hand"                          false
    Trap             "trap"            "quarantined as a trap"                     false
    Removed          "removed"         "removed from the archive by hand"          false
    Url              "url"             "the URL cannot be requested"               false
    Local            "local"           "a fault on this machine"                   true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for kind in CauseKind::ALL {
            assert_eq!(CauseKind::parse(kind.as_str()), Some(*kind));
            assert_eq!(serde_name(*kind), kind.as_str());
        }
    }

    fn serde_name(kind: CauseKind) -> String {
        // serde's kebab-case and our table must agree, because both end up in files.
        format!("{kind:?}").chars().enumerate().fold(String::new(), |mut name, (i, c)| {
            if c.is_uppercase() && i > 0 {
                name.push('-');
            }
            name.extend(c.to_lowercase());
            name
        })
    }
}
