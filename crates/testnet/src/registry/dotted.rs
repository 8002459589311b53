//! Keys filled up with dots under headings, as the Finnish registry writes them, in ISO-8859-1: a
//! client that takes every answer for UTF-8 loses the umlauts.

use super::objects::{Contact, Objects};
use super::question::Question;
use super::{CHANGED, block};

pub(super) const THROTTLED: &str = "Query limit exceeded, try again later\n";

pub(super) fn answer(objects: &Objects, question: &Question) -> String {
    let Some(object) = objects.domain(&question.key) else {
        return "Domain not found\n".to_owned();
    };
    let domain = object.ascii();
    let lines = [("domain", domain.as_str()), ("status", "Registered"), ("modified", CHANGED)];
    let mut text = block(&lines, key);
    let servers: Vec<(&str, &str)> =
        object.name_servers.iter().map(|server| ("nserver", server.as_str())).collect();
    text.push_str(&format!("\nNameservers\n\n{}", block(&servers, key)));
    text.push_str(&format!("\nHolder\n\n{}", object.holder.as_ref().map_or_else(hidden, contact)));
    if let Some(tech) = &object.tech {
        text.push_str(&format!("\nTech\n\n{}", contact(tech)));
    }
    text
}

fn contact(contact: &Contact) -> String {
    block(
        &[
            ("name", contact.body()),
            ("address", &contact.street),
            ("address", &contact.postcode),
            ("address", &contact.city),
            ("country", &contact.country),
            ("holder email", &contact.email),
        ],
        key,
    )
}

fn hidden() -> String {
    block(&[("name", "Private person")], key)
}

fn key(key: &str) -> String {
    format!("{key:.<19}: ")
}
