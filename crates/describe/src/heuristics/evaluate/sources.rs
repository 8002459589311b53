//! Sources beside XPath: structured data, the address, what is known around the document.

use super::budget::STEPS_PER_ITEM;
use super::item::MAX_VALUE;
use super::item::Text;
use super::reading::{Line, lines};
use super::{Evaluated, Evaluation, Item, MAX_ITEMS, Spot, Value};
use crate::heuristics::code::SourceCode;
use crate::heuristics::pattern::{Found, PatternGroup};
use crate::marked::MarkedElements;
use crate::shapes::address_dates;
use crate::structured::FoundValue;
use auslese_markup::{NodeId, XPathNode};
use auslese_words::tokens;
use std::ops::Range;
use std::rc::Rc;
use url::Url;

/// Where items of these sources were found, in words.
const ADDRESS: &str = "address";
const ANCHORS: &str = "link text";
const SITE: &str = "site";
const AROUND: &str = "discovery";
const HEADER: &str = "HTTP header";

/// The elements that have a class or an id, and what expressions find in these.
#[derive(Debug)]
pub(super) struct ClassIndex {
    /// Class and id of all, with a space between them, one in each line.
    text: String,
    /// In the order of the document.
    elements: Vec<Classed>,
}

#[derive(Debug)]
struct Classed {
    id: NodeId,
    /// Where its class and id stand in the text.
    place: Range<usize>,
    found: Found,
}

impl ClassIndex {
    fn of(marked: &MarkedElements<'_>, patterns: &PatternGroup) -> ClassIndex {
        let lengths = marked.classed.iter().map(|(_, class, own)| class.len() + own.len() + 2);
        let mut text = String::with_capacity(lengths.sum());
        let mut places = Vec::with_capacity(marked.classed.len());
        for (_, class, own) in &marked.classed {
            let start = text.len();
            text.push_str(class);
            text.push(' ');
            text.push_str(own);
            places.push(start..text.len());
            text.push('\n');
        }
        let found = patterns.look(&text, &places);
        let elements = marked.classed.iter().zip(places).zip(found);
        let elements = elements.map(|((&(id, ..), place), found)| Classed { id, place, found });
        ClassIndex { elements: elements.collect(), text }
    }
}

impl Evaluation<'_> {
    pub(super) fn source(&self, source: &SourceCode) -> Evaluated<Value> {
        let around = self.subject.around;
        match source {
            SourceCode::Classed(pattern) => self.classed(*pattern),
            SourceCode::Meta(names) => {
                let data = self.structured();
                self.found(names.iter().flat_map(|name| data.meta_spelled(name)))
            }
            SourceCode::JsonLd { path, types } => {
                self.found(&self.structured().jsonld(path, &borrowed(types)))
            }
            SourceCode::Microdata { path, types } => {
                self.found(&self.structured().microdata(path, &borrowed(types)))
            }
            SourceCode::Rdfa(names) => {
                let data = self.structured();
                let values: Vec<FoundValue> =
                    names.iter().flat_map(|name| data.rdfa(name)).collect();
                self.found(&values)
            }
            SourceCode::JsonLdTypes => self.found(&self.structured().jsonld_types()),
            SourceCode::MicrodataTypes => self.found(&self.structured().microdata_types()),
            SourceCode::CoinsCount => {
                let count = self.structured().coins_count().to_string();
                self.made(vec![Item::with_text(Spot::Nowhere, &count)])
            }
            SourceCode::Coins(keys) => {
                let data = self.structured();
                let values: Vec<FoundValue> = keys.iter().flat_map(|key| data.coins(key)).collect();
                self.found(&values)
            }
            SourceCode::Address => self.outside(ADDRESS, self.subject.url.map(Url::as_str)),
            SourceCode::AddressDates => {
                let reading = self.date_reading();
                let path = self.subject.url.map(Url::path);
                let dates = path.map(|path| address_dates(path, &reading)).unwrap_or_default();
                self.outside(ADDRESS, dates.iter().map(|date| date.value.as_str()))
            }
            SourceCode::AddressWords => {
                let words = self.subject.url.map(address_words);
                self.outside(ADDRESS, words.as_deref())
            }
            SourceCode::Host => self.outside(ADDRESS, self.subject.url.and_then(Url::host_str)),
            SourceCode::FileName => {
                let name = self.subject.url.map(file_name);
                self.outside(ADDRESS, name.as_deref())
            }
            SourceCode::Anchors => self.outside(ANCHORS, around.anchors.iter().map(String::as_str)),
            SourceCode::SiteName => self.site_name(),
            SourceCode::Institution => self.outside(AROUND, around.institution.as_deref()),
            SourceCode::Home => self.outside(AROUND, around.home.as_deref()),
            SourceCode::LastModified => {
                let date = around.last_modified.map(|time| time.to_string());
                self.outside(HEADER, date.as_deref())
            }
            SourceCode::Language => self.language(),
            SourceCode::Blocks => self.blocks(),
            SourceCode::Chosen(heuristic) => {
                let decision = self.decision(*heuristic)?;
                let items = decision.chosen().map(|it| it.item.clone()).collect();
                self.made(items)
            }
            SourceCode::Nothing => Ok(Value::Nothing),
        }
    }

    /// Elements whose class and id match.
    fn classed(&self, pattern: usize) -> Evaluated<Value> {
        let patterns = &self.program.classes;
        let classes = self.classes.get_or_init(|| ClassIndex::of(self.marked(), patterns));
        self.spend_bytes(classes.text.len())?;
        self.spend(classes.elements.len() as u64)?;
        let fitting = classes
            .elements
            .iter()
            .filter(|it| patterns.is_match(pattern, it.found, &classes.text[it.place.clone()]));
        let items = fitting.map(|it| self.node_item(it.id));
        self.made(items.take(MAX_ITEMS).collect())
    }

    fn found<'v>(&self, values: impl IntoIterator<Item = &'v FoundValue>) -> Evaluated<Value> {
        let items = values.into_iter().map(|value| {
            let attribute = value.attribute.and_then(|name| self.attribute(value.node, name));
            let node = attribute.unwrap_or(XPathNode::Node(value.node));
            Item::with_text(Spot::Node(node), &value.text)
        });
        self.made(items.take(MAX_ITEMS).collect())
    }

    pub(super) fn attribute(&self, element: NodeId, name: &str) -> Option<XPathNode> {
        let attributes = self.tree().attributes(element);
        let index = attributes.iter().position(|it| it.name().eq_ignore_ascii_case(name))?;
        Some(XPathNode::Attribute { element, index: u32::try_from(index).ok()? })
    }

    fn outside<'t>(
        &self,
        place: &'static str,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Evaluated<Value> {
        let texts = texts.into_iter().take(MAX_ITEMS);
        self.made(texts.map(|text| Item::with_text(Spot::Outside(place), text)).collect())
    }

    /// From memory, as the page says it, and the host without `www.`: the surest first.
    pub(super) fn site_name(&self) -> Evaluated<Value> {
        let mut items: Vec<Rc<Item>> = Vec::new();
        if let Some(memory) = &self.subject.around.site {
            let name = memory.site_name();
            items.extend(name.map(|name| Item::with_text(Spot::Outside(SITE), name)));
        }
        let told = ["og:site_name", "application-name"];
        let told = self.found(told.iter().flat_map(|name| self.structured().meta(name)))?;
        items.extend(told.iter().cloned());
        let host = self.subject.url.and_then(Url::host_str);
        let host = host.map(|host| host.strip_prefix("www.").unwrap_or(host));
        items.extend(host.map(|host| Item::with_text(Spot::Outside(ADDRESS), host)));
        self.made(items)
    }

    fn language(&self) -> Evaluated<Value> {
        let Some((html, _)) = self.tree().elements_named("html").next() else {
            return Ok(Value::Nothing);
        };
        let attribute = self.attribute(html, "lang").or_else(|| self.attribute(html, "xml:lang"));
        self.made(attribute.map(|attribute| Item::at(Spot::Node(attribute))).into_iter().collect())
    }

    pub(super) fn blocks(&self) -> Evaluated<Value> {
        if let Some(blocks) = self.blocks.get() {
            return Ok(blocks.clone());
        }
        let blocks = self.page_text().blocks();
        self.spend(blocks.len().min(MAX_ITEMS) as u64 * STEPS_PER_ITEM)?;
        let blocks = blocks
            .take(MAX_ITEMS)
            .map(|(node, text)| Item::with_normal_text(Spot::Node(XPathNode::Node(node)), text));
        let blocks = self.made(blocks.collect())?;
        Ok(self.blocks.get_or_init(|| blocks).clone())
    }

    /// The parts of a line of a page that wide gaps divide, as in a table. What stands above the line is a
    /// mark of a footnote or an address and divides names, so a comma stands for it.
    pub(super) fn cells_of(&self, line: &Rc<Item>, node: NodeId) -> Evaluated<Vec<Rc<Item>>> {
        let tree = self.tree();
        let mut cells = vec![String::new()];
        let (mut steps, mut is_marked) = (0, false);
        for child in tree.children(node) {
            steps += 1;
            let Some(cell) = cells.last_mut() else { break };
            let has = |name: &str| self.attribute(child, name).is_some();
            if has("raised") {
                is_marked = true;
                cell.push_str(", ");
            } else if cell.len() < MAX_VALUE {
                cell.push_str(&tree.string_value(child));
            }
            if has("spaced") {
                cells.push(String::new());
            }
        }
        self.spend(steps + cells.len() as u64 * STEPS_PER_ITEM)?;
        if cells.len() == 1 && !is_marked {
            return Ok(vec![line.clone()]);
        }
        let item = |cell: String| Item::with_text(line.spot.clone(), &cell);
        Ok(cells.into_iter().take(MAX_ITEMS).map(item).collect())
    }

    /// The lines of a node as items.
    pub(super) fn lines_of(&self, node: NodeId) -> Evaluated<Vec<Rc<Item>>> {
        let (lines, steps) = lines(self.tree(), node);
        self.spend(steps + lines.len().min(MAX_ITEMS) as u64 * STEPS_PER_ITEM)?;
        let item = |line: Line| {
            let spot = Spot::Node(XPathNode::Node(line.node));
            Item::with_normal_text(spot, Text::Own(line.text.into()))
        };
        Ok(lines.into_iter().take(MAX_ITEMS).map(item).collect())
    }
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// The words of the last part of the path that has any, without its ending: what people put into an
/// address to say what the page is about.
fn address_words(url: &Url) -> String {
    let parts = url.path_segments().into_iter().flatten();
    let wordy = parts.rev().map(spoken).find(|words| words.chars().any(char::is_alphabetic));
    wordy.unwrap_or_default()
}

fn file_name(url: &Url) -> String {
    let last = url.path_segments().and_then(|mut parts| parts.next_back());
    percent_decoded(last.unwrap_or_default())
}

fn spoken(part: &str) -> String {
    let decoded = percent_decoded(part);
    let stem = match decoded.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 5 && !stem.is_empty() => stem,
        _ => &decoded,
    };
    tokens(&stem.replace('_', " ")).collect::<Vec<_>>().join(" ")
}

/// Bytes written as `%41`, as UTF-8 where they are.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hexadecimal = |digit: Option<&u8>| digit.and_then(|it| char::from(*it).to_digit(16));
        match (first, hexadecimal(after.first()), hexadecimal(after.get(1))) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
