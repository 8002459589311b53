//! Chunked coding done wrong, and corners of it done right.

use super::PAGE;
use crate::answer::{Answer, Step};
use crate::play::chunks;
use std::time::Duration;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n";

/// A size that is no hexadecimal number.
pub fn bad_chunk_size() -> Answer {
    chunked("5\r\nHallo\r\nxyz\r\nWelt\r\n0\r\n\r\n")
}

pub fn negative_chunk_size() -> Answer {
    chunked("-5\r\nHallo\r\n0\r\n\r\n")
}

/// A size that overflows 64 bits.
pub fn huge_chunk_size() -> Answer {
    chunked("ffffffffffffffffff\r\nHallo\r\n0\r\n\r\n")
}

/// No line end where the chunk should be over.
pub fn chunk_longer_than_said() -> Answer {
    chunked("5\r\nHallo, Welt\r\n0\r\n\r\n")
}

/// The connection ends instead of the last chunk.
pub fn missing_last_chunk() -> Answer {
    chunked(&format!("{:x}\r\n{PAGE}\r\n", PAGE.len()))
}

/// An extension after the size: legal, to be ignored.
pub fn chunk_extension() -> Answer {
    let size = PAGE.len();
    chunked(&format!("{size:X};name=\"Wert; 1\"\r\n{PAGE}\r\n000;ende\r\n\r\n"))
}

pub fn endless_chunk_extension() -> Answer {
    let pattern = b"und so weiter "[..].into();
    let first = format!("{HEAD}\r\n5;x=");
    Answer::script([Step::send(first), Step::SendForever { pattern, pause: Duration::ZERO }])
}

/// Header lines after the last chunk: legal.
pub fn chunk_trailers() -> Answer {
    let size = PAGE.len();
    chunked(&format!("{size:x}\r\n{PAGE}\r\n0\r\nX-Pruefsumme: 17\r\nExpires: 0\r\n\r\n"))
}

/// Chunk lines that end with a line feed alone.
pub fn chunks_with_line_feeds() -> Answer {
    chunked(&format!("{:x}\n{PAGE}\n0\n\n", PAGE.len()))
}

/// A coding that does not exist.
pub fn unknown_transfer_coding() -> Answer {
    Answer::raw(format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: zauberei\r\n\r\n{PAGE}"))
}

/// A body in which every byte has its own chunk.
pub fn one_byte_chunks(bytes: usize) -> Answer {
    let mut answer = format!("{HEAD}\r\n").into_bytes();
    answer.extend(chunks(&vec![b'a'; bytes], 1));
    Answer::raw(answer)
}

fn chunked(body: &str) -> Answer {
    Answer::raw(format!("{HEAD}\r\n{body}"))
}
