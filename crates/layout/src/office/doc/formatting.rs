//! How stretches of a Word file are set: pages of 512 bytes, found by the place in the file.
//!
//! Nothing is unpacked ahead: a question about a place is answered from the page it falls on,
//! together with the stretch for which the answer holds.

use super::fib::{Fib, Version};
use super::sprm::{Sprm, sprms};
use crate::Alignment;
use crate::office::ole::{u16_at, u32_at};
use std::ops::Range;

const PAGE: usize = 512;

/// Bytes for which nothing is asked again where the file gives no answer.
const BLIND: usize = 512;

#[derive(Debug)]
pub(super) struct Formatting<'a> {
    pub(super) version: Version,
    characters: Index<'a>,
    paragraphs: Index<'a>,
}

/// A list of statements and the stretch of the file for which it holds.
#[derive(Debug, Clone)]
pub(super) struct Stretch<T> {
    pub(super) bytes: Range<usize>,
    pub(super) said: T,
}

/// What is said about a paragraph.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ParagraphSaid {
    pub(super) style: u16,
    pub(super) alignment: Option<Alignment>,
}

impl<'a> Formatting<'a> {
    pub(super) fn new(fib: &Fib, document: &'a [u8], table: &'a [u8]) -> Formatting<'a> {
        let index = |place: &Range<usize>| {
            let list = table.get(place.start..place.end.min(table.len())).unwrap_or_default();
            Index { list, document, version: fib.version }
        };
        Formatting {
            version: fib.version,
            characters: index(&fib.character_pages),
            paragraphs: index(&fib.paragraph_pages),
        }
    }

    /// What is said about the text at a place.
    pub(super) fn text(&self, at: usize) -> Stretch<&'a [u8]> {
        self.characters.stretch(at, |page, count, number| {
            let offset = usize::from(*page.get((count + 1) * 4 + number)?) * 2;
            let length = usize::from(*page.get(offset).filter(|_| offset > 0)?);
            page.get(offset + 1..offset + 1 + length)
        })
    }

    /// What is said about the paragraph at a place.
    pub(super) fn paragraph(&self, at: usize) -> Stretch<ParagraphSaid> {
        let width = match self.version {
            Version::Word97 => 13,
            Version::Word6 => 7,
        };
        let version = self.version;
        let stretch = self.paragraphs.stretch(at, |page, count, number| {
            let offset = usize::from(*page.get((count + 1) * 4 + number * width)?) * 2;
            let words = usize::from(*page.get(offset).filter(|_| offset > 0)?);
            // A length of 0 is followed by the true one.
            let (start, length) = match (words, version) {
                (0, Version::Word97) => (offset + 2, usize::from(*page.get(offset + 1)?) * 2),
                (words, Version::Word97) => (offset + 1, words * 2 - 1),
                (words, Version::Word6) => (offset + 1, words * 2),
            };
            page.get(start..(start + length).min(page.len()))
        });
        let mut said =
            ParagraphSaid { style: u16_at(stretch.said, 0).unwrap_or(0), alignment: None };
        for sprm in sprms(version, stretch.said.get(2..).unwrap_or_default()) {
            match sprm {
                Sprm::Alignment(alignment) => said.alignment = alignment,
                Sprm::Style(style) => said.style = style,
                _ => {}
            }
        }
        Stretch { bytes: stretch.bytes, said }
    }
}

/// Which page answers for which part of the file.
#[derive(Debug)]
struct Index<'a> {
    list: &'a [u8],
    document: &'a [u8],
    version: Version,
}

impl<'a> Index<'a> {
    fn stretch(
        &self,
        at: usize,
        entry: impl Fn(&'a [u8], usize, usize) -> Option<&'a [u8]>,
    ) -> Stretch<&'a [u8]> {
        let nothing = Stretch { bytes: at..at.saturating_add(BLIND), said: &[][..] };
        let Some(page) = self.page(at) else { return nothing };
        let count = usize::from(page[PAGE - 1]);
        let Some(number) = below(page, count, at) else { return nothing };
        let bounds = u32_at(page, number * 4).zip(u32_at(page, number * 4 + 4));
        match bounds {
            Some((start, end)) if at < end as usize => {
                let said = entry(&page[..PAGE - 1], count, number).unwrap_or_default();
                Stretch { bytes: start as usize..end as usize, said }
            }
            _ => nothing,
        }
    }

    fn page(&self, at: usize) -> Option<&'a [u8]> {
        let width = match self.version {
            Version::Word97 => 4,
            Version::Word6 => 2,
        };
        let count = self.list.len().checked_sub(4)? / (4 + width);
        let number = below(self.list, count, at)?;
        let place = (count + 1) * 4 + number * width;
        let page = match self.version {
            // Only 22 bits of the number are the page's.
            Version::Word97 => (u32_at(self.list, place)? & 0x3F_FFFF) as usize,
            Version::Word6 => usize::from(u16_at(self.list, place)?),
        };
        self.document.get(page * PAGE..(page + 1) * PAGE)
    }
}

/// The last of so many ascending numbers that is not above the given one.
fn below(numbers: &[u8], count: usize, limit: usize) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        match u32_at(numbers, middle * 4) {
            Some(number) if number as usize <= limit => low = middle + 1,
            _ => high = middle,
        }
    }
    low.checked_sub(1)
}
