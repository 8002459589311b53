//! Whether a text that was read from a page looks like language.
//!
//! A font without a usable encoding gives letters in the wrong places, a file without blanks gives
//! words without ends, and both look like a success to the reader. So the text itself is asked, by
//! what holds for all languages in Latin letters: most of it is letters, words have vowels and a
//! usual length, and the common letters are common. Words in other scripts are believed.
//! Rules may lower their weights by the answer, and a reader may try another way.

/// Characters of a text that are looked at; a few pages tell as much as a book.
const MAX_LOOKED_AT: usize = 50_000;

/// Below this a text is better read in another way.
pub const PLAUSIBLE: f64 = 0.5;

/// How often the letters from a to z occur, in thousandths: the mean of German, English, French and
/// Italian, which differ less from each other than from any text that was read wrongly.
#[rustfmt::skip]
const USUAL: [f64; 26] = [
    75.0, 17.0, 32.0, 43.0, 150.0, 18.0, 22.0, 38.0, 78.0, 2.0, 9.0, 42.0, 28.0,
    85.0, 55.0, 21.0, 3.0, 70.0, 70.0, 75.0, 40.0, 14.0, 14.0, 3.0, 10.0, 7.0,
];

/// From 0 (a riddle, or nothing at all) to 1 (language).
pub fn plausibility(text: &str) -> f64 {
    let seen = Seen::of(text);
    if seen.characters == 0 || seen.words == 0 {
        return 0.0;
    }
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let mean_length = share(seen.letters, seen.words);
    // Each sign is 0 at what was seen in riddles and 1 at what was seen in tables and formulas,
    // which are the least wordy pages that were read rightly.
    [
        within(share(seen.letters + seen.digits / 2, seen.characters), 0.35, 0.65),
        within(share(seen.letters_of_words, seen.letters), 0.40, 0.80),
        within(seen.likeness(), 0.60, 0.85),
        1.0 - within(mean_length, 11.0, 25.0),
        1.0 - within(share(seen.unreadable, seen.characters), 0.02, 0.15),
    ]
    .into_iter()
    .product()
}

#[derive(Debug, Default)]
struct Seen {
    characters: usize,
    letters: usize,
    /// Of each letter from a to z.
    counts: [u32; 26],
    digits: usize,
    unreadable: usize,
    words: usize,
    /// Letters of words that could be words.
    letters_of_words: usize,
}

impl Seen {
    fn of(text: &str) -> Seen {
        let mut seen = Seen::default();
        let end = text.char_indices().nth(MAX_LOOKED_AT).map_or(text.len(), |(at, _)| at);
        for character in text[..end].chars().filter(|c| !c.is_whitespace()) {
            seen.characters += 1;
            if character.is_alphabetic() {
                seen.letters += 1;
                let place = character.to_ascii_lowercase() as u32;
                let place = place.checked_sub(u32::from(b'a')).map(|place| place as usize);
                if let Some(count) = place.and_then(|place| seen.counts.get_mut(place)) {
                    *count += 1;
                }
            } else if character.is_numeric() {
                seen.digits += 1;
            } else if is_unreadable(character) {
                seen.unreadable += 1;
            }
        }
        for word in text[..end].split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
        {
            seen.words += 1;
            if could_be_a_word(word) {
                seen.letters_of_words += word.chars().count();
            }
        }
        seen
    }
}

impl Seen {
    /// The cosine between the frequencies of the letters and the usual ones; 1 without letters.
    fn likeness(&self) -> f64 {
        let counts = self.counts.map(f64::from);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let length = (product(&counts, &counts) * product(&USUAL, &USUAL)).sqrt();
        if length > 0.0 { product(&counts, &USUAL) / length } else { 1.0 }
    }
}

fn could_be_a_word(word: &str) -> bool {
    if !word.chars().all(is_latin) {
        return word.chars().count() <= 30;
    }
    let length = word.chars().count();
    let upper = word.chars().filter(|c| c.is_uppercase()).count();
    let begins_upper = word.starts_with(char::is_uppercase);
    // As in `wort`, `Wort`, `WORT`, and names such as `McKay`.
    let cased = upper <= usize::from(begins_upper) + 1 || upper == length;
    if length < 3 || upper == length && length <= 5 {
        return cased;
    }
    let (mut run, mut longest, mut vowels) = (0_usize, 0, 0_usize);
    for character in word.chars() {
        if is_vowel(character) {
            vowels += 1;
            run = 0;
        } else {
            run += 1;
            longest = longest.max(run);
        }
    }
    cased && length <= 40 && vowels > 0 && longest <= 6
}

/// Letters with accents count as vowels, since most are.
fn is_vowel(character: char) -> bool {
    let lower = character.to_lowercase().next().unwrap_or(character);
    matches!(lower, 'a' | 'e' | 'i' | 'o' | 'u' | 'y') || !lower.is_ascii() && lower != 'ß'
}

fn is_latin(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '\u{c0}'..='\u{24f}')
}

fn is_unreadable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'.. | '\u{2500}'..='\u{25ff}')
}

/// 0 up to `low`, 1 from `high`, and evenly between.
fn within(value: f64, low: f64, high: f64) -> f64 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn language_and_riddles() {
        #[rustfmt::skip]
        let cases = [
            ("Die Bürgergesellschaft ist ein Begriff, der in den Programmen der Parteien vorkommt.", true),
            ("We prove that every bounded operator on a Hilbert space with rank 1 has norm 2.", true),
            ("ÜBER DIE GRÖSSE VON ABSTÄNDEN. Von A. Eins, Universität Osnabrück, 12. März 2004", true),
            ("Теория вероятностей и её применения в математической статистике", true),
            // Every letter replaced by the third after it.
            ("Glh Eüujhujhvhoovfkdiw lvw hlq Ehjulii, ghu lq ghq Surjudpphq ghu Sduwhlhq yrunrppw.", false),
            // No blanks.
            ("vomWelterbeKomiteederUNESCOEbenedieintensivenBemühungenderstadtfürderenwirtschaftlicheStabilität", false),
            ("(%&$ 0\u{1}/ \u{f020}\u{f021}\u{f022} ))## 8§ ;;", false),
            ("", false),
        ];
        for (text, plausible) in cases {
            let found = plausibility(text);
            assert_eq!(found >= PLAUSIBLE, plausible, "{found:.2} {text}");
        }
    }

    proptest! {
        #[test]
        fn stays_a_share(text in any::<String>()) {
            prop_assert!((0.0..=1.0).contains(&plausibility(&text)));
        }
    }
}
