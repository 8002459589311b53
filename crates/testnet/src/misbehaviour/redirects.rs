//! Redirects that lead round in circles, on for ever, or nowhere.

use super::PAGE;
use crate::answer::Answer;
use crate::site::Site;

/// Adds to a site: `/selbst` leads to itself, `/a` and `/b` to each other, `/weiter/N` to
/// `/weiter/N+1` for every N, and `/kette/N` to `/kette/N-1` down to a page at `/kette/0`.
pub fn redirect_loops(site: Site) -> Site {
    site.answer("/selbst", Answer::redirect(302, "/selbst"))
        .answer("/a", Answer::redirect(301, "/b"))
        .answer("/b", Answer::redirect(301, "/a"))
        .otherwise(Answer::from_fn(|asked| {
            let path = asked.path();
            let number = |prefix| path.strip_prefix(prefix)?.parse::<u64>().ok();
            match (number("/weiter/"), number("/kette/")) {
                (Some(n), _) => Answer::redirect(302, &format!("/weiter/{}", n.saturating_add(1))),
                (_, Some(0)) => Answer::page(PAGE),
                (_, Some(n)) => Answer::redirect(302, &format!("/kette/{}", n - 1)),
                _ => Answer::error(404),
            }
        }))
}

pub fn redirect_without_location() -> Answer {
    Answer::error(302)
}

pub fn redirect_to_bad_url() -> Answer {
    Answer::redirect(301, "http://[keine:adresse/%%%")
}

/// To something that is not the web.
pub fn redirect_to_other_scheme() -> Answer {
    Answer::redirect(302, "ftp://ftp.uni.example/pub/")
}

/// A target with raw Latin-1 bytes and a space.
pub fn redirect_in_latin1() -> Answer {
    Answer::error(302).header("Location", b"/M\xfcnchen heute.html")
}

pub fn two_locations() -> Answer {
    Answer::redirect(302, "/eins").header("Location", "/zwei")
}

/// A choice without a default: not a redirect.
pub fn multiple_choices() -> Answer {
    Answer::page("<a href=\"seite.de.html\">Deutsch</a> <a href=\"seite.en.html\">English</a>")
        .status(300)
}
