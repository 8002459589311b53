//! Imports lists through the door, as streams that come in small pieces.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use auslese_discover::{DropReason, ImportFormat, read_import};
use std::io::{self, Read};

/// A source that gives a few bytes at a time, as a pipe may.
struct Drops<R>(R);

impl<R: Read> Read for Drops<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(7);
        self.0.read(&mut buffer[..length])
    }
}

/// Makes a text of many parts without holding it.
fn stream(parts: u64, part: impl Fn(u64) -> String + 'static) -> impl Read {
    let mut left: io::Cursor<Vec<u8>> = io::Cursor::default();
    let mut next = 0;
    struct Parts<F>(F);
    impl<F: FnMut(&mut [u8]) -> io::Result<usize>> Read for Parts<F> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            (self.0)(buffer)
        }
    }
    Parts(move |buffer: &mut [u8]| {
        if left.position() == left.get_ref().len() as u64 && next < parts {
            left = io::Cursor::new(part(next).into_bytes());
            next += 1;
        }
        left.read(buffer)
    })
}

#[test]
fn pieces_do_not_matter() {
    let json = r#"[{"name_value":"a.uni.example\nb.uni.example"},{"common_name":"ü.uni.example"}]"#;
    let csv = "id,common_name,name_value\n1,a.uni.example,\"a.uni.example\nb.uni.example\"\n";
    let cdx = " CDX N b a\nexample,uni,a)/ 20200101000000 http://a.uni.example/\n";
    for text in [json, csv, cdx, "a.uni.example\nb.uni.example"] {
        let whole = read_import(text.as_bytes(), None).unwrap();
        let pieces = read_import(Drops(text.as_bytes()), None).unwrap();
        assert_eq!(whole, pieces);
        assert!(!whole.hosts.is_empty());
    }
}

/// One array on one line, as crt.sh sends it: tens of megabytes, three hosts.
#[test]
fn one_long_line_of_json() {
    let part = |number: u64| {
        let begin = if number == 0 { "[" } else { "," };
        let host = number % 3;
        let padding = "x".repeat(500);
        format!(r#"{begin}{{"name_value":"host{host}.uni.example","issuer_name":"{padding}"}}"#)
    };
    let import = read_import(stream(20_000, part), None).unwrap();
    assert_eq!(import.format, ImportFormat::Json);
    assert_eq!(import.hosts.len(), 3);
    assert!(import.dropped.is_empty());
}

#[test]
fn many_lines_few_hosts() {
    let part = |number: u64| match number % 100 {
        99 => "!! broken\n".to_owned(),
        host => format!(
            "example,uni,h{host})/p{number} 20200101000000 http://h{host}.uni.example/p{number} text/html 200 X - - 1 2 f\n"
        ),
    };
    let import = read_import(stream(50_000, part), None).unwrap();
    assert_eq!(import.format, ImportFormat::Cdx);
    assert_eq!((import.hosts.len(), import.lines), (99, 50_000));
    assert_eq!(import.dropped.get(&DropReason::Malformed), Some(&500));
    assert_eq!(import.reported[0].place, 100);
}
