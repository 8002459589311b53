//! Shows a [`WordDiff`] to people: as plain text, and as HTML.
//!
//! Plain text marks `[-removed-]` and `{+added+}` words, a notation known from `wdiff`. Long kept
//! stretches are cut to a few words of context; an ellipsis stands for what was left out.

use super::diff::{PieceKind, WordDiff};
use auslese_words::token_spans;

impl WordDiff {
    /// The changes with so many words of context on each side.
    pub fn text(&self, context: usize) -> String {
        let mut shown = String::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            let (space, text) = parted(&piece.text);
            // The space before the first piece is the margin of the text.
            let space = if at == 0 { "" } else { space };
            match piece.kind {
                PieceKind::Kept => {
                    shown.push_str(space);
                    shown.push_str(&excerpt(text, context, self.sides(at)));
                }
                PieceKind::Removed => shown.push_str(&format!("{space}[-{text}-]")),
                PieceKind::Added => shown.push_str(&format!("{space}{{+{text}+}}")),
            }
        }
        shown
    }

    /// The changes as HTML to be set into a page, with `del` and `ins`; line breaks are `br`. All
    /// text is escaped.
    pub fn html(&self, context: usize) -> String {
        let mut shown = String::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            let (space, text) = parted(&piece.text);
            let space = if at == 0 { "" } else { space };
            let (open, text, close) = match piece.kind {
                PieceKind::Kept => ("", excerpt(text, context, self.sides(at)), ""),
                PieceKind::Removed => ("<del>", text.to_owned(), "</del>"),
                PieceKind::Added => ("<ins>", text.to_owned(), "</ins>"),
            };
            for part in [&escaped(space), open, &escaped(&text), close] {
                shown.push_str(part);
            }
        }
        shown
    }

    /// On which sides of a kept piece there is a change that it gives context to.
    fn sides(&self, at: usize) -> Sides {
        Sides { before: at > 0, after: at + 1 < self.pieces.len() }
    }
}

#[derive(Clone, Copy)]
struct Sides {
    before: bool,
    after: bool,
}

/// The space before the text of a piece, and the text.
fn parted(text: &str) -> (&str, &str) {
    let rest = text.trim_start();
    text.split_at(text.len() - rest.len())
}

/// The words of a kept text that are next to a change.
fn excerpt(text: &str, context: usize, sides: Sides) -> String {
    let spans: Vec<_> = token_spans(text).collect();
    let wanted = context * (usize::from(sides.before) + usize::from(sides.after));
    if spans.len() <= wanted {
        return text.to_owned();
    }
    let head = match spans.get(context.wrapping_sub(1)) {
        Some(last) if sides.before => text[..last.end].to_owned() + " ",
        _ => String::new(),
    };
    let tail = match spans.len().checked_sub(context).and_then(|first| spans.get(first)) {
        Some(first) if sides.after => format!(" {}", &text[first.start..]),
        _ => String::new(),
    };
    format!("{head}…{tail}")
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push_str("<br>\n"),
            sign => escaped.push(sign),
        }
    }
    escaped
}
