//! The tables `content`, `content_element` and `content_feature`: contents as rows, and rows as
//! contents.
//!
//! Nothing is lost, with three exceptions that both engines force: U+0000 in text becomes visible,
//! names longer than a key may be are cut, and features that are not finite numbers are left out.

use crate::CatalogError;
use crate::discovery::json;
use crate::engine::{Fields, Value};
use crate::value::storable;
use auslese_model::{
    CaptureId, Confidence, Conformance, Content, Counts, Format, LanguageNote, Timestamp,
};
use std::collections::BTreeMap;

/// The columns of [`content_row`], and what [`read_content`] expects of `content c`.
pub(super) const COLUMNS: usize = 40;
pub(super) const INSERT: &str = "INSERT INTO content (capture_id, reader, format, examined_at, \
    bytes, structure, language, confidence, share_words, share_chars, words_judged, recognised, detector, \
    detector_probability, by_paper, characters, words, sentences, longest_sentence, paragraphs, \
    boilerplate, links, images, scripts, applets, frames, forms, obsolete, proprietary, doctype, \
    parse_errors, conforming, generator, title, trouble, language_reason, language_shares, errors, \
    parts, signature)";

/// The columns [`read_language`] expects.
pub(super) const LANGUAGE_COLUMNS: &str = "c.language, c.confidence, c.language_reason, \
    c.share_words, c.share_chars, c.words_judged, c.recognised, c.detector, \
    c.detector_probability, c.by_paper, c.language_shares";

/// The columns [`read_counts`] expects.
pub(super) const COUNT_COLUMNS: &str = "c.characters, c.words, c.sentences, c.longest_sentence, \
    c.paragraphs, c.boilerplate, c.links, c.images, c.scripts, c.applets, c.frames, c.forms, \
    c.obsolete, c.proprietary";

/// The columns of [`read_content`] before and after those two groups.
pub(super) const FIRST_COLUMNS: &str = "c.capture_id, c.reader, c.format, c.examined_at, \
    c.bytes, c.structure, c.generator, c.title, c.trouble, c.parts";
pub(super) const LAST_COLUMNS: &str = "c.conforming, c.doctype, c.errors, c.signature";

pub(super) fn content_row(content: &Content) -> [Value; COLUMNS] {
    let note = content.language.as_ref();
    let detector = note.and_then(|note| note.detector.as_ref());
    let conformance = content.conformance.as_ref();
    let errors = conformance.map(|conformance| error_sum(&conformance.errors));
    let counts = &content.counts;
    [
        content.capture.into(),
        content.reader.into(),
        content.format.as_str().into(),
        content.examined_at.into(),
        content.bytes.into(),
        content.structure.map(u64::cast_signed).into(),
        note.map(|note| note.language.as_str()).into(),
        note.map(|note| note.confidence.as_str()).into(),
        note.map(|note| note.share_words).into(),
        note.map(|note| note.share_chars).into(),
        note.map(|note| i64::from(note.words)).into(),
        note.map(|note| i64::from(note.recognised)).into(),
        detector.map(|(language, _)| language.as_str()).into(),
        detector.map(|(_, probability)| *probability).into(),
        note.map(|note| i64::from(note.by_paper)).into(),
        counts.characters.into(),
        counts.words.into(),
        counts.sentences.into(),
        counts.longest_sentence.into(),
        counts.paragraphs.into(),
        counts.boilerplate.into(),
        counts.links.into(),
        counts.images.into(),
        counts.scripts.into(),
        counts.applets.into(),
        counts.frames.into(),
        counts.forms.into(),
        counts.obsolete.into(),
        counts.proprietary.into(),
        conformance.and_then(|conformance| conformance.doctype.as_deref()).into(),
        errors.into(),
        errors.map(|errors| i64::from(errors == 0)).into(),
        (&content.generator).into(),
        (&content.title).into(),
        (&content.trouble).into(),
        note.map(|note| note.reason.as_str()).into(),
        note.map_or(Value::Text(None), |note| json(serde_json::json!(finite(&note.shares)))),
        conformance.map_or(Value::Text(None), |conformance| errors_text(&conformance.errors)),
        json(serde_json::json!(content.parts)),
        Value::Bytes(Some(signature_bytes(&content.signature))),
    ]
}

fn error_sum(errors: &BTreeMap<String, u32>) -> i64 {
    errors.values().map(|count| i64::from(*count)).sum()
}

fn finite(shares: &[(String, f64)]) -> Vec<&(String, f64)> {
    shares.iter().filter(|(_, share)| share.is_finite()).collect()
}

fn errors_text(errors: &BTreeMap<String, u32>) -> Value {
    let errors: BTreeMap<String, u32> =
        errors.iter().map(|(kind, count)| (storable(kind), *count)).collect();
    json(serde_json::json!(errors))
}

fn signature_bytes(signature: &[u64]) -> Vec<u8> {
    signature.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// The numbers of a signature; bytes that make no whole number do not count.
pub(super) fn read_signature(bytes: &[u8]) -> Vec<u64> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers.iter().map(|number| u64::from_be_bytes(*number)).collect()
}

/// A content without its elements and features.
pub(super) fn read_content(row: &mut Fields) -> Result<Content, CatalogError> {
    let capture = CaptureId(row.number()?);
    let reader = small(row.number()?);
    let format = read_format(row, capture)?;
    let examined_at = Timestamp(row.number()?);
    let bytes = row.count()?;
    let structure = row.maybe_number()?.map(i64::cast_unsigned);
    let (generator, title, trouble) = (row.maybe_text()?, row.maybe_text()?, row.maybe_text()?);
    let parts = read_json(&row.text()?, "parts", capture)?;
    let language = read_language(row, capture)?;
    let counts = read_counts(row)?;
    let is_page = row.maybe_number()?.is_some();
    let (doctype, errors) = (row.maybe_text()?, row.maybe_text()?);
    let errors = errors.map(|text| read_json(&text, "errors", capture)).transpose()?;
    let conformance = is_page.then(|| Conformance { doctype, errors: errors.unwrap_or_default() });
    let signature = read_signature(&row.bytes()?);
    Ok(Content {
        capture,
        reader,
        format,
        trouble,
        bytes,
        title,
        language,
        counts,
        elements: BTreeMap::new(),
        features: BTreeMap::new(),
        conformance,
        signature,
        structure,
        generator,
        parts,
        examined_at,
    })
}

pub(super) fn read_format(row: &mut Fields, capture: CaptureId) -> Result<Format, CatalogError> {
    Format::parse(&row.text()?).ok_or_else(|| unreadable("format", capture))
}

/// Reads [`LANGUAGE_COLUMNS`].
pub(super) fn read_language(
    row: &mut Fields,
    capture: CaptureId,
) -> Result<Option<LanguageNote>, CatalogError> {
    let Some(language) = row.maybe_text()? else {
        row.skip(10);
        return Ok(None);
    };
    let confidence = Confidence::parse(&row.maybe_text()?.unwrap_or_default())
        .ok_or_else(|| unreadable("confidence", capture))?;
    let reason = row.maybe_text()?.unwrap_or_default();
    let share_words = row.maybe_fraction()?.unwrap_or(0.0);
    let share_chars = row.maybe_fraction()?.unwrap_or(0.0);
    let words = small(row.maybe_number()?.unwrap_or(0));
    let recognised = small(row.maybe_number()?.unwrap_or(0));
    let (detector, probability) = (row.maybe_text()?, row.maybe_fraction()?);
    let by_paper = row.maybe_number()?.unwrap_or(0) != 0;
    let shares = match row.maybe_text()? {
        Some(text) => read_json(&text, "language_shares", capture)?,
        None => Vec::new(),
    };
    Ok(Some(LanguageNote {
        language,
        confidence,
        reason,
        share_words,
        share_chars,
        words,
        recognised,
        detector: detector.map(|language| (language, probability.unwrap_or(0.0))),
        by_paper,
        shares,
    }))
}

/// Reads [`COUNT_COLUMNS`].
pub(super) fn read_counts(row: &mut Fields) -> Result<Counts, CatalogError> {
    let mut count = || row.number().map(small);
    Ok(Counts {
        characters: count()?,
        words: count()?,
        sentences: count()?,
        longest_sentence: count()?,
        paragraphs: count()?,
        boilerplate: count()?,
        links: count()?,
        images: count()?,
        scripts: count()?,
        applets: count()?,
        frames: count()?,
        forms: count()?,
        obsolete: count()?,
        proprietary: count()?,
    })
}

/// A count of the model; one that was written by hand and does not fit stays at the end.
pub(super) fn small(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

pub(super) fn read_json<T: serde::de::DeserializeOwned>(
    text: &str,
    column: &str,
    capture: CaptureId,
) -> Result<T, CatalogError> {
    serde_json::from_str(text).map_err(|_| unreadable(column, capture))
}

fn unreadable(column: &str, capture: CaptureId) -> CatalogError {
    CatalogError::damaged(format!(
        "the column {column} of the content of capture {} is unreadable",
        capture.0
    ))
}
