//! Takes a byline apart: noise out, lead-ins and titles off, lists split, surnames turned round.
//!
//! Those who took the pictures are left out: a byline is read for the authors of the text.

use super::shape::{ROLES, Shape, is_person_name, looks_like_name};
use crate::lazy_regex::LazyRegex;
use crate::shapes::word_file::WordFile;
use aho_corasick::AhoCorasick;
use auslese_words::fold;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

static LEADS: LazyLock<WordFile> =
    LazyLock::new(|| WordFile::parse(include_str!("../../../data/name-leads.txt")));

static TITLES: LazyLock<WordFile> =
    LazyLock::new(|| WordFile::parse(include_str!("../../../data/academic-titles.txt")));

/// The longest lead-in has this many words ("propos recueillis par" and the like).
const MAX_LEAD: usize = 5;

/// Lead-ins in an element of their own lose the space behind them: "Geschrieben vonEva Meier".
static GLUED: LazyRegex = LazyRegex::fixed(r"\b([Vv]on|[Bb]y|Autor(?:in)?|Author)(\p{Lu}\p{Ll})");

/// So do words that follow a name: "Eva MeierStaff Writer". Names such as McDonald have fewer small
/// letters before the capital.
static GLUED_WORDS: LazyRegex = LazyRegex::fixed(r"(\p{Ll}{4})(\p{Lu}\p{Ll})");

/// Societies whose members say so behind their names, and which nobody is called.
const SOCIETIES: &str =
    "IEEE|IEICE|IPSJ|IET|ACM|SIAM|AIAA|ASME|ASCE|AAAI|AIChE|SPIE|EURASIP|INFORMS|OSA|ASHRAE|URSI";

/// What is no name wherever it stands: addresses, handles, numbers and times, what is in brackets.
static NOISE: LazyLock<LazyRegex> = LazyLock::new(|| LazyRegex::new(OTHER_NOISE.join("|")));

/// The same and grades of membership, which few texts have and which make a large expression.
static NOISE_AND_GRADES: LazyLock<LazyRegex> = LazyLock::new(|| {
    // "Student Member, IEEE", "IEEE Fellow", "Fellow of the ASA"; a line may end within one.
    let kind = "(?i:(?:graduate|undergraduate|student|senior|junior|life|associate|affiliate|honorary|distinguished|corresponding|founding|foreign|charter|emeritus|research|visiting|postdoctoral)[ -]+)";
    let grade = format!("(?:{kind}{{0,3}}(?i:member|fellow|mem\\.|mitglied))");
    let bodies = format!(r"(?:{SOCIETIES})\b(?:\s+Computer\s+Society\b)?");
    let grades = [
        format!(
            r"\b{grade}s?\s*,?\s*(?:(?i:of|der)\s+)?(?:(?i:the|des)\s+)?(?:{bodies}(?:\s*(?:,|/|&|(?i:and|und)\s)\s*(?:{bodies}))*|\p{{Lu}}{{2,6}}\b)"
        ),
        format!(r"\b(?:{SOCIETIES})\s+{grade}\b"),
        format!(r"\b{kind}{{1,3}}(?i:member|fellow)\b"),
        format!(r",\s*{kind}*(?i:graduate|undergraduate|student|senior|life)\s*$"),
        format!(r"(?:\b[A-Z]\.){{0,2}}\b{bodies}"),
    ];
    let parts: Vec<&str> = grades.iter().map(String::as_str).chain(OTHER_NOISE).collect();
    LazyRegex::new(parts.join("|"))
});

const OTHER_NOISE: [&str; 16] = [
    r"(?i:autor[:*_/]in(?:nen)?)",
    // Degrees in two parts, whose first looks like an initial.
    r"\b[MBD]\.\s?(?:Sc|Eng|Phil|Ed)\.|\bPh\.\s?D\.",
    // Who wrote and took pictures is an author; who only took pictures is not.
    r"(?i:texte?\s*(?:und|and|&|/|\+)\s*(?:fotos?|bild(?:er)?|photos?|interview)\s*(?:by|von)?:?)",
    r"(?i:\b(?:fotos?|bild(?:er|quelle)?|photo(?:s|graphs?|graphy)?|illustration(?:en)?|grafik)(?:\s*:|\s+(?:by|von|par|de)\s)|©)[^|;•·\n]*",
    // What an institution is for is a list of nouns that look like names.
    r"(?i:\s(?:für|for)\s)[^|;•·\n]*",
    r"https?://\S+",
    r"www\.\S+",
    r"\S+@\S+",
    r"@\w+",
    r"\([^()]*\)",
    r"\[[^\[\]]*\]",
    r"<[^<>]*>",
    r"[0-9]{1,2}[:.h][0-9]{2}(?:\s*(?:Uhr|h|AM|PM|am|pm))?",
    r"[0-9]{1,2}\.?(?:\s*(?:st|nd|rd|th))?\s*\p{L}{3,}\.?,?\s*[0-9]{4}",
    r"\p{L}{3,}\.?\s+[0-9]{1,2}(?:st|nd|rd|th)?,?\s+[0-9]{4}",
    r"[0-9][0-9./:-]*",
];

/// Where one name ends and another, or something else, begins. Commas are another matter.
static BREAK: LazyRegex = LazyRegex::fixed(
    r"(?i)[|;•·●/\n\r\t–—»«:*]+|\s-+\s|\s(?:und|and|et|y|e|och|og|en|oraz|ja|ve|и|και|&|\+|(?-i:u\.)|with|mit|aus|from|in|im|über|via|at|bei|am|on|vom|seit|auf|zum)\s|\s*&\s*",
);

/// The names of a byline, each as it is to be shown.
pub(super) fn pieces(text: &str, least: Shape) -> Vec<String> {
    let parted = match has_glued_words(text) {
        true => Cow::Owned(without_glue(text)),
        false => Cow::Borrowed(text),
    };
    let clean = if may_have_grades(&parted) {
        NOISE_AND_GRADES.replace_all(&parted, "|")
    } else if may_have_noise(&parted) {
        NOISE.replace_all(&parted, "|")
    } else {
        parted
    };
    let segments = BREAK.split(&clean);
    segments.flat_map(|segment| segment_names(segment, least)).collect()
}

/// Whether a text has a sign or a word without which none of the noise is noise. Most names have none, and
/// the expression is large.
fn may_have_noise(text: &str) -> bool {
    static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = [
            "www.",
            "http",
            "autor",
            "text",
            "foto",
            "bild",
            "photo",
            "illustration",
            "grafik",
            "©",
            "für",
            "fÜr",
            "for",
            "sc.",
            "eng.",
            "phil.",
            "ed.",
            "ph.",
        ];
        AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
    });
    let is_sign = |byte: u8| byte.is_ascii_digit() | matches!(byte, b'@' | b'(' | b'[' | b'<');
    text.bytes().any(is_sign)
        || has_odd_letters(text)
        || WORDS.as_ref().is_none_or(|words| words.is_match(text))
}

/// The same for grades of membership: each has one of these words, or the name of a society.
fn may_have_grades(text: &str) -> bool {
    static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words =
            ["member", "fellow", "mem.", "mitglied", "graduate", "student", "senior", "life"];
        AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
    });
    static NAMES: LazyLock<Option<AhoCorasick>> =
        LazyLock::new(|| AhoCorasick::new(SOCIETIES.split('|')).ok());
    has_odd_letters(text)
        || [&WORDS, &NAMES].iter().any(|it| it.as_ref().is_none_or(|it| it.is_match(text)))
}

/// Where case does not matter, long s is an s and the Kelvin sign a k.
fn has_odd_letters(text: &str) -> bool {
    !text.is_ascii() && text.contains(['\u{17f}', '\u{212a}'])
}

/// Whether a capital follows a small letter, as it does wherever words are glued together.
fn has_glued_words(text: &str) -> bool {
    let mut is_after_small = false;
    text.chars().any(|letter| {
        let is_glued = is_after_small && letter.is_uppercase();
        is_after_small = letter.is_lowercase();
        is_glued
    })
}

fn without_glue(text: &str) -> String {
    let unglued = GLUED.replace_all(text, "$1 $2");
    GLUED_WORDS.replace_all(&unglued, "$1|$2").into_owned()
}

fn segment_names(segment: &str, least: Shape) -> Vec<String> {
    let parts: Vec<String> = segment
        .split(',')
        .map(|part| without_titles(without_role(without_lead(part)), least))
        .filter(|part| !part.is_empty())
        .collect();
    if let (Shape::Short, [only]) = (least, parts.as_slice()) {
        return nickname(only).into_iter().collect();
    }
    let pairs = parts.len().is_multiple_of(2);
    let mut names = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let part = parts[at].as_str();
        let next = parts.get(at + 1).map(String::as_str);
        if let Some(given) = next.filter(|given| is_surname(part) && is_given(given, pairs)) {
            let turned = format!("{given} {part}");
            if is_person_name(&turned) {
                names.push(turned);
                at += 2;
                continue;
            }
        }
        if looks_like_name(part, least) {
            names.push(part.to_owned());
        }
        at += 1;
    }
    names
}

/// Drops "Von", "Autor:", "written by" and the like, as often as they stand there.
fn without_lead(text: &str) -> &str {
    let mut text = trimmed(text);
    'again: loop {
        let ends: Vec<usize> = word_spans(text).take(MAX_LEAD).map(|span| span.end).collect();
        for (words, end) in ends.into_iter().enumerate().rev() {
            let lead = fold(&text[..end]);
            // "Von" alone may also begin a name; a lead-in that is the whole text is no name.
            if LEADS.has(lead.trim_end_matches(':').trim_end())
                && !is_own_particle(&lead, text, words)
            {
                text = trimmed(&text[end..]);
                continue 'again;
            }
        }
        return text;
    }
}

/// "de Maizière" and "von der Leyen" lose no particle: only a capital "Von", or one before two
/// capitalised words, leads in.
fn is_own_particle(lead: &str, text: &str, words: usize) -> bool {
    let small = text.starts_with(char::is_lowercase);
    let particle = matches!(lead, "von" | "de" | "di" | "da" | "af" | "av" | "vom" | "do");
    words == 0 && particle && small && {
        let rest: Vec<&str> = text.split_whitespace().skip(1).take(2).collect();
        rest.len() < 2 || rest.iter().any(|word| word.starts_with(char::is_lowercase))
    }
}

/// Drops academic titles and degrees at both ends. "Frau Sabine" is a nickname with its title.
fn without_titles(text: &str, least: Shape) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let kept = if least == Shape::Short { 2 } else { 1 };
    while words.len() > kept && words.first().is_some_and(|word| is_title(word)) {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(|word| is_degree(word)) {
        words.pop();
    }
    if let [only] = words.as_slice()
        && is_title(only)
    {
        return String::new();
    }
    let name = once(&words).join(" ");
    trimmed(without_full_stop(&name)).to_owned()
}

/// The picture's text and the text beside it often say the same name: "Eva Meier Eva Meier".
fn once<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let (first, second) = words.split_at(words.len() / 2);
    if first.len() > 1 && first == second { first } else { words }
}

/// A dot behind a long word ends a sentence; behind a short one it abbreviates.
fn without_full_stop(name: &str) -> &str {
    let last = name.split(' ').next_back().unwrap_or_default();
    if last.chars().count() > 4 && last.matches('.').count() == 1 {
        name.trim_end_matches('.')
    } else {
        name
    }
}

/// An initial such as "O." is a title of "o. Prof." too; only small letters are.
fn is_title(word: &str) -> bool {
    let bare = fold(word);
    let initial = word.chars().filter(|letter| letter.is_alphabetic()).count() == 1;
    let given = initial && word.starts_with(char::is_uppercase);
    !given && TITLES.has(bare.trim_end_matches(['.', ',']))
}

/// Behind a name "MA" and "Dr." are degrees, but "Ass" or "Rat" are names.
fn is_degree(word: &str) -> bool {
    is_title(word)
        && (word.contains('.') || word.chars().filter(|letter| letter.is_uppercase()).count() > 1)
}

/// What stands before the word that says what someone is: "Eva Meier" of "Eva Meier Redakteurin".
/// Too little before it is no name but a role: "Staff Writer". One word in small letters is none either.
fn without_role(part: &str) -> &str {
    let mut words = 0;
    for span in word_spans(part) {
        let folded = fold(&part[span.clone()]);
        if ROLES.has(folded.trim_end_matches(['.', ':'])) {
            return if words < 2 { "" } else { part[..span.start].trim_end() };
        }
        words += 1;
    }
    let small = part.starts_with(char::is_lowercase);
    if small && words == 1 { "" } else { part }
}

fn word_spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).filter_map(move |piece| {
        let (start, word) = (at, piece.trim_end());
        at += piece.len();
        (!word.is_empty()).then_some(start..start + word.len())
    })
}

/// Where one word is a name, "von Eva" means Eva.
fn nickname(part: &str) -> Option<String> {
    let name = part.strip_prefix("von ").filter(|rest| !rest.contains(' ')).unwrap_or(part);
    looks_like_name(name, Shape::Short).then(|| name.to_owned())
}

/// One word, or particles and one word: what stands before the comma in "von der Leyen, Ursula".
fn is_surname(part: &str) -> bool {
    let mut words = part.split_whitespace().rev();
    let last = words.next().unwrap_or_default();
    let letters = last.chars().filter(|letter| letter.is_alphabetic()).count();
    letters >= 2
        && !last.ends_with('.')
        && last.starts_with(|letter: char| !letter.is_lowercase())
        && words.all(|word| word.chars().all(char::is_lowercase))
}

/// Given names or initials. Words that are not initials count only where everything comes in pairs:
/// "Leben, Münster, Germany" is no list of people.
fn is_given(part: &str, pairs: bool) -> bool {
    is_initials(part) || (pairs && part.split_whitespace().count() <= 2)
}

/// "H.", "H. K.", "J.-P.", "HK".
fn is_initials(part: &str) -> bool {
    static INITIALS: LazyRegex = LazyRegex::fixed(
        r"^(?:\p{Lu}\p{Ll}?\.[\s-]*){1,5}$|^\p{Lu}{1,3}$|^\p{Lu}-\p{Lu}\.?$|^(?:\p{Lu}\s){1,2}\p{Lu}$",
    );
    INITIALS.is_match(part.trim())
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| {
        letter.is_whitespace()
            || matches!(
                letter,
                ',' | ':'
                    | '"'
                    | '“'
                    | '”'
                    | '„'
                    | '«'
                    | '»'
                    | '('
                    | ')'
                    | '!'
                    | '?'
                    | '-'
                    | '_'
                    | '*'
                    | '#'
                    | '@'
                    | '='
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_without_words_of_grades_have_none(
            text in "(Eva|Meier|IEEE|iet|OSA|Member|student|Senior |life|Fellow|Dietrich|, |\\(x\\)|M\\.Sc\\.|für| |@a|12\\.3\\.2004|ſ){0,8}"
        ) {
            if !may_have_grades(&text) {
                prop_assert_eq!(NOISE_AND_GRADES.replace_all(&text, "|"), NOISE.replace_all(&text, "|"));
                if !may_have_noise(&text) {
                    prop_assert_eq!(NOISE.replace_all(&text, "|"), text.as_str());
                }
            }
        }
    }
}
