//! Who holds the network of an address, and which other networks they hold.

use super::Lookups;
use super::asked::Trouble;
use super::registration::{Heard, Service};
use super::registries::is_askable;
use super::told::Told;
use crate::rdap::parse_rdap_networks;
use crate::registration::Registration;
use crate::whois::parse_whois;
use auslese_model::{Cause, CauseKind, LookupAnswer, LookupKind, LookupRecord};
use std::net::IpAddr;

/// Networks read of one organisation; large ones have some hundred.
const NETWORKS: usize = 4096;

impl Lookups {
    /// The most specific network that an address is registered in.
    pub async fn network(&self, address: IpAddr) -> Result<Told<Registration>, Cause> {
        self.network_of(address).await.map_err(Cause::from)
    }

    /// All networks of an organisation, by the handle that [`Lookups::network`] told for one of
    /// its addresses. RIPE, APNIC and AFRINIC are asked by an inverse question in WHOIS; others by
    /// RDAP, whose answer about an organisation may list its networks (ARIN's does). WHOIS does not
    /// repeat the holder; it is the organisation that was asked for.
    pub async fn networks_of(
        &self,
        handle: &str,
        address: IpAddr,
    ) -> Result<Told<Vec<Registration>>, Cause> {
        if !is_askable(handle) {
            let detail = format!("{handle:?} cannot be the handle of an organisation");
            return Err(Cause::new(CauseKind::Local, detail));
        }
        self.networks_told(handle, address).await.map_err(Cause::from)
    }

    async fn network_of(&self, address: IpAddr) -> Result<Told<Registration>, Trouble> {
        let mut heard = Heard::default();
        for service in self.shared.settings.order.services() {
            heard.hear(match service {
                Service::Rdap => self.rdap_network(address).await,
                Service::Whois => self.whois_network(address).await,
            })?;
            if heard.names_holder() {
                break;
            }
        }
        heard.conclude(&address.to_string())
    }

    async fn networks_told(
        &self,
        handle: &str,
        address: IpAddr,
    ) -> Result<Told<Vec<Registration>>, Trouble> {
        let services = self.shared.settings.order.services();
        let mut failed = None;
        if services.contains(&Service::Whois)
            && let Some(record) = self.whois_networks_of(handle).await?
        {
            match networks(&record) {
                Ok(told) => return Ok(told),
                Err(cause) => failed = Some(cause),
            }
        }
        if services.contains(&Service::Rdap)
            && let Some(record) = self.rdap_organisation(handle, address).await?
        {
            match networks(&record) {
                Ok(told) if !told.value.is_empty() => return Ok(told.with_open(failed)),
                Ok(_) => {}
                Err(cause) => failed = Some(cause),
            }
        }
        Err(Trouble::Failed(failed.unwrap_or_else(|| {
            let detail = format!("the registry of {handle} does not list networks");
            Cause::new(CauseKind::Connect, detail)
        })))
    }
}

fn networks(record: &LookupRecord) -> Result<Told<Vec<Registration>>, Cause> {
    let networks = match &record.answer {
        LookupAnswer::Found(bytes) if record.key.kind == LookupKind::Rdap => {
            parse_rdap_networks(bytes)
        }
        LookupAnswer::Found(bytes) => whois_networks(bytes),
        LookupAnswer::Absent(_) => Vec::new(),
        LookupAnswer::Failed(cause) => return Err(cause.clone()),
    };
    Ok(Told::new(networks, record.key.server.clone(), record.at))
}

/// The objects of an answer in RIPE's form: blocks of lines with an empty line between them.
fn whois_networks(answer: &[u8]) -> Vec<Registration> {
    let text = String::from_utf8_lossy(answer).replace('\r', "");
    let networks = text.split("\n\n").map(str::trim).filter(|block| {
        ["inetnum:", "inet6num:"]
            .iter()
            .any(|key| block.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key)))
    });
    let told = networks.take(NETWORKS).map(|block| parse_whois(block.as_bytes()));
    told.filter(|network| !network.net_range.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_an_answer() {
        let answer = b"% Information related to 'ORG-UH1-RIPE'\r\n\r\n\
            inetnum:  198.18.0.0 - 198.18.255.255\r\nnetname: UNI-A\r\norg: ORG-UH1-RIPE\r\n\r\n\
            inet6num: 2001:db8::/32\r\nnetname: UNI-B\r\n\r\n\r\n\
            route: 192.0.2.0/24\r\n\r\n\
            inetnum: nonsense\r\n";
        let told = whois_networks(answer);
        let ranges: Vec<String> =
            told.iter().flat_map(|network| &network.net_range).map(ToString::to_string).collect();
        assert_eq!(ranges, ["198.18.0.0/16", "2001:db8::/32"]);
        assert_eq!(told[1].net_name.as_deref(), Some("UNI-B"));
    }
}
