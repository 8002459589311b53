//! The pages of the hotel guide: form, metadata, answers.
//!
//! An answer looks as in the paper's figure: a table for navigation, an anchor `Seitenanfang`, after
//! it the region, and a second table with towns in orange and hotels with a checkbox.

use super::fields::{Fields, escaped};
use super::guide::{Between, Described, Essential, GuideOptions, RegionControl};
use super::hotels::{Hotel, HotelDatabase, KINDS, PRICES, region_of};
use crate::answer::Answer;
use auslese_model::Method;

/// Where on an answer the values stand, as the paper says it.
const REGION_RULE: (&str, &str) = (
    "Result.region",
    "html.body->A[i]->pdata[1].txt\n  where html.body->A[i].getAttr(name) = 'Seitenanfang'",
);
const RULES: [(&str, &str); 3] = [
    ("Result", "html.body->table[1]."),
    ("Result.ort", "tr[j:*].td[1].txt\n  where tr[j].td[1].font.getAttr(color) = '#FF8000'"),
    ("Result.name", "tr[k:*].td[1].b.txt\n  where tr[k].td[0].input.getAttr(name) = 'hotel_id'"),
];

/// Where on the page before an answer its address stands; not in the paper.
const STEP: (&str, &str) =
    ("Step", "html->a[i].getAttr(href) where html->a[i].getAttr(class) = 'weiter'");

pub(super) struct Pages<'a> {
    pub(super) database: &'a HotelDatabase,
    pub(super) options: &'a GuideOptions,
    pub(super) session: &'a str,
}

impl Pages<'_> {
    pub(super) fn form(&self) -> Answer {
        let head = match &self.options.described {
            Described::OnPage => self.meta_tags(),
            Described::InFile { .. } => {
                "<META NAME=\"DB.ConfigFile\" CONTENT=\"guide.conf\">\n".to_owned()
            }
            Described::Nowhere => String::new(),
        };
        let method = self.options.method.as_str().to_ascii_lowercase();
        let form = format!(
            "<form action=\"ergebnis\" method=\"{method}\">\n{}<table>\n{}{}{}{}\
             <tr><td></td><td><input type=\"submit\" value=\"Suchen\"></td></tr>\n</table>\n</form>\n",
            hidden("sitzung", self.session),
            self.region_row(),
            "<tr><td>Ort</td><td><input type=\"text\" name=\"ort\" size=\"30\"></td></tr>\n",
            self.select_row("Zimmerpreis", "preis", &PRICES),
            self.select_row("Art des Hauses", "art", &KINDS),
        );
        let about = "<meta name=\"description\" content=\"Hotels und Pensionen mit Anschrift, nach Region, Ort \
             und Preis\">\n<meta name=\"keywords\" content=\"Hotel, Zimmer, Unterkunft, Pension, Preis\">\n";
        let text =
            "<p>Suchen Sie nach einer Region oder einem Ort; vom Ort genügt der Anfang.</p>\n";
        let back = "<p><a href=\"/\">Zurück</a></p>\n";
        self.page(
            "Hotelführer",
            &format!("{about}{head}"),
            &format!("<h1>Hotelführer</h1>\n{text}{form}{back}"),
        )
    }

    /// The metadata as the file has them, a line each.
    pub(super) fn config(&self) -> String {
        let line =
            |(name, value): (&str, String)| format!("DB.{name}: {}\n", value.replace('\n', ""));
        self.metadata()
            .into_iter()
            .map(line)
            .fold("# Hotelführer\n".to_owned(), |all, line| all + &line)
    }

    fn meta_tags(&self) -> String {
        let tag = |(name, value): (&str, String)| {
            format!("<META NAME=\"DB.{name}\" CONTENT=\"{value}\">\n")
        };
        self.metadata().into_iter().map(tag).collect()
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        let owned = |(name, value): (&'static str, &str)| (name, value.to_owned());
        let elements = self.options.essential.elements();
        let name = if elements.len() == 1 { "QueryElement" } else { "QueryElements" };
        let mut said = vec![(name, elements.join(", "))];
        match self.options.essential {
            // An answer has towns of several regions, so that none can stand above them.
            Essential::Town => {
                said.push(("QueryElement.ort", "/[A-Z]%/".to_owned()));
                said.push(("Result.region", format!("{{{}}}", self.database.regions().join(", "))));
            }
            _ => said.push(owned(REGION_RULE)),
        }
        said.extend(RULES.map(owned));
        if self.options.between == Between::Notice {
            said.push(owned(STEP));
        }
        said.push(match self.options.page_size {
            None => ("Navigation", "NO".to_owned()),
            Some(_) => ("NavigationURL", "ergebnis?*seite=*".to_owned()),
        });
        said
    }

    fn region_row(&self) -> String {
        let regions = (1..).zip(self.database.regions());
        let controls: String = match self.options.regions {
            RegionControl::Radio => regions
                .map(|(value, name)| {
                    format!("<input type=\"radio\" name=\"region\" value=\"{value}\"> {name}<br>\n")
                })
                .collect(),
            RegionControl::Select => {
                let options: String = regions
                    .map(|(value, name)| format!("<option value=\"{value}\">{name}</option>\n"))
                    .collect();
                let any = "<option value=\"\">bitte wählen</option>\n";
                format!("<select name=\"region\">\n{any}{options}</select>")
            }
        };
        format!("<tr><td>Region</td><td>{controls}</td></tr>\n")
    }

    /// A choice that may be left open, unless it is essential.
    fn select_row(&self, label: &str, name: &str, choices: &[(&str, &str)]) -> String {
        let any = match self.options.essential.elements().contains(&name) {
            true => "",
            false => "<option value=\"\">beliebig</option>\n",
        };
        let options: String = choices
            .iter()
            .map(|(value, text)| format!("<option value=\"{value}\">{text}</option>\n"))
            .collect();
        format!(
            "<tr><td>{label}</td><td><select name=\"{name}\">\n{any}{options}</select></td></tr>\n"
        )
    }

    pub(super) fn incomplete(&self) -> Answer {
        let wanted = self.options.essential.elements().join(", ");
        let text = format!(
            "<h1>Anfrage unvollständig</h1>\n<p>Es fehlt eine Angabe: {wanted}.</p>\n\
             <p><a href=\"./\">Neue Suche</a></p>\n"
        );
        self.page("Anfrage unvollständig", "", &text)
    }

    pub(super) fn notice(&self, fields: &Fields) -> Answer {
        let address = self.address(fields, "gelesen", "ja");
        let text = format!(
            "<h1>Hinweis</h1>\n<p>Die Angaben sind ohne Gewähr.</p>\n\
             <p><a class=\"weiter\" href=\"{address}\">Gelesen</a> <a href=\"./\">Neue Suche</a></p>\n"
        );
        self.page("Hinweis", "", &text)
    }

    pub(super) fn question(&self, fields: &Fields) -> Answer {
        let kept: String = QUERY.iter().map(|name| hidden(name, fields.get(name))).collect();
        let method = self.options.method.as_str().to_ascii_lowercase();
        let text = format!(
            "<h1>Noch eine Frage</h1>\n<form action=\"ergebnis\" method=\"{method}\">\n{kept}\
             <p>Für wie viele Personen? <select name=\"personen\">\n\
             <option>1</option>\n<option>2</option>\n<option>mehr</option>\n</select></p>\n\
             <input type=\"submit\" value=\"Weiter\">\n</form>\n"
        );
        self.page("Noch eine Frage", "", &text)
    }

    pub(super) fn result(&self, fields: &Fields, found: &[&Hotel]) -> Answer {
        let shown = &found[..self.options.cap.unwrap_or(found.len()).min(found.len())];
        let size = self.options.page_size.unwrap_or(shown.len()).max(1);
        let pages = shown.len().div_ceil(size).max(1);
        let number = fields.get("seite").parse::<usize>().unwrap_or(1).clamp(1, pages);
        let on_page = shown.chunks(size).nth(number - 1).unwrap_or_default();
        let about = region_of(fields.get("region")).unwrap_or(fields.get("ort"));
        let count = match shown.len() < found.len() {
            true => format!("Es werden {} von {} Treffern gezeigt.", shown.len(), found.len()),
            false => format!("{} Treffer", found.len()),
        };
        let text = format!(
            "<table><tr><td><a href=\"./\">Neue Suche</a></td><td><a href=\"/\">Start</a></td></tr></table>\n\
             <a name=\"Seitenanfang\"></a>Suchergebnis <b>{}</b>\n<table>\n{}</table>\n<p>{count}</p>\n{}{}",
            escaped(about),
            rows(on_page),
            self.page_links(fields, number, pages),
            self.decoys(fields),
        );
        self.page("Suchergebnis", "", &text)
    }

    fn page_links(&self, fields: &Fields, number: usize, pages: usize) -> String {
        if pages == 1 {
            return String::new();
        }
        let link = |page: usize, words: &str| {
            let address = self.address(fields, "seite", &page.to_string());
            format!("<a href=\"{address}\">{words}</a>\n")
        };
        let mut links: String = (1..=pages)
            .map(|page| match page == number {
                true => format!("{page}\n"),
                false => link(page, &page.to_string()),
            })
            .collect();
        if number < pages {
            links.push_str(&link(number + 1, "weiter"));
        }
        format!("<p>Seiten: {links}</p>\n")
    }

    /// The same query with one field set; as it stands in an attribute.
    fn address(&self, fields: &Fields, name: &str, value: &str) -> String {
        let kept =
            QUERY.iter().filter(|known| **known != name).map(|name| (*name, fields.get(name)));
        let query = self.options.charset.query(kept.chain([(name, value)]));
        format!("ergebnis?{}", query.replace('&', "&amp;"))
    }

    fn decoys(&self, fields: &Fields) -> String {
        if !self.options.decoys {
            return String::new();
        }
        // With a form that posts, a link without a page number would lead to an error.
        let by_price: String = match self.options.method {
            Method::Post => String::new(),
            _ => PRICES
                .iter()
                .map(|(price, _)| {
                    format!("<a href=\"{}\">{price}</a>\n", self.address(fields, "preis", price))
                })
                .collect(),
        };
        format!(
            "<p>Nur Preisklasse: {by_price}</p>\n<p>Karte: <a href=\"karte?blatt=1\">1</a> \
             <a href=\"karte?blatt=2\">2</a> <a href=\"karte?blatt=3\">weiter</a></p>\n"
        )
    }

    /// Where decoys lead: a page without hotels, which leads on for ever.
    pub(super) fn map(&self) -> Answer {
        let charset = self.options.charset;
        Answer::from_fn(move |asked| {
            let sheet: u64 = asked.parameter("blatt").and_then(|it| it.parse().ok()).unwrap_or(0);
            let next = sheet.saturating_add(1);
            charset.answer(&format!(
                "<!DOCTYPE html>\n<html><head><title>Karte</title></head><body><p>Blatt {sheet}</p>\n\
                 <p><a href=\"karte?blatt={next}\">weiter</a></p></body></html>\n"
            ))
        })
    }

    fn page(&self, title: &str, head: &str, body: &str) -> Answer {
        let charset = self.options.charset;
        charset.answer(&format!(
            "<!DOCTYPE html>\n<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; \
             charset={}\">\n<title>{title}</title>\n{head}</head>\n<body>\n{body}</body>\n</html>\n",
            charset.name()
        ))
    }
}

/// The fields of a query that its further pages keep.
const QUERY: [&str; 7] = ["sitzung", "region", "ort", "preis", "art", "gelesen", "personen"];

fn hidden(name: &str, value: &str) -> String {
    match value {
        "" => String::new(),
        value => format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">\n", escaped(value)),
    }
}

fn rows(hotels: &[&Hotel]) -> String {
    if hotels.is_empty() {
        return "<tr><td></td><td>Keine Häuser gefunden.</td></tr>\n".to_owned();
    }
    let mut rows = String::new();
    let mut town = "";
    for hotel in hotels {
        if hotel.town != town {
            town = &hotel.town;
            rows.push_str(&format!(
                "<tr><td></td><td><font color=\"#FF8000\"><b>{town}</b></font></td></tr>\n"
            ));
        }
        rows.push_str(&format!(
            "<tr><td><input type=\"checkbox\" name=\"hotel_id\" value=\"{}\"></td><td><b>{}</b><br>{}, {} \
             Zimmer</td></tr>\n",
            hotel.id, hotel.name, hotel.street, hotel.rooms
        ));
    }
    rows + "<tr><td colspan=\"2\"><hr></td></tr>\n"
}
