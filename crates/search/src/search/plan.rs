//! From the tree of a query to lists of postings: every word becomes its forms in the fields asked, patterns become the
//! words they stand for, and words of other vocabularies are put beside those they stand for.

use super::expand::{self, Expansion};
use super::persons;
use super::request::{Alternative, AlternativeTarget, SearchRequest};
use super::restrict::Restriction;
use super::searcher::Searcher;
use crate::SearchError;
use crate::analysis::normalised_term;
use crate::fields::TextField;
use crate::index::subject_term;
use crate::query::{self, Form, Node, NodeKind, Occur};
use crate::ranking::{Posting, PostingList};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::Range;

/// Alternatives of one request, over all collections; further ones are left out, with a note.
pub const MAX_ALTERNATIVES: usize = 200;

/// What is evaluated.
#[derive(Debug)]
pub(crate) enum Plan {
    /// By number.
    Leaf(usize),
    Restriction(usize),
    All,
    And(Vec<Plan>),
    Or(Vec<Plan>),
    Not(Box<Plan>),
    List {
        must: Vec<Plan>,
        should: Vec<Plan>,
        not: Vec<Plan>,
        should_is_optional: bool,
    },
    /// The best of several counts.
    BestOf(Vec<Candidate>),
}

/// One of several that mean the same.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) plan: Plan,
    pub(crate) weight: f32,
    /// Only for documents of this collection.
    pub(crate) only: Option<String>,
    /// Not for documents of these; everything if the inner list says so.
    pub(crate) except: Vec<Option<String>>,
    /// The alternative, by number.
    pub(crate) alternative: Option<usize>,
}

/// Something that gives evidence.
#[derive(Debug)]
pub(crate) struct Leaf {
    /// In bytes of the query.
    pub(crate) place: Range<usize>,
    pub(crate) shown: String,
    pub(crate) kind: LeafKind,
    /// How often the query has it.
    pub(crate) frequency: f64,
    pub(crate) alternative: Option<usize>,
}

#[derive(Debug)]
pub(crate) enum LeafKind {
    Words(Vec<Posting>),
    /// Words in a row, each as it may be written.
    Phrase {
        fields: Vec<TextField>,
        groups: Vec<Vec<String>>,
    },
    /// Words near each other, each in its forms.
    Near {
        fields: Vec<TextField>,
        groups: Vec<Vec<String>>,
        distance: u32,
    },
}

#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) restrictions: Vec<Restriction>,
    /// With their collections.
    pub(crate) alternatives: Vec<(Option<String>, Alternative)>,
    /// What the reader should know, such as expansions that were cut.
    pub(crate) notes: Vec<String>,
}

pub(crate) fn plan(
    searcher: &Searcher,
    tree: &Node,
    request: &SearchRequest,
) -> Result<Planned, SearchError> {
    let mut planner = Planner {
        searcher,
        leaves: Vec::new(),
        restrictions: Vec::new(),
        alternatives: Vec::new(),
        notes: Vec::new(),
        in_alternative: None,
    };
    planner.take_alternatives(request);
    let plan = planner.node(tree)?;
    let Planner { leaves, restrictions, alternatives, notes, .. } = planner;
    Ok(Planned { plan, leaves, restrictions, alternatives, notes })
}

struct Planner<'s> {
    searcher: &'s Searcher,
    leaves: Vec<Leaf>,
    restrictions: Vec<Restriction>,
    alternatives: Vec<(Option<String>, Alternative)>,
    notes: Vec<String>,
    /// The alternative being planned.
    in_alternative: Option<usize>,
}

impl Planner<'_> {
    fn take_alternatives(&mut self, request: &SearchRequest) {
        let all = request.alternatives.iter().flat_map(|of_collection| {
            let collection = of_collection.collection.clone();
            of_collection.alternatives.iter().map(move |it| (collection.clone(), it.clone()))
        });
        self.alternatives = all.take(MAX_ALTERNATIVES + 1).collect();
        if self.alternatives.len() > MAX_ALTERNATIVES {
            self.alternatives.truncate(MAX_ALTERNATIVES);
            self.notes.push(format!("only the first {MAX_ALTERNATIVES} alternatives are used"));
        }
    }

    fn node(&mut self, node: &Node) -> Result<Plan, SearchError> {
        let own = self.alternatives_within(&node.place, std::slice::from_ref(node));
        match &node.kind {
            NodeKind::List(clauses) => self.list(clauses),
            NodeKind::And(parts) => Ok(Plan::And(self.nodes(parts)?)),
            NodeKind::Or(parts) => Ok(Plan::Or(self.nodes(parts)?)),
            NodeKind::Not(part) => Ok(Plan::Not(Box::new(self.node(part)?))),
            _ if own.is_empty() => self.leaf(node),
            _ => {
                let original = self.leaf(node)?;
                self.with_alternatives(original, &own)
            }
        }
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<Vec<Plan>, SearchError> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    /// Words side by side. Repeated ones count more, stop words less, and alternatives may stand for several.
    fn list(&mut self, clauses: &[(Occur, Node)]) -> Result<Plan, SearchError> {
        let (mut must, mut should, mut not) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen: FxHashMap<String, usize> = FxHashMap::default();
        let has_content = clauses.iter().any(|(occur, node)| {
            *occur != Occur::MustNot && !node.is_restriction() && !self.is_stop_word(node)
        });
        let mut should_is_optional = false;
        let mut at = 0;
        while at < clauses.len() {
            let (occur, node) = &clauses[at];
            let run = self.run_with_alternatives(&clauses[at..]);
            if run > 1 {
                should.push(self.run_of_words(&clauses[at..at + run])?);
                at += run;
                continue;
            }
            at += 1;
            match occur {
                Occur::MustNot => not.push(self.node(node)?),
                Occur::Must => {
                    should_is_optional |= !node.is_restriction();
                    must.push(self.node(node)?);
                }
                Occur::Should => {
                    let worth = match has_content && self.is_stop_word(node) {
                        true => self.searcher.parameters().stop_word,
                        false => 1.0,
                    };
                    if worth <= 0.0 {
                        continue;
                    }
                    let signature = format!("{:?}", node.kind);
                    if let Some(leaf) = seen.get(&signature) {
                        self.leaves[*leaf].frequency += worth;
                        continue;
                    }
                    let first = self.leaves.len();
                    let planned = self.node(node)?;
                    if let Some(leaf) = self.leaves.get_mut(first) {
                        leaf.frequency *= worth;
                        seen.insert(signature, first);
                    }
                    should.push(planned);
                }
            }
        }
        if must.is_empty() && should.is_empty() && !not.is_empty() {
            must.push(Plan::All);
        }
        Ok(Plan::List { must, should, not, should_is_optional })
    }

    /// How many clauses from here on some alternative stands for together.
    fn run_with_alternatives(&self, clauses: &[(Occur, Node)]) -> usize {
        if self.in_alternative.is_some() {
            return 1;
        }
        let start = clauses[0].1.place.start;
        let reach = |(_, it): &(Option<String>, Alternative)| {
            let begins = it.place.start <= start && start < it.place.end;
            let inside = clauses.iter().take_while(|(occur, node)| {
                *occur == Occur::Should && node.place.end <= it.place.end
            });
            if begins { inside.count() } else { 0 }
        };
        self.alternatives.iter().map(reach).max().unwrap_or(0).max(1)
    }

    /// Several words that have alternatives together; within, each may have its own.
    fn run_of_words(&mut self, clauses: &[(Occur, Node)]) -> Result<Plan, SearchError> {
        let nodes: Vec<Node> = clauses.iter().map(|(_, node)| node.clone()).collect();
        let place = nodes[0].place.start..nodes[nodes.len() - 1].place.end;
        let own = self.alternatives_within(&place, &nodes);
        let mut should = Vec::new();
        for node in &nodes {
            should.push(self.node(node)?);
        }
        let original =
            Plan::List { must: Vec::new(), should, not: Vec::new(), should_is_optional: false };
        self.with_alternatives(original, &own)
    }

    /// Alternatives for exactly these parts: they cover all of them, and no single part covers the alternative.
    fn alternatives_within(&self, place: &Range<usize>, nodes: &[Node]) -> Vec<usize> {
        if self.in_alternative.is_some() {
            return Vec::new();
        }
        let covers = |outer: &Range<usize>, inner: &Range<usize>| {
            outer.start <= inner.start && inner.end <= outer.end
        };
        let is_own = |(_, it): &&(Option<String>, Alternative)| match nodes {
            [node] => {
                covers(&node.place, &it.place)
                    || it.place == *place
                    || covers(&it.place, &node.place) && !self.is_shared(it, &node.place)
            }
            nodes => {
                let inner = nodes.iter().any(|node| covers(&node.place, &it.place));
                !inner && it.place.start <= place.start && place.start < it.place.end
            }
        };
        let numbered = self.alternatives.iter().enumerate();
        numbered.filter(|(_, it)| is_own(it)).map(|(number, _)| number).collect()
    }

    /// Whether an alternative reaches beyond a word: then the run of words has it.
    fn is_shared(&self, alternative: &Alternative, word: &Range<usize>) -> bool {
        alternative.place.start < word.start || alternative.place.end > word.end
    }

    fn with_alternatives(&mut self, original: Plan, own: &[usize]) -> Result<Plan, SearchError> {
        if own.is_empty() {
            return Ok(original);
        }
        let replacing = own.iter().map(|number| &self.alternatives[*number]);
        let except = replacing
            .filter(|(_, it)| it.replace)
            .map(|(collection, _)| collection.clone())
            .collect();
        let mut candidates =
            vec![Candidate { plan: original, weight: 1.0, only: None, except, alternative: None }];
        for number in own {
            let (collection, alternative) = self.alternatives[*number].clone();
            self.in_alternative = Some(*number);
            let plan = self.target(&alternative.target, &alternative.place);
            self.in_alternative = None;
            candidates.push(Candidate {
                plan: plan?,
                weight: alternative.weight.clamp(0.0, 1.0) as f32,
                only: collection,
                except: Vec::new(),
                alternative: Some(*number),
            });
        }
        Ok(Plan::BestOf(candidates))
    }

    fn target(
        &mut self,
        target: &AlternativeTarget,
        place: &Range<usize>,
    ) -> Result<Plan, SearchError> {
        match target {
            AlternativeTarget::Words(words) => {
                let mut tree = query::parse_words(words)?;
                set_places(&mut tree, place);
                self.node(&tree)
            }
            AlternativeTarget::AllOf(targets) => {
                let plans = targets.iter().map(|target| self.target(target, place));
                Ok(Plan::And(plans.collect::<Result<_, SearchError>>()?))
            }
            AlternativeTarget::Subject { scheme, terms } => {
                let posting = |term: &String| Posting {
                    list: PostingList::Subjects,
                    term: subject_term(scheme.as_deref(), &normalised_term(term)),
                    factor: 1.0,
                };
                let postings = terms.iter().map(posting).collect();
                let shown = terms.join(" / ");
                Ok(self.add_leaf(place.clone(), shown, LeafKind::Words(postings)))
            }
        }
    }

    fn add_leaf(&mut self, place: Range<usize>, shown: String, kind: LeafKind) -> Plan {
        let alternative = self.in_alternative;
        self.leaves.push(Leaf { place, shown, kind, frequency: 1.0, alternative });
        Plan::Leaf(self.leaves.len() - 1)
    }

    fn leaf(&mut self, node: &Node) -> Result<Plan, SearchError> {
        let place = node.place.clone();
        match &node.kind {
            NodeKind::Word { field, word, form } => {
                let postings = match form {
                    Form::Stem => self.searcher.word_postings(word, *field)?,
                    Form::Prefix => self.expanded(*field, word, None)?,
                    Form::Fuzzy(distance) => self.expanded(*field, word, Some(*distance))?,
                };
                let sign = match form {
                    Form::Stem => "",
                    Form::Prefix => "*",
                    Form::Fuzzy(_) => "~",
                };
                Ok(self.add_leaf(place, format!("{word}{sign}"), LeafKind::Words(postings)))
            }
            NodeKind::Phrase { field, words } => {
                let fields = fields(*field);
                let shown = format!("\"{}\"", words.join(" "));
                let kind = match &words[..] {
                    [word] => LeafKind::Words(self.exact_postings(&fields, word, 1.0)),
                    _ => {
                        let groups = words.iter().map(|word| self.searcher.written(word)).collect();
                        LeafKind::Phrase { fields, groups }
                    }
                };
                Ok(self.add_leaf(place, shown, kind))
            }
            NodeKind::Regex { field, pattern } => {
                let compiled = expand::compiled(pattern, &place)?;
                let fields = fields(*field);
                let expansion = expand::matching(self.searcher.segments(), &fields, &compiled);
                let expansion = expansion.map_err(|cause| self.searcher.broken(cause.into()))?;
                let postings = self.expansion_postings(&fields, expansion, pattern);
                Ok(self.add_leaf(place, format!("/{pattern}/"), LeafKind::Words(postings)))
            }
            NodeKind::Near { field, words, distance } => {
                let fields = fields(*field);
                let groups = words.iter().map(|word| self.forms_in(&fields, word));
                let groups = groups.collect::<Result<_, SearchError>>()?;
                let shown = words.join(" NEAR ");
                let kind = LeafKind::Near { fields, groups, distance: *distance };
                Ok(self.add_leaf(place, shown, kind))
            }
            _ => self.restriction(node),
        }
    }

    fn restriction(&mut self, node: &Node) -> Result<Plan, SearchError> {
        let segments = self.searcher.segments();
        let broken = |cause: std::io::Error| self.searcher.broken(cause.into());
        let restriction = match &node.kind {
            NodeKind::Facet { facet, value, prefix } => {
                Restriction::Facet { facet: *facet, value: value.clone(), prefix: *prefix }
            }
            NodeKind::Range { column, from, to } => {
                Restriction::Range { column: *column, from: *from, to: *to }
            }
            NodeKind::NearDate { first, last, scale } => {
                Restriction::NearDate { first: *first, last: *last, scale: *scale }
            }
            NodeKind::Person { name } => {
                let lists = segments.iter().map(|segment| &*segment.person);
                let degree = |found: &str| {
                    let likeness = persons::likeness(name, found);
                    Some(if likeness >= persons::MIN_LIKENESS { likeness } else { 0.0 })
                };
                let found = expand::graded_terms(lists, "", degree).map_err(broken)?;
                Restriction::Persons(found.words)
            }
            NodeKind::Class { scheme, code, below } => {
                let lists = segments.iter().map(|segment| &*segment.subject);
                let start = subject_term(scheme.as_deref(), code);
                let degree = |found: &str| match found.strip_prefix(&start) {
                    None => None,
                    Some("") => Some(1.0),
                    Some(_) if *below && !code.is_empty() => Some(BELOW_DEGREE),
                    Some(_) => Some(0.0),
                };
                let found = expand::graded_terms(lists, &start, degree).map_err(broken)?;
                Restriction::Subjects(found.words)
            }
            _ => return Ok(Plan::All),
        };
        self.restrictions.push(restriction);
        Ok(Plan::Restriction(self.restrictions.len() - 1))
    }

    fn expanded(
        &mut self,
        field: Option<TextField>,
        word: &str,
        distance: Option<u8>,
    ) -> Result<Vec<Posting>, SearchError> {
        let fields = fields(field);
        let segments = self.searcher.segments();
        let expansion = match distance {
            None => expand::with_prefix(segments, &fields, word),
            Some(distance) => expand::similar_words(segments, &fields, word, distance),
        };
        let expansion = expansion.map_err(|cause| self.searcher.broken(cause.into()))?;
        Ok(self.expansion_postings(&fields, expansion, word))
    }

    fn expansion_postings(
        &mut self,
        fields: &[TextField],
        expansion: Expansion,
        asked: &str,
    ) -> Vec<Posting> {
        if expansion.is_cut {
            let most = expand::MAX_EXPANDED_WORDS;
            self.notes
                .push(format!("{asked}: only the {most} most frequent words were looked for"));
        }
        let words = expansion.words.iter();
        words.flat_map(|it| self.exact_postings(fields, &it.word, it.degree)).collect()
    }

    /// A word as it is written.
    fn exact_postings(&self, fields: &[TextField], word: &str, factor: f32) -> Vec<Posting> {
        let written = self.searcher.written(word);
        let mut postings = Vec::new();
        for field in fields {
            // Without the mark of a language where there are none.
            let terms = if field.is_stemmed() { &written[..] } else { &written[..1] };
            let list = PostingList::Words(*field);
            postings.extend(terms.iter().map(|term| Posting { list, term: term.clone(), factor }));
        }
        postings
    }

    /// The terms that are forms of a word in any of the fields.
    fn forms_in(&self, fields: &[TextField], word: &str) -> Result<Vec<String>, SearchError> {
        let stems = self.searcher.stems(word);
        let mut terms = BTreeSet::new();
        for field in fields {
            terms.extend(self.searcher.forms(word, &stems, *field)?);
        }
        Ok(terms.into_iter().collect())
    }

    fn is_stop_word(&self, node: &Node) -> bool {
        matches!(&node.kind, NodeKind::Word { word, form: Form::Stem, .. }
            if self.searcher.is_stop_word(word))
    }
}

/// What a class below the one asked for is worth.
const BELOW_DEGREE: f64 = 0.8;

pub(crate) fn fields(field: Option<TextField>) -> Vec<TextField> {
    field.map_or_else(|| TextField::ALL.to_vec(), |field| vec![field])
}

fn set_places(node: &mut Node, place: &Range<usize>) {
    node.place = place.clone();
    if let NodeKind::List(clauses) = &mut node.kind {
        clauses.iter_mut().for_each(|(_, node)| set_places(node, place));
    }
}
