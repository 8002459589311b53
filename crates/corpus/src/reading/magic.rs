//! Files known by their first bytes.
//!
//! Only what is not text, or text that is no prose (PostScript, RTF). Each entry says which declared
//! types fit it: a type that contains one of the given words.

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Magic {
    pub(super) name: &'static str,
    fitting: &'static [&'static str],
}

impl Magic {
    /// Whether a media type is one for this kind of file.
    pub(super) fn fits(&self, media_type: &str) -> bool {
        self.fitting.iter().any(|word| media_type.contains(word))
    }
}

/// The kind of file that begins like this.
pub(super) fn recognise(start: &[u8]) -> Option<Magic> {
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Some(zip(start));
    }
    let found = TABLE
        .iter()
        .find(|(at, bytes, _, _)| start.get(*at..).is_some_and(|rest| rest.starts_with(bytes)));
    found.map(|(_, _, name, fitting)| Magic { name, fitting })
}

/// Office files are archives: the names of their first members tell them apart.
fn zip(start: &[u8]) -> Magic {
    #[rustfmt::skip]
    const MEMBERS: &[(&[u8], &str, &[&str])] = &[
        (b"application/vnd.oasis.opendocument", "OpenDocument", &["opendocument", "zip"]),
        (b"application/epub+zip",               "EPUB",         &["epub", "zip"]),
        (b"word/",                              "Word (OOXML)", &["officedocument", "msword", "ms-word", "zip"]),
        (b"xl/",                                "Excel (OOXML)", &["officedocument", "ms-excel", "zip"]),
        (b"ppt/",                               "PowerPoint (OOXML)", &["officedocument", "ms-powerpoint", "zip"]),
        (b"[Content_Types].xml",                "Office (OOXML)", &["officedocument", "ms-", "msword", "zip"]),
        (b"META-INF/MANIFEST.MF",               "Java archive", &["java", "jar", "zip"]),
    ];
    let has = |name: &[u8]| start.windows(name.len()).any(|window| window == name);
    let member = MEMBERS.iter().find(|(bytes, _, _)| has(bytes));
    member.map_or(Magic { name: "ZIP", fitting: &["zip", "compressed"] }, |(_, name, fitting)| {
        Magic { name, fitting }
    })
}

type Row = (usize, &'static [u8], &'static str, &'static [&'static str]);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    (0,   b"%PDF-",                  "PDF",            &["pdf"]),
    (0,   b"%!PS",                   "PostScript",     &["postscript", "eps"]),
    (0,   b"\x04%!PS",               "PostScript",     &["postscript", "eps"]),
    (0,   b"\xC5\xD0\xD3\xC6",       "PostScript",     &["postscript", "eps"]),
    (0,   b"\x1B%-12345X",           "printer data",   &["postscript", "pcl", "print"]),
    (0,   b"{\\rtf",                 "RTF",            &["rtf", "msword"]),
    (0,   b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "MS Office", &["msword", "ms-", "excel", "powerpoint", "office"]),
    (0,   b"\xDB\xA5-\0",            "MS Word",        &["msword"]),
    (0,   b"\x31\xBE\0\0",           "MS Word",        &["msword"]),
    (0,   b"\xFFWPC",                "WordPerfect",    &["wordperfect"]),
    (0,   b"GIF87a",                 "GIF",            &["image/gif"]),
    (0,   b"GIF89a",                 "GIF",            &["image/gif"]),
    (0,   b"\xFF\xD8\xFF",           "JPEG",           &["image/jp", "image/pjpeg"]),
    (0,   b"\x89PNG\r\n\x1A\n",      "PNG",            &["image/png", "image/x-png"]),
    (0,   b"II*\0",                  "TIFF",           &["image/tif"]),
    (0,   b"MM\0*",                  "TIFF",           &["image/tif"]),
    (0,   b"\0\0\x01\0",             "icon",           &["icon"]),
    (0,   b"8BPS",                   "Photoshop",      &["photoshop", "psd"]),
    (0,   b"AT&TFORM",               "DjVu",           &["djvu"]),
    (0,   b"\xF7\x02",               "DVI",            &["dvi"]),
    (0,   b"\x1F\x8B",               "gzip",           &["gzip", "tgz", "gtar", "compressed"]),
    (0,   b"\x1F\x9D",               "compress",       &["compress"]),
    (0,   b"BZh",                    "bzip2",          &["bzip"]),
    (0,   b"\xFD7zXZ\0",             "xz",             &["xz"]),
    (0,   b"\x28\xB5\x2F\xFD",       "Zstandard",      &["zstd"]),
    (0,   b"7z\xBC\xAF\x27\x1C",     "7-Zip",          &["7z"]),
    (0,   b"Rar!\x1A\x07",           "RAR",            &["rar"]),
    (257, b"ustar",                  "tar",            &["tar"]),
    (2,   b"-lh",                    "LHA",            &["lha", "lzh"]),
    (0,   b"(This file must be converted with BinHex", "BinHex", &["binhex"]),
    (0,   b"\xCA\xFE\xBA\xBE",       "Java class",     &["java"]),
    (0,   b"\x7FELF",                "ELF program",    &["executable", "elf"]),
    (0,   b"MZ\x90",                 "DOS program",    &["msdos", "dosexec", "msdownload", "executable"]),
    (0,   b"FWS",                    "Flash",          &["flash"]),
    (0,   b"CWS",                    "Flash",          &["flash"]),
    (0,   b"RIFF",                   "RIFF",           &["audio/", "video/", "image/webp"]),
    (0,   b"OggS",                   "Ogg",            &["ogg"]),
    (0,   b"fLaC",                   "FLAC",           &["flac"]),
    (0,   b"ID3",                    "MP3",            &["audio/mp", "mpeg"]),
    (0,   b"\xFF\xFB",               "MP3",            &["audio/mp", "mpeg"]),
    (0,   b"\0\0\x01\xBA",           "MPEG",           &["mpeg"]),
    (0,   b"\0\0\x01\xB3",           "MPEG",           &["mpeg"]),
    (4,   b"ftyp",                   "MP4",            &["video/", "audio/", "image/"]),
    (4,   b"moov",                   "QuickTime",      &["video/"]),
    (0,   b"\x1A\x45\xDF\xA3",       "Matroska",       &["video/", "audio/"]),
    (0,   b"\x30\x26\xB2\x75\x8E\x66\xCF\x11", "Windows Media", &["ms-", "wmv", "wma", "asf"]),
    (0,   b".RMF",                   "RealMedia",      &["realmedia", "realaudio"]),
    (0,   b".ra\xFD",                "RealAudio",      &["realaudio"]),
    (0,   b".snd",                   "Sun audio",      &["audio/"]),
    (0,   b"MThd",                   "MIDI",           &["midi"]),
    (0,   b"wOFF",                   "WOFF",           &["font"]),
    (0,   b"wOF2",                   "WOFF",           &["font"]),
    (0,   b"OTTO",                   "OpenType",       &["font"]),
    (0,   b"\0\x01\0\0\0",           "TrueType",       &["font"]),
    (0,   b"SQLite format 3\0",      "SQLite",         &["sqlite"]),
    (0,   b"\x89HDF\r\n\x1A\n",      "HDF5",           &["hdf"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let mut tar = vec![b'a'; 257];
        tar.extend(b"ustar");
        #[rustfmt::skip]
        let cases: &[(&[u8], Option<&str>)] = &[
            (b"%PDF-1.2",                                     Some("PDF")),
            (b"PK\x03\x04....[Content_Types].xml...word/doc", Some("Word (OOXML)")),
            (b"PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.text", Some("OpenDocument")),
            (b"PK\x03\x04....a.txt",                          Some("ZIP")),
            (b"\xCA\xFE\xBA\xBE\0\0",                         Some("Java class")),
            (&tar,                                            Some("tar")),
            (b"GIF",                                          None),
            (b"MZ of the town",                               None),
            (b"",                                             None),
        ];
        for (start, expected) in cases {
            assert_eq!(recognise(start).map(|magic| magic.name), *expected, "{start:?}");
        }
    }

    #[test]
    fn fitting_types() {
        let pdf = recognise(b"%PDF-1.2").unwrap();
        assert!(pdf.fits("application/pdf") && pdf.fits("application/x-pdf"));
        assert!(!pdf.fits("text/html"));
    }
}
