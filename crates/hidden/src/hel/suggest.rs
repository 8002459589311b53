//! Proposes rules: values seen on a page in, rules that find them out.
//!
//! The examples are looked for on the first page. Where their places differ in numbers only, the number
//! becomes a range or a variable; what the rows with examples have in common, and others have not, becomes a
//! condition. Every proposal is tried on all pages, and one that misses an example is dropped. First comes
//! what finds values on most pages, leaves fewest gaps, and is shortest.

use super::view::HelPage;
use super::{HelBudget, HelRule, Nsl};
use crate::hel::places::{Place, Spot, attributes_below, places_of};
use std::collections::BTreeSet;

/// Rules that are proposed.
pub const MAX_HEL_SUGGESTIONS: usize = 10;

/// Places of one example that are looked at; a word like "mehr" may stand a thousand times on a page.
const PLACES_TRIED: usize = 20;

/// Conditions that are tried for one place.
const CONDITIONS_TRIED: usize = 40;

/// A rule, and what it finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelSuggestion {
    pub rule: String,
    /// Its values on each page.
    pub values: Vec<Nsl>,
    /// How many of the values are missing.
    pub gaps: usize,
}

/// Rules that find all examples on the first page, the best first.
pub fn suggest(pages: &[HelPage<'_>], examples: &[String]) -> Vec<HelSuggestion> {
    let Some(first) = pages.first() else { return Vec::new() };
    let examples: Vec<String> = examples.iter().map(|it| words(it)).collect();
    let found: Vec<Vec<Place>> =
        examples.iter().map(|example| places_of(first, example, PLACES_TRIED)).collect();
    let Some((one, others)) = found.split_first() else { return Vec::new() };
    let mut rules = BTreeSet::new();
    for place in one {
        let fellows: Option<Vec<&Place>> =
            others.iter().map(|places| places.iter().find(|other| place.is_alike(other))).collect();
        if let Some(fellows) = fellows {
            let mut all = vec![place];
            all.extend(fellows);
            rules.extend(rules_for(first, &all));
        }
    }
    let mut suggestions: Vec<HelSuggestion> =
        rules.into_iter().filter_map(|rule| tried(&rule, pages, &examples)).collect();
    suggestions.sort_by_cached_key(|it| {
        let empty = it.values.iter().filter(|value| value.index_values().is_empty()).count();
        (empty, it.gaps, it.rule.len(), it.rule.clone())
    });
    suggestions.truncate(MAX_HEL_SUGGESTIONS);
    suggestions
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rule with what it finds, if it finds all examples on the first page.
fn tried(rule: &str, pages: &[HelPage<'_>], examples: &[String]) -> Option<HelSuggestion> {
    let parsed = HelRule::parse(rule, None).ok()?;
    let value = |page| parsed.evaluate(page, &mut HelBudget::default()).ok();
    let values: Vec<Nsl> = pages.iter().map(value).collect::<Option<_>>()?;
    let on_first = values.first()?.texts();
    if !examples.iter().all(|example| on_first.iter().any(|text| words(text) == *example)) {
        return None;
    }
    let gaps = values.iter().map(gaps).sum();
    Some(HelSuggestion { rule: rule.to_owned(), values, gaps })
}

fn gaps(value: &Nsl) -> usize {
    match value {
        Nsl::Null => 1,
        Nsl::Text(text) => usize::from(text.is_empty()),
        Nsl::List(members) => members.iter().map(gaps).sum(),
    }
}

/// The rules that may be meant by places that are alike.
fn rules_for(page: &HelPage<'_>, places: &[&Place]) -> Vec<String> {
    let place = places[0];
    let Some(row) = row_of(page, places) else { return vec![place.rule(&[])] };
    let mut rules = Vec::new();
    if places.len() == 1 {
        rules.push(place.rule(&[]));
    }
    let at = |spot: Spot| {
        // Numbers above the row that differ between the examples are all taken.
        let mut spots: Vec<(usize, Spot)> = differing(places)
            .into_iter()
            .filter(|position| *position != row)
            .map(|position| (position, Spot::All))
            .collect();
        spots.push((row, spot));
        spots
    };
    rules.push(place.rule(&at(Spot::All)));
    let lowest = places.iter().map(|place| place.steps[row].index).min().unwrap_or(0);
    if lowest > 0 {
        rules.push(place.rule(&at(Spot::From(lowest))));
    }
    let path = place.path(row, &at(Spot::Variable("i", false)));
    for condition in common_conditions(page, places, row) {
        let rule = place.rule(&at(Spot::Variable("i", true)));
        rules.push(format!("{rule} where {path}{condition}"));
    }
    rules
}

/// The steps at which the places have different numbers.
fn differing(places: &[&Place]) -> Vec<usize> {
    let first = places[0];
    (0..first.steps.len())
        .filter(|at| places.iter().any(|place| place.steps[*at].index != first.steps[*at].index))
        .collect()
}

/// The step that is repeated: the last that differs, or, with one example, the last with fellows.
fn row_of(page: &HelPage<'_>, places: &[&Place]) -> Option<usize> {
    const ROWS: [&str; 8] = ["tr", "li", "dd", "dt", "option", "article", "div", "p"];
    let first = places[0];
    differing(places).last().copied().or_else(|| {
        (1..first.steps.len()).rev().find(|at| {
            let step = &first.steps[*at];
            ROWS.contains(&step.name.as_str()) && step.fellows(page) > 1
        })
    })
}

/// Conditions on attributes that all rows with examples satisfy, and other rows do not.
fn common_conditions(page: &HelPage<'_>, places: &[&Place], row: usize) -> Vec<String> {
    let mut common: Option<BTreeSet<String>> = None;
    for place in places {
        let own: BTreeSet<String> =
            attributes_below(page, place.steps[row].node).into_iter().collect();
        common = Some(match common {
            Some(known) => known.intersection(&own).cloned().collect(),
            None => own,
        });
    }
    let mut conditions: Vec<String> = common.unwrap_or_default().into_iter().collect();
    conditions.sort_by_key(String::len);
    conditions.truncate(CONDITIONS_TRIED);
    conditions
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    fn best(html: &[&str], examples: &[&str]) -> Option<String> {
        let pages: Vec<_> = html.iter().map(|html| parse(html.as_bytes(), Some("utf-8"))).collect();
        let pages: Vec<HelPage<'_>> = pages.iter().map(HelPage::new).collect();
        let examples: Vec<String> = examples.iter().map(|it| (*it).to_owned()).collect();
        suggest(&pages, &examples).into_iter().next().map(|it| it.rule)
    }

    const HOTELS: &str = include_str!("../../tests/hel/d3.html");

    #[test]
    fn rules_for_examples() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str], Option<&str>)] = &[
            ("<h1>Titel</h1>",                                 &["Titel"],      Some("html.body.h1.txt")),
            ("<ul><li>a<li>b<li>c</ul>",                       &["a", "c"],     Some("html.body.ul.li[*].txt")),
            ("<ul><li>a<li><b>b</b><li><b>c</b></ul>",         &["b", "c"],     Some("html.body.ul.li[1-].b.txt")),
            ("<p><a href=x>a</a><p><a href=y>b</a>",           &["x", "y"],     Some("html.body.p[*].a.getAttr(href)")),
            ("<p>Name: <b>x</b> Ort</p>",                      &["Ort"],        Some("html.body.p.pcdata[1].txt")),
            (HOTELS,                                           &["Waren", "Malchow"],
                Some("html.body.table[1].tr[i:*].td[1].font.b.txt where html.body.table[1].tr[i].td[1].font.getAttr(color) = '#FF8000'")),
            ("<p>a</p>",                                       &["b"],          None),
            ("<p>a</p>",                                       &[],             None),
        ];
        for (html, examples, expected) in cases {
            assert_eq!(best(&[html], examples).as_deref(), *expected, "{html} {examples:?}");
        }
    }

    #[test]
    fn other_pages_decide() {
        let one = "<table><tr class=t><td>Titel<tr><td>a<tr><td>b</table>";
        let other = "<table><tr class=t><td>Titel<tr class=t><td>Noch einer<tr><td>c</table>";
        let rule = best(&[one, other], &["a", "b"]).unwrap();
        assert_eq!(rule, "html.body.table.tr[*].td.txt");
        let marked = "<table><tr><td>Titel<tr class=r><td>a<tr class=r><td>b</table>";
        let far = "<table><tr><td>1<tr><td>2<tr><td>3<tr class=r><td>c</table>";
        let rules = [marked, far];
        let best = best(&rules, &["a", "b"]).unwrap();
        assert!(best.starts_with("html.body.table.tr["), "{best}");
    }
}
