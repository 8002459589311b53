//! German compounds taken apart: `Wissenschaftsgeschichte` is about `Wissenschaft` and `Geschichte`.
//!
//! A word is cut where all pieces are words of a list, with the elements German puts between them (`s`, `es`,
//! `n`, `en`, `er`, `e`) or the `e` it drops (`Schul-buch`). Prefixes and endings (`unter-`, `-schaft`) are no pieces, or
//! half of all German words would fall apart. A list of forms knows abbreviations and syllables too, and lacks words
//! that German shares with its neighbours (`land`, `text`). So short pieces must have proved themselves: they are pieces
//! of several other words of the list, or stand in a table below. The cut with the fewest pieces wins, then the one with the longest last
//! piece, because that names the thing (`Druck-erzeugnis`, not `Drucker-zeugnis`). What is cut wrongly is found by too
//! many queries, so a search gives pieces less weight than words.

use crate::{WordList, fold};
use rustc_hash::{FxHashMap, FxHashSet};

/// Shorter and longer words, in bytes of their folded form, are not cut.
pub const COMPOUND_BYTES: std::ops::RangeInclusive<usize> = 7..=64;

/// More pieces than these have only words that were made as jokes.
pub const MAX_COMPOUND_PIECES: usize = 6;

/// Cuts compounds with the help of a list of German forms.
#[derive(Debug, Clone)]
pub struct CompoundSplitter {
    forms: WordList,
    /// Folded words of the tables below.
    shared: FxHashSet<&'static str>,
    /// In how many other words of the list a short form is the first or the last piece.
    proofs: FxHashMap<Box<str>, u16>,
}

impl CompoundSplitter {
    /// Looks once through the whole list: make one and share it.
    pub fn new(forms: WordList) -> CompoundSplitter {
        let shared = SHARED_WITH_OTHER_LANGUAGES.split_ascii_whitespace().collect();
        let mut splitter = CompoundSplitter { forms, shared, proofs: FxHashMap::default() };
        splitter.proofs = splitter.count_proofs();
        splitter
    }

    fn count_proofs(&self) -> FxHashMap<Box<str>, u16> {
        let mut proofs: FxHashMap<Box<str>, u16> = FxHashMap::default();
        for form in self.forms.forms() {
            let word = fold(form);
            if !COMPOUND_BYTES.contains(&word.len()) || !word.is_ascii() {
                continue;
            }
            for at in MIN_LISTED..=word.len() - MIN_LISTED {
                let (left, right) = word.split_at(at);
                let is_short = |piece: &str| piece.len() < PROVEN_BYTES;
                if (is_short(left) || is_short(right))
                    && self.is_known(left)
                    && self.is_known(right)
                {
                    for piece in [left, right].into_iter().filter(|piece| is_short(piece)) {
                        *proofs.entry(piece.into()).or_default() += 1;
                    }
                }
            }
        }
        proofs.retain(|_, count| *count >= MIN_PROOFS);
        proofs
    }

    fn is_known(&self, word: &str) -> bool {
        self.shared.contains(word) || self.forms.contains(word)
    }

    /// The pieces of a folded word ([`crate::fold()`]), from left to right; pieces that are compounds themselves are
    /// followed by theirs. Empty if the word is no compound.
    ///
    /// ```
    /// use auslese_words::{CompoundSplitter, WordList};
    ///
    /// let list = WordList::from_plain("wissenschaft\ngeschichte\n").unwrap();
    /// let splitter = CompoundSplitter::new(list);
    /// assert_eq!(splitter.pieces("wissenschaftsgeschichte"), ["wissenschaft", "geschichte"]);
    /// assert!(splitter.pieces("geschichte").is_empty());
    /// ```
    pub fn pieces(&self, word: &str) -> Vec<String> {
        let mut pieces = Vec::new();
        self.collect(word, &mut pieces);
        pieces
    }

    fn collect(&self, word: &str, pieces: &mut Vec<String>) {
        for piece in self.cut(word) {
            let at = pieces.len();
            self.collect(&piece, pieces);
            pieces.insert(at, piece);
        }
    }

    /// The best cut into known pieces. `best[i]` is the best way to cut what begins at byte `i`.
    fn cut(&self, word: &str) -> Vec<String> {
        if !COMPOUND_BYTES.contains(&word.len()) || !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return Vec::new();
        }
        let end = word.len();
        let mut best: Vec<Option<Cut>> = vec![None; end + 1];
        best[end] = Some(Cut { pieces: 0, last: 0, next: end, piece: String::new() });
        for start in (0..=end - MIN_PIECE).rev() {
            let mut chosen: Option<Cut> = None;
            for stop in start + MIN_PIECE..=end {
                if start == 0 && stop == end {
                    break;
                }
                let Some(rest) = &best[stop] else { continue };
                if rest.pieces >= MAX_COMPOUND_PIECES {
                    continue;
                }
                let Some(piece) = self.piece(&word[start..stop], start, stop == end) else {
                    continue;
                };
                let last = if stop == end { stop - start } else { rest.last };
                let cut = Cut { pieces: rest.pieces + 1, last, next: stop, piece };
                if chosen.as_ref().is_none_or(|other| cut.is_better_than(other)) {
                    chosen = Some(cut);
                }
            }
            best[start] = chosen;
        }
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(cut) = best[at].as_ref().filter(|cut| cut.pieces > 0) {
            pieces.push(cut.piece.clone());
            at = cut.next;
        }
        if pieces.len() > 1 { pieces } else { Vec::new() }
    }

    /// The word that a stretch of a compound stands for.
    fn piece(&self, stretch: &str, start: usize, is_last: bool) -> Option<String> {
        if is_last {
            return (self.is_piece(stretch) && !ENDINGS.contains(&stretch)).then(|| stretch.into());
        }
        if start == 0 && PREFIXES.contains(&stretch) {
            return None;
        }
        let unlinked = |links: &[&str]| {
            links
                .iter()
                .filter_map(|link| stretch.strip_suffix(link))
                .find(|piece| self.is_piece(piece) && !PREFIXES.contains(piece))
                .map(str::to_owned)
        };
        // Lists have `arbeits` as well; other links make plurals, whose stem is that of the word.
        if let Some(piece) = unlinked(&["es", "s"]) {
            return Some(piece);
        }
        if self.is_piece(stretch) {
            return Some(stretch.to_owned());
        }
        if let Some(piece) = unlinked(&LINKS) {
            return Some(piece);
        }
        let whole = format!("{stretch}e");
        (stretch.len() >= 4 && self.is_piece(&whole)).then_some(whole)
    }

    fn is_piece(&self, word: &str) -> bool {
        match word.len() {
            0..3 => false,
            3 => SHORT_NOUNS.contains(&word),
            _ if self.shared.contains(word) => true,
            4..PROVEN_BYTES => self.proofs.contains_key(word) && !NO_PIECES.contains(&word),
            _ => self.forms.contains(word),
        }
    }
}

#[derive(Debug, Clone)]
struct Cut {
    pieces: usize,
    /// How long the last piece of all is.
    last: usize,
    next: usize,
    piece: String,
}

impl Cut {
    fn is_better_than(&self, other: &Cut) -> bool {
        (self.pieces, std::cmp::Reverse(self.last)) < (other.pieces, std::cmp::Reverse(other.last))
    }
}

const MIN_PIECE: usize = 3;
const MIN_LISTED: usize = 4;

/// A form of so many bytes is a piece because it is listed; a shorter one needs proofs.
const PROVEN_BYTES: usize = 8;

/// In so many other words a short form must be a piece.
const MIN_PROOFS: u16 = 4;

/// What compounds are often made of, and other languages write the same way, so that the list of German forms may
/// lack it; and some that the list has too few compounds of.
const SHARED_WITH_OTHER_LANGUAGES: &str = "
abend agent album alarm analyse analysis anwalt arbeit archiv artikel atom auto automat band bank basis ball berg bericht
bild bildung bio biologie block brand brief buch bund chance chef chemie club code computer dame dampf daten datum
demokratie design detail differential dinge diplom disk ding druck ecke effekt ehren eisen elektro element
ende energie erde erfolg esel export familie fach faktor feld fenster fest feuer film finger fisch form format
foto fracht frage frist funktion funktional fuss garten gast geist geld generator geschichte gleichung gold grad
graf grenze grund gruppe hand handel haupt haus heft helfer herbst herz hilfe himmel holz hotel hund idee import
index industrie insel instrument internet jahr jahres kanal kapital karte katalog kern kind kirche klima klinik
klub kommando kompass konto kontrolle konzept konzert kraft kreis krieg kugel kultur kunst kurs kurve lager lampe land
landes laser last lauf leben lehrer leiter lexikon licht liebe linie liste liter literatur magnet maler markt maschine
masse material mechanik medien meister mensch metall meter methode minister minute mittel mode modell molekular
moment monat mond motor mund museum musik muster natur netz objekt optik orden ordnung organ
ozean paket papier park partei partner pass patent patient pause person pflanze phase physik pilot plan
planet platz politik polizei portal post praxis preis presse prinzip problem produkt programm projekt protokoll
punkt quanten quelle rahmen rand raum recht reform regel region reise religion rente ring roman saal sache
sand satz schiff schule schuh seite sektor semester seminar sender serie service signal sinn sommer sport spiel staat
stadt start station statistik stein stern stil stoff strand student studio stunde summe system tabelle tafel
tank tanz technik telefon temperatur test text theater thema theorie these tier ticket tisch titel tropfen tuer
tunnel turm union vektor verbrauch vertrag vieh vogel volk wagen wald wand wandel wasser welt werk wert wetter wind
winter wolf wort wunsch zahl zeit zelle zentrum ziel zins zirkel zone
";

/// What German puts between the pieces of a compound, longest first.
const LINKS: [&str; 7] = ["ens", "es", "en", "er", "s", "n", "e"];

/// Nouns of three letters that many compounds are made of; other words of three letters are mostly endings.
#[rustfmt::skip]
const SHORT_NOUNS: [&str; 42] = [
    "akt", "amt", "arm", "art", "bad", "bau", "bus", "eid", "eis", "erz", "fee", "gas", "gut", "hof",
    "hut", "kuh", "mut", "not", "ohr", "ort", "rad", "rat", "see", "tag", "tal", "tat", "tee", "tod",
    "ton", "tor", "typ", "uhr", "wal", "weg", "zug", "bit", "abo", "lok", "zoo", "web", "lob", "pol",
];

/// Beginnings of verbs and of what is made from them, which are words as well.
#[rustfmt::skip]
const PREFIXES: [&str; 45] = [
    "ueber", "unter", "nach", "gegen", "wider", "wieder", "durch", "hinter", "zwischen", "zurueck", "voraus",
    "heraus", "hinaus", "herein", "hinein", "herauf", "hinauf", "herab", "hinab", "entgegen", "zusammen",
    "nieder", "fort", "weiter", "miss", "inter", "super", "anti", "auto", "kontra", "trans", "para", "mono",
    "poly", "multi", "semi", "vize", "vorbei", "empor", "umher", "dabei", "davon", "daran", "dazu", "hervor",
];

/// Endings that are listed as words, or that make words of other words.
#[rustfmt::skip]
const ENDINGS: [&str; 76] = [
    "heit", "heiten", "keit", "keiten", "schaft", "schaften", "schafter", "schaftler", "schaftlich", "schaftliche",
    "schaftlichen", "schaftlicher", "schaftliches", "lich", "liche", "lichen", "licher", "liches", "lichem",
    "isch", "ische", "ischen", "ischer", "isches", "haft", "hafte", "haften", "hafter", "haftes", "barkeit", "sam",
    "same", "samen", "samer", "sames", "samkeit", "lein", "chen", "ling", "linge", "lingen", "tion", "tionen", "innen",
    "erinnen", "ungen", "ismus", "rinnen", "ieren", "ierung", "ierungen", "bare", "baren", "barer", "bares", "lose",
    "losen", "loser", "loses", "losigkeit", "tums", "tuemer", "tuemern", "wegen", "halb", "halber", "seits",
    "ander", "einander", "weise", "waerts", "mals", "ness", "able", "ment", "ments",
];

/// Short listed forms that are no pieces: endings, syllables, names and words of other languages.
#[rustfmt::skip]
const NO_PIECES: [&str; 93] = [
    "aber", "alle", "allen", "aller", "alles", "also", "anders", "auch", "beim", "dann", "dass", "deine", "denen",
    "denn", "deren", "dich", "diese", "dies", "doch", "dort", "eine", "einem", "einen", "einer", "eines", "euch", "euer",
    "habe", "hatte", "ihre", "ihren", "ihrer", "immer", "jene", "kein", "keine", "mein", "meine", "mich", "nicht",
    "noch", "oder", "ohne", "schon", "sehr", "seine", "sein", "sich", "sind", "soll", "sollen", "ueber", "unser", "viel",
    "waren", "weil", "welche", "wenn", "werde", "wird", "wurde", "wied", "schafts", "erin", "esse", "essen", "rung", "tung", "dung", "nung",
    "lung", "gung", "eren", "ende", "enden", "esten", "iger", "igen", "iges", "stel", "ster", "sten", "tern",
    "ober", "eins", "hans", "otto", "karl", "inge", "anne", "marie", "nisse", "nissen",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn links_and_lost_letters() {
        let list =
            "wissenschaft wissenschaften unterlage unterlagen lagen studenten geschichten schulen";
        let splitter = CompoundSplitter::new(WordList::from_forms(list.split(' ')).unwrap());
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("wissenschaftsgeschichte",      &["wissenschaft", "geschichte"]),
            ("wissenschaftsgeschichten",     &["wissenschaft", "geschichten"]),
            ("studentenschule",              &["studenten", "schule"]),
            ("schulgeschichte",              &["schule", "geschichte"]),
            ("landesschulgeschichte",        &["land", "schule", "geschichte"]),
            ("unterlagen",                   &[]),
            ("wissenschaft",                 &[]),
            ("geschichte",                   &[]),
            ("geschichtexyz",                &[]),
            ("",                             &[]),
        ];
        for (word, expected) in cases {
            assert_eq!(&splitter.pieces(word), expected, "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_word_can_be_asked_for(word in "[a-zä]{0,80}|(land|text|schul|es|s){0,12}") {
            let splitter = CompoundSplitter::new(WordList::from_forms(["wort"]).unwrap());
            let pieces = splitter.pieces(&word);
            prop_assert!(pieces.iter().all(|piece| piece.len() < word.len()));
            prop_assert!(pieces.len() != 1);
        }
    }
}
