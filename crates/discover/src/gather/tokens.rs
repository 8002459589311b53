//! Tokens by which services recognise the owner of a site: two sites with the same one are run by
//! the same people, or by the same agency.

use auslese_markup::Page;
use auslese_net::DnsRecord;

/// Tokens kept of one zone or page.
const MAX_TOKENS: usize = 32;

/// Names of meta elements that hold a verification token.
const META_NAMES: &[&str] = &[
    "google-site-verification",
    "msvalidate.01",
    "yandex-verification",
    "facebook-domain-verification",
];
/// Beginnings of text records that hold one.
const TXT_STARTS: &[&str] = &[
    "google-site-verification=",
    "MS=",
    "facebook-domain-verification=",
    "apple-domain-verification=",
];

pub(crate) fn of_zone(records: &[DnsRecord]) -> Vec<String> {
    let tokens = records.iter().map(|record| record.data.trim());
    let tokens = tokens.filter(|record| TXT_STARTS.iter().any(|start| record.starts_with(start)));
    tokens.take(MAX_TOKENS).map(str::to_owned).collect()
}

pub(crate) fn of_page(page: &Page) -> Vec<String> {
    let metas = page.tree().elements_named("meta");
    let tokens = metas.filter_map(|(_, element)| {
        let name = element.attribute("name")?.to_ascii_lowercase();
        let content = element.attribute("content")?.trim();
        let known = META_NAMES.contains(&name.as_str()) && !content.is_empty();
        known.then(|| format!("{name}={content}"))
    });
    tokens.take(MAX_TOKENS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    #[test]
    fn tokens() {
        let record = |text: &str| DnsRecord {
            name: "uni.example".to_owned(),
            ttl: 60,
            kind: "TXT".to_owned(),
            data: text.to_owned(),
        };
        let zone = ["v=spf1 -all", "google-site-verification=abc", "MS=ms1"].map(record);
        assert_eq!(of_zone(&zone), ["google-site-verification=abc", "MS=ms1"]);
        let page = parse(
            b"<meta name=Google-Site-Verification content=' abc '><meta name=a content=b>",
            None,
        );
        assert_eq!(of_page(&page), ["google-site-verification=abc"]);
    }
}
