//! Keywords written as a list.

use auslese_words::fold;
use rustc_hash::FxHashSet;

/// Characters of a keyword; longer ones are sentences.
const MAX_KEYWORD: usize = 60;

/// Words of a keyword.
const MAX_KEYWORD_WORDS: usize = 6;

/// Keywords taken from one list. Long before this a list was written for search engines.
const MAX_KEYWORDS: usize = 200;

/// Splits at commas, semicolons, bars, middle dots, bullets and line ends, but not at slashes,
/// which belong to keywords ("TCP/IP"). Repetitions and what is too long for a keyword are dropped.
///
/// ```
/// use auslese_describe::keyword_list;
/// assert_eq!(keyword_list("Lineare Algebra; #Matrizen, matrizen | TCP/IP"),
///     ["Lineare Algebra", "Matrizen", "TCP/IP"]);
/// ```
pub fn keyword_list(text: &str) -> Vec<String> {
    let mut known = FxHashSet::default();
    text.split([',', ';', '|', '·', '•', '\n', '\r', '\t', '，', '、', '；', '،'])
        .flat_map(hash_tags)
        .map(bare)
        .filter(|keyword| is_keyword(keyword))
        .filter(|keyword| known.insert(fold(keyword)))
        .take(MAX_KEYWORDS)
        .collect()
}

/// `#eins #zwei` are two keywords, although nothing but space separates them.
fn hash_tags(part: &str) -> Vec<&str> {
    let tagged = part.split_whitespace().all(|word| word.starts_with('#'));
    if tagged { part.split_whitespace().collect() } else { vec![part] }
}

/// Without hash signs, quotation marks and final full stops; white space normalised.
fn bare(part: &str) -> String {
    let quotes = |letter: char| {
        letter.is_whitespace()
            || matches!(
                letter,
                '#' | '"'
                    | '\''
                    | '“'
                    | '”'
                    | '„'
                    | '‚'
                    | '‘'
                    | '’'
                    | '«'
                    | '»'
                    | '*'
                    | '-'
                    | '–'
            )
    };
    let part = part.trim_matches(quotes);
    let abbreviated =
        part.split_whitespace().last().is_some_and(|word| word.matches('.').count() > 1);
    let part = if abbreviated { part } else { part.trim_end_matches('.') };
    part.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_keyword(keyword: &str) -> bool {
    keyword.chars().any(char::is_alphanumeric)
        && keyword.chars().nth(MAX_KEYWORD).is_none()
        && keyword.split(' ').count() <= MAX_KEYWORD_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lists() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 14] = [
            ("",                                  &[]),
            (" , ;; | ",                          &[]),
            ("Algebra",                           &["Algebra"]),
            ("Algebra, Analysis",                 &["Algebra", "Analysis"]),
            ("a;b,c|d·e\nf • g",                  &["a", "b", "c", "d", "e", "f", "g"]),
            ("TCP/IP, Client/Server",             &["TCP/IP", "Client/Server"]),
            ("Köln, koeln, KÖLN, Bonn",           &["Köln", "Bonn"]),
            ("#eins #zwei, #drei",                &["eins", "zwei", "drei"]),
            ("\"zitiert\", „so“, «ainsi»",        &["zitiert", "so", "ainsi"]),
            ("finite  element\u{a0}method.",      &["finite element method"]),
            ("eins, ein Schlagwort mit viel zu vielen Wörtern darin, zwei", &["eins", "zwei"]),
            ("C++, C#, .NET",                     &["C++", "C", ".NET"]),
            ("e.V., u.a.",                        &["e.V.", "u.a."]),
            ("数学、物理，化学",                    &["数学", "物理", "化学"]),
        ];
        for (text, expected) in cases {
            assert_eq!(keyword_list(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_short_different_keywords(text in "\\PC{0,300}") {
            let keywords = keyword_list(&text);
            prop_assert!(keywords.len() <= MAX_KEYWORDS);
            let different: FxHashSet<String> = keywords.iter().map(|word| fold(word)).collect();
            prop_assert_eq!(different.len(), keywords.len());
            for keyword in &keywords {
                prop_assert!(keyword.chars().count() <= MAX_KEYWORD, "{}", keyword);
            }
        }
    }
}
