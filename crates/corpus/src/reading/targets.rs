//! The addresses a page links to, each once, with the words of the links to them.

use super::anchors::anchors;
use auslese_markup::{LinkKind, MAX_RESOLVED_TEXT, Page};
use auslese_model::TargetKind;
use rustc_hash::{FxHashMap, FxHashSet};
use url::Url;

/// Addresses noted of one page; further ones are counted in [`super::Reading::trouble`] only.
pub const MAX_TARGETS: usize = 5_000;

/// An address that a page links to: `http` or `https`, without fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub url: Url,
    pub kind: TargetKind,
    /// The words of the first link to it that has any, at most [`super::MAX_ANCHOR_TEXT`]
    /// characters.
    pub text: Option<String>,
}

/// The addresses in the order of the page, and how many there are beyond [`MAX_TARGETS`]. The page
/// does not link to itself, and a form only says where its answer would come from.
pub(super) fn targets(page: &Page, document: &Url) -> (Vec<Target>, usize) {
    let mut targets: Vec<Target> = Vec::new();
    let mut places: FxHashMap<Url, usize> = FxHashMap::default();
    for found in page.links().resolve(document) {
        let Some(kind) = kind(found.kind) else { continue };
        if found.url == *document {
            continue;
        }
        match places.get(&found.url) {
            Some(&at) => {
                if let Some(known) = targets.get_mut(at) {
                    known.kind = known.kind.min(kind);
                }
            }
            None => {
                if targets.len() < MAX_TARGETS {
                    targets.push(Target { url: found.url.clone(), kind, text: None });
                }
                places.insert(found.url, places.len());
            }
        }
    }
    name(&mut targets, &places, page, document);
    let left_out = places.len() - targets.len();
    (targets, left_out)
}

/// Gives the addresses the words of the links to them. Each spelling is joined once, and no more of
/// them than links are, since a long base makes all of them long.
fn name(targets: &mut [Target], places: &FxHashMap<Url, usize>, page: &Page, document: &Url) {
    let mut spellings: FxHashSet<&str> = FxHashSet::default();
    let mut resolved = 0;
    for anchor in anchors(page.tree()) {
        if resolved > MAX_RESOLVED_TEXT {
            return;
        }
        if !spellings.insert(anchor.href) {
            continue;
        }
        let Some(url) = page.resolve(document, anchor.href) else { continue };
        resolved += url.as_str().len();
        let target = places.get(&url).and_then(|at| targets.get_mut(*at));
        if let Some(target) = target {
            target.text.get_or_insert(anchor.text);
        }
    }
}

fn kind(kind: LinkKind) -> Option<TargetKind> {
    match kind {
        LinkKind::Page => Some(TargetKind::Page),
        LinkKind::Frame => Some(TargetKind::Frame),
        LinkKind::Embedded => Some(TargetKind::Embedded),
        LinkKind::Form => None,
    }
}
