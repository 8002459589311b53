//! What is known about each institution, in words: names, addresses, name servers, registrant, imprint.

use super::words::readable_host;
use super::{profiles, top};
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::reasons::reason;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::MetHost;
use auslese_discover::{Party, Profile};
use auslese_statistics::{Cell, Table};
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Hosts whose addresses are compared with the ranges.
const COMPARED_HOSTS: usize = 20_000;
/// Hosts of a range that are named.
const NAMED_HOSTS: usize = 60;

#[derive(Debug, Serialize)]
pub(super) struct ProfilePage {
    harvest: String,
    title: String,
    organisations: Vec<Organisation>,
}

#[derive(Debug, Serialize)]
struct Organisation {
    #[serde(flatten)]
    profile: Profile,
    /// Hosts in each range, in the order of the ranges.
    hosts_in_ranges: Vec<RangeHosts>,
}

#[derive(Debug, Serialize)]
struct RangeHosts {
    count: usize,
    hosts: Vec<String>,
}

pub(super) async fn page(site: &Site, harvest: &Arc<Harvest>) -> Result<ProfilePage, Problem> {
    let hosts = harvest.catalog.met_hosts(COMPARED_HOSTS).await?;
    let reading = harvest.clone();
    let organisations = site
        .work(move || {
            let profiles = profiles(&reading)?;
            Ok::<_, Problem>(
                profiles.into_iter().map(|profile| with_hosts(profile, &hosts)).collect(),
            )
        })
        .await??;
    Ok(ProfilePage { harvest: harvest.name.clone(), title: harvest.title.clone(), organisations })
}

fn with_hosts(profile: Profile, hosts: &[MetHost]) -> Organisation {
    let in_range = |range: &auslese_discover::Range| {
        let inside =
            |met: &&MetHost| met.address.is_some_and(|address| range.net.contains(&address));
        let mut names: Vec<String> =
            hosts.iter().filter(inside).map(|met| met.host.to_string()).collect();
        let count = names.len();
        names.truncate(NAMED_HOSTS);
        names.sort_unstable();
        RangeHosts { count, hosts: names }
    };
    let hosts_in_ranges = profile.ranges.iter().map(in_range).collect();
    Organisation { profile, hosts_in_ranges }
}

impl Page for ProfilePage {
    fn section(&self) -> Section {
        Section::Organisation
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Profile", "Profil"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (top(view, &self.harvest, &self.title, "profile"))
            @if self.organisations.is_empty() {
                (empty_note(view.say("Nothing was gathered about the organisation. `auslese discover` does.", "Über die Organisation wurde nichts gesammelt. `auslese discover` tut das.")))
            }
            @for it in &self.organisations { (self.organisation(view, it)) }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let rows = self.organisations.iter().flat_map(|it| {
            it.profile.ranges.iter().zip(&it.hosts_in_ranges).map(|(range, hosts)| {
                vec![
                    Cell::Text(it.profile.label.clone()),
                    Cell::Text(range.net.to_string()),
                    Cell::Text(range.holder.clone()),
                    Cell::Text(range.found_by.clone()),
                    Cell::Text(range.source.clone()),
                    Cell::Count(hosts.count as u64),
                ]
            })
        });
        let head = vec!["institution", "range", "holder", "found by", "source", "hosts"];
        let table = Table { name: "ranges", title: "Ranges", head, rows: rows.collect() };
        Some(("ranges".to_owned(), table.csv()))
    }
}

impl ProfilePage {
    fn organisation(&self, view: &View, it: &Organisation) -> Markup {
        let profile = &it.profile;
        let joined = |list: &[String]| list.join(", ");
        html! {
            section .organisation {
                h2 { (profile.name.as_deref().unwrap_or(&profile.label)) }
                p { (in_sentences(view, it)) }
                div .halves {
                    dl .facts .sheet {
                        dt { (view.say("Label", "Kürzel")) } dd { (profile.label) }
                        dt { (view.say("Named by", "Benannt durch")) } dd { a href={ "/organisation/" (self.harvest) "/" (profile.root) } { (readable_host(profile.root.as_str())) } }
                        @if !profile.domains.is_empty() { dt { (view.say("Own domains", "Eigene Domains")) } dd { (joined(&profile.domains)) } }
                        @if !profile.mail_domains.is_empty() { dt { (view.say("Mail domains", "Mail-Domains")) } dd { (joined(&profile.mail_domains)) } }
                        @if !profile.vat_ids.is_empty() { dt { (view.say("VAT numbers", "Umsatzsteuernummern")) } dd { (joined(&profile.vat_ids)) } }
                        dt { (view.say("Gathered", "Gesammelt")) } dd { (date_time(profile.gathered)) }
                    }
                    dl .facts .sheet {
                        (party(view, view.say("Registrant", "Inhaber"), &profile.registrant))
                        (party(view, view.say("Imprint", "Impressum"), &profile.imprint))
                        @for server in &profile.name_servers { dt { (view.say("Name server", "Nameserver")) } dd { (server.host) " " (own_tag(view, server.own)) } }
                        @for server in &profile.mail_servers { dt { (view.say("Mail server", "Mailserver")) } dd { (server.host) " " (own_tag(view, server.own)) } }
                    }
                }
                (self.ranges(view, it))
                @if !profile.open.is_empty() {
                    h3 { (view.say("Not found out", "Nicht herausgefunden")) }
                    ul { @for open in &profile.open { li { (reason(view, open)) } } }
                }
            }
        }
    }

    fn ranges(&self, view: &View, it: &Organisation) -> Markup {
        html! {
            h3 { (view.say("Ranges of addresses", "Adressbereiche")) }
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { (view.say("Range", "Bereich")) } th { (view.say("Holder", "Inhaber")) } th { (view.say("Found by", "Gefunden durch")) }
                    th .right { (view.say("Hosts met", "Hosts darin")) } th { (view.say("Which", "Welche")) }
                } }
                tbody {
                    @for (range, hosts) in it.profile.ranges.iter().zip(&it.hosts_in_ranges) { tr {
                        td .nowrap { code { (range.net) } } td { (range.holder) } td { (reason(view, &range.found_by)) }
                        td .right { (view.tongue.number(hosts.count as u64)) }
                        td .names-cell { @if !hosts.hosts.is_empty() { details { summary { (view.say("show", "zeigen")) } ul .chips { @for host in &hosts.hosts { li { a .chip href={ "/organisation/" (self.harvest) "/" (host) } { (readable_host(host)) } } } } } } }
                    } }
                    @for range in &it.profile.refused_ranges { tr .soft {
                        td .nowrap { code { (range.net) } } td { (range.holder) } td { (reason(view, &range.found_by)) }
                        td .right { span .tag .bad { (view.say("not its own", "nicht ihr eigener")) } } td { (reason(view, &range.why)) }
                    } }
                }
            } }
        }
    }
}

/// The profile as one would tell it.
fn in_sentences(view: &View, it: &Organisation) -> String {
    let profile = &it.profile;
    let name = profile.name.as_deref().unwrap_or(&profile.label);
    let number = |number: usize| view.tongue.number(number as u64);
    let hosts = it.hosts_in_ranges.iter().map(|range| range.count).sum();
    let own = profile.name_servers.iter().filter(|server| server.own).count();
    let ranges = match profile.ranges.len() {
        1 => view.say(
            "One range of addresses is its own".to_owned(),
            "Ein Adressbereich gehört ihr".to_owned(),
        ),
        ranges => view.say(
            format!("{} ranges of addresses are its own", number(ranges)),
            format!("{} Adressbereiche gehören ihr", number(ranges)),
        ),
    };
    let (hosts, servers, own) = (number(hosts), number(profile.name_servers.len()), number(own));
    view.say(
        format!(
            "{name} was named by {}. {ranges}, with {hosts} of the hosts that were met. Its own among {servers} name servers: {own}.",
            profile.root
        ),
        format!(
            "{name} wurde durch {} benannt. {ranges}, mit {hosts} der vorgekommenen Hosts. Eigene unter {servers} Nameservern: {own}.",
            profile.root
        ),
    )
}

fn party(view: &View, title: &str, party: &Party) -> Markup {
    let address = (!party.address.is_empty()).then(|| party.address.join(", "));
    let told: Vec<&str> = [&party.organization, &party.name, &address, &party.email]
        .into_iter()
        .filter_map(|it| it.as_deref())
        .collect();
    html! {
        dt { (title) }
        dd { @if told.is_empty() { span .soft { (view.say("unknown", "unbekannt")) } } @else { @for (number, line) in told.iter().enumerate() { @if number > 0 { br; } (line) } } }
    }
}

fn own_tag(view: &View, own: bool) -> Markup {
    html! { span .tag .good[own] { (if own { view.say("own", "eigener") } else { view.say("shared", "geteilt") }) } }
}
