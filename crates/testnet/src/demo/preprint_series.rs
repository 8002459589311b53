//! The preprints of the Faculty of Mathematics as web pages: a list, and for some of them a page
//! with the abstract, whose head says what library catalogues want to know, in one of two dialects.

use super::files::{MATH, with_index};
use super::math::HOST;
use super::papers::{PAPERS, Paper, PaperTruth};
use crate::answer::Answer;
use crate::site::Site;

/// How the head of a page with an abstract says what the paper is.
enum Head {
    DublinCore,
    /// As Google Scholar asks for it, with the address of the full text.
    Citation,
}

/// Papers with a page of their own.
const WITH_PAGE: [(&str, Head); 3] = [
    ("gebietszerlegung", Head::DublinCore),
    ("ensemble-weir", Head::Citation),
    ("kein-gegenbeispiel", Head::Citation),
];

pub(super) fn preprints(site: Site) -> Site {
    let series: Vec<(&Paper, PaperTruth)> = PAPERS
        .iter()
        .filter_map(|paper| Some((paper, paper.truth()?)))
        .filter(|(_, truth)| truth.url.contains(HOST))
        .collect();
    let site = with_index(site, "/preprints/index.html", Answer::page(list(&series)));
    series.iter().fold(site, |site, (paper, truth)| match head_of(paper) {
        Some(head) => site.page(&page_path(paper), abstract_page(paper, truth, head)),
        None => site,
    })
}

fn head_of(paper: &Paper) -> Option<&'static Head> {
    WITH_PAGE.iter().find(|(id, _)| *id == paper.id).map(|(_, head)| head)
}

/// `/preprints/03-12.html` for `/preprints/03-12.ps.gz`.
fn page_path(paper: &Paper) -> String {
    format!("/preprints/{}.html", number(paper))
}

/// The number on the cover.
fn number(paper: &Paper) -> &'static str {
    let name = paper.path.rsplit('/').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

fn list(series: &[(&Paper, PaperTruth)]) -> String {
    let mut content = String::from(
        "<p>Die Hohenwerther Preprints erscheinen seit 1995. Ältere Hefte liegen als PostScript vor \
         und sind mit gzip gepackt.\nGedruckte Exemplare gibt es im Sekretariat, solange der Vorrat reicht.</p>\n\
         <table cellpadding=\"4\">\n",
    );
    for (paper, truth) in series.iter().rev() {
        let target = match head_of(paper) {
            Some(_) => page_path(paper),
            None => paper.path.to_owned(),
        };
        content.push_str(&format!(
            "<tr valign=\"top\"><td>{}</td><td>{}: <a href=\"{target}\">{}</a></td></tr>\n",
            number(paper),
            truth.authors.join(", "),
            truth.title,
        ));
    }
    content.push_str(
        "<tr valign=\"top\"><td>06-02</td><td>Joost van den Brink, Wiebke Petersen: \
         <a href=\"/preprints/06-02.pdf\">Notes on meshfree smoothing</a></td></tr>\n</table>\n\
         <p>Aus der Zeit vor der Reihe: Peregrine T. Ashdown, <a href=\"/preprints/bericht-1991.pdf\">On the \
         stability of spline interpolation at unequally spaced knots</a> (Bericht, 1991, eingescannt).</p>\n",
    );
    MATH.page("/preprints/", "de", "Hohenwerther Preprints", &content)
}

fn abstract_page(paper: &Paper, truth: &PaperTruth, head: &Head) -> String {
    let content = format!(
        "<p>{}</p>\n<p>Preprint {}</p>\n<p><b>{}.</b> {}</p>\n<p><b>{}:</b> {}</p>\n\
         <p><a href=\"{}\">Volltext ({})</a></p>\n<p><a href=\"/preprints/\">Alle Preprints</a></p>\n",
        truth.authors.join(", "),
        number(paper),
        if truth.language == "de" { "Zusammenfassung" } else { "Abstract" },
        truth.summary,
        if truth.language == "de" { "Schlagwörter" } else { "Keywords" },
        truth.keywords.join(", "),
        paper.path,
        if paper.path.ends_with(".pdf") { "PDF" } else { "PostScript, gzip" },
    );
    let page = MATH.page(&page_path(paper), &truth.language, &truth.title, &content);
    page.replacen("</head>", &format!("{}</head>", meta(truth, head)), 1)
}

fn meta(truth: &PaperTruth, head: &Head) -> String {
    let mut said: Vec<(&str, String)> = Vec::new();
    let authors = truth.authors.iter().map(|name| family_name_first(name));
    match head {
        Head::DublinCore => {
            said.push(("DC.Title", truth.title.clone()));
            said.extend(authors.map(|name| ("DC.Creator", name)));
            said.push(("DC.Date", truth.dated.clone()));
            said.push(("DC.Subject", truth.keywords.join("; ")));
            said.push(("DC.Description", truth.summary.clone()));
            said.push(("DC.Language", truth.language.clone()));
            said.push(("DC.Identifier", truth.url.clone()));
        }
        Head::Citation => {
            said.push(("citation_title", truth.title.clone()));
            said.extend(authors.map(|name| ("citation_author", name)));
            said.push(("citation_publication_date", truth.dated.replace('-', "/")));
            said.push(("citation_keywords", truth.keywords.join("; ")));
            said.push(("citation_language", truth.language.clone()));
            said.push(("citation_pdf_url", truth.url.clone()));
        }
    }
    let lines = said.iter().map(|(name, value)| {
        let value = value.replace('&', "&amp;").replace('"', "&quot;");
        format!("<meta name=\"{name}\" content=\"{value}\">\n")
    });
    lines.collect()
}

fn family_name_first(name: &str) -> String {
    match name.rsplit_once(' ') {
        Some((given, family)) => format!("{family}, {given}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_is_listed_and_some_have_a_page() {
        let site = preprints(Site::new("http://math.uni-hohenwerth.example"));
        let documents = site.documents();
        let text = |path: &str| {
            let document = documents.iter().find(|document| document.path == path);
            String::from_utf8(document.unwrap_or_else(|| panic!("{path}")).body.to_vec()).unwrap()
        };
        assert_eq!(text("/preprints/").matches("<tr ").count(), 12);
        assert!(text("/preprints/").contains("<a href=\"/preprints/03-12.html\">Gebiets"));
        assert!(text("/preprints/").contains("<a href=\"/preprints/96-02.ps.gz\">A multigrid"));
        let page = text("/preprints/03-12.html");
        assert!(page.contains("<meta name=\"DC.Creator\" content=\"Großmann, Jürgen\">"));
        let page = text("/preprints/09-04.html");
        let full_text = "http://math.uni-hohenwerth.example/preprints/09-04.pdf";
        assert!(page.contains(&format!("name=\"citation_pdf_url\" content=\"{full_text}\"")));
    }
}
