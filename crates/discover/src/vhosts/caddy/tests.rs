//! Site addresses, snippets and JSON of Caddy, as tables, and any text.

use crate::vhosts::testing::{self, names, reasons};
use crate::vhosts::{VhostFormat, VhostReport, WhyReported};
use proptest::prelude::*;

fn read(main: &str, files: &[(&str, &str)]) -> VhostReport {
    testing::read(VhostFormat::Caddyfile, "/tree/Caddyfile", main, files)
}

fn json(text: &str) -> VhostReport {
    testing::read(VhostFormat::CaddyJson, "f", text, &[])
}

#[test]
fn caddyfiles() {
    use WhyReported::*;
    #[rustfmt::skip]
    let cases: [(&str, &[&str], &[WhyReported]); 14] = [
        ("a.example\nrespond b.example\n",                         &["a.example"], &[]),
        ("a.example, b.example {\n respond ok\n}\n",               &["a.example", "b.example"], &[]),
        ("a.example,\nb.example {\n}\nc.example {\n}\n",           &["a.example", "b.example", "c.example"], &[]),
        ("{\n email a@b.example\n servers {\n }\n}\na.example {\n}\n", &["a.example"], &[]),
        ("http://a.example:8080 https://b.example/x {\n}\n",       &["a.example", "b.example"], &[]),
        (":443 {\n}\nlocalhost:80 {\n}\n",                         &[], &[Nameless, Unqualified]),
        ("{$SITE} {\n}\n{$OTHER:a.example} {\n}\n",                &["a.example"], &[Variable]),
        ("*.a.example {\n @b host b.a.example\n @c {\n  path /x\n  host c.a.example d.a.example\n }\n @e not host e.a.example\n handle @b {\n  @f host f.a.example\n }\n}\n",
            &["b.a.example", "c.a.example", "d.a.example", "f.a.example"], &[Wildcard]),
        ("(common) {\n encode gzip\n}\na.example {\n import common\n}\n", &["a.example"], &[]),
        ("(site) {\n{args.0}.example, www.{args[0]}.example {\n}\n}\nimport site a\nimport site b\n",
            &["a.example", "www.a.example", "b.example", "www.b.example"], &[]),
        ("import sites/*\nimport nothing/*\nimport nothing\n",     &["in.example"], &[MissingInclude]),
        ("(a) {\n import a\n import a\n}\nimport a\nb.example {\n}\n", &["b.example"], &[TooMuchExpansion]),
        ("&(route) {\n respond ok\n}\na.example {\n invoke route\n}\n}\n", &["a.example"], &[]),
        ("a.example {\n}\n}\nb.example {\n}\n",                  &["a.example", "b.example"], &[]),
    ];
    for (text, expected, why) in cases {
        let report = read(text, &[("sites/*", "in.example {\n}\n")]);
        assert_eq!(names(&report), expected, "{text}");
        let mut found = reasons(&report);
        found.dedup();
        assert_eq!(found, why, "{text}");
    }
}

#[test]
fn adapted() {
    let report = json(
        r#"{"apps":{"http":{"servers":{"srv0":{"listen":[":443"],"routes":[
        {"match":[{"host":["a.example","*.b.example"]}],"handle":[{"handler":"subroute","routes":[
            {"match":[{"host":["c.b.example"]},{"not":[{"host":["d.b.example"]}]}]}]}]}]}}}}}"#,
    );
    assert_eq!(names(&report), ["a.example", "c.b.example"]);
    assert_eq!(report.names[0].listens[0].port, Some(443));
    assert_eq!(reasons(&report), [WhyReported::Wildcard]);
    assert_eq!(reasons(&json("{\"apps\":")), [WhyReported::UnreadableFile]);
}

proptest! {
    #[test]
    fn any_text(text in "([{}(),@$\"`\n &.a-c]|import|host|example){0,60}") {
        read(&text, &[("a", "import a\n}"), ("b", "(a) {")]);
        json(&text);
    }
}
