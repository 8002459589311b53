//! Words that a dot does not end, and words that begin sentences.
//!
//! The lists were written for this purpose, from German prose and university pages. A word that is
//! also a common word without its dot (`Art`, `Tag`, `Saal`) is not among them unless what follows
//! can tell.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What a dot behind an abbreviation means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// Something always follows in the same sentence: titles, `vgl.`
    Never,
    /// It may end a sentence: `usw.`, `e. V.`
    Sometimes,
    /// A common word, and an abbreviation before numbers only: `Art. 5`
    BeforeNumbers,
}

/// What a word is, without its dot.
pub(super) fn abbreviation(word: &str) -> Option<Abbreviation> {
    if word.len() > super::LONGEST_ENTRY {
        return None;
    }
    let lower = word.to_lowercase();
    let known = ABBREVIATIONS.get(lower.as_str()).copied();
    // `Bahnhofstr.`, and whatever else is a street.
    known.or_else(|| lower.ends_with("str").then_some(Abbreviation::Sometimes))
}

static ABBREVIATIONS: LazyLock<HashMap<&'static str, Abbreviation>> = LazyLock::new(|| {
    let lists = [
        (BEFORE_NUMBERS, Abbreviation::BeforeNumbers),
        (SOMETIMES, Abbreviation::Sometimes),
        (NEVER, Abbreviation::Never),
    ];
    lists.into_iter().flat_map(|(list, kind)| list.iter().map(move |word| (*word, kind))).collect()
});

/// Whether a capitalised word begins a sentence rather than being a noun or a name within one.
pub(super) fn begins_sentences(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| BEGINNINGS.iter().copied().collect());
    WORDS.contains(word)
}

pub(super) fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

#[rustfmt::skip]
const NEVER: &[&str] = &[
    // titles and forms of address
    "prof", "dr", "dres", "dipl", "ing", "mag", "lic", "hr", "hrn", "fr", "frl", "univ", "apl", "priv", "doz", "habil", "rer", "nat", "phil",
    "theol", "jur", "med", "oec", "pol", "paed", "päd", "psych", "agr", "soz", "sc", "dent", "vet", "cand", "stud", "ass", "assist", "akad",
    "mr", "mrs", "st", "sr", "jr", "kand", "min-dir", "pd", "msgr", "hl", "sel", "ehem", "verw", "gesch", "geb", "gest", "verst",
    // references
    "vgl", "cf", "s", "abb", "tab", "kap", "nr", "nrn", "bd", "bde", "hrsg", "hg", "hgg", "aufl", "ausg", "bearb", "übers", "zit",
    "fig", "vol", "pp", "ed", "eds", "anm", "fn", "lfd", "ziff", "abs", "rdnr", "rn", "randnr", "fasc", "jg", "jhrg",
    // within sentences
    "bzw", "bspw", "ggf", "gegebenenf", "evtl", "evt", "ca", "zirka", "inkl", "incl", "exkl", "einschl", "zzgl", "abzgl", "insb", "insbes",
    "bes", "sog", "sogen", "dh", "zb", "zt", "allg", "urspr", "eigtl", "entspr", "betr", "bezgl", "bzgl", "hinsichtl", "gem", "lt", "mind",
    "mögl", "vorauss", "versch", "wiss", "jew", "jeweil", "näml", "resp", "ev", "rd", "od", "vs", "viz", "approx", "einschließl",
    "ausschl", "bisw", "dgl", "ebd", "frz", "engl", "dt", "lat", "griech", "ital", "span", "russ", "österr", "schweiz", "bayer", "rhein",
    "nordrh", "westf", "nds", "sächs", "thür", "hess", "brandenb", "europ", "internat", "nat", "kath", "evang", "prot", "jüd", "öff", "öffentl", "gesetzl", "staatl", "städt",
    "techn", "wirtsch", "math", "phys", "chem", "biol", "geogr", "hist", "ling", "ehrenamtl", "wiss", "künstl", "schriftl", "mündl", "tägl",
    "wöchentl", "monatl", "jährl", "stellv", "gez", "vorm", "nachm", "vorl", "pers", "persönl", "kl", "südl",
    "nördl", "westl", "östl", "allgem", "nachf", "vorg", "mo", "di", "do", "sa", "jan", "feb", "febr", "apr", "jun", "jul", "aug",
    "sep", "sept", "okt", "nov", "dez", "tel", "fax", "bhf", "hbf", "pf", "postf", "zi", "zim", "geb", "gebr", "fa", "abt", "inst",
    "vors", "mitgl", "verf", "anz", "erg", "gleichz", "rück", "veranst", "teiln", 
];

#[rustfmt::skip]
const SOMETIMES: &[&str] = &[
    "usw", "etc", "usf", "ff", "f", "ä", "chr", "jh", "jhd", "jhdt", "str", "mio", "mrd", "std", "stdn", "min", "tsd", "co", "inc", "ltd",
    "corp", "al", "dgl", "zt", "ua", "uä", "oä", "ev", "anh", "bibl", "lit", "forts", "dat", "dtl", "qm", "stck", "stk", "pkt", "pl", "sg",
    "gmbh", "mbh", "kg", "ag", "sem", "ws", "ss", "sose", "wise", "cm", "km", "mm", "kg", "mg", "eur", "ct", "wo", "mon", "sp", "spp", "ssp",
    // also words of their own
    "mobil", "intern", "verb", "vers", "komm", "max", "red", "mi", "wg", "unt", "folg", "ms", "hs", "sek", "gen",
];

#[rustfmt::skip]
const BEFORE_NUMBERS: &[&str] = &[
    "art", "teil", "heft", "raum", "tag", "lekt", "aufg", "absch", "abschn", "bl", "haus", "plz", "stock", "kat", "par", "pos", "reg", "ser",
    "so", "mai", "juni", "juli", "zif", "satz", "gl", "op", "kv", "bwv", "az", "ver", "ch", "sec", "eq", "ex", "no",
];

#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "Januar", "Jänner", "Februar", "Feber", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
    "Jan", "Feb", "Febr", "Mrz", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Okt", "Nov", "Dez",
];

/// Articles, pronouns, prepositions, conjunctions and adverbs, capitalised as at a beginning.
#[rustfmt::skip]
const BEGINNINGS: &[&str] = &[
    "Der", "Die", "Das", "Den", "Dem", "Des", "Ein", "Eine", "Einen", "Einem", "Einer", "Eines", "Kein", "Keine", "Keiner", "Dieser", "Diese",
    "Dieses", "Diesem", "Diesen", "Dies", "Jeder", "Jede", "Jedes", "Jener", "Jene", "Jenes", "Alle", "Alles", "Allen", "Aller", "Beide", "Viele",
    "Manche", "Mancher", "Einige", "Einiges", "Mehrere", "Andere", "Anderes", "Solche", "Etliche", "Wenige", "Ich", "Du", "Er", "Sie", "Es", "Wir",
    "Ihr", "Ihre", "Ihren", "Ihrem", "Man", "Mein", "Meine", "Meinen", "Meinem", "Dein", "Deine", "Sein", "Seine", "Seinen", "Seinem", "Unser", "Unsere",
    "Euer", "Eure", "Mir", "Mich", "Dir", "Dich", "Ihm", "Ihn", "Ihnen", "Uns", "Euch", "Wer", "Was", "Wem", "Wen", "Wo", "Wie", "Wann", "Warum",
    "Weshalb", "Wieso", "Woher", "Wohin", "Womit", "Welche", "Welcher", "Welches", "In", "Im", "Am", "An", "Auf", "Aus", "Bei", "Beim", "Mit",
    "Nach", "Von", "Vom", "Vor", "Zu", "Zum", "Zur", "Über", "Unter", "Um", "Für", "Gegen", "Ohne", "Durch", "Seit", "Während", "Wegen", "Trotz",
    "Bis", "Ab", "Neben", "Zwischen", "Hinter", "Innerhalb", "Außerhalb", "Anhand", "Aufgrund", "Anstatt", "Statt", "Laut", "Gemäß", "Und", "Oder",
    "Aber", "Doch", "Denn", "Sondern", "Wenn", "Weil", "Dass", "Daß", "Ob", "Als", "Da", "Obwohl", "Nachdem", "Bevor", "Sobald", "Solange", "Falls",
    "Damit", "Indem", "Sofern", "Soweit", "So", "Auch", "Nur", "Noch", "Schon", "Nun", "Jetzt", "Dann", "Danach", "Dabei", "Dadurch", "Dafür",
    "Dagegen", "Daher", "Dahin", "Daneben", "Daran", "Darauf", "Daraus", "Darin", "Darüber", "Darum", "Darunter", "Davon", "Davor", "Dazu", "Deshalb",
    "Deswegen", "Dennoch", "Trotzdem", "Außerdem", "Zudem", "Ferner", "Weiter", "Weitere", "Weiterhin", "Hier", "Hierbei", "Hierzu", "Hierfür", "Dort",
    "Heute", "Gestern", "Morgen", "Früher", "Später", "Zuerst", "Zunächst", "Schließlich", "Zuletzt", "Endlich", "Allerdings", "Jedoch", "Insgesamt",
    "Vielleicht", "Leider", "Natürlich", "Eigentlich", "Besonders", "Bereits", "Immer", "Nie", "Oft", "Manchmal", "Zwar", "Sowohl", "Weder", "Entweder",
    "Bitte", "Ja", "Nein", "Nicht", "Nichts", "Etwas", "Jemand", "Niemand", "Ist", "Sind", "War", "Hat", "Haben", "Kann", "Kommen", "Gibt",
    "The", "This", "That", "These", "Those", "It", "He", "She", "We", "They", "You", "There", "However", "If", "When", "For", "On", "At", "By", "And",
    "But", "As", "To", "From", "With", "A", "Our", "His", "Her", "Their", "Its", "After", "Before", "Since", "While", "Although", "Thus",
];
