//! The text of a document, paragraph by paragraph, each with its language and how that was found.

use super::super::language_facts::LanguageFacts;
use super::head::{Head, Side, cannot_show};
use super::layout::block_text;
use super::subject::Subject;
use crate::look::{Section, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_corpus::Reading;
use auslese_corpus::language::{Hints, Recogniser};
use auslese_harvest::{PAPER_PAGES, paper_layout};
use auslese_markup::BlockKind;
use auslese_model::Format;
use auslese_reader::Request;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;
use url::Url;

/// Paragraphs of a text that are shown.
pub(crate) const MAX_PARAGRAPHS_SHOWN: usize = 1_000;
/// Bytes of a text that are shown.
pub(crate) const MAX_TEXT_SHOWN: usize = 200_000;

#[derive(Debug, Serialize)]
struct TextTab {
    #[serde(flatten)]
    head: Head,
    language: Option<LanguageFacts>,
    paragraphs: Vec<Paragraph>,
    /// Paragraphs beyond the limit.
    left_out: usize,
    trouble: Option<String>,
    why_not: Option<String>,
}

#[derive(Debug, Serialize)]
struct Paragraph {
    text: String,
    kind: &'static str,
    language: String,
    /// Whether that is the language of a neighbour.
    inherited: bool,
    words: u32,
    /// Share of its words that the list knows.
    share_words: f64,
    /// The language that the page declares.
    declared: Option<String>,
    /// Whether it looks like navigation and other furniture.
    boilerplate: bool,
}

/// A paragraph before its language is known.
struct Bare {
    text: String,
    kind: &'static str,
    declared: Option<String>,
    boilerplate: bool,
}

pub(super) async fn text(
    State(site): State<Arc<Site>>,
    view: View,
    subject: Subject,
) -> Result<Response, Problem> {
    let content = subject.content.as_ref();
    let language = content.and_then(|content| content.language.clone()).map(LanguageFacts::of);
    let mut page = TextTab {
        head: Head::of(&subject),
        language,
        paragraphs: Vec::new(),
        left_out: 0,
        trouble: content.and_then(|content| content.trouble.clone()),
        why_not: None,
    };
    match read(&site, &subject).await? {
        Ok((paragraphs, left_out)) => (page.paragraphs, page.left_out) = (paragraphs, left_out),
        Err(why) => page.why_not = Some(why),
    }
    Ok(view.answer(&page))
}

async fn read(
    site: &Arc<Site>,
    subject: &Subject,
) -> Result<Result<(Vec<Paragraph>, usize), String>, Problem> {
    let Some(capture) = subject.asked()? else {
        return Ok(Err("there is no capture".to_owned()));
    };
    let (stored, body) = match subject.body(site, capture).await? {
        Ok(read) => read,
        Err(why) => return Ok(Err(why)),
    };
    let (address, format) = (subject.request.url.clone(), subject.format());
    let (same_site, harvest) = (site.clone(), subject.harvest.clone());
    site.work(move || {
        let media_type = stored.fields.media_type();
        let (html_lang, bare) = match format {
            Some(Format::Paper) => {
                let request = Request {
                    name: &address,
                    mime_type: media_type.as_deref().unwrap_or_default(),
                    pages: Some(PAPER_PAGES),
                    bytes: &body.bytes,
                    ..Request::default()
                };
                let layout = paper_layout(&same_site.readers, &request)?;
                let blocks = layout.pages.iter().flat_map(|page| &page.blocks);
                (None, blocks.map(|block| Bare::plain(block_text(block))).collect())
            }
            _ => {
                let url =
                    Url::parse(&address).map_err(|_| "its address cannot be read".to_owned())?;
                let charset = stored.fields.charset();
                let reading =
                    Reading::of(&body.bytes, media_type.as_deref(), charset.as_deref(), &url);
                let blocks = reading.blocks.into_iter().map(Bare::of).collect::<Vec<Bare>>();
                (reading.html_lang, blocks)
            }
        };
        let count = bare.len();
        let bare = bounded(bare);
        let left_out = count - bare.len();
        Ok((with_languages(&harvest.recogniser, html_lang.as_deref(), bare), left_out))
    })
    .await
}

/// As many paragraphs as are shown.
fn bounded(paragraphs: Vec<Bare>) -> Vec<Bare> {
    let mut room = MAX_TEXT_SHOWN;
    let fits = |paragraph: &Bare| {
        let before = room;
        room = room.saturating_sub(paragraph.text.len());
        before > 0
    };
    let mut kept: Vec<Bare> =
        paragraphs.into_iter().take(MAX_PARAGRAPHS_SHOWN).take_while(fits).collect();
    if let Some(last) = kept.last_mut() {
        last.text.truncate(last.text.floor_char_boundary(MAX_TEXT_SHOWN));
    }
    kept
}

fn with_languages(
    recogniser: &Recogniser,
    html_lang: Option<&str>,
    bare: Vec<Bare>,
) -> Vec<Paragraph> {
    let blocks: Vec<&str> = bare.iter().map(|paragraph| paragraph.text.as_str()).collect();
    let hints = Hints { html_lang, ..Hints::default() };
    let languages = recogniser.recognise_paragraphs(&blocks, &hints).paragraphs;
    bare.into_iter()
        .zip(languages)
        .map(|(bare, found)| Paragraph {
            text: bare.text,
            kind: bare.kind,
            language: found.language,
            inherited: found.inherited,
            words: found.words,
            share_words: found.share_words,
            declared: bare.declared,
            boilerplate: bare.boilerplate,
        })
        .collect()
}

impl Bare {
    fn plain(text: String) -> Bare {
        Bare { text, kind: "paragraph", declared: None, boilerplate: false }
    }

    fn of(block: auslese_corpus::Block) -> Bare {
        let kind = match block.kind {
            BlockKind::Heading(_) => "heading",
            _ => "paragraph",
        };
        let boilerplate = block.boilerplate.is_some();
        Bare { text: block.text, kind, declared: block.lang, boilerplate }
    }
}

impl Paragraph {
    fn markup(&self, view: &View, document: Option<&str>) -> Markup {
        let is_other = document.is_some_and(|document| document != self.language);
        let mut hint = match self.inherited {
            true => view.say("as the paragraph before", "wie der Absatz davor").to_owned(),
            false => format!(
                "{} {} %",
                view.say("known words:", "bekannte Wörter:"),
                view.tongue.decimal(self.share_words * 100.0, 0)
            ),
        };
        if let Some(declared) = &self.declared {
            hint.push_str(&format!("; {} {declared}", view.say("declared:", "erklärt:")));
        }
        html! {
            span .paragraph-language { span .tag .doubt[is_other] .is-inherited[self.inherited] title=(hint) { (self.language) } }
            p .is-heading[self.kind == "heading"] .is-boilerplate[self.boilerplate] lang=(self.language) { (self.text) }
        }
    }
}

impl Page for TextTab {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Text)
    }

    fn body(&self, view: &View) -> Markup {
        let document = self.language.as_ref().map(|language| language.tag.as_str());
        html! {
            (self.head.markup(view, Side::Text))
            @if let Some(trouble) = &self.trouble { p .note lang="en" { (trouble) } }
            @if let Some(language) = &self.language { (language.markup(view)) }
            @if let Some(why) = &self.why_not { (cannot_show(view, why)) }
            @else if self.paragraphs.is_empty() {
                (empty_note(view.say("There is no text in this document.", "In diesem Dokument steht kein Text.")))
            } @else {
                p .soft {
                    (view.say(
                        "Each paragraph with its language; pale is what looks like navigation, dashed what took the language of its neighbour.",
                        "Jeder Absatz mit seiner Sprache; blass ist, was nach Navigation aussieht, gestrichelt, was die Sprache des Nachbarn übernahm.",
                    ))
                }
                div .sheet .paragraphs { @for paragraph in &self.paragraphs { (paragraph.markup(view, document)) } }
                @if self.left_out > 0 {
                    p .note { (view.tongue.number(self.left_out as u64)) " " (view.say("further paragraphs are not shown.", "weitere Absätze sind nicht gezeigt.")) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        let many: Vec<Bare> = (0..5_000).map(|_| Bare::plain("ä b".to_owned())).collect();
        assert_eq!(bounded(many).len(), MAX_PARAGRAPHS_SHOWN);
        let long = vec![Bare::plain("ä".repeat(MAX_TEXT_SHOWN)), Bare::plain("b".to_owned())];
        let cut = bounded(long);
        assert_eq!((cut.len(), cut[0].text.len()), (1, MAX_TEXT_SHOWN));
    }
}
