//! The servers of a configuration: the main one and its virtual hosts.
//!
//! A virtual host without a `ServerName` takes the main server's if it answers at any address;
//! if it answers at one address only, its name is what reverse DNS says, which no file tells.

use super::super::report::{Endpoint, Findings, Place, WhyReported, split_port};

/// One server while it is read.
#[derive(Debug)]
pub(crate) struct Server {
    place: Place,
    listens: Vec<Endpoint>,
    /// Addresses that are written as names.
    at_names: Vec<String>,
    any_address: bool,
    name: Option<(String, Place)>,
    aliases: Vec<(String, Place)>,
}

impl Server {
    /// A virtual host at the addresses of its section.
    pub(crate) fn at(addresses: Vec<String>, place: Place) -> Server {
        let any = |address: &String| {
            let host = split_port(address).0;
            host == "*" || host.eq_ignore_ascii_case("_default_")
        };
        let any_address = addresses.iter().any(any);
        let listens: Vec<_> = addresses.iter().map(|address| Endpoint::parse(address)).collect();
        let named = |(address, endpoint): (&String, &Endpoint)| {
            let host = split_port(address).0;
            let name = endpoint.address.is_none() && host.contains(|c: char| c.is_alphabetic());
            (name && !any(address)).then(|| host.to_owned())
        };
        let at_names = addresses.iter().zip(&listens).filter_map(named).collect();
        Server { place, listens, at_names, any_address, name: None, aliases: Vec::new() }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_ref().map(|(name, _)| name.as_str())
    }
}

/// All servers of a configuration.
#[derive(Debug)]
pub(crate) struct Servers {
    main: Server,
    hosts: Vec<Server>,
    current: Option<Server>,
}

impl Servers {
    pub(crate) fn new(place: Place) -> Servers {
        Servers { main: Server::at(Vec::new(), place), hosts: Vec::new(), current: None }
    }

    pub(crate) fn open(&mut self, server: Server) {
        self.close();
        self.current = Some(server);
    }

    pub(crate) fn close(&mut self) {
        self.hosts.extend(self.current.take());
    }

    /// Takes a `ServerName`, which may be `https://www.uni.example:443`. The last one counts.
    pub(crate) fn name(&mut self, words: Vec<String>, place: &Place) {
        if let Some(word) = words.first() {
            let server = self.current.as_mut().unwrap_or(&mut self.main);
            let host = word.split_once("://").map_or(word.as_str(), |(_, host)| host);
            server.name = Some((split_port(host).0.to_owned(), place.clone()));
        }
    }

    pub(crate) fn alias(&mut self, words: Vec<String>, place: &Place) {
        let server = self.current.as_mut().unwrap_or(&mut self.main);
        server.aliases.extend(words.into_iter().map(|word| (word, place.clone())));
    }

    /// Tells all names, the main server's first.
    pub(crate) fn tell(&mut self, findings: &mut Findings) {
        self.close();
        if let Some((name, place)) = &self.main.name {
            findings.host(name, place, MAIN_SERVER, &[]);
        }
        tell_aliases(&self.main, findings);
        for host in &self.hosts {
            tell_name(host, &self.main, findings);
            tell_aliases(host, findings);
        }
    }
}

/// The name of the main server, which answers where no virtual host does.
const MAIN_SERVER: &str = "ServerName (main server)";

fn tell_name(host: &Server, main: &Server, findings: &mut Findings) {
    for name in &host.at_names {
        findings.host(name, &host.place, "VirtualHost", &host.listens);
    }
    match (&host.name, main.name()) {
        (Some((name, place)), _) => findings.host(name, place, "ServerName", &host.listens),
        (None, Some(name)) if host.any_address => {
            findings.host(name, &host.place, "VirtualHost", &host.listens);
        }
        (None, _) => findings.report("", &host.place, "VirtualHost", WhyReported::Nameless),
    }
}

fn tell_aliases(server: &Server, findings: &mut Findings) {
    for (alias, place) in &server.aliases {
        findings.host(alias, place, "ServerAlias", &server.listens);
    }
}
