//! nic.at (.at): RPSL-like objects; the domain names its contacts by handle, and they follow.

use super::objects::{Contact, DomainObject, Objects};
use super::question::Question;
use super::{CHANGED, block};

const HEAD: &str = "\
% Copyright (c)2026 by NIC.AT (1)
%
% Restricted rights.
%
% Except for agreed Internet operational purposes, no part of this
% information may be reproduced without the consent of the registry.

";
const HIDDEN: &str = "<data not disclosed>";

pub(super) const THROTTLED: &str = "% Quota exceeded\n";

pub(super) fn answer(objects: &Objects, question: &Question) -> String {
    match objects.domain(&question.key) {
        None => format!("{HEAD}% nothing found\n"),
        Some(object) => format!("{HEAD}{}\n", whole(object)),
    }
}

fn whole(object: &DomainObject) -> String {
    let ascii = object.ascii();
    let registrar = object.registrar.as_ref().map_or("", |registrar| &registrar.name);
    let changed = format!("{} 08:12:47", CHANGED.replace('-', ""));
    let tech = if object.tech.is_some() { handle("TC", &ascii) } else { String::new() };
    let mut lines = vec![
        ("domain", ascii.as_str()),
        ("registrar", registrar),
        ("registrant", ""),
        ("tech-c", &tech),
    ];
    let registrant = handle("RH", &ascii);
    lines[2].1 = &registrant;
    lines.extend(object.name_servers.iter().map(|server| ("nserver", server.as_str())));
    lines.extend([("changed", changed.as_str()), ("source", "AT-DOM")]);
    let mut text = block(&lines, key);
    text.push_str(&format!("\n{}", person(object.holder.as_ref(), &registrant)));
    if object.tech.is_some() {
        text.push_str(&format!("\n{}", person(object.tech.as_ref(), &tech)));
    }
    text
}

fn person(contact: Option<&Contact>, handle: &str) -> String {
    let told = |field: fn(&Contact) -> &String| contact.map_or(HIDDEN, |it| field(it).as_str());
    block(
        &[
            ("personname", told(|it| &it.name)),
            ("organization", told(|it| &it.organization)),
            ("street address", told(|it| &it.street)),
            ("postal code", told(|it| &it.postcode)),
            ("city", told(|it| &it.city)),
            ("country", told(|it| &it.country)),
            ("phone", HIDDEN),
            ("e-mail", told(|it| &it.email)),
            ("nic-hdl", handle),
            ("changed", &format!("{} 08:12:47", CHANGED.replace('-', ""))),
            ("source", "AT-DOM"),
        ],
        key,
    )
}

/// `RH4711-NICAT`: letters, digits that follow from the domain, and the registry.
fn handle(letters: &str, domain: &str) -> String {
    let number = domain.bytes().fold(0u32, |sum, byte| (sum * 31 + u32::from(byte)) % 9_000_000);
    format!("{letters}{}-NICAT", number + 1_000_000)
}

fn key(key: &str) -> String {
    format!("{:<16}", format!("{key}:"))
}
