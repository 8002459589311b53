//! What RDF says in the words of SKOS, whichever way it was written.
//!
//! Labels may be nodes of their own (SKOS-XL), and a mapping may lead to a list of concepts, which
//! is read as a combination. Both come in two halves in any order, so they wait until the end.

use super::ImportOptions;
use super::gathered::{FoundMapping, Gathered, Link};
use super::limits::{MAX_BLANK_NODES, MAX_COMBINATION};
use crate::{LabelKind, Relation};
use oxrdf::{NamedOrBlankNode, Term, Triple};
use rustc_hash::FxHashMap;

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const SKOS_XL: &str = "http://www.w3.org/2008/05/skos-xl#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

pub(super) struct Statements<'g> {
    pub(super) gathered: &'g mut Gathered,
    options: &'g ImportOptions,
    /// Concepts, the nodes of their labels, and the line.
    label_nodes: Vec<(String, LabelKind, String, u64)>,
    /// Language and text of label nodes.
    literal_forms: FxHashMap<String, (String, String)>,
    lists: FxHashMap<String, ListNode>,
    /// Mappings that lead to a list.
    combinations: Vec<(String, Relation, String, u64)>,
}

#[derive(Debug, Default)]
struct ListNode {
    first: Option<String>,
    rest: Option<String>,
}

/// What a predicate says.
enum Meaning {
    Type,
    Label(LabelKind),
    LabelNode(LabelKind),
    LiteralForm,
    Notation,
    ScopeNote,
    Title,
    InScheme,
    Link(Link),
    Match(Relation),
    First,
    Rest,
}

impl<'g> Statements<'g> {
    pub(super) fn of(gathered: &'g mut Gathered, options: &'g ImportOptions) -> Statements<'g> {
        Statements {
            gathered,
            options,
            label_nodes: Vec::new(),
            literal_forms: FxHashMap::default(),
            lists: FxHashMap::default(),
            combinations: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, triple: &Triple, line: u64) {
        let Some(meaning) = meaning(triple.predicate.as_str()) else { return };
        let subject = match &triple.subject {
            NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
            NamedOrBlankNode::BlankNode(node) => blank(node.as_str()),
        };
        let is_blank = matches!(triple.subject, NamedOrBlankNode::BlankNode(_));
        match meaning {
            Meaning::LiteralForm => self.literal_form(subject, &triple.object, line),
            Meaning::First | Meaning::Rest => {
                self.list_node(subject, &meaning, &triple.object, line)
            }
            _ if is_blank => {}
            Meaning::Type => self.kind(&subject, &triple.object, line),
            Meaning::Match(relation) => self.mapping(subject, relation, &triple.object, line),
            Meaning::LabelNode(kind) => {
                if let Some(node) = node(&triple.object) {
                    self.label_nodes.push((subject, kind, node, line));
                    self.check_waiting(line);
                }
            }
            Meaning::InScheme => with_uri(&triple.object, |scheme| {
                self.gathered.in_scheme(&subject, scheme, line);
            }),
            Meaning::Link(link) => with_uri(&triple.object, |to| {
                self.gathered.link(&subject, link, to, line);
            }),
            Meaning::Label(_) | Meaning::Notation | Meaning::ScopeNote | Meaning::Title => {
                self.text(&subject, &meaning, &triple.object, line);
            }
        }
    }

    /// Joins the halves that waited for each other.
    pub(super) fn finish(mut self) {
        for (concept, kind, node, line) in std::mem::take(&mut self.label_nodes) {
            match self.literal_forms.get(&node) {
                Some((language, text)) => self.gathered.label(&concept, kind, language, text, line),
                None => {
                    let message = format!("a label of <{concept}> has no skosxl:literalForm");
                    self.gathered.problems.warning(Some(line), message);
                }
            }
        }
        for (from, relation, list, line) in std::mem::take(&mut self.combinations) {
            let Some(to) = self.members(&list) else {
                let message = format!(
                    "the mapping of <{from}> leads to a node that is no list of up to {MAX_COMBINATION} concepts"
                );
                self.gathered.problems.warning(Some(line), message);
                continue;
            };
            self.found(from, to, relation, line);
        }
    }

    fn kind(&mut self, subject: &str, object: &Term, line: u64) {
        let Term::NamedNode(kind) = object else { return };
        match kind.as_str().strip_prefix(SKOS) {
            Some("Concept") => self.gathered.concept(subject, line),
            Some("ConceptScheme") => self.gathered.scheme(subject, line),
            _ => {}
        }
    }

    fn text(&mut self, subject: &str, meaning: &Meaning, object: &Term, line: u64) {
        let Term::Literal(literal) = object else { return };
        let (text, language) = (literal.value(), literal.language().unwrap_or(""));
        match meaning {
            Meaning::Label(kind) => self.gathered.label(subject, *kind, language, text, line),
            Meaning::Notation => self.gathered.notation(subject, text, line),
            Meaning::ScopeNote => self.gathered.scope_note(subject, language, text, line),
            _ => self.gathered.title(subject, language, text, line),
        }
    }

    fn mapping(&mut self, from: String, relation: Relation, object: &Term, line: u64) {
        match object {
            Term::NamedNode(to) => self.found(from, vec![to.as_str().to_owned()], relation, line),
            Term::BlankNode(list) => {
                self.combinations.push((from, relation, blank(list.as_str()), line));
                self.check_waiting(line);
            }
            _ => {
                let message =
                    format!("the mapping of <{from}> leads to a text and not to a concept");
                self.gathered.problems.warning(Some(line), message);
            }
        }
    }

    fn found(&mut self, from: String, to: Vec<String>, relation: Relation, line: u64) {
        let mapping = FoundMapping {
            from,
            to,
            relation,
            relevance: None,
            directed: !relation.is_symmetric(),
            from_label: None,
            to_label: None,
            line,
        };
        self.gathered.mapping(mapping, self.options);
    }

    fn literal_form(&mut self, node: String, object: &Term, line: u64) {
        let Term::Literal(literal) = object else { return };
        let form = (literal.language().unwrap_or("").to_owned(), literal.value().to_owned());
        self.literal_forms.entry(node).or_insert(form);
        self.check_waiting(line);
    }

    fn list_node(&mut self, list: String, meaning: &Meaning, object: &Term, line: u64) {
        let Some(object) = node(object) else { return };
        let entry = self.lists.entry(list).or_default();
        match meaning {
            Meaning::First => entry.first = Some(object),
            _ => entry.rest = Some(object),
        }
        self.check_waiting(line);
    }

    /// The concepts of a list; it may be endless.
    fn members(&self, list: &str) -> Option<Vec<String>> {
        let mut members = Vec::new();
        let mut at = list;
        while at != format!("{RDF}nil") {
            let entry = self.lists.get(at)?;
            members.push(entry.first.clone().filter(|it| !it.starts_with("_:"))?);
            if members.len() > MAX_COMBINATION {
                return None;
            }
            at = entry.rest.as_deref()?;
        }
        (!members.is_empty()).then_some(members)
    }

    fn check_waiting(&mut self, line: u64) {
        let waiting = self.label_nodes.len()
            + self.literal_forms.len()
            + self.lists.len()
            + self.combinations.len();
        if waiting > MAX_BLANK_NODES {
            self.gathered.refuse(line, &format!("more than {MAX_BLANK_NODES} blank nodes"));
        }
    }
}

fn meaning(predicate: &str) -> Option<Meaning> {
    if let Some(name) = predicate.strip_prefix(SKOS) {
        return Some(match name {
            "prefLabel" => Meaning::Label(LabelKind::Preferred),
            "altLabel" => Meaning::Label(LabelKind::Alternative),
            "hiddenLabel" => Meaning::Label(LabelKind::Hidden),
            "notation" => Meaning::Notation,
            "scopeNote" | "definition" => Meaning::ScopeNote,
            "inScheme" | "topConceptOf" => Meaning::InScheme,
            "broader" => Meaning::Link(Link::Broader),
            "narrower" => Meaning::Link(Link::Narrower),
            "related" => Meaning::Link(Link::Related),
            "exactMatch" => Meaning::Match(Relation::Exact),
            "closeMatch" => Meaning::Match(Relation::Close),
            "broadMatch" => Meaning::Match(Relation::Broad),
            "narrowMatch" => Meaning::Match(Relation::Narrow),
            "relatedMatch" => Meaning::Match(Relation::Related),
            _ => return None,
        });
    }
    if let Some(name) = predicate.strip_prefix(SKOS_XL) {
        return Some(match name {
            "prefLabel" => Meaning::LabelNode(LabelKind::Preferred),
            "altLabel" => Meaning::LabelNode(LabelKind::Alternative),
            "hiddenLabel" => Meaning::LabelNode(LabelKind::Hidden),
            "literalForm" => Meaning::LiteralForm,
            _ => return None,
        });
    }
    match predicate.strip_prefix(RDF) {
        Some("type") => return Some(Meaning::Type),
        Some("first") => return Some(Meaning::First),
        Some("rest") => return Some(Meaning::Rest),
        _ => {}
    }
    matches!(
        predicate,
        "http://purl.org/dc/terms/title"
            | "http://purl.org/dc/elements/1.1/title"
            | "http://www.w3.org/2000/01/rdf-schema#label"
    )
    .then_some(Meaning::Title)
}

fn blank(name: &str) -> String {
    format!("_:{name}")
}

fn node(term: &Term) -> Option<String> {
    match term {
        Term::NamedNode(node) => Some(node.as_str().to_owned()),
        Term::BlankNode(node) => Some(blank(node.as_str())),
        _ => None,
    }
}

fn with_uri(term: &Term, then: impl FnOnce(&str)) {
    if let Term::NamedNode(node) = term {
        then(node.as_str());
    }
}
