//! Names of people, out of bylines, author fields and author lists.
//!
//! A byline is taken apart: what is no name (mail addresses, dates, "Von", titles, roles) is
//! removed, the rest is split where lists are split, and each piece must then look like a name.
//! Looking like one is a matter of shape, since no list knows all names: two to five words,
//! capitals except for particles, no digits, no word that institutions or editors are called by.
//!
//! "Meier, Eva" is one name and is turned round; "Eva Meier, Karl Huber" are two.

mod byline;
mod shape;

use auslese_words::fold;

pub use shape::is_person_name;

/// Characters of a byline that are looked at; longer texts are no bylines, long author lists are.
const MAX_BYLINE: usize = 8_000;

/// Names taken out of one text.
const MAX_NAMES: usize = 200;

/// The people a text names; each has at least two words.
pub fn names(text: &str) -> Vec<String> {
    people(text, shape::Shape::Full)
}

/// The same where a name is certain to stand, as in structured data: one word is enough.
pub fn names_or_nicknames(text: &str) -> Vec<String> {
    people(text, shape::Shape::Short)
}

fn people(text: &str, least: shape::Shape) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(MAX_BYLINE)];
    let mut names: Vec<String> = Vec::new();
    let mut known = rustc_hash::FxHashSet::default();
    for name in byline::pieces(text, least) {
        if names.len() < MAX_NAMES && known.insert(fold(&name)) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests;
