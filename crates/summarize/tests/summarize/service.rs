//! The service over HTTP, on loopback.

use crate::provider::{Kind, Provider, TOKEN, block_on};
use auslese_model::{SOIF_MEDIA_TYPE, read_soif};
use auslese_summarize::{Server, Settings, Summarizer};
use flate2::read::GzDecoder;
use sqlx::{Connection, Executor, Row};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// A service in a thread of its own; it ends when it is dropped.
struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start(settings: Settings) -> Running {
        let (stop, until) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let thread = thread::spawn(move || {
            block_on(async move {
                let server = Server::bind(Summarizer::new(settings)).await.unwrap();
                tell.send(server.address().unwrap()).unwrap();
                server.run(async { drop(until.await) }).await;
            });
        });
        Running { address: told.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
    }

    /// Sends a request with a token.
    fn get(&self, target: &str, headers: &str) -> Answer {
        self.send("GET", target, &format!("Authorization: Bearer {TOKEN}\r\n{headers}"))
    }

    fn send(&self, method: &str, target: &str, headers: &str) -> Answer {
        send(self.address, method, target, headers)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(ended.is_some_and(|it| it.is_ok()) || thread::panicking(), "the service failed");
    }
}

#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    fn values(&self, name: &str) -> Vec<String> {
        read_soif(&self.body).unwrap()[0].values(name)
    }
}

fn send(address: SocketAddr, method: &str, target: &str, headers: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("{method} {target} HTTP/1.1\r\nHost: s\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: bytes[end + 4..].to_vec() }
}

const DOCUMENT: &str = "Table: hotel\nAttribute: name\n";

fn hotels(kind: Kind) -> Provider {
    let provider = Provider::new(kind);
    provider.document("city.DBContent", DOCUMENT);
    provider
}

#[test]
fn a_fragment_plain_and_compressed() {
    let provider = hotels(Kind::Sqlite);
    let running = Running::start(provider.settings(&["hotel.name"], ""));
    let plain = running.get("/?config=city.DBContent", "");
    assert_eq!(plain.status, 200, "{plain:?}");
    assert!(plain.text().starts_with("@DBFRAGMENT { https://city.example/form\n"), "{plain:?}");
    assert_eq!(plain.values("hotel.name").len(), 5);
    let media_type = format!("{SOIF_MEDIA_TYPE}; charset=utf-8");
    assert_eq!(plain.header("content-type"), Some(media_type.as_str()));
    assert_eq!(plain.header("content-length"), Some(plain.body.len().to_string().as_str()));
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    assert!(plain.header("cache-control").unwrap().starts_with("private, max-age=3"), "{plain:?}");

    let packed = running.get("/?config=city%2EDBContent", "Accept-Encoding: gzip\r\n");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
    assert_ne!(packed.header("etag"), plain.header("etag"));

    let head = running.send(
        "HEAD",
        "/?config=city.DBContent",
        &format!("Authorization: Bearer {TOKEN}\r\n"),
    );
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), plain.header("content-length"));
}

#[test]
fn large_fragments_come_whole() {
    let provider = Provider::new(Kind::Sqlite);
    provider.execute("CREATE TABLE viele (x TEXT)");
    provider.execute(
        "INSERT INTO viele WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000) \
         SELECT hex(randomblob(80)) FROM n",
    );
    provider.document("city.DBContent", "Table: viele\nAttribute: x\n");
    let running = Running::start(provider.settings(&["viele.x"], ""));
    let plain = running.get("/?config=city.DBContent", "");
    assert!(plain.body.len() > 3 << 20);
    assert_eq!(plain.values("viele.x").len(), 20_000);
    let packed = running.get("/?config=city.DBContent", "Accept-Encoding: gzip\r\n");
    assert!(packed.body.len() > 1 << 20);
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert!(unpacked == plain.body);
}

#[test]
fn without_a_token_nothing_is_told() {
    let provider = hotels(Kind::Sqlite);
    let running = Running::start(provider.settings(&["hotel.name"], ""));
    #[rustfmt::skip]
    let cases = [
        ("GET",  "/?config=city.DBContent", "".to_owned()),
        ("GET",  "/?config=none.DBContent", "".to_owned()),
        ("GET",  "/secret",                 "".to_owned()),
        ("POST", "/",                       "Content-Length: 0\r\n".to_owned()),
        ("GET",  "/?config=city.DBContent", "Authorization: Bearer wrong\r\n".to_owned()),
        ("GET",  "/?config=city.DBContent", format!("Authorization: Bearer {TOKEN}x\r\n")),
        ("GET",  "/?config=city.DBContent", "Authorization: Basic cm9zdG9jazp3cm9uZw==\r\n".to_owned()),
        ("GET",  "/?config=city.DBContent&token=x", format!("X-Token: {TOKEN}\r\n")),
    ];
    for (method, target, headers) in cases {
        let answer = running.send(method, target, &headers);
        assert_eq!(
            (answer.status, answer.text()),
            (401, "unauthorized\n"),
            "{method} {target} {headers}"
        );
        assert_eq!(answer.header("www-authenticate"), Some("Bearer, Basic realm=\"summarizer\""));
        assert_eq!(answer.header("etag"), None);
    }
    let basic = data_encoding::BASE64.encode(format!("rostock:{TOKEN}").as_bytes());
    let answer = running.send(
        "GET",
        "/?config=city.DBContent",
        &format!("Authorization: Basic {basic}\r\n"),
    );
    assert_eq!(answer.status, 200);
}

#[test]
fn strangers_are_refused_by_address() {
    let provider = hotels(Kind::Sqlite);
    let addresses = "access.addresses = [\"192.0.2.0/24\"]\n";
    let running = Running::start(provider.settings(&["hotel.name"], addresses));
    let forwarded = "X-Forwarded-For: 192.0.2.1\r\n";
    let answer = running.get("/?config=city.DBContent", forwarded);
    assert_eq!((answer.status, answer.text()), (403, "forbidden\n"));
    let proxies = format!("{addresses}access.proxies = [\"127.0.0.1\"]\n");
    let running = Running::start(provider.settings(&["hotel.name"], &proxies));
    assert_eq!(running.get("/?config=city.DBContent", forwarded).status, 200);
    assert_eq!(running.get("/?config=city.DBContent", "").status, 403);
}

#[test]
fn what_is_refused_has_a_code_and_a_status() {
    let provider = hotels(Kind::Sqlite);
    provider.document("secret.DBContent", "Table: hotel\nAttribute: geheim\n");
    provider.document("none.DBContent", "Table: hotel\nAttribute: gibtsnicht\n");
    let allow = ["hotel.name", "hotel.gibtsnicht"];
    let running = Running::start(provider.settings(&allow, ""));
    let long = format!("/?config={}", "x".repeat(3_000));
    #[rustfmt::skip]
    let cases = [
        ("/",                                          400, "E_CONFIG: "),
        ("/?config=city.DBContent&config=x",           400, "E_CONFIG: "),
        ("/?config=",                                  403, "E_CONFIG_PATH: "),
        ("/?config=..%2Fsummarizer.toml",              403, "E_CONFIG_PATH: "),
        ("/?config=%2Fetc%2Fpasswd",                   403, "E_CONFIG_PATH: "),
        ("/?config=city.DBContent%00",                 403, "E_CONFIG_PATH: "),
        (long.as_str(),                                403, "E_CONFIG_PATH: "),
        ("/?config=elsewhere.DBContent",               404, "E_CONFIG_UNKNOWN: "),
        ("/?config=secret.DBContent",                  403, "E_NOT_ALLOWED: hotel.geheim is not allowed\n"),
        ("/?config=none.DBContent",                    500, "E_NO_COLUMN: "),
        ("/city.DBContent",                            404, "not found\n"),
    ];
    for (target, status, start) in cases {
        let answer = running.get(target, "");
        assert_eq!(answer.status, status, "{target} {answer:?}");
        assert!(answer.text().starts_with(start), "{target} {answer:?}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{target}");
    }
    let post = running.send(
        "POST",
        "/?config=city.DBContent",
        &format!("Authorization: Bearer {TOKEN}\r\nContent-Length: 0\r\n"),
    );
    assert_eq!((post.status, post.header("allow")), (405, Some("GET, HEAD")));
}

#[test]
fn what_the_database_says_stays_inside() {
    let provider = hotels(Kind::Sqlite);
    let running = Running::start(provider.settings(&["hotel.name"], ""));
    std::fs::write(provider.folder.path().join("city.sqlite"), "no database at all, but a secret")
        .unwrap();
    let answer = running.get("/?config=city.DBContent", "");
    assert_eq!(
        (answer.status, answer.text()),
        (502, "E_CONNECTION: the database cannot be reached\n")
    );
    assert!(answer.header("retry-after").is_some(), "a failure is remembered");
}

#[test]
fn the_last_fragment_is_handed_out_for_a_while() {
    let provider = hotels(Kind::Sqlite);
    let (kept, fresh) = ("", "limits.interval_seconds = 0\n");
    for (more, is_kept) in [(kept, true), (fresh, false)] {
        let running = Running::start(provider.settings(&["hotel.name", "hotel.ort"], more));
        let before = running.get("/?config=city.DBContent", "");
        let etag = before.header("etag").unwrap().to_owned();
        let condition = format!("If-None-Match: {etag}\r\n");
        let unchanged = running.get("/?config=city.DBContent", &condition);
        assert_eq!((unchanged.status, unchanged.body.len()), (304, 0), "{more}");
        assert_eq!(unchanged.header("etag"), Some(etag.as_str()));

        provider.execute("INSERT INTO hotel (name) VALUES ('Neues Haus' || abs(random()))");
        let after = running.get("/?config=city.DBContent", &condition);
        assert_eq!(after.status, if is_kept { 304 } else { 200 }, "{more}");
        if !is_kept {
            assert_ne!(after.header("etag"), Some(etag.as_str()));
        }
        // Another document is another matter.
        provider.document("city.DBContent", &format!("{DOCUMENT}Attribute: ort\n"));
        let changed = running.get("/?config=city.DBContent", &condition);
        assert_eq!(changed.status, 200);
        assert_eq!(changed.values("hotel.ort").len(), 3);
        provider.document("city.DBContent", DOCUMENT);
    }
}

/// While one summary waits for a lock, another caller is sent away; then the lock goes and the first is answered.
#[test]
fn one_summary_at_a_time() {
    let provider = hotels(Kind::Postgres);
    let running = Running::start(provider.settings(&["hotel.name"], ""));
    let address = running.address;
    block_on(async {
        let mut admin = provider.admin().await;
        admin
            .execute(sqlx::raw_sql("BEGIN; LOCK TABLE hotel IN ACCESS EXCLUSIVE MODE"))
            .await
            .unwrap();
        let (tell, told) = mpsc::channel();
        let callers: Vec<_> = (0..2)
            .map(|_| {
                let tell = tell.clone();
                thread::spawn(move || {
                    let token = format!("Authorization: Bearer {TOKEN}\r\n");
                    tell.send(send(address, "GET", "/?config=city.DBContent", &token)).unwrap();
                })
            })
            .collect();
        let first = told.recv().unwrap();
        assert_eq!(first.status, 503, "{first:?}");
        assert!(first.text().starts_with("E_BUSY: "), "{first:?}");
        assert_eq!(first.header("retry-after"), Some("30"));
        admin.execute(sqlx::raw_sql("ROLLBACK")).await.unwrap();
        let second = told.recv().unwrap();
        assert_eq!(second.status, 200, "{second:?}");
        for caller in callers {
            caller.join().unwrap();
        }
        admin.close().await.unwrap();
    });
    assert_eq!(running.get("/?config=city.DBContent", "").status, 200);
}

/// A caller who goes away leaves a summary behind that the next one gets.
#[test]
fn a_summary_is_finished_without_its_caller() {
    let provider = hotels(Kind::Postgres);
    let running = Running::start(provider.settings(&["hotel.name"], ""));
    block_on(async {
        let mut admin = provider.admin().await;
        admin
            .execute(sqlx::raw_sql("BEGIN; LOCK TABLE hotel IN ACCESS EXCLUSIVE MODE"))
            .await
            .unwrap();
        let mut impatient = TcpStream::connect(running.address).unwrap();
        let request = format!(
            "GET /?config=city.DBContent HTTP/1.1\r\nHost: s\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        );
        impatient.write_all(request.as_bytes()).unwrap();
        let waiting = "SELECT CAST(COUNT(*) AS BIGINT) FROM pg_locks WHERE NOT granted AND database = \
                       (SELECT oid FROM pg_database WHERE datname = current_database())";
        let waiters = || async {
            let mut connection = provider.admin().await;
            let row = sqlx::query(waiting).fetch_one(&mut connection).await.unwrap();
            connection.close().await.unwrap();
            row.get::<i64, _>(0)
        };
        while waiters().await == 0 {}
        drop(impatient);
        admin.execute(sqlx::raw_sql("ROLLBACK")).await.unwrap();
        admin.close().await.unwrap();
    });
    // Busy until the summary is there, and then it is handed out although the table is gone.
    let mut answer = running.get("/?config=city.DBContent", "");
    while answer.status == 503 {
        answer = running.get("/?config=city.DBContent", "");
    }
    provider.execute("DROP TABLE hotel CASCADE");
    assert_eq!(running.get("/?config=city.DBContent", "").status, 200);
}
