//! Output of nmap and masscan, as tables, and any text.

use crate::vhosts::VhostFormat::{self, *};
use crate::vhosts::testing::{names, read};
use proptest::prelude::*;

/// The same two hosts in all formats; masscan tells no names.
#[test]
fn formats_agree() {
    let xml = r#"<nmaprun><host><status state="up"/><address addr="192.0.2.1" addrtype="ipv4"/>
        <address addr="00:00:5E:00:53:01" addrtype="mac"/>
        <hostnames><hostname name="www.uni.example" type="user"/></hostnames>
        <ports><port protocol="tcp" portid="443"><state state="open"/><service name="https"/>
        <script id="ssl-cert" output="Subject: x&#xa;Subject Alternative Name: DNS:uni.example, DNS:*.uni.example&#xa;Issuer: y"/></port>
        <port protocol="tcp" portid="80"><state state="open"/></port>
        <port protocol="udp" portid="53"><state state="open"/></port>
        <port protocol="tcp" portid="22"><state state="closed"/></port></ports></host>
        <host><address addr="192.0.2.2" addrtype="ipv4"/><ports><port protocol="tcp" portid="80"><state state="open"/></port></ports></host></nmaprun>"#;
    let grepable = "# Nmap\nHost: 192.0.2.1 (www.uni.example)\tStatus: Up\n\
        Host: 192.0.2.1 (www.uni.example)\tPorts: 443/open/tcp//https///, 80/open/tcp//http///, 53/open/udp//domain///, 22/closed/tcp//ssh///\tIgnored State: filtered (9)\n\
        Timestamp: 1700000000\tHost: 192.0.2.2 ()\tPorts: 80/open/tcp//http//\n# done\n";
    let text = "Nmap scan report for www.uni.example (192.0.2.1)\nHost is up (0.1s latency).\n\
        PORT STATE SERVICE\n22/tcp closed ssh\n80/tcp open http\n443/tcp open https\n\
        | ssl-cert: Subject: commonName=x\n| Subject Alternative Name: DNS:uni.example, DNS:*.uni.example\n\n\
        Nmap scan report for 192.0.2.2\n53/udp open domain\n80/tcp open http\n";
    let list = "#masscan\nopen tcp 80 192.0.2.1 1700000000\nopen tcp 443 192.0.2.1 1700000000\n\
        open udp 53 192.0.2.1 1700000000\nopen tcp 80 192.0.2.2 1700000000\n# end\n";
    let json = "[\n{   \"ip\": \"192.0.2.1\",   \"timestamp\": \"1700000000\", \"ports\": [ {\"port\": 443, \"proto\": \"tcp\", \"status\": \"open\", \"reason\": \"syn-ack\", \"ttl\": 64} ] }\n,\n\
        {   \"ip\": \"192.0.2.1\",   \"timestamp\": \"1700000000\", \"ports\": [ {\"port\": 80, \"proto\": \"tcp\", \"status\": \"open\"} ] },\n\
        {   \"ip\": \"192.0.2.1\",   \"ports\": [ {\"port\": 80, \"proto\": \"tcp\", \"service\": {\"name\": \"http\", \"banner\": \"x\"}} ] },\n\
        {   \"ip\": \"192.0.2.2\",   \"ports\": [ {\"port\": 80, \"proto\": \"tcp\", \"status\": \"open\"} ] }\n]\n";
    #[rustfmt::skip]
    let cases: [(VhostFormat, &str, &[&str]); 5] = [
        (NmapXml,      xml,      &["www.uni.example", "uni.example"]),
        (NmapGrepable, grepable, &["www.uni.example", "www.uni.example"]),
        (NmapText,     text,     &["www.uni.example", "uni.example"]),
        (MasscanList,  list,     &[]),
        (MasscanJson,  json,     &[]),
    ];
    for (format, text, expected_names) in cases {
        let report = read(format, "f", text, &[]);
        let found: Vec<_> =
            report.addresses.iter().map(|at| (at.address.to_string(), at.ports.clone())).collect();
        let expected =
            [("192.0.2.1".to_owned(), vec![80, 443]), ("192.0.2.2".to_owned(), vec![80])];
        assert_eq!(found, expected, "{format}");
        assert_eq!(names(&report), expected_names, "{format}");
    }
}

#[test]
fn what_cannot_be_read_is_told() {
    let list = read(MasscanList, "f", "open tcp 80 nowhere 1\n", &[]);
    let json = "{\"ip\": \"192.0.2.1\", \"ports\": \"all\"},\n{finished: 1}\n";
    let json = read(MasscanJson, "f", json, &[]);
    assert_eq!((list.reported.len(), json.reported.len()), (1, 1));
}

proptest! {
    #[test]
    fn any_text(text in "([ \t\n(),:/<>\"=|0-9a-c]|Host:|Ports:|open|tcp|Nmap scan report for|<host|<port|portid|\"ip\"){0,60}") {
        for format in [NmapXml, NmapGrepable, NmapText, MasscanList, MasscanJson] {
            read(format, "f", &text, &[]);
        }
    }
}
