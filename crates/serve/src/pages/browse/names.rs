//! Names in addresses as people read them.

/// A part of an address with its letters instead of their codes; as it is where that makes no text.
pub(super) fn readable(part: &str) -> String {
    if !part.contains('%') {
        return part.to_owned();
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(part.len()), part.as_bytes());
    while let [first, after @ ..] = rest {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                digit(high)
                    .zip(digit(low))
                    .and_then(|(high, low)| u8::try_from(high * 16 + low).ok())
            }
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    match String::from_utf8(bytes) {
        // A slash or a sign that cannot be seen would make it another name.
        Ok(text) if !text.contains(|c: char| c.is_control() || c == '/') => text,
        _ => part.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_letters() {
        #[rustfmt::skip]
        let cases = [
            ("plain.html", "plain.html"), ("%C3%A4.html", "ä.html"), ("a%20b", "a b"), ("%e4.html", "%e4.html"),
            ("a%2Fb", "a%2Fb"), ("a%00", "a%00"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%C3%A4%", "ä%"),
        ];
        for (part, expected) in cases {
            assert_eq!(readable(part), expected, "{part}");
        }
    }
}
