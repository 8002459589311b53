//! The sets of heuristics that come with the program.

/// Their names: those used for web pages by default, the paper's exactly as printed, and those for
/// documents made of pages.
pub const SHIPPED_HEURISTICS: [&str; 3] = ["default", "carmen", "papers"];

/// The files of a set, by name and text.
pub(super) fn files(name: &str) -> Option<&'static [(&'static str, &'static str)]> {
    match name {
        "default" => Some(&DEFAULT),
        "carmen" => Some(&CARMEN),
        "papers" => Some(&PAPERS),
        _ => None,
    }
}

const CARMEN: [(&str, &str); 3] = [
    ("title.heur", include_str!("../../heuristics/carmen/title.heur")),
    ("keywords.heur", include_str!("../../heuristics/carmen/keywords.heur")),
    ("abstract.heur", include_str!("../../heuristics/carmen/abstract.heur")),
];

const PAPERS: [(&str, &str); 8] = [
    ("abstract.heur", include_str!("../../heuristics/papers/abstract.heur")),
    ("author.heur", include_str!("../../heuristics/papers/author.heur")),
    ("classification.heur", include_str!("../../heuristics/papers/classification.heur")),
    ("facts.heur", include_str!("../../heuristics/papers/facts.heur")),
    ("keywords.heur", include_str!("../../heuristics/papers/keywords.heur")),
    ("place.heur", include_str!("../../heuristics/papers/place.heur")),
    ("references.heur", include_str!("../../heuristics/papers/references.heur")),
    ("title.heur", include_str!("../../heuristics/papers/title.heur")),
];

const DEFAULT: [(&str, &str); 11] = [
    ("abstract.heur", include_str!("../../heuristics/default/abstract.heur")),
    ("author.heur", include_str!("../../heuristics/default/author.heur")),
    ("date.heur", include_str!("../../heuristics/default/date.heur")),
    ("description.heur", include_str!("../../heuristics/default/description.heur")),
    ("facts.heur", include_str!("../../heuristics/default/facts.heur")),
    ("institution.heur", include_str!("../../heuristics/default/institution.heur")),
    ("keywords.heur", include_str!("../../heuristics/default/keywords.heur")),
    ("page.heur", include_str!("../../heuristics/default/page.heur")),
    ("references.heur", include_str!("../../heuristics/default/references.heur")),
    ("title.heur", include_str!("../../heuristics/default/title.heur")),
    ("type.heur", include_str!("../../heuristics/default/type.heur")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Heuristics;

    #[test]
    fn shipped_sets_are_right() {
        for name in SHIPPED_HEURISTICS {
            let checked = Heuristics::parse(name, files(name).expect("it is shipped"));
            assert!(checked.is_ok(), "{name}: {checked:?}");
        }
    }
}
