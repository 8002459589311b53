//! Numbers as XPath 1.0 reads, writes and rounds them.

use super::tokens::is_white;

/// The number a text stands for: digits with a point and a minus sign, nothing else.
pub(super) fn from_text(text: &str) -> f64 {
    let text = text.trim_matches(is_white);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !plain || !digits.bytes().any(|byte| byte.is_ascii_digit()) {
        return f64::NAN;
    }
    text.parse().unwrap_or(f64::NAN)
}

/// The number without an exponent, and without a point if it is whole.
pub(super) fn to_text(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else if number == 0.0 {
        "0".to_owned()
    } else {
        number.to_string()
    }
}

/// The nearest whole number; of two equally near, the greater.
pub(super) fn round(number: f64) -> f64 {
    if number.fract() == -0.5 { number.ceil() } else { number.round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading() {
        #[rustfmt::skip]
        let cases = [
            ("12", 12.0), ("-12.5", -12.5), (" 3 ", 3.0), (".5", 0.5), ("5.", 5.0), ("\n7\t", 7.0), ("-.5", -0.5),
        ];
        for (text, expected) in cases {
            assert_eq!(from_text(text), expected, "{text}");
        }
        for text in [
            "", " ", "a", "1e3", "+1", "- 1", "--1", "1 2", ".", "-", "1.2.3", "0x1", "inf", "NaN",
            "1,5",
        ] {
            assert!(from_text(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn writing() {
        #[rustfmt::skip]
        let cases = [
            (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-1.0, "-1"), (1.5, "1.5"), (0.1, "0.1"), (1e21, "1000000000000000000000"),
            (1e-7, "0.0000001"), (f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity"),
            (123456789.25, "123456789.25"), (-0.5, "-0.5"),
        ];
        for (number, expected) in cases {
            assert_eq!(to_text(number), expected);
        }
    }

    #[test]
    fn rounding() {
        #[rustfmt::skip]
        let cases = [
            (1.5, 2.0), (2.5, 3.0), (-1.5, -1.0), (-2.5, -2.0), (1.4, 1.0), (-1.6, -2.0), (0.5, 1.0), (0.49999999999999994, 0.0),
            (1e300, 1e300),
        ];
        for (number, expected) in cases {
            assert_eq!(round(number), expected, "{number}");
        }
        assert!(round(-0.5).is_sign_negative() && round(-0.2).is_sign_negative());
        assert!(round(f64::NAN).is_nan());
        assert_eq!(round(f64::INFINITY), f64::INFINITY);
    }
}
