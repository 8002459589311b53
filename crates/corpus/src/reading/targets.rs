//! The addresses a page links to, each once.

use auslese_markup::{LinkKind, Page};
use auslese_model::TargetKind;
use rustc_hash::FxHashMap;
use url::Url;

/// Addresses noted of one page; further ones are counted in [`super::Reading::trouble`] only.
pub const MAX_TARGETS: usize = 5_000;

/// An address that a page links to: `http` or `https`, without fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub url: Url,
    pub kind: TargetKind,
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
                    targets.push(Target { url: found.url.clone(), kind });
                }
                places.insert(found.url, places.len());
            }
        }
    }
    let left_out = places.len() - targets.len();
    (targets, left_out)
}

fn kind(kind: LinkKind) -> Option<TargetKind> {
    match kind {
        LinkKind::Page => Some(TargetKind::Page),
        LinkKind::Frame => Some(TargetKind::Frame),
        LinkKind::Embedded => Some(TargetKind::Embedded),
        LinkKind::Form => None,
    }
}
