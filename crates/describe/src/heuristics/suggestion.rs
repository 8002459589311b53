//! Guesses what someone meant who wrote a word nobody knows.

use auslese_words::resemblance;

/// How alike two words must be for one to be a slip of the other.
const ALIKE: f64 = 0.6;

/// `, did you mean …?`, or nothing if no known word is near.
pub(crate) fn did_you_mean<S: AsRef<str>>(word: &str, known: &[S]) -> String {
    let lower = word.to_lowercase();
    let nearest = known
        .iter()
        .map(|known| (nearness(&lower, &known.as_ref().to_lowercase()), known.as_ref()))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    nearest.map_or_else(String::new, |(_, known)| format!(" (did you mean `{known}`?)"))
}

/// Letters in another order are the likeliest slip, but two letters apart for [`resemblance`].
fn nearness(word: &str, known: &str) -> f64 {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    if letters(word) == letters(known) { 1.0 } else { resemblance(word, known) }
}
