//! How it stands with a crawl, in words of both languages.

use super::moment::{Crawl, Moment};
use crate::look::date_time;
use crate::view::View;
use auslese_crawl::duration_text;
use auslese_harvest::{Bottleneck, CrawlState, WorkerState};
use auslese_model::CauseKind;
use maud::{Markup, html};
use std::time::Duration;

pub(super) fn state_name(view: &View, state: Option<CrawlState>) -> &'static str {
    match state {
        None => view.say("unknown", "unbekannt"),
        Some(CrawlState::Never) => view.say("not begun", "nicht begonnen"),
        Some(CrawlState::Starting) => view.say("starting", "beginnt"),
        Some(CrawlState::Running) => view.say("running", "läuft"),
        Some(CrawlState::Paused) => view.say("paused", "angehalten"),
        Some(CrawlState::Stopping) => view.say("stopping", "endet gerade"),
        Some(CrawlState::Silent) => view.say("silent", "schweigt"),
        Some(CrawlState::Ended) => view.say("ended", "beendet"),
        Some(CrawlState::Died) => view.say("dead", "abgebrochen"),
    }
}

pub(super) fn state_tag(view: &View, state: Option<CrawlState>) -> Markup {
    let class = match state {
        Some(CrawlState::Running | CrawlState::Starting) => "good",
        Some(CrawlState::Paused | CrawlState::Stopping) => "doubt",
        None | Some(CrawlState::Died | CrawlState::Silent) => "bad",
        Some(CrawlState::Never | CrawlState::Ended) => "",
    };
    html! { strong class={ "tag state " (class) } { (state_name(view, state)) } }
}

/// What a worker does.
pub(super) fn worker_tag(view: &View, state: WorkerState) -> Markup {
    let (class, name) = match state {
        WorkerState::Starting => ("good", view.say("starting", "beginnt")),
        WorkerState::Working => ("good", view.say("works", "arbeitet")),
        WorkerState::Waiting => ("", view.say("waits for work", "wartet auf Arbeit")),
        WorkerState::Paused => ("doubt", view.say("paused", "angehalten")),
        WorkerState::Stopping => ("doubt", view.say("stopping", "endet gerade")),
        WorkerState::Ended => ("", view.say("ended", "beendet")),
        WorkerState::Died => ("bad", view.say("dead", "abgebrochen")),
    };
    html! { span class={ "tag " (class) } { (name) } }
}

/// What the state means, and what can be done about it.
pub(super) fn state_sentence(view: &View, moment: &Moment) -> Markup {
    let Some(state) = moment.state else {
        return html! {
            (view.say("The catalog does not answer, so nobody can tell whether a crawl runs. What you see is of ", "Der Katalog antwortet nicht; ob ein Crawl läuft, ist nicht zu sagen. Was hier steht, ist von "))
            (clock(moment.counted_at)) "."
        };
    };
    let Some(crawl) = &moment.crawl else {
        return html! { (view.say("Nothing was crawled here yet.", "Hier wurde noch nichts geholt.")) };
    };
    html! {
        @match state {
            CrawlState::Never => {},
            CrawlState::Starting => (view.say("The crawl brings the harvest into order and is about to begin.", "Der Crawl bringt die Ernte in Ordnung und beginnt gleich.")),
            CrawlState::Running => (held_back(view, moment)),
            CrawlState::Paused => (pause_reason(view, crawl)),
            CrawlState::Stopping => (view.say("What is under way is finished and committed; then the crawl ends. The same command goes on later.", "Was unterwegs ist, wird zu Ende gebracht und festgeschrieben; dann endet der Crawl. Derselbe Befehl setzt ihn später fort.")),
            CrawlState::Silent => {
                (view.say("Its process holds the harvest, but has told nothing since ", "Sein Prozess hält die Ernte, hat aber nichts mehr gesagt seit "))
                (last_sign(crawl)) (view.say(". It may be stopped, or wait for a disk.", ". Vielleicht ist er gestoppt, oder er wartet auf eine Platte."))
            },
            CrawlState::Ended => (ended(view, crawl)),
            CrawlState::Died => {
                (view.say("No crawl is running. The last one did not end by itself: its last sign of life was at ", "Es läuft kein Crawl. Der letzte ist nicht von selbst zu Ende gegangen: Sein letztes Lebenszeichen war um "))
                (last_sign(crawl)) ". "
                (view.say("What it had committed is safe; the same command goes on from there.", "Was er festgeschrieben hatte, ist sicher; derselbe Befehl macht dort weiter."))
            },
        }
        @if let Some(stage) = &moment.other_stage { " " (other_command(view, stage)) }
    }
}

/// What holds a running crawl back.
pub(super) fn held_back(view: &View, moment: &Moment) -> Markup {
    let Some(pace) = &moment.pace else {
        return html! { (view.say("It runs on another machine; its pace is known there.", "Er läuft auf einer anderen Maschine; wie schnell, ist dort bekannt.")) };
    };
    let number = |number: u64| view.tongue.number(number);
    let hosts = &moment.hosts;
    html! {
        @match pace.bottleneck {
            Bottleneck::Nothing => (view.say("Nothing holds it back.", "Nichts hält ihn auf.")),
            Bottleneck::Politeness => {
                (view.say("Held back by politeness: ", "Die Höflichkeit bestimmt das Tempo: "))
                (number(hosts.waiting_for_delay)) (view.say(" of ", " von ")) (number(hosts.with_work))
                (view.say(" hosts wait for their delay.", " Hosts warten ihre Pause ab."))
            },
            Bottleneck::Network => {
                (view.say("Held back by the network: ", "Das Netz bestimmt das Tempo: ")) (number(pace.in_flight))
                (view.say(" requests are on their way.", " Anfragen sind unterwegs."))
            },
            Bottleneck::Cpu => {
                (view.say("Held back by the processor: ", "Der Prozessor bestimmt das Tempo: ")) (number(pace.unprocessed))
                (view.say(" answers wait to be parsed and compressed.", " Antworten warten darauf, gelesen und gepackt zu werden."))
            },
            Bottleneck::Disk => (view.say("Held back by the disk: the archive or the catalog is behind.", "Die Platte bestimmt das Tempo: Archiv oder Katalog kommen nicht nach.")),
            Bottleneck::Dns => (view.say("Held back by names: verdicts or addresses of hosts are waited for.", "Namen bestimmen das Tempo: Urteile oder Adressen von Hosts stehen noch aus.")),
        }
    }
}

fn pause_reason(view: &View, crawl: &Crawl) -> Markup {
    html! {
        @match &crawl.paused {
            Some(reason) if !crawl.paused_by_hand => {
                (view.say("It stands still until this is over: ", "Er steht still, bis das vorbei ist: ")) span lang="en" { (reason) } "."
            },
            _ => (view.say("Paused by hand: nothing more is sent until it is resumed.", "Von Hand angehalten: Bis zum Fortsetzen wird nichts mehr gesendet.")),
        }
    }
}

fn ended(view: &View, crawl: &Crawl) -> Markup {
    let how = match crawl.outcome.as_deref() {
        Some("done") => view.say("Nothing was left to be fetched", "Es war nichts mehr zu holen"),
        Some("budget") => view.say(
            "Its budget was used up; the rest stays queued",
            "Sein Budget war aufgebraucht; der Rest wartet",
        ),
        Some("stopped") => view.say(
            "It was stopped; the same command goes on",
            "Er wurde beendet; derselbe Befehl setzt ihn fort",
        ),
        _ => view.say("It has ended", "Er ist zu Ende"),
    };
    html! { (how) @if let Some(at) = crawl.ended { " (" (clock(at)) ")" } "." }
}

fn other_command(view: &View, stage: &str) -> Markup {
    html! {
        @if stage == "other" {
            (view.say("Another command has the harvest at the moment.", "Ein anderer Befehl hat gerade die Ernte."))
        } @else {
            (view.say("At the moment ", "Gerade arbeitet ")) code { "auslese " (stage) } (view.say(" is at work.", "."))
        }
    }
}

fn last_sign(crawl: &Crawl) -> Markup {
    clock(crawl.last_sign.unwrap_or(crawl.started))
}

/// A time to the second.
pub(super) fn clock(time: auslese_model::Timestamp) -> Markup {
    let exact = time.to_second_text();
    let shown = exact.replace('T', " ").replace('Z', " UTC");
    html! { time .nowrap datetime=(exact) { (shown) } }
}

pub(super) fn day_and_minute(time: auslese_model::Timestamp) -> Markup {
    date_time(time)
}

pub(super) fn length_of(seconds: u64) -> String {
    duration_text(Duration::from_secs(seconds))
}

pub(super) fn cause_words(view: &View, cause: CauseKind) -> &'static str {
    let german = match cause {
        CauseKind::NoSuchName => "der Name existiert nicht",
        CauseKind::Dns => "der Name ließ sich nicht auflösen",
        CauseKind::Guarded => "die Adresse ist nicht öffentlich",
        CauseKind::NotMapped => "die Adresse hat keinen Eintrag in connect_to",
        CauseKind::NoContact => "für Hosts anderswo fehlt eine Kontaktadresse",
        CauseKind::Connect => "keine Verbindung",
        CauseKind::Tls => "keine TLS-Verbindung",
        CauseKind::Certificate => "das Zertifikat wurde abgelehnt",
        CauseKind::Proxy => "der Proxy lehnte ab",
        CauseKind::Timeout => "die Zeit lief ab",
        CauseKind::TooSlow => "der Server sendet zu langsam",
        CauseKind::Closed => "die Verbindung brach ab",
        CauseKind::Protocol => "die Antwort ist kein HTTP",
        CauseKind::HeaderTooLarge => "der Antwortkopf ist zu groß",
        CauseKind::ServerBusy => "der Server bat, später wiederzukommen",
        CauseKind::Robots => "robots.txt verbietet es",
        CauseKind::RobotsUnknown => "robots.txt war nicht zu lesen",
        CauseKind::Scope => "nicht im Umfang",
        CauseKind::Redirects => "zu viele Weiterleitungen",
        CauseKind::Budget => "das Budget ist aufgebraucht",
        CauseKind::Excluded => "von Hand ausgeschlossen",
        CauseKind::Trap => "als Falle unter Quarantäne",
        CauseKind::Removed => "von Hand aus dem Archiv entfernt",
        CauseKind::Url => "die Adresse ist nicht abrufbar",
        CauseKind::Local => "ein Fehler auf dieser Maschine",
    };
    view.say(cause.words(), german)
}
