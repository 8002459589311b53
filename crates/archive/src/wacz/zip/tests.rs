//! What is written is read again; whatever else is in a file is refused, or read within its bounds.

use super::reading::{MAX_ENTRIES, ZipFile};
use super::writing::{Method, ZipWriter};
use super::{CENTRAL_HEADER, END};
use crate::error::{ArchiveError, PackageFault};
use auslese_model::Timestamp;
use proptest::prelude::*;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

type Content = (String, Method, Vec<u8>);

fn zip(entries: &[Content], large: u64) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.zip");
    let file = fs::File::create(&path).unwrap();
    let mut zip = ZipWriter::new(file, Timestamp(0)).with_large_fields_from(large);
    for (name, method, bytes) in entries {
        let put = zip.put(name, *method, &mut bytes.as_slice(), bytes.len() as u64).unwrap();
        assert_eq!(put.size, bytes.len() as u64);
    }
    let (_, length) = zip.finish().unwrap();
    let bytes = fs::read(path).unwrap();
    assert_eq!(bytes.len() as u64, length);
    bytes
}

fn open(bytes: &[u8]) -> Result<ZipFile, ArchiveError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.zip");
    fs::write(&path, bytes).unwrap();
    ZipFile::open(&path)
}

fn fault(bytes: &[u8]) -> String {
    match open(bytes) {
        Err(ArchiveError::Package { fault, .. }) => fault.to_string(),
        other => panic!("{other:?}"),
    }
}

fn stored(name: &str, bytes: &[u8]) -> Content {
    (name.to_owned(), Method::Stored, bytes.to_vec())
}

fn deflated(name: &str, bytes: &[u8]) -> Content {
    (name.to_owned(), Method::Deflated, bytes.to_vec())
}

/// Where the entry of this number is in the directory.
fn central(bytes: &[u8], number: usize) -> usize {
    let mark = CENTRAL_HEADER.to_le_bytes();
    let places = (0..bytes.len() - 4).filter(|at| bytes[*at..at + 4] == mark);
    places.collect::<Vec<_>>()[number]
}

fn contents() -> impl Strategy<Value = Vec<Content>> {
    let method = prop_oneof![Just(Method::Stored), Just(Method::Deflated)];
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..300),
        (any::<u8>(), 0usize..5000).prop_map(|(byte, count)| vec![byte; count]),
    ];
    let entries = prop::collection::btree_map("[a-z]{1,8}(/[a-zä.]{1,8}x)?", (method, bytes), 0..6);
    entries.prop_map(|entries| {
        entries.into_iter().map(|(name, (method, bytes))| (name, method, bytes)).collect()
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(entries in contents(), large in prop_oneof![Just(u64::from(u32::MAX)), 0u64..2000]) {
        let bytes = zip(&entries, large);
        let read = open(&bytes).unwrap();
        prop_assert_eq!(read.entries.len(), entries.len());
        for (name, _, content) in &entries {
            let mut out = Vec::new();
            let unpacked = read.unpack(read.entry(name).unwrap(), &mut out).unwrap();
            prop_assert_eq!(unpacked.fault, None);
            prop_assert_eq!(&out, content);
        }
    }

    #[test]
    fn damaged_files_end_in_refusal_or_within_bounds(
        entries in contents(),
        large in prop_oneof![Just(u64::from(u32::MAX)), 0u64..2000],
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
        more in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut bytes = zip(&entries, large);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes.extend(more);
        if let Ok(zip) = open(&bytes) {
            for entry in &zip.entries {
                let mut out = Bounded { left: entry.size };
                let unpacked = zip.unpack(entry, &mut out).unwrap();
                prop_assert!(unpacked.size <= entry.size);
            }
        }
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400), end in any::<bool>()) {
        let mut bytes = bytes;
        if end && bytes.len() > 26 {
            // With a mark at the right place the numbers behind it are read.
            let at = bytes.len() - 22;
            bytes[at..at + 4].copy_from_slice(&END.to_le_bytes());
            bytes[at + 20..].fill(0);
        }
        let _ = open(&bytes);
    }
}

/// Takes what was promised, and fails if there is more.
struct Bounded {
    left: u64,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn names_that_lead_elsewhere() {
    for name in ["../a", "a/../b", "/etc/passwd", "a\\b", "..", "a//b", "./a", "a\nb"] {
        let message = fault(&zip(&[stored(name, b"x")], u64::MAX));
        assert!(message.contains("its name"), "{name}: {message}");
    }
    let twice = zip(&[stored("a", b"x"), stored("a", b"y")], u64::MAX);
    assert!(fault(&twice).contains("occurs twice"));
    let long = "x".repeat(2000);
    assert!(fault(&zip(&[stored(&long, b"x")], u64::MAX)).contains("too long"));
    // Folders are passed over.
    assert_eq!(open(&zip(&[stored("a/", b""), stored("a/b", b"x")], 99)).unwrap().entries.len(), 1);
}

/// One number of the directory is changed at a time.
#[test]
fn directories_that_lie() {
    let whole =
        zip(&[stored("a", b"first"), deflated("b", &[7; 1000]), stored("c", b"x")], u64::MAX);
    #[rustfmt::skip]
    let cases: &[(usize, usize, &[u8], &str)] = &[
        // entry, place, bytes                     what is said
        (0, 8,  &[1, 8],                 "it is encrypted"),
        (0, 10, &[99, 0],                "unknown method"),
        (0, 20, &[4, 0, 0, 0],           "two lengths"),
        (0, 20, &[200, 200, 0, 0],       "two lengths"),
        (1, 20, &[200, 200, 0, 0],       "outside of the file"),
        (1, 24, &[0, 0, 0, 240],         "unpacks to far more"),
        (1, 42, &[1, 0, 0, 0],           "no entry where it should be"),
        (1, 42, &[0, 0, 0, 0],           "another name"),
        (1, 42, &[255, 255, 255, 0],     "outside of the file"),
        (1, 42, &[255, 255, 255, 255],   "cut or has no mark"),
        (1, 20, &[20, 0, 0, 0],          "lies in another entry"),
        (2, 28, &[200, 0],               "cut or has no mark"),
    ];
    for (entry, place, change, message) in cases {
        let mut bytes = whole.clone();
        let at = central(&bytes, *entry) + place;
        bytes[at..at + change.len()].copy_from_slice(change);
        let said = fault(&bytes);
        assert!(said.contains(message), "{entry} {place}: {said}");
    }
    let end = whole.len() - 22;
    #[rustfmt::skip]
    let cases: &[(usize, &[u8], &str)] = &[
        (8,  &[2, 0, 2, 0],              "another number of entries"),
        (10, &[4, 0],                    "several disks"),
        (12, &[0, 0, 0, 0],              "does not lie where"),
        (16, &[0, 0, 0, 0],              "does not lie where"),
        (20, &[1, 0],                    "no zip directory"),
    ];
    for (place, change, message) in cases {
        let mut bytes = whole.clone();
        bytes[end + place..][..change.len()].copy_from_slice(change);
        let said = fault(&bytes);
        assert!(said.contains(message), "{place}: {said}");
    }
}

#[test]
fn entries_that_lie() {
    let whole = zip(&[deflated("b", &[7; 1000]), stored("a", b"first")], u64::MAX);
    #[rustfmt::skip]
    let cases: &[(usize, usize, &[u8], Option<&str>)] = &[
        (0, 24, &[232, 3, 0, 0],  None),
        (0, 24, &[231, 3, 0, 0],  Some("longer than the directory says")),
        (0, 24, &[233, 3, 0, 0],  Some("ends too early")),
        (0, 16, &[0, 0, 0, 0],    Some("check sum is wrong")),
        (1, 16, &[0, 0, 0, 0],    Some("check sum is wrong")),
    ];
    for (entry, place, change, message) in cases {
        let mut bytes = whole.clone();
        let at = central(&bytes, *entry) + place;
        bytes[at..at + change.len()].copy_from_slice(change);
        let zip = open(&bytes).unwrap();
        let unpacked = zip.unpack(&zip.entries[*entry], &mut Bounded { left: 1001 }).unwrap();
        match (message, unpacked.fault) {
            (None, None) => {}
            (Some(message), Some(said)) if said.contains(message) => {}
            other => panic!("{entry} {place}: {other:?}"),
        }
    }
}

/// A directory that claims to be larger than any memory, and one with more entries than anybody needs.
#[test]
fn directories_without_measure() {
    let large = zip(&[stored("a", b"x")], 0);
    let end_64 = large.len() - 22 - 20 - 56;
    for (place, number, message) in [
        (32, MAX_ENTRIES + 1, "has 100001 entries"),
        (40, u64::MAX, "does not lie where"),
        (48, u64::MAX, "does not lie where"),
    ] {
        let mut bytes = large.clone();
        bytes[end_64 + place..][..8].copy_from_slice(&number.to_le_bytes());
        if place == 32 {
            bytes[end_64 + 24..][..8].copy_from_slice(&number.to_le_bytes());
        }
        let said = fault(&bytes);
        assert!(said.contains(message), "{place}: {said}");
    }
    let mut bytes = large.clone();
    let locator = large.len() - 22 - 20;
    bytes[locator + 8..][..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(fault(&bytes).contains("outside of the file"));
}

#[test]
fn no_zip_file_at_all() {
    for bytes in [&b""[..], b"PK", b"PK\x03\x04", &[0; 100]] {
        let refused = open(bytes);
        assert!(
            matches!(refused, Err(ArchiveError::Package { fault: PackageFault::NoDirectory, .. })),
            "{refused:?}"
        );
    }
    assert!(!ZipFile::is_one(Path::new("/dev/null")).unwrap());
}

/// Another reader, with large fields and without.
#[test]
fn python_reads_it_too() {
    let Some(python) = std::env::var_os("AUSLESE_PYTHON") else {
        if let Some(path) = std::env::var_os("AUSLESE_SKIPS") {
            let file = fs::File::options().create(true).append(true).open(path);
            writeln!(file.unwrap(), "zip::python_reads_it_too: AUSLESE_PYTHON is not set").unwrap();
        }
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let entries = [stored("a/ä.txt", b"first"), deflated("b", &[7; 100_000]), stored("c", b"")];
    let code = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n\
                assert z.namelist() == ['a/ä.txt', 'b', 'c'], z.namelist()\n\
                assert z.read('a/ä.txt') == b'first' and z.read('b') == bytes([7]) * 100000\n\
                assert z.infolist()[0].date_time == (2026, 11, 15, 21, 40, 6), z.infolist()";
    for large in [0, 6, 50, u64::from(u32::MAX)] {
        let path = dir.path().join("a.zip");
        let at = crate::read_date("2026-11-15T21:40:07Z").unwrap();
        let mut zip =
            ZipWriter::new(fs::File::create(&path).unwrap(), at).with_large_fields_from(large);
        for (name, method, bytes) in &entries {
            zip.put(name, *method, &mut bytes.as_slice(), bytes.len() as u64).unwrap();
        }
        zip.finish().unwrap();
        let command = std::process::Command::new(&python).args(["-c", code]).arg(&path).output();
        let output = command.unwrap();
        assert!(output.status.success(), "{large}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
