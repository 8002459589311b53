//! DENIC (.de): without `-T dn` only the status comes back; a name in punycode needs `ace`, too.
//! The field names are those of DENIC's documentation of its public WHOIS. Holders that are legal
//! persons have a block, those of natural persons are left out altogether.

use super::objects::{Contact, DomainObject, Objects};
use super::question::Question;
use super::{CHANGED, block};

const TERMS: &str = "\
% Restricted rights.
%
% Terms and Conditions of Use
%
% The data in this record is provided for information purposes only. Mass
% queries and their use for advertising are forbidden.
%

";

pub(super) const THROTTLED: &str =
    "% Error: 55000000002 Connection refused; access control limit exceeded.\n";

pub(super) fn answer(objects: &Objects, question: &Question) -> String {
    let wants = |kinds: &[&str]| question.types.iter().any(|kind| kinds.contains(&kind.as_str()));
    let key = &question.key;
    if key.is_empty() || key.contains(' ') {
        return "% Error: 55000000007 Request not clearly specified\n".to_owned();
    }
    let punycode = key.split('.').any(|label| label.to_ascii_lowercase().starts_with("xn--"));
    if punycode && !wants(&["ace"]) {
        return format!("Domain: {key}\nStatus: invalid\n");
    }
    match objects.domain(key) {
        None => format!("Domain: {key}\nStatus: free\n"),
        Some(_) if !wants(&["dn", "domain"]) => format!("Domain: {key}\nStatus: connect\n"),
        Some(object) => whole(object),
    }
}

fn whole(object: &DomainObject) -> String {
    let ascii = object.ascii();
    let mut text = format!("{TERMS}Domain: {}\n", object.domain);
    if ascii != object.domain {
        text.push_str(&format!("Domain-Ace: {ascii}\n"));
    }
    for server in &object.name_servers {
        text.push_str(&format!("Nserver: {server}\n"));
    }
    text.push_str(&format!("Status: connect\nChanged: {CHANGED}T08:12:47+01:00\n"));
    let sections =
        [("Holder", &object.holder), ("Admin-C", &object.admin), ("Tech-C", &object.tech)];
    for (title, contact) in sections {
        if let Some(contact) = contact {
            text.push_str(&format!("\n[{title}]\n{}", person(contact)));
        }
    }
    text
}

fn person(contact: &Contact) -> String {
    let kind = if contact.organization.is_empty() { "PERSON" } else { "ORG" };
    let name = contact.person();
    let organization = if name == contact.body() { "" } else { contact.body() };
    block(
        &[
            ("Type", kind),
            ("Name", name),
            ("Organisation", organization),
            ("Address", &contact.street),
            ("PostalCode", &contact.postcode),
            ("City", &contact.city),
            ("CountryCode", &contact.country),
            ("Email", &contact.email),
            ("Changed", &format!("{CHANGED}T08:12:47+01:00")),
        ],
        |key| format!("{key}: "),
    )
}
