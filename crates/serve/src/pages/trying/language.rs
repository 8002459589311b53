//! In which language the text is: what became of each token, and the steps to the decision, as `auslese language
//! --explain` tells them.

use super::super::document::words;
use super::super::language_facts::LanguageFacts;
use super::asked::Asked;
use super::matter::Matter;
use super::{Outcome, Trial, shortened};
use crate::site::Site;
use crate::view::View;
use auslese_corpus::language::{Fate, Hints, LanguageReport, Recogniser, Token};
use maud::{Markup, html};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Tokens whose fate is shown.
pub(crate) const MAX_TOKENS_TRIED: usize = 5_000;
/// Paragraphs that are told of.
pub(crate) const MAX_PARAGRAPHS_TRIED: usize = 500;
/// Unknown words that are listed.
pub(crate) const MAX_UNKNOWN_TRIED: usize = 60;
/// Letters of a token that are shown.
const TOKEN_LETTERS: usize = 80;

pub(super) struct Language;

impl Trial for Language {
    fn name(&self) -> &'static str {
        "language"
    }

    fn title(&self, view: &View) -> &'static str {
        view.say("Language", "Sprache")
    }

    fn controls(&self, _: &View, _: &Asked) -> Markup {
        html! {}
    }

    fn run(&self, site: &Site, matter: &Matter, _: &Asked) -> Box<dyn Outcome> {
        // A document is judged by the rules of its corpus.
        let harvest = matter.harvest.as_ref();
        let recogniser = harvest.map_or_else(|| site.tools.recogniser(), |it| &it.recogniser);
        Box::new(Found::of(recogniser, matter))
    }
}

struct Found {
    facts: LanguageFacts,
    /// With the first tokens and paragraphs only.
    report: LanguageReport,
    tokens: usize,
    paragraphs: usize,
    counts: HashMap<Fate, usize>,
    /// The most frequent ones.
    unknown: Vec<(String, usize)>,
    /// Tokens paragraph by paragraph, so many as are shown.
    shown: Vec<Vec<Token>>,
}

impl Found {
    fn of(recogniser: &Recogniser, matter: &Matter) -> Found {
        let blocks = matter.blocks();
        let hints = Hints { html_lang: matter.html_lang.as_deref(), ..Hints::default() };
        let recognition = recogniser.recognise_paragraphs(&blocks, &hints);
        let mut explanation = recogniser.explain(&blocks, &recognition);
        let tokens = explanation.tokens.len();
        let mut counts = HashMap::new();
        for token in &explanation.tokens {
            *counts.entry(token.fate).or_default() += 1;
        }
        let unknown = most_frequent_unknown(&explanation.tokens);
        explanation.tokens.truncate(MAX_TOKENS_TRIED);
        explanation.tokens.iter_mut().for_each(shorten);
        let mut report = LanguageReport::of(&blocks, &recognition, Some(explanation));
        let paragraphs = report.paragraphs.len();
        report.paragraphs.truncate(MAX_PARAGRAPHS_TRIED);
        let shown = by_paragraph(recogniser, &blocks);
        let facts = LanguageFacts::of(recognition.note);
        Found { facts, report, tokens, paragraphs, counts, unknown, shown }
    }
}

fn most_frequent_unknown(tokens: &[Token]) -> Vec<(String, usize)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for token in tokens.iter().filter(|token| token.fate == Fate::Unknown) {
        *counts.entry(&token.text).or_default() += 1;
    }
    let mut words: Vec<(&str, usize)> = counts.into_iter().collect();
    words.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    words.truncate(MAX_UNKNOWN_TRIED);
    words.into_iter().map(|(word, count)| (shortened(word, TOKEN_LETTERS), count)).collect()
}

fn by_paragraph(recogniser: &Recogniser, blocks: &[&str]) -> Vec<Vec<Token>> {
    let mut room = MAX_TOKENS_TRIED;
    let mut shown = Vec::new();
    for block in blocks.iter().take(MAX_PARAGRAPHS_TRIED) {
        if room == 0 {
            break;
        }
        let mut tokens = recogniser.tokens(&[block]);
        tokens.truncate(room);
        tokens.iter_mut().for_each(shorten);
        room -= tokens.len();
        shown.push(tokens);
    }
    shown
}

fn shorten(token: &mut Token) {
    token.text = shortened(&token.text, TOKEN_LETTERS);
}

/// Whether a token stands close to the one before it, as the signs at the end of a sentence do.
fn clings(token: &Token) -> bool {
    token.fate == Fate::Symbol
        && matches!(&*token.text, "." | "," | ";" | ":" | "!" | "?" | ")" | "“")
}

/// All fates, in the order of the legend.
const FATES: [Fate; 7] = [
    Fate::Recognised,
    Fate::Unknown,
    Fate::Name,
    Fate::Number,
    Fate::Symbol,
    Fate::Url,
    Fate::Mail,
];

fn fate_class(fate: Fate) -> &'static str {
    match fate {
        Fate::Recognised => "fate is-recognised",
        Fate::Unknown => "fate is-unknown",
        Fate::Name => "fate is-name",
        Fate::Number | Fate::Symbol | Fate::Url | Fate::Mail => "fate is-left-out",
    }
}

fn fate_words(view: &View, fate: Fate) -> &'static str {
    match fate {
        Fate::Recognised => {
            view.say("in the list of German words", "in der Liste deutscher Wörter")
        }
        Fate::Unknown => view.say("not in the list", "nicht in der Liste"),
        Fate::Name => view.say("names, left out", "Namen, nicht gezählt"),
        Fate::Number => view.say("numbers, left out", "Zahlen, nicht gezählt"),
        Fate::Symbol => view.say("signs, left out", "Zeichen, nicht gezählt"),
        Fate::Url => view.say("web addresses, left out", "Webadressen, nicht gezählt"),
        Fate::Mail => view.say("mail addresses, left out", "Mailadressen, nicht gezählt"),
    }
}

impl Outcome for Found {
    fn value(&self) -> Value {
        let mut value = serde_json::to_value(&self.report).unwrap_or_default();
        let told = self.report.tokens.as_ref().map_or(0, Vec::len);
        value["tokens_left_out"] = json!(self.tokens - told);
        value["paragraphs_left_out"] = json!(self.paragraphs - self.report.paragraphs.len());
        value
    }

    fn summary(&self, view: &View) -> String {
        let (_, confidence) = words::confidence(view, self.facts.confidence);
        format!("{} {} ({confidence})", view.say("Language", "Sprache"), self.facts.tag)
    }

    fn markup(&self, view: &View) -> Markup {
        html! {
            (self.facts.markup(view))
            h3 { (view.say("How that follows", "Wie das folgt")) }
            ol .way lang="en" { @for step in self.report.steps.iter().flatten() { li { (step) } } }
            h3 { (view.say("What became of each token", "Was aus jedem Token wurde")) }
            (self.legend(view))
            (self.tokens(view))
            @if !self.unknown.is_empty() {
                details data-key="unknown" {
                    summary { (view.say("Words that are not in the list", "Wörter, die nicht in der Liste sind")) }
                    ul .chips { @for (word, count) in &self.unknown { li .chip { (word) @if *count > 1 { " " span .soft .number { (view.tongue.number(*count as u64)) } } } } }
                }
            }
        }
    }
}

impl Found {
    fn legend(&self, view: &View) -> Markup {
        html! {
            ul .legend .fates {
                @for (fate, count) in FATES.iter().filter_map(|fate| Some((*fate, *self.counts.get(fate)?))) {
                    li { span class=(fate_class(fate)) { (view.tongue.number(count as u64)) } " " (fate_words(view, fate)) }
                }
            }
        }
    }

    fn tokens(&self, view: &View) -> Markup {
        let shown: usize = self.shown.iter().map(Vec::len).sum();
        html! {
            div .sheet .paragraphs .tokens tabindex="0" role="group" aria-label=(view.say("Text with the fate of each token", "Text mit dem Los jedes Tokens")) {
                @for (tokens, paragraph) in self.shown.iter().zip(&self.report.paragraphs) {
                    span .paragraph-language { span .tag .is-inherited[paragraph.inherited] { (paragraph.language) } }
                    p lang=(paragraph.language) {
                        @for (token, next) in tokens.iter().zip(tokens.iter().skip(1).map(Some).chain([None])) {
                            span class=(fate_class(token.fate)) title=(fate_words(view, token.fate)) { (token.text) }
                            @if !next.is_some_and(clings) { " " }
                        }
                    }
                }
            }
            @if shown < self.tokens {
                p .note { (view.tongue.number((self.tokens - shown) as u64)) " " (view.say("further tokens are counted, but not shown.", "weitere Tokens sind gezählt, aber nicht gezeigt.")) }
            }
        }
    }
}
