//! The files of the demo sites, put into their layouts.

use crate::answer::Answer;
use crate::http_date::http_date;
use crate::site::Site;
use auslese_model::Timestamp;

/// Host, path inside the site, bytes.
const FILES: &[(&str, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/demo_files.rs"));

/// The frame around the text of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout(&'static str);

pub(super) const HOHENWERTH: Layout = Layout(include_str!("../../demo/layouts/hohenwerth.html"));
pub(super) const MATH: Layout = Layout(include_str!("../../demo/layouts/math.html"));
pub(super) const LIBRARY: Layout = Layout(include_str!("../../demo/layouts/bibliothek.html"));
pub(super) const LINGUISTICS: Layout = Layout(include_str!("../../demo/layouts/linguistik.html"));
pub(super) const NIEDERAU: Layout = Layout(include_str!("../../demo/layouts/niederau.html"));

impl Layout {
    pub(super) fn page(self, path: &str, lang: &str, title: &str, content: &str) -> String {
        self.0
            .replace("{path}", path)
            .replace("{lang}", lang)
            .replace("{title}", title)
            .replace("{content}", content)
    }
}

/// The files of a host as paths and bytes, without layout.
pub(super) fn of_host(host: &str) -> impl Iterator<Item = (String, &'static [u8])> {
    FILES
        .iter()
        .filter(move |(file_host, _, _)| *file_host == host)
        .map(|(_, path, bytes)| (format!("/{path}"), *bytes))
}

/// A site with all files of its host; those with a header are put into the layout.
pub(super) fn site(origin: &str, host: &str, layout: Layout) -> Site {
    of_host(host).fold(Site::new(origin), |site, (path, bytes)| {
        let answer = match std::str::from_utf8(bytes).ok().and_then(Article::read) {
            Some(article) => Answer::page(article.page(&path, layout, article.content)),
            None => Answer::file(media_type(&path), bytes),
        };
        with_index(site, &path, dated(answer))
    })
}

/// Adds what lets a client ask whether a document has changed: a date and a mark, both made from the
/// bytes, so that they change with them.
pub(super) fn dated(answer: Answer) -> Answer {
    let Some(body) = answer.fixed_body() else { return answer };
    let sum = body.iter().fold(0xcbf2_9ce4_8422_2325u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    let since_2004 = i64::try_from(sum % (22 * 365 * 86_400)).unwrap_or_default();
    let date = http_date(Timestamp((1_072_915_200 + since_2004) * 1_000_000));
    answer.header("ETag", format!("\"{sum:016x}\"")).header("Last-Modified", date)
}

/// The page of one file in its layout, with its text changed by `edit`.
pub(super) fn edited(
    host: &str,
    path: &str,
    layout: Layout,
    edit: impl Fn(&str) -> String,
) -> Answer {
    let bytes = of_host(host).find(|(known, _)| known == path).map_or(&[][..], |(_, bytes)| bytes);
    let article = std::str::from_utf8(bytes).ok().and_then(Article::read);
    let article = article.unwrap_or_else(|| panic!("{host} has no article {path}"));
    dated(Answer::page(article.page(path, layout, &edit(article.content))))
}

/// Adds a page at its path and, if it is an index, at its directory.
pub(super) fn with_index(site: Site, path: &str, answer: Answer) -> Site {
    match path.strip_suffix("index.html").or_else(|| path.strip_suffix("index.htm")) {
        Some(directory) => site.answer(directory, answer.clone()).answer(path, answer),
        None => site.answer(path, answer),
    }
}

pub(super) fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "xml" => "application/xml",
        _ => "application/octet-stream",
    }
}

/// A text with a header.
struct Article<'a> {
    title: &'a str,
    lang: &'a str,
    /// The vocabulary its subjects are from, and the subjects.
    subjects: Option<(&'a str, &'a str)>,
    content: &'a str,
}

impl<'a> Article<'a> {
    fn read(text: &'a str) -> Option<Article<'a>> {
        let (header, content) = text.strip_prefix("---\n")?.split_once("---\n")?;
        let field = |name: &str| {
            let mut lines = header.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        };
        let subjects = field("subjects").and_then(|it| it.split_once(": "));
        Some(Article { title: field("title")?, lang: field("lang")?, subjects, content })
    }

    /// The article in its layout, its subjects in the head.
    fn page(&self, path: &str, layout: Layout, content: &str) -> String {
        let page = layout.page(path, self.lang, self.title, content);
        let Some((scheme, terms)) = self.subjects else { return page };
        let tag =
            |term| format!("<meta name=\"DC.Subject\" scheme=\"{scheme}\" content=\"{term}\">\n");
        let tags: String = terms.split("; ").map(tag).collect();
        page.replacen("</head>", &format!("{tags}</head>"), 1)
    }
}
