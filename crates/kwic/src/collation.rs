//! In which order words stand: as in a German dictionary (DIN 5007, variant 1).
//!
//! First letters without accents decide (`ä` beside `a`, `ß` as `ss`), with hyphens and apostrophes
//! ignored and digits before letters; among equals the accents, then case, lower case first. When
//! lines are sorted by several words, the letters of all words come before any accents and case:
//! otherwise `Der` and `der` would part lines that belong together.
//!
//! Letters of other scripts stand in the order of their code points.

use auslese_words::fold;

/// Letters of one word that decide; words that agree in so many are sorted by what follows them.
const MAX_SORTED_LETTERS: usize = 100;

/// A value whose order is the order of these words.
pub(crate) fn collation_key<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let (mut letters, mut accents, mut cases) = (String::new(), String::new(), String::new());
    for word in words {
        let word: String = word.chars().take(MAX_SORTED_LETTERS).collect();
        letters.push_str(&base_letters(&word));
        letters.push('\0');
        accents.push_str(&word.to_lowercase());
        accents.push('\0');
        cases.extend(word.chars().map(|letter| if letter.is_uppercase() { '2' } else { '1' }));
        cases.push('\0');
    }
    letters + &accents + &cases
}

fn base_letters(word: &str) -> String {
    if word.is_ascii() {
        let letters = word.bytes().filter(u8::is_ascii_alphanumeric);
        return letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    let plain: String = word
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|letter| letter.is_alphanumeric())
        .map(|letter| match letter {
            'ä' | 'ǟ' => 'a',
            'ö' | 'ȫ' | 'ø' => 'o',
            'ü' | 'ǖ' | 'ǘ' | 'ǚ' | 'ǜ' => 'u',
            other => other,
        })
        .collect();
    fold(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn german_words_in_order() {
        #[rustfmt::skip]
        let ordered = [
            "", "3", "Aal", "ab", "Ähre", "a\u{308}hrig", "Äpfel", "E-Mail", "Email", "Göbel", "Goethe", "Götz",
            "Maß", "Masse", "massiv", "Muller", "Müller", "Mulm", "schon", "schön", "Schön",
            "Zürich", "Ελλάδα", "Москва",
        ];
        let mut sorted = ordered;
        sorted.reverse();
        sorted.sort_by_key(|word| collation_key([*word]));
        assert_eq!(sorted, ordered);
    }

    #[test]
    fn case_does_not_part_lines() {
        let mut lines = [["Der", "Zaun"], ["der", "Baum"], ["Der", "Ast"], ["der", "Zaun"]];
        lines.sort_by_key(|line| collation_key(*line));
        assert_eq!(lines, [["Der", "Ast"], ["der", "Baum"], ["der", "Zaun"], ["Der", "Zaun"]]);
    }
}
