//! Ways of writing that came with the web: smileys, stretched words, capitals, forms of address.
//!
//! They are counted beside the features of orality and carry no weight there: the index was
//! measured without them.

use super::lexicon::Classes;
use super::words::Word;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default)]
pub(super) struct WebTally {
    words: u32,
    emoticons: u32,
    repetitions: u32,
    capitals: u32,
    repeated_marks: u32,
    du: u32,
    sie: u32,
}

impl WebTally {
    pub(super) fn sentence(&mut self, text: &str, words: &[Word<'_>]) {
        self.words += words.len() as u32;
        for (index, word) in words.iter().enumerate() {
            self.repetitions += u32::from(is_stretched(word.text));
            self.capitals += u32::from(is_all_capitals(word.text));
            self.du += u32::from(word.is(Classes::FAMILIAR));
            // At the beginning of a sentence `Sie` may be `she` or `they`.
            self.sie += u32::from(index > 0 && word.is(Classes::POLITE) && word.is_capitalised());
        }
        self.marks(text, words);
    }

    /// Looks at what stands between the words.
    fn marks(&mut self, text: &str, words: &[Word<'_>]) {
        let ends = [0].into_iter().chain(words.iter().map(Word::end));
        let starts = words.iter().map(|word| word.start).chain([text.len()]);
        for (end, start) in ends.zip(starts) {
            let gap = &text[end..start];
            if gap.len() > 1 {
                self.repeated_marks += u32::from(has_repeated_marks(gap));
                self.emoticons += emoticons(gap);
            }
        }
    }

    pub(super) fn add(&mut self, other: &WebTally) {
        self.words += other.words;
        self.emoticons += other.emoticons;
        self.repetitions += other.repetitions;
        self.capitals += other.capitals;
        self.repeated_marks += other.repeated_marks;
        self.du += other.du;
        self.sie += other.sie;
    }

    /// Shares of all words; nothing if there is none.
    pub(super) fn write(&self, features: &mut BTreeMap<String, f64>) {
        if self.words == 0 {
            return;
        }
        let mut set = |name: &str, count: u32| {
            features.insert(name.to_owned(), f64::from(count) / f64::from(self.words));
        };
        set("web.emoticons", self.emoticons);
        set("web.letter_repetition", self.repetitions);
        set("web.all_capitals", self.capitals);
        set("web.repeated_marks", self.repeated_marks);
        set("web.du", self.du);
        set("web.sie", self.sie);
    }
}

/// Three equal letters in a row, but not `www` or `III`.
fn is_stretched(word: &str) -> bool {
    let mut run = 0;
    let mut last = None;
    let stretched = word.chars().any(|letter| {
        run = if last == Some(letter) { run + 1 } else { 1 };
        last = Some(letter);
        run >= 3 && letter.is_alphabetic()
    });
    stretched
        && !word.eq_ignore_ascii_case("www")
        && !word.bytes().all(|byte| b"IVXC".contains(&byte))
}

/// Words of at least five capitals: shorter ones are mostly acronyms.
fn is_all_capitals(word: &str) -> bool {
    word.len() >= 5 && word.chars().all(char::is_uppercase)
}

fn has_repeated_marks(gap: &str) -> bool {
    let mut last = ' ';
    gap.chars().any(|mark| {
        let pair = matches!(mark, '!' | '?') && matches!(last, '!' | '?');
        last = mark;
        pair
    })
}

/// Emoji, and smileys made of marks such as `:-)`. Those with letters (`:D`) are not told from
/// ordinary text.
fn emoticons(gap: &str) -> u32 {
    let emoji =
        gap.chars().filter(|c| matches!(c, '\u{1F300}'..='\u{1FAFF}' | '☺' | '☹' | '♥' | '❤'));
    let smileys = gap.split_whitespace().filter(|piece| is_smiley(piece));
    (emoji.count() + smileys.count()) as u32
}

fn is_smiley(piece: &str) -> bool {
    let piece = piece.trim_end_matches(['.', ',', '!', '?']);
    let mut marks = piece.chars();
    let (Some(eyes), Some(second)) = (marks.next(), marks.next()) else { return false };
    let mouth = if matches!(second, '-' | '\'' | '^' | 'o') { marks.next() } else { Some(second) };
    let rest = marks.all(|mark| Some(mark) == mouth);
    let face = matches!(eyes, ':' | ';' | '=' | '8')
        && matches!(mouth, Some(')' | '(' | '|' | '*' | ']' | '[' | '\\' | '>'));
    rest && face && piece.len() > 1 && piece != "=>" || piece == "^^" || piece == "<3"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::words::running_words;

    fn check(text: &str) -> WebTally {
        let mut tally = WebTally::default();
        let words: Vec<Word<'_>> = running_words(text).collect();
        tally.sentence(text, &words);
        tally
    }

    #[test]
    fn figures() {
        #[rustfmt::skip]
        let cases = [
            // text                            smileys, stretched, capitals, marks, du, sie
            ("Hallo :-) schön ;-)) 😀",        (3, 0, 0, 0, 0, 0)),
            ("Das ist sooo toll!!!",           (0, 1, 0, 1, 0, 0)),
            ("WICHTIG: die NATO im WWW III",   (0, 0, 1, 0, 0, 0)),
            ("Kommst du mit deinem Hund?",     (0, 0, 0, 0, 2, 0)),
            ("Sie kommt, wenn Sie Ihnen sagt", (0, 0, 0, 0, 0, 2)),
            ("siehe http://a.example/ (dort)", (0, 0, 0, 0, 0, 0)),
            ("",                               (0, 0, 0, 0, 0, 0)),
        ];
        for (text, expected) in cases {
            let it = check(text);
            let told =
                (it.emoticons, it.repetitions, it.capitals, it.repeated_marks, it.du, it.sie);
            assert_eq!(told, expected, "{text}");
        }
    }
}
