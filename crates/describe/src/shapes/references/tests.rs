use super::*;
use proptest::prelude::*;

#[test]
fn entries() {
    #[rustfmt::skip]
    let cases: &[(&str, &[&str], u16, &str)] = &[
        ("Müller, H. (1998): Lineare Algebra. Berlin: Springer.",
         &["H. Müller"], 1998, "Lineare Algebra"),
        ("Müller, Hans; Meier, Eva (1998): Lineare Algebra. Eine Einführung. Berlin: Springer.",
         &["Hans Müller", "Eva Meier"], 1998, "Lineare Algebra"),
        ("[12] H. Müller, K. Meier: Über die Nullstellen. Math. Zeitschrift 3 (1998), 1–20.",
         &["H. Müller", "K. Meier"], 1998, "Über die Nullstellen"),
        ("H. Müller und K. Meier: Über die Nullstellen. Springer, Berlin 1998.",
         &["H. Müller", "K. Meier"], 1998, "Über die Nullstellen"),
        ("3. Smith, J., & Jones, A. B. (2004). On zeros of things. Journal of Things, 3(2), 1-20.",
         &["J. Smith", "A. B. Jones"], 2004, "On zeros of things"),
        ("J. Smith and A. Jones, “On zeros of things,” J. Things, vol. 3, pp. 1–20, 2004.",
         &["J. Smith", "A. Jones"], 2004, "On zeros of things"),
        ("Hans Müller: „Über die Nullstellen“. In: Eva Meier (Hrsg.): Festschrift. Ulm 1998, S. 3–20.",
         &["Hans Müller"], 1998, "Über die Nullstellen"),
        ("[Mül98] Hans Müller. Über die Nullstellen. Dissertation, Universität Ulm, 1998.",
         &["Hans Müller"], 1998, "Über die Nullstellen"),
        ("Dupont, H. et Martin, J. (2001) : Les zéros des choses. Paris, Seuil.",
         &["H. Dupont", "J. Martin"], 2001, "Les zéros des choses"),
        ("Müller, Hans (Hrsg.) (1998): Handbuch der Nullstellen. Ulm: Verlag Beispiel.",
         &["Hans Müller"], 1998, "Handbuch der Nullstellen"),
        ("Shear NH, Spielberg SP. Hypersensitivity syndrome. In vitro. J Clin. 1988;82(6):1826.",
         &["NH Shear", "SP Spielberg"], 1988, "Hypersensitivity syndrome"),
        ("Su S-C, Hung S-I. Digging up the human genome. Hum Gen. 2014;3:1-20.",
         &["S-C Su", "S-I. Hung"], 2014, "Digging up the human genome"),
        ("Gebhardt, Wolfgang: Geschichte des Lastwagens, Bd. 2a und 2b. Augsburg, 1994",
         &["Wolfgang Gebhardt"], 1994, "Geschichte des Lastwagens, Bd. 2a und 2b"),
        ("Aeppli M., Giroud S., Hofstetter T.B. (2022): Controls on rates of reduction, Proc. Natl. 119.",
         &["M. Aeppli", "S. Giroud", "T.B. Hofstetter"], 2022, "Controls on rates of reduction, Proc"),
        ("Gebhardt, Wolfgang: Lastwagen und Zugmaschinen 1903 bis 1971. Stuttgart 2007",
         &["Wolfgang Gebhardt"], 2007, "Lastwagen und Zugmaschinen 1903 bis 1971"),
        ("Mathieu, Axel: Lastwagen im Wandel. Ulm 1998. Online, abgerufen am 29.09.2021",
         &["Axel Mathieu"], 1998, "Lastwagen im Wandel"),
        ("Robert Gasch, Jochen Twele: Windkraftanlagen. Grundlagen, Entwurf, Planung, 2005",
         &["Robert Gasch", "Jochen Twele"], 2005, "Windkraftanlagen"),
    ];
    for (text, authors, year, title) in cases {
        let entry = reference(text).unwrap_or_else(|| panic!("no entry: {text}"));
        assert_eq!(entry.authors, *authors, "{text}");
        assert_eq!(entry.year, Some(*year), "{text}");
        assert_eq!(entry.title.as_deref(), Some(*title), "{text}");
    }
}

#[test]
fn no_entries() {
    let cases = [
        "",
        "Kontakt",
        "Mathias Flückiger: Vertragsverlängerung bis 2024",
        "Eva Meier in „Die große Anstalt“ vom 26.05.2015 über Dienste",
        "Von Eva Meier, am Mittwoch, 15. Mai 2019, 08.07 Uhr",
        "By Eva Meier, June 12, 2020 9:49 am, Updated: Aug. 18, 2020 4:17 pm EST",
        "Last Modified: Feb 18, 2020 by the people",
        "Eva Meier, geboren 1926, ist bekannt für ihre scharfsichtigen Satiren.",
        "Eva Meier",
        "Die Universität Ulm wurde 1967 gegründet und liegt auf dem Oberen Eselsberg.",
        "Im Jahr 1998 erschien ein Buch, das alles änderte, und niemand las es.",
        "Müller, H.: Ein Buch ohne Jahr. Berlin: Springer Verlag.",
        "Impressum | Datenschutz | Kontakt | © 2004 Universität Ulm, alle Rechte",
        "Startseite, Forschung, Lehre, Personen, Kontakt 2004 und mehr davon",
    ];
    for text in cases {
        assert_eq!(reference(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text(text in "\\PC{0,300}|[A-Z][a-z]{2,8}, [A-Z]\\. \\([0-9]{4}\\)[:.] \\PC{0,80}") {
        if let Some(entry) = reference(&text) {
            prop_assert!(!entry.authors.is_empty());
            prop_assert!(entry.year.is_some());
        }
    }
}
