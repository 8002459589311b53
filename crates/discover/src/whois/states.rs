//! What an answer without an object says instead: nothing there, come back later, or nothing
//! anybody could use.
//!
//! These phrases are looked for only when no object was found, because terms of use speak of
//! limits and matches as well.

use crate::registration::RegistrationState;

/// Phrases stand in a line of at most so many bytes; longer lines are terms of use.
const MAX_STATEMENT_BYTES: usize = 300;

/// The phrases met so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Signs {
    absent: bool,
    throttled: bool,
    taken: bool,
    in_use: bool,
}

impl Signs {
    /// Looks at one line of text or comment.
    pub(super) fn see(&mut self, line: &str) {
        if line.len() > MAX_STATEMENT_BYTES {
            return;
        }
        let folded = fold(line);
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| folded.contains(phrase));
        let ends = |phrases: &[&str]| phrases.iter().any(|phrase| folded.ends_with(phrase));
        let is = |phrases: &[&str]| phrases.contains(&folded.trim());
        self.absent |= has(ABSENT) || ends(ABSENT_AT_END) || is(ABSENT_ALONE);
        self.throttled |= has(THROTTLED);
        self.taken |= has(TAKEN);
    }

    /// The registry said so in a field: `Status: free`, `Status: active`, `query_status: 200 Active`.
    pub(super) fn see_status(&mut self, value: &str) {
        let folded = fold(value);
        let words =
            folded.trim_start_matches(|letter: char| letter == ' ' || letter.is_ascii_digit());
        self.absent |= FREE.iter().any(|phrase| words.starts_with(phrase));
        self.in_use |= IN_USE.iter().any(|phrase| words.starts_with(phrase));
    }

    /// A field says that the object is there.
    pub(super) fn says_in_use(self) -> bool {
        self.in_use
    }

    /// What an answer without an object amounts to.
    pub(super) fn state(self) -> RegistrationState {
        match self {
            Signs { absent: true, .. } => RegistrationState::NotFound,
            Signs { throttled: true, .. } => RegistrationState::Throttled,
            Signs { .. } => RegistrationState::Error,
        }
    }

    /// The registry says that there is an object, and no more.
    pub(super) fn says_taken(self) -> bool {
        self.taken && !self.throttled
    }

    pub(super) fn says_absent(self) -> bool {
        self.absent
    }
}

/// Lower case words between single spaces.
fn fold(line: &str) -> String {
    let mut folded = String::with_capacity(line.len() + 2);
    folded.push(' ');
    for letter in line.chars() {
        if letter.is_alphanumeric() {
            folded.extend(letter.to_lowercase());
        } else if letter != '\'' && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

#[rustfmt::skip]
const ABSENT: &[&str] = &[
    " no match ", " not found ", " no entries found ", " no entry found ", " no data found ", " nothing found ",
    " no object found ", " no such domain ", " not registered ", " not registred ", " does not exist ", " doesnt exist ", " not exist ",
    " no matching ", " no records matching ", " no record found ", " no records found ", " no found ", " domain unknown ",
    " unknown domain ", " not been registered ", " not yet registered ", " no information was found ", " no information found ",
    " available for registration ", " available for purchase ", " not in our database ", " not in the database ", " no data was found ",
    " pas enregistr", " nao registrado ", " não registrado ", " niet geregistreerd ", " non existent ", " nonexistent ", " nxdomain ", " no existe ", " nao existe ", " não existe ", " no registrado ",
    " no se encontr", " no se encuentra ", " introuvable ", " inexistant ", " aucun ", " nie istnieje ", " nicht registriert ", " ist frei ",
    " no hay ", " cannot be found ", " could not be found ", " couldnt be found ", " cant be found ", " no results ", " no result ",
    " is still available ", " can be registered ", " we do not have an entry ", " has no entry ", " domain is free ", " is not in use ",
    " object does not ", " no domain records ", " no domains matched ", " notfound ", " not_found ", " not find ", " nomatch ", " is not assigned ",
    " unassigned ", " no information available about ", " no information about ", " no objects ", " returned 0 objects ", " not known in ", " not available in our ", " status free ", " status available ", " ei ole ", " no record for ", " no records for ", " no object ",
    " error 101 ", " not allocated ", " unallocated ", " no whois information ", " no registration ", " no hits ", " name is reserved ", " reserved by the registry ", " reserved name ", " reserved domain ", " zero results ", " 없습니다 ", " 등록되어 있지 않", " 존재하지 않", "該当する",
];

#[rustfmt::skip]
const ABSENT_AT_END: &[&str] = &[
    " is available ", " is free ", " is avail ", " domain available ", " name available ", " is not valid domain ", " no match ", " is unregistered ", " is reserved ",
];

#[rustfmt::skip]
const ABSENT_ALONE: &[&str] = &["available", "free", "avail", "no match", "not registered", "none found", "no", "0"];

/// How the status of a name begins that nobody holds.
#[rustfmt::skip]
const FREE: &[&str] = &[
    "free ", "available ", "no object", "not registered", "not found", "avail ", "unassigned", "unregistered",
    "no match", "nomatch", "disponible ", "livre ", "libre ", "frei ", "not existing", "nonexistent", "does not exist", "notfound ", "can be registered", "no entries",
];

/// How the status of a name begins that somebody holds.
#[rustfmt::skip]
const IN_USE: &[&str] = &[
    "active", "activ", "registered", "ok ", "connect", "delegated", "live ", "lock", "published", "granted", "paid", "client", "server",
    "not available", "in use", "taken", "assigned", "allocated", "inactive", "expired", "suspended", "transfer",
];

#[rustfmt::skip]
const THROTTLED: &[&str] = &[
    "exceed", " too many ", " quota ", "rate limit", "ratelimit", "query limit", "limit reached", " lookup limit ", " connection limit ",
    " try again ", " please wait ", " access denied ", " denied ", " refused ", " blocked ", " blacklist", " black list",
    " banned ", " throttl", " temporarily ", " excessive ", " too fast ", " retry ", " too often ", " slow down ", " not allowed ", " not authorized ", " unauthorized ", " not permitted ",
    " error 201 ", " maximum number of ", " per minute ", " busy ", " too short ", " grace period ", " 제한 ", " overload",
];

#[rustfmt::skip]
const TAKEN: &[&str] = &[
    " already registered ", " is registered ", " has been registered ", " is taken ", " already exists ", " is not available for ",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        use RegistrationState::{Error, NotFound, Throttled};
        #[rustfmt::skip]
        let cases = [
            ("No match for \"NOSUCH.COM\".",                                        NotFound),
            ("NOT FOUND",                                                           NotFound),
            ("no entries found in the RIPE Database",                               NotFound),
            ("nosuch.example is free",                                              NotFound),
            ("nothing found",                                                       NotFound),
            ("No Object Found",                                                     NotFound),
            ("Domain nosuch.example is available for registration",                 NotFound),
            ("The queried object does not exist: no such object",                   NotFound),
            ("ERROR:101: no entries found",                                         NotFound),
            ("No Data Found",                                                       NotFound),
            ("We do not have an entry in our database matching your query.",        NotFound),
            ("55000000002 Connection refused; access control limit exceeded",       Throttled),
            ("ERROR:201: access denied for 192.0.2.1",                              Throttled),
            ("WHOIS LIMIT EXCEEDED - SEE WWW.NIC.EXAMPLE FOR DETAILS",              Throttled),
            ("Number of allowed queries exceeded.",                                 Throttled),
            ("Your IP address has been blocked due to excessive querying",          Throttled),
            ("Too many requests, try again later",                                  Throttled),
            ("Invalid query",                                                       Error),
            ("This information is available at www.nic.example only",               Error),
            ("",                                                                    Error),
        ];
        for (line, expected) in cases {
            let mut signs = Signs::default();
            signs.see(line);
            assert_eq!(signs.state(), expected, "{line}");
        }
    }
}
