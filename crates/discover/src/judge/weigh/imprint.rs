//! The imprint: whom the site itself names as responsible.
//!
//! Anybody can write a university's name into an imprint, so the name alone does not count: the
//! page must also lead back to the organisation, by a link or a mail address. Name, postcode and
//! mail address together are what an imprint of the organisation itself looks like; so are its name
//! and its VAT number, which only one body has.

use super::{NOTHING_TO_COMPARE, Scales, evidence, in_words};
use crate::judge::compare::{closest_name, names_of, own_addresses, own_mail_domain};
use crate::judge::facts::Imprint;
use crate::judge::score::reaches;
use auslese_model::{Evidence, Indicator};
use std::collections::BTreeSet;

pub(super) fn imprint(scales: &Scales<'_>) -> Option<Evidence> {
    let fact = &scales.observed.imprint;
    let Some(told) = fact.answer() else {
        return scales.unanswerable(Indicator::Imprint, fact);
    };
    let Some(imprint) = &told.value else {
        return Some(evidence(Indicator::Imprint, told, "none found", NOTHING_TO_COMPARE, 0.0));
    };
    let seen = match names_of(&imprint.party).next() {
        Some(name) => name.to_owned(),
        None => "names nobody".to_owned(),
    };
    let (strength, compared) = Signs::of(scales, imprint).verdict(scales);
    Some(evidence(Indicator::Imprint, told, seen, compared, strength))
}

/// What in an imprint is the organisation's.
struct Signs {
    body: Option<String>,
    postcode: bool,
    email: bool,
    vat_id: bool,
    link: bool,
}

impl Signs {
    fn of(scales: &Scales<'_>, imprint: &Imprint) -> Signs {
        let (profile, party) = (scales.profile, &imprint.party);
        let names = names_of(party).filter_map(|name| closest_name(profile, name));
        let same = names.filter(|(_, found)| reaches(*found, scales.settings.similarity));
        let here = postcodes(&party.address);
        Signs {
            body: same.map(|(own, _)| own.to_owned()).next(),
            postcode: own_addresses(profile).any(|lines| !postcodes(lines).is_disjoint(&here)),
            email: party.email.as_deref().is_some_and(|e| own_mail_domain(profile, e).is_some()),
            vat_id: imprint.vat_ids.iter().any(|number| profile.vat_ids.contains(number)),
            link: imprint.links_to.iter().any(|host| scales.ours(host).is_some()),
        }
    }

    fn verdict(&self, scales: &Scales<'_>) -> (f64, String) {
        let weights = &scales.settings.weights;
        let Some(body) = &self.body else {
            return (0.0, "does not name the organisation".to_owned());
        };
        let signs = [
            (self.postcode, "postcode"),
            (self.email, "mail domain"),
            (self.vat_id, "VAT number"),
            (self.link, "a link back"),
        ];
        let shared = signs.into_iter().filter_map(|(has, what)| has.then_some(what));
        let with = |strength| (strength, format!("{body}, with {}", in_words(shared)));
        match (self.postcode && self.email || self.vat_id, self.email || self.link) {
            (true, _) => with(weights.full_imprint),
            (false, true) => with(weights.imprint),
            (false, false) => {
                (0.0, format!("{body}, but neither mail address nor link leads back to it"))
            }
        }
    }
}

/// Postcodes in the lines of an address: numbers of four to six digits, with or without the sign
/// of a country (`D-35390`), and the British form in two parts. Lines with telephone numbers are
/// left out, because an area code looks like a postcode.
fn postcodes(lines: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in lines {
        let line = line.to_uppercase();
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if words.iter().any(|word| TELEPHONE.contains(word)) {
            continue;
        }
        let numbers = words.iter().filter(|word| {
            (4..=6).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
        });
        found.extend(numbers.map(|word| (*word).to_owned()));
        let pairs = words.windows(2).filter(|pair| is_british(pair[0], pair[1]));
        found.extend(pairs.map(|pair| format!("{} {}", pair[0], pair[1])));
    }
    found
}

const TELEPHONE: [&str; 6] = ["TEL", "TELEFON", "TELEPHONE", "PHONE", "FAX", "TELEFAX"];

/// `OX1 2JD`, `SW1A 1AA`.
fn is_british(outward: &str, inward: &str) -> bool {
    let outward_fits = (2..=4).contains(&outward.len())
        && outward.starts_with(|c: char| c.is_ascii_uppercase())
        && outward.bytes().any(|byte| byte.is_ascii_digit());
    let inward_fits = matches!(inward.as_bytes(), [b'0'..=b'9', b'A'..=b'Z', b'A'..=b'Z']);
    outward_fits && inward_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postcodes_in_addresses() {
        #[rustfmt::skip]
        let cases: &[(&[&str], &[&str])] = &[
            (&["Ludwigstr. 23", "35390 Gießen"],        &["35390"]),
            (&["Ludwigstr. 23, D-35390 Gießen"],        &["35390"]),
            (&["Universitätsring 1", "A-1010 Wien"],    &["1010"]),
            (&["Wellington Square, Oxford OX1 2JD"],    &["OX1 2JD"]),
            (&["12 Rue X", "75005 Paris", "France"],    &["75005"]),
            (&["Tel. 0641 99-0"],                       &[]),
            (&["Schloß 1"],                             &[]),
            (&[],                                       &[]),
        ];
        for (lines, expected) in cases {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            let found: Vec<String> = postcodes(&lines).into_iter().collect();
            assert_eq!(found, *expected, "{lines:?}");
        }
    }
}
