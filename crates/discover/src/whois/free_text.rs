//! Reads a contact that is written as on an envelope: a name, perhaps an organisation, an address,
//! somewhere among them telephones and mail.

use super::handles::looks_like_handle;
use super::hosts::email_in;
use super::organizations::sounds_like_organization;
use super::placeholders::is_value;
use super::words::meaning;

/// A longer value is no name and no line of an address.
pub(super) const MAX_VALUE_BYTES: usize = 400;

/// What lines of free text tell.
#[derive(Debug, Default)]
pub(super) struct FreeText {
    pub(super) holder: Option<String>,
    /// A second line that is the organisation of the person in the first.
    pub(super) organization: Option<String>,
    pub(super) address: Vec<String>,
    pub(super) mail: Option<String>,
    /// Whoever stands beside the mail in the line after the organisation.
    pub(super) person: Option<String>,
    /// The holder in the registry's own script, if Latin letters follow.
    pub(super) native: Option<String>,
    pub(super) hidden: bool,
}

impl FreeText {
    pub(super) fn read(first: Option<&str>, text: &[&str]) -> FreeText {
        let mut free = FreeText::default();
        let mut lines: Vec<String> = Vec::new();
        for line in first.iter().chain(text).filter(|line| line.len() <= MAX_VALUE_BYTES) {
            let beside_mail = free.mail.is_none();
            let line = free.without_mail(line);
            let beside_mail = beside_mail && free.mail.is_some();
            if line.is_empty() || is_phone(&line) || is_web(&line) || is_record_note(&line) {
                continue;
            }
            if !is_value(&line) {
                free.hidden |= lines.is_empty();
                if lines.is_empty() {
                    // What follows explains why nothing is shown, or belongs to a proxy.
                    lines.push(line);
                    break;
                }
                continue;
            }
            let line = cleaned(&line);
            if !lines.is_empty() && is_register_number(&line) {
                continue;
            }
            match lines.as_slice() {
                // A mail address stands beside a person, so the line above is the organisation.
                [first]
                    if beside_mail
                        && (sounds_like_organization(first) || looks_like_person(&line)) =>
                {
                    free.person = Some(line)
                }
                _ => lines.push(line),
            }
        }
        free.place(lines);
        free
    }

    /// The line without the e-mail address in it, which is kept if it is the first.
    fn without_mail(&mut self, line: &str) -> String {
        let Some(mail) = email_in(line) else { return line.trim().to_owned() };
        let rest = line.replace(&mail, " ").replace("mailto:", " ");
        self.mail.get_or_insert(mail);
        let rest = rest.replace("( )", " ").replace("< >", " ").replace("[ ]", " ");
        rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '-' | ':'))
            .to_owned()
    }

    /// Whoever stands above a person is the organisation, whatever it sounds like.
    fn name_organization(&mut self) {
        if self.holder.as_deref().is_some_and(|holder| !sounds_like_organization(holder)) {
            self.organization = std::mem::replace(&mut self.holder, self.person.take());
        }
    }

    fn place(&mut self, lines: Vec<String>) {
        let people = self.person.is_none() && has_person(&lines);
        let mut lines = lines.into_iter().peekable();
        self.holder = lines.next();
        if people {
            self.person = lines.next();
        } else if self.person.is_some() && self.organization.is_none() {
            self.name_organization();
        }
        // Two scripts: the name again in Latin letters.
        if let (Some(first), Some(next)) = (&self.holder, lines.peek())
            && !is_latin(first)
            && is_latin(next)
            && !next.contains(|letter: char| letter.is_ascii_digit())
        {
            self.native = std::mem::replace(&mut self.holder, lines.next());
        }
        if let (Some(first), Some(next), None) = (&self.holder, lines.peek(), &self.organization)
            && !sounds_like_organization(first)
            && sounds_like_organization(next)
            && !next.contains(|letter: char| letter.is_ascii_digit())
        {
            self.organization = lines.next();
        }
        self.address = lines.collect();
    }
}

/// Whether the second line is whoever speaks for the organisation in the first: by office, or by a
/// name of two or three words above a street and a town.
fn has_person(lines: &[String]) -> bool {
    let [first, second, rest @ ..] = lines else { return false };
    if !sounds_like_organization(first) {
        return false;
    }
    let office = second.to_lowercase();
    let above_address = match rest {
        [street, town, _, ..] => has_digit(street) && has_digit(town),
        _ => false,
    };
    OFFICES.contains(&office.as_str()) || (above_address && looks_like_person(second))
}

fn has_digit(line: &str) -> bool {
    line.contains(|letter: char| letter.is_ascii_digit())
}

fn looks_like_person(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let is_name = |word: &&str| {
        let mut letters = word.trim_end_matches('.').chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.all(|letter| letter.is_lowercase() || letter == '-')
            && meaning(&word.to_lowercase()).is_none()
    };
    (2..=3).contains(&words.len()) && words.iter().all(is_name) && !sounds_like_organization(line)
}

#[rustfmt::skip]
const OFFICES: &[&str] = &[
    "domain administrator", "domain admin", "domain name administrator", "domain manager", "domain name manager",
    "dns administrator", "dns admin", "dns manager", "hostmaster", "host master", "domain master", "domains administrator",
    "domain administration", "domain hostmaster", "dns hostmaster", "network administrator", "the manager",
];

/// `(123456-A)`: the number under which a company is registered.
fn is_register_number(line: &str) -> bool {
    line.starts_with('(') && line.ends_with(')') && has_digit(line)
}

/// Cyrillic, Greek, Chinese … are not; accents are.
pub(super) fn is_latin(text: &str) -> bool {
    text.chars().all(|letter| letter < '\u{370}' || !letter.is_alphabetic())
}

/// `org_name_eng: X` as the value of a key.
fn without_own_key(value: &str) -> &str {
    let is_key =
        |key: &str| key.contains('_') && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    match value.split_once(": ") {
        Some((key, rest)) if is_key(key) => rest,
        _ => value,
    }
}

/// Without a handle in parentheses at the end, a comma, doubled spaces.
pub(super) fn cleaned(value: &str) -> String {
    let mut value = without_own_key(value).trim().trim_end_matches([',', ';']).trim_end();
    if let Some(start) = value.strip_suffix(')').and_then(|value| value.rfind('(')) {
        let inner = &value[start + 1..value.len() - 1];
        if start > 0 && looks_like_handle(inner) {
            value = value[..start].trim_end();
        }
    }
    let value = value.strip_suffix("()").unwrap_or(value);
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn is_address_line(line: &str) -> bool {
    let short = line.chars().filter(|letter| letter.is_alphanumeric()).count() == 1;
    line.len() <= MAX_VALUE_BYTES
        && (short || is_value(line))
        && !line.contains('@')
        && !(line.starts_with('(') && line.ends_with(')'))
        && !is_phone(line)
        && !is_web(line)
}

fn is_web(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    (lower.starts_with("http://") || lower.starts_with("https://") || lower.starts_with("www."))
        && !lower.contains(' ')
}

/// A telephone: named so, or too many digits for anything else in an address.
fn is_phone(line: &str) -> bool {
    let digits = line.chars().filter(char::is_ascii_digit).count();
    let letters = line.chars().filter(|letter| letter.is_alphabetic()).count();
    let lower = line.trim_start_matches(['(', '[']).to_lowercase();
    let named = PHONE_WORDS.iter().any(|word| {
        lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
    });
    let started = line.starts_with('+') && digits >= 5;
    let zip_four = line.len() == 10 && digits == 9 && line.as_bytes()[5] == b'-';
    let silent = lower
        .chars()
        .skip_while(|letter| letter.is_alphabetic())
        .all(|letter| !letter.is_alphanumeric());
    // `PH` alone is the Philippines.
    (named && (digits >= 3 || (silent && lower != "ph")))
        || (started && letters < 6)
        || (digits >= 9 && letters < 4 && !zip_four)
}

const PHONE_WORDS: &[&str] = &[
    "tel",
    "telephone",
    "phone",
    "fax",
    "mobile",
    "telefon",
    "facsimile",
    "telefax",
    "telf",
    "ph",
];

/// `Record created on 12-Mar-2004.`: a note about the record, not a line of an address.
fn is_record_note(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    RECORD_NOTES.iter().any(|start| lower.starts_with(start))
}

const RECORD_NOTES: &[&str] = &[
    "record ",
    "database ",
    "created on",
    "created:",
    "expires on",
    "registered on",
    "last updated",
    "last modified",
    "domain created",
    "domain expires",
    "updated on",
    "this domain",
    "registered through",
    "registration date",
];
