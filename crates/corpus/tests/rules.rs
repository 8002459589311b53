//! Verdicts on documents: every rule, what it says, and which of two rules speaks first.

use auslese_corpus::{AnswerFacts, Choice, ContentFacts, CorpusRules, DocumentFacts, Others};
use auslese_model::{
    Cause, CauseKind, Confidence, CorpusRule, Format, Keeping, LanguageNote, State,
};

const PAGE: &str = "http://www.uni.example/seite.html";

fn rules() -> CorpusRules {
    CorpusRules {
        languages: vec!["de".into()],
        leave: vec!["*/_vti_bin/*".into()],
        keep: vec!["*/wichtig/*".into()],
        duplicates: Choice::Leave,
        near_duplicates: Choice::Leave,
        template_pages: Choice::Leave,
        template_size: 50,
        ..CorpusRules::default()
    }
}

fn answer() -> AnswerFacts<'static> {
    AnswerFacts {
        status: 200,
        port: 80,
        media_type: Some("text/html"),
        size: 1000,
        not_stored: None,
    }
}

fn note(language: &str, confidence: Confidence) -> LanguageNote {
    LanguageNote {
        language: language.to_owned(),
        confidence,
        reason: "as measured".to_owned(),
        share_words: 0.9,
        share_chars: 0.9,
        words: 100,
        recognised: 90,
        detector: None,
        by_paper: true,
        shares: Vec::new(),
    }
}

fn facts<'a>(language: &'a LanguageNote) -> DocumentFacts<'a> {
    let content = ContentFacts { format: Format::Html, trouble: None, language: Some(language) };
    DocumentFacts {
        url: PAGE,
        state: State::Done,
        cause: None,
        is_machinery: false,
        answer: Some(answer()),
        content: Some(content),
        others: Others::default(),
    }
}

#[test]
fn each_rule_has_its_say() {
    let german = note("de", Confidence::Sure);
    let english = note("en", Confidence::Sure);
    let unclear = note("de", Confidence::Review);
    let good = facts(&german);
    let with = |change: &dyn Fn(&mut AnswerFacts<'_>)| {
        let mut answer = answer();
        change(&mut answer);
        answer
    };
    let refused = Cause::new(CauseKind::Robots, "Disallow: /");
    let binary = ContentFacts {
        format: Format::Binary,
        trouble: Some("labelled text/html, is PDF"),
        language: None,
    };
    let empty = ContentFacts { format: Format::Empty, trouble: None, language: None };
    #[rustfmt::skip]
    let cases: Vec<(&str, DocumentFacts<'_>, Keeping, CorpusRule, &str)> = vec![
        ("good", good, Keeping::Kept, CorpusRule::All, "nothing speaks against it; de: as measured"),
        ("refused", DocumentFacts { state: State::Refused, cause: Some(&refused), answer: None, ..good },
            Keeping::Left, CorpusRule::NotFetched, "was not asked for"),
        ("queued", DocumentFacts { state: State::Queued, answer: None, ..good },
            Keeping::Left, CorpusRule::NotFetched, "still in the queue"),
        ("queued again", DocumentFacts { state: State::Queued, ..good },
            Keeping::Kept, CorpusRule::All, "nothing"),
        ("missing", DocumentFacts { answer: Some(with(&|a| a.status = 404)), ..good },
            Keeping::Left, CorpusRule::Status, "status 404"),
        ("machinery", DocumentFacts { is_machinery: true, ..good },
            Keeping::Left, CorpusRule::Machinery, "steer the crawl"),
        ("own pattern", DocumentFacts { url: "http://a.example/_vti_bin/x.html", ..good },
            Keeping::Left, CorpusRule::Pattern, "*/_vti_bin/*"),
        ("wanted in spite of its port", DocumentFacts {
            url: "http://a.example:8080/wichtig/x.html", answer: Some(with(&|a| a.port = 8080)), ..good },
            Keeping::Kept, CorpusRule::Pattern, "*/wichtig/*"),
        ("port", DocumentFacts { answer: Some(with(&|a| a.port = 8080)), ..good },
            Keeping::Left, CorpusRule::Port, "port 8080"),
        ("suffix", DocumentFacts { url: "http://a.example/x.ZIP?y=.html", ..good },
            Keeping::Left, CorpusRule::Suffix, "suffix .zip"),
        ("host is no suffix", DocumentFacts { url: "http://a.zip", ..good },
            Keeping::Kept, CorpusRule::All, "nothing"),
        ("type", DocumentFacts { answer: Some(with(&|a| a.media_type = Some("image/gif"))), ..good },
            Keeping::Left, CorpusRule::MimeType, "image/gif"),
        ("no type", DocumentFacts { answer: Some(with(&|a| a.media_type = None)), ..good },
            Keeping::Left, CorpusRule::MimeType, "no media type"),
        ("size", DocumentFacts { answer: Some(with(&|a| a.size = 500_001)), ..good },
            Keeping::Left, CorpusRule::Size, "500001 bytes, more than 500000"),
        ("just small enough", DocumentFacts { answer: Some(with(&|a| a.size = 500_000)), ..good },
            Keeping::Kept, CorpusRule::All, "nothing"),
        ("header row", DocumentFacts { answer: Some(with(&|a| a.not_stored = Some("suffix .iso"))), ..good },
            Keeping::Unknown, CorpusRule::NoBody, "only its header was archived: suffix .iso"),
        ("not examined", DocumentFacts { content: None, ..good },
            Keeping::Left, CorpusRule::NoBody, "not examined"),
        ("wrong label", DocumentFacts { content: Some(binary), ..good },
            Keeping::Left, CorpusRule::Format, "labelled text/html, is PDF"),
        ("empty", DocumentFacts { content: Some(empty), ..good },
            Keeping::Left, CorpusRule::Format, "empty"),
        ("English", facts(&english), Keeping::Left, CorpusRule::Language, "en: as measured"),
        ("unclear", facts(&unclear), Keeping::Left, CorpusRule::Language, "language unclear"),
        ("copy", DocumentFacts { others: Others { duplicate_of: Some("http://a.example/1"), ..Others::default() }, ..good },
            Keeping::Left, CorpusRule::Duplicate, "the same as http://a.example/1"),
        ("near", DocumentFacts { others: Others { near: Some(("http://a.example/1", 0.957)), ..Others::default() }, ..good },
            Keeping::Left, CorpusRule::NearDuplicate, "95 % the same as http://a.example/1"),
        ("not so near", DocumentFacts { others: Others { near: Some(("http://a.example/1", 0.89)), ..Others::default() }, ..good },
            Keeping::Kept, CorpusRule::All, "nothing"),
        ("template", DocumentFacts { others: Others { same_structure: 50, ..Others::default() }, ..good },
            Keeping::Left, CorpusRule::Template, "50 pages"),
    ];
    let rules = rules();
    for (name, facts, keeping, rule, reason) in cases {
        let verdict = rules.judge(&facts);
        assert_eq!((verdict.keeping, verdict.rule), (keeping, rule), "{name}: {verdict:?}");
        assert!(verdict.reason.contains(reason), "{name}: {:?} lacks {reason:?}", verdict.reason);
    }
}

#[test]
fn without_wanted_languages_every_language_is_kept() {
    let rules = CorpusRules::default();
    for confidence in [Confidence::Sure, Confidence::Review, Confidence::Low] {
        let note = note("en", confidence);
        assert_eq!(rules.judge(&facts(&note)).keeping, Keeping::Kept);
    }
}

#[test]
fn formats_without_text_are_kept_or_left_by_a_setting() {
    let note = note("de", Confidence::Sure);
    let pdf = ContentFacts { format: Format::Binary, trouble: None, language: None };
    let answer = AnswerFacts { media_type: Some("application/pdf"), ..answer() };
    let facts = DocumentFacts { answer: Some(answer), content: Some(pdf), ..facts(&note) };
    let mime_types = vec!["application/pdf".to_owned()];
    let rules = CorpusRules { mime_types, languages: vec!["de".into()], ..CorpusRules::default() };
    assert_eq!(rules.judge(&facts).keeping, Keeping::Kept);
    let rules = CorpusRules { not_classified: Choice::Leave, ..rules };
    assert_eq!(rules.judge(&facts).rule, CorpusRule::NotClassified);
}

#[test]
fn an_empty_list_of_types_or_ports_wants_all() {
    let note = note("de", Confidence::Sure);
    let answer = AnswerFacts { media_type: None, port: 8080, ..answer() };
    let facts = DocumentFacts { answer: Some(answer), ..facts(&note) };
    assert_eq!(CorpusRules::default().judge(&facts).rule, CorpusRule::Port);
    let rules = CorpusRules { mime_types: Vec::new(), ports: Vec::new(), ..CorpusRules::default() };
    assert_eq!(rules.judge(&facts).rule, CorpusRule::All);
}
