//! Server names, includes and quotes of nginx, as tables, and any text.

use crate::vhosts::testing::{self, names, reasons};
use crate::vhosts::{VhostFormat, VhostReport, WhyReported};
use proptest::prelude::*;

fn read(main: &str, files: &[(&str, &str)]) -> VhostReport {
    testing::read(VhostFormat::NginxConfig, "/tree/nginx.conf", main, files)
}

fn dump(text: &str) -> VhostReport {
    testing::read(VhostFormat::NginxDump, "dump.txt", text, &[])
}

#[test]
fn names_and_places() {
    let main = "http {\n  server {\n    server_name a.uni.example\n      b.uni.example;\n\
                \n    listen [2001:db8::1]:443 ssl;\n    listen 8080;\n  }\n}\n";
    let report = read(main, &[]);
    assert_eq!(names(&report), ["a.uni.example", "b.uni.example"]);
    assert_eq!(report.names[0].place.to_string(), "/tree/nginx.conf:3");
    let listens: Vec<_> = report.names[1].listens.iter().map(|at| (at.address, at.port)).collect();
    assert_eq!(listens, [("2001:db8::1".parse().ok(), Some(443)), (None, Some(8080))]);
}

#[test]
fn single_statements() {
    use WhyReported::*;
    #[rustfmt::skip]
    let cases: [(&str, &[&str], &[WhyReported]); 13] = [
        // within a server block                          names               reported
        ("server_name \"x.example\" 'y.example';",        &["x.example", "y.example"], &[]),
        ("server_name _;",                                &[],                &[CatchAll]),
        ("server_name \"\";",                             &[],                &[Nameless]),
        ("listen 80 default_server;",                     &[],                &[Nameless]),
        ("server_name *.x.example www.x.*;",              &[],                &[Wildcard, Wildcard]),
        ("server_name .x.example;",                       &["x.example"],     &[Wildcard]),
        (r"server_name ~^(www\.)?(.+)$ x.example;",       &["x.example"],     &[Regex]),
        ("server_name $hostname;",                        &[],                &[Variable]),
        ("server_name x.example; root /www/$host/;",      &["x.example"],     &[MassHosting]),
        ("server_name x.example; root /www/$hostname;",   &["x.example"],     &[]),
        ("server_name x.example; location / { if ($a) { server_name y.example; } }",
                                                          &["x.example"],     &[]),
        ("server_name x.example; content_by_lua_block { local a = \"}\" } listen 80;",
                                                          &["x.example"],     &[]),
        ("server_name x.example; include nothing; include nothing/*;",
                                                          &["x.example"],     &[MissingInclude]),
    ];
    for (within, expected, why) in cases {
        let report = read(&format!("http {{ server {{ {within} }} }}"), &[]);
        assert_eq!(names(&report), expected, "{within}");
        assert_eq!(reasons(&report), why, "{within}");
    }
}

#[test]
fn other_blocks_name_no_hosts() {
    let main = "mail { server { server_name mail.x.example; } }\n\
                http { upstream u { server up.x.example; }\n\
                map $host $y { server_name z.example; default a; } server { server_name a.x.example; } }";
    let report = read(main, &[]);
    assert_eq!(names(&report), ["a.x.example"]);
    assert_eq!(reasons(&report), []);
}

#[test]
fn includes_and_loops() {
    let main = "http { include sites/*; include loop; }";
    let files = [
        ("sites/*", "server { include names; listen 80; }"),
        ("names", "server_name a.x.example;"),
        ("loop", "include loop; server { server_name b.x.example; }"),
    ];
    let report = read(main, &files);
    assert_eq!(names(&report), ["a.x.example", "b.x.example"]);
    assert_eq!(report.names[0].place.to_string(), "/tree/names:1");
    assert_eq!(report.names[0].listens.len(), 1);
    assert_eq!(reasons(&report), [WhyReported::IncludeLoop]);
}

#[test]
fn dumps_answer_their_own_includes() {
    let text = "nginx: configuration file /etc/nginx/nginx.conf test is successful\n\
                # configuration file /etc/nginx/nginx.conf:\n\
                http { include sites/*.conf; }\nmail { include mail.conf; }\n\n\
                # configuration file /etc/nginx/sites/a.conf:\nserver {\n server_name a.x.example;\n}\n\n\
                # configuration file /etc/nginx/mail.conf:\nserver { server_name mail.x.example; }\n\n\
                # configuration file /elsewhere/b.conf:\nserver { server_name b.x.example; }\n";
    let report = dump(text);
    assert_eq!(names(&report), ["a.x.example", "b.x.example"]);
    assert_eq!(report.names[0].place.to_string(), "/etc/nginx/sites/a.conf:2");
}

proptest! {
    #[test]
    fn any_text(text in "([{};\"'\\\\\n #$~.*a-c]|server|server_name|listen|include|x_by_lua_block){0,60}") {
        read(&text, &[("a", "server { } }"), ("b", "include b; {")]);
        dump(&format!("# configuration file a:\n{text}\n# configuration file b:\n{text}"));
    }
}
