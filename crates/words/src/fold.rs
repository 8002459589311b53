//! One spelling for what people write in several ways.
//!
//! German words decide what happens to umlauts: `ä` is `ae`, because that is how it is written
//! where there are no umlauts. Other accents are dropped (`é` is `e`), strokes and ligatures are
//! written as usual in ASCII (`ł` is `l`, `ø` and `œ` are `oe`, `æ` is `ae`, `þ` is `th`). A letter
//! with combining marks folds like the same letter in one piece. Scripts other than Latin, digits
//! and punctuation stay.

/// Lower case, with umlauts written out and other accents dropped.
///
/// The price of one rule for all languages: a diaeresis over `a`, `o` or `u` always counts as an
/// umlaut. Folding twice changes nothing.
///
/// ```
/// use auslese_words::fold;
///
/// assert_eq!(fold("Universität GIESSEN"), fold("UNIVERSITAET Gießen"));
/// assert_eq!(fold("Université de Neuchâtel"), "universite de neuchatel");
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_onto(text, &mut folded);
    folded
}

/// The same, behind what is already there: for those who fold many words into one place.
pub fn fold_onto(text: &str, folded: &mut String) {
    let start = folded.len();
    if text.is_ascii() {
        folded.push_str(text);
        folded[start..].make_ascii_lowercase();
        return;
    }
    for letter in text.chars() {
        match letter {
            letter if letter.is_ascii() => folded.push(letter.to_ascii_lowercase()),
            // The letters of German, without looking for their lower case.
            'ä' | 'Ä' => folded.push_str("ae"),
            'ö' | 'Ö' => folded.push_str("oe"),
            'ü' | 'Ü' => folded.push_str("ue"),
            'ß' => folded.push_str("ss"),
            letter => letter.to_lowercase().for_each(|letter| push_lower(letter, start, folded)),
        }
    }
}

/// One lower-case letter, behind those of its text, which begins at `start`.
fn push_lower(letter: char, start: usize, folded: &mut String) {
    match letter {
        letter if letter.is_ascii() => folded.push(letter),
        UMLAUT_MARK if folded[start..].ends_with(['a', 'o', 'u']) => folded.push('e'),
        letter if is_mark(letter) => {}
        letter => match in_ascii(letter) {
            "" => folded.push(letter),
            ascii => folded.push_str(ascii),
        },
    }
}

/// The combining diaeresis: `a` followed by it is another way to write `ä`.
const UMLAUT_MARK: char = '\u{308}';

/// Marks that combine with the letter before them.
pub(crate) fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

/// How a lower-case Latin letter beyond ASCII is written in ASCII; empty for all others.
#[rustfmt::skip]
fn in_ascii(letter: char) -> &'static str {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ǡ' | 'ǻ' | 'ȁ' | 'ȃ' | 'ȧ' | 'ḁ' | 'ạ' | 'ả' | 'ấ' | 'ầ' | 'ẩ' | 'ẫ' | 'ậ' | 'ắ' | 'ằ' | 'ẳ' | 'ẵ' | 'ặ' => "a",
        'ä' | 'ǟ' | 'æ' | 'ǣ' | 'ǽ' => "ae",
        'ḃ' | 'ḅ' | 'ḇ' => "b",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' | 'ḉ' => "c",
        'ď' | 'ḋ' | 'ḍ' | 'ḏ' | 'ḑ' | 'ḓ' | 'ð' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ȅ' | 'ȇ' | 'ȩ' | 'ḕ' | 'ḗ' | 'ḙ' | 'ḛ' | 'ḝ' | 'ẹ' | 'ẻ' | 'ẽ' | 'ế' | 'ề' | 'ể' | 'ễ' | 'ệ' => "e",
        'ḟ' => "f",
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' | 'ǧ' | 'ǵ' | 'ḡ' => "g",
        'ĥ' | 'ȟ' | 'ḣ' | 'ḥ' | 'ḧ' | 'ḩ' | 'ḫ' | 'ẖ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ǐ' | 'ȉ' | 'ȋ' | 'ḭ' | 'ḯ' | 'ỉ' | 'ị' | 'ı' => "i",
        'ĳ' => "ij",
        'ĵ' | 'ǰ' => "j",
        'ķ' | 'ǩ' | 'ḱ' | 'ḳ' | 'ḵ' | 'ĸ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ḷ' | 'ḹ' | 'ḻ' | 'ḽ' | 'ŀ' | 'ł' => "l",
        'ḿ' | 'ṁ' | 'ṃ' => "m",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ǹ' | 'ṅ' | 'ṇ' | 'ṉ' | 'ṋ' | 'ŋ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ǒ' | 'ǫ' | 'ǭ' | 'ȍ' | 'ȏ' | 'ȭ' | 'ȯ' | 'ȱ' | 'ṍ' | 'ṑ' | 'ṓ' | 'ọ' | 'ỏ' | 'ố' | 'ồ' | 'ổ' | 'ỗ' | 'ộ' | 'ớ' | 'ờ' | 'ở' | 'ỡ' | 'ợ' => "o",
        'ö' | 'ȫ' | 'ṏ' | 'ø' | 'ǿ' | 'œ' => "oe",
        'ṕ' | 'ṗ' => "p",
        'ŕ' | 'ŗ' | 'ř' | 'ȑ' | 'ȓ' | 'ṙ' | 'ṛ' | 'ṝ' | 'ṟ' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ṡ' | 'ṣ' | 'ṥ' | 'ṧ' | 'ṩ' | 'ſ' | 'ẛ' => "s",
        'ß' | 'ẞ' => "ss",
        'ţ' | 'ť' | 'ț' | 'ṫ' | 'ṭ' | 'ṯ' | 'ṱ' | 'ẗ' | 'ŧ' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ǔ' | 'ȕ' | 'ȗ' | 'ṳ' | 'ṵ' | 'ṷ' | 'ṹ' | 'ụ' | 'ủ' | 'ứ' | 'ừ' | 'ử' | 'ữ' | 'ự' => "u",
        'ü' | 'ǖ' | 'ǘ' | 'ǚ' | 'ǜ' | 'ṻ' => "ue",
        'ṽ' | 'ṿ' => "v",
        'ŵ' | 'ẁ' | 'ẃ' | 'ẅ' | 'ẇ' | 'ẉ' | 'ẘ' => "w",
        'ẋ' | 'ẍ' => "x",
        'ý' | 'ÿ' | 'ŷ' | 'ȳ' | 'ẏ' | 'ẙ' | 'ỳ' | 'ỵ' | 'ỷ' | 'ỹ' => "y",
        'ź' | 'ż' | 'ž' | 'ẑ' | 'ẓ' | 'ẕ' => "z",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings() {
        #[rustfmt::skip]
        let cases = [
            ("Universität Gießen",      "universitaet giessen"),
            ("ÄÖÜ äöü ß ẞ",             "aeoeue aeoeue ss ss"),
            ("Universita\u{308}t",      "universitaet"),
            ("A\u{308}rzte",            "aerzte"),
            ("E\u{301}cole",            "ecole"),
            ("École Noël Façade",       "ecole noel facade"),
            ("Łódź Søren Århus Œuvre",  "lodz soeren arhus oeuvre"),
            ("İstanbul ı",              "istanbul i"),
            ("ﬁne ſtreet",              "fine street"),
            ("Trường Đại học",          "truong dai hoc"),
            ("TU-Berlin, (FH) & Co.",   "tu-berlin, (fh) & co."),
            ("ΑΘΗΝΑ Москва 東京",        "αθηνα москва 東京"),
            ("\u{308}a",                "a"),
            ("",                        ""),
        ];
        for (text, expected) in cases {
            assert_eq!(fold(text), expected, "{text}");
        }
    }

    #[test]
    fn whole_letters_fold_as_their_parts() {
        #[rustfmt::skip]
        let cases = [
            ('ä', "a\u{308}"), ('ǟ', "a\u{308}\u{304}"), ('ṏ', "o\u{303}\u{308}"),
            ('ü', "u\u{308}"), ('ệ', "e\u{323}\u{302}"), ('ç', "c\u{327}"),
            ('ñ', "n\u{303}"), ('å', "a\u{30a}"), ('ő', "o\u{30b}"), ('ǿ', "ø\u{301}"),
        ];
        for (whole, parts) in cases {
            assert_eq!(fold(&whole.to_string()), fold(parts), "{whole}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,60}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn case_and_umlauts_do_not_matter(text in "[a-zA-ZäöüÄÖÜß ,.-]{0,60}") {
            let written_out = text
                .replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss")
                .replace('Ä', "Ae").replace('Ö', "Oe").replace('Ü', "Ue");
            prop_assert_eq!(fold(&text), fold(&written_out));
            prop_assert_eq!(fold(&text), fold(&text.to_uppercase()));
        }
    }
}
