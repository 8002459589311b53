//! Compares our reading of configurations with what the servers themselves make of them.
//!
//! Each directory below `vhosts/apache`, `vhosts/nginx` and `vhosts/caddy` is a configuration that
//! the real program accepts; beside it lies what the program printed about it (the path of the copy
//! it was run on replaced by `/srv/NAME`). The reading of the tree, the reading of the output, and a
//! plain filter over the output must agree. If the program is installed it is run again; it needs no
//! root, opens no port that stays open, and ends by itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use auslese_discover::{VhostFormat, VhostReport, WhyReported, read_vhosts};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

type Signs = BTreeSet<String>;

#[test]
fn apache_as_captured() {
    let trees = trees("apache");
    assert!(trees.len() >= 5);
    for tree in trees {
        let printed = fs::read_to_string(tree.with_extension("txt")).unwrap();
        check_apache(&tree, &printed);
    }
}

#[test]
fn apache_as_the_server_says() {
    let Some(server) = installed(&["apache2", "httpd"], "-v") else {
        return skip("apache_as_the_server_says", "apache2 is not installed");
    };
    let modules = ["/usr/lib/apache2/modules", "/usr/lib64/httpd/modules", "/usr/libexec/apache2"];
    let Some(modules) = modules.iter().map(Path::new).find(|directory| directory.is_dir()) else {
        return skip("apache_as_the_server_says", "the modules of apache2 are not found");
    };
    for tree in trees("apache") {
        let copy = copied(&tree);
        let root = copy.path();
        std::os::unix::fs::symlink(modules, root.join("modules")).unwrap();
        fs::create_dir(root.join("logs")).unwrap();
        fs::create_dir(root.join("run")).unwrap();
        // What a start script exports, the program finds in its environment.
        let script = "if [ -f envvars ]; then . ./envvars; fi; exec \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, "sh", &server, "-S", "-d", text(root), "-f"])
            .arg(apache_main(root))
            .current_dir(root)
            .env_clear()
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        check_apache(root, &printed);
    }
}

fn check_apache(tree: &Path, printed: &str) {
    let raw = read_vhosts(&apache_main(tree), None).unwrap();
    assert_eq!(raw.format, VhostFormat::ApacheConfig);
    let told = read_text(printed);
    assert_eq!(told.format, VhostFormat::ApacheDump);
    // The main server is printed only where it answers for a virtual host.
    let main = "ServerName (main server)";
    let names = raw.names.iter().filter(|found| found.directive != main);
    let names = names.map(|found| found.name.as_str().to_owned());
    let raw_signs: Signs = names.chain(other_signs(&raw)).collect();
    assert_eq!(raw_signs, signs(&told), "{}", tree.display());
    assert_eq!(raw_signs, filtered_apache(printed), "{}", tree.display());
}

/// Whatever `apachectl -S` prints in the place of a name.
fn filtered_apache(printed: &str) -> Signs {
    let lines = printed.lines().take_while(|line| !line.starts_with("ServerRoot:"));
    let name = |line: &str| {
        let text = ["wild alias ", "alias ", "namevhost "]
            .iter()
            .find_map(|word| line.split_once(word).map(|(_, text)| text))
            .or_else(|| line.contains(" (/").then(|| line.split_whitespace().nth(1))?)?;
        let text = text.split(" (").next()?.trim().trim_end_matches('.');
        Some(text.to_ascii_lowercase())
    };
    lines.filter(|line| !line.contains("default server")).filter_map(name).collect()
}

fn apache_main(root: &Path) -> PathBuf {
    let names = ["apache2.conf", "httpd.conf", "conf/httpd.conf"];
    names.iter().map(|name| root.join(name)).find(|file| file.is_file()).unwrap()
}

#[test]
fn nginx_as_captured() {
    let trees = trees("nginx");
    assert!(trees.len() >= 5);
    for tree in trees {
        let printed = fs::read_to_string(tree.with_extension("txt")).unwrap();
        check_nginx(&tree, &printed);
    }
}

#[test]
fn nginx_as_the_server_says() {
    let Some(server) = installed(&["nginx"], "-v") else {
        return skip("nginx_as_the_server_says", "nginx is not installed");
    };
    for tree in trees("nginx") {
        let copy = copied(&tree);
        let (printed, complaints) = run_nginx(&server, copy.path());
        if complaints.contains("Address family not supported") {
            return skip("nginx_as_the_server_says", "this machine has no IPv6");
        }
        assert!(complaints.contains("test is successful"), "{complaints}");
        let raw = check_nginx(copy.path(), &printed);
        check_conflicts(&server, copy.path(), &raw);
    }
}

fn check_nginx(tree: &Path, printed: &str) -> VhostReport {
    let raw = read_vhosts(&tree.join("nginx.conf"), None).unwrap();
    assert_eq!(raw.format, VhostFormat::NginxConfig);
    let told = read_text(printed);
    assert_eq!(told.format, VhostFormat::NginxDump);
    assert_eq!(signs(&raw), signs(&told), "{}", tree.display());
    let places = |report: &VhostReport| -> Vec<_> {
        let place = |place: &auslese_discover::Place| {
            let file = Path::new(&place.file).file_name().unwrap().to_owned();
            (file, place.line)
        };
        report.names.iter().map(|found| (found.name.clone(), place(&found.place))).collect()
    };
    assert_eq!(places(&raw), places(&told), "{}", tree.display());
    let named: Signs = signs(&raw).into_iter().filter(|sign| sign.contains('.')).collect();
    let named: Signs = named.into_iter().filter(|sign| !sign.starts_with('~')).collect();
    assert_eq!(named, filtered_nginx(printed), "{}", tree.display());
    raw
}

/// Every word of the output that looks like a host; those that are none have `away` in them.
fn filtered_nginx(printed: &str) -> Signs {
    let printed = printed.to_ascii_lowercase();
    let words = printed.split(|c: char| c.is_whitespace() || "\";'".contains(c));
    let hosts = words.filter(|word| {
        let ends = [".example", ".example.", ".*", "192.0.2.5"];
        ends.iter().any(|end| word.ends_with(end)) && !word.contains("away") && !word.contains('/')
    });
    let mut signs = Signs::new();
    for host in hosts.map(|host| host.trim_end_matches('.').to_owned()) {
        match host.strip_prefix('.') {
            Some(below) => signs.extend([below.to_owned(), format!("*.{below}")]),
            None => drop(signs.insert(host)),
        }
    }
    signs
}

/// Asks nginx itself whether it has a server of each name we found: a second one of the same name
/// at the same address makes it complain.
fn check_conflicts(server: &str, root: &Path, raw: &VhostReport) {
    let mut at: BTreeMap<String, Signs> = BTreeMap::new();
    for found in &raw.names {
        for listen in &found.listens {
            let port = listen.port.unwrap();
            let endpoint = match listen.address {
                Some(address) => std::net::SocketAddr::new(address, port).to_string(),
                None => port.to_string(),
            };
            at.entry(endpoint).or_default().insert(found.name.as_str().to_owned());
        }
    }
    let mut servers = String::new();
    for (endpoint, names) in &at {
        let names = names.iter().cloned().collect::<Vec<_>>().join(" ");
        servers.push_str(&format!("server {{ listen {endpoint}; server_name {names}; }}\n"));
    }
    fs::create_dir(root.join("check")).unwrap();
    fs::write(root.join("check/again.conf"), servers).unwrap();
    let (_, complaints) = run_nginx(server, root);
    let conflict = |line: &str| {
        let (_, rest) = line.split_once("conflicting server name \"")?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let conflicts: Signs = complaints.lines().filter_map(conflict).collect();
    let expected: Signs = at.into_values().flatten().collect();
    assert_eq!(conflicts, expected, "{complaints}");
}

/// What `nginx -T` prints, and what it complains about.
fn run_nginx(server: &str, root: &Path) -> (String, String) {
    let output = Command::new(server)
        .args(["-T", "-c", text(&root.join("nginx.conf")), "-p", text(root)])
        .args(["-e", text(&root.join("error.log"))])
        .args(["-g", &format!("pid {}/nginx.pid;", text(root))])
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn caddy_as_captured() {
    for tree in trees("caddy") {
        let printed = fs::read_to_string(tree.with_extension("json")).unwrap();
        check_caddy(&tree, &printed);
    }
}

#[test]
fn caddy_as_the_server_says() {
    let Some(server) = installed(&["caddy"], "version") else {
        return skip("caddy_as_the_server_says", "caddy is not installed");
    };
    for tree in trees("caddy") {
        let output = Command::new(&server)
            .args(["adapt", "--adapter", "caddyfile", "--config", "Caddyfile"])
            .current_dir(&tree)
            .env_remove("EXTRA_SITE")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        check_caddy(&tree, &String::from_utf8(output.stdout).unwrap());
    }
}

fn check_caddy(tree: &Path, printed: &str) {
    let raw = read_vhosts(tree, None).unwrap();
    assert_eq!(raw.format, VhostFormat::Caddyfile);
    let told = read_text(printed);
    assert_eq!(told.format, VhostFormat::CaddyJson);
    assert_eq!(signs(&raw), signs(&told), "{}", tree.display());
    let words = printed.split('"').filter(|word| word.ends_with(".uni.example"));
    let filtered: Signs =
        words.filter(|word| !word.starts_with("not-")).map(str::to_owned).collect();
    let uni = printed.contains("\"uni.example\"").then(|| "uni.example".to_owned());
    assert_eq!(signs(&raw), filtered.into_iter().chain(uni).collect(), "{}", tree.display());
}

#[test]
fn zone_as_captured() {
    let zones = fixtures().join("zones");
    let printed = fs::read_to_string(zones.join("uni.example.compiled")).unwrap();
    check_zone(&zones.join("db.uni.example"), &printed);
}

#[test]
fn zone_as_bind_says() {
    let Some(program) = installed(&["named-compilezone"], "-v") else {
        return skip("zone_as_bind_says", "named-compilezone is not installed");
    };
    let zones = fixtures().join("zones");
    let output = Command::new(program)
        .args(["-k", "ignore", "-n", "ignore", "-i", "none", "-r", "ignore", "-o", "-"])
        .args(["uni.example", "db.uni.example"])
        .current_dir(&zones)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    check_zone(&zones.join("db.uni.example"), &String::from_utf8(output.stdout).unwrap());
}

fn check_zone(zone: &Path, printed: &str) {
    let raw = read_vhosts(zone, None).unwrap();
    assert_eq!(raw.format, VhostFormat::Zone);
    let told = read_text(printed);
    assert_eq!(told.format, VhostFormat::Zone);
    assert_eq!(signs(&raw), signs(&told));
    let owner = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let counts = ["A", "AAAA", "CNAME"].contains(words.get(3)?);
        counts.then(|| words[0].trim_end_matches('.').to_ascii_lowercase())
    };
    let owners: Signs = printed.lines().filter_map(owner).collect();
    let named = |sign: &String| sign != "math.uni.example";
    assert_eq!(signs(&raw).into_iter().filter(named).collect::<Signs>(), owners);
}

/// Names, and what stands in the place of names.
fn signs(report: &VhostReport) -> Signs {
    let names = report.names.iter().map(|found| found.name.as_str().to_owned());
    names.chain(other_signs(report)).collect()
}

fn other_signs(report: &VhostReport) -> Signs {
    use WhyReported::*;
    let of_names =
        [Wildcard, Regex, CatchAll, Variable, Unqualified, Service, Unreadable, Delegated];
    let reported = report.reported.iter().filter(|reported| of_names.contains(&reported.why));
    let reported = reported.map(|reported| reported.text.to_ascii_lowercase());
    let addresses = report.addresses.iter().map(|found| found.address.to_string());
    reported.chain(addresses).collect()
}

fn read_text(text: &str) -> VhostReport {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("printed.txt");
    fs::write(&file, text).unwrap();
    read_vhosts(&file, None).unwrap()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vhosts")
}

fn trees(server: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(fixtures().join(server)).unwrap();
    let mut trees: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    trees.retain(|path| path.is_dir());
    trees.sort();
    trees
}

/// A copy that the server may write into.
fn copied(tree: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_into(tree, copy.path());
    copy
}

fn copy_into(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).unwrap();
            copy_into(&entry.path(), &target);
        } else {
            fs::write(target, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

/// The first of some programs that can be run.
fn installed(names: &[&str], version: &str) -> Option<String> {
    let paths = names.iter().flat_map(|name| [(*name).to_owned(), format!("/usr/sbin/{name}")]);
    let mut paths = paths.filter(|path| Command::new(path).arg(version).output().is_ok());
    paths.next()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Says that a test could not be done, and why.
fn skip(test: &str, why: &str) {
    eprintln!("skipped: {test}: {why}");
    if let Some(path) = std::env::var_os("AUSLESE_SKIPS").map(PathBuf::from) {
        let mut file = fs::File::options().append(true).create(true).open(path).unwrap();
        writeln!(file, "{test}: {why}").unwrap();
    }
}
