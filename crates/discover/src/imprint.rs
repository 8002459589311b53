//! The imprint: who a web site says it belongs to.
//!
//! German law asks nearly every site for one, so it restores what registries no longer tell. A page
//! leads to its imprint by the words of a link, or it lies where imprints usually lie. Of its text
//! only few things are read: lines that may name the body, postal addresses, mail addresses, and
//! VAT numbers. Which line names the body is decided by comparison with the organisation, because
//! imprints have no form that all keep to.

use crate::registration::Party;
use auslese_markup::{Page, Tree};
use auslese_words::fold;
use url::Url;

/// Addresses tried for one site, found or usual.
pub const MAX_IMPRINT_PAGES: usize = 4;
/// Lines of an imprint that are looked at; the body is named near the top.
const MAX_LINES: usize = 400;
/// Characters of a line that are looked at.
const MAX_LINE: usize = 200;

/// Where imprints lie when no link leads to them.
const USUAL_PATHS: &[&str] = &["/impressum", "/impressum.html", "/impressum/", "/imprint"];

/// Words of links that lead to an imprint, folded; earlier ones are surer.
const LINK_WORDS: &[&str] = &[
    "impressum",
    "imprint",
    "anbieterkennzeichnung",
    "legal notice",
    "mentions legales",
    "note legali",
    "aviso legal",
    "colofon",
    "site notice",
];

/// Words of the headings above the name of the body, folded.
const HEADINGS: &[&str] = &[
    "impressum",
    "imprint",
    "angaben gemaess",
    "herausgeber",
    "diensteanbieter",
    "anbieter",
    "legal notice",
    "verantwortlich fuer den inhalt",
    "published by",
];
/// The headings are looked for in so many lines.
const TOP_LINES: usize = 60;

/// What an imprint says, as far as understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImprintText {
    /// Lines of its text, in order: any of them may name the body.
    pub lines: Vec<String>,
    pub emails: Vec<String>,
    /// Postcodes with the town that follows.
    pub postcodes: Vec<String>,
    pub vat_ids: Vec<String>,
}

/// The addresses at which the imprint of a site may be: those its page links to, then the usual
/// ones.
pub fn imprint_addresses(page: &Page, here: &Url) -> Vec<Url> {
    let mut ranked: Vec<(usize, Url)> = Vec::new();
    for (rank, href) in imprint_links(page.tree()) {
        if let Ok(url) = here.join(&href)
            && matches!(url.scheme(), "http" | "https")
        {
            ranked.push((rank, url));
        }
    }
    // The order on the page is kept among links of the same words.
    ranked.sort_by_key(|(rank, _)| *rank);
    let usual = USUAL_PATHS.iter().filter_map(|path| here.join(path).ok());
    let mut addresses: Vec<Url> = Vec::new();
    for mut url in ranked.into_iter().map(|(_, url)| url).chain(usual) {
        url.set_fragment(None);
        if !addresses.contains(&url) && addresses.len() < MAX_IMPRINT_PAGES {
            addresses.push(url);
        }
    }
    addresses
}

fn imprint_links(tree: &Tree) -> Vec<(usize, String)> {
    let links = tree.elements_named("a").filter_map(|(id, element)| {
        let href = element.attribute("href")?;
        let words = fold(tree.string_value(id).trim());
        let title = element.attribute("title").map(fold).unwrap_or_default();
        let path = href.to_ascii_lowercase();
        let said = LINK_WORDS.iter().position(|word| words.contains(word) || title.contains(word));
        let rank = said.or_else(|| {
            LINK_WORDS
                .iter()
                .position(|word| path.contains(&word.replace(' ', "-")))
                .map(|at| at + 100)
        })?;
        Some((rank, href.to_owned()))
    });
    links.take(MAX_IMPRINT_PAGES * 4).collect()
}

impl ImprintText {
    /// Reads the visible text of an imprint page.
    pub fn read(text: &str) -> ImprintText {
        let mut imprint = ImprintText::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_LINES) {
            let line: String = line.chars().take(MAX_LINE).collect();
            imprint.emails.extend(emails(&line));
            imprint.postcodes.extend(postcode(&line));
            imprint.vat_ids.extend(vat_id(&line));
            imprint.lines.push(line);
        }
        imprint.emails.dedup();
        imprint
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The line that probably names the body, where nothing is known to compare with: the first
    /// after the headings.
    pub fn likely_body(&self) -> Option<&str> {
        let folded = |line: &String| fold(line);
        let heading = |line: &&String| {
            let line = folded(line);
            HEADINGS.iter().any(|word| line.contains(word))
        };
        let last = self.lines.iter().take(TOP_LINES).rposition(|line| heading(&line))?;
        self.lines.get(last + 1).map(String::as_str)
    }

    /// The body, its address and its mail address, as they compare best with an organisation:
    /// `alike` says how well a line names it (0 to 1), `own_mail` whether a mail domain is its own.
    pub fn party(
        &self,
        alike: impl Fn(&str) -> f64,
        at_least: f64,
        own_mail: impl Fn(&str) -> bool,
    ) -> Party {
        let mut best: Option<(usize, &str, f64)> = None;
        for (at, line) in self.lines.iter().enumerate() {
            for part in parts(line) {
                let score = alike(part);
                if best.is_none_or(|(_, _, known)| score > known) {
                    best = Some((at, part, score));
                }
            }
            // Nothing can be better than the same name.
            if best.is_some_and(|(_, _, score)| score >= 1.0) {
                break;
            }
        }
        let named = best.filter(|(_, _, score)| *score >= at_least);
        let domain = |email: &&String| email.rsplit_once('@').is_some_and(|(_, at)| own_mail(at));
        Party {
            name: None,
            organization: named.map(|(_, name, _)| name.to_owned()),
            address: self.address_near(named.map_or(0, |(at, _, _)| at)),
            email: self.emails.iter().find(domain).or(self.emails.first()).cloned(),
        }
    }

    /// The first line with a postcode at or after a line, with the street before it.
    fn address_near(&self, at: usize) -> Vec<String> {
        let lines = self.lines.get(at..).unwrap_or_default();
        let Some(place) = lines.iter().position(|line| postcode(line).is_some()) else {
            return Vec::new();
        };
        let street = place.checked_sub(1).and_then(|before| lines.get(before));
        let street = street.filter(|line| line.chars().any(|letter| letter.is_ascii_digit()));
        street.into_iter().chain(lines.get(place)).cloned().collect()
    }
}

/// A line, and the parts of it that may be a name: `Responsible: University, Institute`.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split([',', ':', ';', '|', '–', '·']).map(str::trim);
    std::iter::once(line).chain(parts.filter(move |part| !part.is_empty() && *part != line))
}

/// Mail addresses in a line, also where `@` is written as a word in brackets.
fn emails(line: &str) -> Vec<String> {
    let mut plain = line.to_owned();
    for word in ["(at)", "[at]", "{at}", "(ät)", " at "] {
        // " at " is English; only between what looks like the two halves of an address.
        if word != " at " || line.contains('.') && line.to_lowercase().contains("mail") {
            plain = plain.replace(&format!(" {} ", word.trim()), "@").replace(word, "@");
        }
    }
    for word in ["(dot)", "[dot]", "(punkt)", "[punkt]"] {
        plain = plain.replace(&format!(" {word} "), ".").replace(word, ".");
    }
    let is_part = |letter: char| letter.is_alphanumeric() || "._-+@".contains(letter);
    plain
        .split(|letter: char| !is_part(letter))
        .map(|word| word.trim_matches(['.', '-']))
        .filter(|word| {
            word.split_once('@').is_some_and(|(name, domain)| {
                !name.is_empty() && domain.contains('.') && !domain.contains('@')
            })
        })
        .map(str::to_lowercase)
        .collect()
}

/// A postcode of five (Germany, France, Italy …) or four digits (Austria, Switzerland …) before a
/// town.
fn postcode(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let digits = pair[0].rsplit('-').next().unwrap_or(pair[0]);
        let is_code =
            matches!(digits.len(), 4 | 5) && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_town = pair[1].chars().next().is_some_and(char::is_uppercase);
        (is_code && is_town).then(|| digits.to_owned())
    })
}

/// A German, Austrian or Swiss VAT number.
fn vat_id(line: &str) -> Option<String> {
    let bare: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let upper = bare.to_ascii_uppercase();
    ["DE", "ATU", "CHE-"].iter().find_map(|country| {
        let (_, rest) = upper.split_once(country)?;
        let number: String =
            rest.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
        let digits = number.chars().filter(char::is_ascii_digit).count();
        matches!(digits, 8 | 9).then(|| format!("{country}{number}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;
    use proptest::prelude::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn where_the_imprint_is() {
        let page = parse(
            b"<a href=/imprint-en>Legal notice</a><a href='seite.php?id=7#x'>IMPRESSUM</a>\
              <a href=mailto:a@b.example>Impressum</a><a href=/kontakt>Kontakt</a>",
            None,
        );
        let found = imprint_addresses(&page, &url("http://a.example/dir/"));
        let found: Vec<&str> = found.iter().map(Url::as_str).collect();
        assert_eq!(
            found,
            [
                "http://a.example/dir/seite.php?id=7",
                "http://a.example/imprint-en",
                "http://a.example/impressum",
                "http://a.example/impressum.html",
            ]
        );
    }

    const TEXT: &str = "Impressum\nAngaben gemäß § 5 DDG\nUniversität Hohenwerth\nRechenzentrum\n\
        Schlossplatz 1\nD-99991 Hohenwerth\nE-Mail: poststelle (at) uni-hohenwerth.example\n\
        USt-IdNr.: DE 123 456 789\nGestaltung: Agentur Blau, info@blau.example\n";

    #[test]
    fn what_it_says() {
        let imprint = ImprintText::read(TEXT);
        assert_eq!(imprint.emails, ["poststelle@uni-hohenwerth.example", "info@blau.example"]);
        assert_eq!(imprint.postcodes, ["99991"]);
        assert_eq!(imprint.vat_ids, ["DE123456789"]);
        let alike = |line: &str| if line == "Universität Hohenwerth" { 1.0 } else { 0.2 };
        let party = imprint.party(alike, 0.9, |domain| domain == "uni-hohenwerth.example");
        assert_eq!(party.organization.as_deref(), Some("Universität Hohenwerth"));
        assert_eq!(party.address, ["Schlossplatz 1", "D-99991 Hohenwerth"]);
        assert_eq!(party.email.as_deref(), Some("poststelle@uni-hohenwerth.example"));
        assert_eq!(imprint.likely_body(), Some("Universität Hohenwerth"));
        let line = "Verantwortlich für den Inhalt: Universität Hohenwerth, Chor";
        let party = ImprintText::read(line).party(alike, 0.9, |_| false);
        assert_eq!(party.organization.as_deref(), Some("Universität Hohenwerth"));
        let foreign = imprint.party(|_| 0.3, 0.9, |_| false);
        assert_eq!(foreign.organization, None);
    }

    #[test]
    fn no_addresses() {
        for line in ["look at this", "a@b", "1000 Dinge", "2026 jahre", "DE 12"] {
            let imprint = ImprintText::read(line);
            assert!(imprint.emails.is_empty() && imprint.vat_ids.is_empty(), "{line}");
        }
        assert_eq!(postcode("2026 jahre"), None);
    }

    proptest! {
        #[test]
        fn any_text(text in "(?s).{0,300}") {
            let imprint = ImprintText::read(&text);
            let _ = imprint.party(|_| 0.5, 0.4, |_| true);
        }
    }
}
