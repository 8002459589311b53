//! The page for logging in. Who is logged in sees their name and role there, and the way out.

use super::super::listing::parameter;
use crate::access::{Actor, Filled, Login, Role};
use crate::look::Section;
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, PageForm, View};
use axum::Json;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::header::{RETRY_AFTER, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, response::Redirect};
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct LoginPage {
    name: Option<String>,
    role: Option<Role>,
    can_log_in: bool,
    #[serde(skip)]
    can_log_out: bool,
    back: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

pub(crate) async fn login_page(
    State(site): State<Arc<Site>>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Response {
    let back = own_page(parameter(&parameters, "back"));
    view.answer(&LoginPage::of(&site, &view, back, None))
}

pub(crate) async fn log_in(
    State(site): State<Arc<Site>>,
    view: View,
    from: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    filled: Filled,
) -> Result<Response, Problem> {
    let name = filled.text("name").unwrap_or_default();
    let password = filled.get("password").unwrap_or_default();
    let back = own_page(filled.get("back"));
    let from = from.map(|Extension(ConnectInfo(address))| address.ip());
    match site.access.log_in(name, password, from).await {
        Login::Welcome { session } => {
            // The browser's old session, whoever's it was, is not continued.
            site.access.log_out(&headers);
            Ok(welcome(&site, &view, &session, &back))
        }
        Login::Wrong => {
            let problem = view.say(
                "Name and password do not belong together.",
                "Name und Passwort gehören nicht zusammen.",
            );
            let page = LoginPage::of(&site, &view, back, Some(problem.to_owned()));
            Ok((StatusCode::UNAUTHORIZED, view.answer(&page)).into_response())
        }
        Login::Wait(wait) => {
            let seconds = wait.as_secs() + 1;
            let problem = Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                &format!("Too many wrong passwords. Try again in {seconds} seconds."),
                &format!("Zu viele falsche Passwörter. Versuchen Sie es in {seconds} Sekunden."),
            );
            let mut response = problem.into_response();
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
            Ok(response)
        }
    }
}

fn welcome(site: &Site, view: &View, session: &str, back: &str) -> Response {
    let cookie = site.access.cookie(Some(session));
    let mut response = match view.form {
        PageForm::Html => Redirect::to(back).into_response(),
        PageForm::Json | PageForm::Csv => {
            let token = site.access.token_of(session);
            Json(json!({ "done": true, "token": token })).into_response()
        }
    };
    set_cookie(&mut response, &cookie);
    response
}

pub(crate) async fn log_out(
    State(site): State<Arc<Site>>,
    view: View,
    _: Actor,
    headers: HeaderMap,
) -> Response {
    site.access.log_out(&headers);
    let mut response = view.done("/login");
    set_cookie(&mut response, &site.access.cookie(None));
    response
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

/// A page of this site, never another's: browsers take `//name` and `/\name` for other sites.
pub(in crate::pages) fn own_page(back: Option<&str>) -> String {
    let is_own = |back: &&str| {
        back.starts_with('/')
            && !back[1..].starts_with(['/', '\\'])
            && !back.contains(|c: char| c.is_control() || c == '\\')
    };
    back.filter(is_own).unwrap_or("/").to_owned()
}

impl LoginPage {
    fn of(site: &Site, view: &View, back: String, problem: Option<String>) -> LoginPage {
        let actor = view.actor.as_ref();
        LoginPage {
            name: actor.map(|actor| actor.name.clone()),
            role: actor.map(|actor| actor.role),
            can_log_in: site.access.has_accounts(),
            can_log_out: actor.is_some_and(|actor| !actor.is_local),
            back,
            problem,
        }
    }

    fn form(&self, view: &View) -> Markup {
        html! {
            form .login method="post" action="/login" {
                @if let Some(problem) = &self.problem { p .problem role="alert" { (problem) } }
                input type="hidden" name="back" value=(self.back);
                label for="name" { "Name" }
                input #name type="text" name="name" autocomplete="username" autocapitalize="none" required autofocus;
                label for="password" { (view.say("Password", "Passwort")) }
                input #password type="password" name="password" autocomplete="current-password" required;
                button type="submit" { (view.say("Log in", "Anmelden")) }
            }
        }
    }
}

impl Page for LoginPage {
    fn section(&self) -> Section {
        Section::None
    }

    fn title(&self, view: &View) -> String {
        match self.name {
            Some(_) => view.say("Your account", "Ihr Konto"),
            None => view.say("Log in", "Anmelden"),
        }
        .to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (self.title(view)) }
            @if let (Some(name), Some(role)) = (&self.name, self.role) {
                div .sheet {
                    p { (view.say("You are ", "Sie sind ")) strong { (name) } ", " (role_name(view, role)) "." }
                    p { (may_do(view, role)) }
                    @if self.can_log_out {
                        (view.act_form("/logout", Role::Reader, &html! { button .plain type="submit" { (view.say("Log out", "Abmelden")) } }))
                    }
                    p { a href="/changes" { (view.say("What people changed", "Was geändert wurde")) } }
                }
            } @else if self.can_log_in {
                div .sheet { (self.form(view)) }
            } @else {
                div .note {
                    p { (view.say("There are no accounts yet, so these pages are for reading.", "Es gibt noch keine Konten, also sind diese Seiten zum Lesen da.")) }
                    p { (view.say("On the machine that serves them:", "Auf dem Rechner, der sie zeigt:")) " " code { "auslese accounts add NAME --role editor" } }
                }
            }
        }
    }
}

/// A role in the reader's language.
pub(super) fn role_name(view: &View, role: Role) -> &'static str {
    match role {
        Role::Reader => view.say("reader", "Leserin oder Leser"),
        Role::Editor => view.say("editor", "Bearbeiterin oder Bearbeiter"),
        Role::Admin => view.say("admin", "Verwalterin oder Verwalter"),
    }
}

fn may_do(view: &View, role: Role) -> &'static str {
    match role {
        Role::Reader => view.say(
            "You can write notes on documents, hosts and rules.",
            "Sie können Notizen zu Dokumenten, Rechnern und Regeln schreiben.",
        ),
        Role::Editor => view.say(
            "You can write notes, decide on hosts, label descriptions, leave addresses out, and pause a crawl.",
            "Sie können Notizen schreiben, über Rechner entscheiden, Beschreibungen beurteilen, Adressen auslassen und eine Ernte anhalten.",
        ),
        Role::Admin => view.say(
            "You can change everything that can be changed here.",
            "Sie können alles ändern, was sich hier ändern lässt.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        #[rustfmt::skip]
        let cases = [
            (Some("/search?q=a"), "/search?q=a"),
            (Some("//evil.example/"), "/"),
            (Some("/\\evil.example/"), "/"),
            (Some("https://evil.example/"), "/"),
            (Some("/\t/evil.example"), "/"),
            (Some("javascript:alert(1)"), "/"),
            (Some(""), "/"),
            (None, "/"),
        ];
        for (back, expected) in cases {
            assert_eq!(own_page(back), expected, "{back:?}");
        }
    }
}
