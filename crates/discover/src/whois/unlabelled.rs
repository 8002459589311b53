//! Understands the two kinds of text that need no key: name servers listed behind the name of the
//! domain, and the holder at the head of an answer as on an envelope.

use super::hosts::host;
use super::keys::Roles;
use super::lines::{Line, Shape};

/// An envelope has at least so many lines, or it may be anything.
const MIN_ENVELOPE_LINES: usize = 3;
const MAX_ENVELOPE_LINES: usize = 8;
/// Its lines are short.
const MAX_ENVELOPE_BYTES: usize = 60;

#[derive(Debug, Default)]
pub(super) struct Unlabelled<'a> {
    /// The word before a host in the last line, and the host.
    listed: Option<(&'a str, String)>,
    /// The margin of the first line and the lines so far.
    envelope: Option<(usize, Vec<&'a str>)>,
}

impl<'a> Unlabelled<'a> {
    /// `example ns1.example.to`, twice at least with the same word.
    pub(super) fn servers(&mut self, line: &Line<'a>) -> Vec<String> {
        let mut words = line.text.split_whitespace();
        let entry = match (words.next(), words.next(), words.next()) {
            (Some(word), Some(server), None) if !word.contains('.') => {
                host(server).map(|host| (word, host))
            }
            _ => None,
        };
        let before = std::mem::replace(&mut self.listed, entry);
        match (before, &self.listed) {
            (Some((word, first)), Some((again, second))) if word == *again => {
                vec![first, second.clone()]
            }
            _ => Vec::new(),
        }
    }

    /// Takes a line that may be of an envelope: the first at the margin, the others deeper, all
    /// short.
    pub(super) fn see(&mut self, line: &Line<'a>, first: bool) {
        let fits = could_name_holder(line);
        self.envelope = match self.envelope.take() {
            _ if first && fits => Some((line.indent, vec![line.text])),
            Some((margin, mut lines))
                if fits && line.indent > margin && lines.len() < MAX_ENVELOPE_LINES =>
            {
                lines.push(line.text);
                Some((margin, lines))
            }
            _ => None,
        };
    }

    /// The lines of the envelope that ends here, if it was one.
    pub(super) fn take_envelope(&mut self) -> Option<Vec<&'a str>> {
        let (_, lines) = self.envelope.take()?;
        (lines.len() >= MIN_ENVELOPE_LINES).then_some(lines)
    }

    /// Something else stands here.
    pub(super) fn interrupt(&mut self) {
        self.envelope = None;
    }
}

/// A short line that is no sentence.
pub(super) fn could_name_holder(line: &Line<'_>) -> bool {
    line.text.len() <= MAX_ENVELOPE_BYTES && !line.text.ends_with(['.', ':', '!', '?'])
}

/// The heading of the administrative contact: a lonely line above it that names no domain is the
/// holder.
pub(super) fn heads_administrator(line: &Line<'_>) -> bool {
    match line.shape {
        Shape::Pair(key, "") | Shape::Title(key) | Shape::Section(key) => {
            key.is_heading() && key.roles.contains(Roles::ADMIN)
        }
        _ => false,
    }
}
