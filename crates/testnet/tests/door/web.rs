//! Sites, answers and the request log.

use crate::client::{ask_raw, body, connect, get, read_answer, wait_for};
use auslese_testnet::{Answer, Internet, LogDetail, Outcome, Running, Site, Step, shortest_pause};
use std::io::{Read, Write};
use std::net::Ipv6Addr;
use std::time::Duration;

fn one(path: &str, answer: Answer) -> Running {
    Internet::new().site(Site::new("http://h.example").answer(path, answer)).start().unwrap()
}

#[test]
fn sites_are_told_apart_by_host_and_port() {
    let net = Internet::new()
        .site(Site::new("http://a.example").page("/", "A"))
        .site(Site::new("http://b.example").page("/", "B"))
        .site(Site::new("http://a.example:8080").page("/", "A 8080"))
        .site(
            Site::new("http://*.blogs.example")
                .answer("/", Answer::from_fn(|asked| Answer::page(asked.host.clone()))),
        )
        .start()
        .unwrap();
    #[rustfmt::skip]
    let cases = [
        // port   host                  body
        (80,      "a.example",          "A"),
        (80,      "A.Example.:80",      "A"),
        (80,      "b.example",          "B"),
        (8080,    "a.example:8080",     "A 8080"),
        (80,      "x.blogs.example",    "x.blogs.example"),
    ];
    for (port, host, expected) in cases {
        let answer = get(net.socket(port).unwrap(), host, "/");
        assert_eq!(body(&answer), expected, "{host}:{port}");
    }
    let unknown = get(net.http(), "c.example", "/");
    assert!(unknown.starts_with("HTTP/1.1 404"), "{unknown}");
    assert_eq!(net.request_count(), 6);
}

#[test]
fn framings_and_methods() {
    let page = "<p>Text</p>".repeat(200);
    let net = Internet::new()
        .site(
            Site::new("http://h.example")
                .page("/length", &page)
                .answer("/chunked", Answer::page(&page).chunked(100))
                .answer("/close", Answer::page(&page).until_close())
                .answer("/gzip", Answer::page(&page).gzip())
                .answer("/etag", Answer::page(&page).header("ETag", "\"1\"")),
        )
        .start()
        .unwrap();
    #[rustfmt::skip]
    let cases = [
        // request line and header                      answer contains
        ("GET /length HTTP/1.1",                        "Content-Length: 2200\r\n"),
        ("GET /chunked HTTP/1.1",                       "\r\n\r\n64\r\n<p>"),
        ("GET /close HTTP/1.1",                         "Connection: close\r\n\r\n<p>"),
        ("GET /gzip HTTP/1.1\r\nAccept-Encoding: gzip", "Content-Encoding: gzip\r\n"),
        ("GET /gzip HTTP/1.1",                          "Content-Length: 2200\r\n"),
        ("GET /etag HTTP/1.1\r\nIf-None-Match: \"1\"",  "HTTP/1.1 304 Not Modified\r\n"),
        ("GET /etag HTTP/1.1\r\nIf-None-Match: \"2\"",  "HTTP/1.1 200 OK\r\n"),
        ("GET /length?a=b HTTP/1.1",                    "HTTP/1.1 200 OK\r\n"),
        ("GET http://h.example/length HTTP/1.1",        "HTTP/1.1 200 OK\r\n"),
        ("GET /length HTTP/1.0",                        "Connection: close\r\n"),
        ("GET /nothing HTTP/1.1",                       "HTTP/1.1 404 Not Found\r\n"),
    ];
    for (request, expected) in cases {
        let request = format!("{request}\r\nHost: h.example\r\nConnection: close\r\n\r\n");
        let (bytes, end) = ask_raw(net.http(), &request);
        end.unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(expected), "{request} {text}");
    }
    let head = "HEAD /length HTTP/1.1\r\nHost: h.example\r\nConnection: close\r\n\r\n";
    let (bytes, _) = ask_raw(net.http(), head);
    assert!(bytes.ends_with(b"\r\n\r\n"), "HEAD has no body");
}

#[test]
fn connections_are_kept_and_bodies_read() {
    let echo = Answer::from_fn(|asked| {
        Answer::page(format!("{} {}", asked.method, String::from_utf8_lossy(&asked.body)))
    });
    let net = one("/echo", echo);
    let mut stream = connect(net.http());
    let posts = [
        "POST /echo HTTP/1.1\r\nHost: h.example\r\nContent-Length: 7\r\n\r\na=1&b=2",
        "POST /echo HTTP/1.1\r\nHost: h.example\r\nTransfer-Encoding: chunked\r\n\r\n\
         3\r\na=1\r\n4;x\r\n&b=2\r\n0\r\n\r\n",
    ];
    // Both at once: the second must not be lost while the first is answered.
    stream.write_all(posts.concat().as_bytes()).unwrap();
    for _ in posts {
        assert_eq!(body(&read_answer(&mut stream)), "POST a=1&b=2");
    }
    assert!(net.wait_until_quiet(crate::client::PATIENCE));
    let requests = net.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|logged| logged.connection == 1 && logged.body == b"a=1&b=2"));
    assert_eq!(net.connections().len(), 1);
}

#[test]
fn sequences_count_per_path_and_start_again() {
    let busy = Answer::error(503).header("Retry-After", "1");
    let net = one("/", Answer::sequence([busy, Answer::page("da")]));
    let status = || get(net.http(), "h.example", "/")[9..12].to_owned();
    assert_eq!([status(), status(), status()], ["503", "200", "200"]);
    net.reset();
    assert_eq!(status(), "503");
    assert_eq!(net.request_count(), 1);
    assert_eq!(net.requests()[0].status, Some(503));
}

#[test]
fn the_log_has_the_times_of_the_server() {
    let pause = Duration::from_millis(60);
    let steps = [
        Step::send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"),
        Step::Wait(pause),
        Step::send("cd"),
        Step::KeepAlive,
    ];
    let net = one("/", Answer::script(steps));
    let mut stream = connect(net.http());
    for _ in 0..2 {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: h.example\r\n\r\n").unwrap();
        assert_eq!(body(&read_answer(&mut stream)), "abcd");
        std::thread::sleep(pause);
    }
    let requests = net.requests();
    for logged in &requests {
        let took = logged.ended.unwrap().instant - logged.arrived.instant;
        assert!(took >= pause && took < pause * 20, "{took:?}");
        assert_eq!(logged.outcome, Outcome::Complete);
        assert_eq!(logged.sent, 42);
        assert_eq!(logged.head, b"GET / HTTP/1.1\r\nHost: h.example\r\n\r\n");
    }
    let shortest = shortest_pause(&requests, |logged| logged.host.clone()).unwrap();
    assert!(shortest >= pause, "{shortest:?}");
}

#[test]
fn a_client_that_goes_away_ends_the_script() {
    let forever = Step::SendForever { pattern: b"x"[..].into(), pause: Duration::from_millis(1) };
    let net = one("/", Answer::script([Step::send("HTTP/1.1 200 OK\r\n\r\n"), forever]));
    let mut stream = connect(net.http());
    stream.write_all(b"GET / HTTP/1.1\r\nHost: h.example\r\n\r\n").unwrap();
    stream.read_exact(&mut [0; 30]).unwrap();
    assert_eq!(net.requests()[0].outcome, Outcome::Running);
    drop(stream);
    wait_for(|| matches!(net.requests()[0].outcome, Outcome::Broken(_)));
}

#[test]
fn ports_that_refuse_or_stay_silent() {
    let net = Internet::new().refused_port(81).silent_port(82).start().unwrap();
    let dial = |port| {
        std::net::TcpStream::connect_timeout(&net.socket(port).unwrap(), Duration::from_millis(300))
            .map_err(|cause| cause.kind())
    };
    assert_eq!(dial(81).unwrap_err(), std::io::ErrorKind::ConnectionRefused);
    assert_eq!(dial(82).unwrap_err(), std::io::ErrorKind::TimedOut);
}

#[test]
fn each_address_may_have_its_own_socket() {
    let net = Internet::new()
        .one_socket_per_address()
        .site(Site::new("http://a.example").at("198.18.0.1").at("2001:db8::1").page("/", "A"))
        .site(Site::new("http://b.example").at("198.18.0.1").page("/", "B"))
        .start()
        .unwrap();
    let second = net
        .doors()
        .iter()
        .find(|door| door.port == 80 && door.address == Some("2001:db8::1".parse().unwrap()));
    get(second.unwrap().socket, "a.example", "/");
    assert_eq!(net.requests()[0].address, Some("2001:db8::1".parse().unwrap()));
    let settings = net.net_settings_toml();
    assert!(settings.contains("addresses = \"2001:db8::1/128\", port = 80"), "{settings}");
    assert_eq!(settings.matches("port = 80,").count(), 2, "{settings}");
    assert_eq!(settings.matches("port = 443,").count(), 0, "no site speaks https: {settings}");
}

#[test]
fn sockets_can_be_given() {
    let free = std::net::TcpListener::bind("127.0.0.2:0").unwrap().local_addr().unwrap();
    let net = Internet::new().bind_port(80, free).bind(Ipv6Addr::LOCALHOST.into()).start().unwrap();
    assert_eq!(net.http(), free);
    assert!(net.https().is_ipv6() && net.dns().is_ipv6());
    assert!(get(net.http(), "h.example", "/").starts_with("HTTP/1.1 404"));
}

#[test]
fn settings_are_toml() {
    let net = Internet::new().site(Site::new("http://a.example:8080")).start().unwrap();
    let settings: toml::Table = net.net_settings_toml().parse().unwrap();
    let table = &settings["net"];
    assert_eq!(table["dns"][0].as_str(), Some(net.dns().to_string().as_str()));
    assert_eq!(table["only_mapped"].as_bool(), Some(true));
    let pem = std::fs::read_to_string(table["ca_files"][0].as_str().unwrap()).unwrap();
    assert_eq!(pem, net.ca_pem());
    let connect_to = table["connect_to"].as_array().unwrap();
    let ports: Vec<i64> =
        connect_to.iter().filter_map(|entry| entry["port"].as_integer()).collect();
    assert_eq!(ports, [80, 80, 443, 443, 8080, 8080]);
}

#[test]
fn mistakes_are_named() {
    let site = |origin: &str| Internet::new().site(Site::new(origin)).start();
    #[rustfmt::skip]
    let cases = [
        ("www.uni.example",     "\"www.uni.example\" is not an origin"),
        ("https://a.example:80", "port 80 is asked to speak both http and https"),
    ];
    for (origin, words) in cases {
        let message = site(origin).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_brief_log_keeps_no_heads() {
    let net = Internet::new().log_detail(LogDetail::Brief).start().unwrap();
    get(net.http(), "h.example", "/");
    assert!(net.requests()[0].head.is_empty());
    assert_eq!(net.requests()[0].target, "/");
}
