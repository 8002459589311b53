//! Names of persons in bylines of all kinds, and what only looks like one.

use super::*;
use proptest::prelude::*;

#[test]
fn bylines() {
    #[rustfmt::skip]
    let cases: &[(&str, &[&str])] = &[
        ("Eva Meier",                                   &["Eva Meier"]),
        ("Von Eva Meier",                               &["Eva Meier"]),
        ("von Eva Meier",                               &["Eva Meier"]),
        ("VON EVA MEIER",                               &["EVA MEIER"]),
        ("Von Eva Meier, Berlin",                       &["Eva Meier"]),
        ("Von Eva Meier und Karl Huber",                &["Eva Meier", "Karl Huber"]),
        ("Von Eva Meier, Karl Huber und Ute Frank",     &["Eva Meier", "Karl Huber", "Ute Frank"]),
        ("Von: Eva Meier",                              &["Eva Meier"]),
        ("Autor: Eva Meier",                            &["Eva Meier"]),
        ("Autorin: Dr. Eva Meier",                      &["Eva Meier"]),
        ("Autor:in Eva Meier",                          &["Eva Meier"]),
        ("Autor/in: Eva Meier",                         &["Eva Meier"]),
        ("Text: Eva Meier | Fotos: Karl Huber",         &["Eva Meier"]),
        ("Text und Fotos: Eva Meier",                   &["Eva Meier"]),
        ("Foto: Karl Huber",                            &[]),
        ("Name, Vorname:",                              &[]),
        ("© Bildagentur/Karl Huber",                    &[]),
        ("Photograph by Karl Huber, Some Programme",    &[]),
        ("Geschrieben vonEva Meier",                    &["Eva Meier"]),
        ("By Jane DoeburyStaff Writer",                 &["Jane Doebury"]),
        ("Ronald McDonald",                             &["Ronald McDonald"]),
        ("Ingo Arzt",                                   &["Ingo Arzt"]),
        ("Eva Meier Redakteurin",                       &["Eva Meier"]),
        ("By Jane Doe Updated May 06, 2019",            &["Jane Doe"]),
        ("Rasender Reporter",                           &[]),
        ("Von Eva Meier Lesezeit: 4 Min.",              &["Eva Meier"]),
        ("Weitere Artikel von Eva Meier",               &["Eva Meier"]),
        ("Eva Meier Eva Meier",                         &["Eva Meier"]),
        ("Eva Meier.",                                  &["Eva Meier"]),
        ("von Cortyn",                                  &[]),
        ("Ein Beitrag von Eva Meier",                   &["Eva Meier"]),
        ("Geschrieben von Eva Meier am 12.03.2004",     &["Eva Meier"]),
        ("Verfasst von Eva Meier - 12. März 2004",      &["Eva Meier"]),
        ("Eva Meier | 12.03.2004, 10:15 Uhr",           &["Eva Meier"]),
        ("Eva Meier, Redakteurin",                      &["Eva Meier"]),
        ("Eva Meier (dpa)",                             &["Eva Meier"]),
        ("Eva Meier/dpa",                               &["Eva Meier"]),
        ("Prof. Dr. Dr. h. c. mult. Eva Meier",         &["Eva Meier"]),
        ("Univ.-Prof. Dr.-Ing. habil. Eva Meier",       &["Eva Meier"]),
        ("Dipl.-Ing. Karl Huber, M.A.",                 &["Karl Huber"]),
        ("Karl Huber, PhD",                             &["Karl Huber"]),
        ("Mag. Karl Huber MBA",                         &["Karl Huber"]),
        ("Prof. Dr. O. Huber",                          &["O. Huber"]),
        ("K. Huber, U. Frank u. E. Meier",              &["K. Huber", "U. Frank", "E. Meier"]),
        ("M. Sc. Eva Meier, Karl Huber Ph. D.",         &["Eva Meier", "Karl Huber"]),
        ("cand. math. Eva Meier",                       &["Eva Meier"]),
        ("Eva Meier <eva@example.org>",                 &["Eva Meier"]),
        ("Eva Meier, eva.meier@example.org",            &["Eva Meier"]),
        ("Meier, Eva",                                  &["Eva Meier"]),
        ("Meier, Eva; Huber, Karl",                     &["Eva Meier", "Karl Huber"]),
        ("Meier, Eva und Huber, Karl",                  &["Eva Meier", "Karl Huber"]),
        ("Müller, H., Meier, K.-P.",                    &["H. Müller", "K.-P. Meier"]),
        ("von der Leyen, Ursula",                       &["Ursula von der Leyen"]),
        ("Ursula von der Leyen",                        &["Ursula von der Leyen"]),
        ("Von Ursula von der Leyen",                    &["Ursula von der Leyen"]),
        ("Eva Meier-Schulz und Seán O’Brien",           &["Eva Meier-Schulz", "Seán O’Brien"]),
        ("By Jane Doe",                                 &["Jane Doe"]),
        ("by Jane Doe and John Q. Public",              &["Jane Doe", "John Q. Public"]),
        ("Posted by Jane Doe on March 12, 2004",        &["Jane Doe"]),
        ("Written by Jane Doe, staff writer",           &["Jane Doe"]),
        ("By Jane Doe, Political Correspondent",        &["Jane Doe"]),
        ("J. R. R. Tolkien",                            &["J. R. R. Tolkien"]),
        ("Martin Luther King Jr.",                      &["Martin Luther King Jr."]),
        ("Eva Meier, Student Member, IEEE, Karl Huber, Member, IEEE, and Ute Frank", &["Eva Meier", "Karl Huber", "Ute Frank"]),
        ("Eva Meier, Life Fellow, IEEE",                &["Eva Meier"]),
        ("Eva Meier, Senior Member, IEEE and ACM, Karl Huber", &["Eva Meier", "Karl Huber"]),
        ("Eva Meier, Member, IEEE Computer Society, and Karl Huber", &["Eva Meier", "Karl Huber"]),
        ("Eva Meier, IEEE Fellow, Karl Huber, Fellow of the ASA", &["Eva Meier", "Karl Huber"]),
        ("EVA MEIER, FELLOW, OSA, AND KARL HUBER",      &["EVA MEIER", "KARL HUBER"]),
        ("Eva Meier, M.ASCE; Karl Huber, Mem. ASME",    &["Eva Meier", "Karl Huber"]),
        ("Eva Meier, Karl Huber, Graduate Student",     &["Eva Meier", "Karl Huber"]),
        ("Member, IEEE, Karl Huber, Senior",            &["Karl Huber"]),
        ("IEEE, Karl Huber",                            &["Karl Huber"]),
        ("Par Hélène Dupont",                           &["Hélène Dupont"]),
        ("Publié par Hélène Dupont et Jean Martin",     &["Hélène Dupont", "Jean Martin"]),
        ("Por María José García y Juan Pérez",          &["María José García", "Juan Pérez"]),
        ("di Paolo Rossi",                              &["Paolo Rossi"]),
        ("a cura di Paolo Rossi",                       &["Paolo Rossi"]),
        ("door Jan van den Berg",                       &["Jan van den Berg"]),
        ("Av Bjørn Åsen og Kari Lie",                   &["Bjørn Åsen", "Kari Lie"]),
        ("Автор: Иван Петров",                          &["Иван Петров"]),
        ("Γιώργος Παπαδόπουλος",                        &["Γιώργος Παπαδόπουλος"]),
        ("山田太郎",                                     &["山田太郎"]),
        ("Eva Meier, eva meier, EVA MEIER",             &["Eva Meier"]),
        ("John v. Berenberg-Consbruch",                 &["John v. Berenberg-Consbruch"]),
        ("Müller, H., K. Meier und P. Huber",           &["H. Müller", "K. Meier", "P. Huber"]),
        ("Rob Picheta, CNN",                            &["Rob Picheta"]),
        // Nobody
        ("Departement für Wirtschaft, Bildung und Forschung", &[]),
        ("Kirche und Leben, Münster, Germany",          &[]),
        ("",                                            &[]),
        ("Redaktion",                                   &[]),
        ("Von unserer Redaktion",                       &[]),
        ("admin",                                       &[]),
        ("Administrator",                               &[]),
        ("dpa",                                         &[]),
        ("dpa/AFP",                                     &[]),
        ("Die Redaktion",                               &[]),
        ("Team Öffentlichkeitsarbeit",                  &[]),
        ("Universität Ulm",                             &[]),
        ("Institut für Mathematik",                     &[]),
        ("Musterfirma GmbH",                            &[]),
        ("New York Times",                              &[]),
        ("12. März 2004",                               &[]),
        ("Freitag, 12. März 2004",                      &[]),
        ("Mehr lesen",                                  &[]),
        ("Read More",                                   &[]),
        ("Eva",                                         &[]),
        ("https://example.org/eva-meier",               &[]),
        ("Das Ergebnis der Wahl in der Stadt",          &[]),
        ("Guest Author",                                &[]),
        ("Kommentare (12)",                             &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(names(text), *expected, "{text}");
    }
}

#[test]
fn nicknames_where_a_name_must_stand() {
    #[rustfmt::skip]
    let cases: &[(&str, &[&str])] = &[
        ("Eva",                    &["Eva"]),
        ("Eva Meier",              &["Eva Meier"]),
        ("Meier, Eva",             &["Eva Meier"]),
        ("Frau Sabine",            &["Frau Sabine"]),
        ("von Cortyn",             &["Cortyn"]),
        ("Magazin / PP",           &[]),
        ("Redaktion",              &[]),
        ("admin",                  &[]),
        ("dpa",                    &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(names_or_nicknames(text), *expected, "{text}");
    }
}

#[test]
fn shapes_of_names() {
    #[rustfmt::skip]
    let cases = [
        ("Eva Meier",                           true),
        ("Karl-Heinz Müller-Lüdenscheidt",      true),
        ("Ludwig van Beethoven",                true),
        ("Vincent van Gogh",                    true),
        ("Osama bin Laden",                     true),
        ("Jean d'Alembert",                     true),
        ("Gabriel García Márquez",              true),
        ("De Gaulle Charles",                   true),
        ("H. Müller",                           true),
        ("URSULA VON DER LEYEN",                true),
        ("Eva Meier Dr. Karl Huber",            false),
        ("Am Speicher",                         false),
        ("Technischer Bericht",                 false),
        ("Der VON Meier",                       false),
        ("Jack London",                         true),
        ("John F. Kennedy",                     true),
        ("Eva",                                 false),
        ("eva meier",                           false),
        ("H. M.",                               false),
        ("Eva Meier 2",                         false),
        ("Eva_Meier X",                         false),
        ("in Eva Meier",                        false),
        ("Der Spiegel",                         false),
        ("Die Welt",                            false),
        ("spiegel.de Online",                   false),
        ("A B C D E F",                         false),
        ("Verlag Meier",                        false),
        ("Stadt Köln",                          false),
        ("Eva Meier hat recht",                 false),
        ("Montag Morgen",                       false),
    ];
    for (text, expected) in cases {
        assert_eq!(is_person_name(text), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_names_of_one_to_five_words(text in "\\PC{0,200}|([A-ZÄ][a-zß]{1,6}[ ,.;/-]{1,2}){0,20}") {
        for name in names(&text) {
            let words = name.split_whitespace().count();
            prop_assert!((1..=5).contains(&words), "{}", name);
            prop_assert!(!name.contains(|letter: char| letter.is_ascii_digit()), "{}", name);
        }
        names_or_nicknames(&text);
    }

    #[test]
    fn plain_names_are_found_behind_any_lead(given in "[B-KM-SU-Z][a-eg-ln-su-z]{3,7}ra", surname in "[B-KM-SU-Z][a-eg-ln-su-z]{3,7}lo") {
        let name = format!("{given} {surname}");
        prop_assume!(is_person_name(&name));
        for lead in ["", "Von ", "By ", "Autor: ", "Geschrieben von ", "Par "] {
            prop_assert_eq!(names(&format!("{lead}{name}")), [name.clone()]);
        }
    }
}
