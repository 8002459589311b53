//! Links out to the live web. Nothing else on our pages leads there, so they are marked, tell nobody where the reader
//! came from, and are made of addresses of the web only: never of `javascript:` and the like.

use crate::view::View;
use maud::{Markup, html};
use url::Url;

/// The text as a link to the live web, or just the text.
pub(in crate::pages) fn live_link(view: &View, address: &str, text: &str) -> Markup {
    html! {
        @match web_address(address) {
            Some(url) => a .outside href=(url) rel="external noopener noreferrer" title=(address) {
                (text) span aria-hidden="true" { " ↗" }
                span .visually-hidden { (view.say(" (on the live web)", " (im heutigen Netz)")) }
            },
            None => span .breaks { (text) },
        }
    }
}

/// An address of the web, spelled as browsers read it.
pub(super) fn web_address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web() {
        #[rustfmt::skip]
        let cases = [
            ("http://a.example/s?q=1",          Some("http://a.example/s?q=1")),
            ("HTTPS://a.example",               Some("https://a.example/")),
            (" http://a.example/ ",             Some("http://a.example/")),
            ("http://a.example/\"><script>",    Some("http://a.example/%22%3E%3Cscript%3E")),
            ("javascript:alert(1)",             None),
            ("java\nscript:alert(1)",           None),
            ("\u{1}javascript://a.example/%0a", None),
            ("data:text/html,<b>",              None),
            ("ftp://a.example/",                None),
            ("//a.example/",                    None),
            ("/s?q=1",                          None),
            ("",                                None),
        ];
        for (text, expected) in cases {
            assert_eq!(web_address(text).as_ref().map(Url::as_str), expected, "{text:?}");
        }
    }
}
