//! The parts of a web title, and which of them are the site's name.
//!
//! Titles of web pages are titles plus signs of where one is: "Ergebnis der Wahl | Politik |
//! Stadtanzeiger". The signs stand at the ends, set off by a separator with spaces around it. Only
//! what resembles a known name of the site is taken for one; a section name stays, because nothing
//! but the site's other pages could tell it from a title.

use super::similarity::{comparable, similarity_of_folded};
use crate::lazy_regex::LazyRegex;
use std::ops::Range;

/// A title taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitleParts {
    pub parts: Vec<TitlePart>,
    /// The stretch of parts that are no site name, with the separators between them; the whole
    /// title if it is nothing but the site's name.
    pub without_site: String,
}

/// One part between separators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitlePart {
    pub text: String,
    /// Where it stands in the title, in bytes.
    pub span: Range<usize>,
    /// The known name of the site that it resembles.
    pub site: Option<String>,
}

/// Bytes of a title that are taken apart.
const MAX_TITLE: usize = 2_000;

/// Characters of a site's name; longer ones are sentences.
const MAX_SITE_NAME: usize = 80;

/// From this similarity on, two spellings are the same name.
const SAME_NAME: f64 = 0.85;

/// Words that a part may have beside the site's name and still be one: "SZ – das Nachrichtenportal".
const MAX_WORDS_BESIDE: usize = 2;

/// Bars and guillemets separate also without spaces, dashes only with. Colons and slashes belong to
/// titles more often than they separate; see [`split_off_name`].
static SEPARATOR: LazyRegex =
    LazyRegex::fixed(r"\s*(?:[|│¦ǀ»›•●]+|::+|\s(?:[-–—·~<>«‹⋆*]|--+|&gt;|->|=>)\s)\s*");

static WEAK_SEPARATOR: LazyRegex = LazyRegex::fixed(r"\s?:\s|\s/\s");

/// Splits a title; `site_names` are names and hosts of the site, as far as known.
///
/// ```
/// use auslese_describe::title_parts;
/// let parts = title_parts("Das Ergebnis – Politik | Süddeutsche Zeitung", &["sueddeutsche-zeitung.de"]);
/// assert_eq!(parts.without_site, "Das Ergebnis – Politik");
/// assert_eq!(parts.parts.len(), 3);
/// ```
pub fn title_parts(title: &str, site_names: &[&str]) -> TitleParts {
    SiteNames::of(site_names).title_parts(title)
}

/// The names of a site, in forms that can be compared with parts of any number of titles.
#[derive(Debug, Default)]
pub(crate) struct SiteNames {
    /// Each with its words, folded, and its spellings.
    names: Vec<(String, Vec<SiteName>)>,
}

impl SiteNames {
    pub(crate) fn of(names: &[&str]) -> SiteNames {
        let short = names.iter().filter(|name| name.chars().count() <= MAX_SITE_NAME);
        SiteNames {
            names: short.map(|name| (comparable(name), SiteName::spellings(name))).collect(),
        }
    }

    pub(crate) fn title_parts(&self, title: &str) -> TitleParts {
        let title = &title[..title.floor_char_boundary(MAX_TITLE)];
        let words = comparable(title);
        // Some pages declare their own title as the site's name.
        let usable = self.names.iter().filter(|(name, _)| *name != words);
        let names: Vec<&SiteName> = usable.flat_map(|(_, spellings)| spellings).collect();
        let mut spans = split(title);
        split_off_name(title, &mut spans, &names);
        let mut parts: Vec<TitlePart> =
            spans.into_iter().map(|span| part(title, span, &names)).collect();
        keep_first_beside_last(&mut parts);
        TitleParts { without_site: without_site(title, &parts), parts }
    }
}

fn part(title: &str, span: Range<usize>, names: &[&SiteName]) -> TitlePart {
    let text = title[span.clone()].to_owned();
    let words = Words::of(&text);
    // What a title begins with may well contain the site's name: "15 years of example.org".
    let is_meant =
        |name: &&&SiteName| name.is_meant_by(&words) || (span.start > 0 && name.is_most_of(&words));
    let site = names.iter().find(is_meant).map(|name| name.name.clone());
    TitlePart { text, span, site }
}

/// "Gitarre & Bass 02/2022 | Gitarre & Bass": of two parts that resemble the site's name, the last
/// is it, unless the first is the same.
fn keep_first_beside_last(parts: &mut [TitlePart]) {
    if let [first, .., last] = parts
        && last.site.is_some()
        && comparable(&first.text) != comparable(&last.text)
    {
        first.site = None;
    }
}

fn split(title: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut begin = 0;
    for separator in SEPARATOR.find_iter(title) {
        spans.push(begin..separator.start());
        begin = separator.end();
    }
    spans.push(begin..title.len());
    spans.into_iter().map(|span| trimmed(title, span)).filter(|span| !span.is_empty()).collect()
}

fn trimmed(title: &str, span: Range<usize>) -> Range<usize> {
    let text = &title[span.clone()];
    let start = span.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// "Stadtanzeiger: Das Ergebnis", "Das Ergebnis / Stadtanzeiger": a colon or slash separates only
/// if what it sets off at the end is the site's name.
fn split_off_name(title: &str, spans: &mut Vec<Range<usize>>, names: &[&SiteName]) {
    let is_site = |span: &Range<usize>| {
        let words = Words::of(&title[span.clone()]);
        !words.spaced.is_empty() && names.iter().any(|name| name.is_meant_by(&words))
    };
    let halves = |span: &Range<usize>, sign: std::ops::Range<usize>| {
        let before = trimmed(title, span.start..span.start + sign.start);
        (before, trimmed(title, span.start + sign.end..span.end))
    };
    if let Some(first) = spans.first().cloned()
        && let Some(sign) = WEAK_SEPARATOR.find_iter(&title[first.clone()]).next()
    {
        let (before, after) = halves(&first, sign.range());
        if is_site(&before) && !after.is_empty() {
            spans.splice(0..1, [before, after]);
        }
    }
    if let Some(last) = spans.last().cloned()
        && let Some(sign) = WEAK_SEPARATOR.find_iter(&title[last.clone()]).last()
    {
        let (before, after) = halves(&last, sign.range());
        if is_site(&after) && !before.is_empty() {
            spans.splice(spans.len() - 1.., [before, after]);
        }
    }
}

/// The first stretch of parts without the site's name, unless a later one is far longer. What stands
/// on the far side of the name is a slogan or a section, mostly.
fn without_site(title: &str, parts: &[TitlePart]) -> String {
    let stretches = parts.split(|part| part.site.is_some());
    let spans = stretches.filter_map(|own| Some(own.first()?.span.start..own.last()?.span.end));
    let best = spans.reduce(|best, span| if span.len() > 3 * best.len() { span } else { best });
    best.map_or_else(|| title.trim().to_owned(), |span| title[span].to_owned())
}

/// The words of a text, folded.
#[derive(Debug)]
struct Words {
    /// With a space between them.
    spaced: String,
    /// Without spaces, as in a host name.
    run: String,
}

impl Words {
    fn of(text: &str) -> Words {
        let spaced = comparable(text);
        Words { run: spaced.split(' ').collect(), spaced }
    }
}

/// A name of the site in a form that can be compared.
#[derive(Debug)]
struct SiteName {
    /// As it was given.
    name: String,
    words: Words,
}

impl SiteName {
    fn of(name: &str, spelling: &str) -> SiteName {
        SiteName { name: name.to_owned(), words: Words::of(spelling) }
    }

    /// A host also goes by its name without `www` and by its label: `spiegel` for `www.spiegel.de`.
    fn spellings(name: &str) -> Vec<SiteName> {
        let trimmed = name.trim().trim_start_matches('@');
        let mut spellings = vec![SiteName::of(name, trimmed)];
        let is_host = trimmed.contains('.') && !trimmed.contains(char::is_whitespace);
        if is_host {
            let host = trimmed.strip_prefix("www.").unwrap_or(trimmed);
            spellings.push(SiteName::of(name, host));
            spellings.extend(label(host).map(|label| SiteName::of(name, label)));
        }
        if SEPARATOR.is_match(trimmed) {
            spellings.extend(SEPARATOR.split(trimmed).map(|part| SiteName::of(name, part)));
        }
        spellings.retain(|spelling| !spelling.words.run.is_empty());
        spellings
    }

    /// Whether the words of a part are this name.
    fn is_meant_by(&self, part: &Words) -> bool {
        !part.run.is_empty()
            && (part.run == self.words.run
                || self.shares_beginning(&part.run)
                || self.resembles(&part.spaced)
                || self.is_short_for(part))
    }

    /// Nothing resembles what is so much longer.
    fn resembles(&self, words: &str) -> bool {
        let (own, other) = (self.words.spaced.chars().count(), words.chars().count());
        let (least, most) = (own.min(other) as f64, own.max(other) as f64);
        (1.0 + least / most) / 2.0 >= SAME_NAME
            && similarity_of_folded(words, &self.words.spaced) >= SAME_NAME
    }

    /// One begins with the other and is not twice as long: "Spiegel.de", "Spiegel Online".
    fn shares_beginning(&self, run: &str) -> bool {
        let own = self.words.run.as_str();
        let (shorter, longer) = if run.len() < own.len() { (run, own) } else { (own, run) };
        longer.starts_with(shorter)
            && longer.len() < 2 * shorter.len()
            && shorter.chars().count() > 3
    }

    /// The part is the name and little else. Short names are too common for that.
    fn is_most_of(&self, part: &Words) -> bool {
        let (own, words) = (self.words.spaced.as_str(), part.spaced.as_str());
        let begins = words.strip_prefix(own).is_some_and(|rest| rest.starts_with(' '));
        let ends = words.strip_suffix(own).is_some_and(|rest| rest.ends_with(' '));
        let count = |text: &str| text.split(' ').count();
        (begins || ends)
            && self.words.run.chars().count() >= 5
            && count(words).saturating_sub(count(own)) <= MAX_WORDS_BESIDE
    }

    /// The name's initials, or the host is the part's: "TUM" for "Technische Universität München".
    fn is_short_for(&self, part: &Words) -> bool {
        let are_initials = |run: &str, words: &str| {
            run.chars().eq(words.split(' ').filter_map(|word| word.chars().next()))
        };
        let (run, own) = (&part.run, &self.words.run);
        let is_one_word = !part.spaced.contains(' ');
        (run.len() >= 2 && is_one_word && are_initials(run, &self.words.spaced))
            || (own.len() >= 3 && !is_one_word && are_initials(own, &part.spaced))
    }
}

/// The label before the top-level domain, or before `co.uk` and the like.
fn label(host: &str) -> Option<&str> {
    let labels: Vec<&str> = host.rsplit('.').collect();
    let second_level =
        |label: &str| matches!(label, "co" | "ac" | "com" | "org" | "gov" | "edu" | "gv" | "or");
    match labels.as_slice() {
        [_, second, third, ..] if second_level(second) => Some(third),
        [_, second, ..] => Some(second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles() {
        #[rustfmt::skip]
        let cases = [
            // title                                     known names                     without the site
            ("Das Ergebnis | Stadtanzeiger",             "Stadtanzeiger",                "Das Ergebnis"),
            ("Das Ergebnis - Stadtanzeiger",             "www.stadt-anzeiger.de",        "Das Ergebnis"),
            ("Stadtanzeiger: Das Ergebnis",              "Stadtanzeiger",                "Das Ergebnis"),
            ("Algebra: eine Einführung",                 "Uni Ulm",                      "Algebra: eine Einführung"),
            ("Stadtanzeiger » Politik » Das Ergebnis",   "stadtanzeiger.de",             "Politik » Das Ergebnis"),
            ("Das Ergebnis – Universität München",       "uni-muenchen.de",              "Das Ergebnis – Universität München"),
            ("Das Ergebnis – Universität München",       "universitaet-muenchen.de",     "Das Ergebnis"),
            ("Forschung — TUM",                          "Technische Universität München", "Forschung"),
            ("Forschung | Technische Universität München", "www.tum.de",                 "Forschung"),
            ("Rezept-Ideen für Ostern",                  "Rezept",                       "Rezept-Ideen für Ostern"),
            ("Spiegel.de | Wahl",                        "DER SPIEGEL",                  "Spiegel.de | Wahl"),
            ("Wahl | SPIEGEL.de",                        "www.spiegel.de",               "Wahl"),
            ("Startseite|Gymnasium Süd",                 "Gymnasium Süd",                "Startseite"),
            ("Nur die Seite",                            "Nur die Seite",                "Nur die Seite"),
            ("A/B-Tests im Überblick",                   "b.de",                         "A/B-Tests im Überblick"),
            ("Kurs :: Moodle Ulm",                       "Moodle Ulm",                   "Kurs"),
            ("Wahl : Spiegel",                           "spiegel.de",                   "Wahl"),
            ("Wahl: Spiegel",                            "spiegel.de",                   "Wahl"),
            ("Politik / Wahl / Spiegel",                 "spiegel.de",                   "Politik / Wahl"),
            ("Algebra / Analysis",                       "uni-ulm.de",                   "Algebra / Analysis"),
            ("Das Ergebnis — GAY.CH · Alles bleibt!",    "GAY.CH · Alles bleibt!",       "Das Ergebnis"),
            ("Das Ergebnis | Anzeiger | Bestes aus Ulm", "anzeiger.de",                  "Das Ergebnis"),
            ("15 Jahre a-b.example — a-b.example",       "a-b.example",                  "15 Jahre a-b.example"),
            ("Gitarre & Bass 02/2022 | GITARRE & BASS",  "Gitarre & Bass",               "Gitarre & Bass 02/2022"),
            ("Die Wahl | London Evening Standard",       "www.standard.co.uk",           "Die Wahl"),
            ("Die Wahl | MLUK",                          "Die Wahl | MLUK",              "Die Wahl | MLUK"),
            ("Guardian | News | The Guardian",           "The Guardian",                 "Guardian | News"),
            ("Wikipedia – Die freie Enzyklopädie",       "Wikipedia",                    "Die freie Enzyklopädie"),
            ("Article title - Example News Online",      "Example News",                 "Article title"),
            ("",                                         "x.de",                         ""),
            (" | ",                                      "x.de",                         "|"),
        ];
        for (title, site, expected) in cases {
            assert_eq!(title_parts(title, &[site]).without_site, expected, "{title} ({site})");
        }
    }

    proptest! {
        #[test]
        fn parts_stand_in_the_title(title in "[a-c |:–»/.-]{0,40}|\\PC{0,60}", site in "\\PC{0,12}") {
            let taken = title_parts(&title, &[&site]);
            let mut last = 0;
            for part in &taken.parts {
                prop_assert!(part.span.start >= last);
                prop_assert_eq!(&title[part.span.clone()], &part.text);
                last = part.span.end;
            }
        }
    }
}
