//! What a doctype says of the page: whether it is one the standard knows, and whether the page was
//! written for browsers of old (§13.2.6.4.1). Of the latter, all that matters to a tree is that a
//! table does not end a paragraph then.

/// Whether the standard counts the doctype as an error.
pub(super) fn is_bad_doctype(
    name: Option<&str>,
    public_id: Option<&str>,
    system_id: Option<&str>,
) -> bool {
    if name != Some("html") {
        return true;
    }
    let fits = |system: &str| system_id.is_none_or(|written| written == system);
    match public_id {
        None => !fits("about:legacy-compat"),
        Some("-//W3C//DTD HTML 4.0//EN") => !fits("http://www.w3.org/TR/REC-html40/strict.dtd"),
        Some("-//W3C//DTD HTML 4.01//EN") => !fits("http://www.w3.org/TR/html4/strict.dtd"),
        Some("-//W3C//DTD XHTML 1.0 Strict//EN") => {
            system_id != Some("http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd")
        }
        Some("-//W3C//DTD XHTML 1.1//EN") => {
            system_id != Some("http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd")
        }
        Some(_) => true,
    }
}

/// Whether the doctype puts a page into quirks mode.
pub(super) fn makes_quirks(
    name: Option<&str>,
    public_id: Option<&str>,
    system_id: Option<&str>,
) -> bool {
    let public = public_id.map(str::to_ascii_lowercase);
    let system = system_id.map(str::to_ascii_lowercase);
    let begins = |prefixes: &[&str]| {
        public.as_ref().is_some_and(|public| prefixes.iter().any(|it| public.starts_with(it)))
    };
    name != Some("html")
        || public.as_deref().is_some_and(|public| QUIRKY_PUBLIC_IDS.contains(&public))
        || system.as_deref() == Some(QUIRKY_SYSTEM_ID)
        || begins(QUIRKY_BEGINNINGS)
        || system.is_none() && begins(QUIRKY_WITHOUT_SYSTEM_ID)
}

const QUIRKY_SYSTEM_ID: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

const QUIRKY_PUBLIC_IDS: &[&str] =
    &["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

const QUIRKY_WITHOUT_SYSTEM_ID: &[&str] =
    &["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

const QUIRKY_BEGINNINGS: &[&str] = &[
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];
