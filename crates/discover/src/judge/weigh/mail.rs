//! Mail: is it received, or sent, by servers of the organisation?

use super::{Scales, evidence, in_words};
use crate::judge::facts::{MailRoutes, SpfTerm, ZoneServer};
use auslese_model::{Evidence, HostName, Indicator};

pub(super) fn mail_routing(scales: &Scales<'_>) -> Option<Evidence> {
    let fact = &scales.observed.mail;
    let Some(told) = fact.answer() else {
        return scales.unanswerable(Indicator::MailRouting, fact);
    };
    let routes = &told.value;
    let received = routes.exchangers.iter().find_map(|server| {
        Some((format!("mail exchanger {}", server.host), own_server(scales, server)?))
    });
    let sent = || {
        let mut senders = routes.senders.iter();
        senders.find_map(|term| Some((term_in_words(term), own_sender(scales, term)?)))
    };
    Some(match received.or_else(sent) {
        Some((seen, compared)) => {
            let weight = scales.settings.weights.mail_routing;
            evidence(Indicator::MailRouting, told, seen, compared, weight)
        }
        None => {
            let compared = "no mail server of the organisation";
            evidence(Indicator::MailRouting, told, routes_in_words(routes), compared, 0.0)
        }
    })
}

fn own_server(scales: &Scales<'_>, server: &ZoneServer) -> Option<String> {
    let profile = scales.profile;
    let in_range = || {
        let mut addresses = server.addresses.iter();
        addresses.find_map(|address| {
            let range = profile.range_of(address.to_canonical())?;
            Some(format!("at {address} in the organisation's range {}", range.net))
        })
    };
    own_name(scales, &server.host).or_else(in_range)
}

fn own_name(scales: &Scales<'_>, host: &HostName) -> Option<String> {
    let listed = || {
        let mut servers = scales.profile.mail_servers.iter();
        let own = servers.any(|known| known.own && known.host == *host);
        own.then(|| "the organisation's own mail server".to_owned())
    };
    let domain = scales.profile.domains.iter().find(|domain| host.is_within(domain));
    domain.map(|domain| format!("under {domain} of the organisation")).or_else(listed)
}

/// A range of senders must lie wholly in the organisation's, or a record that lets everybody send
/// would speak for everybody.
fn own_sender(scales: &Scales<'_>, term: &SpfTerm) -> Option<String> {
    match term {
        SpfTerm::Include(name) | SpfTerm::Host(name) => own_name(scales, &HostName::parse(name)?),
        SpfTerm::Net(net) => {
            let mut ranges = scales.profile.ranges.iter();
            let range = ranges.find(|range| range.net.contains(net))?;
            Some(format!("in the organisation's range {}", range.net))
        }
    }
}

fn term_in_words(term: &SpfTerm) -> String {
    match term {
        SpfTerm::Include(domain) => format!("SPF lets the senders of {domain} pass"),
        SpfTerm::Net(net) => format!("SPF lets {net} send"),
        SpfTerm::Host(host) => format!("SPF lets {host} send"),
    }
}

fn routes_in_words(routes: &MailRoutes) -> String {
    match routes.exchangers.as_slice() {
        [] => "no mail exchanger".to_owned(),
        servers => in_words(servers.iter().map(|server| &server.host)),
    }
}
