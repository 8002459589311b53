//! Lists of every format, as services write them, and any text.

use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;

fn import(text: &str) -> Import {
    read_import(text.as_bytes(), None).unwrap()
}

fn hosts(import: &Import) -> Vec<String> {
    let show = |host: &ImportedHost| match host.wildcard {
        true => format!("*.{}:{}", host.host, host.place),
        false => format!("{}:{}", host.host, host.place),
    };
    import.hosts.iter().map(show).collect()
}

fn dropped(import: &Import) -> Vec<(DropReason, u64)> {
    import.dropped.iter().map(|(why, count)| (*why, *count)).collect()
}

/// Text, format, hosts with their lines, and how many things were dropped for which reason.
type Case<'a> = (&'a str, ImportFormat, &'a [&'a str], &'a [(DropReason, u64)]);

#[test]
fn formats() {
    use DropReason::*;
    use ImportFormat::*;
    #[rustfmt::skip]
    let cases: [Case; 15] = [
        // crt.sh
        (r#"[{"issuer_name":"CN=x","common_name":"a.uni.example","name_value":"a.uni.example\n*.uni.example\nperson@uni.example","id":1},
            {"common_name":"Some Person","name_value":"192.0.2.1\nwww.m\u00fcller.example"}]"#,
            Json, &["a.uni.example:1", "*.uni.example:1", "www.xn--mller-kva.example:2"],
            &[(MailAddress, 1), (Address, 1), (Unreadable, 1)]),
        // Cert Spotter
        (r#"[{"id":"1","dns_names":["b.uni.example","uni.example"],"issuer":{"name":"ca.example","dns_names":["ca.example"]}}]"#,
            Json, &["b.uni.example:1", "uni.example:1"], &[]),
        // lines of JSON
        ("{\"parsed\":{\"names\":[\"a.uni.example\"],\"issuer\":{\"common_name\":[\"CA\"]},\"subject\":{\"common_name\":[\"b.uni.example\"]}}}\n{oops\n{\"host\":\"c.uni.example\"}\n{\"host\":",
            Json, &["a.uni.example:1", "b.uni.example:1", "c.uni.example:3"], &[(Malformed, 2)]),
        // tables
        ("issuer_name,common_name,name_value,id\n\"C=US, O=x\",a.uni.example,\"a.uni.example\nb.uni.example\",1\nx\n",
            Csv, &["a.uni.example:2", "b.uni.example:2"], &[(Malformed, 1)]),
        ("Name;Host Name\nx;a.uni.example\n", Csv, &["a.uni.example:2"], &[(Unqualified, 1)]),
        ("host\na.uni.example\nb.uni.example", Csv, &["a.uni.example:2", "b.uni.example:3"], &[]),
        // CDX
        (" CDX N b a m s k r M S V g\nexample,uni)/ 20200101000000 http://www.uni.example/ text/html 200 X - - 1 2 f.warc.gz\nshort\n",
            Cdx, &["www.uni.example:2"], &[(Malformed, 1)]),
        (" CDX N b m\nexample,uni,www)/x 20200101000000 text/html\n", Cdx, &["www.uni.example:2"], &[]),
        ("example,uni)/ 20200101000000 http://uni.example:8080/ text/html 200 X - - 1 2 f\ndns:uni.example 20200101000000 dns:uni.example text/dns - X - - 1 2 f\n",
            Cdx, &["uni.example:1"], &[(NotWeb, 1)]),
        ("!meta {\"format\": \"cdxj\"}\nexample,uni)/ 20200101000000 {\"url\": \"https://www.uni.example/\", \"status\": \"200\"}\nexample,uni,b)/ 20200101000000 {}\n",
            Cdxj, &["b.uni.example:3", "www.uni.example:2"], &[]),
        // lists
        ("# hosts\nA.Uni.Example.\na.uni.example\n*.b.uni.example\n.c.uni.example\n\nhttps://d.uni.example:8443/x\ne.uni.example:443\n",
            List, &["a.uni.example:2", "*.b.uni.example:4", "*.c.uni.example:5", "d.uni.example:7", "e.uni.example:8"], &[]),
        ("a.uni.example,x,y\n\"b.uni.example\",z\nc.uni.example\td\n", List,
            &["a.uni.example:1", "b.uni.example:2", "c.uni.example:3"], &[]),
        ("localhost\nx@uni.example\n2001:db8::1\n_dmarc.uni.example\nwww.*.example\nmailto:a\n-\n", List, &[],
            &[(MailAddress, 1), (Address, 1), (Wildcard, 1), (Unqualified, 1), (Service, 1), (Unreadable, 2)]),
        ("ftp://a.uni.example/\nftps://b.uni.example/\nhttp://:80\n", List, &["a.uni.example:1"],
            &[(NotWeb, 1), (Unreadable, 1)]),
        ("", List, &[], &[]),
    ];
    for (text, format, expected, drops) in cases {
        let import = import(text);
        assert_eq!(import.format, format, "{text}");
        assert_eq!(hosts(&import), expected, "{text}");
        assert_eq!(dropped(&import), drops, "{text} {:?}", import.reported);
    }
}

/// Text, and the names that stand together with their line.
type Together<'a> = (&'a str, &'a [(&'a str, u64)]);

#[test]
fn names_that_stand_together() {
    #[rustfmt::skip]
    let cases: [Together; 10] = [
        // crt.sh: the common name belongs to the others; renewed certificates are one.
        (r#"[{"common_name":"a.uni.example","name_value":"b.example\n*.b.example\nx@b.example"},
            {"common_name":"a.uni.example","name_value":"*.b.example\nB.example"}]"#,
            &[("*.b.example a.uni.example b.example", 1)]),
        // Cert Spotter: not the names of the authority.
        (r#"[{"dns_names":["b.example","a.uni.example"],"issuer":{"dns_names":["ca.example"]}}]"#,
            &[("a.uni.example b.example", 1)]),
        // Results within one object are certificates of their own.
        (r#"{"results":[{"dns_names":["a.example","b.example"]},{"dns_names":["c.example","d.example"]}]}"#,
            &[("a.example b.example", 1), ("c.example d.example", 1)]),
        // Censys: parts of one certificate; a list of names beside nothing is no certificate.
        (r#"{"parsed":{"names":["a.example"],"issuer":{"common_name":["CA"]},"subject":{"common_name":["b.example"]}}}"#,
            &[("a.example b.example", 1)]),
        (r#"{"names":["a.example","b.example"]}"#, &[]),
        (r#"{"host":"a.example"}{"host":"b.example"}"#, &[]),
        // One name is nobody's company.
        (r#"{"common_name":"a.example","name_value":"a.example\n192.0.2.1"}"#, &[]),
        ("id,common_name,name_value\n1,a.example,\"a.example\nb.example\"\n2,c.example,c.example\n",
            &[("a.example b.example", 2)]),
        ("host,url\na.example,http://b.example/\n", &[]),
        ("a.example\nb.example\n", &[]),
    ];
    for (text, expected) in cases {
        let found = import(text).certificates;
        let found: Vec<(String, u64)> =
            found.iter().map(|it| (it.names.join(" "), it.place)).collect();
        let found: Vec<(&str, u64)> = found.iter().map(|(it, place)| (&**it, *place)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn certificates_of_providers_are_left_out() {
    #[rustfmt::skip]
    let cases = [
        // names, registrable domains, kept
        (50,    50, true),
        (51,    51, false),
        (1_000, 1,  true),
        (1_001, 1,  false),
    ];
    for (names, domains, kept) in cases {
        let name = |number: usize| format!("\"h{number}.d{}.example\"", number % domains);
        let names: Vec<String> = (0..names).map(name).collect();
        let found = import(&format!("{{\"dns_names\":[{}]}}", names.join(",")));
        assert_eq!(found.certificates.len(), usize::from(kept), "{} {domains}", names.len());
        assert_eq!(found.hosts.len(), names.len());
    }
}

#[test]
fn long_items_are_passed_over() {
    let long = "x".repeat(MAX_ITEM + 10);
    #[rustfmt::skip]
    let cases = [
        (ImportFormat::List, format!("{long}\na.uni.example\n")),
        (ImportFormat::Json, format!("{{\"name_value\":\"{long}\"}}\n{{\"host\":\"a.uni.example\"}}")),
        (ImportFormat::Cdxj, format!("{long}\nexample,uni,a)/ 2020 {{\"url\":\"http://a.uni.example/\"}}\n")),
    ];
    for (format, text) in cases {
        let import = read_import(text.as_bytes(), Some(format)).unwrap();
        assert_eq!(hosts(&import), ["a.uni.example:2"], "{format}");
        assert_eq!(dropped(&import), [(DropReason::TooLong, 1)], "{format}");
    }
}

#[test]
fn a_quote_that_never_ends_costs_one_record() {
    let text = format!("host\n\"{}\n", "a.uni.example\n".repeat(MAX_ITEM / 10));
    let import = read_import(text.as_bytes(), Some(ImportFormat::Csv)).unwrap();
    assert!(dropped(&import).contains(&(DropReason::TooLong, 1)));
    assert_eq!(import.hosts.len(), 1);
}

#[test]
fn examples_are_few_and_counts_are_complete() {
    let text = "x\n".repeat(1000);
    let import = import(&text);
    assert_eq!(dropped(&import), [(DropReason::Unqualified, 1000)]);
    assert_eq!(import.reported.len(), drops::MAX_EXAMPLES);
    assert_eq!(import.lines, 1000);
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn compressed_lists_are_unpacked_once() {
    let text = "host\na.uni.example\nb.uni.example\n";
    // Indexes of archives are often several members, one behind the other.
    let (first, second) = text.as_bytes().split_at(12);
    let members = [packed(first), packed(second)].concat();
    let unpacked = read_import(members.as_slice(), None).unwrap();
    assert_eq!(unpacked, import(text));
    let twice = packed(&packed(text.as_bytes()));
    assert!(matches!(read_import(twice.as_slice(), None), Err(ImportError::Compressed)));
    assert!(matches!(read_import(&b"PK\x03\x04"[..], None), Err(ImportError::Compressed)));
    let cut = &members[..members.len() - 10];
    assert!(matches!(read_import(cut, None), Err(ImportError::Io(_))));
}

#[test]
fn names_of_formats() {
    for format in ImportFormat::ALL {
        assert_eq!(ImportFormat::parse(format.as_str()), Some(format));
        assert_eq!(serde_json::to_value(format).unwrap(), format.as_str());
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0..5usize) {
        read_import(bytes.as_slice(), Some(ImportFormat::ALL[at])).unwrap();
        let _ = read_import(bytes.as_slice(), None);
    }

    #[test]
    fn any_text(text in "([{}\\[\\]\":,;\\\\\n\t )(*.@0-9a-c]|CDX|host|name_value|http://){0,60}", at in 0..5usize) {
        let import = read_import(text.as_bytes(), Some(ImportFormat::ALL[at])).unwrap();
        prop_assert!(import.hosts.iter().all(|host| host.host.address().is_none()));
    }
}
