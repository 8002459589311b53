//! Name servers: does one of the organisation's serve the host's zone?
//!
//! A server in the organisation's range or under its domain is its own and settles the question.
//! A provider's server says little, and less the more others are seen to use it.

use super::{NOTHING_TO_COMPARE, Scales, evidence, in_words};
use crate::judge::facts::{Told, ZoneServer};
use crate::registrable::registrable_domain;
use auslese_model::{Evidence, HostName, Indicator};

pub(super) fn name_server(scales: &Scales<'_>) -> Option<Evidence> {
    let fact = &scales.observed.zone;
    let told = match fact.answer() {
        Some(told) => told.map_value(|zone| zone.name_servers.clone()),
        // A registry names them as well.
        None => match registered_servers(scales) {
            Some(told) => told,
            None => return scales.unanswerable(Indicator::NameServer, fact),
        },
    };
    let servers = &told.value;
    let weighed = servers.iter().map(|server| (server, weight(scales, server)));
    let best = weighed.max_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b));
    let total = servers.len();
    Some(match best {
        None => evidence(Indicator::NameServer, &told, "none", NOTHING_TO_COMPARE, 0.0),
        Some((server, (strength, words))) if strength > 0.0 => {
            let seen = match total {
                1 => server.host.to_string(),
                _ => format!("{} (one of {total})", server.host),
            };
            evidence(Indicator::NameServer, &told, seen, words, strength)
        }
        Some(_) => {
            let seen = in_words(servers.iter().map(|server| &server.host));
            let compared = "no name server of the organisation";
            evidence(Indicator::NameServer, &told, seen, compared, 0.0)
        }
    })
}

fn registered_servers(scales: &Scales<'_>) -> Option<Told<Vec<ZoneServer>>> {
    let told = scales.observed.registration.answer()?;
    let hosts = told.value.name_servers.iter().filter_map(|name| HostName::parse(name));
    let servers: Vec<_> = hosts.map(|host| ZoneServer::new(host, Vec::new())).collect();
    (!servers.is_empty()).then(|| told.map_value(|_| servers))
}

/// How much one server says, and why.
fn weight(scales: &Scales<'_>, server: &ZoneServer) -> (f64, String) {
    let (profile, weights) = (scales.profile, &scales.settings.weights);
    let listed = profile.name_servers.iter().find(|known| known.host == server.host);
    if listed.is_some_and(|known| known.own) {
        return (weights.own_name_server, "the organisation's own name server".to_owned());
    }
    if let Some(domain) = profile.domains.iter().find(|domain| server.host.is_within(domain)) {
        return (weights.own_name_server, format!("a name server under {domain}"));
    }
    let in_range = server.addresses.iter().find_map(|address| {
        profile.range_of(address.to_canonical()).map(|range| (address, range.net))
    });
    if let Some((address, net)) = in_range {
        let words = format!("a name server in the organisation's range: {address} in {net}");
        return (weights.own_name_server, words);
    }
    match listed {
        Some(_) => shared_weight(scales, server),
        None => (0.0, String::new()),
    }
}

fn shared_weight(scales: &Scales<'_>, server: &ZoneServer) -> (f64, String) {
    let here = registrable_domain(&scales.observed.host);
    let used = scales.known.name_server_use.get(&server.host);
    let (others, exclusiveness) =
        used.map_or((0, 1.0), |used| (used.others_than(here), used.exclusiveness(here)));
    let words = match others {
        0 => "also serves the organisation, but is not its own".to_owned(),
        1 => "also serves the organisation, but is not its own and was seen with another domain"
            .to_owned(),
        others => format!(
            "also serves the organisation, but is not its own and was seen with {others} others"
        ),
    };
    (scales.settings.weights.shared_name_server * exclusiveness, words)
}
