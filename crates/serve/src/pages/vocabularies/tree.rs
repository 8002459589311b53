//! One vocabulary as a tree, or one concordance as a table.

use super::{concept_link, languages, looked_up, relation_words, relevance_words};
use crate::look::{Section, breadcrumbs, empty_note, pager};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_statistics::{Cell, Table};
use auslese_vocabulary::{ConceptLink, Relation, Relevance, ShortName, TreeNode, Vocabularies};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Concepts of a tree that are shown; those below can be opened.
const NODES: usize = 500;
const LEVELS: usize = 1;
/// Mappings of one page.
const MAPPINGS: usize = 100;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum VocabularyPage {
    Vocabulary {
        harvest: String,
        name: ShortName,
        title: String,
        concepts: usize,
        tree: Vec<TreeNode>,
    },
    Concordance {
        harvest: String,
        name: ShortName,
        title: String,
        mappings: usize,
        page: usize,
        shown: Vec<ShownMapping>,
    },
}

#[derive(Debug, Serialize)]
struct ShownMapping {
    from: ConceptLink,
    to: Vec<ConceptLink>,
    relation: Relation,
    relevance: Relevance,
    directed: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Leafing {
    page: Option<usize>,
}

pub(crate) async fn vocabulary(
    State(site): State<Arc<Site>>,
    view: View,
    Path((harvest, name)): Path<(String, String)>,
    Query(leafing): Query<Leafing>,
) -> Result<Response, Problem> {
    let languages = languages(&view);
    let page = leafing.page.unwrap_or(1).max(1);
    let shown = looked_up(&site, &harvest, |vocabularies| {
        let id = ShortName::new(&name)?;
        let tree = vocabulary_page(vocabularies, &harvest, &id, &languages);
        tree.or_else(|| concordance_page(vocabularies, &harvest, &id, page, &languages))
    });
    Ok(view.answer(&shown.await?))
}

fn vocabulary_page(
    vocabularies: &Vocabularies,
    harvest: &str,
    id: &ShortName,
    languages: &[String],
) -> Option<VocabularyPage> {
    let vocabulary = vocabularies.vocabulary(id)?;
    Some(VocabularyPage::Vocabulary {
        harvest: harvest.to_owned(),
        name: id.clone(),
        title: vocabulary.title_in(languages).to_owned(),
        concepts: vocabulary.concepts().len(),
        tree: vocabularies.tree(id, None, LEVELS, NODES, languages)?,
    })
}

fn concordance_page(
    vocabularies: &Vocabularies,
    harvest: &str,
    id: &ShortName,
    page: usize,
    languages: &[String],
) -> Option<VocabularyPage> {
    let concordance = vocabularies.concordance(id)?;
    let link = |uri: &str, label: Option<&String>| match vocabularies.find(uri) {
        Some((home, concept)) => ConceptLink {
            vocabulary: Some(home.id.clone()),
            uri: uri.to_owned(),
            label: concept.label_in(languages).to_owned(),
            notations: concept.notations.clone(),
        },
        None => ConceptLink {
            vocabulary: None,
            uri: uri.to_owned(),
            label: label.cloned().unwrap_or_else(|| uri.to_owned()),
            notations: Vec::new(),
        },
    };
    let mappings = concordance.mappings();
    let shown = mappings.iter().skip((page - 1).saturating_mul(MAPPINGS)).take(MAPPINGS);
    let shown = shown.map(|mapping| ShownMapping {
        from: link(&mapping.from, mapping.from_label.as_ref()),
        to: mapping.to.iter().map(|uri| link(uri, mapping.to_label.as_ref())).collect(),
        relation: mapping.relation,
        relevance: mapping.relevance,
        directed: mapping.directed,
    });
    Some(VocabularyPage::Concordance {
        harvest: harvest.to_owned(),
        name: id.clone(),
        title: concordance.title.clone().unwrap_or_else(|| id.to_string()),
        mappings: mappings.len(),
        page,
        shown: shown.collect(),
    })
}

impl Page for VocabularyPage {
    fn section(&self) -> Section {
        Section::Vocabularies
    }

    fn title(&self, _view: &View) -> String {
        match self {
            VocabularyPage::Vocabulary { title, .. }
            | VocabularyPage::Concordance { title, .. } => title.clone(),
        }
    }

    fn body(&self, view: &View) -> Markup {
        let title = self.title(view);
        let up = [(view.say("Vocabularies", "Vokabulare").to_owned(), "/vocabularies".to_owned())];
        html! {
            (breadcrumbs(view, &up, &title))
            h1 { (title) }
            @match self {
                VocabularyPage::Vocabulary { harvest, concepts, tree, .. } => {
                    p .soft { (view.tongue.number(*concepts as u64)) " " (view.say("concepts", "Begriffe")) }
                    @if tree.is_empty() { (empty_note(view.say("It is empty.", "Es ist leer."))) }
                    ul .tree {
                        @for node in tree {
                            li class=(format!("depth-{}", node.depth.min(LEVELS))) {
                                (concept_link(harvest, &node.concept))
                                @if node.children > 0 { " " small { "(" (view.tongue.number(node.children as u64)) ")" } }
                            }
                        }
                    }
                    @if tree.len() == NODES { p .soft { (view.say("Only the first concepts are shown.", "Nur die ersten Begriffe sind gezeigt.")) } }
                }
                VocabularyPage::Concordance { harvest, mappings, page, shown, .. } => {
                    p .soft { (view.tongue.number(*mappings as u64)) " " (view.say("mappings", "Abbildungen")) }
                    div .scroll tabindex="0" { table {
                        thead { tr {
                            th { (view.say("Concept", "Begriff")) } th { (view.say("Its counterpart", "Das Gegenstück")) }
                            th { (view.say("which …", "das …")) } th { (view.say("Relevance", "Relevanz")) }
                        } }
                        tbody { @for mapping in shown { tr {
                            td { (concept_link(harvest, &mapping.from)) @if let Some(home) = &mapping.from.vocabulary { " " span .tag { (home) } } }
                            td { @for (number, to) in mapping.to.iter().enumerate() { @if number > 0 { " + " } (concept_link(harvest, to)) @if let Some(home) = &to.vocabulary { " " span .tag { (home) } } } }
                            td { (relation_words(view, mapping.relation)) @if mapping.directed { " →" } }
                            td { (relevance_words(view, mapping.relevance)) }
                        } } }
                    } }
                    (pager(view, *page, mappings.div_ceil(MAPPINGS)))
                }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let VocabularyPage::Concordance { name, shown, .. } = self else { return None };
        let text = |text: &str| Cell::Text(text.to_owned());
        let rows = shown.iter().map(|mapping| {
            let to: Vec<&str> = mapping.to.iter().map(|to| to.label.as_str()).collect();
            let uris: Vec<&str> = mapping.to.iter().map(|to| to.uri.as_str()).collect();
            vec![
                text(&mapping.from.label),
                text(&mapping.from.uri),
                text(&to.join(" + ")),
                text(&uris.join(" + ")),
                text(mapping.relation.as_str()),
                text(mapping.relevance.as_str()),
            ]
        });
        let head = vec!["from", "from uri", "to", "to uri", "relation", "relevance"];
        let table = Table { name: "mappings", title: "mappings", head, rows: rows.collect() };
        Some((name.to_string(), table.csv()))
    }
}
