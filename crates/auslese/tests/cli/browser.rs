//! The mirror in a real browser: pages show, links resolve, and following one opens its document.
//!
//! Chromium is spoken to by its debugging protocol over two pipes, so that nothing needs a port; no
//! host name leads anywhere for it.

use super::corpus::institute;
use super::{auslese, empty, skipped, stderr};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;
use url::Url;

/// The longest wait for one answer; a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// The addresses of all links, frames and images of a page, as the browser resolves them.
const LINKS: &str = "[...document.querySelectorAll('[href], [src]')].map(it => it.href || it.src)";

struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    sent: u64,
    session: Option<String>,
    _profile: TempDir,
}

impl Browser {
    /// Nothing if there is none.
    fn start() -> Option<Browser> {
        let programs = ["chromium", "chromium-browser", "google-chrome"];
        let answers = |name: &&&str| {
            Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success())
        };
        let program = programs.iter().find(answers)?;
        let profile = empty();
        // The protocol is spoken on the descriptors 3 and 4.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", program])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-extensions"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (commands, answers) = (process.stdin.take()?, process.stdout.take()?);
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { continue };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser =
            Browser { process, commands, messages, sent: 0, session: None, _profile: profile };
        let page = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Page.enable", json!({}));
        Some(browser)
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).unwrap();
        let sent = self.sent;
        let mut answer = self.wait_for(method, |message| message["id"] == sent);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    fn wait_for(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|error| panic!("{what}: {error}"));
            if wanted(&message) {
                return message;
            }
        }
    }

    fn open(&mut self, url: &Url) {
        let answer = self.call("Page.navigate", json!({ "url": url.as_str() }));
        assert!(answer["errorText"].is_null(), "{url}: {answer}");
        self.wait_until_shown();
    }

    /// Clicks on the first link to an address.
    fn follow(&mut self, url: &Url) {
        let script = format!("[...document.links].find(it => it.href == '{url}').click()");
        self.evaluate(&script);
        self.wait_until_shown();
    }

    fn wait_until_shown(&mut self) {
        self.wait_for("a page", |message| message["method"] == "Page.loadEventFired");
    }

    fn evaluate(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "returnByValue": true });
        let mut answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].take()
    }

    fn text(&mut self, script: &str) -> String {
        self.evaluate(script).as_str().unwrap_or_default().to_owned()
    }

    fn links(&mut self) -> Vec<Url> {
        let links = self.evaluate(LINKS);
        links
            .as_array()
            .unwrap()
            .iter()
            .map(|link| link.as_str().unwrap().parse().unwrap())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn file(path: &Path) -> Url {
    Url::from_file_path(path.canonicalize().unwrap()).unwrap()
}

#[test]
fn a_mirror_is_read_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        return skipped("a_mirror_is_read_in_a_browser", "chromium is not installed");
    };
    let (_net, dir) = institute();
    let output = auslese(dir.path(), &["corpus", "--dir", "h", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mirror = dir.path().join("h/mirror");
    let institute = file(&mirror.join("linguistik.uni-hohenwerth.example@http/index.html"));

    browser.open(&file(&mirror.join("@auslese/index.html")));
    browser.follow(&institute);
    assert_eq!(browser.text("location.href"), institute.as_str());
    let shown = browser.text("document.body.innerText");
    assert!(shown.contains("Institut für Linguistik"), "{shown}");

    let links = browser.links();
    let kept: Vec<&Url> = links.iter().filter(|link| link.scheme() == "file").collect();
    for link in &kept {
        assert!(link.to_file_path().unwrap().is_file(), "{link} leads nowhere");
    }
    let others: Vec<&Url> = links.iter().filter(|link| link.scheme() != "file").collect();
    for link in &others {
        assert!(["http", "https", "mailto"].contains(&link.scheme()), "{link}");
    }
    assert!(kept.len() > 10 && others.len() > 3, "{links:?}");

    let korpus = institute.join("korpus.html").unwrap();
    browser.follow(&korpus);
    assert_eq!(browser.text("location.href"), korpus.as_str());
    assert!(browser.text("document.title").starts_with("Das Korpus"));
    browser.follow(&institute);
    assert_eq!(browser.text("document.body.innerText"), shown, "and back");
}
