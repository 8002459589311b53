//! The sets of heuristics that come with the program.

/// Their names: the paper's heuristics exactly as printed, and the better ones used by default.
pub const SHIPPED_HEURISTICS: [&str; 2] = ["default", "carmen"];

/// The files of a set, by name and text.
pub(super) fn files(name: &str) -> Option<&'static [(&'static str, &'static str)]> {
    match name {
        "default" => Some(&DEFAULT),
        "carmen" => Some(&CARMEN),
        _ => None,
    }
}

const CARMEN: [(&str, &str); 3] = [
    ("title.heur", include_str!("../../heuristics/carmen/title.heur")),
    ("keywords.heur", include_str!("../../heuristics/carmen/keywords.heur")),
    ("abstract.heur", include_str!("../../heuristics/carmen/abstract.heur")),
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
