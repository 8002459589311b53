//! What the corpus says of a document: the verdict with its reason, its language by both rules,
//! copies, versions, its file in the mirror. All of it was stored when the corpus was built.

use super::catalog_access::catalog_failure;
use crate::config::Config;
use crate::messages::Failure;
use auslese_catalog::{Catalog, DatedVersion, DocumentFilter, ListedDocument};
use auslese_model::{Content, LanguageNote, RequestId};
use serde::Serialize;

/// Copies of a document that are named.
const COPIES_NAMED: usize = 10;

/// A document of the corpus, or one that is not in it.
#[derive(Debug, Serialize)]
pub(crate) struct CorpusStory {
    keeping: &'static str,
    /// The name of the rule that decided.
    rule: &'static str,
    reason: String,
    /// Since when the verdict is as it is.
    judged_at: String,
    title: Option<String>,
    format: Option<&'static str>,
    /// Why nothing could be read out of it, or only a part.
    trouble: Option<String>,
    words: Option<u32>,
    sentences: Option<u32>,
    language: Option<LanguageStory>,
    /// The document it is an exact copy of.
    duplicate_of: Option<String>,
    /// Exact copies of it, the first ones.
    copies: Vec<String>,
    near: Option<NearStory>,
    /// The first page of the document it is a part of.
    part_of: Option<String>,
    gone: bool,
    /// Below the folder `mirror`.
    mirror_path: Option<String>,
    versions: Vec<VersionStory>,
}

/// The language, and what led to it.
#[derive(Debug, Serialize)]
struct LanguageStory {
    language: String,
    confidence: &'static str,
    reason: String,
    /// Recognised words of all words.
    share_words: f64,
    share_chars: f64,
    words: u32,
    recognised: u32,
    detector: Option<String>,
    detector_probability: Option<f64>,
    /// Whether each rule says that it is the wanted language.
    wanted: String,
    by_paper: bool,
    by_default: bool,
    /// Languages of its paragraphs by their share of the characters.
    shares: Vec<ShareStory>,
}

#[derive(Debug, Serialize)]
struct ShareStory {
    language: String,
    share: f64,
}

/// The document it is nearly the same as.
#[derive(Debug, Serialize)]
struct NearStory {
    original: String,
    similarity: f64,
}

#[derive(Debug, Serialize)]
struct VersionStory {
    round: i64,
    at: Option<String>,
    status: Option<u16>,
    change: &'static str,
    words_added: Option<u64>,
    words_removed: Option<u64>,
}

/// What is known of the document of a request; none if it was not judged yet.
pub(crate) async fn corpus_story(
    request: RequestId,
    config: &Config,
    catalog: &Catalog,
) -> Result<Option<CorpusStory>, Failure> {
    let Some(listed) = catalog.document_of(request).await.map_err(catalog_failure)? else {
        return Ok(None);
    };
    let content = match listed.document.content {
        Some(capture) => catalog.content(capture).await.map_err(catalog_failure)?,
        None => None,
    };
    let address = async |request: Option<RequestId>| match request {
        Some(request) => {
            let known = catalog.request(request).await.map_err(catalog_failure)?;
            Ok::<_, Failure>(known.map(|known| known.url))
        }
        None => Ok(None),
    };
    let document = &listed.document;
    let (duplicate_of, part_of) =
        (address(document.duplicate_of).await?, address(document.logical).await?);
    let near = match document.near {
        Some((original, similarity)) => {
            address(Some(original)).await?.map(|original| NearStory { original, similarity })
        }
        None => None,
    };
    let copies = DocumentFilter { duplicate_of: Some(request), ..DocumentFilter::default() };
    let copies = catalog.documents(&copies, RequestId(0), COPIES_NAMED).await;
    let versions = catalog.versions_of(request).await.map_err(catalog_failure)?;
    Ok(Some(CorpusStory {
        duplicate_of,
        part_of,
        near,
        copies: copies.map_err(catalog_failure)?.into_iter().map(|copy| copy.url).collect(),
        versions: versions.iter().map(version_story).collect(),
        ..of_document(listed, content, config)
    }))
}

/// What needs no other document to tell.
fn of_document(listed: ListedDocument, content: Option<Content>, config: &Config) -> CorpusStory {
    let document = listed.document;
    let content = content.as_ref();
    let note = content.and_then(|content| content.language.as_ref());
    CorpusStory {
        keeping: document.verdict.keeping.as_str(),
        rule: document.verdict.rule.as_str(),
        reason: document.verdict.reason,
        judged_at: listed.judged_at.to_second_text(),
        title: content.and_then(|content| content.title.clone()),
        format: content.map(|content| content.format.as_str()),
        trouble: content.and_then(|content| content.trouble.clone()),
        words: content.map(|content| content.counts.words),
        sentences: content.map(|content| content.counts.sentences),
        language: note.map(|note| language_story(note, config)),
        duplicate_of: None,
        copies: Vec::new(),
        near: None,
        part_of: None,
        gone: document.gone,
        mirror_path: document.mirror_path,
        versions: Vec::new(),
    }
}

fn language_story(note: &LanguageNote, config: &Config) -> LanguageStory {
    let settings = config.corpus.language.settings();
    let (detector, detector_probability) = note.detector.clone().unzip();
    let share = |(language, share): &(String, f64)| ShareStory {
        language: language.clone(),
        share: *share,
    };
    LanguageStory {
        language: note.language.clone(),
        confidence: note.confidence.as_str(),
        reason: note.reason.clone(),
        share_words: note.share_words,
        share_chars: note.share_chars,
        words: note.words,
        recognised: note.recognised,
        detector,
        detector_probability,
        by_paper: note.by_paper,
        by_default: settings.default_rule(note),
        wanted: settings.language,
        shares: note.shares.iter().map(share).collect(),
    }
}

fn version_story(dated: &DatedVersion) -> VersionStory {
    let words = dated.version.words;
    VersionStory {
        round: dated.version.round.0,
        at: dated.at.map(|at| at.to_second_text()),
        status: dated.status,
        change: dated.version.change.as_str(),
        words_added: words.map(|words| words.added),
        words_removed: words.map(|words| words.removed),
    }
}

impl CorpusStory {
    pub(crate) fn push_text(&self, text: &mut String) {
        let CorpusStory { rule, reason, judged_at, .. } = self;
        let word = match self.keeping {
            "unknown" => "perhaps kept, once its body is there",
            keeping => keeping,
        };
        text.push_str(&format!("\ncorpus: {word}, by the rule {rule} (since {judged_at})\n"));
        let mut line = |words: String| text.push_str(&format!("  {words}\n"));
        line(reason.clone());
        if let Some(trouble) = self.trouble.as_ref().filter(|trouble| *trouble != reason) {
            line(format!("read with difficulty: {trouble}"));
        }
        if let Some(title) = &self.title {
            line(format!("title: {title}"));
        }
        if let (Some(format), Some(words), Some(sentences)) =
            (self.format, self.words, self.sentences)
        {
            line(format!("format: {format}, {words} words in {sentences} sentences"));
        }
        if let Some(language) = &self.language {
            language.lines().into_iter().for_each(&mut line);
        }
        if let Some(original) = &self.duplicate_of {
            line(format!("an exact copy of {original}"));
        }
        self.copies.iter().for_each(|copy| line(format!("exact copy: {copy}")));
        if let Some(NearStory { original, similarity }) = &self.near {
            line(format!("{} the same as {original}", percent(*similarity)));
        }
        if let Some(first) = &self.part_of {
            line(format!("part of the document that begins with {first}"));
        }
        if self.gone {
            line("gone: there was a document once".to_owned());
        }
        match &self.mirror_path {
            Some(path) => line(format!("file: mirror/{path}")),
            None => line("file: none in the mirror".to_owned()),
        }
        self.versions.iter().for_each(|version| line(version.line()));
    }
}

impl LanguageStory {
    fn lines(&self) -> Vec<String> {
        let LanguageStory { language, confidence, reason, wanted, .. } = self;
        let mut lines = vec![format!("language: {language} ({confidence}); {reason}")];
        let rule = |says: bool| if says { "yes" } else { "no" };
        lines.push(format!(
            "  {} of {} words recognised, {} of the words, {} of the characters",
            self.recognised,
            self.words,
            percent(self.share_words),
            percent(self.share_chars)
        ));
        if let (Some(detector), Some(probability)) = (&self.detector, self.detector_probability) {
            lines.push(format!("  detector: {detector}, {}", percent(probability)));
        }
        lines.push(format!(
            "  {wanted} by the rule of the paper: {}; by the default rule: {}",
            rule(self.by_paper),
            rule(self.by_default)
        ));
        if self.shares.len() > 1 {
            let shares: Vec<String> = self
                .shares
                .iter()
                .map(|ShareStory { language, share }| format!("{language} {}", percent(*share)))
                .collect();
            lines.push(format!("  paragraphs: {}", shares.join(", ")));
        }
        lines
    }
}

impl VersionStory {
    fn line(&self) -> String {
        let VersionStory { round, change, .. } = self;
        let at = self.at.as_ref().map_or(String::new(), |at| format!(", {at}"));
        let status = self.status.map_or(String::new(), |status| format!(", status {status}"));
        let words = match (self.words_added, self.words_removed) {
            (Some(added), Some(removed)) => format!(", +{added} -{removed} words"),
            _ => String::new(),
        };
        format!("round {round}: {change}{at}{status}{words}")
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
