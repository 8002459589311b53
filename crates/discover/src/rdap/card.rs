//! The visiting card of an entity: jCard (RFC 7095), as servers really write it.
//!
//! A property is `[name, parameters, type, value…]`. Values that should be texts are arrays and the
//! other way round; the leading word `"vcard"` is missing; an address stands in the parameter
//! `label`, in seven parts, or in both.

use super::{is_value, scalar};
use serde_json::Value;

/// Properties looked at on one card.
const PROPERTIES: usize = 128;
/// Lines kept of an address.
const ADDRESS_LINES: usize = 12;

/// What a card says, with empty values dropped.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Card {
    pub(super) kind: Option<String>,
    pub(super) full_name: Option<String>,
    pub(super) organization: Option<String>,
    pub(super) address: Vec<String>,
    /// The address says more than town and country.
    pub(super) has_street: bool,
    pub(super) email: Option<String>,
}

impl Card {
    /// The card of an entity; an empty one if it has none.
    pub(super) fn of(entity: &Value) -> Card {
        let mut card = Card::default();
        for property in properties(entity).iter().take(PROPERTIES) {
            if let Some(property) = property.as_array() {
                card.take(property);
            }
        }
        card
    }

    /// The first value of each kind counts.
    fn take(&mut self, property: &[Value]) {
        let Some(name) = property.first().and_then(scalar) else { return };
        let value = || property.get(3).and_then(first_text);
        let slot = match name.to_ascii_lowercase().as_str() {
            "kind" => &mut self.kind,
            "fn" => &mut self.full_name,
            "org" => &mut self.organization,
            "email" => &mut self.email,
            "adr" if self.address.is_empty() => {
                (self.address, self.has_street) = address(property);
                return;
            }
            _ => return,
        };
        if slot.is_none() {
            *slot = value();
        }
    }

    pub(super) fn is_organization(&self) -> bool {
        self.kind.as_deref().is_some_and(|kind| {
            ["org", "organization", "group"].iter().any(|word| kind.eq_ignore_ascii_case(word))
        })
    }
}

fn properties(entity: &Value) -> &[Value] {
    let Some(card) = entity.get("vcardArray").and_then(Value::as_array) else { return &[] };
    match card.as_slice() {
        [Value::String(_), Value::Array(properties), ..] => properties,
        properties => properties,
    }
}

/// A text, or the first text of a list: organisations are told with their units.
fn first_text(value: &Value) -> Option<String> {
    match value {
        Value::Array(values) => values.iter().find_map(scalar),
        value => scalar(value),
    }
}

/// The lines of an address, and whether a street or a post box is among them; of an address in one
/// piece that cannot be told, and is taken to be so.
fn address(property: &[Value]) -> (Vec<String>, bool) {
    let (parts, mut has_street) = property.get(3).map(structured).unwrap_or_default();
    let parameters = property.get(1);
    let label = parameters.and_then(|parameters| parameters.get("label")).and_then(first_text);
    let label: Vec<String> = label.iter().flat_map(|label| lines(label)).collect();
    has_street |= !label.is_empty();
    let mut address = if label.is_empty() { parts } else { label };
    let country = parameters.and_then(|parameters| parameters.get("cc")).and_then(first_text);
    if let Some(country) = country.filter(|_| !address.is_empty())
        && !address.contains(&country)
    {
        address.push(country);
    }
    address.truncate(ADDRESS_LINES);
    (address, has_street)
}

/// Post box, extension and street, each on a line; then postcode and town; region; country.
fn structured(value: &Value) -> (Vec<String>, bool) {
    let Value::Array(parts) = value else {
        let text: Vec<String> = scalar(value).iter().flat_map(|text| lines(text)).collect();
        let is_told = !text.is_empty();
        return (text, is_told);
    };
    let part = |index: usize| -> Vec<String> {
        let texts = match parts.get(index) {
            Some(Value::Array(texts)) => texts.iter().filter_map(scalar).collect(),
            Some(value) => scalar(value).into_iter().collect::<Vec<_>>(),
            None => Vec::new(),
        };
        texts.iter().flat_map(|text| lines(text)).collect()
    };
    let mut address = [part(0), part(1), part(2)].concat();
    let has_street = !address.is_empty();
    let town = [part(5), part(3)].concat().join(" ");
    address.extend((!town.is_empty()).then_some(town));
    address.extend(part(4));
    address.extend(part(6));
    (address, has_street)
}

/// The lines of a text, placeholders left out.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| is_value(line)).map(str::to_owned).collect()
}
