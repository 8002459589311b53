//! Where titles are put together: at bars, dashes, colons and the like.

/// Separators looked at from each end of a title; more than a few are a list, not a title.
const MAX_CUTS: usize = 8;

/// A title in two: what may belong to the site, and what may belong to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut<'a> {
    pub(super) part: &'a str,
    pub(super) rest: &'a str,
}

/// What stands before a separator, the shortest first.
pub(super) fn beginnings(title: &str) -> impl Iterator<Item = Cut<'_>> {
    let cut = |(start, end): (usize, usize)| Cut { part: &title[..start], rest: &title[end..] };
    separators(title).take(MAX_CUTS).map(cut)
}

/// What stands behind a separator, the shortest first.
pub(super) fn endings(title: &str) -> impl Iterator<Item = Cut<'_>> {
    let cut = |(start, end): (usize, usize)| Cut { part: &title[end..], rest: &title[..start] };
    let all: Vec<(usize, usize)> = separators(title).collect();
    all.into_iter().rev().take(MAX_CUTS).map(cut)
}

/// Where separators stand, with the white space around them. A dash, colon or slash counts only with
/// white space beside it, since it may also be part of a word, a time or a path.
fn separators(title: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut rest = title.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (start, first) = rest.find(|(_, letter)| is_gap(*letter))?;
            let mut run = vec![first];
            let mut end = start + first.len_utf8();
            while let Some((at, letter)) = rest.next_if(|(_, letter)| is_gap(*letter)) {
                run.push(letter);
                end = at + letter.len_utf8();
            }
            if separates(&run) && start > 0 && end < title.len() {
                return Some((start, end));
            }
        }
    })
}

fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || is_separator(letter)
}

fn is_separator(letter: char) -> bool {
    matches!(
        letter,
        '|' | '-'
            | '–'
            | '—'
            | '―'
            | ':'
            | '»'
            | '«'
            | '·'
            | '•'
            | '/'
            | '>'
            | '<'
            | '›'
            | '‹'
            | '~'
            | '¦'
    )
}

fn separates(run: &[char]) -> bool {
    let marks: Vec<char> = run.iter().copied().filter(|it| is_separator(*it)).collect();
    let spaced = run.iter().any(|it| it.is_whitespace());
    match marks.as_slice() {
        [] => false,
        ['|' | '¦', ..] | [':', ':', ..] => true,
        // A colon stands at the word before it.
        [':'] => run.last().is_some_and(|it| it.is_whitespace()),
        _ => spaced && run.first().is_some_and(|it| it.is_whitespace()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles_come_apart_at_separators() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 8] = [
            ("Kontakt | Institut | Uni",        &["Uni", "Institut | Uni"]),
            ("Kontakt|Uni",                     &["Uni"]),
            ("Uni Gießen: Kontakt",             &["Kontakt"]),
            ("Um 10:30 Uhr per E-Mail",         &[]),
            ("A/B-Test – Blog",                 &["Blog"]),
            ("Blog :: 2004 >> März",            &["März", "2004 >> März"]),
            ("| Rand |",                        &[]),
            ("",                                &[]),
        ];
        for (title, expected) in cases {
            let found: Vec<&str> = endings(title).map(|it| it.part).collect();
            assert_eq!(found, expected, "{title}");
        }
        let cut = beginnings("Uni: Kontakt - 1").nth(1).expect("two separators");
        assert_eq!(cut, Cut { part: "Uni: Kontakt", rest: "1" });
    }

    proptest! {
        #[test]
        fn any_title_can_be_cut(title in "[ab:|–/ \u{a0}-]{0,30}|.{0,30}") {
            for cut in beginnings(&title).chain(endings(&title)) {
                prop_assert!(title.len() > cut.part.len() + cut.rest.len());
            }
        }
    }
}
