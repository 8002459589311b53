//! How alike two names of persons are: order, initials, and spelling.
//!
//! `Meier, Hans`, `Hans Meier` and `H. Meier` may be one person, `Maier` may be a spelling of `Meier`. The degree is the
//! likeness of the family names, lowered where given names are missing, only initials, or others.

use auslese_words::{resemblance, tokens};

/// Names less alike than this are other names.
pub(crate) const MIN_LIKENESS: f64 = 0.65;

/// From 0 to 1, for folded names.
pub(crate) fn likeness(asked: &str, found: &str) -> f64 {
    readings(asked)
        .iter()
        .flat_map(|asked| readings(found).into_iter().map(move |found| asked.likeness(&found)))
        .fold(0.0, f64::max)
}

struct Name<'n> {
    family: Vec<&'n str>,
    given: Vec<&'n str>,
}

/// A comma says which is the family name; without one it is the last word, or, for names such as `van der Berg`, the
/// last words.
fn readings(name: &str) -> Vec<Name<'_>> {
    if let Some((family, given)) = name.split_once(',') {
        return vec![Name { family: tokens(family).collect(), given: tokens(given).collect() }];
    }
    let words: Vec<&str> = tokens(name).collect();
    let Some(last) = words.len().checked_sub(1) else { return Vec::new() };
    let particles = words[..last].iter().rev().take_while(|word| PARTICLES.contains(word)).count();
    let start = last - particles;
    vec![
        Name { family: words[start..].to_vec(), given: words[..start].to_vec() },
        Name { family: words[last..].to_vec(), given: words[..start].to_vec() },
    ]
}

const PARTICLES: [&str; 12] =
    ["von", "van", "der", "den", "de", "di", "da", "la", "le", "zu", "zur", "ter"];

impl Name<'_> {
    fn likeness(&self, other: &Name<'_>) -> f64 {
        let family = spelling(&self.family.join(" "), &other.family.join(" "));
        let given = match (&self.given[..], &other.given[..]) {
            // Nobody asked for them.
            ([], _) => 1.0,
            (_, []) => 0.8,
            (asked, found) => given_likeness(asked, found),
        };
        family * given
    }
}

/// Short names differ by one letter from too many others.
fn spelling(asked: &str, found: &str) -> f64 {
    if asked == found {
        return 1.0;
    }
    if same_sound(asked, found) {
        return 0.95;
    }
    let shortest = asked.chars().count().min(found.chars().count());
    if shortest < 4 { 0.0 } else { resemblance(asked, found) }
}

/// Spellings of German names that sound the same: Meier, Maier, Mayer, Meyer; Schmidt, Schmitt, Schmid.
fn same_sound(one: &str, other: &str) -> bool {
    sound(one) == sound(other)
}

fn sound(name: &str) -> String {
    let mut sound = name
        .replace("ai", "ei")
        .replace("ay", "ei")
        .replace("ey", "ei")
        .replace("tz", "z")
        .replace("dt", "t")
        .replace("th", "t")
        .replace("ph", "f")
        .replace("ck", "k")
        .replace('y', "i");
    if sound.ends_with('d') {
        sound.pop();
        sound.push('t');
    }
    let mut letters: Vec<char> = sound.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

fn given_likeness(asked: &[&str], found: &[&str]) -> f64 {
    let pairs = asked.iter().zip(found);
    pairs.map(|(asked, found)| one_given(asked, found)).fold(1.0, f64::min)
}

fn one_given(asked: &str, found: &str) -> f64 {
    let initial = |name: &str| name.chars().next();
    let is_initial = |name: &str| name.chars().count() == 1;
    if asked == found {
        1.0
    } else if is_initial(asked) || is_initial(found) {
        if initial(asked) == initial(found) { 0.9 } else { 0.2 }
    } else {
        let alike = resemblance(asked, found);
        if alike >= 0.7 { alike } else { 0.3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        #[rustfmt::skip]
        let cases = [
            // asked           found                at least  at most
            ("meier",          "meier",              1.0,      1.0),
            ("meier",          "meier, hans",        1.0,      1.0),
            ("meier, hans",    "hans meier",         1.0,      1.0),
            ("meier, hans",    "h. meier",           0.85,     0.95),
            ("h. meier",       "meier, hans",        0.85,     0.95),
            ("meier",          "maier",              0.9,      0.99),
            ("meier",          "mayer, karl",        0.9,      0.99),
            ("schmidt",        "schmitt",            0.9,      0.99),
            ("hans meier",     "meier",              0.75,     0.85),
            ("hans meier",     "meier, peter",       0.0,      0.4),
            ("hans meier",     "p. meier",           0.0,      0.4),
            ("schroeder",      "schroder",           0.85,     0.95),
            ("ludwig van beethoven", "van beethoven, ludwig", 1.0, 1.0),
            ("beethoven",      "ludwig van beethoven", 1.0,    1.0),
            ("lee",            "lea",                0.0,      0.1),
            ("meier",          "schulze",            0.0,      0.5),
            ("",               "meier",              0.0,      0.0),
        ];
        for (asked, found, least, most) in cases {
            let degree = likeness(asked, found);
            assert!((least..=most).contains(&degree), "{asked} {found}: {degree}");
        }
    }
}
