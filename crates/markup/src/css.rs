//! Finds the URLs in style sheets: `url(…)`, the strings of `@import` and of `image-set()`.
//!
//! A reduced tokenizer of CSS Syntax 3: comments, strings, escapes, identifiers and parentheses
//! are understood, so that nothing is found in comments or in strings that are no URLs; all else
//! is passed over byte by byte. Namespaces (`@namespace url(…)`) are names, not links.

use std::borrow::Cow;
use std::ops::Range;

/// The URLs of a style sheet or a `style` attribute, in order and as meant (escapes resolved).
pub fn css_links(css: &str) -> Vec<String> {
    references(css).map(|reference| reference.url.into_owned()).collect()
}

/// A URL in a style sheet, with the place that must be replaced to change it.
#[derive(Debug)]
pub(crate) struct CssReference<'a> {
    pub(crate) url: Cow<'a, str>,
    /// The string with its quotes, or the bare text between the parentheses of `url()`.
    pub(crate) range: Range<usize>,
}

pub(crate) fn references(css: &str) -> impl Iterator<Item = CssReference<'_>> {
    let mut scan = CssScan {
        css,
        bytes: css.as_bytes(),
        at: 0,
        rule: AtRule::Other,
        depth: 0,
        image_set: None,
    };
    std::iter::from_fn(move || scan.next_reference())
}

/// A CSS string that means `url`, for use anywhere a style sheet allows a string.
pub(crate) fn quoted(url: &str) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(url.len() + 2);
    text.push('"');
    for c in url.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            // Angles could end the <style> element or CDATA section around; others may not exist in the encoding.
            '<' | '>' | '\0'..='\x1f' | '\x7f'.. => {
                let _ = write!(text, "\\{:x} ", u32::from(c));
            }
            _ => text.push(c),
        }
    }
    text.push('"');
    text
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtRule {
    /// After `@import`, before its URL.
    Import,
    /// After `@namespace`, up to its semicolon.
    Namespace,
    Other,
}

struct CssScan<'a> {
    css: &'a str,
    bytes: &'a [u8],
    at: usize,
    rule: AtRule,
    depth: usize,
    /// The depth of parentheses within the innermost open `image-set(`.
    image_set: Option<usize>,
}

impl<'a> CssScan<'a> {
    fn next_reference(&mut self) -> Option<CssReference<'a>> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.skip_comment(),
                b'"' | b'\'' => {
                    let string = self.string();
                    let is_url = self.rule == AtRule::Import || self.image_set == Some(self.depth);
                    if is_url && let Some(reference) = self.found(string) {
                        return Some(reference);
                    }
                }
                b'@' => self.at_keyword(),
                b'(' => self.open_parenthesis(),
                b')' => self.close_parenthesis(),
                b';' | b'{' | b'}' => {
                    self.at += 1;
                    self.rule = AtRule::Other;
                }
                _ if starts_name(byte) => {
                    if let Some(reference) = self.name() {
                        return Some(reference);
                    }
                }
                _ => self.at += 1,
            }
        }
        None
    }

    fn found(&mut self, reference: CssReference<'a>) -> Option<CssReference<'a>> {
        if self.rule == AtRule::Namespace {
            return None;
        }
        self.rule = AtRule::Other;
        (!reference.url.trim_ascii().is_empty()).then_some(reference)
    }

    fn skip_comment(&mut self) {
        let start = self.at + 2;
        let end = memchr::memmem::find(&self.bytes[start..], b"*/");
        self.at = end.map_or(self.bytes.len(), |end| start + end + 2);
    }

    /// A quoted string; it also ends at a line end, where it is broken.
    fn string(&mut self) -> CssReference<'a> {
        let (start, quote) = (self.at, self.bytes[self.at]);
        let mut end = start + 1;
        loop {
            match self.bytes.get(end) {
                Some(b'\\') => end = after_escape(self.bytes, end),
                Some(&byte) if byte == quote => break,
                Some(b'\n' | b'\r' | 0x0C) | None => break,
                Some(_) => end += 1,
            }
        }
        let end = end.min(self.bytes.len());
        self.at = end + usize::from(self.bytes.get(end) == Some(&quote));
        CssReference { url: unescaped(self.slice(start + 1..end)), range: start..self.at }
    }

    fn at_keyword(&mut self) {
        self.at += 1;
        let name = self.name_text();
        self.rule = match unescaped(name).to_ascii_lowercase().as_str() {
            "import" => AtRule::Import,
            "namespace" => AtRule::Namespace,
            _ => AtRule::Other,
        };
    }

    /// An identifier, or a function if a parenthesis follows.
    fn name(&mut self) -> Option<CssReference<'a>> {
        let name = self.name_text();
        if self.bytes.get(self.at) != Some(&b'(') {
            return None;
        }
        let name = unescaped(name);
        if name.eq_ignore_ascii_case("url") {
            let reference = self.url_function()?;
            return self.found(reference);
        }
        self.open_parenthesis();
        if name.eq_ignore_ascii_case("image-set") || name.eq_ignore_ascii_case("-webkit-image-set")
        {
            self.image_set = Some(self.depth);
        }
        None
    }

    fn url_function(&mut self) -> Option<CssReference<'a>> {
        self.at += 1;
        self.skip_spaces();
        if matches!(self.bytes.get(self.at), Some(b'"' | b'\'')) {
            let string = self.string();
            self.skip_past_parenthesis();
            return Some(string);
        }
        let start = self.at;
        loop {
            match self.bytes.get(self.at) {
                Some(b'\\') => self.at = after_escape(self.bytes, self.at),
                Some(b'"' | b'\'' | b'(') => {
                    // Not a URL by the grammar; browsers drop it too.
                    self.skip_past_parenthesis();
                    return None;
                }
                Some(&byte) if byte != b')' && !is_space(byte) => self.at += 1,
                _ => break,
            }
        }
        self.at = self.at.min(self.bytes.len());
        let range = start..self.at;
        self.skip_spaces();
        let closed = matches!(self.bytes.get(self.at), Some(b')') | None);
        self.skip_past_parenthesis();
        closed.then(|| CssReference { url: unescaped(self.slice(range.clone())), range })
    }

    fn skip_past_parenthesis(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b')' {
                break;
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    fn open_parenthesis(&mut self) {
        self.at += 1;
        self.depth += 1;
    }

    fn close_parenthesis(&mut self) {
        self.at += 1;
        if self.image_set == Some(self.depth) {
            self.image_set = None;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn skip_spaces(&mut self) {
        while self.bytes.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
    }

    fn name_text(&mut self) -> &'a str {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at = after_escape(self.bytes, self.at),
                _ if starts_name(byte) || byte.is_ascii_digit() => self.at += 1,
                _ => break,
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.slice(start..self.at)
    }

    /// All ranges made here begin and end between characters: a backslash may step into a longer
    /// character, but what remains of that counts as name, string or URL.
    fn slice(&self, range: Range<usize>) -> &'a str {
        self.css.get(range).unwrap_or_default()
    }
}

/// Where the escape that begins at `at` ends: up to six hexadecimal digits and one white space, or
/// any other character.
fn after_escape(bytes: &[u8], at: usize) -> usize {
    let digits = bytes[at + 1..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let end = at + 1 + digits;
    match (digits, bytes.get(end), bytes.get(end + 1)) {
        (0, ..) => at + 2,
        (_, Some(b'\r'), Some(b'\n')) => end + 2,
        (_, Some(&byte), _) if is_space(byte) => end + 1,
        _ => end,
    }
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut meaning = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            meaning.push(c);
            continue;
        }
        let mut code = None;
        for _ in 0..6 {
            let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) else { break };
            code = Some(code.unwrap_or(0) * 16 + digit);
            chars.next();
        }
        match code {
            Some(code) => {
                let known = char::from_u32(code).filter(|c| *c != '\0');
                meaning.push(known.unwrap_or(char::REPLACEMENT_CHARACTER));
                if chars.next_if_eq(&'\r').is_some() {
                    chars.next_if_eq(&'\n');
                } else {
                    chars.next_if(|c| c.is_ascii_whitespace());
                }
            }
            None => match chars.next() {
                Some('\r') => drop(chars.next_if_eq(&'\n')),
                Some('\n' | '\x0C') | None => {}
                Some(other) => meaning.push(other),
            },
        }
    }
    Cow::Owned(meaning)
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'\\' | 0x80..)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn style_sheets() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("a { background: url(a.png) }",                 &["a.png"]),
            ("a { background: URL( 'a b.png' ) }",           &["a b.png"]),
            ("a { background: url(\"a\\\"b.png\") }",        &["a\"b.png"]),
            ("a{background:url(a\\).png)}",                  &["a).png"]),
            ("a{background:u\\72l(a.png)}",                  &["a.png"]),
            ("a{background:url(\\61 .png)}",                 &["a.png"]),
            ("/* url(no.png) */ a{b:url(/*yes*/a.png)}",     &["/*yes*/a.png"]),
            ("a:before{content:'url(no.png)'}",              &[]),
            ("@import 'a.css';@import \"b.css\" screen;",    &["a.css", "b.css"]),
            ("@import url(a.css);@IMPORT url('b.css') print;", &["a.css", "b.css"]),
            ("@import/**/'a.css'",                           &["a.css"]),
            ("@imports 'no.css'; @charset 'x'; b{c:'d'}",    &[]),
            ("@namespace svg url(http://www.w3.org/2000/svg); a{b:url(c)}", &["c"]),
            ("@font-face{src:url(a.woff2) format('woff2'),url(a.ttf)}", &["a.woff2", "a.ttf"]),
            ("a{b:image-set('a.png' 1x,url(b.png) 2x type('image/png'))} c{d:'e'}", &["a.png", "b.png"]),
            ("a{b:url()} c{d:url(  )} e{f:url('')}",         &[]),
            ("a{b:url(a b)} c{d:url(e.png)}",                &["e.png"]),
            ("a{b:url(a'b)} c{d:url(e.png)}",                &["e.png"]),
            ("a{b:'unfinished\n c:url(e.png)}",              &["e.png"]),
            ("a{b:url(e.png",                                &["e.png"]),
            ("a{b:url('e.png",                               &["e.png"]),
            ("a{b:myurl(no.png)} c{d:url (no.png)}",         &[]),
            ("a{b:url(ä.png)}",                              &["ä.png"]),
            ("<!-- a{b:url(c.png)} -->",                     &["c.png"]),
            ("a{b:url(#local)}",                             &["#local"]),
            ("/* unfinished url(no.png)",                    &[]),
        ];
        for (css, expected) in cases {
            assert_eq!(css_links(css), *expected, "{css}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "(url\\(|@import|[ '\"()\\\\/*;{}aäé\n]|\\PC){0,40}") {
            for reference in references(&text) {
                prop_assert!(reference.range.end <= text.len());
            }
        }

        #[test]
        fn what_is_quoted_reads_back(url in "[^\\s\0][^\0]{0,20}") {
            let css = format!("a{{b:url({})}}", quoted(&url));
            prop_assert_eq!(css_links(&css), vec![url]);
        }
    }
}
