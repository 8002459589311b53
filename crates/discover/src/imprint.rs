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
pub(crate) const MAX_IMPRINT_PAGES: usize = 4;
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
/// An address follows the name of its body within so many lines.
const LINES_TO_ADDRESS: usize = 6;

/// How VAT numbers begin, and how many digits follow: Germany, Austria, Switzerland.
const VAT_COUNTRIES: [(&str, usize); 3] = [("DE", 9), ("ATU", 8), ("CHE", 9)];

/// What an imprint says, as far as understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ImprintText {
    /// Lines of its text, in order: any of them may name the body.
    pub(crate) lines: Vec<String>,
    pub(crate) emails: Vec<String>,
    /// VAT numbers, without blanks and dots, each once.
    pub(crate) vat_ids: Vec<String>,
}

/// The addresses at which the imprint of a site may be: those its page links to, on its own host
/// first, then the usual ones.
pub(crate) fn imprint_addresses(page: &Page, here: &Url) -> Vec<Url> {
    let mut ranked: Vec<(bool, usize, Url)> = Vec::new();
    for (rank, href) in imprint_links(page.tree()) {
        if let Ok(url) = here.join(&href)
            && matches!(url.scheme(), "http" | "https")
        {
            ranked.push((url.host_str() != here.host_str(), rank, url));
        }
    }
    // The order on the page is kept among links of the same words.
    ranked.sort_by_key(|(is_elsewhere, rank, _)| (*is_elsewhere, *rank));
    let usual = USUAL_PATHS.iter().filter_map(|path| here.join(path).ok());
    let mut addresses: Vec<Url> = Vec::new();
    for mut url in ranked.into_iter().map(|(_, _, url)| url).chain(usual) {
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
    pub(crate) fn read(text: &str) -> ImprintText {
        let mut imprint = ImprintText::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_LINES) {
            let line: String = line.chars().take(MAX_LINE).collect();
            imprint.emails.extend(emails(&line));
            imprint.vat_ids.extend(vat_id(&line));
            imprint.lines.push(line);
        }
        imprint.emails.dedup();
        imprint.vat_ids.sort();
        imprint.vat_ids.dedup();
        imprint
    }

    /// What probably names the body, where nothing is known to compare with: what a heading names
    /// and an address follows soonest. Menus have the same words, but no address; if there is none
    /// at all, the last heading counts.
    pub(crate) fn likely_body(&self) -> Option<&str> {
        let top = self.lines.iter().enumerate().take(TOP_LINES);
        let named: Vec<(usize, &str)> =
            top.filter(|(_, line)| is_heading(line)).filter_map(|(at, _)| self.under(at)).collect();
        let with_address = named.iter().filter_map(|(at, name)| {
            let mut behind = self.lines.iter().skip(at + 1).take(LINES_TO_ADDRESS);
            behind.position(|line| has_postcode(line)).map(|lines| (lines, *name))
        });
        let nearest = with_address.min_by_key(|(lines, _)| *lines);
        nearest.or(named.last().copied()).map(|(_, name)| name)
    }

    /// What stands behind the colon of a heading, or else on the next line; and where.
    fn under(&self, heading: usize) -> Option<(usize, &str)> {
        let beside = self.lines[heading].split_once(':').map(|(_, beside)| beside.trim());
        if let Some(beside) = beside.filter(|beside| !beside.is_empty()) {
            return Some((heading, beside));
        }
        let next = self.lines.get(heading + 1).filter(|line| !is_heading(line))?;
        Some((heading + 1, next))
    }

    /// The body, its address and its mail address, as they compare best with an organisation:
    /// `alike` says how well a line names it (0 to 1), `own_mail` whether a mail address is its own.
    pub(crate) fn party(
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
        Party {
            name: None,
            organization: named.map(|(_, name, _)| name.to_owned()),
            address: self.address_near(named.map_or(0, |(at, _, _)| at)),
            email: self
                .emails
                .iter()
                .find(|email| own_mail(email))
                .or(self.emails.first())
                .cloned(),
        }
    }

    /// The first line with a postcode at or after a line, with the street before it.
    fn address_near(&self, at: usize) -> Vec<String> {
        let lines = self.lines.get(at..).unwrap_or_default();
        let Some(place) = lines.iter().position(|line| has_postcode(line)) else {
            return Vec::new();
        };
        let street = place.checked_sub(1).and_then(|before| lines.get(before));
        let street = street.filter(|line| line.chars().any(|letter| letter.is_ascii_digit()));
        street.into_iter().chain(lines.get(place)).cloned().collect()
    }
}

fn is_heading(line: &str) -> bool {
    let line = fold(line);
    HEADINGS.iter().any(|word| line.contains(word))
}

/// A line, and the parts of it that may be a name: `Responsible: University, Institute`.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    /// Shorter parts name nobody; comparing thousands of them would take long.
    const SHORTEST: usize = 3;
    let parts = line.split([',', ':', ';', '|', '–', '·']).map(str::trim);
    std::iter::once(line).chain(parts.filter(move |part| part.len() >= SHORTEST && *part != line))
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

/// Whether a town is named with its postcode, of five (Germany, France, Italy …) or four digits
/// (Austria, Switzerland …). The year of a copyright looks the same.
fn has_postcode(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_place = |pair: &[&str]| {
        let digits = pair[0].rsplit('-').next().unwrap_or(pair[0]);
        matches!(digits.len(), 4 | 5)
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && pair[1].starts_with(char::is_uppercase)
    };
    let is_year = line.contains('©') || fold(line).contains("copyright");
    !is_year && words.windows(2).any(is_place)
}

/// A German, Austrian or Swiss VAT number, however it is spaced: `DE123456789`, `CHE123456789`.
fn vat_id(line: &str) -> Option<String> {
    let is_spacing = |letter: &char| letter.is_whitespace() || matches!(letter, '.' | '-');
    let upper = line.to_ascii_uppercase();
    let bare: String = upper.chars().filter(|letter| !is_spacing(letter)).collect();
    VAT_COUNTRIES.iter().find_map(|(country, length)| {
        // The letters also stand in other words: `Ust-Identifikationsnummer`.
        bare.match_indices(country).find_map(|(at, _)| {
            let behind = &bare[at + country.len()..];
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            (digits == *length).then(|| format!("{country}{}", &behind[..digits]))
        })
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
            b"<a href=//other.example/>Impressum</a><a href=/imprint-en>Legal notice</a><a href='seite.php?id=7#x'>IMPRESSUM</a>\
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
                "http://other.example/",
                "http://a.example/impressum",
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
        assert_eq!(imprint.vat_ids, ["DE123456789"]);
        let alike = |line: &str| if line == "Universität Hohenwerth" { 1.0 } else { 0.2 };
        let party = imprint.party(alike, 0.9, |email| email.ends_with("@uni-hohenwerth.example"));
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
    fn vat_numbers() {
        #[rustfmt::skip]
        let cases = [
            ("Umsatzsteuer-Identifikationsnummer gemäß § 27a UStG: DE 123456789.", Some("DE123456789")),
            ("USt-IdNr. DE123456789, Steuernummer 12/345",                         Some("DE123456789")),
            ("UID: ATU 12345678",                                                  Some("ATU12345678")),
            ("CHE-123.456.789 MWST",                                               Some("CHE123456789")),
            ("IBAN: DE89 3704 0044 0532 0130 00",                                  None),
            ("Bundesamt 123456789",                                                None),
        ];
        for (line, expected) in cases {
            assert_eq!(vat_id(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn where_the_body_is_named() {
        let body = |text: &str| ImprintText::read(text).likely_body().map(str::to_owned);
        let address = "Schlossplatz 1\n99991 Hohenwerth\n";
        #[rustfmt::skip]
        let cases = [
            ("the usual order",      format!("Impressum\nUniversität X\n{address}")),
            ("a menu before",        format!("Impressum\nKontakt\nSuche\nA\nB\nC\nD\nE\nImpressum\nUniversität X\n{address}")),
            ("a menu behind",        format!("Impressum\nUniversität X\n{address}Impressum\nDatenschutz\n")),
            ("a person responsible", format!("Anbieter\nUniversität X\n{address}Verantwortlich für den Inhalt\nEva Muster\n")),
            ("on the same line",     format!("Impressum\nHerausgeber: Universität X\n{address}")),
            ("without an address",   "Impressum\nUniversität X\n".to_owned()),
            ("years are no address", format!("Impressum\n© 2026 Agentur\nHerausgeber\nUniversität X\n{address}")),
        ];
        for (what, text) in cases {
            let found = body(&text);
            assert_eq!(found.as_deref(), Some("Universität X"), "{what}");
        }
        assert_eq!(body("Willkommen\nUniversität X\n"), None);
    }

    #[test]
    fn no_addresses() {
        for line in ["look at this", "a@b", "1000 Dinge", "2026 jahre", "DE 12"] {
            let imprint = ImprintText::read(line);
            assert!(imprint.emails.is_empty() && imprint.vat_ids.is_empty(), "{line}");
        }
        for (line, expected) in [
            ("99991 Hohenwerth", true),
            ("CH-8092 Zürich", true),
            ("2026 jahre", false),
            ("© 2026 Universität Hohenwerth", false),
            ("12345", false),
        ] {
            assert_eq!(has_postcode(line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "(?s).{0,300}") {
            let imprint = ImprintText::read(&text);
            let _ = imprint.party(|_| 0.5, 0.4, |_| true);
        }
    }
}
