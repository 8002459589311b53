//! The profile of an institution, for people.

use crate::messages::Harmless;
use crate::output;
use auslese_discover::{Party, Profile, RefusedRange};

/// What was found out about an institution.
pub(crate) fn profile_text(profile: &Profile) -> String {
    let mut text = format!("{}\n", profile.name.as_deref().unwrap_or(&profile.label));
    section(
        &mut text,
        "address ranges",
        profile
            .ranges
            .iter()
            .map(|range| [range.net.to_string(), range.holder.clone(), range.found_by.clone()]),
    );
    section(&mut text, "ranges of others", profile.refused_ranges.iter().flat_map(refused_rows));
    section(
        &mut text,
        "name servers",
        profile.name_servers.iter().map(|server| {
            let own = if server.own { "own" } else { "shared" };
            [server.host.to_string(), own.to_owned(), server.why.clone()]
        }),
    );
    section(&mut text, "registrant", party_rows(&profile.registrant).into_iter());
    section(&mut text, "imprint", party_rows(&profile.imprint).into_iter());
    section(
        &mut text,
        "not found out",
        profile.open.iter().map(|open| [open.clone(), String::new(), String::new()]),
    );
    Harmless(text).to_string()
}

/// The reason stands below: it is a sentence, and would make the row too wide to be read.
fn refused_rows(range: &RefusedRange) -> [[String; 3]; 2] {
    [
        [range.net.to_string(), range.found_by.clone(), String::new()],
        [String::new(), range.why.clone(), String::new()],
    ]
}

fn party_rows(party: &Party) -> Vec<[String; 3]> {
    let address = (!party.address.is_empty()).then(|| party.address.join(", "));
    let fields = [
        ("organisation", party.organization.clone()),
        ("name", party.name.clone()),
        ("address", address),
        ("e-mail", party.email.clone()),
    ];
    let told = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
    told.map(|(name, value)| [name.to_owned(), value, String::new()]).collect()
}

fn section(text: &mut String, heading: &str, rows: impl Iterator<Item = [String; 3]>) {
    let rows: Vec<[String; 3]> = rows.collect();
    if rows.is_empty() {
        return;
    }
    text.push_str(&format!("\n  {heading}\n"));
    for line in output::columns(&rows).lines() {
        text.push_str(&format!("    {line}\n"));
    }
}
