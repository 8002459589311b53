//! The organisation: which hosts belong to it and why, what is known about it, and how its domains are linked.

mod deciding;
mod domains;
mod graph;
mod host;
mod hosts;
mod layout;
mod profile;
mod review;
mod words;

pub(crate) use deciding::review_routes;
pub(crate) use graph::DomainGraph;

use super::listing::parameter;
use crate::look::{breadcrumbs, tabs};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::View;
use auslese_discover::Profile;
use auslese_model::HostName;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::Arc;

/// The hosts, the profile, or the domains.
pub(crate) async fn organisation(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    match parameter(&parameters, "view") {
        None | Some("hosts" | "") => Ok(view.answer(&hosts::list(&harvest, &parameters).await?)),
        Some("profile") => Ok(view.answer(&profile::page(&site, &harvest).await?)),
        Some("domains") => domains::answer(&site, &harvest, &view).await,
        Some(_) => {
            Err(Problem::not_found("There is no such view.", "Diese Ansicht gibt es nicht."))
        }
    }
}

/// One host.
pub(crate) async fn organisation_host(
    State(site): State<Arc<Site>>,
    Path((name, host)): Path<(String, String)>,
    view: View,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let unknown = || {
        Problem::not_found("This host is not known here.", "Dieser Host ist hier nicht bekannt.")
    };
    let host = HostName::parse(&host).ok_or_else(unknown)?;
    let page = host::page(&harvest, &host).await?.ok_or_else(unknown)?;
    Ok(view.answer(&page))
}

/// Title and tabs of the three views.
fn top(view: &View, harvest: &str, title: &str, here: &str) -> Markup {
    let address = format!("/organisation/{harvest}");
    let all = [
        ("hosts", view.say("Hosts", "Hosts"), address.clone()),
        ("profile", view.say("Profile", "Profil"), format!("{address}?view=profile")),
        ("domains", view.say("Domains", "Domains"), format!("{address}?view=domains")),
    ];
    let shown: Vec<(String, String, bool)> = all
        .into_iter()
        .map(|(key, name, address)| (name.to_owned(), address, key == here))
        .collect();
    html! {
        @if view.site.harvests.len() > 1 { (breadcrumbs(view, &[(view.say("Harvests", "Ernten").to_owned(), "/organisation".to_owned())], title)) }
        h1 { (title) " – " (view.say("Organisation", "Organisation")) }
        (tabs(view.say("Views of the organisation", "Ansichten der Organisation"), &shown))
    }
}

#[derive(Debug, Deserialize)]
struct Organisations {
    #[serde(default)]
    organisation: Vec<Profile>,
}

/// The file of the profiles.
const ORGANISATION_FILE: &str = "organisation.toml";

/// The names of the institutions of a harvest by their labels, as far as they are known.
pub(super) fn institution_names(harvest: &Harvest) -> Result<BTreeMap<String, String>, Problem> {
    let profiles = profiles(harvest)?.into_iter();
    Ok(profiles.filter_map(|profile| Some((profile.label, profile.name?))).collect())
}

/// What is known about the institutions of a harvest; none if nothing was gathered.
fn profiles(harvest: &Harvest) -> Result<Vec<Profile>, Problem> {
    let text = match std::fs::read_to_string(harvest.dir.root().join(ORGANISATION_FILE)) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Problem::internal("the profile", &error)),
    };
    match toml::from_str::<Organisations>(&text) {
        Ok(read) => Ok(read.organisation),
        Err(error) => Err(Problem::internal("the profile", &error)),
    }
}
