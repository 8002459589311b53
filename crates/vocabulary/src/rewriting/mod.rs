//! Carries a question into the vocabulary of one collection.
//!
//! Words of the question are matched with the labels of all vocabularies. What happens then depends
//! on the collection: a concept of its own vocabulary is searched as it is; from one of another
//! vocabulary the mappings lead on, one step and no further; for words without either, statistics
//! propose terms. A collection without vocabulary is asked in words: with the other labels of the
//! concept, with those of concepts mapped to it, and with words that go with it statistically.
//!
//! Nothing is searched here. What comes out is a list of transfers, each with its reason, of which
//! the active ones stand beside the words as alternatives, or in their place.

mod builder;
mod settings;
mod transfer;

pub use settings::{Switch, TransferRule, TransferSettings};
pub use transfer::{Rewriting, Source, Target, TargetConcept, Transfer, TransferMode};

use crate::vocabularies::{Direction, MetMapping};
use crate::{
    Association, Concept, LabelKind, LabelMatch, Matched, Models, QueryPart, ShortName,
    Vocabularies, Vocabulary,
};
use builder::Builder;

/// What is known about a collection: a set of documents that share an indexing vocabulary.
#[derive(Debug, Clone, Default)]
pub struct CollectionProfile {
    pub name: String,
    /// The vocabulary its documents are indexed with.
    pub vocabulary: Option<ShortName>,
    /// The languages of its documents; with none, all languages count.
    pub languages: Vec<String>,
    /// Models to ask, the most specific first; the first that knows the words answers.
    pub models: Vec<ShortName>,
}

/// Rewrites a question for a collection.
pub fn rewrite(
    query: &[QueryPart],
    collection: &CollectionProfile,
    vocabularies: &Vocabularies,
    models: &Models,
    settings: &TransferSettings,
) -> Rewriting {
    if !settings.enabled {
        let (collection, notes) = (collection.name.clone(), Vec::new());
        return Rewriting { collection, transfers: Vec::new(), notes };
    }
    let mut rewriter =
        Rewriter { collection, vocabularies, models, settings, builder: Builder::new(settings) };
    let mut matches = vocabularies.match_labels(query, &[]);
    // Longest first across vocabularies too: what a longer label already carried over is not taken
    // apart again by shorter ones. Where it led nowhere, they are the next best.
    matches.sort_by_key(|found| std::cmp::Reverse(found.place.len()));
    matches.retain(|found| {
        let taken = rewriter.builder.acts_around(&found.place);
        if !taken {
            rewriter.builder.note(found.note.clone());
            rewriter.by_label(found);
        }
        !taken
    });
    rewriter.by_statistics(query, &matches);
    rewriter.builder.finish(&collection.name, query)
}

struct Rewriter<'r> {
    collection: &'r CollectionProfile,
    vocabularies: &'r Vocabularies,
    models: &'r Models,
    settings: &'r TransferSettings,
    builder: Builder<'r>,
}

impl<'r> Rewriter<'r> {
    fn by_label(&mut self, found: &LabelMatch) {
        let Some(home) = self.vocabularies.vocabulary(&found.vocabulary) else { return };
        let Some(concept) = home.concept(&found.uri) else { return };
        match &self.collection.vocabulary {
            Some(own) if *own == home.id => self.own_concept(found, home, concept),
            Some(own) => self.mapped_concepts(found, home, concept, own),
            None => {
                self.labels_as_words(found, home, concept);
                self.mapped_labels_as_words(found, home, concept);
            }
        }
    }

    /// The collection is indexed with the concept itself.
    fn own_concept(&mut self, found: &LabelMatch, home: &Vocabulary, concept: &Concept) {
        let weight = match found.matched {
            Matched::Notation | Matched::Preferred => self.settings.preferred_label,
            Matched::Alternative => self.settings.alternative_label,
            Matched::Hidden => self.settings.hidden_label,
        };
        let target = Target::Concept(self.target(home, concept));
        let why = format!("{:?} is {} in {}", found.words, named(found, concept), home.id);
        self.builder.add(found, target, weight * self.doubt(found), label_source(found), why);
    }

    /// The collection is indexed with another vocabulary, to which mappings may lead.
    fn mapped_concepts(
        &mut self,
        found: &LabelMatch,
        home: &Vocabulary,
        concept: &Concept,
        own: &ShortName,
    ) {
        let Some(own) = self.vocabularies.vocabulary(own) else { return };
        for step in self.steps(concept) {
            let targets: Option<Vec<TargetConcept>> = step
                .to
                .iter()
                .map(|uri| own.concept(uri).map(|concept| self.target(own, concept)))
                .collect();
            let target = match targets {
                Some(mut concepts) if concepts.len() == 1 => Target::Concept(concepts.remove(0)),
                Some(concepts) => Target::AllOf(concepts),
                None => continue,
            };
            self.add_step(found, home, concept, &step, target, 1.0);
        }
    }

    /// The other names of the concept, for texts that nobody indexed.
    fn labels_as_words(&mut self, found: &LabelMatch, home: &Vocabulary, concept: &Concept) {
        let weight = self.settings.label_words * self.doubt(found);
        for words in self.names(concept, &found.words) {
            let why = format!("in {}, {:?} and {words:?} name the same", home.id, found.words);
            let source = label_source(found);
            self.builder.add(found, Target::Words(words), weight, source, why);
        }
    }

    /// The names of concepts that others say mean the same or something near.
    fn mapped_labels_as_words(&mut self, found: &LabelMatch, home: &Vocabulary, concept: &Concept) {
        for step in self.steps(concept) {
            // Names of a combination say it only together; as words that is a guess.
            let [uri] = &step.to[..] else { continue };
            let Some((_, target)) = self.vocabularies.find(uri) else { continue };
            for words in self.names(target, &found.words) {
                let target = Target::Words(words);
                self.add_step(found, home, concept, &step, target, self.settings.label_words);
            }
        }
    }

    fn add_step(
        &mut self,
        found: &LabelMatch,
        home: &Vocabulary,
        concept: &Concept,
        step: &Step<'_>,
        target: Target,
        factor: f64,
    ) {
        let (relation, relevance) = (step.met.mapping.relation, step.met.mapping.relevance);
        let weight = self.settings.mapping_weight(relation, relevance) * factor * self.doubt(found);
        let from_label = concept.label_in(&self.collection.languages).to_owned();
        let concordance = step.met.concordance.id.clone();
        let backwards = step.met.direction == Direction::Inward;
        let read = if backwards { ", read backwards" } else { "" };
        let why = format!(
            "{:?} is {} in {}; {concordance} maps it to {:?} ({relation}, {relevance}{read})",
            found.words,
            named(found, concept),
            home.id,
            target.label(),
        );
        let source = Source::Concordance {
            concordance,
            relation,
            relevance,
            from_vocabulary: home.id.clone(),
            from_label,
            backwards,
        };
        self.builder.add(found, target, weight, source, why);
    }

    /// The mappings that may be followed from a concept, one step and no further.
    fn steps(&self, concept: &Concept) -> Vec<Step<'r>> {
        let mut steps = Vec::new();
        for met in self.vocabularies.mappings_at(&concept.uri) {
            match met.direction {
                Direction::Outward => steps.push(Step { met, to: met.mapping.to.clone() }),
                Direction::Inward if !met.mapping.directed && self.settings.undirected => {
                    steps.push(Step { met, to: vec![met.mapping.from.clone()] });
                }
                Direction::Inward => {}
            }
        }
        steps
    }

    fn doubt(&self, found: &LabelMatch) -> f64 {
        if found.homonyms > 1 { self.settings.homonym } else { 1.0 }
    }

    fn target(&self, home: &Vocabulary, concept: &Concept) -> TargetConcept {
        TargetConcept {
            vocabulary: home.id.clone(),
            uri: Some(concept.uri.clone()),
            label: concept.label_in(&self.collection.languages).to_owned(),
            terms: concept.index_terms(),
        }
    }

    /// Labels of a concept in the languages of the collection that are not the words themselves.
    fn names(&self, concept: &Concept, words: &str) -> Vec<String> {
        let languages = &self.collection.languages;
        let wanted = |it: &str| {
            it.is_empty()
                || languages.is_empty()
                || languages.iter().any(|tag| same_language(tag, it))
        };
        let folded = auslese_words::fold(words);
        let mut names: Vec<String> = Vec::new();
        let shown = concept.labels.iter().filter(|label| label.kind != LabelKind::Hidden);
        for label in shown.filter(|label| wanted(&label.language)) {
            let fresh = auslese_words::fold(&label.text) != folded && !names.contains(&label.text);
            if fresh && names.len() < self.settings.labels_per_concept {
                names.push(label.text.clone());
            }
        }
        names
    }

    /// Asks models about the words that labels and mappings say nothing about, and about concepts
    /// where the collection has no vocabulary.
    fn by_statistics(&mut self, query: &[QueryPart], matches: &[LabelMatch]) {
        if self.collection.models.is_empty() {
            return;
        }
        if self.collection.vocabulary.is_none() {
            for found in matches {
                self.statistical_words(found);
            }
        }
        for part in query {
            let answered = self.builder.covers(&part.place) && !self.settings.always_statistics;
            if !answered {
                self.statistical_terms(part);
            }
        }
    }

    /// From the words of the question to controlled terms. In a collection without vocabulary these
    /// are words among others.
    fn statistical_terms(&mut self, part: &QueryPart) {
        let own = self.collection.vocabulary.as_ref();
        let limits = self.settings.association_limits();
        let answer = self.first_answer(|model| {
            model.to_controlled(&part.text, own.map(ShortName::as_str), limits)
        });
        let Some((model, associations)) = answer else { return };
        for it in associations {
            let target = match own.and_then(|own| self.vocabularies.vocabulary(own)) {
                Some(own) => Target::Concept(self.indexed_as(own, &it.term)),
                None => Target::Words(it.term.clone()),
            };
            self.add_association(&part.text, &part.place, &model, &it, target);
        }
    }

    /// From a concept to the words that go with it.
    fn statistical_words(&mut self, found: &LabelMatch) {
        let home = self.vocabularies.vocabulary(&found.vocabulary);
        let Some(concept) = home.and_then(|it| it.concept(&found.uri)) else { return };
        let limits = self.settings.association_limits();
        let terms = concept.index_terms();
        let answer = self.first_answer(|model| {
            let by_term = |term: &String| model.to_free(found.vocabulary.as_str(), term, limits);
            terms.iter().map(by_term).find(|it| !it.is_empty()).unwrap_or_default()
        });
        let Some((model, associations)) = answer else { return };
        for it in associations {
            let target = Target::Words(it.term.clone());
            self.add_association(&found.words, &found.place, &model, &it, target);
        }
    }

    fn add_association(
        &mut self,
        words: &str,
        place: &std::ops::Range<usize>,
        model: &ShortName,
        it: &Association,
        target: Target,
    ) {
        let weight = self.settings.statistical * it.strength;
        let why = format!(
            "in {} of {} documents with {words:?} or what it names, by {model} ({} {:.2})",
            it.counts.n_tc, it.counts.n, it.measure, it.strength
        );
        let source = Source::Statistics {
            model: model.clone(),
            measure: it.measure,
            strength: it.strength,
            counts: it.counts,
        };
        self.builder.add_at(words, place, target, weight, source, why);
    }

    /// The answer of the first model that has one: specific ones come before general ones.
    fn first_answer(
        &self,
        ask: impl Fn(&crate::TransferModel) -> Vec<Association>,
    ) -> Option<(ShortName, Vec<Association>)> {
        let models = self.collection.models.iter();
        models
            .filter_map(|name| self.models.get(name).map(|model| (name, model)))
            .map(|(name, model)| (name.clone(), ask(model)))
            .find(|(_, associations)| !associations.is_empty())
    }

    /// The concept that documents are indexed with under a term, or the bare term.
    fn indexed_as(&self, own: &Vocabulary, term: &str) -> TargetConcept {
        let parts = [QueryPart::phrase(term, 0..term.len())];
        let matches = self.vocabularies.match_labels(&parts, &[]);
        let of_own: Vec<&LabelMatch> =
            matches.iter().filter(|it| it.vocabulary == own.id && it.homonyms == 1).collect();
        match of_own[..] {
            [found] => match own.concept(&found.uri) {
                Some(concept) => self.target(own, concept),
                None => bare_term(own, term),
            },
            _ => bare_term(own, term),
        }
    }
}

/// A mapping to follow, and where it leads.
struct Step<'v> {
    met: MetMapping<'v>,
    to: Vec<String>,
}

fn bare_term(own: &Vocabulary, term: &str) -> TargetConcept {
    TargetConcept {
        vocabulary: own.id.clone(),
        uri: None,
        label: term.to_owned(),
        terms: vec![term.to_owned()],
    }
}

fn label_source(found: &LabelMatch) -> Source {
    Source::Label { vocabulary: found.vocabulary.clone(), label: found.label.clone() }
}

/// How the words name the concept.
fn named(found: &LabelMatch, concept: &Concept) -> String {
    let language = std::slice::from_ref(&found.language);
    match found.matched {
        Matched::Preferred => "a preferred label".to_owned(),
        Matched::Alternative => format!("another name of {:?}", concept.label_in(language)),
        Matched::Hidden => format!("a hidden name of {:?}", concept.label_in(language)),
        Matched::Notation => format!("the notation of {:?}", concept.label_in(language)),
    }
}

/// Whether a tag such as `de-AT` is one of a language.
fn same_language(a: &str, b: &str) -> bool {
    let main = |tag: &str| tag.split(['-', '_']).next().unwrap_or(tag).to_ascii_lowercase();
    main(a) == main(b)
}
