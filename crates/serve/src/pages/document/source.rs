//! The source of a page, decoded, with line numbers and a mark at the place of each statement.

use super::head::{Head, Side, cannot_show};
use super::subject::{Subject, storing};
use super::words;
use crate::look::Section;
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_describe::{MAX_DESCRIBED_PAGE, page_to_describe};
use auslese_markup::{decode, source_places};
use auslese_model::{Description, Field, Format, FoundAt};
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a decoded source that are shown.
pub(crate) const MAX_SOURCE_SHOWN: usize = 1 << 20;
/// Statements whose places are marked.
pub(crate) const MAX_PLACES_MARKED: usize = 500;
/// An element that is longer than this many bytes is marked at its start tag only: a mark over a whole page says
/// nothing.
const MAX_MARK: usize = 4_000;

#[derive(Debug, Serialize)]
pub(super) struct SourceTab {
    #[serde(flatten)]
    head: Head,
    charset: Option<String>,
    /// Bytes of the decoded source.
    length: usize,
    /// Whether only the beginning is shown.
    is_cut: bool,
    marks: Vec<Mark>,
    source: String,
    why_not: Option<String>,
}

/// Where a statement stands in the source.
#[derive(Debug, Clone, Serialize)]
struct Mark {
    statement: usize,
    field: Field,
    value: String,
    place: Range<usize>,
}

/// What was read, before it is a page.
struct Read {
    source: String,
    charset: &'static str,
    length: usize,
    marks: Vec<Mark>,
}

pub(super) async fn source(
    State(site): State<Arc<Site>>,
    view: View,
    subject: Subject,
) -> Result<Response, Problem> {
    Ok(view.answer(&SourceTab::of(&site, &subject).await?))
}

impl SourceTab {
    pub(super) async fn of(site: &Site, subject: &Subject) -> Result<SourceTab, Problem> {
        let head = Head::of(subject);
        Ok(match read(site, subject).await? {
            Ok(Read { source, charset, length, marks }) => SourceTab {
                head,
                charset: Some(charset.to_owned()),
                length,
                is_cut: source.len() < length,
                marks,
                source,
                why_not: None,
            },
            Err(why) => SourceTab {
                head,
                charset: None,
                length: 0,
                is_cut: false,
                marks: Vec::new(),
                source: String::new(),
                why_not: Some(why),
            },
        })
    }
}

async fn read(site: &Site, subject: &Subject) -> Result<Result<Read, String>, Problem> {
    let Some(capture) = subject.asked()? else {
        return Ok(Err("there is no capture".to_owned()));
    };
    let format = subject.format();
    if matches!(format, Some(Format::Paper | Format::Binary | Format::Empty)) {
        return Ok(Err("it is no text".to_owned()));
    }
    let (stored, body) = match subject.body(site, capture).await? {
        Ok(read) => read,
        Err(why) => return Ok(Err(why)),
    };
    let described = subject.described.as_ref();
    let described = described.filter(|it| Some(it.described.capture) == storing(capture));
    let description = described.map(|listed| listed.described.description.clone());
    let is_html = format == Some(Format::Html);
    let charset = stored.fields.charset();
    site.work(move || {
        let bytes = &body.bytes[..body.bytes.len().min(MAX_DESCRIBED_PAGE)];
        let (text, found) = decode(bytes, charset.as_deref());
        let mut marks = match description.filter(|_| is_html) {
            Some(description) => marks(bytes, charset.as_deref(), &text, &description),
            None => Vec::new(),
        };
        let end = text.floor_char_boundary(MAX_SOURCE_SHOWN);
        marks.retain(|mark| mark.place.end <= end);
        // What was not decoded is longer or shorter by a little; nobody counts on it.
        let length = text.len() + body.bytes.len() - bytes.len();
        Ok(Read { source: text[..end].to_owned(), charset: found.name, length, marks })
    })
    .await
}

fn marks(bytes: &[u8], charset: Option<&str>, text: &str, description: &Description) -> Vec<Mark> {
    let placed: Vec<(usize, &str)> = description
        .statements
        .iter()
        .enumerate()
        .filter_map(|(number, statement)| match &statement.place {
            Some(FoundAt::Path(path)) => Some((number, path.as_str())),
            _ => None,
        })
        .take(MAX_PLACES_MARKED)
        .collect();
    if placed.is_empty() {
        return Vec::new();
    }
    let (page, _) = page_to_describe(bytes, charset);
    let paths: Vec<&str> = placed.iter().map(|(_, path)| *path).collect();
    let places = source_places(&page, text, &paths);
    placed
        .into_iter()
        .zip(places)
        .filter_map(|((number, _), place)| {
            let (statement, place) = (&description.statements[number], place?);
            let place = if place.len() > MAX_MARK { start_tag(text, place) } else { place };
            let (field, value) = (statement.field, statement.value.clone());
            Some(Mark { statement: number, field, value, place })
        })
        .collect()
}

/// The start tag of an element alone.
fn start_tag(text: &str, place: Range<usize>) -> Range<usize> {
    let length = text[place.clone()].find('>').map_or(place.len(), |at| at + 1);
    place.start..place.start + length.min(MAX_MARK)
}

/// A stretch of a line with the innermost mark that covers it.
#[derive(Debug, PartialEq, Eq)]
struct Stretch<'t> {
    text: &'t str,
    /// Of the list of marks.
    mark: Option<usize>,
    /// Whether the mark begins here.
    begins: bool,
}

/// Lines of a source, each in stretches.
fn stretches<'t>(source: &'t str, marks: &[Range<usize>]) -> Vec<Vec<Stretch<'t>>> {
    let mut cuts: Vec<usize> = marks.iter().flat_map(|mark| [mark.start, mark.end]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut cuts = cuts.into_iter().peekable();
    let (mut lines, mut at) = (Vec::new(), 0);
    for line in source.split_inclusive('\n') {
        let end = at + line.len();
        let mut stretches = Vec::new();
        while at < end {
            while cuts.next_if(|cut| *cut <= at).is_some() {}
            let to = cuts.peek().copied().unwrap_or(end).min(end);
            let covers = |mark: &usize| marks[*mark].start <= at && marks[*mark].end >= to;
            let mark = (0..marks.len()).filter(covers).min_by_key(|mark| marks[*mark].len());
            let begins = mark.is_some_and(|mark| marks[mark].start == at);
            let text = source[at..to].trim_end_matches(['\n', '\r']);
            stretches.push(Stretch { text, mark, begins });
            at = to;
        }
        lines.push(stretches);
    }
    lines
}

impl SourceTab {
    /// The source beside its statements, which are on the same page.
    pub(super) fn beside(&self, view: &View) -> Markup {
        match &self.why_not {
            Some(why) => cannot_show(view, why),
            None => self.listing(view, ""),
        }
    }

    /// Lines with marks that lead to the statements on the page given.
    fn listing(&self, view: &View, statements: &str) -> Markup {
        let places: Vec<Range<usize>> = self.marks.iter().map(|mark| mark.place.clone()).collect();
        // Written by hand: a source has tens of thousands of lines.
        let mut text = String::with_capacity(self.source.len() * 2);
        let mut seen = vec![false; self.marks.len()];
        for (number, line) in stretches(&self.source, &places).into_iter().enumerate() {
            text.push_str(&format!("<span class=line id=L{}>", number + 1));
            for stretch in line {
                match stretch.mark.and_then(|mark| Some((mark, self.marks.get(mark)?))) {
                    Some((at, mark)) => {
                        // All statements of this place can be gone to, but an address has one target.
                        let named: Vec<usize> = match stretch.begins && !seen[at] {
                            true => (0..self.marks.len())
                                .filter(|other| {
                                    !seen[*other] && self.marks[*other].place == mark.place
                                })
                                .collect(),
                            false => Vec::new(),
                        };
                        for other in &named {
                            seen[*other] = true;
                            text.push_str(&format!(
                                "<span id=m{}></span>",
                                self.marks[*other].statement
                            ));
                        }
                        let title = format!("{}: {}", words::field(view, mark.field), mark.value);
                        let piece = html! { a .mark href={ (statements) "#s" (mark.statement) } title=(title) { mark { (stretch.text) } } };
                        text.push_str(&piece.into_string());
                    }
                    None => text.push_str(&html! { (stretch.text) }.into_string()),
                }
            }
            text.push_str("</span>");
        }
        html! { pre .source tabindex="0" { code { (PreEscaped(text)) } } }
    }
}

impl Page for SourceTab {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Source)
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (self.head.markup(view, Side::Source))
            @if let Some(why) = &self.why_not {
                (cannot_show(view, why))
                p { a href=(self.head.address(Side::Record)) { (view.say("To the record", "Zum Datensatz")) } }
            } @else {
                p .soft {
                    (view.tongue.size(self.length as u64))
                    @if let Some(charset) = &self.charset { " · " (charset) }
                    " · " (self.marks.len()) " " (view.say("places of statements marked", "Fundstellen von Aussagen markiert"))
                }
                @if self.is_cut {
                    p .note { (view.say("Only the beginning is shown: ", "Nur der Anfang ist gezeigt: ")) (view.tongue.size(self.source.len() as u64)) }
                }
                (self.listing(view, &self.head.address(Side::Overview)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mark_counts_line_by_line() {
        let source = "ab\ncdef\r\ngh";
        let lines = stretches(source, &[1..9, 4..6]);
        let shown: Vec<Vec<(&str, Option<usize>, bool)>> = lines
            .iter()
            .map(|line| line.iter().map(|it| (it.text, it.mark, it.begins)).collect())
            .collect();
        assert_eq!(shown[0], [("a", None, false), ("b", Some(0), true)]);
        assert_eq!(shown[1], [("c", Some(0), false), ("de", Some(1), true), ("f", Some(0), false)]);
        assert_eq!(shown[2], [("gh", None, false)]);
        let texts: Vec<String> =
            lines.iter().map(|line| line.iter().map(|it| it.text).collect()).collect();
        assert_eq!(texts, ["ab", "cdef", "gh"]);
        assert!(stretches("", &[]).is_empty());
    }

    #[test]
    fn long_elements_are_marked_at_their_start() {
        assert_eq!(start_tag("x<div class=a>b</div>", 1..21), 1..14);
    }
}
