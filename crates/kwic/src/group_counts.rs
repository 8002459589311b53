//! How often a node occurs in groups of texts: by host, type, year, language, collection, by its
//! own forms, and by several of these at once.
//!
//! Per million refers to the tokens of the group, so texts without a hit must be handed in as well,
//! or at least their size ([`GroupCounts::push_absent`]).

use crate::form_counts::{MAX_LISTED_FORM, write_form};
use crate::measures::per_million;
use crate::query::Hit;
use crate::sheet::{Field, Sheet};
use crate::tokens::Reading;
use crate::{By, Sensitivity, Text, Totals};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Different groups. Hits of further ones are counted in the totals only.
pub const MAX_GROUPS: usize = 500_000;

type Values = Vec<Option<Box<str>>>;

/// Counts hits by groups.
#[derive(Debug, Clone)]
pub struct GroupCounts {
    by: Vec<By>,
    sensitivity: Sensitivity,
    hits: FxHashMap<Values, GroupHits>,
    /// By the same values, without the form of the node.
    sizes: FxHashMap<Values, GroupSize>,
    totals: Totals,
    unlisted: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct GroupHits {
    hits: u64,
    documents: u64,
    last_text: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct GroupSize {
    tokens: u64,
    texts: u64,
}

impl GroupCounts {
    /// Forms of the node are told apart with this sensitivity.
    pub fn new(by: &[By], sensitivity: Sensitivity) -> GroupCounts {
        let mut unique: Vec<By> = Vec::new();
        by.iter().for_each(|by| {
            if !unique.contains(by) {
                unique.push(*by);
            }
        });
        GroupCounts {
            by: unique,
            sensitivity,
            hits: FxHashMap::default(),
            sizes: FxHashMap::default(),
            totals: Totals::default(),
            unlisted: 0,
        }
    }

    pub fn push(&mut self, reading: &Reading<'_>, hits: &[Hit]) {
        self.totals.count(reading, hits.len());
        let mut values = self.values_of(&reading.text);
        self.count_size(&values, reading.len() as u64);
        let form_place = self.by.iter().position(|by| *by == By::Form);
        let mut form = String::new();
        for hit in hits {
            if let Some(place) = form_place {
                write_form(reading, hit.tokens(), self.sensitivity, &mut form);
                form.truncate(form.floor_char_boundary(MAX_LISTED_FORM));
                values[place] = Some(form.as_str().into());
            }
            self.count_hit(&values);
        }
    }

    /// Counts a text that is known to have no hit, of which only tags and size are known.
    pub fn push_absent(&mut self, text: &Text<'_>, tokens: u64) {
        self.totals.count_absent(tokens);
        let values = self.values_of(text);
        self.count_size(&values, tokens);
    }

    fn values_of(&self, text: &Text<'_>) -> Values {
        self.by.iter().map(|by| by.of(text).map(|value| Box::from(&*value))).collect()
    }

    fn count_size(&mut self, values: &Values, tokens: u64) {
        if self.sizes.len() >= MAX_GROUPS && !self.sizes.contains_key(values) {
            return;
        }
        let size = self.sizes.entry(values.clone()).or_default();
        size.tokens += tokens;
        size.texts += 1;
    }

    fn count_hit(&mut self, values: &Values) {
        let text = self.totals.texts;
        if !self.hits.contains_key(values) {
            let size = self.size_of(values);
            if self.hits.len() >= MAX_GROUPS || size.is_none() {
                self.unlisted += 1;
                return;
            }
            self.hits.insert(values.clone(), GroupHits::default());
        }
        let group = self.hits.get_mut(values).expect("it was there or is now");
        group.hits += 1;
        if group.last_text != text {
            group.last_text = text;
            group.documents += 1;
        }
    }

    /// The size of the group, whatever the form of the node.
    fn size_of(&self, values: &Values) -> Option<GroupSize> {
        let place = self.by.iter().position(|by| *by == By::Form);
        let mut values = values.clone();
        if let Some(place) = place {
            values[place] = None;
        }
        self.sizes.get(&values).copied()
    }

    /// Adds what was counted in other texts in the same way.
    pub fn merge(&mut self, other: GroupCounts) {
        self.totals.merge(other.totals);
        self.unlisted += other.unlisted;
        for (values, size) in other.sizes {
            if self.sizes.len() < MAX_GROUPS || self.sizes.contains_key(&values) {
                let mine = self.sizes.entry(values).or_default();
                mine.tokens += size.tokens;
                mine.texts += size.texts;
            }
        }
        self.hits.values_mut().for_each(|group| group.last_text = 0);
        for (values, group) in other.hits {
            let known = self.hits.contains_key(&values);
            if !known && (self.hits.len() >= MAX_GROUPS || self.size_of(&values).is_none()) {
                self.unlisted += group.hits;
                continue;
            }
            let mine = self.hits.entry(values).or_default();
            mine.hits += group.hits;
            mine.documents += group.documents;
        }
    }

    /// The groups with hits: in the order of time if that is asked for first, else the most
    /// frequent first.
    pub fn finish(self) -> GroupTable {
        let rows = self.hits.iter().map(|(values, group)| {
            let size = self.size_of(values).unwrap_or_default();
            GroupRow {
                values: values.iter().map(|it| it.as_deref().map(str::to_owned)).collect(),
                hits: group.hits,
                documents: group.documents,
                per_million: per_million(group.hits, size.tokens),
                tokens: size.tokens,
                texts: size.texts,
            }
        });
        let mut rows: Vec<GroupRow> = rows.collect();
        let by_time = matches!(self.by.first(), Some(By::Year | By::Month));
        rows.sort_unstable_by(|a, b| {
            let first =
                || if by_time { a.values[0].cmp(&b.values[0]) } else { b.hits.cmp(&a.hits) };
            first().then_with(|| b.hits.cmp(&a.hits)).then_with(|| a.values.cmp(&b.values))
        });
        GroupTable {
            groups: self.sizes.len() as u64,
            by: self.by,
            totals: self.totals,
            per_million: self.totals.per_million(),
            unlisted: self.unlisted,
            rows,
        }
    }
}

/// Hits by groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupTable {
    pub by: Vec<By>,
    #[serde(flatten)]
    pub totals: Totals,
    pub per_million: f64,
    /// Groups of texts, with and without hits; forms of the node are no matter here.
    pub groups: u64,
    /// Hits whose group found no room in the table.
    pub unlisted: u64,
    pub rows: Vec<GroupRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupRow {
    /// One for each of [`GroupTable::by`]; none where the tag is not known.
    pub values: Vec<Option<String>>,
    pub hits: u64,
    /// Texts with hits.
    pub documents: u64,
    /// Per million tokens of the group.
    pub per_million: f64,
    /// Tokens of the group.
    pub tokens: u64,
    /// Texts of the group.
    pub texts: u64,
}

impl GroupTable {
    pub fn sheet(&self) -> Sheet {
        let numbers = ["count", "documents", "per million", "tokens", "texts"];
        let head = self.by.iter().map(|by| by.name()).chain(numbers).collect();
        let row = |row: &GroupRow| {
            let values = row.values.iter().map(|value| Field::maybe(value.as_ref()));
            let numbers = [
                Field::Count(row.hits),
                Field::Count(row.documents),
                Field::Number(row.per_million),
                Field::Count(row.tokens),
                Field::Count(row.texts),
            ];
            values.chain(numbers).collect()
        };
        Sheet { head, rows: self.rows.iter().map(row).collect() }
    }
}
