//! The simulated internet as a user meets it: the demo, its network alone, the benchmark.

use super::{auslese, auslese_command, empty, stderr, stdout};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn the_demo_from_its_beginning_to_its_end() {
    let dir = empty();
    let output = auslese(dir.path(), &["demo", "--no-serve"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "    198.18.1.0/24 ",
        "it is held by Forschungsnetz Werth e.V., not by Universität Hohenwerth",
        "  archiv-alpenvorland.example ",
        "  Hohenwerth   http://math.uni-hohenwerth.example ",
        "  Hohenwerth   https://bibliothek.uni-hohenwerth.example ",
        "  Niederau     http://www.fh-niederau.example ",
        "  image/png ",
        "  irregular-date ",
        "  wrong-media-type ",
        " addresses repeat the content of another:\n",
        "/kreis/a → http://www.uni-hohenwerth.example/kreis/b → …\n",
        " robots.txt disallows it: ",
        " the name does not exist ",
        ": sound, ",
        " addresses are in the corpus\n",
        "  1 new, ",
        ", 2 changed, 1 markup, 2 vanished\n",
        "  auslese why http://",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let verify = auslese(dir.path(), &["archive", "verify", "--dir", "auslese-demo"]);
    assert_eq!(verify.status.code(), Some(0), "{}", stdout(&verify));
    let index = fs::read_to_string(dir.path().join("auslese-demo/export/captures.cdxj")).unwrap();
    assert_eq!(index, stdout(&auslese(dir.path(), &["archive", "index", "--dir", "auslese-demo"])));
    let status = auslese(dir.path(), &["status", "--dir", "auslese-demo", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&stdout(&status)).unwrap();
    let of_the_web = |line: &&str| !line.contains("\"dns:");
    assert_eq!(status["captures"], index.lines().filter(of_the_web).count());

    let again = auslese(dir.path(), &["demo"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert!(stderr(&again).contains("note: going on with the demo in auslese-demo"));
    // The front end is started on a terminal only.
    assert!(!stdout(&again).contains("http://127.0.0.1:8470/"), "{}", stdout(&again));
    let strays = index.lines().filter(of_the_web).filter(|line| line.contains("stadt-hohenwerth"));
    let strays = strays.count();
    assert_eq!(strays, 0, "what belongs to neither institution is not touched");
}

#[test]
fn links_redirects_and_names_of_the_demo() {
    let dir = empty();
    let output = auslese(dir.path(), &["demo", "--no-serve"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let links = auslese(dir.path(), &["stats", "links", "--dir", "auslese-demo", "--json"]);
    let links: serde_json::Value = serde_json::from_str(&stdout(&links)).unwrap();
    let most = &links["links"][0];
    assert_eq!(most["document"], "http://www.uni-hohenwerth.example/", "{links}");
    assert!(most["links_in"].as_u64() > Some(50) && most["links_out"].as_u64() > Some(9), "{most}");
    let mirrored = "auslese-demo/mirror/www.uni-hohenwerth.example@http/index.html";
    let mirrored = fs::read_to_string(dir.path().join(mirrored)).unwrap();
    assert!(mirrored.contains("\"../bibliothek.uni-hohenwerth.example/index.html\""));
    assert!(!mirrored.contains("/alt/studium.htm"), "it redirects to a kept document");
    let names = auslese(dir.path(), &["language", "--names", "--dir", "auslese-demo"]);
    assert!(stdout(&names).lines().any(|name| name == "Leuthner"), "{}", stderr(&names));
}

#[test]
fn the_demo_leaves_other_harvests_alone() {
    let dir = empty();
    auslese(dir.path(), &["init", "uni.example", "--dir", "mine"]);
    let output = auslese(dir.path(), &["demo", "--dir", "mine"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: mine is a harvest already, but not that of the demo\n\
         hint: name a new directory with --dir\n"
    );
    fs::write(dir.path().join("net.toml"), "[net]\n").unwrap();
    let output = auslese(dir.path(), &["demo", "--net-only", "--net", "net.toml"]);
    assert_eq!(output.status.code(), Some(2), "a file of somebody's own is not overwritten");
    assert_eq!(fs::read_to_string(dir.path().join("net.toml")).unwrap(), "[net]\n");
}

#[test]
fn other_commands_on_the_simulated_internet() {
    let dir = empty();
    let mut net = auslese_command(dir.path(), &["demo", "--net-only"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was built");
    let mut lines = BufReader::new(net.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("auslese-net.toml leads to it"), "{first}");
    assert!(dir.path().join("auslese-net-ca.pem").is_file());
    for seed in ["http://www.fh-niederau.example/", "https://bibliothek.uni-hohenwerth.example/"] {
        let args = ["crawl", seed, "--delay", "0", "--quiet", "--net", "../auslese-net.toml"];
        let harvest = tempfile::tempdir_in(dir.path()).unwrap();
        let output = auslese(harvest.path(), &args);
        assert_eq!(output.status.code(), Some(0), "{seed}: {}", stderr(&output));
    }
    let process = Pid::from_raw(i32::try_from(net.id()).unwrap()).unwrap();
    kill_process(process, Signal::INT).unwrap();
    assert_eq!(net.wait().unwrap().code(), Some(0), "Ctrl-C is how it ends");
}

#[test]
fn a_small_benchmark() {
    let dir = empty();
    let output = auslese(dir.path(), &["bench", "--pages", "50", "--json", "--dir", "b"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let measured: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let files = measured["files"].as_u64().unwrap();
    assert!(files >= 50 && measured["failed"] == 0, "{measured}");
    for name in [
        "files_per_second",
        "megabytes_per_second",
        "cpu_ms_per_request",
        "peak_rss_bytes",
        "archive_bytes",
        "commits",
    ] {
        assert!(measured[name].as_f64().unwrap() > 0.0, "{name} in {measured}");
    }
    let verify = auslese(dir.path(), &["archive", "verify", "--dir", "b"]);
    assert_eq!(verify.status.code(), Some(0), "{}", stdout(&verify));
    let again = auslese(dir.path(), &["bench", "--pages", "50", "--dir", "b"]);
    assert_eq!(again.status.code(), Some(2), "a harvest is not measured twice");
    let table = stdout(&auslese(dir.path(), &["bench", "--pages", "4"]));
    assert!(table.contains("files per second  ") && table.contains("peak memory  "), "{table}");
    assert_eq!(dir.path().read_dir().unwrap().count(), 1, "what is temporary is gone");
}
