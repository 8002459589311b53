//! Addresses: in a range of the organisation, and their reverse names.

use super::{NOTHING_TO_COMPARE, Scales, evidence, in_words};
use crate::judge::facts::{Fact, Pointer, Told};
use crate::judge::known::ScannedAs;
use crate::profile::Range;
use crate::settings::NetCounts;
use auslese_model::{Evidence, Indicator};
use std::net::IpAddr;

/// One address in a range is enough: a host may have others elsewhere.
pub(super) fn net(scales: &Scales<'_>) -> Option<Evidence> {
    let told = match (scales.observed.host.address(), &scales.observed.addresses) {
        (Some(address), _) => {
            &Told { value: vec![address], source: "the name itself".to_owned(), at: scales.now }
        }
        (None, Fact::Told(told)) => told,
        (None, fact) => return scales.unanswerable(Indicator::Net, fact),
    };
    let strength = scales.settings.weights.net;
    let places: Vec<(IpAddr, Place<'_>)> =
        told.value.iter().map(|address| (*address, place(scales, *address))).collect();
    let best = places.iter().min_by_key(|(_, place)| place.rank());
    Some(match best {
        None => evidence(Indicator::Net, told, "no address", NOTHING_TO_COMPARE, 0.0),
        Some((address, Place::Inside(range))) => {
            evidence(Indicator::Net, told, address.to_string(), range_in_words(range), strength)
        }
        Some((address, place)) => {
            let seen = if place.rank() == Place::Outside.rank() {
                in_words(&told.value)
            } else {
                address.to_string()
            };
            evidence(Indicator::Net, told, seen, place.in_words(), 0.0)
        }
    })
}

/// Where an address lies.
enum Place<'a> {
    Inside(&'a Range),
    /// In a range, but the setting asks for more.
    Uncounted(&'a Range, &'static str),
    /// In a range that was looked at in phase one and is somebody else's.
    Refused(String),
    Outside,
}

impl Place<'_> {
    fn rank(&self) -> u8 {
        match self {
            Place::Inside(_) => 0,
            Place::Uncounted(..) => 1,
            Place::Refused(_) => 2,
            Place::Outside => 3,
        }
    }

    fn in_words(&self) -> String {
        match self {
            Place::Inside(range) => range_in_words(range),
            Place::Uncounted(range, why) => format!("{}, but {why}", range_in_words(range)),
            Place::Refused(words) => words.clone(),
            Place::Outside => "in no range of the organisation".to_owned(),
        }
    }
}

fn place<'a>(scales: &Scales<'a>, address: IpAddr) -> Place<'a> {
    let address = address.to_canonical();
    if let Some(range) = scales.profile.range_of(address) {
        let scanned = scales.known.scanned.get(&address);
        return match (scales.settings.net, scanned) {
            (NetCounts::Range, _)
            | (NetCounts::Scanned, Some(_))
            | (NetCounts::ScannedPublic, Some(ScannedAs::Public)) => Place::Inside(range),
            (NetCounts::Scanned | NetCounts::ScannedPublic, None) => {
                Place::Uncounted(range, "no scan found a web server there")
            }
            (NetCounts::ScannedPublic, Some(ScannedAs::NotPublic)) => Place::Uncounted(
                range,
                "the scan found only a device, a default page or a login page there",
            ),
        };
    }
    let mut refused = scales.profile.refused_ranges.iter();
    match refused.find(|range| range.net.contains(&address)) {
        Some(range) => Place::Refused(format!(
            "in {} of {}, not the organisation's: {}",
            range.net, range.holder, range.why
        )),
        None => Place::Outside,
    }
}

fn range_in_words(range: &Range) -> String {
    match range.holder.as_str() {
        "" => range.net.to_string(),
        holder => format!("{} of {holder}", range.net),
    }
}

/// A reverse name speaks for a host if its owner confirms it: the name is the organisation's, or
/// the host's own at an address in the range.
pub(super) fn pointer(scales: &Scales<'_>) -> Option<Evidence> {
    let fact = &scales.observed.pointers;
    let Some(told) = fact.answer() else {
        return scales.unanswerable(Indicator::Pointer, fact);
    };
    let weight = scales.settings.weights.pointer;
    let claims: Vec<(&Pointer, String)> =
        told.value.iter().filter_map(|pointer| Some((pointer, claim(scales, pointer)?))).collect();
    let seen = |pointer: &Pointer| format!("{} is named {}", pointer.address, pointer.name);
    Some(match claims.iter().max_by_key(|(pointer, _)| pointer.confirmed) {
        Some((pointer, ours)) if pointer.confirmed => {
            evidence(Indicator::Pointer, told, seen(pointer), ours, weight)
        }
        Some((pointer, ours)) => {
            let compared = format!("{ours}; but that name does not lead back to the address");
            evidence(Indicator::Pointer, told, seen(pointer), compared, 0.0)
        }
        None if told.value.is_empty() => {
            evidence(Indicator::Pointer, told, "no reverse name", NOTHING_TO_COMPARE, 0.0)
        }
        None => {
            let names = in_words(told.value.iter().map(|pointer| &pointer.name));
            evidence(Indicator::Pointer, told, names, "no name of the organisation", 0.0)
        }
    })
}

/// What a reverse name would say if it were confirmed.
fn claim(scales: &Scales<'_>, pointer: &Pointer) -> Option<String> {
    let at_home = || {
        let range = scales.profile.range_of(pointer.address.to_canonical())?;
        (pointer.name == scales.observed.host)
            .then(|| format!("its own name, in {}", range_in_words(range)))
    };
    scales.ours(&pointer.name).or_else(at_home)
}
