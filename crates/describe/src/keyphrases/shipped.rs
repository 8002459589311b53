//! The models that come with the program: what was learnt, none of the texts it was learnt from.

use super::model::KeyphraseModel;

/// The names of the models that come with the program.
pub const SHIPPED_KEYPHRASES: [&str; 2] = ["english", "german"];

impl KeyphraseModel {
    /// A model that comes with the program.
    pub fn shipped(name: &str) -> Option<KeyphraseModel> {
        let text = match name {
            "english" => include_str!("../../models/english.json"),
            "german" => include_str!("../../models/german.json"),
            _ => return None,
        };
        Some(KeyphraseModel::parse(text).expect("a test reads the models that are shipped"))
    }
}
