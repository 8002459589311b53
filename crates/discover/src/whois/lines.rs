//! Cuts an answer into lines and says what shape each line has, seen for itself.
//!
//! A line may be `key: value`, `key......: value`, `[Key] value`, `key   value`, a heading, a
//! comment or plain text. Whether a heading without a colon really is one, and to whom a text
//! belongs, depends on what stands around it: that is for [`super::reader`].

use super::keys::{Field, Key, MAX_KEY_BYTES, read_key};

/// Before the colon stands a key if it is not longer than this, remarks in parentheses included.
const MAX_RAW_KEY_BYTES: usize = 200;
/// A heading on a line of its own has at most so many words.
const MAX_TITLE_WORDS: usize = 6;
/// A heading in a comment is short, or it is a sentence.
const MAX_COMMENT_TITLE_WORDS: usize = 4;
/// Tabs go on to the next multiple of this.
const TAB: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Columns before the text.
    pub(super) indent: usize,
    /// Trimmed; without the mark if it is a comment.
    pub(super) text: &'a str,
    pub(super) shape: Shape<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape<'a> {
    Blank,
    /// `-----`, `=====`: no text, and no end of a section.
    Rule,
    Comment,
    /// With a colon, dots or brackets between key and value; the value may be empty.
    Pair(Key, &'a str),
    /// Key and value in columns: a pair, unless it stands in running text.
    Columns(Key, &'a str),
    /// A known key or heading without anything after it.
    Title(Key),
    /// A heading beyond doubt: in brackets, in a comment, or marked with stars.
    Section(Key),
    Text,
}

/// The lines of an answer, whatever ends them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    // A carriage return before a line feed is part of it; alone it ends a line too.
    let ended = text.split('\n').map(|line| line.trim_end_matches('\r'));
    ended.flat_map(|line| line.split(['\r', '\u{b}', '\u{c}'])).map(line)
}

fn line(raw: &str) -> Line<'_> {
    let text = raw.trim();
    let indent = indent(raw);
    let comment = text.trim_start_matches(['%', '#']);
    if comment.len() < text.len() {
        let text = comment.trim();
        return Line { indent, text, shape: comment_shape(text) };
    }
    Line { indent, text, shape: shape(text) }
}

fn indent(raw: &str) -> usize {
    let mut column = 0;
    for letter in raw.chars() {
        match letter {
            '\t' => column = (column / TAB + 1) * TAB,
            _ if letter.is_whitespace() => column += 1,
            _ => break,
        }
    }
    column
}

fn comment_shape(text: &str) -> Shape<'_> {
    if text.is_empty() {
        return Shape::Blank;
    }
    if is_rule(text) {
        return Shape::Rule;
    }
    let title = text.trim_end_matches(':').trim_end();
    let key = read_key(title);
    match key.is_heading() && key.words <= MAX_COMMENT_TITLE_WORDS {
        true => Shape::Section(key),
        false => Shape::Comment,
    }
}

fn is_rule(text: &str) -> bool {
    text.chars().all(|letter| matches!(letter, '-' | '=' | '_' | '*' | '~' | '.' | '+' | '#'))
        && text.len() > 2
}

fn shape(text: &str) -> Shape<'_> {
    if text.is_empty() {
        return Shape::Blank;
    }
    if is_rule(text) {
        return Shape::Rule;
    }
    if text.starts_with(">>>") || text.starts_with("//") {
        return Shape::Comment;
    }
    let starred = text.trim_start_matches(['*', '-', '=', '+', '•']).trim_start();
    let marked = starred.len() < text.len();
    let text = starred.trim_end_matches(['*', '=']).trim_end();
    let text = without_number(text);
    if let Some(shape) = in_brackets(text) {
        return shape;
    }
    if let Some(shape) = with_colon(text) {
        return match shape {
            Shape::Pair(key, "") if marked && key.is_heading() => Shape::Section(key),
            shape => shape,
        };
    }
    with_dots(text)
        .or_else(|| in_columns(text))
        .or_else(|| with_dash(text))
        .unwrap_or_else(|| title(text, marked))
}

/// `a. [Domain Name]`, `3b) Name`, `g [Registrant Code]`: lists number their keys.
fn without_number(text: &str) -> &str {
    let end = text
        .bytes()
        .take(3)
        .take_while(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
        .count();
    let rest = &text[end..];
    let letters = text[..end].bytes().filter(u8::is_ascii_lowercase).count();
    if end == 0 || letters > 1 {
        return text;
    }
    if let Some(rest) = rest.strip_prefix(['.', ')']) {
        let trimmed = rest.trim_start();
        return if trimmed.len() < rest.len() && !trimmed.is_empty() { trimmed } else { text };
    }
    let trimmed = rest.trim_start();
    if trimmed.starts_with('[') && trimmed.len() < rest.len() { trimmed } else { text }
}

/// `[Section]`, `[Key]   value`, `[owner] name: value`.
fn in_brackets(text: &str) -> Option<Shape<'_>> {
    let rest = text.strip_prefix('[')?;
    let (inner, rest) = rest.split_once(']')?;
    let key = read_key(inner);
    let rest = rest.trim().trim_start_matches(':').trim_start();
    if !key.is_known() {
        let named = inner.starts_with(char::is_alphabetic) && !inner.contains(['.', '@', '=']);
        return (named && could_be_key(inner)).then_some(Shape::Pair(key, rest));
    }
    if rest.is_empty() {
        return Some(match key.is_heading() || key.field == Field::Handle {
            true => Shape::Section(key),
            false => Shape::Pair(key, ""),
        });
    }
    if let Some((sub, value)) = rest.split_once(':')
        && sub.len() <= MAX_KEY_BYTES
        && matches!(key.field, Field::Whole | Field::Handle)
    {
        let field = read_key(sub);
        if field.is_known() && field.roles.is_none() {
            return Some(Shape::Pair(Key { roles: key.roles, ..field }, value.trim()));
        }
    }
    Some(Shape::Pair(key, rest))
}

fn with_colon(text: &str) -> Option<Shape<'_>> {
    let (raw_key, value, tight) = split_colon(text)?;
    // RWhois names the class first and marks indexed attributes: `network:Organization;I:`.
    if tight && raw_key.eq_ignore_ascii_case("network") {
        return with_colon(value).or(Some(Shape::Text));
    }
    let raw_key = raw_key.split_once(';').map_or(raw_key, |(name, _)| name);
    let key = read_key(raw_key);
    if !key.is_known() && (tight || !could_be_key(raw_key)) {
        return None;
    }
    // Unknown keys with nothing behind them may still end a section; the reader decides.
    // Some registries put their dots behind the colon.
    let value = if value.starts_with("..") { value.trim_start_matches('.') } else { value };
    Some(Shape::Pair(key, value.trim()))
}

/// Key, value, and whether nothing stands between colon and value.
fn split_colon(text: &str) -> Option<(&str, &str, bool)> {
    let at = text.find([':', '：'])?;
    let colon = text[at..].chars().next()?;
    let (key, value) = (text[..at].trim_end(), &text[at + colon.len_utf8()..]);
    let tight = colon == ':' && !value.is_empty() && !value.starts_with(char::is_whitespace);
    let shaped = key.len() <= MAX_RAW_KEY_BYTES
        && key.starts_with(char::is_alphanumeric)
        && key.chars().any(char::is_alphabetic)
        && !key.contains(['@', '<'])
        && !value.starts_with("//");
    shaped.then_some((key, value, tight))
}

fn could_be_key(key: &str) -> bool {
    key.len() <= MAX_KEY_BYTES && key.split_whitespace().count() <= MAX_TITLE_WORDS
}

/// `Organisation Name.... value`, `Organisation Address. value`.
fn with_dots(text: &str) -> Option<Shape<'_>> {
    let at = text.find('.')?;
    let rest = text[at..].trim_start_matches('.');
    let dots = text.len() - at - rest.len();
    let value = rest.trim();
    let key_text = text[..at].trim_end();
    // `Titulaire#.....value`: a mark behind the key makes the border plain.
    let marked = key_text.ends_with('#') && dots > 2;
    let key_text = key_text.trim_end_matches('#');
    let parted = marked || rest.is_empty() || rest.starts_with(char::is_whitespace);
    if key_text.len() > MAX_KEY_BYTES || !parted {
        return None;
    }
    let key = read_key(key_text);
    let enough = match dots {
        1 => key.words >= 2 && !value.is_empty(),
        2 => text[..at].ends_with(' ') && !value.is_empty(),
        _ => true,
    };
    let named = !key.roles.is_none() || key.of_organization || dots > 1;
    (key.is_known() && enough && named).then_some(Shape::Pair(key, value))
}

fn in_columns(text: &str) -> Option<Shape<'_>> {
    let tab = text.find('\t');
    let wide = text.find("  ");
    let at = match (tab, wide) {
        (Some(tab), Some(wide)) => tab.min(wide),
        (found, None) | (None, found) => found?,
    };
    if at > MAX_KEY_BYTES {
        return None;
    }
    let key = read_key(&text[..at]);
    let value = text[at..].trim_start();
    (key.is_known() && !value.is_empty()).then_some(Shape::Columns(key, value))
}

/// `Holder - value`; only for keys beyond doubt, since dashes also stand in text.
fn with_dash(text: &str) -> Option<Shape<'_>> {
    let (key_text, value) = text.split_once(" - ")?;
    if key_text.len() > MAX_KEY_BYTES {
        return None;
    }
    let key = read_key(key_text);
    let plain = !key.roles.is_none() || matches!(key.field, Field::NameServer | Field::Domain);
    (key.is_known() && plain).then_some(Shape::Columns(key, value.trim()))
}

fn title(text: &str, marked: bool) -> Shape<'_> {
    if text.len() > MAX_KEY_BYTES || text.contains(['@', ',', '.']) {
        return Shape::Text;
    }
    let key = read_key(text);
    // `Street 5` is an address, `Name server 1` a heading.
    let numbered = text.contains(|letter: char| letter.is_ascii_digit());
    if numbered && !key.is_heading() {
        return Shape::Text;
    }
    match key.is_known() && key.words <= MAX_TITLE_WORDS {
        true if marked && key.is_heading() => Shape::Section(key),
        true => Shape::Title(key),
        false => Shape::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::Roles;
    use super::*;

    fn check(text: &str) -> (char, Roles, Field, &str) {
        match line(text).shape {
            Shape::Pair(key, value) => ('p', key.roles, key.field, value),
            Shape::Columns(key, value) => ('c', key.roles, key.field, value),
            Shape::Title(key) => ('t', key.roles, key.field, ""),
            Shape::Section(key) => ('s', key.roles, key.field, ""),
            Shape::Text => ('x', Roles::NONE, Field::Unknown, ""),
            Shape::Comment => ('%', Roles::NONE, Field::Unknown, ""),
            Shape::Rule => ('-', Roles::NONE, Field::Unknown, ""),
            Shape::Blank => (' ', Roles::NONE, Field::Unknown, ""),
        }
    }

    #[test]
    fn shapes() {
        use Field::*;
        const REG: Roles = Roles::REGISTRANT;
        const NO: Roles = Roles::NONE;
        const ADMIN: Roles = Roles::ADMIN;
        const FOREIGN: Roles = Roles::FOREIGN;
        #[rustfmt::skip]
        let cases = [
            ("Registrant Name: X",                  ('p', REG, Name, "X")),
            ("registrant_contact_email: a@b.c",     ('p', REG, Email, "a@b.c")),
            ("Registrant's address:",               ('p', REG, Street, "")),
            ("Holder of domain name:",              ('p', REG, Whole, "")),
            ("Domain Holder Handle.......: X1",     ('p', REG, Handle, "X1")),
            ("holder-c: X1",                        ('p', REG, Handle, "X1")),
            ("Titulaire#.....X",                    ('p', REG, Whole, "X")),
            ("Registrant Address .. X",             ('p', REG, Street, "X")),
            ("2l. registrantemail : a@b.c",         ('p', REG, Email, "a@b.c")),
            ("[Web Log]",                           ('p', NO, Unknown, "")),
            ("** Registrant:",                      ('s', REG, Whole, "")),
            ("% Registrant:",                       ('s', REG, Whole, "")),
            ("[Holder]",                            ('s', REG, Whole, "")),
            ("[Tech-C]",                            ('s', Roles::TECH, Handle, "")),
            ("[owner] name: X",                     ('p', REG, Name, "X")),
            ("g. [Organization]    X",              ('p', NO, Org, "X")),
            ("g [Registrant Code]  X",              ('p', REG, Handle, "X")),
            ("Owner OrgName : X",                   ('p', REG, Org, "X")),
            ("OrgTechName: X",                      ('p', Roles::TECH, Name, "X")),
            ("Tech Organization Name: X",           ('p', Roles::TECH, Org, "X")),
            ("OrgId: X",                            ('p', NO, OrgHandle, "X")),
            ("Organisation Address. X",             ('p', NO, Street, "X")),
            ("Admin Email.......... X",             ('p', ADMIN, Email, "X")),
            ("Admin-name     X",                    ('c', ADMIN, Name, "X")),
            ("Registrar Abuse Contact Email: X",    ('p', FOREIGN, Email, "X")),
            ("Registrar Technical Contacts:",       ('p', FOREIGN, Whole, "")),
            ("Administrative Contact/Agent",        ('t', ADMIN, Whole, "")),
            ("Organization Using Domain Name",      ('t', REG, Whole, "")),
            ("Domain servers in listed order:",     ('p', NO, NameServer, "")),
            ("Servidor(es) de Nombres de Dominio:", ('p', NO, NameServer, "")),
            ("ns_name_01: X",                       ('p', NO, NameServer, "X")),
            ("Primary server.........: X",          ('p', NO, NameServer, "X")),
            ("Primary ip address.....: X",          ('p', NO, Ignored, "X")),
            ("NetRange: X",                         ('p', NO, Net, "X")),
            ("inet6num: X",                         ('p', NO, Net, "X")),
            ("network:IP-Network:X",                ('p', NO, Net, "X")),
            ("network:Organization;I:X",            ('p', NO, Org, "X")),
            ("registration status: X",              ('p', NO, Status, "X")),
            ("Registrar WHOIS Server: X",           ('p', FOREIGN, Refer, "X")),
            ("Name Server:ns1.x.org",               ('p', NO, NameServer, "ns1.x.org")),
            ("nic-hdl-br: X",                       ('p', NO, Handle, "X")),
            ("Registrant Application Purpose: X",   ('p', REG, Unknown, "X")),
            ("http://www.example.org/",             ('x', NO, Unknown, "")),
            ("2001:db8::1",                         ('x', NO, Unknown, "")),
            ("12:30:00 today",                      ('x', NO, Unknown, "")),
            ("University of Somewhere",             ('x', NO, Unknown, "")),
            ("Domain Name: X",                      ('p', NO, Domain, "X")),
            ("Registry Expiry Date: X",             ('p', NO, Born, "X")),
            ("% legal words",                       ('%', NO, Unknown, "")),
            ("-----",                               ('-', NO, Unknown, "")),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text), expected, "{text}");
        }
    }
}
