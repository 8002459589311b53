//! Which kind of file it is.
//!
//! Dumps, scans, XML and JSON say so in their first lines. The rest are languages of lines: each
//! line of the beginning votes for the language it could be a line of, and most votes win.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;

/// What can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VhostFormat {
    /// Output of `apachectl -S`.
    ApacheDump,
    /// Apache configuration files.
    ApacheConfig,
    /// Output of `nginx -T`.
    NginxDump,
    /// nginx configuration files.
    NginxConfig,
    /// Output of `caddy adapt`, or a Caddy configuration in JSON.
    CaddyJson,
    Caddyfile,
    /// `applicationHost.config` of IIS.
    Iis,
    /// `-oX` of nmap and masscan.
    NmapXml,
    /// `-oG` of nmap and masscan.
    NmapGrepable,
    /// `-oN` of nmap.
    NmapText,
    /// `-oL` of masscan.
    MasscanList,
    /// `-oJ` of masscan.
    MasscanJson,
    /// A zone of a name server, as a master file.
    Zone,
    /// Addresses and names, as in `/etc/hosts`.
    Hosts,
}

/// How much of a file is looked at, in bytes.
const LOOKED_AT: usize = 64 * 1024;

impl VhostFormat {
    pub const ALL: [VhostFormat; 14] = [
        VhostFormat::ApacheDump,
        VhostFormat::ApacheConfig,
        VhostFormat::NginxDump,
        VhostFormat::NginxConfig,
        VhostFormat::CaddyJson,
        VhostFormat::Caddyfile,
        VhostFormat::Iis,
        VhostFormat::NmapXml,
        VhostFormat::NmapGrepable,
        VhostFormat::NmapText,
        VhostFormat::MasscanList,
        VhostFormat::MasscanJson,
        VhostFormat::Zone,
        VhostFormat::Hosts,
    ];

    /// The name on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            VhostFormat::ApacheDump => "apache-dump",
            VhostFormat::ApacheConfig => "apache-config",
            VhostFormat::NginxDump => "nginx-dump",
            VhostFormat::NginxConfig => "nginx-config",
            VhostFormat::CaddyJson => "caddy-json",
            VhostFormat::Caddyfile => "caddyfile",
            VhostFormat::Iis => "iis",
            VhostFormat::NmapXml => "nmap-xml",
            VhostFormat::NmapGrepable => "nmap-grepable",
            VhostFormat::NmapText => "nmap-text",
            VhostFormat::MasscanList => "masscan-list",
            VhostFormat::MasscanJson => "masscan-json",
            VhostFormat::Zone => "zone",
            VhostFormat::Hosts => "hosts",
        }
    }

    pub fn parse(text: &str) -> Option<VhostFormat> {
        VhostFormat::ALL.into_iter().find(|format| format.as_str() == text)
    }

    /// Where a server keeps its configuration when it is installed in the usual way.
    pub(crate) fn usual_homes(self) -> &'static [&'static str] {
        match self {
            VhostFormat::ApacheConfig => {
                &["/etc/apache2", "/etc/httpd", "/usr/local/apache2", "/usr/local/etc/apache24"]
            }
            VhostFormat::NginxConfig => {
                &["/etc/nginx", "/usr/local/nginx/conf", "/usr/local/etc/nginx"]
            }
            VhostFormat::Caddyfile => &["/etc/caddy"],
            _ => &[],
        }
    }

    /// Tells the format of a text, if it is any of ours.
    pub(crate) fn recognise(text: &str) -> Option<VhostFormat> {
        let mut end = text.len().min(LOOKED_AT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let beginning = &text[..end];
        of_document(beginning)
            .or_else(|| of_marked_lines(beginning))
            .or_else(|| by_votes(beginning))
    }
}

impl fmt::Display for VhostFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// XML and JSON.
fn of_document(text: &str) -> Option<VhostFormat> {
    let text = text.trim_start();
    // A Caddyfile may begin with a brace too, but not with a brace and a quote.
    let json = text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
    if json || text.starts_with('[') {
        let masscan = text.contains("\"ip\"") && text.contains("\"ports\"");
        let caddy = text.contains("\"apps\"");
        return match (masscan, caddy) {
            (true, _) => Some(VhostFormat::MasscanJson),
            (false, true) => Some(VhostFormat::CaddyJson),
            (false, false) => None,
        };
    }
    if !text.starts_with('<') {
        return None;
    }
    if text.contains("<nmaprun") {
        Some(VhostFormat::NmapXml)
    } else if ["<configuration>", "<system.applicationHost", "<bindings>"]
        .iter()
        .any(|element| text.contains(element))
    {
        Some(VhostFormat::Iis)
    } else {
        None
    }
}

/// Formats with lines that occur nowhere else.
fn of_marked_lines(text: &str) -> Option<VhostFormat> {
    let mut masscan = false;
    for line in text.lines() {
        masscan |= line.to_ascii_lowercase().starts_with("#masscan");
        let format = if line.starts_with("VirtualHost configuration:") {
            VhostFormat::ApacheDump
        } else if line.starts_with("# configuration file ") && line.ends_with(':') {
            VhostFormat::NginxDump
        } else if line.contains("Host: ") && line.contains("Ports: ")
            || line.starts_with("Host: ") && line.contains("Status: ")
        {
            VhostFormat::NmapGrepable
        } else if line.starts_with("Nmap scan report for ") {
            VhostFormat::NmapText
        } else if masscan && line.starts_with("open ") {
            VhostFormat::MasscanList
        } else {
            continue;
        };
        return Some(format);
    }
    None
}

fn by_votes(text: &str) -> Option<VhostFormat> {
    let mut votes = [
        (VhostFormat::ApacheConfig, 0),
        (VhostFormat::NginxConfig, 0),
        (VhostFormat::Caddyfile, 0),
        (VhostFormat::MasscanList, 0),
        (VhostFormat::Zone, 0),
        (VhostFormat::Hosts, 0),
    ];
    let mut first = true;
    for line in text.lines() {
        let blank = line.trim().is_empty() || line.trim_start().starts_with(['#', ';']);
        if blank {
            continue;
        }
        for (format, count) in &mut votes {
            *count += usize::from(could_be(*format, line, first));
        }
        first = false;
    }
    // The first of equals: `max_by_key` would take the last.
    let best = votes.iter().rev().max_by_key(|(_, count)| *count)?;
    (best.1 > 0).then_some(best.0)
}

fn could_be(format: VhostFormat, line: &str, first: bool) -> bool {
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or_default();
    let second = words.next();
    let ends = |end: char| line.trim_end().ends_with(end);
    match format {
        VhostFormat::ApacheConfig => {
            let word = word.to_ascii_lowercase();
            !ends(';')
                && !ends('{')
                && APACHE_WORDS.contains(&word.trim_start_matches('<').trim_end_matches('>'))
        }
        VhostFormat::NginxConfig => {
            ends(';') && second.is_some() || ends('{') && NGINX_BLOCKS.contains(&word)
        }
        VhostFormat::Caddyfile => {
            let site = ends('{') && !line.starts_with(char::is_whitespace) && second.is_some();
            let alone = first && (word == "{" || second.is_none() && looks_like_a_site(word));
            !ends(';')
                && (CADDY_WORDS.contains(&word)
                    || alone
                    || site && !NGINX_BLOCKS.contains(&word) && looks_like_a_site(word))
        }
        VhostFormat::MasscanList => word == "open" && words.next().is_some_and(is_number),
        VhostFormat::Zone => {
            let known = |word: &str| ZONE_TYPES.contains(&word.to_ascii_uppercase().as_str());
            ["$ORIGIN", "$TTL", "$INCLUDE", "$GENERATE"].contains(&word)
                || line.split_whitespace().skip(1).take(4).any(known)
                || line.starts_with(char::is_whitespace) && known(word)
        }
        VhostFormat::Hosts => word.parse::<IpAddr>().is_ok() && second.is_some(),
        _ => false,
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

fn looks_like_a_site(word: &str) -> bool {
    word.starts_with('(') || word.starts_with("{$") || word.contains(['.', ':'])
}

const APACHE_WORDS: [&str; 29] = [
    "servername",
    "serveralias",
    "serverroot",
    "serveradmin",
    "documentroot",
    "virtualhost",
    "ifmodule",
    "ifdefine",
    "ifversion",
    "iffile",
    "include",
    "includeoptional",
    "loadmodule",
    "define",
    "undefine",
    "macro",
    "use",
    "listen",
    "namevirtualhost",
    "directory",
    "location",
    "errorlog",
    "customlog",
    "sslengine",
    "rewriteengine",
    "rewriterule",
    "options",
    "require",
    "virtualdocumentroot",
];

const NGINX_BLOCKS: [&str; 8] =
    ["http", "server", "events", "upstream", "location", "map", "stream", "mail"];

const CADDY_WORDS: [&str; 14] = [
    "reverse_proxy",
    "file_server",
    "php_fastcgi",
    "encode",
    "tls",
    "redir",
    "respond",
    "handle",
    "handle_path",
    "import",
    "header",
    "log",
    "root",
    "admin",
];

const ZONE_TYPES: [&str; 10] = ["IN", "SOA", "NS", "A", "AAAA", "CNAME", "MX", "TXT", "PTR", "SRV"];

#[cfg(test)]
mod tests {
    use super::*;
    use VhostFormat::*;

    #[test]
    fn names_round_trip() {
        for format in VhostFormat::ALL {
            assert_eq!(VhostFormat::parse(format.as_str()), Some(format));
            assert_eq!(serde_json::to_value(format).unwrap(), format.as_str());
        }
    }

    #[test]
    fn beginnings() {
        #[rustfmt::skip]
        let cases = [
            ("VirtualHost configuration:\n*:80 a.example (/f:1)\n",               Some(ApacheDump)),
            ("AH00558: apache2: Could not …\nVirtualHost configuration:\n",        Some(ApacheDump)),
            ("# site\n<VirtualHost *:80>\n ServerName a.example\n</VirtualHost>",  Some(ApacheConfig)),
            ("Define X y\nInclude sites/*.conf\n",                                 Some(ApacheConfig)),
            ("nginx: the configuration file /n.conf syntax is ok\n# configuration file /n.conf:\n", Some(NginxDump)),
            ("user www;\nhttp {\n  server {\n    listen 80;\n  }\n}\n",            Some(NginxConfig)),
            ("server {\n  server_name a.example;\n}\n",                            Some(NginxConfig)),
            ("{\"apps\":{\"http\":{}}}",                                           Some(CaddyJson)),
            ("{\n  email a@b.example\n}\na.example {\n  respond ok\n}\n",          Some(Caddyfile)),
            ("a.example\n\nreverse_proxy localhost:9000\n",                        Some(Caddyfile)),
            ("<?xml version=\"1.0\"?>\n<configuration>\n<system.applicationHost>", Some(Iis)),
            ("<?xml version=\"1.0\"?>\n<nmaprun scanner=\"nmap\">",                Some(NmapXml)),
            ("# Nmap 7.93 scan\nHost: 192.0.2.1 ()\tStatus: Up\n",                 Some(NmapGrepable)),
            ("Timestamp: 1\tHost: 192.0.2.1 ()\tPorts: 80/open/tcp//http//\n",     Some(NmapGrepable)),
            ("Starting Nmap\nNmap scan report for a.example (192.0.2.1)\n",        Some(NmapText)),
            ("#masscan\nopen tcp 80 192.0.2.1 1700000000\n",                       Some(MasscanList)),
            ("open tcp 80 192.0.2.1 1700000000\n",                                 Some(MasscanList)),
            ("[\n{ \"ip\": \"192.0.2.1\", \"ports\": [ {\"port\": 80} ] }\n]",     Some(MasscanJson)),
            ("$TTL 1h\n@ IN SOA ns. root. 1 2 3 4 5\n",                            Some(Zone)),
            ("a.example.  3600  IN  A  192.0.2.1\n",                               Some(Zone)),
            ("# hosts\n127.0.0.1 localhost\n192.0.2.1 a.example\n",                Some(Hosts)),
            ("Dear all,\n\nplease find attached\n",                                None),
            ("",                                                                   None),
        ];
        for (text, expected) in cases {
            assert_eq!(VhostFormat::recognise(text), expected, "{text}");
        }
    }
}
