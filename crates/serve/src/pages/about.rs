//! What is served here, for people and for monitors.

use crate::look::Section;
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct About {
    version: &'static str,
    harvests: Vec<ServedHarvest>,
}

#[derive(Debug, Serialize)]
struct ServedHarvest {
    name: String,
    title: String,
    id: String,
}

pub(crate) async fn about(State(site): State<Arc<Site>>, view: View) -> Result<Response, Problem> {
    let harvests = site.harvests.iter().map(|harvest| ServedHarvest {
        name: harvest.name.clone(),
        title: harvest.title.clone(),
        id: harvest.catalog.harvest().to_owned(),
    });
    Ok(view.answer(&About { version: env!("CARGO_PKG_VERSION"), harvests: harvests.collect() }))
}

pub(crate) async fn metrics(State(site): State<Arc<Site>>) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], site.metrics.text()).into_response()
}

impl Page for About {
    fn section(&self) -> Section {
        Section::None
    }

    fn title(&self, view: &View) -> String {
        view.say("About this site", "Über diese Seiten").to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (self.title(view)) }
            p {
                (view.say("Shown by auslese ", "Gezeigt von auslese ")) (self.version) ". "
                a href="/openapi.json" { (view.say("Interface for programs", "Schnittstelle für Programme")) } " · "
                a href="/metrics" { (view.say("Numbers for monitors", "Zahlen für die Überwachung")) }
            }
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { (view.say("Harvest", "Ernte")) }
                    th { (view.say("Name in addresses", "Name in Adressen")) }
                    th { (view.say("Identifier", "Kennung")) }
                } }
                tbody {
                    @for harvest in &self.harvests {
                        tr { td { (harvest.title) } td { code { (harvest.name) } } td { code { (harvest.id) } } }
                    }
                }
            } }
        }
    }
}
