//! Evaluates a program on one document.
//!
//! Names are evaluated when a rule first asks for them, and once. Everything that is done is paid for
//! from one [`budget`] of steps; when it is used up, what was decided until then stands.

mod budget;
mod conditions;
mod item;
mod list;
mod measures;
mod neighbours;
mod page_text;
mod reading;
mod readings;
mod sources;
mod steps;
mod texts;

pub(crate) use budget::Evaluated;
pub use budget::MAX_DESCRIBE_STEPS;
pub(crate) use item::{Item, Spot, quoted};
pub use item::{MAX_ITEMS, MAX_VALUE};
pub(crate) use list::Value;

use super::code::{LetCode, Program, ValueCode, ValueIs, XPathCode};
use super::decide::Decision;
use super::pattern::{Pattern, Seen, SignPlaces};
use crate::marked::MarkedElements;
use crate::shapes::SiteNames;
use crate::structured::StructuredData;
use crate::western::Letters;
use crate::{Subject, Weights};
use auslese_markup::{NodeId, StepBudget, Tree, XPathFailure, XPathNode, XPathValue};
use auslese_model::{CitedAuthor, Field};
use auslese_words::token_count_within;
use budget::{BYTES_PER_STEP, Budget, STEPS_PER_ITEM, Spent};
use item::Text;
use page_text::PageText;
use reading::text_of;
use readings::Readings;
use rustc_hash::FxHashMap;
use sources::ClassIndex;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Bytes that a word has with the space behind it; most have fewer.
const BYTES_OF_WORD: usize = 12;

/// What the heuristics of a set decided about a document.
pub(crate) struct Decided<'a> {
    pub(crate) decisions: Vec<Rc<Decision<'a>>>,
    /// Why some are missing.
    pub(crate) trouble: Option<String>,
}

/// Authors and title of an entry of a bibliography, if it is one.
type ListedWork = Rc<Option<(Vec<CitedAuthor>, String)>>;

/// How alike two folded texts are, by the one and then the other.
type Likeness = FxHashMap<Box<str>, FxHashMap<Box<str>, f64>>;

pub(crate) struct Evaluation<'a> {
    pub(crate) program: &'a Program,
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) weights: &'a Weights,
    /// The class of documents whose weights are used; empty until it is known.
    pub(crate) class: OnceCell<String>,
    budget: Budget,
    lets: Vec<OnceCell<Value>>,
    nameless: Vec<OnceCell<Value>>,
    decisions: Vec<OnceCell<Rc<Decision<'a>>>>,
    marked: OnceCell<MarkedElements<'a>>,
    structured: OnceCell<StructuredData>,
    blocks: OnceCell<Value>,
    page_text: OnceCell<PageText>,
    /// Where in the text of the page the signs stand that regular expressions need.
    page_signs: OnceCell<SignPlaces>,
    /// The items of nodes, so that each text is read and counted once.
    node_items: RefCell<Vec<Option<Rc<Item>>>>,
    classes: OnceCell<ClassIndex>,
    site_names: OnceCell<SiteNames>,
    /// Entries of bibliographies, by their texts.
    entries: RefCell<FxHashMap<Box<str>, ListedWork>>,
    readings: Readings,
    /// How alike folded texts are.
    likeness: RefCell<Likeness>,
}

impl<'a> Evaluation<'a> {
    pub(crate) fn new(
        program: &'a Program,
        subject: &'a Subject<'a>,
        weights: &'a Weights,
        steps: u64,
    ) -> Evaluation<'a> {
        Evaluation {
            program,
            subject,
            weights,
            class: OnceCell::new(),
            budget: Budget::of(steps),
            lets: vec![OnceCell::new(); program.lets.len()],
            nameless: vec![OnceCell::new(); program.nameless.len()],
            decisions: vec![OnceCell::new(); program.heuristics.len()],
            marked: OnceCell::new(),
            structured: OnceCell::new(),
            blocks: OnceCell::new(),
            page_text: OnceCell::new(),
            page_signs: OnceCell::new(),
            node_items: RefCell::default(),
            classes: OnceCell::new(),
            site_names: OnceCell::new(),
            entries: RefCell::default(),
            readings: Readings::default(),
            likeness: RefCell::default(),
        }
    }

    pub(crate) fn tree(&self) -> &'a Tree {
        self.subject.page.tree()
    }

    /// What a name was worth, if anything asked for it.
    pub(crate) fn known(&self, number: usize) -> Option<&Value> {
        self.lets[number].get()
    }

    /// All decisions in the order of fields, as far as the budget goes.
    pub(crate) fn decided(&self) -> Decided<'a> {
        self.decided_of(|_| true)
    }

    /// The decisions for some fields. The heuristic for the type decides first, because the weights of all
    /// others depend on it.
    pub(crate) fn decided_of(&self, is_wanted: impl Fn(Field) -> bool) -> Decided<'a> {
        let mut order: Vec<usize> = (0..self.program.heuristics.len()).collect();
        let field = |number: &usize| self.program.heuristics[*number].field;
        order.retain(|number| field(number) == Field::Type || is_wanted(field(number)));
        order.sort_by_key(|number| (field(number) != Field::Type, field(number)));
        let mut decided = self.decided_in(order);
        decided.decisions.retain(|decision| is_wanted(decision.heuristic.field));
        decided
    }

    /// The decision for one field.
    pub(crate) fn decided_for(&self, field: Field) -> Decided<'a> {
        let mut heuristics = self.program.heuristics.iter();
        self.decided_in(heuristics.position(|it| it.field == field))
    }

    /// The same, of a document whose class is known.
    pub(crate) fn of_class(mut self, class: &str) -> Evaluation<'a> {
        self.class = class.to_owned().into();
        self
    }

    fn decided_in(&self, order: impl IntoIterator<Item = usize>) -> Decided<'a> {
        let mut decided = Decided { decisions: Vec::new(), trouble: None };
        for number in order {
            match self.decision(number) {
                Ok(decision) => decided.decisions.push(decision),
                Err(Spent) => {
                    decided.trouble = Some(self.budget.trouble());
                    break;
                }
            }
        }
        decided.decisions.sort_by_key(|decision| decision.heuristic.field);
        decided
    }

    /// What a heuristic decided, if the budget sufficed for it.
    pub(crate) fn decision(&self, number: usize) -> Evaluated<Rc<Decision<'a>>> {
        if let Some(decision) = self.decisions[number].get() {
            return Ok(decision.clone());
        }
        let decision = Rc::new(self.decide(number)?);
        if decision.heuristic.field == Field::Type {
            let class = decision.chosen().next().map(|it| self.text(&it.item).to_owned());
            // Set once: there is one heuristic for the type.
            let _ = self.class.set(class.unwrap_or_default());
        }
        Ok(self.decisions[number].get_or_init(|| decision).clone())
    }

    /// The value of an expression; `it` is the item in question, where there is one.
    pub(crate) fn value(&self, code: &ValueCode, it: Option<&Rc<Item>>) -> Evaluated<Value> {
        self.spend(1)?;
        match &code.is {
            ValueIs::Let(number) => self.binding(*number),
            ValueIs::Nameless(number) => {
                self.once(&self.nameless[*number], &self.program.nameless[*number])
            }
            ValueIs::It => Ok(it.map_or(Value::Nothing, |it| Value::One(it.clone()))),
            ValueIs::XPath(path) => self.xpath(path, XPathNode::DOCUMENT).map(Value::from),
            ValueIs::Texts(texts) => {
                self.spend(texts.len() as u64 * STEPS_PER_ITEM)?;
                Ok(texts.iter().map(|text| Item::with_text(Spot::Nowhere, text)).collect())
            }
            ValueIs::Source(source) => self.source(source),
            ValueIs::FirstOf(members) => {
                for member in members {
                    let value = self.value(member, it)?;
                    if self.is_present(&value)? {
                        return Ok(value);
                    }
                }
                Ok(Value::Nothing)
            }
            ValueIs::AllOf(members) => {
                let mut all = Vec::new();
                for member in members {
                    all.extend(self.value(member, it)?.iter().cloned());
                }
                self.made(all)
            }
            ValueIs::Steps(source, steps) => {
                let value = self.value(source, it)?;
                self.steps(steps, value, it)
            }
        }
    }

    fn binding(&self, number: usize) -> Evaluated<Value> {
        let LetCode { name, value } = &self.program.lets[number];
        self.noted(name, value.span, self.once(&self.lets[number], value))
    }

    fn once(&self, known: &OnceCell<Value>, code: &ValueCode) -> Evaluated<Value> {
        if let Some(value) = known.get() {
            return Ok(value.clone());
        }
        let value = self.value(code, None)?;
        Ok(known.get_or_init(|| value).clone())
    }

    /// Whether there is an item whose text is not empty.
    pub(crate) fn is_present(&self, value: &Value) -> Evaluated<bool> {
        for item in value.iter() {
            self.spend(1)?;
            if self.has_text(item) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The text of an item, white space normalised. Empty when the budget is used up; whoever pays
    /// next will know.
    #[inline]
    pub(crate) fn text<'i>(&self, item: &'i Item) -> &'i str {
        match item.text.get() {
            Some(text) => text,
            None => self.text_read(item),
        }
    }

    /// The same for the first time.
    #[inline(never)]
    fn text_read<'i>(&self, item: &'i Item) -> &'i str {
        if self.budget.left.get() == 0 {
            return "";
        }
        item.text.get_or_init(|| self.read(&item.spot))
    }

    /// Whether the text of an item is not empty.
    #[inline]
    pub(crate) fn has_text(&self, item: &Item) -> bool {
        match item.text.get() {
            Some(text) => !text.is_empty(),
            None => !self.text_read(item).is_empty(),
        }
    }

    /// The number of words of an item, if it has no more than so many. Of a large element, no more is
    /// read than it takes to know that it has not.
    fn words_within(&self, item: &Item, most: usize) -> Evaluated<Option<u32>> {
        if let Some(words) = item.words.get() {
            return Ok((words as usize <= most).then_some(words));
        }
        let text = match item.spot {
            Spot::Node(XPathNode::Node(node)) if item.is_node && item.text.get().is_none() => {
                let bytes = most.saturating_add(1).saturating_mul(BYTES_OF_WORD);
                let beginning = self.page_text().beginning_of(node, bytes);
                if token_count_within(beginning, most).is_none() {
                    self.spend_bytes(beginning.len())?;
                    return Ok(None);
                }
                self.text(item)
            }
            _ => self.text(item),
        };
        self.spend_bytes(text.len())?;
        let words = token_count_within(text, most).map(|words| words as u32);
        if words.is_some() {
            item.words.set(words);
        }
        Ok(words)
    }

    /// Whether an expression could match the text of an item, by what it needs.
    fn may_match(&self, pattern: &Pattern, item: &Item) -> bool {
        !pattern.is_picky() || pattern.may_match(item.seen.get_or_init(|| self.signs_of(item)))
    }

    /// The same, and by a quick search where that for matches is slow.
    fn may_be_found(&self, pattern: &Pattern, item: &Item) -> bool {
        self.may_match(pattern, item)
            && pattern.may_match_beyond_ascii(self.text(item), self.letters_of(item))
    }

    /// The letters of the text of an item. Those of the page are looked at once.
    fn letters_of(&self, item: &Item) -> Letters {
        let text = self.text(item);
        match item.text.get().and_then(Text::place) {
            Some(_) if self.page_text().is_western() => Letters::Western,
            _ => Letters::of(text),
        }
    }

    fn signs_of(&self, item: &Item) -> Seen {
        let signs = &self.program.signs;
        match item.text.get().and_then(Text::place) {
            Some(place) => {
                let line = self.page_text().line();
                self.page_signs.get_or_init(|| signs.places(line)).within(place)
            }
            None => signs.of(self.text(item)),
        }
    }

    /// The item of a node.
    fn node_item(&self, node: NodeId) -> Rc<Item> {
        let mut items = self.node_items.borrow_mut();
        if items.is_empty() {
            items.resize(self.tree().len(), None);
        }
        let make = || Item::at(Spot::Node(XPathNode::Node(node)));
        items[node.index()].get_or_insert_with(make).clone()
    }

    /// The item of a node or an attribute.
    fn item_at(&self, node: XPathNode) -> Rc<Item> {
        match node {
            XPathNode::Node(node) => self.node_item(node),
            attribute => Item::at(Spot::Node(attribute)),
        }
    }

    pub(crate) fn lower<'i>(&self, item: &'i Item) -> &'i str {
        self.form(item, Item::lower)
    }

    pub(crate) fn folded<'i>(&self, item: &'i Item) -> &'i str {
        self.form(item, Item::folded)
    }

    /// A form of the text for comparison, paid for when it is made.
    fn form<'i>(&self, item: &'i Item, form: fn(&'i Item, &str) -> (&'i str, bool)) -> &'i str {
        let text = self.text(item);
        let (formed, is_new) = form(item, text);
        if is_new {
            self.charge(text.len() as u64 / BYTES_PER_STEP);
        }
        formed
    }

    fn read(&self, spot: &Spot) -> Text {
        match spot {
            Spot::Node(XPathNode::Node(node)) => self.text_of_node(*node),
            Spot::Node(attribute) => {
                let text = attribute.string_value(self.tree());
                self.charge(text.len() as u64 / BYTES_PER_STEP);
                Text::Own(item::normalised(&text).into())
            }
            Spot::Nodes(nodes) => {
                let mut joined = String::new();
                for node in nodes.iter() {
                    joined.push_str(&self.text_of_node(*node));
                    joined.push(' ');
                    if joined.len() > MAX_VALUE || self.budget.left.get() == 0 {
                        break;
                    }
                }
                Text::Own(item::normalised(&joined).into())
            }
            Spot::Outside(_) | Spot::Nowhere => Text::Own("".into()),
        }
    }

    fn text_of_node(&self, node: NodeId) -> Text {
        let tree = self.tree();
        if let Some(text) = self.page_text().text_of(node) {
            self.charge(1 + text.len() as u64 / BYTES_PER_STEP);
            return text;
        }
        if tree.element(node).is_some() {
            let (text, steps) = text_of(tree, node);
            self.charge(steps + text.len() as u64 / BYTES_PER_STEP);
            return Text::Own(text.into());
        }
        let text = XPathNode::Node(node).string_value(tree);
        self.charge(text.len() as u64 / BYTES_PER_STEP);
        Text::Own(item::normalised(&text).into())
    }

    /// Whether an XPath that finds a node itself or nothing finds it.
    fn keeps(&self, code: &XPathCode, at: XPathNode) -> Evaluated<Option<bool>> {
        let mut budget = StepBudget::new(self.budget.left.get());
        let keeps = code.path.keeps(self.tree(), at, &mut budget);
        self.budget.left.set(budget.left());
        match keeps {
            Err(XPathFailure::Budget) => Err(Spent),
            keeps => Ok(keeps.unwrap_or_default()),
        }
    }

    /// The items an XPath finds at a node.
    fn xpath(&self, code: &XPathCode, at: XPathNode) -> Evaluated<Vec<Rc<Item>>> {
        let mut variables = Vec::with_capacity(code.variables.len());
        for (name, number) in &code.variables {
            variables.push((name.as_str(), self.as_xpath_value(*number)?));
        }
        let find = |wanted: &str| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| value.clone())
        };
        let mut budget = StepBudget::new(self.budget.left.get());
        let found = code.path.evaluate(self.tree(), at, &find, &mut budget);
        self.budget.left.set(budget.left());
        match found {
            Ok(XPathValue::Nodes(nodes)) => {
                self.spend(nodes.len().min(MAX_ITEMS) as u64 * STEPS_PER_ITEM)?;
                let nodes = nodes.into_iter().take(MAX_ITEMS);
                Ok(nodes.map(|node| self.item_at(node)).collect())
            }
            Ok(value) => {
                let text = value.string(self.tree());
                Ok(vec![Item::with_text(Spot::Node(at), &text)])
            }
            Err(XPathFailure::Budget) => Err(Spent),
            // Nothing else can go wrong with an expression that was checked.
            Err(_) => Ok(Vec::new()),
        }
    }

    /// A name as XPath sees it: its nodes, or its first text.
    fn as_xpath_value(&self, number: usize) -> Evaluated<XPathValue> {
        let value = self.binding(number)?;
        self.spend(value.len() as u64)?;
        let nodes: Option<Vec<XPathNode>> = value
            .iter()
            .map(|item| match item.spot {
                Spot::Node(node) if item.is_node => Some(node),
                _ => None,
            })
            .collect();
        Ok(match nodes {
            Some(nodes) => XPathValue::Nodes(nodes),
            None => {
                let text = value.first().map_or("", |item| self.text(item));
                XPathValue::Text(text.to_owned())
            }
        })
    }

    /// A list that was just made: paid for, and cut to its limit.
    fn made(&self, mut items: Vec<Rc<Item>>) -> Evaluated<Value> {
        items.truncate(MAX_ITEMS);
        self.spend(items.len() as u64)?;
        Ok(items.into())
    }

    fn page_text(&self) -> &PageText {
        self.page_text.get_or_init(|| {
            self.charge(self.tree().len() as u64);
            PageText::of(self.tree())
        })
    }

    fn marked(&self) -> &MarkedElements<'a> {
        self.marked.get_or_init(|| MarkedElements::of(self.tree()))
    }

    fn structured(&self) -> &StructuredData {
        self.structured.get_or_init(|| StructuredData::marked(self.tree(), self.marked()))
    }
}
