//! The names of the months as European and some other languages write them in dates, that is, in
//! the genitive where there is one.

use auslese_words::fold;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Abbreviations that are everyday words too; they name a month only beside a day.
const EVERYDAY: [&str; 9] = ["out", "set", "mag", "gen", "lug", "dic", "may", "mar", "mart"];

/// Bytes of the longest name of a month; nothing longer is looked up.
const LONGEST: usize = 32;

/// The month of a word, with or without a final dot.
pub(crate) fn month(word: &str) -> Option<u8> {
    if word.len() > LONGEST {
        return None;
    }
    MONTHS.get(fold(word.trim_end_matches('.')).as_str()).copied()
}

/// The month of a word that stands before a year without a day.
pub(crate) fn month_alone(word: &str) -> Option<u8> {
    let capital = word.starts_with(char::is_uppercase);
    let everyday = || EVERYDAY.contains(&fold(word.trim_end_matches('.')).as_str());
    month(word).filter(|_| (capital && word.len() == 3) || !everyday())
}

static MONTHS: LazyLock<FxHashMap<String, u8>> = LazyLock::new(|| {
    let numbered = (1..).zip(NAMES);
    numbered
        .flat_map(|(month, names)| names.split_whitespace().map(move |name| (fold(name), month)))
        .collect()
});

/// German, English, Dutch, Danish, Norwegian, Swedish; French, Spanish, Catalan, Italian,
/// Portuguese, Romanian; Polish, Czech, Slovak, Slovene, Russian, Ukrainian; Greek, Turkish,
/// Finnish, Hungarian, Estonian, Lithuanian, Latvian, Indonesian.
const NAMES: [&str; 12] = [
    "Januar Jänner Jan Jän January januari janvier janv enero ene gener gennaio gen janeiro ianuarie \
     stycznia styczeń ledna leden januára januarja января январь янв січня Ιανουαρίου Ιαν Ocak \
     tammikuuta tammikuu január jaanuar sausio janvāris",
    "Februar Feber Feb Febr February februari février fevrier fevr fev febrero febrer febbraio febb \
     fevereiro februarie lutego luty února únor februára februarja февраля февраль фев лютого \
     Φεβρουαρίου Φεβ Şubat helmikuuta helmikuu február veebruar vasario februāris",
    "März Maerz Mär Mrz Mär March Mar maart mrt marts mars marzo març março martie marca marzec \
     března březen марта март мар березня Μαρτίου Μαρ Mart maaliskuuta maaliskuu március márc märts \
     kovo Maret",
    "April Apr avril avr abril abr aprile aprilie kwietnia kwiecień dubna duben apríla aprila апреля \
     апрель апр квітня Απριλίου Απρ Nisan huhtikuuta huhtikuu április ápr aprill balandžio aprīlis",
    "Mai May mei maj mayo maig maggio mag maio maja května květen mája мая май травня Μαΐου Μαΐ Μάιος \
     Mayıs toukokuuta toukokuu május máj gegužės maijs Mei",
    "Juni Jun June juin junio juny giugno giu junho iunie czerwca czerwiec června červen júna junija \
     июня июнь июн червня Ιουνίου Ιουν Haziran kesäkuuta kesäkuu június jún juuni birželio jūnijs",
    "Juli Jul July juillet juil julio juliol luglio lug julho iulie lipca lipiec července červenec \
     júla julija июля июль июл липня Ιουλίου Ιουλ Temmuz heinäkuuta heinäkuu július júl juuli liepos \
     jūlijs",
    "August Aug augusti augustus août aout agosto ago agost sierpnia sierpień srpna srpen augusta \
     avgusta августа август авг серпня Αυγούστου Αυγ Ağustos elokuuta elokuu augusztus aug \
     rugpjūčio augusts Agustus",
    "September Sep Sept septembre septiembre setiembre set settembre sett setembro setembre \
     septembrie września wrzesień září zářý septembra сентября сентябрь сен сент вересня Σεπτεμβρίου \
     Σεπ Eylül syyskuuta syyskuu szeptember szept rugsėjo septembris",
    "Oktober Okt October Oct octobre octubre octubre ottobre ott outubro out octombrie października \
     październik října říjen októbra oktobra октября октябрь окт жовтня Οκτωβρίου Οκτ Ekim lokakuuta \
     lokakuu október spalio oktoobris oktoober",
    "November Nov novembre noviembre novembro noiembrie listopada listopad listopadu novembra ноября \
     ноябрь ноя листопада Νοεμβρίου Νοε Kasım marraskuuta marraskuu lapkričio novembris",
    "Dezember Dez December Dec décembre déc diciembre dic desembre dicembre dezembro decembrie grudnia \
     grudzień prosince prosinec decembra декабря декабрь дек грудня Δεκεμβρίου Δεκ Aralık joulukuuta \
     joulukuu desember des detsember gruodžio decembris Desember",
];
