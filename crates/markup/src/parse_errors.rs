//! Counts what a page does wrong, by kind.
//!
//! The standard names some eighty errors. The kinds here are few and fixed, so that pages can be
//! compared; the tokenizer and the tree builder count them where they occur.

/// What is wrong in one place of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum ParseError {
    MissingDoctype,
    /// One that no standard has.
    BadDoctype,
    MisplacedDoctype,
    /// A start tag where it may not stand.
    UnexpectedStartTag,
    /// An end tag for which nothing is open.
    UnmatchedEndTag,
    /// Elements that overlap, or contain what they must not.
    Misnested,
    /// Text where only tags may stand, as between the rows of a table.
    MisplacedText,
    /// `<p/>`, which does not close itself.
    SelfClosing,
    BadTag,
    BadAttribute,
    DuplicateAttribute,
    BadComment,
    BadCharacterReference,
    /// A control character, or one that does not exist.
    BadCharacter,
    /// The page ends inside an element, a tag or a comment.
    OpenAtEnd,
    Other,
}

impl ParseError {
    #[rustfmt::skip]
    pub const ALL: [ParseError; 16] = [
        ParseError::MissingDoctype, ParseError::BadDoctype, ParseError::MisplacedDoctype,
        ParseError::UnexpectedStartTag, ParseError::UnmatchedEndTag, ParseError::Misnested,
        ParseError::MisplacedText, ParseError::SelfClosing, ParseError::BadTag,
        ParseError::BadAttribute, ParseError::DuplicateAttribute, ParseError::BadComment,
        ParseError::BadCharacterReference, ParseError::BadCharacter, ParseError::OpenAtEnd,
        ParseError::Other,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            ParseError::MissingDoctype => "missing-doctype",
            ParseError::BadDoctype => "bad-doctype",
            ParseError::MisplacedDoctype => "misplaced-doctype",
            ParseError::UnexpectedStartTag => "unexpected-start-tag",
            ParseError::UnmatchedEndTag => "unmatched-end-tag",
            ParseError::Misnested => "misnested",
            ParseError::MisplacedText => "misplaced-text",
            ParseError::SelfClosing => "self-closing",
            ParseError::BadTag => "bad-tag",
            ParseError::BadAttribute => "bad-attribute",
            ParseError::DuplicateAttribute => "duplicate-attribute",
            ParseError::BadComment => "bad-comment",
            ParseError::BadCharacterReference => "bad-character-reference",
            ParseError::BadCharacter => "bad-character",
            ParseError::OpenAtEnd => "open-at-end",
            ParseError::Other => "other",
        }
    }
}

/// The counts while a page is parsed.
#[derive(Debug, Default)]
pub(crate) struct ParseErrors {
    counts: [u32; ParseError::ALL.len()],
}

impl ParseErrors {
    pub(crate) fn count(&mut self, error: ParseError) {
        self.count_many(error, 1);
    }

    pub(crate) fn count_many(&mut self, error: ParseError, times: u32) {
        let count = &mut self.counts[error as usize];
        *count = count.saturating_add(times);
    }

    /// Takes back the error for the XML declaration of an XHTML page, which is as it should be.
    pub(crate) fn forgive_xml_declaration(&mut self) {
        let count = &mut self.counts[ParseError::BadTag as usize];
        *count = count.saturating_sub(1);
    }

    /// The kinds that occurred. A doctype that our table knows is no error, though the present
    /// standard would have it replaced.
    pub(crate) fn counted(&self, doctype_known: bool) -> Vec<(ParseError, u32)> {
        ParseError::ALL
            .into_iter()
            .filter(|error| !(doctype_known && *error == ParseError::BadDoctype))
            .map(|error| (error, self.counts[error as usize]))
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn kinds() {
        #[rustfmt::skip]
        let cases = [
            ("<!DOCTYPE html><html lang=de><head><title>t</title><meta charset=utf-8></head><body><h1>a</h1><p>b<p>c<br/><ul><li>d<li>e</ul><table><tr><td>f</table><form action=x><p>g</form></body></html>", ""),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://www.w3.org/TR/html4/loose.dtd'><title>t</title><center><font size=1>a</font></center>", ""),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Frameset//EN'><html><head><title>t</title></head><frameset cols='1,*'><frame src=a><noframes><p>x</noframes></frameset></html>", ""),
            ("<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'><html xmlns='http://www.w3.org/1999/xhtml'><head><title>t</title></head><body><p>a<br /><img src='x' alt='' /></p></body></html>", ""),
            ("<p>a",                                       "missing-doctype 1"),
            ("",                                           "missing-doctype 1"),
            ("text",                                       "missing-doctype 1"),
            ("<!-- c --> <html><p>a",                      "missing-doctype 1"),
            ("<!DOCTYPE html PUBLIC 'x'><p>a",             "bad-doctype 1"),
            ("<!DOCTYPE html><p>a<!DOCTYPE html>",         "misplaced-doctype 1"),
            ("<!DOCTYPE html><p>a</div></b></p></p>",      "unmatched-end-tag 3"),
            ("<!DOCTYPE html><p><b>a<i>b</b>c</i>",        "misnested 1"),
            ("<!DOCTYPE html><tr><td>a",                   "unexpected-start-tag 2"),
            ("<!DOCTYPE html><table>a<tr><td>b</table>",   "misplaced-text 1"),
            ("<!DOCTYPE html><p/>a",                       "self-closing 1"),
            ("<!DOCTYPE html><p a=1 a=2>b",                "duplicate-attribute 1"),
            ("<!DOCTYPE html><p a=\"1\"b=2>b",             "bad-attribute 1"),
            ("<!DOCTYPE html><p a=>b",                     "bad-attribute 1"),
            ("<!DOCTYPE html><p>1 < 2",                    "bad-tag 1"),
            ("<!DOCTYPE html><p>&auml &#150; &foo;",       "bad-character-reference 3"),
            ("<!DOCTYPE html><p><!a>b",                    "bad-comment 1"),
            ("<!DOCTYPE html><p>a\0b",                     "bad-character 1"),
            ("<!DOCTYPE html><div>a",                      "open-at-end 1"),
            ("<!DOCTYPE html><p a='",                      "open-at-end 1"),
        ];
        for (html, expected) in cases {
            let page = parse(html.as_bytes(), None);
            let errors = page.parse_errors().iter();
            let told: Vec<String> =
                errors.map(|(error, count)| format!("{} {count}", error.as_str())).collect();
            assert_eq!(told.join(", "), expected, "{html}");
        }
    }
}
