//! Amounts of data as people write them: `500 KB`, `1 GB`, `1.5 GiB`.
//!
//! KB, MB, GB and TB are powers of 1000, KiB and its kin powers of 1024, as disks and standards
//! count them. A bare number is refused in texts, as for times; only zero needs no unit.

/// `1.2 GB`: rounded for people.
pub(crate) use auslese_statistics::size_text as format;

/// What may be written, for messages and help texts.
pub(crate) const FORM: &str = "an amount of data such as \"500 KB\", \"1 GB\" or \"1 GiB\"";

const UNITS: &[(&str, u64)] = &[
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// Reads an amount of data in bytes; the error says what is wrong, in lower case.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    if text == "0" {
        return Ok(0);
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim();
    if number.is_empty() {
        return Err(format!("expected {FORM}"));
    }
    let bytes = bytes_of(unit).ok_or_else(|| match unit {
        "" => "the unit is missing: B, KB, MB, GB, TB, KiB, MiB, GiB or TiB".to_owned(),
        unit => format!("unknown unit `{unit}`: use B, KB, MB, GB, TB, KiB, MiB, GiB or TiB"),
    })?;
    let too_large = || "larger than a database can count".to_owned();
    // Whole numbers stay exact; fractions are rounded to a byte.
    let amount = match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(bytes).ok_or_else(too_large)?,
        Err(_) => {
            let number: f64 = number.parse().map_err(|_| format!("expected {FORM}"))?;
            // A float cast saturates, so that the check below also catches infinity.
            (number * bytes as f64).round() as u64
        }
    };
    // The catalog counts in signed 64 bits.
    if amount > i64::MAX as u64 { Err(too_large()) } else { Ok(amount) }
}

fn bytes_of(unit: &str) -> Option<u64> {
    let unit = unit.to_ascii_lowercase();
    UNITS.iter().find(|(name, _)| *name == unit).map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn readings() {
        #[rustfmt::skip]
        let cases = [
            ("0",           Some(0)),
            ("0 B",         Some(0)),
            ("500 KB",      Some(500_000)),
            ("500kb",       Some(500_000)),
            ("1 GB",        Some(1_000_000_000)),
            ("1 GiB",       Some(1_073_741_824)),
            ("1.5 MB",      Some(1_500_000)),
            ("9223372036854775807 B", Some(9_223_372_036_854_775_807)),
            ("500",         None),
            ("GB",          None),
            ("",            None),
            ("1 EB",        None),
            ("-1 GB",       None),
            ("99999999999999999999 TB", None),
            ("9999999999.9 TB", None),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse(text).ok(), bytes, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".*") {
            let _ = parse(&text);
        }
    }
}
