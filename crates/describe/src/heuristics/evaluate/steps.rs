//! Steps: a list of items in, a list of items out. Items made of others keep their places.

use super::budget::{BYTES_PER_STEP, STEPS_PER_ITEM};
use super::neighbours::{alike, runs};
use super::reading::own_text;
use super::readings::Sought;
use super::texts::{after_label, best_by_length, trimmed, without_affix};
use super::{Evaluated, Evaluation, Item, ListedWork, MAX_ITEMS, Spot, Value};
use crate::citations::listed_work;
use crate::heuristics::code::{StepCode, ValueCode};
use crate::shapes::{self, DateReading, DayOrder, SiteNames};
use crate::western::Letters;
use auslese_markup::{NodeId, XPathNode};
use auslese_words::sentences;
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;

impl Evaluation<'_> {
    /// Takes steps one after the other. Where only some of the items are wanted in the end, no more
    /// are looked at than it takes to have them.
    pub(super) fn steps(
        &self,
        steps: &[StepCode],
        mut value: Value,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<Value> {
        let mut rest = steps;
        while let Some((step, others)) = rest.split_first() {
            let alone = rest.iter().take_while(|step| step.looks_at_one()).count();
            match rest.get(alone).and_then(StepCode::limit) {
                Some(limit) if alone > 0 && value.len() > 1 => {
                    value = self.first_of(&rest[..alone], limit, &value, it)?;
                    rest = &rest[alone + 1..];
                }
                _ => {
                    value = self.step(step, value, it)?;
                    rest = others;
                }
            }
        }
        Ok(value)
    }

    /// So many items at most of what steps make of each item by itself.
    fn first_of(
        &self,
        steps: &[StepCode],
        limit: usize,
        value: &Value,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<Value> {
        let mut found = Vec::new();
        for item in value.iter() {
            let mut made = Value::One(item.clone());
            for step in steps {
                made = self.step(step, made, it)?;
            }
            found.extend(made.iter().take(limit - found.len()).cloned());
            if found.len() == limit {
                break;
            }
        }
        self.made(found)
    }

    pub(super) fn step(
        &self,
        step: &StepCode,
        value: Value,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<Value> {
        match step {
            StepCode::First => self.taken(&value, 0, 1),
            StepCode::Last => self.taken(&value, value.len().saturating_sub(1), 1),
            StepCode::Limit(count) => self.taken(&value, 0, *count),
            StepCode::Skip(count) => self.taken(&value, *count, MAX_ITEMS),
            StepCode::Unique => self.by_occurrence(&value, 1),
            StepCode::Repeated => self.by_occurrence(&value, 2),
            StepCode::Longest => self.extreme(&value, |one, best| one > best),
            StepCode::Shortest => self.extreme(&value, |one, best| one < best),
            StepCode::Where(condition) if value.len() < 2 => {
                let holds = match value.first() {
                    Some(item) => self.holds(condition, Some(item))?,
                    None => false,
                };
                Ok(if holds { value } else { Value::Nothing })
            }
            StepCode::Where(condition) => {
                let mut kept = Vec::new();
                for item in value.iter() {
                    if self.holds(condition, Some(item))? {
                        kept.push(item.clone());
                    }
                }
                self.made(kept)
            }
            StepCode::Runs => {
                let runs = runs(self.tree(), &nodes_of(&value));
                self.made(runs.into_iter().map(merged).collect())
            }
            StepCode::Alike => {
                let nodes = nodes_of(&value);
                let prefix = alike(self.tree(), &nodes).to_vec();
                self.made(if prefix.is_empty() { Vec::new() } else { vec![merged(prefix)] })
            }
            StepCode::At(path) => {
                let mut seen = FxHashSet::default();
                let mut found = Vec::new();
                for item in value.iter() {
                    let Some(node) = item.spot.node() else { continue };
                    let items = match self.keeps(path, node)? {
                        Some(true) => vec![self.item_at(node)],
                        Some(false) => continue,
                        None => self.xpath(path, node)?,
                    };
                    let is_new = |item: &Rc<Item>| match &item.spot {
                        Spot::Node(node) if item.is_node => seen.insert(*node),
                        _ => true,
                    };
                    found.extend(items.into_iter().filter(is_new));
                    if found.len() >= MAX_ITEMS {
                        break;
                    }
                }
                self.made(found)
            }
            StepCode::Attribute(name) => {
                let elements = value.iter().filter_map(|item| item.spot.node());
                let attributes = elements.filter_map(|it| self.attribute(it.anchor(), name));
                self.made(attributes.map(|it| self.item_at(it)).collect())
            }
            StepCode::Lines => {
                let mut lines = Vec::new();
                for item in value.iter() {
                    match item.spot {
                        Spot::Node(XPathNode::Node(node)) if item.is_node => {
                            lines.extend(self.lines_of(node)?);
                        }
                        _ => lines.push(item.clone()),
                    }
                    if lines.len() >= MAX_ITEMS {
                        break;
                    }
                }
                self.made(lines)
            }
            StepCode::Cells => {
                let mut cells = Vec::new();
                for item in value.iter() {
                    match item.spot {
                        Spot::Node(XPathNode::Node(node)) if item.is_node => {
                            cells.extend(self.cells_of(item, node)?);
                        }
                        _ => cells.push(item.clone()),
                    }
                    if cells.len() >= MAX_ITEMS {
                        break;
                    }
                }
                self.made(cells)
            }
            StepCode::OwnText => self.rewritten(&value, |item, text| match item.spot {
                Spot::Node(XPathNode::Node(node)) if item.is_node => own_text(self.tree(), node),
                _ => text.to_owned(),
            }),
            StepCode::Parts => self.title_parts(&value),
            StepCode::WithoutSite => self.without_site(&value),
            StepCode::Dates => self.dates(&value),
            StepCode::Next(count) => self.blocks_beside(&value, |own| own.end..own.end + count),
            StepCode::Previous(count) => {
                self.blocks_beside(&value, |own| own.start.saturating_sub(*count)..own.start)
            }
            StepCode::Joined(between) => self.joined(&value, between),
            StepCode::Without(unwanted) => self.without(&value, unwanted, it),
            StepCode::After(labels) => self.after(&value, labels, it),
            step => self.text_step(step, &value),
        }
    }

    /// Steps that look at the text of one item at a time.
    fn text_step(&self, step: &StepCode, value: &Value) -> Evaluated<Value> {
        let one = |text: &str| vec![text.to_owned()];
        match step {
            StepCode::Lower => self.rewritten(value, |_, text| text.to_lowercase()),
            StepCode::Trimmed => self.rewritten(value, |_, text| trimmed(text).to_owned()),
            StepCode::Cut(words) => self.rewritten(value, |_, text| {
                text.split(' ').take(*words).collect::<Vec<_>>().join(" ")
            }),
            StepCode::Remove(regex) => {
                self.rewritten(value, |item, text| match self.may_be_found(regex, item) {
                    true => regex.regex(self.letters_of(item)).replace_all(text, "").into_owned(),
                    false => text.to_owned(),
                })
            }
            StepCode::Replace(regex, with) => {
                self.rewritten(value, |item, text| match self.may_be_found(regex, item) {
                    true => replaced(regex.regex(self.letters_of(item)), text, with),
                    false => text.to_owned(),
                })
            }
            StepCode::Sentences(count) => self.rewritten(value, |_, text| {
                sentences(text).take(*count).collect::<Vec<_>>().join(" ")
            }),
            StepCode::Resolved => self.texts(value, |text| {
                let base = self.subject.url;
                let url = base.and_then(|base| self.subject.page.resolve(base, text));
                url.map(String::from).into_iter().collect()
            }),
            StepCode::Split(regex) => self.texts(value, |text| {
                regex.regex(Letters::of(text)).split(text).map(str::to_owned).collect()
            }),
            StepCode::Capture(regex) => self.item_texts(value, |item, text| {
                if !self.may_be_found(regex, item) {
                    return Vec::new();
                }
                regex
                    .captured(text, self.letters_of(item))
                    .take(MAX_ITEMS)
                    .map(str::to_owned)
                    .collect()
            }),
            StepCode::Names => {
                self.texts(value, |text| self.readings.of(Sought::Names, text, shapes::names))
            }
            StepCode::Nicknames => self.texts(value, |text| {
                self.readings.of(Sought::Nicknames, text, shapes::names_or_nicknames)
            }),
            StepCode::Institutions => self.texts(value, shapes::institutions),
            StepCode::List => self.texts(value, shapes::keyword_list),
            StepCode::CitedTitle => self.texts(value, |text| {
                let work = self.listed_work(text);
                work.iter().map(|(_, title)| title.clone()).collect()
            }),
            StepCode::CitedAuthors => self.texts(value, |text| {
                let work = self.listed_work(text);
                work.iter().flat_map(|(authors, _)| authors).map(ToString::to_string).collect()
            }),
            _ => self.texts(value, one),
        }
    }

    /// Authors and title of an entry of a bibliography; asked for its title and again for its authors.
    fn listed_work(&self, text: &str) -> ListedWork {
        let mut entries = self.entries.borrow_mut();
        if let Some(known) = entries.get(text) {
            return known.clone();
        }
        let entry = Rc::new(listed_work(text));
        entries.insert(text.into(), entry.clone());
        entry
    }

    fn taken(&self, value: &Value, from: usize, count: usize) -> Evaluated<Value> {
        self.made(value.iter().skip(from).take(count).cloned().collect())
    }

    /// Each text once, if it occurs so often.
    fn by_occurrence(&self, value: &Value, least: usize) -> Evaluated<Value> {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        let mut firsts = Vec::new();
        for item in value.iter() {
            self.spend_bytes(self.text(item).len())?;
            let count = counts.entry(self.folded(item)).or_default();
            if *count == 0 {
                firsts.push(item);
            }
            *count += 1;
        }
        let often = firsts.into_iter().filter(|item| counts[self.folded(item)] >= least);
        self.made(often.cloned().collect())
    }

    fn extreme(&self, value: &Value, better: fn(usize, usize) -> bool) -> Evaluated<Value> {
        let present: Vec<&Rc<Item>> =
            value.iter().filter(|item| !self.text(item).is_empty()).collect();
        self.spend(present.len() as u64)?;
        let best = best_by_length(present.iter().map(|item| self.text(item)), better);
        self.made(best.map(|best| present[best].clone()).into_iter().collect())
    }

    /// Each item with another text.
    fn rewritten(
        &self,
        value: &Value,
        mut rewrite: impl FnMut(&Item, &str) -> String,
    ) -> Evaluated<Value> {
        let mut items = Vec::with_capacity(value.len());
        for item in value.iter() {
            let text = self.text(item);
            self.spend(text.len() as u64 / BYTES_PER_STEP + STEPS_PER_ITEM)?;
            items.push(Item::with_text(item.spot.clone(), &rewrite(item, text)));
        }
        self.made(items)
    }

    /// Each item turned into any number of texts.
    fn texts(&self, value: &Value, make: impl Fn(&str) -> Vec<String>) -> Evaluated<Value> {
        self.item_texts(value, |_, text| make(text))
    }

    fn item_texts(
        &self,
        value: &Value,
        make: impl Fn(&Item, &str) -> Vec<String>,
    ) -> Evaluated<Value> {
        let mut items = Vec::with_capacity(value.len());
        for item in value.iter() {
            let text = self.text(item);
            self.spend_bytes(text.len())?;
            for made in make(item, text) {
                self.spend(made.len() as u64 / BYTES_PER_STEP + STEPS_PER_ITEM)?;
                items.push(Item::with_text(item.spot.clone(), &made));
            }
            if items.len() >= MAX_ITEMS {
                break;
            }
        }
        self.made(items)
    }

    fn joined(&self, value: &Value, between: &str) -> Evaluated<Value> {
        let texts: Vec<&str> =
            value.iter().map(|item| self.text(item)).filter(|text| !text.is_empty()).collect();
        let joined = texts.join(between);
        self.spend_bytes(joined.len())?;
        let spot = value.first().map(|item| item.spot.clone());
        self.made(spot.map(|spot| Item::with_text(spot, &joined)).into_iter().collect())
    }

    /// Blocks before or after each item; `beside` says which, given the places of its own.
    fn blocks_beside(
        &self,
        value: &Value,
        beside: impl Fn(Range<usize>) -> Range<usize>,
    ) -> Evaluated<Value> {
        let blocks = self.blocks()?;
        let mut found = Vec::new();
        for item in value.iter() {
            self.spend(blocks.len() as u64)?;
            let Some(own) = self.own_blocks(&blocks, item) else { continue };
            let wanted = beside(own);
            let wanted = wanted.start..wanted.end.min(blocks.len());
            found.extend(blocks.get(wanted).into_iter().flatten().cloned());
            if found.len() >= MAX_ITEMS {
                break;
            }
        }
        self.made(found)
    }

    /// Which blocks an item is, or holds, or lies in; none if it stands nowhere on the page.
    fn own_blocks(&self, blocks: &Value, item: &Rc<Item>) -> Option<Range<usize>> {
        if let Some(itself) = blocks.iter().position(|block| Rc::ptr_eq(block, item)) {
            return Some(itself..itself + 1);
        }
        let node = item.spot.node()?.anchor();
        let last = self.tree().subtree(node).next_back().unwrap_or(node);
        let begins = |block: &Rc<Item>| block.spot.node().map_or(node, XPathNode::anchor);
        let is_inside = |block: &Rc<Item>| (node..=last).contains(&begins(block));
        if let Some(first) = blocks.iter().position(is_inside) {
            let end = blocks.iter().rposition(is_inside).map_or(first, |at| at + 1);
            return Some(first..end);
        }
        // It lies in a block: that of the innermost element around it. What begins behind it comes
        // after it, and so does what is left of an outer element when its inner ones have ended.
        let end = blocks.iter().position(|block| begins(block) > last).unwrap_or(blocks.len());
        let around: FxHashSet<NodeId> = self.tree().ancestors(node).collect();
        let holding = (0..end).filter(|at| around.contains(&begins(&blocks[*at])));
        let holding = holding.max_by_key(|at| begins(&blocks[*at]));
        Some(holding.map_or(end.saturating_sub(1)..end, |at| at..at + 1))
    }

    fn without(
        &self,
        value: &Value,
        unwanted: &ValueCode,
        it: Option<&Rc<Item>>,
    ) -> Evaluated<Value> {
        let unwanted = self.value(unwanted, it)?;
        self.spend((value.len() * unwanted.len()) as u64)?;
        let affixes: Vec<&str> =
            unwanted.iter().map(|item| self.text(item)).filter(|text| !text.is_empty()).collect();
        self.rewritten(value, |_, text| {
            affixes.iter().fold(text.to_owned(), |text, affix| without_affix(&text, affix))
        })
    }

    fn after(&self, value: &Value, labels: &ValueCode, it: Option<&Rc<Item>>) -> Evaluated<Value> {
        let labels = self.value(labels, it)?;
        self.spend((value.len() * labels.len()) as u64)?;
        let labels: Vec<&str> =
            labels.iter().map(|item| self.text(item)).filter(|text| !text.is_empty()).collect();
        self.texts(value, |text| {
            // Of "key words" and "key words and phrases", the longer one is meant.
            let rests = labels.iter().filter_map(|label| after_label(text, label));
            let rest = rests.min_by_key(|rest| rest.len());
            rest.map(str::to_owned).into_iter().collect()
        })
    }

    /// The parts of titles that are not the name of the site.
    fn title_parts(&self, value: &Value) -> Evaluated<Value> {
        let names = self.site_names()?;
        self.texts(value, |title| {
            let parts = names.title_parts(title).parts;
            parts.into_iter().filter(|it| it.site.is_none()).map(|it| it.text).collect()
        })
    }

    /// Titles without what says only where one is.
    fn without_site(&self, value: &Value) -> Evaluated<Value> {
        let names = self.site_names()?;
        let memory = self.subject.around.site.as_deref();
        self.rewritten(value, |_, title| {
            let title = memory.map_or(title, |memory| memory.strip_title(title));
            names.title_parts(title).without_site
        })
    }

    /// The names of the site, ready to be compared.
    fn site_names(&self) -> Evaluated<&SiteNames> {
        if let Some(names) = self.site_names.get() {
            return Ok(names);
        }
        let names = self.site_name()?;
        let names: Vec<&str> = names.iter().map(|name| self.text(name)).collect();
        Ok(self.site_names.get_or_init(|| SiteNames::of(&names)))
    }

    /// Attributes may hold seconds since 1970 as well; in running text such digits are something else.
    fn dates(&self, value: &Value) -> Evaluated<Value> {
        let reading = self.date_reading();
        let in_attributes = DateReading { timestamps: true, ..reading.clone() };
        self.item_texts(value, |item, text| {
            if !text.bytes().any(|byte| byte.is_ascii_digit()) {
                return Vec::new();
            }
            let is_attribute = matches!(item.spot, Spot::Node(XPathNode::Attribute { .. }));
            let (sought, reading) = match is_attribute {
                true => (Sought::Timestamps, &in_attributes),
                false => (Sought::Dates, &reading),
            };
            self.readings.of(sought, text, |text| {
                shapes::dates(text, reading).into_iter().map(|date| date.value).collect()
            })
        })
    }

    /// Who writes American English writes the month first.
    pub(super) fn date_reading(&self) -> DateReading {
        let reading = DateReading::up_to(self.subject.around.last_year());
        let lang = self.subject.page.lang().unwrap_or_default();
        match lang.eq_ignore_ascii_case("en-US") {
            true => DateReading { order: DayOrder::MonthFirst, ..reading },
            false => reading,
        }
    }
}

/// The nodes of a list, in its order.
fn nodes_of(value: &Value) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for item in value.iter() {
        match &item.spot {
            Spot::Node(XPathNode::Node(node)) => nodes.push(*node),
            Spot::Nodes(several) => nodes.extend(several.iter()),
            _ => {}
        }
    }
    nodes
}

fn merged(nodes: Vec<NodeId>) -> Rc<Item> {
    match nodes.as_slice() {
        [node] => Item::at(Spot::Node(XPathNode::Node(*node))),
        _ => Item::at(Spot::Nodes(nodes.into())),
    }
}

/// All matches replaced; a text that would grow beyond the limit of a value stays as it is.
fn replaced(regex: &Regex, text: &str, with: &str) -> String {
    let matches = regex.find_iter(text).count();
    if matches.saturating_mul(with.len()) > super::MAX_VALUE {
        return text.to_owned();
    }
    regex.replace_all(text, with).into_owned()
}
