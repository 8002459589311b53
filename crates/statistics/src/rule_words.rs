//! The rules of the corpus in words.

use auslese_model::CorpusRule;

/// What it means that a rule decided.
pub fn rule_words(rule: CorpusRule) -> &'static str {
    match rule {
        CorpusRule::NotFetched => "no answer came, or it was not asked for",
        CorpusRule::Status => "an error or a redirect",
        CorpusRule::Machinery => "robots.txt, a sitemap or an answer of a database",
        CorpusRule::Pattern => "a pattern of your own",
        CorpusRule::Port => "an unusual port",
        CorpusRule::Suffix => "an unwanted suffix",
        CorpusRule::MimeType => "another media type",
        CorpusRule::Size => "too large",
        CorpusRule::NoBody => "the body is not archived",
        CorpusRule::Format => "empty, or not what its header says",
        CorpusRule::Language => "another language, or an unclear one",
        CorpusRule::NotClassified => "a format without text",
        CorpusRule::Duplicate => "an exact copy",
        CorpusRule::NearDuplicate => "nearly the same as another",
        CorpusRule::Template => "made from a template of many pages",
        CorpusRule::All => "nothing speaks against it",
    }
}
