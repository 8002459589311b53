//! Reasons on German pages.
//!
//! A reason is stored as the sentence that a stage wrote, in English, and names, numbers and addresses stand in it. On
//! German pages its fixed words are put into German by the table below; the rest stays as it was written, and a reason
//! without a word of the table is marked as English, so that screen readers speak it well.

use crate::tongue::Tongue;
use crate::view::View;
use maud::{Markup, html};
use std::borrow::Cow;

/// A reason as the reader of the page understands it best.
pub(crate) fn reason(view: &View, text: &str) -> Markup {
    match (view.tongue, german(text)) {
        (Tongue::German, Cow::Owned(german)) => html! { (german) },
        (Tongue::German, Cow::Borrowed(english)) => html! { span lang="en" { (english) } },
        (Tongue::English, _) => html! { (text) },
    }
}

/// A reason with its fixed words in German; borrowed if it has none.
pub(crate) fn german(text: &str) -> Cow<'_, str> {
    PHRASES.iter().fold(Cow::Borrowed(text), |text, (english, german)| {
        match text.contains(english) {
            true => Cow::Owned(text.replace(english, german)),
            false => text,
        }
    })
}

/// Longer phrases stand before those they contain.
#[rustfmt::skip]
const PHRASES: [(&str, &str); 62] = [
    // Of the corpus and its languages.
    ("nothing speaks against it",                       "nichts spricht dagegen"),
    ("language unclear: ",                              "Sprache unklar: "),
    ("with the words of links to it, ",                 "mit den Worten von Verweisen darauf "),
    (" of the words and ",                              " der Wörter und "),
    (" of their characters are in the list",            " ihrer Zeichen stehen in der Liste"),
    (": at least ",                                     ": mindestens "),
    (": between ",                                      ": zwischen "),
    (": below ",                                        ": unter "),
    ("fewer than ",                                     "weniger als "),
    (" words; ",                                        " Wörter; "),
    (", and the detector says ",                        ", und der Erkenner sagt "),
    (", but the detector says ",                        ", aber der Erkenner sagt "),
    (", although the detector says ",                   ", obwohl der Erkenner sagt "),
    ("the detector says ",                              "der Erkenner sagt "),
    ("was not asked for: not in scope: no rule accepts it", "nicht angefragt: nicht im Umfang: keine Regel nimmt es an"),
    ("was not asked for: robots.txt disallows it",      "nicht angefragt: robots.txt verbietet es"),
    ("was not asked for",                               "nicht angefragt"),
    ("asked for to steer the crawl",                    "angefragt, um die Ernte zu steuern"),
    ("left by the pattern ",                            "nicht behalten wegen des Musters "),
    ("kept by the pattern ",                            "behalten wegen des Musters "),
    ("only its header was archived",                    "nur der Kopf wurde archiviert"),
    ("the body is empty",                               "der Inhalt ist leer"),
    (" bytes, more than ",                              " Bytes, mehr als "),
    (" % the same as ",                                 " % gleich mit "),
    ("the same as ",                                    "dasselbe wie "),
    (" pages of the server have this structure",        " Seiten des Servers sind so aufgebaut"),
    // Of organisations and their hosts.
    ("under ",                                          "unter "),
    (", a domain of the organisation",                  ", einer Domain der Organisation"),
    ("no domain of the organisation",                   "keine Domain der Organisation"),
    ("no mail server of the organisation",              "kein Mailserver der Organisation"),
    ("no name server of the organisation",              "kein Nameserver der Organisation"),
    ("no name of the organisation",                     "kein Name der Organisation"),
    ("in no range of the organisation",                 "in keinem Bereich der Organisation"),
    (" of the organisation",                            " der Organisation"),
    ("imported as the organisation's own",              "eingelesen als Eigenes der Organisation"),
    ("brings names up, says nothing of who owns them",  "nennt Namen, sagt nichts darüber, wem sie gehören"),
    ("does not name the organisation",                  "nennt die Organisation nicht"),
    ("the organisation's own name server",              "der Organisation eigener Nameserver"),
    ("the organisation's own mail server",              "der Organisation eigener Mailserver"),
    ("the organisation's own name is not known",        "der eigene Name der Organisation ist nicht bekannt"),
    ("a name server in the organisation's range: ",     "ein Nameserver im Bereich der Organisation: "),
    ("in the organisation's range ",                    "im Bereich der Organisation "),
    ("not the organisation's address",                  "nicht die Anschrift der Organisation"),
    ("the organisation's address",                      "die Anschrift der Organisation"),
    ("also serves the organisation, but is not its own", "bedient auch die Organisation, ist aber nicht ihr eigener"),
    (" and was seen with another domain",               " und kam mit einer anderen Domain vor"),
    ("a name server ",                                  "ein Nameserver "),
    (" (one of ",                                       " (einer von "),
    (" (similarity ",                                   " (Ähnlichkeit "),
    (" (registrant)",                                   " (Inhaber)"),
    (" (administrative contact)",                       " (Verwaltungskontakt)"),
    ("an address that anybody can have",                "eine Adresse, wie jeder sie haben kann"),
    ("the registry knows no such domain",               "die Registratur kennt keine solche Domain"),
    ("hidden by the registry",                          "von der Registratur verborgen"),
    (", with postcode",                                 ", mit Postleitzahl"),
    ("mail domain",                                     "Mail-Domain"),
    ("nothing to compare",                              "nichts zu vergleichen"),
    ("all ranges of ",                                  "alle Bereiche von "),
    ("address of ",                                     "Adresse von "),
    (" of the name server ",                            " des Nameservers "),
    ("it is held by ",                                  "er gehört "),
    (", not by ",                                       ", nicht "),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_words_are_put_into_german_and_names_stay() {
        #[rustfmt::skip]
        let cases = [
            ("nothing speaks against it; de: 69.2 % of the words and 69.4 % of their characters are in the list: at least 60 %",
             "nichts spricht dagegen; de: 69.2 % der Wörter und 69.4 % ihrer Zeichen stehen in der Liste: mindestens 60 %"),
            ("www.uni.example, a domain of the organisation", "www.uni.example, einer Domain der Organisation"),
            ("ns2.uni.example (one of 2)", "ns2.uni.example (einer von 2)"),
            ("the same as http://uni.example/a of b", "dasselbe wie http://uni.example/a of b"),
        ];
        for (english, expected) in cases {
            assert_eq!(german(english), expected);
        }
        assert!(matches!(german("application/pdf"), Cow::Borrowed("application/pdf")));
    }

    #[test]
    fn no_phrase_hides_a_longer_one() {
        for (number, (short, _)) in PHRASES.iter().enumerate() {
            let hidden = PHRASES[number + 1..].iter().find(|(long, _)| long.contains(short));
            assert_eq!(hidden, None, "{short} is replaced before it");
        }
    }
}
