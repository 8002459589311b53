//! From one domain to the whole organisation, by the commands a user types, on the simulated
//! internet: every host of its truth gets the right verdict, for the right reason.

use super::{auslese, auslese_command, empty, stderr, stdout};
use auslese_testnet::demo::{self, FoundBy, Truth};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use tempfile::TempDir;

/// The simulated internet in a process of its own, with the settings that lead to it.
struct SimulatedNet {
    dir: TempDir,
    process: Child,
}

impl SimulatedNet {
    fn start() -> SimulatedNet {
        let dir = empty();
        let mut process = auslese_command(dir.path(), &["demo", "--net-only", "--net", "net.toml"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it was built");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        assert!(first.contains("net.toml leads to it"), "{first}");
        SimulatedNet { dir, process }
    }

    /// A harvest of a domain, with nothing but what the command line says.
    fn harvest(&self, domain: &str) {
        let args =
            ["init", domain, "--contact", "a@b.example", "--net", "net.toml", "--dir", "harvest"];
        let output = auslese(self.path(), &args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn run(&self, args: &[&str]) -> String {
        let output = auslese(self.path(), &[args, &["--dir", "harvest"]].concat());
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 1)), "{args:?}: {}", stderr(&output));
        stdout(&output)
    }

    fn verdicts(&self) -> BTreeMap<String, Value> {
        let lines = self.run(&["discover", "list", "--json"]);
        let verdict = |line: &str| {
            let verdict: Value = serde_json::from_str(line).unwrap();
            (verdict["host"].as_str().unwrap().to_owned(), verdict)
        };
        lines.lines().map(verdict).collect()
    }
}

impl Drop for SimulatedNet {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to be done about it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What is wrong with the verdict on a host, if anything.
fn fault(truth: &Truth, verdict: Option<&Value>) -> Option<String> {
    let membership = verdict.map_or("none", |it| it["membership"].as_str().unwrap());
    if !truth.member {
        return (membership == "member").then(|| format!("{} is no member", truth.host));
    }
    let Some(verdict) = verdict.filter(|_| membership == "member") else {
        return Some(format!("{} is a member, not {membership}", truth.host));
    };
    let case = verdict["case"].as_u64();
    if case != truth.case.map(u64::from) {
        return Some(format!("{} is in case {:?}, not {case:?}", truth.host, truth.case));
    }
    let decided_by = verdict["decided_by"].as_str();
    (truth.decided_by.is_some() && decided_by != truth.decided_by)
        .then(|| format!("{} is decided by {:?}, not {decided_by:?}", truth.host, truth.decided_by))
}

/// The truth as the table that `discover evaluate` reads.
fn table(truth: &[Truth]) -> String {
    let line = |it: &Truth| {
        let member = if it.member { "yes" } else { "no" };
        let case = it.case.map(|case| case.to_string()).unwrap_or_default();
        format!("{},{member},{case}\n", it.host)
    };
    "host,member,case\n".to_owned() + &truth.iter().map(line).collect::<String>()
}

#[test]
fn one_domain_is_enough() {
    let net = SimulatedNet::start();
    net.harvest("uni-hohenwerth.example");
    net.run(&["run", "--quiet", "--delay", "10ms"]);

    let truth: Vec<Truth> =
        demo::truth().into_iter().filter(|it| it.found_by != FoundBy::Nothing).collect();
    let verdicts = net.verdicts();
    let faults: Vec<String> =
        truth.iter().filter_map(|it| fault(it, verdicts.get(it.host))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));

    let index = net.run(&["archive", "index"]);
    let captured: BTreeSet<&str> = index
        .lines()
        .filter_map(|line| line.split_once("\"url\": \"http").map(|(_, rest)| rest))
        .filter_map(|rest| rest.split_once("://")?.1.split(['/', ':', '"']).next())
        .collect();
    let strangers: Vec<&str> = truth.iter().filter(|it| !it.member).map(|it| it.host).collect();
    for host in &strangers {
        assert!(!captured.contains(host), "{host} was fetched");
    }
    for member in truth.iter().filter(|it| it.member) {
        assert!(captured.contains(member.host), "{} was not fetched", member.host);
    }
    for (address, what) in demo::devices() {
        assert!(!captured.contains(address), "{address}, {what}, was fetched");
    }

    fs::write(net.path().join("truth.csv"), table(&truth)).unwrap();
    let evaluation = net.run(&["discover", "evaluate", "truth.csv", "--json"]);
    let evaluation: Value = serde_json::from_str(&evaluation).unwrap();
    for case in evaluation["weighted"]["cases"].as_array().unwrap() {
        for measure in ["precision", "recall"] {
            let value = &case[measure];
            assert!(value.is_null() || value == 1.0, "case {}: {measure} {value}", case["case"]);
        }
    }
    assert_eq!(evaluation["weighted"]["all"]["f1"], 1.0);

    let explained = net.run(&["discover", "explain", "www.institut-gewaesser.example"]);
    assert!(explained.contains("is foreign"), "{explained}");
    let profile = fs::read_to_string(net.path().join("harvest/organisation.toml")).unwrap();
    for range in demo::ranges() {
        assert!(profile.contains(&format!("net = \"{range}\"")), "{range} in {profile}");
    }
    assert!(profile.contains("it is held by Forschungsnetz Werth e.V., not by"), "{profile}");
}

/// Mistakes that must be told, must cost nothing and must leave nothing behind.
#[test]
fn mistakes_about_hosts() {
    let net = SimulatedNet::start();
    net.harvest("fh-niederau.example");
    let write = |name: &str, bytes: &[u8]| fs::write(net.path().join(name), bytes).unwrap();
    write("empty", b"");
    write("noise", &(0u8..=255).cycle().take(100_000).collect::<Vec<u8>>());
    write("dots.csv", b"host,decision\na..b,accept\n");
    #[rustfmt::skip]
    let cases: [(&[&str], &str); 17] = [
        (&["list"],                                               "`auslese discover` begins"),
        (&["explain", "nosuch..host"],                            "is no host name"),
        (&["explain", "www.fh-niederau.example"],                 "`auslese discover` gathers"),
        (&["--replay", "missing"],                                "cannot read missing"),
        (&["--replay", "noise"],                                  "--record writes such a file"),
        (&["--record", "no/such/place"],                          "cannot be written"),
        (&["--record", "a", "--replay", "b"],                     "cannot be used with"),
        (&["review", "--accept", "a..b"],                         "is no host name"),
        (&["review", "--accept", "a.example", "--reject", "a.example"], "both accept and reject"),
        (&["review", "--write", "x", "--read", "y"],              "cannot be used with"),
        (&["review", "--read", "empty"],                          "nothing is decided"),
        (&["review", "--read", "dots.csv"],                       "is no host name"),
        (&["evaluate", "empty"],                                  "there is no answer in it"),
        (&["evaluate", "noise"],                                  "more"),
        (&["import", "/dev/zero"],                                "it is a device"),
        (&["vhosts", "--format", "foo", "x"],                     "nginx-dump"),
        (&["scan", "--port", "0"],                                "is not in 1..=65535"),
    ];
    for (args, expected) in cases {
        let args = [&["discover"], args, &["--dir", "harvest"]].concat();
        let output = auslese(net.path(), &args);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(expected), "{args:?}: {told}");
        assert!(told.len() < 5_000, "{args:?} tells too much");
    }
    let left: Vec<_> = fs::read_dir(net.path().join("harvest")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "nothing but auslese.toml: {left:?}");

    let new =
        ["discover", "uni.example", "--net", "net.toml", "--dir", "new", "--replay", "missing"];
    assert_eq!(auslese(net.path(), &new).status.code(), Some(2));
    assert!(!net.path().join("new").exists(), "no harvest is made for a mistake");
}

#[test]
fn a_domain_that_nobody_knows() {
    let net = SimulatedNet::start();
    net.harvest("nosuch.example");
    let output = auslese(net.path(), &["discover", "--dir", "harvest"]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("nothing was found out about nosuch.example"), "{told}");
    assert!(!net.path().join("harvest/organisation.toml").exists(), "the next run asks again");
}

#[test]
fn measuring_changes_nothing() {
    let net = SimulatedNet::start();
    net.harvest("fh-niederau.example");
    let listed = net.run(&["discover", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let gathered = listed["profiles"][0]["gathered"].as_str().unwrap();
    assert!(gathered.ends_with('Z') && gathered.contains('T'), "{gathered}");
    let before = net.verdicts();
    let truth = "www.fh-niederau.example,yes\nwww.stadt-hohenwerth.example,no\n";
    fs::write(net.path().join("truth.csv"), truth).unwrap();
    let measured = net.run(&["discover", "evaluate", "truth.csv", "--ask", "--json"]);
    let measured: Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured["hosts"], 2);
    let net_alone = &measured["indicators"].as_array().unwrap()[..];
    let net_alone = net_alone.iter().find(|it| it["indicator"] == "net").unwrap();
    assert_eq!(net_alone["looked_at"], 2, "{net_alone}");
    assert_eq!(net.verdicts(), before, "verdicts of a measurement are not kept");

    let again = auslese(net.path(), &["discover", "scan", "--dir", "harvest"]);
    assert!(stderr(&again).contains("this scan was begun at"), "{}", stderr(&again));
    let addresses: Vec<String> = stdout(&again)
        .lines()
        .skip(2)
        .filter_map(|line| Some(line.split_whitespace().next()?.to_owned()))
        .collect();
    assert!(addresses.is_sorted() && !addresses.is_empty(), "{addresses:?}");
    let status: Value = serde_json::from_str(&net.run(&["status", "--json"])).unwrap();
    let members = before.values().filter(|it| it["membership"] == "member").count();
    assert_eq!(status["verdicts"]["member"], members);
}

#[test]
fn a_person_decides() {
    let net = SimulatedNet::start();
    net.harvest("fh-niederau.example");
    net.run(&["discover"]);
    net.run(&["discover", "review", "--accept", "www.stadt-hohenwerth.example"]);
    net.run(&["discover", "review", "--reject", ".holzbau-tagung.org-example"]);
    net.run(&["run", "--quiet", "--delay", "10ms"]);
    let verdicts = net.verdicts();
    let of = |host: &str| verdicts[host]["membership"].as_str().unwrap().to_owned();
    assert_eq!(of("www.stadt-hohenwerth.example"), "member");
    assert_eq!(of("www.holzbau-tagung.org-example"), "foreign");
    assert_eq!(of("www.wasserlabor-niederau.example"), "member");
    assert_eq!(of("www.hochschulsport.org-example"), "foreign", "the other institution's");

    net.run(&["discover", "review", "--write", "scope.csv"]);
    let scope = fs::read_to_string(net.path().join("scope.csv")).unwrap();
    assert!(scope.starts_with("host,verdict,score,case"), "{scope}");
    let surts = net.run(&["discover", "export", "--format", "surt"]);
    assert!(surts.contains("http://(example,fh-niederau,www,"), "{surts}");
    let rule = net.run(&["discover", "export", "--format", "addresses"]);
    assert!(rule.contains("<value>203.0.113.10</value>"), "{rule}");
}
