//! Percent-escapes, as URLs and robots patterns write them (RFC 3986 §2).

/// The byte that a text beginning with `%` escapes; `None` if two digits do not follow.
pub(crate) fn escaped_byte(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    u8::try_from(digit(1)? * 16 + digit(2)?).ok()
}

/// Characters whose escapes mean the same as they do themselves.
pub(crate) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}
