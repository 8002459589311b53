//! Bodies of a size that nobody expects, through the whole stage, in a process that may not have
//! more memory than it should need. `./test --long` makes them fifty times as large.

use super::{auslese, auslese_command, empty, stderr, stdout};
use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

/// Address space of the process that reads the giants, in KiB: some is taken by its threads.
const MEMORY: u64 = 4 * 1024 * 1024;

/// Bytes of a body that are read.
const MAX_READ: usize = 64 << 20;

fn scale() -> usize {
    if std::env::var_os("AUSLESE_LONG").is_some() { 50 } else { 1 }
}

/// A page that is one piece many times over.
struct Giant {
    path: &'static str,
    piece: &'static str,
    count: usize,
    /// What the reason or the trouble says in the long and the short test.
    said: [&'static str; 2],
}

fn write_archive(path: &Path, giants: &[Giant]) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    for Giant { path, piece, count, .. } in giants {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
        let (start, end) = ("<html lang=de><title>groß</title><p>", "<p>Das Ende der Seite.");
        let length = head.len() + start.len() + piece.len() * count + end.len();
        write!(
            file,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{path}>\r\n\
             WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://www.uni.example/{path}\r\n\
             Content-Type: application/http; msgtype=response\r\n\
             Content-Length: {length}\r\n\r\n{head}{start}"
        )
        .unwrap();
        for _ in 0..*count {
            file.write_all(piece.as_bytes()).unwrap();
        }
        write!(file, "{end}\r\n\r\n").unwrap();
    }
}

/// The same command, with a limit on its memory.
fn within_memory(command: &Command) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -v {MEMORY} && exec \"$@\""), "sh"]);
    limited.arg(command.get_program()).args(command.get_args());
    limited.current_dir(command.get_current_dir().unwrap());
    limited
}

#[test]
fn giants_are_read_within_bounds() {
    let tags = 20_000 * scale();
    let giants = [
        // One line of 2 or 100 MB; more than 64 MiB of a body are not read.
        Giant {
            path: "line.html",
            piece: "Donaudampfschifffahrt und so weiter, ohne Zeilenende. ",
            count: 37_000 * scale(),
            said: ["decompressed-size-limit", ""],
        },
        Giant { path: "deep.html", piece: "<div>", count: tags, said: ["nested-too-deep"; 2] },
        Giant { path: "crossed.html", piece: "<b><i>", count: tags, said: ["nested-too-deep"; 2] },
        Giant {
            path: "table.html",
            piece: "<table><td>",
            count: tags,
            said: ["nested-too-deep"; 2],
        },
        Giant { path: "link.html", piece: "<a href=x>", count: tags, said: ["too-many-nodes", ""] },
        Giant {
            path: "open.html",
            piece: "<x a=\"",
            count: tags,
            said: ["too-many-attributes"; 2],
        },
    ];
    let dir = empty();
    let dir = dir.path();
    write_archive(&dir.join("giants.warc"), &giants);
    let import = ["archive", "import", "--link", "giants.warc", "--dir", "h", "--quiet"];
    let output = auslese(dir, &import);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    std::fs::write(dir.join("h/auslese.toml"), "[corpus]\nmax_size = \"none\"\n").unwrap();
    let corpus = auslese_command(dir, &["corpus", "--dir", "h", "--quiet", "--json"]);
    let output = within_memory(&corpus).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["addresses"], giants.len(), "{report}");
    // Half of a body under its whole name would deceive; the file in full length is not written.
    let cut = giants.iter().filter(|giant| giant.piece.len() * giant.count > MAX_READ).count();
    assert_eq!(report["mirror"]["failed"], cut, "{report}");
    assert_eq!(report["mirror"]["written"], giants.len() - cut, "{report}");
    let describe = auslese_command(dir, &["describe", "--dir", "h", "--quiet", "--json"]);
    let output = within_memory(&describe).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let described: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(described["described"], giants.len(), "{described}");

    for giant in &giants {
        let url = format!("http://www.uni.example/{}", giant.path);
        let output = auslese(dir, &["explain", &url, "--dir", "h", "--json"]);
        let told: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let document = &told["corpus"][0];
        let said = giant.said[usize::from(scale() == 1)];
        assert!(document["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{told}");
        assert!(document.to_string().contains(said), "{}: {told}", giant.path);
        assert!(!document.to_string().contains("the program failed"), "{told}");
    }
}
