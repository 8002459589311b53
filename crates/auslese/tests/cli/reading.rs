//! A harvest is read in the front end while other processes crawl, judge and index it: no page ever fails, what is
//! shown only grows, and in the end it is everything.

use super::{auslese, auslese_command, empty, stderr};
use auslese_testnet::{Internet, Running, generated_site};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PAGES: usize = 150;
const HOSTS: [&str; 2] = ["a.read.example", "b.read.example"];
/// Longer than anything here should take.
const PATIENCE: Duration = Duration::from_secs(120);

fn internet() -> Running {
    let internet = HOSTS.iter().enumerate().fold(Internet::new(), |internet, (number, host)| {
        let address = format!("198.18.0.{}", 1 + number);
        internet.site(generated_site(host, PAGES, number as u64).at(&address))
    });
    internet.start().unwrap()
}

fn config() -> String {
    let seeds = HOSTS.map(|host| format!("\"http://{host}/\"")).join(", ");
    format!(
        "[crawl]\nseeds = [{seeds}]\nscope = [\"accept host .read.example\"]\n\
         [crawl.politeness]\ndelay = \"20ms\"\nfactor = 0.0\n"
    )
}

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The front end of the harvest in `h`, once there is a catalog to show.
fn serve(dir: &Path) -> (Process, String) {
    let begun = Instant::now();
    loop {
        let args =
            ["serve", "--dir", "h", "--listen", "127.0.0.1:0", "--replay-listen", "127.0.0.1:0"];
        let mut child = auslese_command(dir, &args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let child = Process(child);
        if let Some(address) = line.trim().strip_prefix("http://") {
            return (child, address.trim_end_matches('/').to_owned());
        }
        assert!(begun.elapsed() < PATIENCE, "the front end does not start");
        sleep(Duration::from_millis(50));
    }
}

/// Status and body of a page.
fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn captures(address: &str) -> u64 {
    let (status, body) = get(address, "/?format=json");
    assert_eq!(status, 200, "{body}");
    let start: Value = serde_json::from_str(&body).unwrap();
    start["harvests"][0]["captures"].as_u64().unwrap()
}

/// Pages of a harvest without an index; tables may be told to be under way (202).
fn check_pages(address: &str) {
    let server = "/browse/h?server=http%3A%2F%2Fa.read.example";
    let kept = "/browse/h?server=http%3A%2F%2Fa.read.example&only=kept";
    let first = ["", "/page", "/source", "/text", "/record", "/links", "/versions", "/related"]
        .map(|tab| format!("/doc/h/1{tab}"));
    let pages = ["/", "/browse/h", server, kept, "/organisation/h", "/statistics/h", "/sql/h"];
    for page in pages.into_iter().chain(first.iter().map(String::as_str)) {
        let (status, body) = get(address, page);
        assert!(matches!(status, 200 | 202), "{page}: {status}\n{body}");
        assert!(body.contains("</html>"), "{page} is cut off: {body}");
    }
}

#[test]
fn while_it_is_crawled_judged_and_indexed() {
    let net = internet();
    let dir = empty();
    fs::create_dir(dir.path().join("h")).unwrap();
    fs::write(dir.path().join("h/auslese.toml"), config()).unwrap();
    fs::write(dir.path().join("net.toml"), net.net_settings_toml()).unwrap();
    let crawl = ["crawl", "--dir", "h", "--net", "net.toml", "--quiet"];
    let mut crawl = Process(auslese_command(dir.path(), &crawl).spawn().unwrap());
    let (_front_end, address) = serve(dir.path());

    let (mut last, mut times_grown) = (0, 0);
    while crawl.0.try_wait().unwrap().is_none() {
        let now = captures(&address);
        assert!(now >= last, "{now} captures after {last}");
        times_grown += usize::from(now > last);
        last = now;
        if now > 0 {
            check_pages(&address);
        }
        let (status, body) = get(&address, "/search?q=*");
        assert_eq!(status, 503, "there is no index yet: {body}");
        sleep(Duration::from_millis(20));
    }
    assert!(crawl.0.wait().unwrap().success());
    assert!(times_grown > 1, "the crawl was not seen at work");
    let all = captures(&address);
    assert!(all >= (HOSTS.len() * PAGES) as u64, "{all} captures");
    check_pages(&address);

    for stage in [&["corpus", "--dir", "h", "--quiet"][..], &["search", "index", "--dir", "h"]] {
        let mut stage_runs =
            Process(auslese_command(dir.path(), stage).stdout(Stdio::null()).spawn().unwrap());
        while stage_runs.0.try_wait().unwrap().is_none() {
            check_pages(&address);
        }
        assert!(stage_runs.0.wait().unwrap().success(), "{stage:?}");
    }
    let found = auslese(dir.path(), &["search", "--dir", "h", "--json", "*"]);
    assert!(found.status.success(), "{}", stderr(&found));
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    let total = found["results"]["total"].as_u64().unwrap();
    assert!(total >= (HOSTS.len() * PAGES) as u64, "{total} documents in the index");
    // The index is seen soon, and with it every document.
    let begun = Instant::now();
    loop {
        let (status, body) = get(&address, "/search?q=*&format=json");
        let shown: Value = serde_json::from_str(&body).unwrap_or_default();
        if status == 200 && shown["total"] == total {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "the index is not seen: {status} {body}");
        sleep(Duration::from_millis(100));
    }
    assert_eq!(get(&address, "/kwic/frequencies").0, 200);
}
