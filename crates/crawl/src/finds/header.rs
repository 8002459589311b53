//! Addresses and wishes in response headers: `Link` (RFC 8288), `Refresh`, `X-Robots-Tag`.

use super::FindKind;
use auslese_markup::MetaRobots;
use auslese_model::Headers;

/// The name that agent-specific `X-Robots-Tag` values address us by.
const OUR_NAME: &str = "auslese";

/// The targets of `Link` headers, as written.
pub(super) fn links(headers: &Headers) -> Vec<(String, FindKind)> {
    headers.all("link").flat_map(|value| link_values(&value)).collect()
}

/// Relations that ask the browser for something now, and so belong to the page.
const EMBEDDED: &[&str] =
    &["stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest"];
/// Relations that name no document.
const NO_DOCUMENT: &[&str] = &["preconnect", "dns-prefetch"];

fn link_values(value: &str) -> Vec<(String, FindKind)> {
    let mut links = Vec::new();
    let mut rest = value;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((target, after)) = after.split_once('>') else {
            break;
        };
        let end = parameters_end(after);
        if let Some(kind) = kind_of(&relation(&after[..end])) {
            links.push((target.trim().to_owned(), kind));
        }
        rest = &after[end..];
    }
    links
}

/// Up to the comma that ends a link; commas in quotes do not.
fn parameters_end(text: &str) -> usize {
    let mut quoted = false;
    text.find(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .unwrap_or(text.len())
}

fn relation(parameters: &str) -> String {
    parameters
        .split(';')
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("rel"))
        .map(|(_, value)| value.trim().trim_matches('"').to_ascii_lowercase())
        .unwrap_or_default()
}

fn kind_of(relation: &str) -> Option<FindKind> {
    let has = |list: &[&str]| relation.split_ascii_whitespace().any(|word| list.contains(&word));
    if has(NO_DOCUMENT) {
        None
    } else if has(EMBEDDED) {
        Some(FindKind::Embedded)
    } else {
        Some(FindKind::Link)
    }
}

/// The target of a `Refresh` header: `5; url=/next`.
pub(super) fn refresh(headers: &Headers) -> Option<String> {
    let value = headers.get("refresh")?;
    let (_, target) = value.split_once([';', ','])?;
    let target = target.trim();
    let (name, url) = target.split_once('=')?;
    let url = name.trim().eq_ignore_ascii_case("url").then_some(url)?;
    let url = url.trim().trim_matches(['"', '\'']);
    (!url.is_empty()).then(|| url.to_owned())
}

/// The charset parameter of `Content-Type`.
pub(super) fn charset(headers: &Headers) -> Option<String> {
    let value = headers.get("content-type")?;
    value
        .split(';')
        .skip(1)
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
        .filter(|charset| !charset.is_empty())
}

/// What `X-Robots-Tag` asks for, of everyone or of us by name.
pub(super) fn robots_tag(headers: &Headers) -> MetaRobots {
    let mut robots = MetaRobots::default();
    for value in headers.all("x-robots-tag") {
        let directives = match value.split_once(':') {
            Some((agent, rest)) if agent.trim().eq_ignore_ascii_case(OUR_NAME) => rest,
            // `otherbot: nofollow`; but `unavailable_after: …` may follow a comma.
            Some((agent, _)) if !agent.contains(',') => continue,
            _ => value.as_str(),
        };
        for word in directives.split(',').map(|word| word.trim().to_ascii_lowercase()) {
            robots.nofollow |= matches!(word.as_str(), "nofollow" | "none");
            robots.noindex |= matches!(word.as_str(), "noindex" | "none");
            robots.noarchive |= word == "noarchive";
        }
    }
    robots
}
