//! Which address leads to which page, and what each is for: the router and the OpenAPI description are made from one list,
//! so neither can have an address that the other does not know.

use crate::access::{Needs, Role, acting};
use crate::guard::{Side, guarded};
use crate::look;
use crate::pages;
use crate::replay;
use crate::site::Site;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// An address with what stands behind it.
pub(crate) struct Route {
    path: &'static str,
    about: &'static str,
    /// Parameters of the query, each with what it means.
    parameters: &'static [(&'static str, &'static str)],
    /// What it answers with besides a page and its JSON twin.
    media_type: Option<&'static str>,
    /// A form of the page beside those of every page, with its media type.
    further_form: Option<(&'static str, &'static str)>,
    /// What a form has to bring; none for what only reads.
    needs: Option<Needs>,
    handler: MethodRouter<Arc<Site>>,
}

impl Route {
    /// A page with a twin for programs.
    pub(crate) fn page(
        path: &'static str,
        about: &'static str,
        parameters: &'static [(&'static str, &'static str)],
        handler: MethodRouter<Arc<Site>>,
    ) -> Route {
        Route {
            path,
            about,
            parameters,
            media_type: None,
            further_form: None,
            needs: None,
            handler,
        }
    }

    /// A page that can be asked for in another form, too.
    pub(crate) fn also_as(self, form: &'static str, media_type: &'static str) -> Route {
        Route { further_form: Some((form, media_type)), ..self }
    }

    /// Something else, of one media type.
    pub(crate) fn file(
        path: &'static str,
        about: &'static str,
        parameters: &'static [(&'static str, &'static str)],
        media_type: &'static str,
        handler: MethodRouter<Arc<Site>>,
    ) -> Route {
        Route { media_type: Some(media_type), ..Route::page(path, about, parameters, handler) }
    }

    /// A form that changes something, and the role it takes.
    pub(crate) fn act(
        path: &'static str,
        about: &'static str,
        role: Role,
        fields: &'static [(&'static str, &'static str)],
        handler: MethodRouter<Arc<Site>>,
    ) -> Route {
        let needs = Some(Needs::Role(role));
        Route { needs, ..Route::page(path, about, fields, handler) }
    }

    /// A form that changes nothing of a harvest, and that anybody may send.
    pub(crate) fn ask(
        path: &'static str,
        about: &'static str,
        fields: &'static [(&'static str, &'static str)],
        handler: MethodRouter<Arc<Site>>,
    ) -> Route {
        let needs = Some(Needs::Nothing);
        Route { needs, ..Route::page(path, about, fields, handler) }
    }
}

const SEARCH: &[(&str, &str)] = &[
    ("q", "The question, in the query language; without it all documents"),
    ("only", "FACET:VALUE that documents must have; may be repeated"),
    ("without", "FACET:VALUE that documents must not have; may be repeated"),
    ("sort", "relevance, date, captured, title or host"),
    ("page", "Page of ten hits, from 1"),
    ("transfer", "Terms of other vocabularies: off, exact or all"),
    ("on", "A transfer to switch on, by its id; may be repeated"),
    ("off", "A transfer to switch off, by its id; may be repeated"),
    ("ignore-weights", "Trust every statement as if it were certain"),
];
const EXPORT: &[(&str, &str)] = &[
    ("q", "The question; all other parameters of the search, too"),
    ("form", "csv, jsonl or urls"),
];
const WORDS: &[(&str, &str)] = &[
    ("q", "A query for tokens; several, with semicolons, for a curve"),
    ("filter", "A search query that narrows the documents"),
    ("all", "Documents that the corpus left out, too"),
    ("compare", "ignore-case, as-written or folded"),
    ("sort", "L1 to L3, R1 to R3, node, with commas"),
    ("width", "Letters (40), words (5w) or sentence"),
    ("sample", "So many lines at random"),
    ("seed", "The seed of the sample"),
    ("page", "Page of fifty lines, from 1"),
    ("n", "Words of an n-gram"),
    ("min", "The least count"),
    ("rows", "Rows of a table"),
    ("window", "Words on each side"),
    ("measure", "log-dice, log-likelihood, mutual-information or t-score"),
    ("stop", "Function words, too"),
    ("step", "year or month"),
    ("smooth", "Neighbours to smooth over"),
    ("by", "form, host, type, year, month, language or collection"),
    ("thorough", "Read all documents, however long it takes"),
];

const BROWSE: &[(&str, &str)] = &[
    ("institution", "The servers of an institution"),
    ("server", "A server, as scheme, host and port"),
    ("path", "A folder of the server"),
    ("only", "kept: documents of the corpus only"),
    ("sort", "The order"),
    ("page", "Page of the list, from 1"),
];
const ORGANISATION: &[(&str, &str)] = &[
    ("view", "hosts, profile or domains"),
    ("verdict", "member, foreign or unsure"),
    ("case", "1 to 5"),
    ("q", "A part of the name"),
    ("sort", "The order"),
    ("page", "Page of the list, from 1"),
];
const TRYING: &[(&str, &str)] = &[
    ("text", "A text, or the source of a web page"),
    ("as", "How it is read: html or text; without it, by how it begins"),
    ("harvest", "The harvest of a document; without it, the first"),
    ("document", "A document of the harvest, by address or number, where there is no text"),
    ("try", "What to try: language, metadata or keyphrases; may be repeated; without it, all"),
    ("set", "Heuristics: default, carmen, papers, or own for nothing but the rules"),
    ("file", "The file of the set that the rules stand for"),
    ("rules", "The text of that file; without it, as it is shipped"),
    ("weights", "measured or written"),
    ("model", "Model of keyphrases: english or german; without it, by the text"),
    ("example", "yes: the example, where there is no text"),
    ("load", "yes: the rules are those of the file, whatever was written"),
    ("part", "results: the results without the page around them"),
];
const CDX: &[(&str, &str)] = &[
    ("url", "The address, or the beginning of addresses"),
    ("matchType", "exact, prefix, host or domain"),
    ("from", "The first time, as digits"),
    ("to", "The last time, as digits"),
    ("limit", "So many lines at most"),
    ("output", "text or json"),
    ("fl", "Fields, with commas"),
    ("filter", "FIELD:PATTERN; may be repeated"),
    ("collapse", "FIELD or FIELD:DIGITS"),
];

/// All addresses of the pages.
fn routes() -> Vec<Route> {
    let mut routes = vec![
        Route::page("/", "The first page: harvests and their sizes", &[], get(pages::start)),
        Route::page("/search", "Search over all harvests", SEARCH, get(pages::search)),
        Route::file(
            "/search/export",
            "A result set as a file",
            EXPORT,
            "text/csv",
            get(pages::export),
        ),
        Route::page("/browse", "The harvests, to browse in one", &[], get(pages::choose)),
        Route::page(
            "/browse/{harvest}",
            "Institutions, servers, folders and documents",
            BROWSE,
            get(pages::browse),
        ),
        Route::page("/organisation", "The harvests, to see one's hosts", &[], get(pages::choose)),
        Route::page(
            "/organisation/{harvest}",
            "Hosts with verdict, case, score and evidence",
            ORGANISATION,
            get(pages::organisation),
        ),
        Route::page(
            "/organisation/{harvest}/{host}",
            "One host with all its evidence",
            &[],
            get(pages::organisation_host),
        ),
        Route::page("/statistics", "The harvests, to count one", &[], get(pages::choose)),
        Route::page(
            "/statistics/{harvest}",
            "All tables, and the change over rounds",
            &[],
            get(pages::statistics),
        ),
        Route::page(
            "/statistics/{harvest}/{table}",
            "One table with its chart",
            &[],
            get(pages::statistics_table),
        ),
        Route::page("/sql", "The harvests, to ask one's catalog", &[], get(pages::choose)),
        Route::page(
            "/sql/{harvest}",
            "A question to the catalog, read-only",
            &[("sql", "One statement that reads")],
            get(pages::sql),
        ),
        Route::page("/kwic", "Words in their contexts", WORDS, get(pages::concordance)),
        Route::page(
            "/kwic/{kind}",
            "Words counted: frequencies, collocations, curve or groups",
            WORDS,
            get(pages::counted),
        ),
        Route::page(
            "/vocabularies",
            "Vocabularies and concordances, and a search in them",
            &[("q", "A term or a notation")],
            get(pages::vocabularies),
        ),
        Route::page(
            "/vocabularies/{harvest}/{name}",
            "A vocabulary as a tree, or a concordance as a table",
            &[("page", "Page of mappings, from 1")],
            get(pages::vocabulary),
        ),
        Route::page(
            "/vocabularies/{harvest}/{name}/concept",
            "A concept with its mappings",
            &[("uri", "The address of the concept")],
            get(pages::concept),
        ),
        Route::page(
            "/view/{harvest}/{timestamp}/{*url}",
            "An archived page in a frame, with its captures",
            &[],
            get(replay::archived_page),
        ),
        Route::file(
            "/timegate/{harvest}/{*url}",
            "Memento TimeGate: to the capture nearest to Accept-Datetime",
            &[],
            "text/html",
            get(replay::time_gate),
        ),
        Route::file(
            "/timemap/{harvest}/{form}/{*url}",
            "Memento TimeMap: all captures, as link or json",
            &[],
            "application/link-format",
            get(replay::time_map),
        ),
        Route::file("/cdx/{harvest}", "Captures as CDX lines", CDX, "text/plain", get(replay::cdx)),
        Route::file(
            "/warc/{harvest}/{capture}",
            "One record as it lies in the archive",
            &[],
            "application/warc",
            get(replay::record),
        ),
        Route::page(
            "/try",
            "What the program makes of a text, a page or a document, and why",
            TRYING,
            get(pages::try_page),
        ),
        Route::ask(
            "/try",
            "The same for longer texts and for rules; nothing is stored",
            TRYING,
            post(pages::try_out),
        ),
        Route::page(
            "/login",
            "Who is logged in, or a form to do so",
            &[("back", "The page to return to")],
            get(pages::login_page),
        ),
        Route::ask(
            "/login",
            "Log in; the answer sets the cookie of the session",
            &[
                ("name", "The name of the account"),
                ("password", "Its password"),
                ("back", "The page to return to"),
            ],
            post(pages::log_in),
        ),
        Route::act("/logout", "Log out", Role::Reader, &[], post(pages::log_out)),
        Route::page("/changes", "The harvests, to see one's changes", &[], get(pages::choose)),
        Route::page(
            "/changes/{harvest}",
            "Who changed what",
            &[("before", "Changes before the one with this number")],
            get(pages::changes),
        ),
        Route::page("/about", "What is served here", &[], get(pages::about)),
        Route::file("/metrics", "Numbers for Prometheus", &[], "text/plain", get(pages::metrics)),
        Route::file("/openapi.json", "This description", &[], "application/json", get(openapi)),
        Route::file("/static/{file}", "Styles, script and sign", &[], "text/css", get(look::asset)),
    ];
    routes.extend(pages::document_routes());
    routes.extend(pages::monitor_routes());
    routes.extend(pages::review_routes());
    routes.extend(pages::rules_routes());
    routes.extend(pages::database_routes());
    routes.extend(pages::note_routes());
    routes.extend(pages::bench_routes());
    routes
}

/// The router of one of the two origins.
pub(crate) fn router(site: Arc<Site>, side: Side) -> Router {
    let router = match side {
        Side::Pages => routes()
            .into_iter()
            .fold(Router::new(), |router, it| router.route(it.path, guarded_form(it, &site))),
        Side::Replay => Router::new().fallback(replay::replay),
    };
    router.layer(from_fn_with_state((site.clone(), side), guarded)).with_state(site)
}

/// What changes something is behind the door for that.
fn guarded_form(route: Route, site: &Arc<Site>) -> MethodRouter<Arc<Site>> {
    match route.needs {
        Some(needs) => route.handler.layer(from_fn_with_state((site.clone(), needs), acting)),
        None => route.handler,
    }
}

/// The description of all addresses for programs.
async fn openapi() -> axum::Json<Value> {
    axum::Json(description())
}

fn description() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes() {
        let method = if route.needs.is_some() { "post" } else { "get" };
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        item[method] = operation(&route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "auslese",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Pages of harvests and their twins for programs: ask for `format=json`, or accept `application/json`. Whoever wants to change something logs in with a form sent to `/login`, and sends the token of that answer in the header `x-auslese-token`.",
        },
        "paths": paths,
    })
}

fn operation(route: &Route) -> Value {
    let in_path =
        route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = in_path.map(|name| {
        let name = name.trim_start_matches('*');
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
    });
    if let Some(needs) = route.needs {
        return form_operation(route, needs, in_path.collect());
    }
    let in_query = route.parameters.iter().map(|(name, about)| {
        json!({ "name": name, "in": "query", "description": about, "schema": { "type": "string" } })
    });
    let format = route.media_type.is_none().then(|| {
        let names = ["html", "json", "csv"].into_iter().chain(route.further_form.map(|it| it.0));
        let forms = json!({ "type": "string", "enum": names.collect::<Vec<_>>() });
        json!({ "name": "format", "in": "query", "description": "html, json, or csv where there is a table", "schema": forms })
    });
    let content: Map<String, Value> = match route.media_type {
        Some(media_type) => Map::from_iter([(media_type.to_owned(), json!({}))]),
        None => Map::from_iter([
            ("application/json".to_owned(), json!({})),
            ("text/html".to_owned(), json!({})),
        ]),
    };
    let further = route.further_form.map(|(_, media_type)| (media_type.to_owned(), json!({})));
    let content: Map<String, Value> = content.into_iter().chain(further).collect();
    let parameters: Vec<Value> = in_path.chain(in_query).chain(format).collect();
    json!({
        "summary": route.about,
        "parameters": parameters,
        "responses": {
            "200": { "description": "What was asked for", "content": content },
            "400": { "description": "The question cannot be understood" },
            "404": { "description": "There is no such thing" },
        },
    })
}

fn form_operation(route: &Route, needs: Needs, parameters: Vec<Value>) -> Value {
    let fields: Map<String, Value> = route
        .parameters
        .iter()
        .map(|(name, about)| {
            ((*name).to_owned(), json!({ "type": "string", "description": about }))
        })
        .collect();
    let schema = json!({ "schema": { "type": "object", "properties": fields } });
    let role = match needs {
        Needs::Role(role) => role.as_str(),
        Needs::Nothing => "none",
    };
    json!({
        "summary": route.about,
        "x-role": role,
        "parameters": parameters,
        "requestBody": { "content": {
            "application/x-www-form-urlencoded": schema,
            "application/json": schema,
        } },
        "responses": {
            "200": { "description": "It is done, for programs" },
            "303": { "description": "It is done; to the page that shows it" },
            "400": { "description": "The form cannot be understood" },
            "401": { "description": "Nobody is logged in" },
            "403": { "description": "The role does not suffice, or the form is not from here" },
            "404": { "description": "There is no such thing" },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_described_once() {
        let description = description();
        let operations = description["paths"].as_object().unwrap().values();
        let operations: usize = operations.map(|item| item.as_object().unwrap().len()).sum();
        assert_eq!(operations, routes().len());
        let concept = &description["paths"]["/vocabularies/{harvest}/{name}/concept"]["get"];
        let names: Vec<&str> = concept["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["harvest", "name", "uri", "format"]);
        let database = &description["paths"]["/databases/{harvest}/{database}"]["get"];
        let forms = &database["parameters"].as_array().unwrap().last().unwrap()["schema"]["enum"];
        assert_eq!(*forms, json!(["html", "json", "csv", "soif"]));
        let content = &database["responses"]["200"]["content"];
        assert!(content[auslese_model::SOIF_MEDIA_TYPE].is_object(), "{content}");
        for route in routes() {
            assert!(!route.about.is_empty(), "{}", route.path);
        }
    }
}
