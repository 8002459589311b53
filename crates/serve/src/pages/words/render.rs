//! How the pages about words look.

use super::question::{COMPARES, GROUPS, Kind, LINES, MEASURES, Question, SORTS, STEPS, WIDTHS};
use super::{WordsPage, WordsResult};
use crate::look::{BarChart, LineChart, empty_note, pager, tabs};
use crate::view::View;
use auslese_kwic::{
    CollocationTable, ConcordancePage, CurveTable, FrequencyList, GroupTable, Totals,
};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Bars of a chart.
const BARS: usize = 20;

pub(super) fn body(view: &View, page: &WordsPage) -> Markup {
    let question = &page.question;
    let kinds: Vec<(String, String, bool)> = Kind::ALL
        .into_iter()
        .map(|kind| (kind.name(view).to_owned(), question.other(kind), kind == question.kind))
        .collect();
    html! {
        h1 { (question.kind.name(view)) }
        (tabs(view.say("Ways to count", "Arten zu zählen"), &kinds))
        (form(view, question))
        @match &page.result {
            None => (empty_note(help(view, question.kind))),
            Some(result) => {
                (how_far(view, page))
                @match result {
                    WordsResult::Concordance(lines) => (concordance(view, page, lines)),
                    WordsResult::Frequencies(list) => (frequencies(view, list)),
                    WordsResult::Collocations(table) => (collocations(view, question, table)),
                    WordsResult::Curve(table) => (curve(view, table)),
                    WordsResult::Groups(table) => (groups(view, table)),
                }
            }
        }
    }
}

fn help(view: &View, kind: Kind) -> &'static str {
    match kind {
        Kind::Curve => view.say(
            "Several words are separated by semicolons: Computer; Internet",
            "Mehrere Wörter trennt ein Semikolon: Computer; Internet",
        ),
        _ => view.say(
            "A query is a sequence of words: wildcards (universität*), regular expressions (/…ung/), gaps ([]{0,3}), alternatives ((der|die)).",
            "Eine Anfrage ist eine Folge von Wörtern: Platzhalter (universität*), reguläre Ausdrücke (/…ung/), Lücken ([]{0,3}), Alternativen ((der|die)).",
        ),
    }
}

type Choices<'a> = &'a [(&'a str, &'a str, &'a str)];

fn select(
    view: &View,
    label: (&str, &str),
    name: &str,
    choices: Choices<'_>,
    chosen: &str,
) -> Markup {
    html! {
        label {
            span { (view.say(label.0, label.1)) }
            select name=(name) {
                @for (tag, english, german) in choices {
                    option value=(tag) selected[*tag == chosen] { (view.say(english, german)) }
                }
            }
        }
    }
}

fn form(view: &View, question: &Question) -> Markup {
    html! {
        form .ask action=(question.kind.address()) {
            label .wide {
                span { (view.say("Words", "Wörter")) }
                input type="search" name="q" value=(question.q) autocomplete="off";
            }
            label .wide {
                span { (view.say("Only in documents found by", "Nur in Dokumenten, gefunden mit")) }
                input type="text" name="filter" value=(question.filter) placeholder="host:www.uni.example" autocomplete="off";
            }
            (select(view, ("Compare", "Vergleichen"), "compare", &COMPARES, &question.compare))
            @match question.kind {
                Kind::Concordance => {
                    (select(view, ("Sort", "Sortieren"), "sort", &SORTS, &question.sort))
                    (select(view, ("Context", "Kontext"), "width", &WIDTHS, &question.width))
                    (number(view.say("Sample of", "Stichprobe von"), "sample", question.sample))
                    (number(view.say("Seed", "Startwert"), "seed", Some(question.seed as usize)))
                }
                Kind::Frequencies => {
                    (number(view.say("Words together", "Wörter zusammen"), "n", Some(question.n)))
                    (number(view.say("At least", "Mindestens"), "min", Some(question.min as usize)))
                }
                Kind::Collocations => {
                    (number(view.say("Words on each side", "Wörter auf jeder Seite"), "window", Some(question.window)))
                    (number(view.say("Together at least", "Zusammen mindestens"), "min", Some(question.min as usize)))
                    (select(view, ("Measure", "Maß"), "measure", &MEASURES, &question.measure))
                    label .check { span { (view.say("Function words, too", "Auch Funktionswörter")) } input type="checkbox" name="stop" value="1" checked[!question.no_stop_words]; }
                }
                Kind::Curve => {
                    (select(view, ("By", "Nach"), "step", &STEPS, &question.step))
                    (number(view.say("Smooth over", "Glätten über"), "smooth", Some(question.smooth as usize)))
                }
                Kind::Groups => (select(view, ("By", "Nach"), "by", &GROUPS, &question.by)),
            }
            label .check { span { (view.say("Documents left out, too", "Auch nicht behaltene Dokumente")) } input type="checkbox" name="all" value="1" checked[question.all_documents]; }
            button { (view.say("Count", "Zählen")) }
        }
    }
}

fn number(label: &str, name: &str, value: Option<usize>) -> Markup {
    html! { label { span { (label) } input .short type="number" min="0" name=(name) value=[value]; } }
}

/// Whether everything was read, and the way to that.
fn how_far(view: &View, page: &WordsPage) -> Markup {
    html! {
        @if !page.is_complete {
            p .note {
                (view.say(
                    "Only the first documents were read, since there are many: what you see is a part. ",
                    "Nur die ersten Dokumente wurden gelesen, denn es sind viele: Was Sie sehen, ist ein Teil. ",
                ))
                @if !page.question.thorough {
                    a href=(view.here_with("thorough", Some("1"))) rel="nofollow" { (view.say("Read all; that may take a while", "Alle lesen; das kann dauern")) }
                }
            }
        }
    }
}

fn sums(view: &View, totals: &Totals, per_million: Option<f64>) -> Markup {
    let number = |number| view.tongue.number(number);
    html! {
        p .soft role="status" {
            (number(totals.hits)) " " (view.say("hits in", "Treffer in")) " " (number(totals.documents)) " "
            (view.say("documents", "Dokumenten"))
            @if let Some(per_million) = per_million {
                " · " (view.tongue.decimal(per_million, 1)) " " (view.say("per million of", "je Million von")) " "
                (number(totals.tokens)) " " (view.say("words in", "Wörtern in")) " " (number(totals.texts)) " " (view.say("texts", "Texten"))
            }
        }
    }
}

fn concordance(view: &View, page: &WordsPage, lines: &ConcordancePage) -> Markup {
    let per_million = (!page.only_with_words).then_some(lines.per_million);
    let reachable = usize::try_from(lines.lines_kept).unwrap_or(usize::MAX);
    html! {
        (sums(view, &lines.totals, per_million))
        @if lines.lines.is_empty() { (empty_note(view.say("It does not occur in these documents.", "Es kommt in diesen Dokumenten nicht vor."))) }
        @else {
            div .scroll tabindex="0" { table .kwic {
                thead { tr {
                    th { (view.say("Document", "Dokument")) }
                    th .right { (view.say("Before", "Davor")) }
                    th .node { (view.say("Word", "Wort")) }
                    th { (view.say("After", "Danach")) }
                } }
                tbody {
                    @for line in &lines.lines {
                        @let host = line.source.host.as_deref().unwrap_or_default();
                        tr {
                            td .source {
                                @match page.document_page(&line.source.key) {
                                    Some(address) => a href=(address) title=[line.source.url.as_deref()] { (host) },
                                    None => (host),
                                }
                            }
                            td .left { (line.left) }
                            td .node { mark { (line.node) } }
                            td .after { (line.right) }
                        }
                    }
                }
            } }
            (pager(view, page.question.page, reachable.div_ceil(LINES)))
        }
    }
}

fn frequencies(view: &View, list: &FrequencyList) -> Markup {
    let bars =
        list.rows.iter().take(BARS).map(|row| (row.form.clone(), row.count as f64)).collect();
    let chart = BarChart { title: view.say("Most frequent", "Am häufigsten").to_owned(), bars };
    html! {
        (sums(view, &list.totals, None))
        div .halves {
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { (view.say("Form", "Form")) }
                    th .right { (view.say("How often", "Wie oft")) }
                    th .right { (view.say("Per million", "Je Million")) }
                    th .right { (view.say("Documents", "Dokumente")) }
                } }
                tbody { @for row in &list.rows { tr {
                    td .break { (row.form) }
                    td .right { (view.tongue.number(row.count)) }
                    td .right { (view.tongue.decimal(row.per_million, 1)) }
                    td .right { (view.tongue.number(row.documents)) }
                } } }
            } }
            (chart.markup(view))
        }
    }
}

fn collocations(view: &View, question: &Question, table: &CollocationTable) -> Markup {
    let strength = |row: &auslese_kwic::Collocate| match question.measure.as_str() {
        "log-likelihood" => row.log_likelihood,
        "mutual-information" => row.mutual_information,
        "t-score" => row.t_score,
        _ => row.log_dice,
    };
    let bars = table.rows.iter().take(BARS).map(|row| (row.form.clone(), strength(row))).collect();
    let chart = BarChart { title: view.say("Strongest", "Am stärksten").to_owned(), bars };
    html! {
        (sums(view, &table.totals, None))
        @if table.rows.is_empty() { (empty_note(view.say("No word stands beside it often enough.", "Kein Wort steht oft genug daneben."))) }
        @else {
            div .halves {
                div .scroll tabindex="0" { table {
                    thead { tr {
                        th { (view.say("Word", "Wort")) }
                        th .right { (view.say("Together", "Zusammen")) }
                        th .right { (view.say("In all", "Insgesamt")) }
                        th .right { "logDice" } th .right { "LL" } th .right { "MI" } th .right { "t" }
                    } }
                    tbody { @for row in &table.rows { tr {
                        td .break { (row.form) }
                        td .right { (view.tongue.number(row.together)) }
                        td .right { (view.tongue.number(row.count)) }
                        td .right { (view.tongue.decimal(row.log_dice, 2)) }
                        td .right { (view.tongue.decimal(row.log_likelihood, 1)) }
                        td .right { (view.tongue.decimal(row.mutual_information, 2)) }
                        td .right { (view.tongue.decimal(row.t_score, 2)) }
                    } } }
                } }
                (chart.markup(view))
            }
        }
    }
}

fn curve(view: &View, table: &CurveTable) -> Markup {
    let periods: BTreeSet<_> =
        table.nodes.iter().flat_map(|node| node.points.iter().map(|point| point.period)).collect();
    let time = |period: &auslese_kwic::Period| {
        f64::from(period.year) + period.month.map_or(0.0, |month| f64::from(month) / 12.0)
    };
    let axis = periods.iter().map(|period| (time(period), period.to_string())).collect();
    let lines = table.nodes.iter().map(|node| {
        let values = periods.iter().map(|period| {
            let point = node.points.iter().find(|point| point.period == *period)?;
            Some(point.smoothed.unwrap_or(point.per_million))
        });
        (node.node.clone(), values.collect())
    });
    let title = view.say("Per million words", "Je Million Wörter").to_owned();
    let chart = LineChart { title: title.clone(), axis, lines: lines.collect() };
    html! {
        @if periods.is_empty() { (empty_note(view.say("None of these documents has a date.", "Keines dieser Dokumente hat ein Datum."))) }
        @else {
            h2 { (title) }
            (chart.markup(view))
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { (view.say("Word", "Wort")) } th { (view.say("Time", "Zeit")) }
                    th .right { (view.say("Hits", "Treffer")) } th .right { (view.say("Per million", "Je Million")) }
                    th .right { (view.say("Words in all", "Wörter insgesamt")) } th .right { (view.say("Texts", "Texte")) }
                } }
                tbody { @for node in &table.nodes { @for point in &node.points { tr {
                    td { (node.node) } td { (point.period) }
                    td .right { (view.tongue.number(point.hits)) } td .right { (view.tongue.decimal(point.per_million, 1)) }
                    td .right { (view.tongue.number(point.tokens)) } td .right { (view.tongue.number(point.texts)) }
                } } } }
            } }
            p .soft { (view.tongue.number(table.undated_texts)) " " (view.say("texts without a date are not in the curve", "Texte ohne Datum sind nicht in der Kurve")) }
        }
    }
}

fn groups(view: &View, table: &GroupTable) -> Markup {
    let name = |values: &[Option<String>]| {
        let unknown = view.say("unknown", "unbekannt");
        values.iter().map(|it| it.as_deref().unwrap_or(unknown)).collect::<Vec<_>>().join(", ")
    };
    let bars =
        table.rows.iter().take(BARS).map(|row| (name(&row.values), row.hits as f64)).collect();
    let chart = BarChart { title: view.say("Hits", "Treffer").to_owned(), bars };
    html! {
        (sums(view, &table.totals, Some(table.per_million)))
        @if table.rows.is_empty() { (empty_note(view.say("It does not occur in these documents.", "Es kommt in diesen Dokumenten nicht vor."))) }
        @else {
            div .halves {
                div .scroll tabindex="0" { table {
                    thead { tr {
                        th { (view.say("Group", "Gruppe")) } th .right { (view.say("Hits", "Treffer")) }
                        th .right { (view.say("Documents", "Dokumente")) } th .right { (view.say("Per million", "Je Million")) }
                    } }
                    tbody { @for row in &table.rows { tr {
                        td .break { (name(&row.values)) } td .right { (view.tongue.number(row.hits)) }
                        td .right { (view.tongue.number(row.documents)) }
                        td .right { (view.tongue.decimal(row.per_million, 1)) }
                    } } }
                } }
                (chart.markup(view))
            }
        }
    }
}
