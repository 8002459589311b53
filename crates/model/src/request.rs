//! Requests: what is asked of a server, and how a repeat is recognised.
//!
//! The unit of the frontier is a request (method, URL, body), not a URL, because forms send POST.
//! What is sent is the URL as found; a canonical form, made by the crawl, serves only to recognise
//! repeats and is folded into a [`RequestKey`].

use crate::{HostName, Origin, RequestKey, Scheme};
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// The number of a request in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub i64);

/// The number of a server (an [`Origin`]) in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerId(pub i64);

/// The number of a capture in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CaptureId(pub i64);

/// The number of one start of a stage over a harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub i64);

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    #[default]
    Get,
    Head,
    Post,
}

impl Method {
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
        }
    }

    pub fn parse(text: &str) -> Option<Method> {
        match text {
            "GET" => Some(Method::Get),
            "HEAD" => Some(Method::Head),
            "POST" => Some(Method::Post),
            _ => None,
        }
    }
}

/// What is sent to a server.
///
/// The URL is `http` or `https` with a host: [`Request::new`] refuses any other, so that every
/// request has an [`Origin`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub method: Method,
    /// As it is sent; it has no fragment.
    pub url: Url,
    /// The media type and the bytes of a POST.
    pub body: Option<(String, Vec<u8>)>,
}

impl Request {
    pub fn new(method: Method, mut url: Url, body: Option<(String, Vec<u8>)>) -> Option<Request> {
        Origin::of(&url)?;
        url.set_fragment(None);
        // Credentials are never sent, so they have no place in the archive either.
        let _ = (url.set_username(""), url.set_password(None));
        Some(Request { method, url, body })
    }

    /// A GET for a URL that is known to be `http` or `https`.
    ///
    /// # Panics
    /// If the URL has another scheme or no host; use [`Request::new`] for URLs from outside.
    pub fn get(url: Url) -> Request {
        Request::new(Method::Get, url, None).expect("an http or https URL")
    }

    pub fn origin(&self) -> Origin {
        Origin::of(&self.url).expect("checked when the request was made")
    }

    pub fn host(&self) -> HostName {
        self.origin().host
    }

    pub fn scheme(&self) -> Scheme {
        self.origin().scheme
    }

    /// Path and query as they stand in the request line.
    pub fn target(&self) -> &str {
        &self.url[url::Position::BeforePath..url::Position::AfterQuery]
    }

    /// Recognises a repeat; `canonical` is the crawl's canonical form of the URL.
    pub fn key(&self, canonical: &str) -> RequestKey {
        let body = self.body.as_ref().map_or(&[][..], |(_, bytes)| bytes);
        RequestKey::new(self.method, canonical, body)
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.method {
            Method::Get => write!(f, "{}", self.url),
            method => write!(f, "{} {}", method.as_str(), self.url),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_keeps_its_spelling() {
        let url = |text: &str| Url::parse(text).unwrap();
        let request = Request::get(url("http://h.example/a//b%zz/ä?q=%C3&x#part"));
        assert_eq!(request.target(), "/a//b%zz/%C3%A4?q=%C3&x");
        assert_eq!(
            Request::get(url("http://me:secret@h.example/")).url.as_str(),
            "http://h.example/"
        );
        assert!(Request::new(Method::Get, url("mailto:a@b.example"), None).is_none());
    }
}
