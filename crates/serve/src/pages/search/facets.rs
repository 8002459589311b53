//! Facets: how many of the hits have which value; each value can be asked for, or left out.

use super::question::Question;
use crate::view::View;
use auslese_search::{Facet, FacetCounts};
use maud::{Markup, html};

pub(super) fn facet_name(view: &View, facet: Facet) -> &'static str {
    match facet {
        Facet::Host => "Host",
        Facet::Institution => view.say("Institution", "Institution"),
        Facet::Type => view.say("Kind of document", "Art des Dokuments"),
        Facet::Language => view.say("Language", "Sprache"),
        Facet::MediaType => view.say("Media type", "Medientyp"),
        Facet::Format => "Format",
        Facet::Source => view.say("Source", "Quelle"),
        Facet::Kept => view.say("Corpus", "Korpus"),
        Facet::Collection => view.say("Collection", "Sammlung"),
        Facet::Keyword => view.say("Keyword", "Schlagwort"),
        Facet::Year => view.say("Year", "Jahr"),
        Facet::WeightClass => view.say("How sure the title is", "Wie sicher der Titel ist"),
    }
}

/// A value as people read it.
pub(super) fn value_name(view: &View, facet: Facet, value: &str) -> String {
    let words = match (facet, value) {
        (_, "") => view.say("unknown", "unbekannt"),
        (Facet::Kept, "kept") => view.say("kept", "behalten"),
        (Facet::Kept, "left") => view.say("left out", "nicht behalten"),
        (Facet::Kept, "unknown") => view.say("only the header", "nur der Kopf"),
        (Facet::Source, "page") => view.say("web page", "Webseite"),
        (Facet::Source, "paper") => view.say("paper", "Dokument aus Seiten"),
        (Facet::Source, "header-only") => view.say("only the header", "nur der Kopf"),
        (Facet::Source, "database") => view.say("database", "Datenbank"),
        (Facet::Source, "record") => {
            view.say("record of a repository", "Datensatz eines Repositoriums")
        }
        (Facet::Source, "foreign") => view.say("foreign collection", "fremde Sammlung"),
        (Facet::WeightClass, "high") => view.say("sure", "sicher"),
        (Facet::WeightClass, "middle") => view.say("likely", "wahrscheinlich"),
        (Facet::WeightClass, "low") => view.say("doubtful", "zweifelhaft"),
        (_, value) => return value.to_owned(),
    };
    words.to_owned()
}

/// What the result is narrowed to, each to be taken back.
pub(super) fn chosen(view: &View, question: &Question) -> Markup {
    let lists = [(&question.only, false), (&question.without, true)];
    let is_empty = lists.iter().all(|(list, _)| list.is_empty());
    html! {
        @if !is_empty {
            ul .chips aria-label=(view.say("Narrowed to", "Eingeschränkt auf")) {
                @for (list, is_excluded) in lists {
                    @for (number, (facet, value)) in list.iter().enumerate() {
                        @let address = question.with(|it| { (if is_excluded { &mut it.without } else { &mut it.only }).remove(number); });
                        @let name = value_name(view, *facet, value);
                        li { span .chip .excluded[is_excluded] {
                            @if is_excluded { (view.say("not ", "ohne ")) }
                            (facet_name(view, *facet)) ": " (name)
                            a .remove href=(address) aria-label=(format!("{} {name}", view.say("Take back", "Zurücknehmen:"))) { "×" }
                        } }
                    }
                }
            }
        }
    }
}

pub(super) fn facets(view: &View, question: &Question, counts: &[FacetCounts]) -> Markup {
    html! {
        @for facet in counts.iter().filter(|facet| is_worth_showing(facet)) {
            @let name = facet_name(view, facet.facet);
            details .facet open[is_open(facet.facet)] {
                summary { (name) }
                ul {
                    @for (value, count) in &facet.values {
                        @let pair = (facet.facet, value.clone());
                        @let shown = value_name(view, facet.facet, value);
                        @let is_chosen = question.only.contains(&pair);
                        li {
                            @if is_chosen {
                                a .value .is-chosen href=(question.with(|it| it.only.retain(|known| *known != pair))) aria-current="true" { (shown) }
                            } @else {
                                a .value href=(question.with(|it| it.only.push(pair.clone()))) { (shown) }
                            }
                            span .count { (view.tongue.number(*count)) }
                            a .without href=(question.with(|it| { it.only.retain(|known| *known != pair); it.without.push(pair.clone()); })) title=(format!("{} {shown}", view.say("Leave out", "Ausschließen:"))) aria-label=(format!("{} {shown}", view.say("Leave out", "Ausschließen:"))) { "−" }
                        }
                    }
                    @if facet.further_values > 0 { li .soft { (view.say("and ", "und ")) (view.tongue.number(facet.further_values)) (view.say(" more", " weitere")) } }
                }
            }
        }
    }
}

fn is_worth_showing(facet: &FacetCounts) -> bool {
    match facet.values.as_slice() {
        [] => false,
        [(value, _)] => !value.is_empty(),
        _ => true,
    }
}

/// The first ones are what most people narrow by.
fn is_open(facet: Facet) -> bool {
    matches!(facet, Facet::Kept | Facet::Institution | Facet::Host | Facet::Type | Facet::Language)
}
