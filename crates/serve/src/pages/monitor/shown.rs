//! The parts of the monitor as they look. Each has a name, so that it can be replaced while somebody watches.

use super::super::robots::robots_tag;
use super::moment::{Capture, Failure, Moment, Queue, WorkerShown};
use super::words::{
    cause_words, clock, day_and_minute, length_of, state_sentence, state_tag, worker_tag,
};
use crate::access::Role;
use crate::look::empty_note;
use crate::view::View;
use auslese_harvest::CrawlState;
use auslese_model::State;
use maud::{Markup, html};

/// The names of the parts, in the order of the page, with how each is made.
pub(super) const PARTS: [(&str, MakePart); 8] = [
    ("crawl-state", state),
    ("crawl-controls", controls),
    ("crawl-numbers", numbers),
    ("crawl-workers", workers),
    ("crawl-queues", queues),
    ("crawl-failures", failures),
    ("crawl-captures", captures),
    ("crawl-exclusions", exclusions),
];

type MakePart = fn(&View, &Moment) -> Markup;

/// A part in its place.
pub(super) fn part(view: &View, moment: &Moment, name: &str) -> Markup {
    let made = PARTS.iter().find(|(known, _)| *known == name).map(|(_, make)| make(view, moment));
    html! { div id=(name) { (made.unwrap_or_default()) } }
}

fn state(view: &View, moment: &Moment) -> Markup {
    let crawl = moment.crawl.as_ref().filter(|_| moment.state.is_some());
    html! {
        div .crawl-state .sheet {
            p .headline { (state_tag(view, moment.state)) " " span { (state_sentence(view, moment)) } }
            @if let Some(crawl) = crawl {
                p .soft {
                    (view.say("Run ", "Lauf ")) (crawl.run) (view.say(" of ", " von ")) (crawl.worker)
                    (view.say(", begun ", ", begonnen ")) (clock(crawl.started)) " · " (length_of(crawl.seconds))
                }
            }
            @if moment.is_alive() && moment.stop_asked && moment.state != Some(CrawlState::Stopping) {
                p .note { (view.say("It was asked to stop and follows within a second.", "Er soll enden und folgt innerhalb einer Sekunde.")) }
            }
            @if moment.pause_waits {
                p .note {
                    @if moment.is_alive() {
                        (view.say("It was asked to pause and follows within a second.", "Er soll anhalten und folgt innerhalb einer Sekunde."))
                    } @else {
                        (view.say("A pause is noted: the next crawl will begin with it and wait until it is resumed.", "Eine Pause ist vorgemerkt: Der nächste Crawl beginnt mit ihr und wartet, bis er fortgesetzt wird."))
                    }
                }
            }
        }
    }
}

fn controls(view: &View, moment: &Moment) -> Markup {
    let Some(state) = moment.state else { return html! {} };
    let run = moment.living_run();
    let button = |deed: &str, role: Role, words: &str, is_plain: bool| {
        view.act_form(
            &format!("/monitor/{}/{deed}", moment.harvest),
            role,
            &html! {
                @if let Some(run) = run { input type="hidden" name="run" value=(run); }
                button .plain[is_plain] { (words) }
            },
        )
    };
    let is_paused = moment.crawl.as_ref().is_some_and(|crawl| crawl.paused_by_hand);
    html! {
        @if view.may(Role::Editor) {
            div .deeds {
                @if run.is_some() {
                    @if is_paused || moment.pause_waits {
                        (button("resume", Role::Editor, view.say("Resume", "Fortsetzen"), false))
                    } @else if state != CrawlState::Stopping {
                        (button("pause", Role::Editor, view.say("Pause", "Anhalten"), false))
                    }
                    @if state != CrawlState::Stopping && !moment.stop_asked {
                        (button("stop", Role::Admin, view.say("Stop", "Beenden"), true))
                    }
                } @else if moment.pause_waits {
                    (button("resume", Role::Editor, view.say("Let the next crawl begin without a pause", "Den nächsten Crawl ohne Pause beginnen lassen"), true))
                } @else {
                    (button("pause", Role::Editor, view.say("Let the next crawl begin paused", "Den nächsten Crawl angehalten beginnen lassen"), true))
                }
            }
        }
    }
}

fn numbers(view: &View, moment: &Moment) -> Markup {
    let number = |number: u64| view.tongue.number(number);
    let counts = &moment.counts;
    let tile = |name: &str, value: String, more: Option<String>| {
        html! { div { dt { (name) } dd { span .value { (value) } @if let Some(more) = more { small { (more) } } } } }
    };
    let hosts = &moment.hosts;
    let robots = &moment.robots;
    let waiting = counts.waiting_for_verdict;
    html! {
        dl .tiles {
            (tile(view.say("Discovered", "Entdeckt"), number(counts.discovered), None))
            (tile(view.say("Queued", "In Warteschlangen"), number(counts.queued), (waiting > 0).then(|| format!("+ {} {}", number(waiting), view.say("wait for a verdict", "warten auf ein Urteil")))))
            (tile(view.say("Fetched", "Geholt"), number(counts.fetched), Some(view.tongue.size(counts.bytes))))
            (tile(view.say("Failed", "Fehlgeschlagen"), number(counts.failed), None))
            (tile(view.say("Refused", "Abgelehnt"), number(counts.refused), Some(view.say("by a rule", "durch eine Regel").to_owned())))
            @if let Some(pace) = &moment.pace {
                (tile(view.say("Documents/s", "Dokumente/s"), view.tongue.decimal(pace.documents_per_second, 1), Some(format!("⌀ {}", view.tongue.decimal(pace.mean_documents_per_second, 1)))))
                (tile("KB/s", view.tongue.decimal(pace.kilobytes_per_second, 0), Some(format!("⌀ {}", view.tongue.decimal(pace.mean_kilobytes_per_second, 0)))))
                (tile(view.say("On their way", "Unterwegs"), number(pace.in_flight), Some(format!("{} {}", number(pace.unprocessed), view.say("to be processed", "zu verarbeiten")))))
                @if let Some(left) = pace.seconds_left { (tile(view.say("Left at this pace", "Bei diesem Tempo noch"), length_of(left), None)) }
                (tile(view.say("Active hosts", "Aktive Hosts"), number(hosts.active), Some(format!("{} {}", number(hosts.waiting_for_delay), view.say("wait for their delay", "warten ihre Pause ab")))))
            }
            (tile(view.say("Hosts with a queue", "Hosts mit Warteschlange"), number(hosts.with_queue), Some(format!("{} {}", view.say("of", "von"), number(hosts.known)))))
            (tile("robots.txt", number(robots.read), Some(format!("{} {} · {} {} · {} {}",
                number(robots.missing), view.say("without", "ohne"), number(robots.unreachable), view.say("unreachable", "unerreichbar"), number(robots.refused_requests), view.say("requests refused", "Anfragen abgelehnt")))))
            (tile(view.say("Archive (WARC)", "Archiv (WARC)"), view.tongue.size(moment.archive_bytes), Some(format!("{} {}", number(moment.archive_files), if moment.archive_files == 1 { view.say("file", "Datei") } else { view.say("files", "Dateien") }))))
        }
    }
}

/// Who crawls together; nothing if one crawls alone.
fn workers(view: &View, moment: &Moment) -> Markup {
    html! {
        @if !moment.workers.is_empty() {
            h2 { (view.say("Workers", "Arbeiter")) }
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { "Name" } th { (view.say("Machine", "Maschine")) } th { (view.say("Does", "Tut")) }
                    th .right { "Hosts" } th .right { (view.say("Fetched", "Geholt")) } th .right { (view.say("Data", "Daten")) }
                    th .right { (view.say("Documents/s", "Dokumente/s")) } th { (view.say("Last heard of", "Zuletzt gehört")) }
                } }
                tbody { @for worker in &moment.workers { (worker_row(view, worker)) } }
            } }
        }
    }
}

fn worker_row(view: &View, worker: &WorkerShown) -> Markup {
    html! {
        tr {
            td .break { (worker.name) } td .break { (worker.machine) }
            td { (worker_tag(view, worker.state)) @if let Some(reason) = &worker.paused { br; small lang="en" { (reason) } } }
            td .right { (view.tongue.number(worker.servers)) } td .right { (view.tongue.number(worker.captures)) }
            td .right .nowrap { (view.tongue.size(worker.bytes)) }
            td .right { (view.tongue.decimal(worker.documents_per_second, 1)) }
            td .nowrap { (day_and_minute(worker.last_heard)) }
        }
    }
}

fn queues(view: &View, moment: &Moment) -> Markup {
    html! {
        @if moment.queues.is_empty() {
            (empty_note(view.say("No host has a queue.", "Kein Host hat eine Warteschlange.")))
        } @else {
            div .scroll tabindex="0" { table .hosts {
                thead { tr {
                    th { "Host" } th .right { (view.say("Queued", "Wartend")) } th .right { (view.say("Fetched", "Geholt")) }
                    th .right { (view.say("Data", "Daten")) } th .right { (view.say("Delay", "Pause")) }
                    th { (view.say("Next request", "Nächste Anfrage")) } th { "robots.txt" } th .right { (view.say("Failures in a row", "Fehlschläge nacheinander")) }
                } }
                tbody { @for queue in &moment.queues { (queue_row(view, moment, queue)) } }
            } }
        }
    }
}

fn queue_row(view: &View, moment: &Moment, queue: &Queue) -> Markup {
    let wait = queue.next_at.since(moment.at).as_secs_f64();
    let next = match wait {
        _ if !moment.is_alive() => "–".to_owned(),
        wait if wait < 0.1 => view.say("now", "jetzt").to_owned(),
        wait if wait < 60.0 => {
            format!("{} {} s", view.say("in", "in"), view.tongue.decimal(wait, 1))
        }
        wait => format!("{} {}", view.say("in", "in"), length_of(wait as u64)),
    };
    html! {
        tr {
            td .break { a href={ "/organisation/" (moment.harvest) "/" (queue.host) } { (queue.server) } }
            td .right { (view.tongue.number(queue.queued)) } td .right { (view.tongue.number(queue.captures)) }
            td .right .nowrap { (view.tongue.size(queue.bytes)) } td .right .nowrap { (view.tongue.decimal(queue.delay_seconds, 1)) " s" }
            td .nowrap { (next) } td { (robots_tag(view, queue.robots.as_ref())) }
            td .right { @if queue.failures_in_a_row > 0 { span .tag .bad { (queue.failures_in_a_row) } } @else { "0" } }
        }
    }
}

fn failures(view: &View, moment: &Moment) -> Markup {
    html! {
        @if moment.failures.is_empty() {
            (empty_note(view.say("Nothing failed, nothing was refused.", "Nichts schlug fehl, nichts wurde abgelehnt.")))
        } @else {
            div .scroll tabindex="0" { table {
                thead { tr { th .right { (view.say("Requests", "Anfragen")) } th { (view.say("Cause", "Ursache")) } th { (view.say("The newest", "Die neueste")) } } }
                tbody { @for failure in &moment.failures { (failure_row(view, failure)) } }
            } }
        }
    }
}

fn failure_row(view: &View, failure: &Failure) -> Markup {
    let (class, state) = match failure.state {
        State::Failed => ("bad", view.say("failed", "fehlgeschlagen")),
        _ => ("", view.say("refused", "abgelehnt")),
    };
    html! {
        tr {
            td .right { (view.tongue.number(failure.requests)) }
            td { span class={ "tag " (class) } { (state) } " " (cause_words(view, failure.cause)) @if !failure.detail.is_empty() { br; small lang="en" { (failure.detail) } } }
            td .break { (failure.example) }
        }
    }
}

fn captures(view: &View, moment: &Moment) -> Markup {
    html! {
        @if moment.captures.is_empty() {
            (empty_note(view.say("Nothing was fetched yet.", "Noch wurde nichts geholt.")))
        } @else {
            div .scroll tabindex="0" { table {
                thead { tr { th .right { "Status" } th { (view.say("Address", "Adresse")) } th { (view.say("Type", "Typ")) } th .right { (view.say("Size", "Größe")) } th { (view.say("When", "Wann")) } } }
                tbody { @for capture in &moment.captures { (capture_row(view, capture)) } }
            } }
        }
    }
}

fn capture_row(view: &View, capture: &Capture) -> Markup {
    let class = match capture.status {
        200..300 => "good",
        300..400 => "",
        _ => "bad",
    };
    html! {
        tr {
            td .right { span class={ "tag " (class) } { (capture.status) } }
            td .break { a href=(capture.page) { (capture.url) } }
            td .nowrap { (capture.media_type.as_deref().unwrap_or("–")) }
            td .right .nowrap { (view.tongue.size(capture.bytes)) }
            td .nowrap { (clock(capture.at)) }
        }
    }
}

fn exclusions(view: &View, moment: &Moment) -> Markup {
    html! {
        @if moment.exclusions.is_empty() {
            (empty_note(view.say("Nothing is excluded by hand.", "Nichts ist von Hand ausgeschlossen.")))
        } @else {
            div .scroll tabindex="0" { table {
                thead { tr { th { (view.say("What fits this test", "Was diesen Test erfüllt")) } th .right { (view.say("Dropped", "Verworfen")) } th { (view.say("Since", "Seit")) } } }
                tbody { @for it in &moment.exclusions { tr {
                    td .break { code { (it.test) } } td .right { (view.tongue.number(it.dropped)) } td .nowrap { (day_and_minute(it.since)) }
                } } }
            } }
        }
    }
}
