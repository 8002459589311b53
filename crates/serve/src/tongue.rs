//! The languages of the front end. Both wordings of a text stand side by side where it is used, so that neither can be
//! forgotten and a page can be read as it will look.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tongue {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "de")]
    German,
}

impl Tongue {
    /// The wording in this language.
    pub(crate) fn say<T>(self, english: T, german: T) -> T {
        match self {
            Tongue::English => english,
            Tongue::German => german,
        }
    }

    pub(crate) fn tag(self) -> &'static str {
        self.say("en", "de")
    }

    pub(crate) fn of_tag(tag: &str) -> Option<Tongue> {
        match tag {
            "en" => Some(Tongue::English),
            "de" => Some(Tongue::German),
            _ => None,
        }
    }

    /// The first language of an `Accept-Language` header that the front end speaks, by its order and weights.
    pub(crate) fn accepted(header: &str) -> Option<Tongue> {
        let mut wished: Vec<(f32, Tongue)> = Vec::new();
        for part in header.split(',').take(MAX_ACCEPTED) {
            let (tag, rest) = part.split_once(';').unwrap_or((part, ""));
            let weight = rest.trim().strip_prefix("q=").map_or(Some(1.0), |q| q.parse().ok());
            let primary = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            if let (Some(tongue), Some(weight)) = (Tongue::of_tag(&primary), weight) {
                wished.push((weight, tongue));
            }
        }
        // A stable sort: of equal wishes the first counts.
        wished.sort_by(|a, b| b.0.total_cmp(&a.0));
        wished.first().map(|(_, tongue)| *tongue)
    }

    /// A number with its thousands apart.
    pub(crate) fn number(self, number: u64) -> String {
        self.grouped(&number.to_string())
    }

    /// Digits in groups of three.
    fn grouped(self, digits: &str) -> String {
        let mut text = String::with_capacity(digits.len() + digits.len() / 3);
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push_str(self.say(",", "."));
            }
            text.push(digit);
        }
        text
    }

    /// A number with some digits after the point, or comma.
    pub(crate) fn decimal(self, number: f64, digits: usize) -> String {
        if !number.is_finite() {
            return number.to_string();
        }
        let sign = if number.is_sign_negative() { "-" } else { "" };
        let text = format!("{:.digits$}", number.abs());
        match text.split_once('.') {
            Some((whole, part)) => {
                format!("{sign}{}{}{part}", self.grouped(whole), self.say(".", ","))
            }
            None => format!("{sign}{}", self.grouped(&text)),
        }
    }

    /// A size for people.
    pub(crate) fn size(self, bytes: u64) -> String {
        const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
        let mut value = bytes as f64;
        let mut unit = 0;
        while value >= 999.5 && unit + 1 < UNITS.len() {
            value /= 1000.0;
            unit += 1;
        }
        let digits = if unit == 0 || value >= 99.95 { 0 } else { 1 };
        format!("{}\u{a0}{}", self.decimal(value, digits), UNITS[unit])
    }
}

/// Languages of a header that are looked at.
const MAX_ACCEPTED: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_weighed() {
        #[rustfmt::skip]
        let cases = [
            ("de-DE,de;q=0.9,en;q=0.8", Some(Tongue::German)),
            ("fr, en;q=0.3, de;q=0.7",  Some(Tongue::German)),
            ("en-GB, de",               Some(Tongue::English)),
            ("fr, it",                  None),
            ("de;q=x, en;q=0.1",        Some(Tongue::English)),
            ("",                        None),
        ];
        for (header, expected) in cases {
            assert_eq!(Tongue::accepted(header), expected, "{header}");
        }
    }

    #[test]
    fn numbers_as_people_write_them() {
        assert_eq!(Tongue::German.number(1_234_567), "1.234.567");
        assert_eq!(Tongue::English.number(999), "999");
        assert_eq!(Tongue::German.decimal(0.756, 2), "0,76");
        assert_eq!(Tongue::German.decimal(-27_372.31, 1), "-27.372,3");
        assert_eq!(Tongue::English.decimal(999.96, 1), "1,000.0");
        assert_eq!(Tongue::English.decimal(1_234.5, 0), "1,234");
        assert_eq!(Tongue::English.size(1_500), "1.5\u{a0}kB");
        assert_eq!(Tongue::English.size(999_999), "1.0\u{a0}MB");
        assert_eq!(Tongue::German.size(12), "12\u{a0}B");
    }
}
