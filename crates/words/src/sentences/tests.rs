//! Sentences written for the purpose, with their boundaries marked by `|`.

use super::*;
use proptest::prelude::*;

/// Each line is a text in which `|` stands between sentences.
#[rustfmt::skip]
const MARKED: &[&str] = &[
    "Das ist ein Satz. | Das ist noch einer.",
    "Die Vorlesung beginnt am 3. Oktober um 10 Uhr. | Sie findet im Hörsaal 5 statt.",
    "Am 3. Tag regnete es. | Danach schien die Sonne.",
    "Im 19. Jahrhundert wurde z. B. die Eisenbahn erfunden.",
    "Im 19. Jh. lebte er in Ulm. | Dort starb er auch.",
    "Prof. Dr. Maier und Dipl.-Ing. Schulz leiten das Institut. | Frau Dr. phil. Weber ist krank.",
    "Äpfel, Birnen usw. werden verkauft.",
    "Es gibt Äpfel, Birnen usw. | Die Preise sind niedrig.",
    "Es gibt Äpfel usw. und Nüsse.",
    "d. h. man muss sich anmelden. | Das geht online.",
    "Er kam, d.h. er fuhr mit dem Zug. | Dann ging er.",
    "Vgl. Abb. 3 auf S. 12. | Sie zeigt den Aufbau.",
    "Kommen Sie mit? | Ja! | Gern.",
    "„Kommst du?“ fragte er. | „Nein.“ | Sie ging.",
    "„Kommst du mit?“, fragte er.",
    "Er sagte: „Ich komme.“ | Dann kam er.",
    "Friedrich II. von Preußen spielte Flöte. | Ludwig XIV. nicht.",
    "J. W. von Goethe wurde 1749 geboren. | Er starb 1832. | Schiller starb früher.",
    "Das Seminar fand 1999 statt. | 2000 gab es keines.",
    "Der Kurs kostet 3.50 Euro. | Er dauert 1.500 Minuten.",
    "Siehe www.uni-ulm.de und www.uni-giessen.de. | Dort steht mehr.",
    "Schreiben Sie an info@uni-ulm.de. | Wir antworten.",
    "Der Verein e. V. wurde gegründet. | Er hat 30 Mitglieder.",
    "Ich warte ... | Du kommst nicht.",
    "Ich warte … und warte.",
    "Was?! | Wirklich?!",
    "Das Wort (vgl. Kap. 2.3) ist alt. | (Es ist sehr alt.) | Niemand kennt es.",
    "Das kostet ca. 5 Mio. Euro. | Das ist viel.",
    "Das kostet ca. 5 Mio. | Das ist viel.",
    "Öffnungszeiten: Mo. bis Fr. von 8 bis 12 Uhr. | Tel. 0731 12345.",
    "Die Studierenden des 2. Semesters treffen sich am 1. April. | Alle anderen später.",
    "Laut Art. 5 Abs. 3 GG ist die Wissenschaft frei. | Fragen dieser Art. | Mehr nicht.",
    "Yahoo! ist eine Firma.",
    "Vitamin C. | Das ist gesund.",
    "Er arbeitet bei Müller & Co. | Die Firma ist alt.",
    "u. a. Sprachen und Mathematik",
    "Das gilt i. d. R. für alle. | Ausnahmen gibt es.",
    "Herr Müller, geb. 1950, wohnt in der Bahnhofstr. 12. | Er ist Lehrer.",
    "Punkt ohne Leerzeichen.Danach geht es weiter. | Schluss.",
    "Alles klar!!! | Bis morgen :-)",
    "Cäsar starb 44 v. Chr. in Rom. | Augustus folgte.",
    "Sie wurde am 12.3.1980 geboren. | Heute lebt sie in Köln.",
    "Er feiert seinen 100. Geburtstag. | Sie fährt einen Büssing 500. | Der ist rot.",
    "12. Eine Pause machen. | 13. Das Haus verlassen.",
    "Das Nds. Ministerium fördert die Schule.",
    "Das ist die 2. Auflage. | Die 1. Auflage ist vergriffen.",
    "Er wohnt im Zimmer 12. | Sie wohnt nebenan.",
    "This is a sentence by Mr. Smith. | It is short.",
    "Eine Zeile\nund ihre Fortsetzung. | Ende",
    "Zelle eins | Zelle zwei",
    "これは文です。 | もう一つ。",
];

fn text_and_parts(marked: &str) -> (String, Vec<&str>) {
    if marked.starts_with("Zelle") {
        return (marked.replace(" | ", "\t"), marked.split(" | ").collect());
    }
    (marked.replace(" | ", " "), marked.split(" | ").collect())
}

#[test]
fn boundaries() {
    let mut faults = Vec::new();
    for marked in MARKED {
        let (text, expected) = text_and_parts(marked);
        let found: Vec<&str> = sentences(&text).collect();
        if found != expected {
            faults.push(found.join(" | "));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn empty_lines_and_tabs_end_sentences() {
    let found: Vec<&str> = sentences("\n\n Titel\n\nein Satz\tnoch einer \n\n").collect();
    assert_eq!(found, ["Titel", "ein Satz", "noch einer"]);
}

#[test]
fn time_is_linear() {
    for piece in
        [".", "a.", "a. ", "z. B. ", "A. \"", "…", "1. ", "x\n", "?! ", "\u{3002}", "\u{E000}"]
    {
        let text = piece.repeat(300_000 / piece.len());
        assert!(sentences(&text).count() <= text.len(), "{piece}");
    }
}

proptest! {
    #[test]
    fn sentences_keep_all_but_white_space(text in "([A-Za-zÄ]{1,4}|[.!?…\"“„»() \\n\\t]|[0-9]|\\PC){0,60}") {
        let joined: String = sentences(&text).collect();
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(bare(&joined), bare(&text));
        prop_assert!(sentences(&text).all(|sentence| sentence == sentence.trim()));
    }
}
