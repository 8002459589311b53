//! Generic top-level domains: Verisign's thin answer, which knows only the registrar and the name
//! servers, and the thick one that ICANN's agreement of 2013 prescribes to registrars.

use super::objects::{Contact, DomainObject, Objects};
use super::question::Question;
use super::{CHANGED, block};

const REDACTED: &str = "REDACTED FOR PRIVACY";
const ASK_REGISTRAR: &str = "Please query the RDDS service of the Registrar of Record identified in \
     this output for information on how to contact the Registrant";

pub(super) const VERISIGN_THROTTLED: &str =
    "WHOIS LIMIT EXCEEDED - please wait before you query again.\n";
pub(super) const ICANN_THROTTLED: &str =
    "Number of allowed queries exceeded. Please slow down and try again later.\n";

/// Takes `domain NAME`, `=NAME` and the bare name.
pub(super) fn verisign(objects: &Objects, question: &Question) -> String {
    let name = question.line.rsplit([' ', '=']).next().unwrap_or("");
    let Some(object) = objects.domain(name) else {
        return format!("No match for \"{}\".\n{}", name.to_uppercase(), last_update("whois"));
    };
    let domain = object.ascii().to_uppercase();
    let mut lines = head(object, &domain);
    lines.extend(tail(object, str::to_uppercase));
    let lines: Vec<(&str, &str)> = lines.iter().map(|(key, value)| (*key, &**value)).collect();
    block(&lines, |key| format!("   {key}: ")) + &last_update("whois")
}

pub(super) fn icann2013(objects: &Objects, question: &Question) -> String {
    let name = question.line.rsplit([' ', '=']).next().unwrap_or("");
    let Some(object) = objects.domain(name) else {
        return format!("No match for domain \"{}\".\n{}", name, last_update("WHOIS"));
    };
    let mut lines = head(object, &object.ascii());
    let holder = object.holder.as_ref();
    for (role, contact) in [
        (&REGISTRANT, holder),
        (&ADMIN, object.admin.as_ref().or(holder)),
        (&TECH, object.tech.as_ref().or(holder)),
    ] {
        lines.extend(role.iter().copied().zip(contact.map_or_else(hidden, told)));
    }
    lines.extend(tail(object, str::to_lowercase));
    let lines: Vec<(&str, &str)> = lines.iter().map(|(key, value)| (*key, &**value)).collect();
    block(&lines, |key| format!("{key}: ")) + &last_update("WHOIS")
}

type Lines = Vec<(&'static str, String)>;
type Keys = [&'static str; 7];

#[rustfmt::skip]
const REGISTRANT: Keys = [
    "Registrant Name", "Registrant Organization", "Registrant Street", "Registrant City",
    "Registrant Postal Code", "Registrant Country", "Registrant Email",
];
#[rustfmt::skip]
const ADMIN: Keys = [
    "Admin Name", "Admin Organization", "Admin Street", "Admin City",
    "Admin Postal Code", "Admin Country", "Admin Email",
];
#[rustfmt::skip]
const TECH: Keys = [
    "Tech Name", "Tech Organization", "Tech Street", "Tech City",
    "Tech Postal Code", "Tech Country", "Tech Email",
];

/// In the order of the keys.
fn told(contact: &Contact) -> [String; 7] {
    let Contact { name, organization, street, postcode, city, country, email } = contact.clone();
    [name, organization, street, city, postcode, country, email]
}

fn hidden() -> [String; 7] {
    let mut values = [REDACTED; 7].map(str::to_owned);
    values[6] = ASK_REGISTRAR.to_owned();
    values
}

fn head(object: &DomainObject, domain: &str) -> Lines {
    let (name, whois) = match &object.registrar {
        Some(registrar) => (registrar.name.clone(), registrar.whois.clone()),
        None => (String::new(), String::new()),
    };
    vec![
        ("Domain Name", domain.to_owned()),
        ("Registry Domain ID", "100000001_DOMAIN-EXAMPLE".to_owned()),
        ("Registrar WHOIS Server", whois),
        ("Updated Date", format!("{CHANGED}T08:12:47Z")),
        ("Creation Date", "2004-02-11T00:00:00Z".to_owned()),
        ("Registry Expiry Date", "2031-02-11T00:00:00Z".to_owned()),
        ("Registrar", name),
        ("Registrar IANA ID", "9999".to_owned()),
        (
            "Domain Status",
            "clientTransferProhibited https://icann.org/epp#clientTransferProhibited".to_owned(),
        ),
    ]
}

fn tail(object: &DomainObject, spelling: fn(&str) -> String) -> Lines {
    let servers = object.name_servers.iter();
    let mut lines: Lines = servers.map(|server| ("Name Server", spelling(server))).collect();
    lines.push(("DNSSEC", "unsigned".to_owned()));
    lines.push((
        "URL of the ICANN Whois Inaccuracy Complaint Form",
        "https://www.icann.org/wicf/".to_owned(),
    ));
    lines
}

fn last_update(word: &str) -> String {
    format!(
        ">>> Last update of {word} database: {CHANGED}T09:00:00Z <<<\n\n\
         For more information on domain status codes, please visit https://icann.org/epp\n\n\
         TERMS OF USE: You agree to use this data for lawful purposes only.\n"
    )
}
