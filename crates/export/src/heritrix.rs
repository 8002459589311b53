//! For Heritrix: where to begin, and what belongs to the crawl.
//!
//! Seeds are the start pages of the servers of the documents that were chosen; the scope is their SURT
//! prefixes, and a bean for the job's configuration that reads them.

use auslese_model::{HostName, Origin};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Seeds, one a line.
pub fn write_seeds(servers: &BTreeSet<Origin>, out: &mut dyn Write) -> io::Result<()> {
    servers.iter().try_for_each(|server| writeln!(out, "{server}/"))
}

/// SURT prefixes, one a line, sorted. Heritrix compares https addresses with `http://(` too.
pub fn write_surts(servers: &BTreeSet<Origin>, out: &mut dyn Write) -> io::Result<()> {
    let prefixes: BTreeSet<String> = servers.iter().map(surt_prefix).collect();
    prefixes.iter().try_for_each(|prefix| writeln!(out, "{prefix}"))
}

/// The bean `scope` for `crawler-beans.cxml`.
pub fn write_scope(surts: &str, out: &mut dyn Write) -> io::Result<()> {
    const RULES: &str = "org.archive.modules.deciderules";
    writeln!(
        out,
        "<bean id=\"scope\" class=\"{RULES}.DecideRuleSequence\">\n \
         <property name=\"rules\">\n  <list>\n   \
         <bean class=\"{RULES}.RejectDecideRule\"/>\n   \
         <bean class=\"{RULES}.surt.SurtPrefixedDecideRule\">\n    \
         <property name=\"seedsAsSurtPrefixes\" value=\"false\"/>\n    \
         <property name=\"surtsSource\">\n     \
         <bean class=\"org.archive.spring.ConfigFile\">\n      \
         <property name=\"path\" value=\"{surts}\"/>\n     </bean>\n    </property>\n   </bean>\n   \
         <bean class=\"{RULES}.TooManyHopsDecideRule\"/>\n   \
         <bean class=\"{RULES}.TransclusionDecideRule\"/>\n   \
         <bean class=\"{RULES}.PrerequisiteAcceptDecideRule\"/>\n   \
         <bean class=\"{RULES}.SchemeNotInSetDecideRule\"/>\n  \
         </list>\n </property>\n</bean>"
    )
}

fn surt_prefix(server: &Origin) -> String {
    let host = surt_host(&server.host);
    match server.has_default_port() {
        true => format!("http://({host})"),
        false => format!("http://({host}:{})", server.port),
    }
}

/// Addresses have no hierarchy from right to left.
fn surt_host(host: &HostName) -> String {
    if host.address().is_some() {
        return host.to_string();
    }
    let labels: Vec<&str> = host.as_str().rsplit('.').collect();
    format!("{},", labels.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_as_heritrix_reads_them() {
        let servers = [
            "http://www.uni.example",
            "https://www.uni.example",
            "http://a.uni.example:8080",
            "http://10.0.0.1",
        ];
        let servers: BTreeSet<Origin> =
            servers.iter().map(|it| Origin::parse(it).unwrap()).collect();
        let mut surts = Vec::new();
        write_surts(&servers, &mut surts).unwrap();
        assert_eq!(
            String::from_utf8(surts).unwrap(),
            "http://(10.0.0.1)\nhttp://(example,uni,a,:8080)\nhttp://(example,uni,www,)\n"
        );
        let mut seeds = Vec::new();
        write_seeds(&servers, &mut seeds).unwrap();
        let seeds = String::from_utf8(seeds).unwrap();
        assert_eq!(seeds.lines().count(), 4);
        assert!(seeds.contains("http://a.uni.example:8080/\n"), "{seeds}");
    }
}
