//! Tells a registry's key for a contact from a name.

use super::hosts::host;

/// `ABC1-FRNIC`, `SGNIC-ORG123`, `30123456789`: a key of a registry, not a name.
pub(super) fn looks_like_handle(value: &str) -> bool {
    let shaped = value.len() >= 3
        && value.len() <= 64
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
        && value.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !shaped {
        return false;
    }
    // `uni.example-dom` is the key of a domain, although it could be a host.
    let of_domain = value.rsplit_once('-').is_some_and(|(_, end)| end.eq_ignore_ascii_case("dom"));
    if of_domain || host(value).is_some() {
        return of_domain;
    }
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let (start, last) = value.rsplit_once(['-', '_', ':']).unwrap_or(("", value));
    let capitals = !value.bytes().any(|byte| byte.is_ascii_lowercase());
    match (digits, start) {
        (0, "") => false,
        // Names in capitals have hyphens too; only the mark of a registry makes a handle of them.
        (0, _) => capitals && has_registry_mark(last),
        // An organisation in RPSL, whatever registry gave the key.
        (_, _) if capitals && value.starts_with("ORG-") => true,
        (_, "") => digits >= 3 && value.len() > 4 && (capitals || digits * 2 >= value.len()),
        (_, _) => digits >= 3 || has_registry_mark(last) || (capitals && is_country(last)),
    }
}

fn is_country(end: &str) -> bool {
    end.len() == 2 && end.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// `FRNIC`, `RIPE`, `DOM`: how registries end their handles.
fn has_registry_mark(end: &str) -> bool {
    let end = end.to_ascii_uppercase();
    end.ends_with("NIC")
        || ["RIPE", "ARIN", "AP", "DOM", "HST", "ORG", "IEDR", "METU"].contains(&end.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_and_names() {
        #[rustfmt::skip]
        let cases = [
            ("ABC1-FRNIC",      true),
            ("FOO-0001",        true),
            ("SGNIC-ORG123",    true),
            ("muster12-00001",  true),
            ("30123456789",     true),
            ("G123456",         true),
            ("ORG-MU1-RIPE",    true),
            ("MUSTER-DOM",      true),
            ("uni.example-dom", true),
            ("Musterstadt",     false),
            ("IBM",             false),
            ("Coca-Cola",       false),
            ("T-MOBILE",        false),
            ("STUDIO54",        false),
            ("RADIO-21",        false),
            ("DA1-IS",          true),
            ("3M",              false),
            ("booking.com",     false),
            ("Jane Doe",        false),
        ];
        for (value, expected) in cases {
            assert_eq!(looks_like_handle(value), expected, "{value}");
        }
    }
}
