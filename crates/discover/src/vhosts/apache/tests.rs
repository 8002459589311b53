//! Directives, conditions, macros and includes of Apache, as tables, and any text.

use crate::vhosts::testing::{self, names, reasons, reported};
use crate::vhosts::{MAX_EXPANDED_LINES, VhostFormat, VhostReport, WhyReported};
use proptest::prelude::*;

fn read(main: &str, files: &[(&str, &str)]) -> VhostReport {
    testing::read(VhostFormat::ApacheConfig, "/tree/main.conf", main, files)
}

#[test]
fn names_and_places() {
    let main = "ServerName main.uni.example\n\
                <VirtualHost *:80 [2001:db8::1]:443>\n\
                  ServerName https://a.uni.example:443\n\
                  ServerAlias b.uni.example *.c.uni.example \\\n   d.uni.example\n\
                </VirtualHost>\n";
    let report = read(main, &[]);
    assert_eq!(
        names(&report),
        ["main.uni.example", "a.uni.example", "b.uni.example", "d.uni.example"]
    );
    assert_eq!(reported(&report), [("*.c.uni.example", WhyReported::Wildcard)]);
    let alias = &report.names[2];
    assert_eq!(alias.place.to_string(), "/tree/main.conf:4");
    assert_eq!(alias.directive, "ServerAlias");
    let listens: Vec<_> = alias.listens.iter().map(|at| (at.address, at.port)).collect();
    let six = "2001:db8::1".parse().ok();
    assert_eq!(listens, [(None, Some(80)), (six, Some(443))]);
}

#[test]
fn single_statements() {
    use WhyReported::*;
    #[rustfmt::skip]
    let cases: [(&str, &[&str], &[WhyReported]); 14] = [
        // within a virtual host                                  names               reported
        ("ServerName a.x.example\nServerName b.x.example",        &["b.x.example"],   &[]),
        ("ServerName ${SITE}",                                    &["www.uni.example"], &[]),
        ("ServerName ${NOWHERE}",                                 &[],                &[Variable]),
        ("ServerName a\nServerAlias x.example",                   &["x.example"],     &[Unqualified]),
        ("ServerName x.example\nVirtualDocumentRoot /www/%0",     &["x.example"],     &[MassHosting]),
        ("ServerAlias x.example",                                 &["x.example"],     &[Nameless]),
        ("Define A x.example\nServerName ${A}\nUnDefine A",       &["x.example"],     &[]),
        ("Define A \"x.example y.example\"\nServerName z.example\nServerAlias ${A}",
                                              &["z.example", "x.example", "y.example"], &[]),
        ("<IfDefine SSL>\nServerName x.example\n</IfDefine>",     &[],          &[Condition, Nameless]),
        ("<IfModule a_module>\nServerName x.example\n</IfModule>", &["x.example"],    &[]),
        ("ServerName x.example\nInclude nothing.conf",            &["x.example"],     &[MissingInclude]),
        ("ServerName x.example\nIncludeOptional nothing.conf",    &["x.example"],     &[]),
        ("Use Nothing a b\nServerName x.example",                 &["x.example"],     &[Macro]),
        ("ServerName 192.0.2.7",                                  &[],                &[]),
    ];
    for (within, expected, why) in cases {
        let report = read(&format!("<VirtualHost *:80>\n{within}\n</VirtualHost>\n"), &[]);
        assert_eq!(names(&report), expected, "{within}");
        assert_eq!(reasons(&report), why, "{within}");
    }
}

#[test]
fn hosts_without_a_name() {
    let main = "<VirtualHost *:80>\n</VirtualHost>\n<VirtualHost 192.0.2.1:80>\n</VirtualHost>\n\
                <VirtualHost old.uni.example:80>\n</VirtualHost>\nServerName main.uni.example\n";
    let report = read(main, &[]);
    let found: Vec<_> = report.names.iter().map(|n| (n.name.as_str(), n.directive)).collect();
    let expected = [
        ("main.uni.example", "ServerName (main server)"),
        ("main.uni.example", "VirtualHost"),
        ("old.uni.example", "VirtualHost"),
    ];
    assert_eq!(found, expected);
    assert_eq!(reported(&report), [("", WhyReported::Nameless), ("", WhyReported::Nameless)]);
}

#[test]
fn includes_and_macros() {
    let main = "<Macro VH $name>\n<VirtualHost *:80>\nServerName $name.uni.example\n\
                Include common\n</VirtualHost>\n</Macro>\nInclude uses\nUndefMacro vh\nUse VH c\n";
    let files = [("uses", "Use VH a\nUse vh \"b\"\n"), ("common", "ServerAlias www.x.example\n")];
    let report = read(main, &files);
    let expected = ["a.uni.example", "www.x.example", "b.uni.example", "www.x.example"];
    assert_eq!(names(&report), expected);
    assert_eq!(report.names[0].place.to_string(), "/tree/uses:1");
    assert_eq!(reported(&report), [("VH c", WhyReported::Macro)]);
}

#[test]
fn loops_end() {
    let looping = [("self", "Include self\nServerAlias a.x.example\n")];
    let report = read("Include self\n", &looping);
    assert_eq!(names(&report), ["a.x.example"]);
    assert_eq!(reported(&report)[0].1, WhyReported::IncludeLoop);

    let macros = "<Macro M>\nUse M\nUse M\nServerAlias a.x.example\n</Macro>\nUse M\n";
    let report = read(macros, &[]);
    assert!(report.names.len() <= MAX_EXPANDED_LINES);
    assert!(reported(&report).iter().all(|(_, why)| *why == WhyReported::TooMuchExpansion));

    let doubling: String = (0..200).map(|_| "Define A x${A}${A}\n").collect();
    let report = read(&format!("Define A x\n{doubling}ServerName ${{A}}.x.example\n"), &[]);
    assert!(reported(&report).iter().any(|(_, why)| *why == WhyReported::TooMuchExpansion));
}

proptest! {
    #[test]
    fn any_text(text in "([<>/\"'\\\\\n ${}*a-c]|Macro|Use|Define|Include|IfModule|VirtualHost|ServerName){0,60}") {
        read(&text, &[("a", "Use a\n</VirtualHost>"), ("b", "<Macro a>")]);
    }

    #[test]
    fn any_dump(text in "([()*:80 \n\t\"]|alias|namevhost|used on line|VirtualHost configuration:){0,60}") {
        let text = format!("VirtualHost configuration:\n{text}");
        testing::read(VhostFormat::ApacheDump, "f", &text, &[]);
    }
}
