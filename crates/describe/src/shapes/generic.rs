//! Titles that say nothing.

use super::similarity::comparable;
use super::word_file::WordFile;
use std::sync::LazyLock;

static GENERIC: LazyLock<WordFile> = LazyLock::new(|| {
    let text = include_str!("../../data/generic-titles.txt");
    let comparable_lines: Vec<String> = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .map(|line| match line.trim().strip_suffix('*') {
            // The space before the star stays, so that "404 *" is not the beginning of "4040".
            Some(beginning) => format!("{} *", comparable(beginning)),
            None => comparable(line),
        })
        .collect();
    WordFile::parse(&comparable_lines.join("\n"))
});

/// Whether a title is one that pages bear which nobody titled: "Home", "Untitled Document",
/// "Neue Seite 1", "404 Not Found", "Microsoft Word - …". Also if it has no letters at all.
///
/// ```
/// use auslese_describe::is_generic_title;
/// assert!(is_generic_title("Startseite"));
/// assert!(is_generic_title("Microsoft Word - brief.doc"));
/// assert!(!is_generic_title("Startseiten im Vergleich"));
/// ```
pub fn is_generic_title(title: &str) -> bool {
    let title = comparable(title);
    !title.chars().any(char::is_alphabetic) && !title.contains(|letter: char| !letter.is_ascii())
        || GENERIC.has(&title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        #[rustfmt::skip]
        let cases = [
            ("Home",                                  true),
            (" START-SEITE ",                         false),
            ("Startseite",                            true),
            ("Untitled Document",                     true),
            ("Untitled-1",                            true),
            ("Neue Seite 1",                          true),
            ("Neue Seite",                            true),
            ("Unbenanntes Dokument",                  true),
            ("Index of /pub/mirror",                  true),
            ("Index of economic freedom",             true),
            ("Indexierung von Texten",                false),
            ("Microsoft Word - Antrag.doc",           true),
            ("404 Not Found",                         true),
            ("404 - Seite nicht gefunden",            true),
            ("4040 Schritte",                         false),
            ("Über uns",                              true),
            ("UEBER UNS",                             true),
            ("Über uns Menschen",                     false),
            ("Willkommen bei Familie Meier",          true),
            ("Willkommenskultur",                     false),
            ("123",                                   true),
            ("---",                                   true),
            ("",                                      true),
            ("数学",                                   false),
            ("Главная",                               true),
            ("Sans titre",                            true),
            ("Einführung in die Algebra",             false),
        ];
        for (title, expected) in cases {
            assert_eq!(is_generic_title(title), expected, "{title}");
        }
    }
}
