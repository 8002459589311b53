//! A raw header taken apart into its lines, as they came: order, case and odd bytes kept.

/// Name and value of each line after the status line, up to the empty one. A line that goes on with white
/// space belongs to the one before it; a line without a colon has no name. Bytes that are not UTF-8 are
/// read as Latin-1, which is what old servers mean by them.
pub(super) fn header_lines(raw: &[u8]) -> Vec<(Option<String>, String)> {
    let mut found: Vec<(Option<String>, String)> = Vec::new();
    let lines = raw.trim_ascii_start().split(|byte| *byte == b'\n').skip(1);
    for line in lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)) {
        if line.is_empty() {
            break;
        }
        if let (b' ' | b'\t', Some((_, value))) = (line[0], found.last_mut()) {
            value.push(' ');
            value.push_str(&text(line));
            continue;
        }
        found.push(match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (Some(text(&line[..colon])), text(&line[colon + 1..])),
            None => (None, text(line)),
        });
    }
    found
}

fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim().to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(raw: &[u8]) -> Vec<(Option<String>, String)> {
        header_lines(raw)
    }

    fn line(name: &str, value: &str) -> (Option<String>, String) {
        (Some(name.to_owned()), value.to_owned())
    }

    #[test]
    fn lines_as_they_came() {
        let raw = b"\r\nHTTP/1.1 200 OK\r\nserver: caf\xe9/1\r\nSet-Cookie: a=1;\r\n\t b=2\nSet-Cookie:c\r\n\
            no colon here\r\nX-Empty:\r\n\r\nbody: none";
        let expected = [
            line("server", "café/1"),
            line("Set-Cookie", "a=1; b=2"),
            line("Set-Cookie", "c"),
            (None, "no colon here".to_owned()),
            line("X-Empty", ""),
        ];
        assert_eq!(lines(raw), expected);
        assert_eq!(lines(b"HTTP/1.0 200"), []);
        assert_eq!(lines(b""), []);
    }
}
