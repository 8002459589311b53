//! Which free words and which controlled terms go together, learnt from documents that have both.
//!
//! A model holds counts only: documents, documents with a word, with a term, with both. How strong
//! an association is follows from them when it is asked for, so the measure can be chosen anew
//! with every question. Both directions are asked: from the words of a question to the terms of a
//! collection, and from a term to the words of texts that nobody indexed.

mod learner;
mod measures;
mod model;
mod model_file;

pub use learner::{
    LearnSettings, Learner, MAX_LEARNT_PAIRS, MAX_LEARNT_TERM, MAX_LEARNT_TERMS, TransferDocument,
    TransferTerm,
};
pub use measures::{Counts, Measure};
pub use model::{Association, AssociationLimits, Models, TransferModel, TransferModelHead};
pub use model_file::ModelFileError;
