//! The page to begin with: a list of the servers in a mirror, in its own folder.
//!
//! It lies beside the documents, not among them, so that it takes no document's place.

use super::path::{PathOrigin, url_of};
use std::collections::BTreeMap;

/// The page as HTML, from the paths of all files in order.
pub(super) fn start_page<'p>(paths: impl Iterator<Item = &'p str>) -> String {
    let mut servers: BTreeMap<&str, Server<'_>> = BTreeMap::new();
    for path in paths {
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
    page
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
