//! Puts together what is stored of a body.

use super::Reading;
use auslese_model::{CaptureId, Content, LanguageNote, Timestamp};

/// The version of the reader. It grows with every change of what is read out, so that what an older
/// one stored is read again.
pub const READER: u32 = 3;

/// Everything about a stored body: what was read, and what the recogniser and the comparison made
/// of its text.
pub fn examine(
    reading: Reading,
    language: Option<LanguageNote>,
    signature: Vec<u64>,
    capture: CaptureId,
    at: Timestamp,
) -> Content {
    Content {
        capture,
        reader: READER,
        format: reading.format,
        trouble: reading.trouble,
        bytes: reading.bytes,
        title: reading.title,
        language,
        counts: reading.counts,
        elements: reading.elements,
        features: reading.features,
        conformance: reading.conformance,
        signature,
        structure: reading.structure,
        generator: reading.generator,
        parts: reading.parts,
        examined_at: at,
    }
}
