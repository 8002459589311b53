//! The page to begin with: a list of the servers in a mirror, in its own folder. Answers to forms are
//! listed on another page, because no link leads to them.
//!
//! Both lie beside the documents, not among them, so that they take no document's place.

use super::manifest::Entry;
use super::path::{PathOrigin, url_of};
use std::collections::BTreeMap;

/// The page as HTML, from all files in the order of their paths.
pub(super) fn start_page<'e>(entries: impl Iterator<Item = &'e Entry>) -> String {
    let mut servers: BTreeMap<&str, Server<'_>> = BTreeMap::new();
    let mut forms = 0;
    for entry in entries {
        let path = entry.path.as_str();
        forms += usize::from(entry.request.is_some());
        let (server, rest) = path.split_once('/').unwrap_or((path, ""));
        let server = servers.entry(server).or_insert(Server { documents: 0, first: path });
        server.documents += 1;
        if rest == "index.html" {
            server.first = path;
        }
    }
    let documents: usize = servers.values().map(|server| server.documents).sum();
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Mirror</title>\n\
         <h1>Mirror</h1>\n<p>Servers: {}. Documents: {documents}.</p>\n<table>\n\
         <tr><th>server<th>documents\n",
        servers.len()
    );
    for (name, server) in &servers {
        // Names in a mirror contain nothing that has a meaning in HTML.
        page.push_str(&format!(
            "<tr><td><a href=\"../{}\">{}</a><td>{}\n",
            server.first,
            server.title(name),
            server.documents
        ));
    }
    page.push_str("</table>\n");
    if forms > 0 {
        page.push_str(&format!("<p><a href=\"{FORMS_PAGE}\">Answers to forms</a>: {forms}.</p>\n"));
    }
    page
}

/// The name of the page with the answers to forms.
pub(super) const FORMS_PAGE: &str = "forms.html";

/// That page; none if there are no such answers.
pub(super) fn forms_page<'e>(entries: impl Iterator<Item = &'e Entry>) -> Option<String> {
    let mut rows = String::new();
    for entry in entries {
        let Some(request) = &entry.request else { continue };
        let (path, url) = (&entry.path, escaped(&entry.url));
        rows.push_str(&format!("<tr><td><a href=\"../{path}\">{url}</a><td>{request}\n"));
    }
    (!rows.is_empty()).then(|| {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <title>Answers to forms</title>\n<h1>Answers to forms</h1>\n<table>\n\
             <tr><th>address<th>key of the request\n{rows}</table>\n"
        )
    })
}

struct Server<'p> {
    documents: usize,
    /// Where to begin: its home page if it is there.
    first: &'p str,
}

impl Server<'_> {
    /// Scheme and host, for people.
    fn title(&self, name: &str) -> String {
        match url_of(&format!("{name}/index.html")) {
            PathOrigin::Request { url, .. } => escaped(url.as_str().trim_end_matches('/')),
            PathOrigin::Shortened | PathOrigin::None => escaped(name),
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
