//! The outermost layer of both origins: limits first, then the page, then its headers; problems become pages here.

use super::headers::{Origins, page_headers, replay_headers};
use crate::look::problem_page;
use crate::problem::Problem;
use crate::replay::{is_within_page, problem_notice};
use crate::site::Site;
use crate::view::{LANGUAGE, PageForm, View};
use axum::Json;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::header::{ALLOW, CACHE_CONTROL, RETRY_AFTER, SET_COOKIE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// Which of the two origins is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Pages,
    Replay,
}

/// Answers a request under guard.
pub(crate) async fn guarded(
    State((site, side)): State<(Arc<Site>, Side)>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let settings = &site.settings;
    // The query of an archived page is not ours.
    let query = request.uri().query().filter(|_| side == Side::Pages).unwrap_or_default();
    let view = View::of(request.uri().path(), query, request.headers(), &site);
    let origins = Origins::of(settings, request.headers());
    let matched = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let reader = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let is_head = request.method() == Method::HEAD;
    let is_reading = matches!(*request.method(), Method::GET | Method::HEAD);
    // Which pages take forms is known to the router; archived pages take none.
    let is_form = *request.method() == Method::POST && side == Side::Pages;
    let mut response = if !is_reading && !is_form {
        refused_method()
    } else if reader.is_some_and(|reader| !site.rates.admits(reader, begun)) {
        too_many()
    } else if request.uri().path_and_query().map_or(0, |it| it.as_str().len())
        > settings.address_bytes
    {
        Problem::new(
            StatusCode::URI_TOO_LONG,
            "This address is too long.",
            "Diese Adresse ist zu lang.",
        )
        .into_response()
    } else {
        match tokio::time::timeout(settings.answer_timeout, next.run(request)).await {
            Ok(response) => response,
            Err(_) => took_too_long(),
        }
    };
    response = with_problem_shown(response, &view, side);
    let headers = response.headers_mut();
    match side {
        Side::Pages => {
            page_headers(headers, &origins.replay);
            if !headers.contains_key(CACHE_CONTROL) {
                headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            }
            if view.query.contains(LANGUAGE) && view.form == PageForm::Html {
                let tag = view.tongue.tag();
                let cookie = format!("{LANGUAGE}={tag}; Path=/; Max-Age=31536000; SameSite=Lax");
                headers.extend(HeaderValue::from_str(&cookie).map(|value| (SET_COOKIE, value)));
            }
        }
        Side::Replay => {
            let is_within = is_within_page(&view.path);
            replay_headers(headers, (!is_within).then_some(&*origins.pages));
        }
    }
    let route = match side {
        Side::Pages => matched.as_deref().unwrap_or("other"),
        Side::Replay => "replay",
    };
    site.metrics.note(route, response.status().as_u16(), begun.elapsed());
    if is_head {
        Response::from_parts(response.into_parts().0, axum::body::Body::empty())
    } else {
        response
    }
}

fn with_problem_shown(mut response: Response, view: &View, side: Side) -> Response {
    let problem = match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem,
        None if response.status() == StatusCode::NOT_FOUND && !has_body(&response) => {
            Problem::not_found("There is no such page.", "Diese Seite gibt es nicht.")
        }
        None if response.status() == StatusCode::METHOD_NOT_ALLOWED && !has_body(&response) => {
            method_problem()
        }
        None => return response,
    };
    let kept: Vec<_> = [ALLOW, RETRY_AFTER]
        .into_iter()
        .filter_map(|name| Some((name.clone(), response.headers().get(&name)?.clone())))
        .collect();
    let status = problem.status;
    let shown = match (view.form, side) {
        (PageForm::Html, Side::Pages) => {
            (status, Html(problem_page(view, &problem).into_string())).into_response()
        }
        (PageForm::Html, Side::Replay) => {
            (status, Html(problem_notice(view, &problem).into_string())).into_response()
        }
        (PageForm::Json | PageForm::Csv, _) => {
            let message = view.say(&problem.english, &problem.german);
            let body =
                json!({ "error": message, "detail": problem.detail, "status": status.as_u16() });
            (status, Json(body)).into_response()
        }
    };
    let mut shown = shown;
    shown.headers_mut().extend(kept);
    shown
}

fn has_body(response: &Response) -> bool {
    use axum::body::HttpBody;
    !response.body().is_end_stream()
}

fn method_problem() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "This address does not answer to this kind of request.",
        "Diese Adresse beantwortet keine Anfragen dieser Art.",
    )
}

fn refused_method() -> Response {
    let mut response = method_problem().into_response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

fn too_many() -> Response {
    let problem = Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "Too many requests from your address. Wait a moment.",
        "Zu viele Anfragen von Ihrer Adresse. Warten Sie einen Augenblick.",
    );
    let mut response = problem.into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

fn took_too_long() -> Response {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "This takes too long. Narrow your question, or try again later.",
        "Das dauert zu lange. Fragen Sie enger, oder versuchen Sie es später.",
    )
    .into_response()
}
