//! The tables as one HTML page that needs nothing else: no script, no style sheet, no picture.

use super::{Cell, Table};

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem}\
nav{columns:16rem;margin:0 0 2rem}nav a{display:block}\
section{overflow-x:auto;margin:0 0 2rem}\
table{border-collapse:collapse}\
caption{text-align:left;font-weight:bold;font-size:1.1rem;padding:.3rem 0}\
th,td{padding:.2rem .8rem .2rem 0;border-bottom:1px solid #8884;text-align:left;vertical-align:top}\
th{vertical-align:bottom;font-weight:600}\
tbody tr:hover{background:#8882}\
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}";

/// The page with all tables.
pub(crate) fn html(tables: &[Table]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Statistics</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <style>{STYLE}</style></head>\n<body>\n<h1>Statistics</h1>\n"
    );
    if tables.len() > 1 {
        page.push_str("<nav>\n");
        for table in tables {
            let title = escaped(table.title);
            page.push_str(&format!("<a href=\"#{}\">{title}</a>\n", table.name));
        }
        page.push_str("</nav>\n");
    }
    for table in tables {
        page.push_str(&one(table));
    }
    page + "</body></html>\n"
}

fn one(table: &Table) -> String {
    let class = |numeric: bool| if numeric { " class=\"n\"" } else { "" };
    let mut text = format!(
        "<section id=\"{}\"><table><caption>{}</caption>\n<thead><tr>",
        table.name,
        escaped(table.title)
    );
    for (column, word) in table.head.iter().enumerate() {
        let class = class(table.is_numeric(column));
        text.push_str(&format!("<th scope=\"col\"{class}>{}</th>", escaped(word)));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str("<tr>");
        for cell in row {
            let class = class(cell.is_number());
            text.push_str(&format!("<td{class}>{}</td>", escaped(&Cell::text(cell))));
        }
        text.push_str("</tr>\n");
    }
    text + "</tbody></table></section>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
