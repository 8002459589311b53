//! Reads files through the door: real scans, other formats, directories, and what cannot be read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use auslese_discover::{VhostError, VhostFormat, VhostReport, WhyReported, read_vhosts};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vhosts").join(name)
}

fn tree(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

fn names(report: &VhostReport) -> Vec<&str> {
    report.hosts().into_iter().map(|host| host.as_str()).collect()
}

/// What nmap 7.93 and masscan 1.3.2 wrote about the same two servers, in every format they have.
#[test]
fn scans() {
    let told: &[&str] = &["host2.uni.example", "www.uni.example"];
    let certified: &[&str] = &["host2.uni.example", "uni.example", "www.uni.example"];
    #[rustfmt::skip]
    let cases = [
        ("nmap.xml",      VhostFormat::NmapXml,      certified, 1),
        ("nmap.nmap",     VhostFormat::NmapText,     certified, 1),
        ("nmap.gnmap",    VhostFormat::NmapGrepable, told,      0),
        ("masscan.xml",   VhostFormat::NmapXml,      &[],       0),
        ("masscan.gnmap", VhostFormat::NmapGrepable, &[],       0),
        ("masscan.list",  VhostFormat::MasscanList,  &[],       0),
        ("masscan.json",  VhostFormat::MasscanJson,  &[],       0),
    ];
    for (file, format, expected, wildcards) in cases {
        let report = read_vhosts(&fixture("scans").join(file), None).unwrap();
        assert_eq!(report.format, format, "{file}");
        assert_eq!(names(&report), expected, "{file}");
        let mut open: Vec<_> =
            report.addresses.iter().map(|at| (at.address.to_string(), at.ports.clone())).collect();
        open.sort();
        let both = vec![80, 443];
        let expected = [("192.0.2.1".to_owned(), both.clone()), ("192.0.2.2".to_owned(), both)];
        assert_eq!(open, expected, "{file}");
        let mut reported: Vec<_> =
            report.reported.iter().map(|reported| reported.text.as_str()).collect();
        reported.dedup();
        assert_eq!(reported, vec!["*.intern.uni.example"; wildcards], "{file}");
    }
}

#[test]
fn directories_hold_a_main_file() {
    let vhost = "<VirtualHost *:80>\nServerName a.uni.example\n</VirtualHost>\n";
    let copied = "ServerRoot \"/opt/somewhere/else\"\nInclude conf.d/*.conf\n";
    #[rustfmt::skip]
    let cases: [(&[(&str, &str)], VhostFormat); 5] = [
        (&[("apache2.conf", "Include sites/*"), ("sites/a", vhost)],             VhostFormat::ApacheConfig),
        (&[("conf/httpd.conf", copied), ("conf.d/a.conf", vhost)],               VhostFormat::ApacheConfig),
        (&[("apache2.conf", "IncludeOptional /etc/apache2/sites-enabled/*.conf\n"),
           ("sites-enabled/a.conf", vhost)],                                     VhostFormat::ApacheConfig),
        (&[("nginx.conf", "http {\n include /etc/nginx/conf.d/*.conf;\n}\n"),
           ("conf.d/a.conf", "server {\n server_name a.uni.example;\n}\n")],     VhostFormat::NginxConfig),
        (&[("Caddyfile", "import sites/*\n"), ("sites/a", "a.uni.example {\n}")], VhostFormat::Caddyfile),
    ];
    for (files, format) in cases {
        let directory = tree(files);
        let report = read_vhosts(directory.path(), None).unwrap();
        assert_eq!(report.format, format, "{files:?}");
        assert_eq!(names(&report), ["a.uni.example"], "{files:?} {:?}", report.reported);
        assert_eq!(report.files, 2, "{files:?}");
        assert_eq!(report.reported, [], "{files:?}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let directory = tree(&[("letter.txt", "Dear all,\n\nsee you on Monday.\n")]);
    let at = |name: &str| read_vhosts(&directory.path().join(name), None);
    assert!(matches!(at("letter.txt"), Err(VhostError::Unrecognised { .. })));
    assert!(matches!(at("nothing.conf"), Err(VhostError::Io { .. })));
    assert!(matches!(at("."), Err(VhostError::NoMainFile { .. })));
    let report = read_vhosts(&directory.path().join("letter.txt"), Some(VhostFormat::Hosts));
    assert_eq!(report.unwrap().names, []);
}

#[test]
fn hostile_trees_end() {
    let many = "include a/*;\nserver {\n server_name x.uni.example;\n}\n";
    let files: Vec<_> = (0..30).map(|i| (format!("a/{i}"), many)).collect();
    let mut tree_files: Vec<(&str, &str)> = vec![("nginx.conf", "http {\n include a/*;\n}\n")];
    tree_files.extend(files.iter().map(|(name, text)| (name.as_str(), *text)));
    let directory = tree(&tree_files);
    let report = read_vhosts(directory.path(), None).unwrap();
    assert!(report.files <= 10_000);
    assert_eq!(names(&report), ["x.uni.example"]);
    let reasons: Vec<_> = report.reported.iter().map(|reported| reported.why).collect();
    assert!(reasons.contains(&WhyReported::IncludeLoop));
    assert!(reasons.contains(&WhyReported::TooManyFiles));
}

#[test]
fn pipes_and_devices_are_not_read() {
    let directory = tree(&[("nginx.conf", "http {\n include /dev/zero;\n include pipe;\n}\n")]);
    let made = std::process::Command::new("mkfifo").arg(directory.path().join("pipe")).status();
    assert!(made.unwrap().success());
    let report = read_vhosts(directory.path(), None).unwrap();
    let reasons: Vec<_> = report.reported.iter().map(|reported| reported.why).collect();
    assert_eq!(reasons, [WhyReported::UnreadableFile; 2]);
}

#[test]
fn output_of_a_windows_shell() {
    let text = "# configuration file C:/nginx/nginx.conf:\r\nserver {\r\n server_name a.uni.example;\r\n}\r\n";
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("dump.txt");
    fs::write(&file, bytes).unwrap();
    assert_eq!(names(&read_vhosts(&file, None).unwrap()), ["a.uni.example"]);
}

/// Openings that nothing closes made readers look to the end of the file again and again.
#[test]
fn time_grows_with_length_only() {
    let units = [
        "{",
        "{$",
        "${",
        "<<a\n",
        "<a ",
        "<!--",
        "(",
        "\"",
        "[[",
        "Use a\n",
        "Define a ${a}${a}\n",
    ];
    let prefixes = ["", "# configuration file a:\nx_by_lua_block {", "<Macro a $a>\n"];
    let begin = std::time::Instant::now();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("db.uni.example");
    for unit in units {
        for prefix in prefixes {
            let text = format!("{prefix}{}", unit.repeat(100_000 / unit.len()));
            fs::write(&file, text).unwrap();
            for format in VhostFormat::ALL {
                read_vhosts(&file, Some(format)).unwrap();
            }
        }
    }
    // Some seconds without optimisation; many minutes if one of them takes the square of the time.
    assert!(begin.elapsed().as_secs() < 300);
}

#[test]
fn dumps_that_include_everything_end() {
    let part = |i| {
        format!(
            "# configuration file a{i}:\ninclude *;\nserver {{\n server_name x.uni.example;\n}}\n"
        )
    };
    let text: String = (0..500).map(part).collect();
    let directory = tree(&[("dump.txt", &text)]);
    let report = read_vhosts(&directory.path().join("dump.txt"), None).unwrap();
    assert_eq!(report.format, VhostFormat::NginxDump);
    assert_eq!(names(&report), ["x.uni.example"]);
    assert!(report.reported.iter().any(|reported| reported.why == WhyReported::TooManyFiles));
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400), at in 0..14usize) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("db.uni.example");
        fs::write(&file, bytes).unwrap();
        read_vhosts(&file, Some(VhostFormat::ALL[at])).unwrap();
        let _ = read_vhosts(&file, None);
    }
}
