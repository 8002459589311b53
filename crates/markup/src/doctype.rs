//! Document types in short: `HTML 4.01 Transitional` for its long public name.
//!
//! The table knows the public names of the HTML standards and drafts by their description, the
//! part between `//DTD ` and the language. What it does not know is told as it is written, cut
//! short.

use crate::tree::{Node, NodeId, Tree};

/// Longest foreign public name that is told, in characters.
const MAX_FOREIGN_NAME: usize = 80;

/// A document type as declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doctype {
    /// Such as `XHTML 1.0 Strict`.
    pub name: String,
    /// Whether it is one of a standard.
    pub known: bool,
}

/// The first document type of a page.
pub(crate) fn doctype(tree: &Tree) -> Option<Doctype> {
    tree.children(NodeId::DOCUMENT).find_map(|id| match tree.node(id) {
        Node::Doctype { name, public_id, system_id } => {
            Some(Doctype::of(name, public_id, system_id))
        }
        _ => None,
    })
}

impl Doctype {
    fn of(root: &str, public_id: &str, system_id: &str) -> Doctype {
        let known = |name: &str| Doctype { name: name.to_owned(), known: true };
        let is_html = root.eq_ignore_ascii_case("html");
        if public_id.is_empty() {
            if is_html && (system_id.is_empty() || system_id == "about:legacy-compat") {
                return known("HTML5");
            }
            let written = if system_id.is_empty() { root } else { system_id };
            return Doctype::foreign(written);
        }
        match short(public_id).filter(|_| is_html) {
            Some(name) => known(name),
            None => Doctype::foreign(public_id),
        }
    }

    fn foreign(written: &str) -> Doctype {
        let words: Vec<_> = written.split_whitespace().collect();
        let name: String = words.join(" ").chars().take(MAX_FOREIGN_NAME).collect();
        Doctype { name: if name.is_empty() { "nameless".to_owned() } else { name }, known: false }
    }
}

/// Descriptions in public names, in lower case, and what they are called.
#[rustfmt::skip]
const DESCRIPTIONS: &[(&str, &str)] = &[
    ("html",                               "HTML 2.0"),
    ("html 2.0",                           "HTML 2.0"),
    ("html 2.0 level 1",                   "HTML 2.0 Level 1"),
    ("html 2.0 level 2",                   "HTML 2.0 Level 2"),
    ("html 2.0 strict",                    "HTML 2.0 Strict"),
    ("html 2.0 strict level 1",            "HTML 2.0 Strict Level 1"),
    ("html 2.0 strict level 2",            "HTML 2.0 Strict Level 2"),
    ("html level 0",                       "HTML 2.0 Level 0"),
    ("html level 1",                       "HTML 2.0 Level 1"),
    ("html level 2",                       "HTML 2.0 Level 2"),
    ("html level 3",                       "HTML 3.0"),
    ("html strict",                        "HTML 2.0 Strict"),
    ("html strict level 0",                "HTML 2.0 Strict Level 0"),
    ("html strict level 1",                "HTML 2.0 Strict Level 1"),
    ("html strict level 2",                "HTML 2.0 Strict Level 2"),
    ("html strict level 3",                "HTML 3.0 Strict"),
    ("html 2.1e",                          "HTML 2.1"),
    ("html i18n",                          "HTML 2.x International"),
    ("html 3",                             "HTML 3.0"),
    ("html 3.0",                           "HTML 3.0"),
    ("html 3 1995-03-24",                  "HTML 3.0"),
    ("html 3.2",                           "HTML 3.2"),
    ("html 3.2 draft",                     "HTML 3.2"),
    ("html 3.2 final",                     "HTML 3.2"),
    ("html 3.2s draft",                    "HTML 3.2"),
    ("html 4.0",                           "HTML 4.0 Strict"),
    ("html 4.0 strict",                    "HTML 4.0 Strict"),
    ("html 4.0 transitional",              "HTML 4.0 Transitional"),
    ("html 4.0 frameset",                  "HTML 4.0 Frameset"),
    ("html 4.01",                          "HTML 4.01 Strict"),
    ("html 4.01 strict",                   "HTML 4.01 Strict"),
    ("html 4.01 transitional",             "HTML 4.01 Transitional"),
    ("html 4.01 frameset",                 "HTML 4.01 Frameset"),
    ("html 4.01+rdfa 1.0",                 "HTML 4.01 + RDFa"),
    ("html 4.01+rdfa 1.1",                 "HTML 4.01 + RDFa"),
    ("xhtml 1.0 strict",                   "XHTML 1.0 Strict"),
    ("xhtml 1.0 transitional",             "XHTML 1.0 Transitional"),
    ("xhtml 1.0 frameset",                 "XHTML 1.0 Frameset"),
    ("xhtml 1.1",                          "XHTML 1.1"),
    ("xhtml basic 1.0",                    "XHTML Basic 1.0"),
    ("xhtml basic 1.1",                    "XHTML Basic 1.1"),
    ("xhtml-print 1.0",                    "XHTML-Print 1.0"),
    ("xhtml mobile 1.0",                   "XHTML Mobile 1.0"),
    ("xhtml mobile 1.1",                   "XHTML Mobile 1.1"),
    ("xhtml mobile 1.2",                   "XHTML Mobile 1.2"),
    ("xhtml+rdfa 1.0",                     "XHTML + RDFa 1.0"),
    ("xhtml+rdfa 1.1",                     "XHTML + RDFa 1.1"),
    ("xhtml 1.1 plus mathml 2.0",          "XHTML 1.1 + MathML"),
    ("xhtml 1.1 plus mathml 2.0 plus svg 1.1", "XHTML 1.1 + MathML + SVG"),
];

/// Who publishes HTML standards.
const OWNERS: &[&str] = &["ietf", "w3c", "w3o", "wapforum", "iso"];

fn short(public_id: &str) -> Option<&'static str> {
    let mut parts = public_id.split("//");
    let (_registered, owner, description) = (parts.next()?, parts.next()?, parts.next()?);
    if public_id.eq_ignore_ascii_case("ISO/IEC 15445:2000//DTD HTML//EN")
        || public_id.eq_ignore_ascii_case("ISO/IEC 15445:2000//DTD HyperText Markup Language//EN")
    {
        return Some("ISO HTML");
    }
    if !OWNERS.iter().any(|known| owner.trim().eq_ignore_ascii_case(known)) {
        return None;
    }
    let words: Vec<_> = description.split_whitespace().map(str::to_ascii_lowercase).collect();
    let description = words.strip_prefix(&["dtd".to_owned()])?.join(" ");
    DESCRIPTIONS.iter().find(|(known, _)| *known == description).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn short_names() {
        #[rustfmt::skip]
        let cases = [
            ("<!DOCTYPE html>",                                                  Some(("HTML5", true))),
            ("<!doctype HTML SYSTEM 'about:legacy-compat'>",                     Some(("HTML5", true))),
            ("<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML//EN\">",                 Some(("HTML 2.0", true))),
            ("<!DOCTYPE HTML PUBLIC '-//IETF//DTD HTML 2.0//EN'>",               Some(("HTML 2.0", true))),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'>",          Some(("HTML 3.2", true))),
            ("<!DOCTYPE HTML PUBLIC '-//w3c//dtd  html 4.0 transitional//en'>",  Some(("HTML 4.0 Transitional", true))),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//DE' 'x'>", Some(("HTML 4.01 Transitional", true))),
            ("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'>", Some(("XHTML 1.0 Strict", true))),
            ("<!DOCTYPE html PUBLIC 'ISO/IEC 15445:2000//DTD HTML//EN'>",        Some(("ISO HTML", true))),
            ("<!DOCTYPE HTML PUBLIC '-//Netscape Comm. Corp.//DTD HTML//EN'>",   Some(("-//Netscape Comm. Corp.//DTD HTML//EN", false))),
            ("<!DOCTYPE HTML PUBLIC 'HTML'>",                                    Some(("HTML", false))),
            ("<!DOCTYPE svg PUBLIC '-//W3C//DTD HTML 4.01//EN'>",                Some(("-//W3C//DTD HTML 4.01//EN", false))),
            ("<!DOCTYPE>",                                                       Some(("nameless", false))),
            ("<html>",                                                           None),
            ("",                                                                 None),
        ];
        for (html, expected) in cases {
            let doctype = parse(html.as_bytes(), None).doctype();
            let told = doctype.as_ref().map(|doctype| (&*doctype.name, doctype.known));
            assert_eq!(told, expected, "{html}");
        }
    }

    #[test]
    fn foreign_names_are_cut() {
        let html = format!("<!DOCTYPE html PUBLIC '{}'>", "ä".repeat(5000));
        let doctype = parse(html.as_bytes(), None).doctype().unwrap();
        assert_eq!(doctype.name.chars().count(), super::MAX_FOREIGN_NAME);
    }
}
