//! Addresses that lead to kept documents by redirects, in one step or several: in the mirror, links
//! to them lead to the document's file.

use crate::HarvestError;
use auslese_catalog::{Catalog, Redirect};
use auslese_corpus::MirrorDocument;
use auslese_crawl::{CanonicalRules, canonical};
use auslese_model::{Method, RequestId, RequestKey};
use rustc_hash::FxHashMap;
use url::Url;

/// Redirects asked for at a time.
const PAGE: usize = 2_000;

/// Redirects in a row that are followed.
const LONGEST_CHAIN: usize = 20;

/// All redirects of a harvest.
#[derive(Debug, Default)]
pub(super) struct Redirects {
    rules: CanonicalRules,
    /// In the order in which the addresses were found.
    addresses: Vec<(Url, RequestKey)>,
    next: FxHashMap<RequestKey, RequestKey>,
}

impl Redirects {
    pub(super) async fn read(
        catalog: &Catalog,
        rules: &CanonicalRules,
    ) -> Result<Redirects, HarvestError> {
        let mut redirects = Redirects { rules: rules.clone(), ..Redirects::default() };
        let mut after = RequestId(0);
        loop {
            let page = catalog.redirects(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(redirects) };
            after = last.request;
            page.iter().for_each(|redirect| redirects.add(redirect));
        }
    }

    /// Gives each document the addresses that lead to it.
    pub(super) fn name_aliases<'d>(&self, documents: impl Iterator<Item = &'d mut MirrorDocument>) {
        let mut by_key: FxHashMap<RequestKey, &mut MirrorDocument> = FxHashMap::default();
        // Redirects are followed by GET.
        for document in documents.filter(|document| document.request.is_none()) {
            by_key.entry(self.key(&document.url)).or_insert(document);
        }
        for (url, key) in &self.addresses {
            if let Some(document) = self.end(*key).and_then(|end| by_key.get_mut(&end)) {
                document.aliases.push(url.clone());
            }
        }
    }

    /// What cannot be read leads nowhere.
    fn add(&mut self, redirect: &Redirect) {
        let Ok(url) = Url::parse(&redirect.url) else { return };
        let Ok(target) = url.join(redirect.location.trim()) else { return };
        let key = self.key(&url);
        self.next.insert(key, self.key(&target));
        self.addresses.push((url, key));
    }

    /// Where a chain ends; circles and chains that are too long end nowhere.
    fn end(&self, mut key: RequestKey) -> Option<RequestKey> {
        for _ in 0..=LONGEST_CHAIN {
            let Some(next) = self.next.get(&key) else { return Some(key) };
            key = *next;
        }
        None
    }

    fn key(&self, url: &Url) -> RequestKey {
        RequestKey::new(Method::Get, &canonical(url, &self.rules), &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{Algorithm, CaptureId, Digest};

    fn document(url: &str) -> MirrorDocument {
        MirrorDocument {
            url: Url::parse(url).unwrap(),
            request: None,
            capture: CaptureId(1),
            digest: Digest { algorithm: Algorithm::Sha256, bytes: vec![0; 32] },
            media_type: None,
            charset: None,
            aliases: Vec::new(),
        }
    }

    #[test]
    fn chains_end_at_documents() {
        #[rustfmt::skip]
        let steps = [
            ("http://a.example/old",      "new.html"),
            ("http://a.example/older",    " /old#part "),
            ("http://a.example/session",  "/new.html?PHPSESSID=0123456789abcdef0123456789abcdef"),
            ("http://a.example/dir",      "http://a.example/dir/"),
            ("http://a.example/left",     "/nothing-kept"),
            ("http://a.example/circle",   "/circle2"),
            ("http://a.example/circle2",  "/circle"),
            ("http://a.example/nonsense", "http://"),
            ("http://a.example/mail",     "mailto:a@a.example"),
            ("nonsense",                  "/new.html"),
        ];
        let mut redirects = Redirects::default();
        for (number, (url, location)) in steps.into_iter().enumerate() {
            let (url, location) = (url.to_owned(), location.to_owned());
            redirects.add(&Redirect { request: RequestId(number as i64), url, location });
        }
        let urls = ["http://a.example/new.html", "http://a.example/dir/", "http://a.example/else"];
        let mut documents = urls.map(document);
        redirects.name_aliases(documents.iter_mut());
        let aliases = documents.map(|document| {
            document.aliases.into_iter().map(|url| url.path().to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(aliases[0], ["/old", "/older", "/session"]);
        assert_eq!(aliases[1], ["/dir"]);
        assert!(aliases[2].is_empty());
    }

    #[test]
    fn chains_have_a_longest() {
        let mut redirects = Redirects::default();
        for number in 0..LONGEST_CHAIN + 2 {
            redirects.add(&Redirect {
                request: RequestId(number as i64),
                url: format!("http://a.example/{number}"),
                location: (number + 1).to_string(),
            });
        }
        let mut documents = [document(&format!("http://a.example/{}", LONGEST_CHAIN + 2))];
        redirects.name_aliases(documents.iter_mut());
        let first = documents[0].aliases.first().map(Url::path);
        assert_eq!((documents[0].aliases.len(), first), (LONGEST_CHAIN, Some("/2")));
    }
}
