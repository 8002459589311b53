//! The old server of the computing centre: Latin-1 without saying so, dates that are none, a zip file
//! called text, and HTTP/1.0 that ends each answer by hanging up.

use super::files;
use crate::answer::Answer;
use crate::misbehaviour::{EMPTY_ZIP, GERMAN_MONTH, TWO_DIGIT_YEAR, YEAR_105};
use crate::site::Site;

const HOST: &str = "alt.uni-hohenwerth.example";

pub(super) fn site() -> Site {
    let pages = files::of_host(HOST).zip([TWO_DIGIT_YEAR, YEAR_105, GERMAN_MONTH].iter().cycle());
    let site = pages.fold(Site::new(format!("http://{HOST}")), |site, ((path, bytes), date)| {
        let body = latin1(&String::from_utf8_lossy(bytes));
        let site = match path.strip_suffix("druckauftraege.htm") {
            // Its link is written with an umlaut, which browsers send in UTF-8.
            Some(folder) => {
                site.answer(&format!("{folder}druckauftr%C3%A4ge.htm"), page(&body, date))
            }
            None => site,
        };
        files::with_index(site, &path, page(&body, date))
    });
    site.answer("/skripte.zip", http_1_0("text/plain", TWO_DIGIT_YEAR, EMPTY_ZIP))
        .answer("/papier.gif", http_1_0("image/gif", YEAR_105, GIF))
        .answer("/~mueller/ich.gif", http_1_0("text/html", GERMAN_MONTH, GIF))
        .answer("/~mueller/baustelle.gif", http_1_0("image/gif", GERMAN_MONTH, GIF))
        .answer("/~mueller", Answer::redirect(301, "/~mueller/"))
        .otherwise(Answer::raw(
            "HTTP/1.0 404 Nicht gefunden\r\nServer: NCSA/1.5\r\nContent-type: text/html\r\n\r\n\
             <TITLE>404</TITLE><H1>404 Nicht gefunden</H1>\n",
        ))
}

fn page(body: &[u8], date: &str) -> Answer {
    http_1_0("text/html", date, body)
}

fn http_1_0(media_type: &str, date: &str, body: &[u8]) -> Answer {
    let mut bytes = format!(
        "HTTP/1.0 200 OK\r\nServer: NCSA/1.5\r\nDate: {date}\r\nLast-modified: {date}\r\n\
         Content-type: {media_type}\r\nContent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    Answer::raw(bytes)
}

/// Text in Latin-1; what it lacks becomes a question mark.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
}

/// One transparent pixel.
const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";
