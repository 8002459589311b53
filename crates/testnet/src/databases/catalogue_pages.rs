//! The pages of the catalogue: form, answers, and the description for programs.

use super::catalogue::{CatalogueForm, CatalogueOptions, CatalogueRow, GROUPS, Matching};
use super::declared::opensearch_description;
use super::fields::{Charset, Fields, escaped};
use crate::answer::Answer;

pub(super) struct CataloguePages<'a> {
    pub(super) options: &'a CatalogueOptions,
}

impl CataloguePages<'_> {
    pub(super) fn form(&self) -> Answer {
        let link = "<link rel=\"search\" type=\"application/opensearchdescription+xml\" \
                    title=\"Suche\" href=\"opensearch.xml\">\n";
        let head = if self.options.opensearch { link } else { "" };
        let words = match self.options.matching {
            Matching::Words => "Wörter aus dem Titel",
            Matching::Beginning => "Anfang des Titels",
        };
        let field = format!(
            "<p><label for=\"q\">{words}</label> <input type=\"text\" id=\"q\" name=\"q\"></p>\n"
        );
        let text = if self.options.form == CatalogueForm::SelectOnly { "" } else { &field };
        let groups: String = GROUPS.iter().map(|it| format!("<option>{it}</option>\n")).collect();
        let title = escaped(&self.options.title);
        self.page(
            head,
            &format!(
                "<h1>{title}</h1>\n<form action=\"suche\" method=\"get\">\n{text}<p><label for=\"gruppe\">\
                 Sachgruppe</label>\n<select id=\"gruppe\" name=\"gruppe\">\n<option value=\"\">alle</option>\n\
                 {groups}</select></p>\n<p><input type=\"submit\" value=\"Suchen\"></p>\n</form>\n\
                 <p><a href=\"/\">Zurück</a></p>\n"
            ),
        )
    }

    pub(super) fn nothing_asked(&self) -> Answer {
        self.page("", "<p>Bitte geben Sie etwas ein. <a href=\"./\">Neue Suche</a></p>\n")
    }

    pub(super) fn result(&self, fields: &Fields, found: &[&CatalogueRow]) -> Answer {
        let shown = &found[..self.options.cap.unwrap_or(found.len()).min(found.len())];
        let size = self.options.page_size.unwrap_or(shown.len()).max(1);
        let pages = shown.len().div_ceil(size).max(1);
        let number = fields.get("seite").parse::<usize>().unwrap_or(1).clamp(1, pages);
        let on_page = shown.chunks(size).nth(number - 1).unwrap_or_default();
        let first = (number - 1) * size;
        let count = match on_page.len() {
            0 => "Keine Treffer".to_owned(),
            rows => format!("Treffer {} bis {} von {}", first + 1, first + rows, found.len()),
        };
        let rows: String = on_page.iter().map(|row| table_row(row)).collect();
        let next = if number < pages { next_link(fields, number + 1) } else { String::new() };
        self.page(
            "",
            &format!(
                "<p class=\"anzahl\">{count}</p>\n<table>\n<tr><th>Nr.</th><th>Titel</th><th>Von</th><th>Jahr</th>\
                 <th>Sachgruppe</th></tr>\n{rows}</table>\n{next}<p><a href=\"./\">Neue Suche</a></p>\n"
            ),
        )
    }

    /// The description for programs; it knows no groups.
    pub(super) fn opensearch(&self, origin: &str, directory: &str) -> Answer {
        let template = format!("{origin}{directory}suche?q={{searchTerms}}&seite={{startPage?}}");
        opensearch_description(&self.options.title, &template)
    }

    fn page(&self, head: &str, body: &str) -> Answer {
        let title = escaped(&self.options.title);
        Charset::Utf8.answer(&format!(
            "<!DOCTYPE html>\n<html lang=\"de\"><head><meta charset=\"utf-8\">\n<title>{title}</title>\n{head}\
             </head>\n<body>\n{body}</body></html>\n"
        ))
    }
}

fn table_row(row: &CatalogueRow) -> String {
    format!(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        row.number, row.title, row.author, row.year, row.group
    )
}

fn next_link(fields: &Fields, page: usize) -> String {
    let page = page.to_string();
    let query = ["q", "gruppe"].map(|name| (name, fields.get(name)));
    let query = Charset::Utf8.query(query.into_iter().chain([("seite", &*page)]));
    format!("<p><a href=\"suche?{}\">weiter</a></p>\n", query.replace('&', "&amp;"))
}
