//! Where repositories are to be found.

use auslese_markup::Page;
use url::Url;

/// Paths at which the usual programs answer.
const KNOWN_PATHS: [&str; 10] = [
    "/oai",
    "/oai2",
    "/oai-pmh",
    "/oai/request",
    "/oai/oai2.php",
    "/oai2/oai2.php",
    "/cgi/oai2",
    "/perl/oai2",
    "/server/oai/request",
    "/index.php/index/oai",
];

/// Addresses worth asking `verb=Identify` on a server.
pub fn known_oai_addresses(server: &Url) -> Vec<Url> {
    KNOWN_PATHS.iter().filter_map(|path| server.join(path).ok()).collect()
}

/// Addresses of repositories that a page links to: those with a verb of the protocol, and declared ones.
pub fn linked_oai_addresses(page: &Page, url: &Url) -> Vec<Url> {
    let tree = page.tree();
    let mut found: Vec<Url> = Vec::new();
    for element in tree.ids().filter_map(|id| tree.element(id)) {
        if !(element.is("a") || element.is("link")) {
            continue;
        }
        let Some(mut target) = element.attribute("href").and_then(|it| page.resolve(url, it))
        else {
            continue;
        };
        let has_verb = target.query_pairs().any(|(name, value)| {
            name == "verb"
                && ["Identify", "ListRecords", "ListSets", "ListMetadataFormats"].contains(&&*value)
        });
        let rel = element.attribute("rel").unwrap_or_default().to_ascii_lowercase();
        let declared = rel.split_whitespace().any(|word| matches!(word, "oai" | "oai-pmh"));
        if !matches!(target.scheme(), "http" | "https") || !(has_verb || declared) {
            continue;
        }
        // Of an address with a verb the rest of the query is the verb's, except what names the repository.
        let kept: Vec<(String, String)> = target
            .query_pairs()
            .filter(|(name, _)| !OAI_ARGUMENTS.contains(&&**name))
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        target.set_query(None);
        target.set_fragment(None);
        if !kept.is_empty() {
            target.query_pairs_mut().extend_pairs(kept);
        }
        if !found.contains(&target) {
            found.push(target);
        }
    }
    found
}

const OAI_ARGUMENTS: [&str; 7] =
    ["verb", "metadataPrefix", "set", "from", "until", "identifier", "resumptionToken"];
