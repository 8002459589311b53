//! Names of months, weekdays and time zones as servers write them.
//!
//! Old servers let the system's language into their headers. A word counts as a month if it begins
//! a month's name in one of the languages below; so every abbreviation is known without a list of
//! abbreviations, and one that could begin two months (French `jui`) is none. Slavic names are
//! left out on purpose: `listopad` is October in Zagreb and November in Prague.

/// The month a word names, 1 to 12, if it names exactly one.
pub(super) fn month(word: &str) -> Option<u32> {
    let readings = readings(word, &MONTHS, 3);
    (readings.count_ones() == 1).then(|| readings.trailing_zeros() + 1)
}

/// The weekdays a word can name: bit 0 for Monday to bit 6 for Sunday. Several bits are usual,
/// because `do` is a German Thursday and a Spanish Sunday.
pub(super) fn weekdays(word: &str) -> u32 {
    readings(word, &WEEKDAYS, 2)
}

/// Minutes east of Greenwich. Names with several meanings (`IST`) are unknown on purpose; American
/// ones keep the meaning that RFC 5322 gives them.
pub(super) fn zone(word: &str) -> Option<i64> {
    ZONES.iter().find_map(|(minutes, names)| {
        names.iter().any(|name| name.eq_ignore_ascii_case(word)).then_some(*minutes)
    })
}

#[rustfmt::skip]
const MONTHS: [&[&str]; 12] = [
    // English, German (and Austrian), French, Spanish, Italian, Dutch, Portuguese, Danish,
    // Norwegian, Swedish; then abbreviations that do not begin a name.
    &["january", "januar", "jänner", "janvier", "enero", "gennaio", "januari", "janeiro"],
    &["february", "februar", "feber", "février", "febrero", "febbraio", "februari", "fevereiro"],
    &["march", "märz", "mars", "marzo", "maart", "março", "marts", "mrz", "mrt"],
    &["april", "avril", "abril", "aprile"],
    &["may", "mai", "mayo", "maggio", "mei", "maio", "maj"],
    &["june", "juni", "juin", "junio", "giugno", "junho"],
    &["july", "juli", "juillet", "julio", "luglio", "julho"],
    &["august", "août", "agosto", "augustus", "augusti"],
    &["september", "septembre", "septiembre", "setiembre", "settembre", "setembro"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
    &["november", "novembre", "noviembre", "novembro"],
    &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "desember"],
];

#[rustfmt::skip]
const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "montag", "lundi", "lunes", "lunedì", "maandag", "segunda", "mandag", "måndag"],
    &["tuesday", "dienstag", "mardi", "martes", "martedì", "dinsdag", "terça", "tirsdag", "tisdag"],
    &["wednesday", "mittwoch", "mercredi", "miércoles", "mercoledì", "woensdag", "quarta", "onsdag"],
    &["thursday", "donnerstag", "jeudi", "jueves", "giovedì", "donderdag", "quinta", "torsdag"],
    &["friday", "freitag", "vendredi", "viernes", "venerdì", "vrijdag", "sexta", "fredag"],
    &["saturday", "samstag", "sonnabend", "samedi", "sábado", "sabato", "zaterdag", "lørdag", "lördag"],
    &["sunday", "sonntag", "dimanche", "domingo", "domenica", "zondag", "søndag", "söndag"],
];

#[rustfmt::skip]
const ZONES: [(i64, &[&str]); 21] = [
    (0,    &["GMT", "UTC", "UT", "Z", "WET", "WEZ"]),
    (60,   &["CET", "MET", "MEZ", "WEST", "WESZ", "BST"]),
    (120,  &["CEST", "MEST", "MESZ", "EET", "OEZ"]),
    (180,  &["EEST", "OESZ", "MSK"]),
    (240,  &["MSD"]),
    (480,  &["HKT", "SGT", "AWST"]),
    (540,  &["JST", "KST"]),
    (570,  &["ACST"]),
    (600,  &["AEST"]),
    (660,  &["AEDT"]),
    (720,  &["NZST"]),
    (780,  &["NZDT"]),
    (-180, &["ADT", "BRT"]),
    (-210, &["NST"]),
    (-240, &["EDT", "AST"]),
    (-300, &["EST", "CDT"]),
    (-360, &["CST", "MDT"]),
    (-420, &["MST", "PDT"]),
    (-480, &["PST", "AKDT"]),
    (-540, &["AKST"]),
    (-600, &["HST"]),
];

/// One bit for each row with a name that the word begins. A word needs two letters that survived
/// whatever was done to it, or `M?` would begin a month.
fn readings(word: &str, rows: &[&[&str]], shortest: usize) -> u32 {
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    if letters < 2 || word.chars().count() < shortest {
        return 0;
    }
    let hits = rows.iter().map(|names| names.iter().any(|name| begins(name, word)));
    (0..).zip(hits).map(|(bit, hit)| u32::from(hit) << bit).sum()
}

/// Whether a name begins with a word, in any case. Where the name has a letter beyond ASCII, the
/// word may have what becomes of it: any run of strange characters or question marks (`MÃ¤r`,
/// `M?r`), the bare letter (`Mar`), or the German spelling (`Maer`).
fn begins(name: &str, word: &str) -> bool {
    let mut word = word.chars().flat_map(char::to_lowercase).peekable();
    let mut name = name.chars().peekable();
    while let Some(letter) = word.next() {
        let Some(expected) = name.next() else { return false };
        if is_strange(letter) && !expected.is_ascii() {
            while word.next_if(|next| is_strange(*next)).is_some() {}
        } else if base(expected) != letter {
            return false;
        } else if matches!(expected, 'ä' | 'ö') && name.peek() != Some(&'e') {
            word.next_if_eq(&'e');
        }
    }
    true
}

/// Whether a character can be what is left of a letter beyond ASCII.
pub(super) fn is_strange(character: char) -> bool {
    character == '?' || (!character.is_ascii() && !character.is_whitespace())
}

/// The letter without its accent, for the letters in the tables above.
fn base(letter: char) -> char {
    match letter {
        'ä' | 'å' | 'á' => 'a',
        'ç' => 'c',
        'é' => 'e',
        'ì' => 'i',
        'ö' | 'ø' => 'o',
        'û' => 'u',
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_meaning() {
        for (number, names) in (1..).zip(MONTHS) {
            for name in names {
                assert_eq!(month(name), Some(number), "{name}");
            }
        }
        for (number, names) in (0..).zip(WEEKDAYS) {
            for name in names {
                assert_eq!(weekdays(name), 1 << number, "{name}");
                assert_eq!(month(name), None, "{name}");
            }
        }
    }

    #[test]
    fn every_accent_has_a_base() {
        for name in MONTHS.iter().chain(&WEEKDAYS).copied().flatten() {
            assert!(name.chars().map(base).all(|letter| letter.is_ascii()), "{name}");
        }
    }

    #[test]
    fn short_words() {
        assert_eq!(month("ma"), None);
        assert_eq!(month("m??"), None);
        assert_eq!(month("jui"), None);
        assert_eq!(month("Janus"), None);
        assert_eq!(weekdays("m"), 0);
        assert_eq!(weekdays("Do"), 1 << 3 | 1 << 6);
        assert_eq!(zone("met"), Some(60));
        assert_eq!(zone("IST"), None);
    }
}
