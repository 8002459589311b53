//! Concepts and trees to look at: plain values for pages and for JSON.

use crate::vocabularies::{Direction, MetMapping};
use crate::{Concept, Hierarchy, Label, Relation, Relevance, ShortName, Vocabularies, Vocabulary};
use auslese_words::fold;
use serde::Serialize;
use std::collections::BTreeMap;

/// Concepts of one list; further ones are counted.
pub const MAX_LISTED: usize = 1_000;

/// A concept in few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConceptLink {
    pub vocabulary: Option<ShortName>,
    pub uri: String,
    pub label: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notations: Vec<String>,
}

/// All about a concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConceptView {
    pub vocabulary: ShortName,
    pub uri: String,
    pub label: String,
    pub notations: Vec<String>,
    pub labels: Vec<Label>,
    pub scope_notes: BTreeMap<String, Vec<String>>,
    /// Ways to the top, each from the top downwards.
    pub paths: Vec<Vec<ConceptLink>>,
    pub children: Vec<ConceptLink>,
    pub related: Vec<ConceptLink>,
    pub mappings: Vec<MappingView>,
    /// Children that are not listed.
    pub more_children: usize,
}

/// A mapping as it is seen from one of its concepts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MappingView {
    pub concordance: ShortName,
    pub direction: Direction,
    /// Whether it holds in that direction only.
    pub directed: bool,
    pub relation: Relation,
    pub relevance: Relevance,
    /// From where it leads.
    pub from: ConceptLink,
    /// Where it leads; several are a combination.
    pub to: Vec<ConceptLink>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// A concept in a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeNode {
    #[serde(flatten)]
    pub concept: ConceptLink,
    /// Levels below the first of the list.
    pub depth: usize,
    /// Concepts below it, whether they are listed or not.
    pub children: usize,
}

/// Vocabularies or concordances in one line each.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Listed {
    Vocabulary {
        id: ShortName,
        title: BTreeMap<String, String>,
        base: String,
        languages: Vec<String>,
        concepts: usize,
        labels: usize,
        source: String,
    },
    Concordance {
        id: ShortName,
        title: Option<String>,
        /// From which vocabulary to which, and how often; `None` for those not there.
        pairs: Vec<(Option<ShortName>, Option<ShortName>, usize)>,
        mappings: usize,
        combinations: usize,
        unresolved: usize,
        by_relation: BTreeMap<Relation, usize>,
        source: String,
    },
}

impl Vocabularies {
    /// Vocabularies, then concordances, by name.
    pub fn list(&self) -> Vec<Listed> {
        let vocabularies = self.vocabularies().map(|it| Listed::Vocabulary {
            id: it.id.clone(),
            title: it.title.clone(),
            base: it.base.clone(),
            languages: it.languages(),
            concepts: it.concepts().len(),
            labels: it.concepts().iter().map(|concept| concept.labels.len()).sum(),
            source: it.source.clone(),
        });
        let concordances = self.concordances().map(|it| {
            let mut by_relation = BTreeMap::new();
            for mapping in it.mappings() {
                *by_relation.entry(mapping.relation).or_default() += 1;
            }
            let pairs = self.pairs(it).into_iter().map(|((from, to), n)| (from, to, n));
            Listed::Concordance {
                id: it.id.clone(),
                title: it.title.clone(),
                pairs: pairs.collect(),
                mappings: it.mappings().len(),
                combinations: it.mappings().iter().filter(|it| it.is_combination()).count(),
                unresolved: self.unresolved(it).len(),
                by_relation,
                source: it.source.clone(),
            }
        });
        vocabularies.chain(concordances).collect()
    }

    /// All about a concept; names in the first of these languages that has one.
    pub fn view(
        &self,
        vocabulary: &ShortName,
        uri: &str,
        languages: &[String],
    ) -> Option<ConceptView> {
        let home = self.vocabulary(vocabulary)?;
        let at = home.place_of(uri)?;
        let concept = &home.concepts()[at];
        let hierarchy = Hierarchy::of(home);
        let link = |at: &u32| concept_link(home, &home.concepts()[*at as usize], languages);
        let paths = hierarchy.paths(at as u32).into_iter();
        let children = hierarchy.children(at as u32);
        let mut scope_notes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (language, note) in &concept.scope_notes {
            scope_notes.entry(language.clone()).or_default().push(note.clone());
        }
        Some(ConceptView {
            vocabulary: home.id.clone(),
            uri: concept.uri.clone(),
            label: concept.label_in(languages).to_owned(),
            notations: concept.notations.clone(),
            labels: concept.labels.clone(),
            scope_notes,
            paths: paths.map(|path| path.iter().rev().map(link).collect()).collect(),
            children: by_label(children.iter().take(MAX_LISTED).map(link).collect()),
            related: by_label(self.related(home, concept, languages)),
            mappings: self
                .mappings_at(uri)
                .iter()
                .map(|it| self.mapping_view(it, languages))
                .collect(),
            more_children: children.len().saturating_sub(MAX_LISTED),
        })
    }

    /// Concepts whose labels or notations contain a text: those that are it first, then those that
    /// begin with it, then others; of one vocabulary, or of all.
    pub fn search(
        &self,
        text: &str,
        vocabulary: Option<&ShortName>,
        languages: &[String],
        at_most: usize,
    ) -> Vec<ConceptLink> {
        let wanted = fold(text.trim());
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(usize, String, ConceptLink)> = Vec::new();
        for home in self.vocabularies().filter(|it| vocabulary.is_none_or(|id| *id == it.id)) {
            for concept in home.concepts() {
                let labels = concept.labels.iter().map(|label| &label.text);
                let rank =
                    labels.chain(&concept.notations).filter_map(|it| rank(it, &wanted)).min();
                if let Some(rank) = rank {
                    let link = concept_link(home, concept, languages);
                    found.push((rank, fold(&link.label), link));
                }
            }
        }
        found.sort_by(|a, b| (a.0, &a.1, &a.2.uri).cmp(&(b.0, &b.1, &b.2.uri)));
        found.into_iter().map(|(_, _, link)| link).take(at_most.min(MAX_LISTED)).collect()
    }

    /// The tree below a concept, or of the whole vocabulary, in the order of reading; so many
    /// levels, and so many concepts at most. In a circle each concept is listed once.
    pub fn tree(
        &self,
        vocabulary: &ShortName,
        root: Option<&str>,
        levels: usize,
        at_most: usize,
        languages: &[String],
    ) -> Option<Vec<TreeNode>> {
        let home = self.vocabulary(vocabulary)?;
        let hierarchy = Hierarchy::of(home);
        let sorted = |mut places: Vec<u32>| {
            let name = |at: &u32| fold(home.concepts()[*at as usize].label_in(languages));
            places.sort_by_cached_key(|at| std::cmp::Reverse((name(at), *at)));
            places
        };
        let tops = match root {
            Some(uri) => vec![home.place_of(uri)? as u32],
            None => hierarchy.tops().collect(),
        };
        let mut open: Vec<(u32, usize)> = sorted(tops).into_iter().map(|at| (at, 0)).collect();
        let mut listed = vec![false; home.concepts().len()];
        let mut nodes = Vec::new();
        while let Some((at, depth)) = open.pop() {
            if nodes.len() >= at_most {
                break;
            }
            if std::mem::replace(&mut listed[at as usize], true) {
                continue;
            }
            let children = hierarchy.children(at);
            let concept = concept_link(home, &home.concepts()[at as usize], languages);
            nodes.push(TreeNode { concept, depth, children: children.len() });
            if depth < levels {
                open.extend(sorted(children.to_vec()).into_iter().map(|at| (at, depth + 1)));
            }
        }
        Some(nodes)
    }

    fn related(
        &self,
        home: &Vocabulary,
        concept: &Concept,
        languages: &[String],
    ) -> Vec<ConceptLink> {
        let said = concept.related.iter().take(MAX_LISTED);
        said.filter_map(|uri| home.concept(uri))
            .map(|it| concept_link(home, it, languages))
            .collect()
    }

    fn mapping_view(&self, met: &MetMapping<'_>, languages: &[String]) -> MappingView {
        let MetMapping { concordance, mapping, direction } = *met;
        let link = |uri: &str, label: Option<&String>| match self.find(uri) {
            Some((home, concept)) => concept_link(home, concept, languages),
            None => ConceptLink {
                vocabulary: None,
                uri: uri.to_owned(),
                label: label.cloned().unwrap_or_else(|| uri.to_owned()),
                notations: Vec::new(),
            },
        };
        let to_label = mapping.to_label.as_ref().filter(|_| !mapping.is_combination());
        MappingView {
            concordance: concordance.id.clone(),
            direction,
            directed: mapping.directed,
            relation: mapping.relation,
            relevance: mapping.relevance,
            from: link(&mapping.from, mapping.from_label.as_ref()),
            to: mapping.to.iter().map(|uri| link(uri, to_label)).collect(),
            line: mapping.line,
        }
    }
}

fn concept_link(home: &Vocabulary, concept: &Concept, languages: &[String]) -> ConceptLink {
    ConceptLink {
        vocabulary: Some(home.id.clone()),
        uri: concept.uri.clone(),
        label: concept.label_in(languages).to_owned(),
        notations: concept.notations.clone(),
    }
}

fn by_label(mut links: Vec<ConceptLink>) -> Vec<ConceptLink> {
    links.sort_by_cached_key(|link| (fold(&link.label), link.uri.clone()));
    links
}

/// How well a name fits a folded text: 0 is the same, `None` not at all.
fn rank(name: &str, wanted: &str) -> Option<usize> {
    let name = fold(name);
    match name.find(wanted)? {
        0 if name.len() == wanted.len() => Some(0),
        0 => Some(1),
        at if name[..at].ends_with(|letter: char| !letter.is_alphanumeric()) => Some(2),
        _ => Some(3),
    }
}
