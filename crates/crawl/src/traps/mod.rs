//! Recognises traps: addresses without end that bring nothing new.
//!
//! Calendars that go on for ever, session ids in paths, lists with every combination of filters and
//! paths that mirror themselves have one thing in common: their addresses follow a pattern, and after
//! a while their pages say nothing that was not said before, but lead on. So addresses are grouped by their
//! [`Template`], pages are compared with what their group has shown before ([`NoveltyMemory`]), and a
//! template is [quarantined](judge) when it has had its budget, its last pages were all but stale, stale ones
//! outweigh the others, and addresses not known before were found on them. An archive of fifty thousand papers follows one pattern,
//! too, but every page of it is news; and fifty thousand captions that say next to nothing come to an end.
//!
//! Everything here is a function of its arguments, but for the memory, which only counts. Who keeps the
//! counts, and what a quarantine does, is decided by the conductor and the catalog. A person may
//! release a template or hold it back; that is never overruled here.

mod novelty;
mod standing;
mod template;

pub use novelty::{NoveltyMemory, Shown};
pub use standing::TemplateStanding;
pub use template::{MAX_TEMPLATE, Template};

use serde::{Deserialize, Serialize};
use std::fmt;

/// When addresses count as a trap: `[crawl.traps]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrapSettings {
    /// Whether templates that bring nothing new are quarantined. Default: true.
    pub quarantine: bool,
    /// Pages of one template, or of one family of templates, that are fetched whatever they bring.
    /// Default: 200.
    pub budget: u64,
    /// Share of the last 64 pages with something new below which a template counts as a trap.
    /// Default: 0.1.
    pub novelty: f64,
    /// Templates of one server that are told apart; pages of further ones are counted together.
    /// Default: 1,000.
    pub templates: usize,
}

impl Default for TrapSettings {
    fn default() -> TrapSettings {
        TrapSettings { quarantine: true, budget: 200, novelty: 0.1, templates: 1_000 }
    }
}

/// Pages that count as the last ones: as many as bits in a number.
pub const RECENT_PAGES: u64 = 64;

/// Pages that brought nothing for each that brought something, before a template is a trap: of a handbook in many
/// languages, half translated each, every third page says nothing new, and all of them are worth having.
const STALE_FOR_EACH: u64 = 3;

/// How many different things have to stand in the variable part of a family before it is one: below `/apache2-doc/`
/// there is a manual, in several languages and much of it the same, and no `/apache3-doc/`.
const VARIANTS: u32 = 8;

/// What is known of a template of one server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TemplateCounts {
    /// Pages that were answered.
    pub fetched: u64,
    /// Those of them that brought something new.
    pub novel: u64,
    /// One bit for each of the last pages, set if it brought something new; the lowest is the newest.
    pub recent: u64,
    /// The same, set if it brought nothing new but led to addresses of its server that were not known.
    pub leading: u64,
    /// One bit for each kind of thing that stood in the variable part of a family, as far as bits tell them
    /// apart; all of them for a template of its own. Not stored: after a restart they are met again.
    pub variants: u64,
}

impl TemplateCounts {
    /// Counts one more page; `variant` is what it has in the variable part of its family.
    pub fn note(&mut self, is_novel: bool, leads_on: bool, variant: Option<u64>) {
        // The upper bits of a product are the better ones.
        self.variants |= variant.map_or(u64::MAX, |variant| 1 << (variant >> 58));
        self.fetched += 1;
        self.novel += u64::from(is_novel);
        self.recent = self.recent << 1 | u64::from(is_novel);
        self.leading = self.leading << 1 | u64::from(leads_on && !is_novel);
    }

    /// How many of the last pages there are, and how many of them brought something new.
    pub fn recently(&self) -> (u64, u64) {
        let pages = self.fetched.min(RECENT_PAGES);
        // Bits of pages that never were are not set.
        (pages, u64::from(self.recent.count_ones()))
    }

    /// Whether it has had its budget: from then on it is judged by itself.
    pub fn is_proven(&self, settings: &TrapSettings) -> bool {
        self.fetched >= settings.budget
    }
}

/// Why a template counts as a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staleness {
    pub fetched: u64,
    pub novel: u64,
    pub recent_pages: u64,
    pub recent_novel: u64,
}

impl fmt::Display for Staleness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Staleness { fetched, novel, recent_pages, recent_novel } = self;
        write!(
            f,
            "{recent_novel} of the last {recent_pages} pages brought anything new, and {novel} of all \
             {fetched}"
        )
    }
}

/// Whether a template counts as a trap, and why.
pub fn judge(counts: &TemplateCounts, settings: &TrapSettings) -> Option<Staleness> {
    if !settings.quarantine || !counts.is_proven(settings) {
        return None;
    }
    let (recent_pages, recent_novel) = counts.recently();
    let is_stale = (recent_novel as f64) < settings.novelty * recent_pages as f64;
    let leads_on = counts.leading != 0;
    let varies = counts.variants.count_ones() >= VARIANTS;
    let TemplateCounts { fetched, novel, .. } = *counts;
    let outweighs = fetched.saturating_sub(novel) >= novel.saturating_mul(STALE_FOR_EACH);
    (is_stale && outweighs && leads_on && varies).then_some(Staleness {
        fetched,
        novel,
        recent_pages,
        recent_novel,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pages: impl Iterator<Item = bool>, settings: &TrapSettings) -> Option<String> {
        let mut counts = TemplateCounts::default();
        for is_novel in pages {
            counts.note(is_novel, true, None);
            if let Some(why) = judge(&counts, settings) {
                return Some(why.to_string());
            }
        }
        None
    }

    #[test]
    fn a_template_is_judged_by_its_last_pages() {
        let settings = TrapSettings::default();
        // Twelve months, and then nothing but months again.
        assert_eq!(
            check((0..1_000).map(|page| page < 12), &settings).as_deref(),
            Some("0 of the last 64 pages brought anything new, and 12 of all 200")
        );
        // Ten years of events, and then empty pages for ever.
        assert_eq!(
            check((0..10_000).map(|page| page < 500), &settings).as_deref(),
            Some("0 of the last 64 pages brought anything new, and 500 of all 2000")
        );
        // A handbook in ten languages, one after the other, of which only the first half of each is translated.
        assert_eq!(check((0..2_000).map(|page| page % 200 < 100), &settings), None);
        // An archive in which one page in five repeats another.
        assert_eq!(check((0..50_000).map(|page| page % 5 != 0), &settings), None);
        // One page in eight is new: more than a tenth.
        assert_eq!(check((0..50_000).map(|page| page % 8 == 0), &settings), None);
        assert!(check((0..1_000).map(|page| page % 12 == 0), &settings).is_some());
    }

    #[test]
    fn what_leads_nowhere_is_no_trap() {
        let judged = |leads_on: fn(u64) -> bool| {
            let mut counts = TemplateCounts::default();
            (0..1_000).for_each(|page| counts.note(false, leads_on(page), None));
            judge(&counts, &TrapSettings::default())
        };
        assert_eq!(judged(|_| false), None);
        assert_eq!(judged(|page| page < 500), None);
        // The months of a calendar lead on, its days do not.
        assert!(judged(|page| page % 32 == 0).is_some());
        // Copies of one file, and now and then a page that is news and leads on.
        let mut counts = TemplateCounts::default();
        (0..1_000).for_each(|page| counts.note(page % 32 == 0, page % 32 == 0, None));
        assert_eq!(judge(&counts, &TrapSettings::default()), None);
    }

    #[test]
    fn a_family_that_does_not_vary_is_none() {
        let judged = |variants: u64| {
            let mut counts = TemplateCounts::default();
            for page in 0..1_000u64 {
                let variant = (page % variants).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                counts.note(false, true, Some(variant));
            }
            judge(&counts, &TrapSettings::default())
        };
        assert_eq!(judged(1), None);
        assert_eq!(judged(5), None);
        assert!(judged(100).is_some());
    }

    #[test]
    fn settings_change_it() {
        let small = TrapSettings { budget: 10, ..TrapSettings::default() };
        assert_eq!(
            check((0..100).map(|page| page == 0), &TrapSettings { novelty: 0.2, ..small.clone() })
                .as_deref(),
            Some("1 of the last 10 pages brought anything new, and 1 of all 10")
        );
        let off = TrapSettings { quarantine: false, ..small };
        assert_eq!(check((0..1_000).map(|_| false), &off), None);
    }
}
