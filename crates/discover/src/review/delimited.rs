//! Tables in text files that people edit: CSV and its relatives.
//!
//! Spreadsheet programs save them with commas, semicolons or tabs, in several encodings, with or
//! without quotes; all of that is read. What is written is plain CSV (RFC 4180, line feeds) with
//! one more care: a value that a spreadsheet would run as a formula gets an apostrophe in front,
//! and loses it again when it is read.

use std::borrow::Cow;

/// One line of a table, with the number of the line it begins in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) line: usize,
    pub(crate) fields: Vec<String>,
}

/// All rows. Empty lines and lines of comment (`#`) are left out.
pub(crate) fn read_rows(bytes: &[u8]) -> Vec<Row> {
    let text = decoded(bytes);
    let separator = separator_of(&text);
    let mut reader = Reader { rest: &text, line: 1, separator };
    if separator_told(&text).is_some() {
        reader.skip_line();
    }
    let mut rows = Vec::new();
    while let Some(row) = reader.row() {
        if !row.fields.iter().all(String::is_empty) {
            rows.push(row);
        }
    }
    rows
}

/// Writes one row, quoted where needed.
pub(crate) fn write_row(out: &mut String, fields: &[&str]) {
    for (number, field) in fields.iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        let field = disarmed(field);
        if needs_quotes(&field) {
            out.push('"');
            out.push_str(&field.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&field);
        }
    }
    out.push('\n');
}

fn needs_quotes(field: &str) -> bool {
    field.contains([',', ';', '\t', '"', '\n', '\r'])
        || field.starts_with([' ', '#'])
        || field.ends_with(' ')
}

/// What a spreadsheet program takes for the beginning of a formula. Some look behind blanks.
fn looks_like_formula(field: &str) -> bool {
    field.trim_start().starts_with(['=', '+', '-', '@']) || field.starts_with(['\t', '\r'])
}

fn disarmed(field: &str) -> Cow<'_, str> {
    // A value that looks disarmed already gets a second apostrophe, so that reading gives it back.
    let looks_disarmed = field
        .strip_prefix('\'')
        .is_some_and(|rest| looks_like_formula(rest.trim_start_matches('\'')));
    match looks_like_formula(field) || looks_disarmed {
        true => Cow::Owned(format!("'{field}")),
        false => Cow::Borrowed(field),
    }
}

fn rearmed(field: &str) -> &str {
    match field.strip_prefix('\'') {
        Some(rest) if looks_like_formula(rest.trim_start_matches('\'')) => rest,
        _ => field,
    }
}

/// UTF-8 or UTF-16 by their marks; else UTF-8 if it is that; else Latin-1, which older
/// spreadsheets write.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => text_or_latin1(rest),
        _ => text_or_latin1(bytes),
    }
}

fn text_or_latin1(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

/// The separator that is told, or that the first line uses most, outside quotes.
fn separator_of(text: &str) -> char {
    if let Some(told) = separator_told(text) {
        return told;
    }
    let mut lines = text.split(['\n', '\r']);
    let counts_in = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let Some(first) = lines.find(counts_in) else { return ',' };
    let mut quoted = false;
    let mut counts = [('\t', 0), (';', 0), (',', 0)];
    for letter in first.chars() {
        quoted ^= letter == '"';
        if let Some((_, count)) = counts.iter_mut().find(|(c, _)| *c == letter && !quoted) {
            *count += 1;
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(',', |(separator, _)| separator)
}

/// Excel's first line `sep=;`.
fn separator_told(text: &str) -> Option<char> {
    let mut rest = text.strip_prefix("sep=")?.chars();
    let separator = rest.next()?;
    rest.next().is_none_or(|next| matches!(next, '\r' | '\n')).then_some(separator)
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    separator: char,
}

impl Reader<'_> {
    fn row(&mut self) -> Option<Row> {
        while self.rest.starts_with('#') {
            self.skip_line();
        }
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            let (field, ended) = self.field();
            fields.push(field);
            if ended {
                return Some(Row { line, fields });
            }
        }
    }

    fn skip_line(&mut self) {
        let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
        self.end_line();
    }

    /// Steps over the end of a line, of any system.
    fn end_line(&mut self) {
        let rest = self.rest.strip_prefix("\r\n").or_else(|| self.rest.get(1..));
        self.rest = rest.unwrap_or_default();
        self.line += 1;
    }

    /// One field, and whether the row ends with it.
    fn field(&mut self) -> (String, bool) {
        let start = self.rest.trim_start_matches(' ');
        if let Some(rest) = start.strip_prefix('"') {
            self.rest = rest;
            let quoted = self.quoted();
            let (after, ended) = self.unquoted();
            return (rearmed(&(quoted + after.trim())).to_owned(), ended);
        }
        let (field, ended) = self.unquoted();
        (rearmed(field.trim()).to_owned(), ended)
    }

    /// Up to the closing quote; a doubled quote is one. Without an end, all that is left.
    fn quoted(&mut self) -> String {
        let mut field = String::new();
        loop {
            let Some(quote) = self.rest.find('"') else {
                self.take(self.rest.len(), &mut field);
                return field;
            };
            self.take(quote, &mut field);
            self.rest = &self.rest[1..];
            match self.rest.strip_prefix('"') {
                Some(rest) => {
                    field.push('"');
                    self.rest = rest;
                }
                None => return field,
            }
        }
    }

    fn take(&mut self, length: usize, field: &mut String) {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        field.push_str(taken);
        self.rest = rest;
    }

    fn unquoted(&mut self) -> (String, bool) {
        let separator = self.separator;
        let end = self.rest.find([separator, '\n', '\r']);
        let Some(end) = end else {
            let field = std::mem::take(&mut self.rest).to_owned();
            return (field, true);
        };
        let field = self.rest[..end].to_owned();
        self.rest = &self.rest[end..];
        if let Some(rest) = self.rest.strip_prefix(separator) {
            self.rest = rest;
            return (field, false);
        }
        self.end_line();
        (field, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Vec<(usize, Vec<String>)> {
        read_rows(bytes).into_iter().map(|row| (row.line, row.fields)).collect()
    }

    type Line<'a> = (usize, &'a [&'a str]);

    #[test]
    fn dialects() {
        let utf16: Vec<u8> =
            "\u{feff}a\tb\r\nä\td\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        #[rustfmt::skip]
        let cases: &[(&[u8], &[Line<'_>])] = &[
            (b"a,b\nc,d\n",                     &[(1, &["a", "b"]), (2, &["c", "d"])]),
            (b"a;b\r\nc;d",                     &[(1, &["a", "b"]), (2, &["c", "d"])]),
            (b"a\tb\rc\td\r",                   &[(1, &["a", "b"]), (2, &["c", "d"])]),
            (b"\xef\xbb\xbfa,b\n",              &[(1, &["a", "b"])]),
            (b"sep=;\na;b,c\n",                 &[(2, &["a", "b,c"])]),
            (b"# a, b\n\n \na,b\n#c\nd,e",      &[(4, &["a", "b"]), (6, &["d", "e"])]),
            (b"# c\ra\tb\r#d\rc\td",           &[(2, &["a", "b"]), (4, &["c", "d"])]),
            (b"# c\r\na;b\r\n#d\r\nc;d",    &[(2, &["a", "b"]), (4, &["c", "d"])]),
            (b"sep=;\r\na;b",                  &[(2, &["a", "b"])]),
            (b"sep=x,b\n",                     &[(1, &["sep=x", "b"])]),
            (b"a,\"b\n\"\"c\"\"\"\nd,e\n",      &[(1, &["a", "b\n\"c\""]), (3, &["d", "e"])]),
            (b"a, \"b , c\" ,d\n",              &[(1, &["a", "b , c", "d"])]),
            (b"a,\"b;c\"\n",                    &[(1, &["a", "b;c"])]),
            (b"a,\"never closed\nx",            &[(1, &["a", "never closed\nx"])]),
            (b"a,b\xfc\n",                      &[(1, &["a", "b\u{fc}"])]),
            (b"a,'=1+1,'tis\n",                 &[(1, &["a", "=1+1", "'tis"])]),
            (&utf16,                            &[(1, &["a", "b"]), (2, &["ä", "d"])]),
            (b"",                               &[]),
        ];
        for (bytes, expected) in cases {
            let expected: Vec<(usize, Vec<String>)> = expected
                .iter()
                .map(|(line, fields)| (*line, fields.iter().map(|f| (*f).to_owned()).collect()))
                .collect();
            assert_eq!(read(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn formulas_are_disarmed() {
        for dangerous in ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", " =1", "\t=1"] {
            let mut out = String::new();
            write_row(&mut out, &[dangerous]);
            assert!(out.trim_start_matches('"').starts_with('\''), "{out}");
        }
        let mut out = String::new();
        write_row(&mut out, &["a-b", "1", "it's", ""]);
        assert_eq!(out, "a-b,1,it's,\n");
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            read_rows(&bytes);
        }

        #[test]
        fn any_text(text in "[a=+'\",;#\t\r\n -]{0,60}") {
            read_rows(text.as_bytes());
        }

        #[test]
        fn written_rows_read_back(fields in proptest::collection::vec("[aß=+@'\",;#\t\r\n -]{0,12}", 1..5)) {
            let mut text = String::new();
            let header: Vec<&str> = fields.iter().map(|_| "h").chain(["h"]).collect();
            write_row(&mut text, &header);
            let row: Vec<&str> = fields.iter().map(String::as_str).chain(["end"]).collect();
            write_row(&mut text, &row);
            let read = read_rows(text.as_bytes());
            prop_assert_eq!(&read[1].fields, &row);
        }
    }
}
