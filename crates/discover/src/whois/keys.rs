//! Reads a key or a heading: whom it speaks of, and which field it names.
//!
//! Keys are composed in every registry from the same few words, in any order and any spelling:
//! `Registrant Contact E-mail`, `registrant_contact_email`, `OwnerEmail`, `holder e-mail`. So the
//! key is split into words, the words are looked up ([`super::words`]), and the strongest word says
//! which field it is. A key with a word nobody knows is unknown, unless both a person and a field
//! are plain.

use super::words::{Role, Word, glued, meaning, phrase};

/// Keys and headings are short; longer ones are sentences.
pub(super) const MAX_KEY_BYTES: usize = 72;
/// More words than this make a sentence.
const MAX_KEY_WORDS: usize = 8;

/// The contacts a key or a heading speaks of; several may share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Roles(u8);

impl Roles {
    pub(super) const NONE: Roles = Roles(0);
    pub(super) const REGISTRANT: Roles = Roles(1);
    pub(super) const ADMIN: Roles = Roles(2);
    pub(super) const TECH: Roles = Roles(4);
    pub(super) const CONTACT: Roles = Roles(8);
    pub(super) const FOREIGN: Roles = Roles(16);
    const MINOR: Roles = Roles(32);

    pub(super) fn contains(self, other: Roles) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    fn and(self, role: Role) -> Roles {
        let bit = match role {
            Role::Registrant => Roles::REGISTRANT,
            Role::Admin => Roles::ADMIN,
            Role::Tech => Roles::TECH,
            Role::Contact => Roles::CONTACT,
            Role::Minor => Roles::MINOR,
            Role::Foreign => Roles::FOREIGN,
        };
        Roles(self.0 | bit.0)
    }

    /// A registrar's technical contact is the registrar's; a contact of a told kind is that kind.
    fn settled(self) -> Roles {
        if self.contains(Roles::FOREIGN) {
            return Roles::FOREIGN;
        }
        let told = self.0 & (Roles::REGISTRANT.0 | Roles::ADMIN.0 | Roles::TECH.0);
        match (told, self.contains(Roles::MINOR)) {
            (0, true) => Roles::FOREIGN,
            (0, false) => Roles(self.0 & Roles::CONTACT.0),
            _ => Roles(told),
        }
    }
}

/// Which field a key names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// No field: the key is a role, its value the contact itself, or its key.
    Whole,
    Name,
    Given,
    Family,
    Org,
    Street,
    City,
    State,
    Postal,
    Country,
    Email,
    Phone,
    /// The registry's key of a contact.
    Handle,
    /// The registry's key of an organisation.
    OrgHandle,
    /// What kind of contact follows.
    Kind,
    NameServer,
    Host,
    Domain,
    Refer,
    Net,
    NetName,
    Route,
    Status,
    Born,
    Descr,
    /// Known, and of no use here.
    Ignored,
    Unknown,
}

/// What a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) roles: Roles,
    pub(super) field: Field,
    /// How many words it has.
    pub(super) words: usize,
    /// `Organisation Address`: the organisation is meant as the holder unless a section says
    /// otherwise.
    pub(super) of_organization: bool,
}

impl Key {
    const UNKNOWN: Key =
        Key { roles: Roles::NONE, field: Field::Unknown, words: 0, of_organization: false };

    pub(super) fn is_known(self) -> bool {
        self.field != Field::Unknown
    }

    /// Worth opening a section for, when it stands on a line of its own.
    pub(super) fn is_heading(self) -> bool {
        match self.field {
            Field::Whole => !self.roles.is_none(),
            Field::NameServer => true,
            _ => false,
        }
    }
}

/// Reads a key; `text` is what stands before the colon, or a whole heading.
pub(super) fn read_key(text: &str) -> Key {
    let folded = fold(text);
    if folded.is_empty() || folded.len() > MAX_KEY_BYTES {
        return Key::UNKNOWN;
    }
    if let Some(words) = phrase(&folded) {
        return compose(words, 0, folded.split(' ').count());
    }
    let mut words = Vec::with_capacity(MAX_KEY_WORDS);
    let mut strange = 0;
    for word in folded.split(' ') {
        if words.len() + strange == MAX_KEY_WORDS {
            return Key::UNKNOWN;
        }
        match meaning(word) {
            Some(known) => words.push(known),
            None => match glued(word) {
                Some(both) => words.extend(both),
                None => strange += 1,
            },
        }
    }
    compose(&words, strange, words.len() + strange)
}

fn compose(words: &[Word], strange: usize, count: usize) -> Key {
    let has = |word: Word| words.contains(&word);
    let roles = words
        .iter()
        .fold(Roles::NONE, |roles, word| match word {
            Word::Role(role) => roles.and(*role),
            _ => roles,
        })
        .settled();
    let field = field_of(without_prefix(words), roles);
    // One strange word is forgiven if both a person and a field are plain, or beside "name server"
    // and in the name a registry gives its handles, which betray themselves by their values.
    let forgiven = match field {
        Field::Handle | Field::NameServer => true,
        Field::Whole | Field::Ignored | Field::Unknown => false,
        _ => !roles.is_none(),
    };
    if strange > usize::from(forgiven) || (words.is_empty()) {
        // `Registrant Application Purpose` is still the registrant's, and still no name.
        return match roles.is_none() {
            true => Key::UNKNOWN,
            false if strange == 1 && count > 2 => {
                Key { roles, field: Field::Unknown, words: count, of_organization: false }
            }
            false => Key::UNKNOWN,
        };
    }
    let of_organization = roles.is_none() && has(Word::Org) && is_detail(field);
    Key { roles, field, words: count, of_organization }
}

/// `OrgTechName` is the name of a technical contact, not of an organisation: what stands before
/// the role only says to whom the role belongs.
fn without_prefix(words: &[Word]) -> &[Word] {
    match words {
        [Word::Org, rest @ ..] if matches!(rest, [Word::Role(_), _, ..]) => rest,
        words => words,
    }
}

fn is_detail(field: Field) -> bool {
    use Field::{City, Country, Email, Phone, Postal, State, Street};
    matches!(field, Street | City | State | Postal | Country | Email | Phone)
}

/// The strongest word wins; the order of the questions is the order of strength.
fn field_of(words: &[Word], roles: Roles) -> Field {
    let has = |word: Word| words.contains(&word);
    let beside = |a: Word, b: Word| words.windows(2).any(|pair| pair == [a, b] || pair == [b, a]);
    let domain_name = words.windows(2).any(|pair| pair == [Word::Domain, Word::Name]);
    let serves = has(Word::NameServer)
        || (has(Word::Server) && (has(Word::Name) || has(Word::Domain) || has(Word::Rank)))
        || (has(Word::Host) && has(Word::Rank));
    if has(Word::Whois) {
        return if has(Word::Not) { Field::Ignored } else { Field::Refer };
    }
    match () {
        () if has(Word::Type) && (roles.is_none() || roles == Roles::CONTACT) => Field::Kind,
        () if has(Word::Type) => Field::Ignored,
        () if has(Word::Phone) => Field::Phone,
        () if has(Word::Net) => Field::Net,
        () if has(Word::NetName) => Field::NetName,
        () if has(Word::Ip) => Field::Ignored,
        () if has(Word::Status) => Field::Status,
        () if has(Word::Born) && roles.is_none() => Field::Born,
        () if has(Word::Born) => Field::Ignored,
        () if has(Word::Not) => Field::Ignored,
        () if serves && roles.is_none() => Field::NameServer,
        () if has(Word::Host) => Field::Host,
        () if (has(Word::Server) || words == [Word::Rank]) && roles.is_none() => Field::Host,
        () if has(Word::Email) => Field::Email,
        () if has(Word::Handle) && has(Word::Org) && roles.is_none() => Field::OrgHandle,
        () if has(Word::Handle) && has(Word::Domain) && roles.is_none() => Field::Ignored,
        () if has(Word::Handle) => Field::Handle,
        () if has(Word::Country) => Field::Country,
        () if has(Word::Postal) && (has(Word::Code) || !has(Word::Street)) => Field::Postal,
        () if has(Word::Domain) && has(Word::State) && roles.is_none() => Field::Status,
        () if has(Word::State) => Field::State,
        () if has(Word::City) => Field::City,
        () if has(Word::Code) => Field::Handle,
        () if has(Word::Street) => Field::Street,
        () if has(Word::Route) => Field::Route,
        () if has(Word::Descr) => Field::Descr,
        () if has(Word::Org) => Field::Org,
        () if has(Word::Given) => Field::Given,
        () if has(Word::Family) => Field::Family,
        // `Holder of domain name` is no name of a holder.
        () if domain_name && !roles.is_none() => Field::Whole,
        () if has(Word::Domain) && roles.is_none() => Field::Domain,
        () if has(Word::Name) && !beside(Word::Domain, Word::Name) => Field::Name,
        () if has(Word::Suffix) => Field::Handle,
        () if !roles.is_none() => Field::Whole,
        () => Field::Unknown,
    }
}

/// Lower case, one space between words, `OrgName` split, accents and digits at the end of words
/// dropped, what stands in parentheses left out.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut depth = 0_u32;
    let mut before = ' ';
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if letter.is_alphabetic() => {
                let split = letter.is_ascii_uppercase() && before.is_ascii_lowercase();
                if split || (before.is_ascii_digit() && !folded.ends_with(' ')) {
                    push_space(&mut folded);
                }
                folded.extend(letter.to_lowercase().map(plain));
            }
            // Digits only number things: `Street1`, `ns_name_01`, `IPv4`.
            _ if letter.is_ascii_digit() => {}
            _ => push_space(&mut folded),
        }
        before = letter;
    }
    folded.truncate(folded.trim_end().len());
    folded
}

fn push_space(text: &mut String) {
    if !text.is_empty() && !text.ends_with(' ') {
        text.push(' ');
    }
}

/// The letter without its accent, for the Latin letters registries write keys in.
fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ě' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'ů' => 'u',
        'ç' | 'č' | 'ć' => 'c',
        'ñ' | 'ň' => 'n',
        'š' | 'ś' => 's',
        'ž' | 'ź' | 'ż' => 'z',
        'ł' => 'l',
        'ý' => 'y',
        'ř' => 'r',
        other => other,
    }
}
