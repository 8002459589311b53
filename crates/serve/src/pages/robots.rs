//! What a server's robots.txt says, in words.

use crate::look::date_time;
use crate::view::View;
use auslese_crawl::{RobotsRules, RobotsVerdict};
use auslese_model::{RobotsCopy, Timestamp};
use maud::{Markup, html};
use serde::Serialize;

/// Bytes of a robots.txt that are shown.
const ROBOTS_SHOWN: usize = 4 << 10;
/// Robots.txt is read for the name of our crawler.
const AGENT: &str = "auslese";

#[derive(Debug, Serialize)]
pub(super) struct Robots {
    status: u16,
    fetched: String,
    #[serde(skip)]
    fetched_at: Timestamp,
    allows_root: bool,
    crawl_delay_seconds: Option<f64>,
    sitemaps: usize,
    text: String,
}

impl Robots {
    pub(super) fn of(origin: &str, copy: &RobotsCopy) -> Robots {
        let rules = RobotsRules::from_answer(copy.status, &copy.body, AGENT);
        let root = url::Url::parse(origin).ok();
        let shown = &copy.body[..copy.body.len().min(ROBOTS_SHOWN)];
        Robots {
            status: copy.status,
            fetched: copy.fetched.to_second_text(),
            fetched_at: copy.fetched,
            allows_root: root
                .is_some_and(|root| matches!(rules.judge(&root), RobotsVerdict::Allowed { .. })),
            crawl_delay_seconds: rules.crawl_delay().map(|delay| delay.as_secs_f64()),
            sitemaps: rules.sitemaps().len(),
            text: String::from_utf8_lossy(shown).into_owned(),
        }
    }
}

/// In a word or two.
pub(super) fn robots_tag(view: &View, robots: Option<&Robots>) -> Markup {
    html! {
        @match robots {
            None => span .soft { (view.say("not read", "nicht gelesen")) },
            Some(robots) => {
                @let (class, words) = match robots.status {
                    0 => ("bad", view.say("not reachable", "nicht erreichbar")),
                    400..500 => ("", view.say("there is none", "gibt es nicht")),
                    _ if robots.allows_root => ("good", view.say("allows", "erlaubt")),
                    _ => ("bad", view.say("forbids", "verbietet")),
                };
                span class={ "tag " (class) } { (words) } " "
                @if let Some(delay) = robots.crawl_delay_seconds { span .soft { (view.say("delay ", "Pause ")) (view.tongue.decimal(delay, 0)) " s " } }
            }
        }
    }
}

/// With its text.
pub(super) fn robots_state(view: &View, robots: Option<&Robots>) -> Markup {
    html! {
        (robots_tag(view, robots))
        @if let Some(robots) = robots.filter(|it| !it.text.is_empty() && it.status < 300 && it.status > 0) {
            details { summary { (view.say("text of ", "Text vom ")) (date_time(robots.fetched_at)) } pre { (robots.text) } }
        }
    }
}
