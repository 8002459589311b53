//! A site to measure searching with: pages of prose whose words are distributed as in natural
//! language, with metadata.
//!
//! The word of rank r is used in proportion to 1 / (r + 2.7) (Zipf, Mandelbrot), over a vocabulary of
//! [`VOCABULARY`] words: the first are function words of German or English, so that the language is
//! recognised, the others are made of syllables. Every page has a title, an author, a date and
//! keywords, in the forms that institutes use.

use super::Numbers;
use super::tree::{CROSS_LINKS, children, path};
use crate::site::Site;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Different words of a language.
const VOCABULARY: usize = 60_000;
/// What Mandelbrot added to the rank.
const SHIFT: f64 = 2.7;
/// Words of a page: at some seven bytes a word, 2 to 3 KB.
const WORDS: std::ops::RangeInclusive<u64> = 300..=420;
const PARAGRAPH: usize = 90;
const SENTENCE: std::ops::RangeInclusive<u64> = 6..=18;
/// One page in so many is English.
const ENGLISH: u64 = 4;
/// Subjects that pages are indexed with.
const SUBJECTS: u64 = 400;
const AUTHORS: u64 = 900;

/// A site of so many pages of prose. The same seed makes the same site.
pub fn generated_library(host: &str, pages: usize, seed: u64) -> Site {
    let english = Language::new("en", ENGLISH_WORDS);
    let languages = [Language::german(), &english];
    let robots = "User-agent: *\nDisallow:\n";
    let mut site = Site::new(format!("http://{host}")).file("/robots.txt", "text/plain", robots);
    for page in 0..pages {
        let mut numbers = Numbers::apart(seed, page);
        let language = languages[usize::from(numbers.next().is_multiple_of(ENGLISH))];
        site = site.page(&path(page), html(page, pages, language, &mut numbers));
    }
    site
}

/// A vocabulary with the frequencies of its words.
pub(crate) struct Language {
    tag: &'static str,
    words: Vec<String>,
    /// How many of all words are at most of this rank, as shares.
    shares: Vec<f64>,
}

impl Language {
    /// Made once, as it takes a while.
    pub(crate) fn german() -> &'static Language {
        static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::new("de", GERMAN));
        &LANGUAGE
    }

    fn new(tag: &'static str, function_words: &str) -> Language {
        let mut words: Vec<String> = function_words.split(' ').map(str::to_owned).collect();
        words.extend((words.len()..VOCABULARY).map(|rank| made_word(tag, rank)));
        let mut sum = 0.0;
        let mut shares: Vec<f64> = (0..words.len())
            .map(|rank| {
                sum += 1.0 / (rank as f64 + SHIFT);
                sum
            })
            .collect();
        shares.iter_mut().for_each(|share| *share /= sum);
        Language { tag, words, shares }
    }

    pub(crate) fn word(&self, numbers: &mut Numbers) -> &str {
        let share = numbers.next() as f64 / u64::MAX as f64;
        let rank = self.shares.partition_point(|up_to| *up_to < share);
        &self.words[rank.min(self.words.len() - 1)]
    }

    /// A word that carries meaning.
    pub(crate) fn rare_word(&self, numbers: &mut Numbers) -> &str {
        loop {
            let word = self.word(numbers);
            if word.len() > 5 {
                return word;
            }
        }
    }

    fn sentence(&self, numbers: &mut Numbers, text: &mut String, words: usize) {
        for place in 0..words {
            let word = self.word(numbers);
            match place {
                0 => text.push_str(&capitalised(word)),
                _ => {
                    text.push(' ');
                    text.push_str(word);
                }
            }
        }
        text.push('.');
    }
}

/// A word of two to four syllables that depends on its rank alone; German ones have a capital.
fn made_word(tag: &str, rank: usize) -> String {
    let mut numbers = Numbers::apart(u64::from(tag.as_bytes()[0]), rank);
    let mut word = String::new();
    for _ in 0..numbers.within(2..=4) {
        word.push_str(pick(
            &["b", "d", "f", "g", "h", "k", "l", "m", "n", "r", "s", "st", "t", "w", "z", "sch"],
            &mut numbers,
        ));
        word.push_str(pick(
            &["a", "e", "i", "o", "u", "ä", "ö", "ü", "ei", "au", "ie"],
            &mut numbers,
        ));
        word.push_str(pick(&["", "n", "r", "l", "ch", "s", "t"], &mut numbers));
    }
    // Every rank is a word of its own.
    let _ =
        write!(word, "{}", pick(&["ung", "er", "en", "heit", "ion", "al", "isch"], &mut numbers));
    if tag == "de" && rank.is_multiple_of(2) { capitalised(&word) } else { word }
}

fn pick<'a>(some: &[&'a str], numbers: &mut Numbers) -> &'a str {
    some[(numbers.next() % some.len() as u64) as usize]
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn html(page: usize, pages: usize, language: &Language, numbers: &mut Numbers) -> String {
    let rare = |numbers: &mut Numbers| language.rare_word(numbers).to_owned();
    let title = format!("{} {} {}", rare(numbers), rare(numbers), rare(numbers));
    let author = person(numbers.next() % AUTHORS);
    let (year, month, day) =
        (numbers.within(1996..=2026), numbers.within(1..=12), numbers.within(1..=28));
    let keywords: Vec<String> =
        (0..numbers.within(2..=5)).map(|_| subject(numbers.next() % SUBJECTS, language)).collect();
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta name=\"author\" content=\"{author}\">\n\
         <meta name=\"DC.Date\" content=\"{year}-{month:02}-{day:02}\">\n\
         <meta name=\"keywords\" content=\"{}\">\n</head><body><h1>{title}</h1>\n",
        language.tag,
        keywords.join(", ")
    );
    let mut left = numbers.within(WORDS) as usize;
    while left > 0 {
        text.push_str("<p>");
        let mut paragraph = PARAGRAPH.min(left);
        left -= paragraph;
        while paragraph > 0 {
            let words = (numbers.within(SENTENCE) as usize).min(paragraph);
            paragraph -= words;
            language.sentence(numbers, &mut text, words);
            text.push(' ');
        }
        text.push_str("</p>\n");
    }
    let cross = (0..CROSS_LINKS).map(|_| (numbers.next() % pages as u64) as usize);
    let links: Vec<usize> = children(page, pages).chain(cross).collect();
    text.push_str("<ul>\n");
    for link in links {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "<li><a href=\"{}\">Seite {link}</a></li>", path(link));
    }
    text + "</ul></body></html>\n"
}

pub(crate) fn person(number: u64) -> String {
    let given = ["Anna", "Bernd", "Clara", "Dieter", "Eva", "Franz", "Greta", "Hans", "Ida"];
    let mut numbers = Numbers::apart(number, 1);
    format!("{} {}", pick(&given, &mut numbers), capitalised(&made_word("name", number as usize)))
}

/// One of the subjects; they come from the middle of the vocabulary.
fn subject(number: u64, language: &Language) -> String {
    language.words[1_000 + number as usize].clone()
}

const GERMAN: &str = "die der und in den von zu das mit sich des auf für ist im dem nicht ein eine als \
    auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über so zum kann \
    haben nur oder aber vor zur bis mehr durch man sein wurde sei hatte gegen vom können schon wenn habe \
    ihre dann unter wir soll ich eines jahr zwei diese dieser wieder keine seine ihr worden will zwischen \
    immer was sagte gibt alle diesem seit muss wurden beim doch jetzt drei neue waren damit universität \
    forschung lehre studium vorlesung bibliothek prüfung seminar verfahren ergebnis grundlage beispiel";
const ENGLISH_WORDS: &str = "the of and to in a is that for it as was with be by on not he his but at are \
    this have from or had an they which one you were all her she there would their we him been has when \
    who will no more if out so up said what its about than into them can only other time new some could \
    these two may first then do any like my now over such our man me even most made after also did many \
    university research teaching study lecture library seminar method result example";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_same_seed_makes_the_same_library() {
        let documents = |seed| generated_library("g.example", 40, seed).documents();
        assert_eq!(documents(1), documents(1));
        assert_ne!(documents(1), documents(2));
    }

    #[test]
    fn pages_are_long_and_their_words_are_those_of_zipf() {
        let documents = generated_library("g.example", 300, 5).documents();
        let pages: Vec<String> = documents
            .iter()
            .filter(|document| document.path != "/robots.txt")
            .map(|document| String::from_utf8_lossy(&document.body).into_owned())
            .collect();
        assert!(pages.iter().all(|page| page.len() > 2_048));
        let mut counts: HashMap<&str, u64> = HashMap::new();
        for word in pages
            .iter()
            .filter(|page| page.contains("lang=\"de\""))
            .flat_map(|page| page.split_whitespace())
        {
            *counts.entry(word).or_default() += 1;
        }
        let mut counts: Vec<u64> = counts.into_values().collect();
        counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
        // Rank 1 has ten times the uses of rank 35: (35 + 1.7) / (1 + 1.7) is 13.6.
        let ratio = counts[0] as f64 / counts[34] as f64;
        assert!((8.0..20.0).contains(&ratio), "{ratio}");
        assert!(counts.len() > 10_000, "{}", counts.len());
    }
}
