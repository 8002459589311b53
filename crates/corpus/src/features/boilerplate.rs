//! Decides which blocks are boilerplate: navigation, legal lines and other furniture.
//!
//! Nothing is left out because of it; the class is kept with the block, with its ground. A block is
//! judged by itself first: its place in the page, how much of it is links, how long it is, and how
//! many function words (articles, prepositions, pronouns) hold it together, which prose has and menus
//! have not. What is too short to be judged follows its neighbours, as its surroundings tell more
//! than itself. The idea is that of jusText (Pomikálek 2011); the rules are our own.

use super::style::Style;
use auslese_markup::{BlockKind, Place, TextBlock};
use serde::{Deserialize, Serialize};

/// How many undecided blocks in a row may follow a neighbour. A heading with its lines is closer
/// to the text than this; a long list of short lines is none.
pub const MAX_NEIGHBOURS: usize = 8;

/// Why a block is boilerplate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boilerplate {
    /// It stands in navigation, header, footer or an aside.
    Place,
    /// Most of it is links.
    Links,
    /// It is long, yet no prose in a language we know the function words of.
    FewFunctionWords,
    /// It is short, and so are its surroundings or they are boilerplate.
    Neighbours,
}

/// The share of link text from which a block is a menu.
const MOSTLY_LINKS: f64 = 0.5;

/// The same for blocks without function words.
const MANY_LINKS: f64 = 0.3;

/// Characters from which a block can be judged by its words.
const LONG: u32 = 60;

/// Characters from which it is expected to have function words.
const VERY_LONG: u32 = 200;

/// Prose has some 40 % of function words in German and English, tables of contents below 10 %.
const PROSE: f64 = 0.15;

/// The grounds in the order of the blocks; none for text proper.
pub(super) fn classify(blocks: &[TextBlock], styles: &[Style]) -> Vec<Option<Boilerplate>> {
    let alone: Vec<Judged> =
        blocks.iter().zip(styles).map(|(block, style)| judge(block, style)).collect();
    let before = neighbours(alone.iter());
    let mut after = neighbours(alone.iter().rev());
    after.reverse();
    let has_text = alone.contains(&Judged::Text);
    let judged = alone.iter().zip(blocks).zip(before.into_iter().zip(after));
    judged
        .map(|((judged, block), (before, after))| match judged {
            Judged::Text => None,
            Judged::Boilerplate(ground) => Some(*ground),
            Judged::Short => follow(block, before, after, has_text),
        })
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judged {
    Text,
    Boilerplate(Boilerplate),
    Short,
}

fn judge(block: &TextBlock, style: &Style) -> Judged {
    let share = f64::from(style.function_words) / f64::from(style.words.max(1));
    let density = block.link_density();
    let is_prose = block.characters >= LONG && share >= PROSE && density < MANY_LINKS;
    let in_furniture = matches!(block.place, Place::Navigation | Place::Footer | Place::Aside);
    if in_furniture && !(is_prose && block.place == Place::Aside) {
        Judged::Boilerplate(Boilerplate::Place)
    } else if density > MOSTLY_LINKS {
        Judged::Boilerplate(Boilerplate::Links)
    } else if is_prose {
        Judged::Text
    } else if block.characters >= VERY_LONG && !is_latin(&block.text) {
        // The lists know Latin scripts only; others are judged by length and links.
        Judged::Text
    } else if block.characters >= VERY_LONG && density > MANY_LINKS {
        Judged::Boilerplate(Boilerplate::Links)
    } else if block.characters >= VERY_LONG && block.kind != BlockKind::Preformatted {
        Judged::Boilerplate(Boilerplate::FewFunctionWords)
    } else {
        Judged::Short
    }
}

/// Whether at least half of the first letters are Latin.
fn is_latin(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).take(100);
    let (latin, all) = letters
        .fold((0, 0), |(latin, all), letter| (latin + u32::from(letter < '\u{250}'), all + 1));
    latin * 2 >= all
}

/// For each block the nearest one before it that was judged by itself.
fn neighbours<'j>(judged: impl Iterator<Item = &'j Judged>) -> Vec<Option<Judged>> {
    let mut last = None;
    let mut distance = 0;
    judged
        .map(|judged| {
            distance += 1;
            let near = last.filter(|_| distance <= MAX_NEIGHBOURS);
            if *judged != Judged::Short {
                (last, distance) = (Some(*judged), 0);
            }
            near
        })
        .collect()
}

fn follow(
    block: &TextBlock,
    before: Option<Judged>,
    after: Option<Judged>,
    has_text: bool,
) -> Option<Boilerplate> {
    let is_text = |judged| judged == Some(Judged::Text);
    let is_furniture = |judged| matches!(judged, Some(Judged::Boilerplate(_)));
    let is_title = block.kind == BlockKind::Heading(1) && block.place == Place::Main;
    let kept = if is_text(before) && is_text(after) || is_title && block.link_characters == 0 {
        true
    } else if matches!(block.kind, BlockKind::Heading(_)) {
        // A heading belongs to what follows it.
        is_text(after) || !is_furniture(after) && block.link_characters == 0
    } else if is_text(before) || is_text(after) {
        ends_like_sentence(&block.text) || block.link_characters == 0 && block.characters < LONG
    } else if is_furniture(before) || is_furniture(after) {
        ends_like_sentence(&block.text) && block.link_characters == 0
    } else {
        // Far from anything that could be judged: a short page, or a long list.
        !has_text || ends_like_sentence(&block.text)
    };
    (!kept).then_some(Boilerplate::Neighbours)
}

fn ends_like_sentence(text: &str) -> bool {
    let bare = text.trim_end_matches(['"', '“', '”', '»', '«', ')', '\'', '’']);
    bare.ends_with(['.', '!', '?', '…', ':', ';']) && text.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    const PROSE: &str = "Das Institut für Sprache wurde in den fünfziger Jahren von einer Gruppe \
                         junger Leute gegründet, die mit der Lage der Dinge nicht zufrieden war.";

    fn check(html: &str) -> Vec<Option<Boilerplate>> {
        let blocks = parse(html.as_bytes(), None).blocks();
        let styles: Vec<Style> =
            blocks.iter().map(|block| Style::of(block, &mut Vec::new())).collect();
        classify(&blocks, &styles)
    }

    #[test]
    fn grounds() {
        use Boilerplate::{FewFunctionWords, Links, Neighbours, Place};
        let terms = "Kontakt Impressum Sitemap Suche Hilfe Startseite ".repeat(6);
        #[rustfmt::skip]
        let cases = [
            (format!("<h1>Titel</h1><p>{PROSE}"),                        vec![None, None]),
            (format!("<nav><p>{PROSE}</nav><p>{PROSE}"),                 vec![Some(Place), None]),
            (format!("<p><a href=x>Start</a> | <a href=y>Hilfe</a><p>{PROSE}"), vec![Some(Links), None]),
            (format!("<p>{terms}"),                                      vec![Some(FewFunctionWords)]),
            (format!("<p>{PROSE}<p>Ein kurzer.<p>{PROSE}"),              vec![None, None, None]),
            (format!("<ul><li><a href=x>Start</a><li>Aktuell<li><a href=y>Hilfe</a></ul><p>{PROSE}"),
                vec![Some(Links), Some(Neighbours), Some(Links), None]),
            (format!("<h1>Titel</h1><p><a href=x>Teilen</a><p>{PROSE}"), vec![None, Some(Links), None]),
            ("<p>Kurz.".to_owned(),                                      vec![None]),
            ("<h1>Seite</h1><p>im Aufbau".to_owned(),                    vec![None, None]),
            (format!("<p>{}", "слово и дело ".repeat(30)),               vec![None]),
        ];
        for (html, expected) in cases {
            assert_eq!(check(&html), expected, "{html}");
        }
    }
}
