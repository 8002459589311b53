//! A question as it stands in an address, and the addresses of questions like it.

use crate::problem::Problem;
use crate::view::View;
use auslese_inquiry::TransferChoice;
use auslese_search::{Facet, FacetFilter, MAX_RESULT_WINDOW, SearchRequest, Sort};
use auslese_vocabulary::Switch;
use maud::{Markup, html};
use serde::Serialize;
use url::form_urlencoded;

/// Hits of one page.
pub(super) const PER_PAGE: usize = 10;
/// Values of a facet that are shown.
const FACET_VALUES: usize = 12;
/// Filters and switches of one question.
const MAX_PARTS: usize = 200;

/// Facets in the order of the page.
const FACETS: [Facet; 11] = [
    Facet::Kept,
    Facet::Institution,
    Facet::Host,
    Facet::Type,
    Facet::Source,
    Facet::Language,
    Facet::Year,
    Facet::Keyword,
    Facet::Format,
    Facet::Collection,
    Facet::WeightClass,
];

#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Question {
    pub(super) q: String,
    /// Facets with values of which a document must have one.
    pub(super) only: Vec<(Facet, String)>,
    pub(super) without: Vec<(Facet, String)>,
    pub(super) sort: Order,
    /// From 1.
    pub(super) page: usize,
    pub(super) transfer: Option<&'static str>,
    pub(super) switched_on: Vec<String>,
    pub(super) switched_off: Vec<String>,
    pub(super) ignore_weights: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Order {
    #[default]
    Relevance,
    Date,
    Captured,
    Title,
    Host,
}

impl Order {
    const ALL: [Order; 5] =
        [Order::Relevance, Order::Date, Order::Captured, Order::Title, Order::Host];

    fn tag(self) -> &'static str {
        match self {
            Order::Relevance => "relevance",
            Order::Date => "date",
            Order::Captured => "captured",
            Order::Title => "title",
            Order::Host => "host",
        }
    }

    fn name(self, view: &View) -> &'static str {
        match self {
            Order::Relevance => view.say("best first", "beste zuerst"),
            Order::Date => view.say("newest first", "neueste zuerst"),
            Order::Captured => view.say("last captured first", "zuletzt aufgenommene zuerst"),
            Order::Title => view.say("by title", "nach Titel"),
            Order::Host => view.say("by host", "nach Host"),
        }
    }

    fn sort(self) -> Sort {
        match self {
            Order::Relevance => Sort::Relevance,
            Order::Date => Sort::Date,
            Order::Captured => Sort::Captured,
            Order::Title => Sort::Title,
            Order::Host => Sort::Host,
        }
    }
}

const CHOICES: [(&str, TransferChoice); 3] =
    [("off", TransferChoice::Off), ("exact", TransferChoice::Exact), ("all", TransferChoice::All)];

impl Question {
    pub(super) fn read(parameters: &[(String, String)]) -> Result<Question, Problem> {
        let mut question = Question { page: 1, ..Question::default() };
        for (name, value) in parameters.iter().take(MAX_PARTS) {
            match name.as_str() {
                "q" => question.q = value.trim().to_owned(),
                "only" => question.only.push(facet_value(value)?),
                "without" => question.without.push(facet_value(value)?),
                "sort" => {
                    let known = Order::ALL.into_iter().find(|order| order.tag() == value);
                    question.sort = known.unwrap_or_default();
                }
                "page" => {
                    let last = MAX_RESULT_WINDOW / PER_PAGE;
                    question.page = value.parse().unwrap_or(1).clamp(1, last);
                }
                "transfer" => {
                    question.transfer =
                        CHOICES.iter().map(|(tag, _)| *tag).find(|tag| tag == value);
                }
                "on" => question.switched_on.push(value.clone()),
                "off" => question.switched_off.push(value.clone()),
                "ignore-weights" => question.ignore_weights = true,
                _ => {}
            }
        }
        Ok(question)
    }

    pub(super) fn request(&self, offset: usize, limit: usize) -> SearchRequest {
        let mut filters: Vec<FacetFilter> = Vec::new();
        for (chosen, exclude) in [(&self.only, false), (&self.without, true)] {
            for (facet, value) in chosen {
                // Several values of one facet: any of them.
                let known =
                    filters.iter_mut().find(|it| it.facet == *facet && it.exclude == exclude);
                match known {
                    Some(filter) => filter.values.push(value.clone()),
                    None => filters.push(FacetFilter {
                        facet: *facet,
                        values: vec![value.clone()],
                        exclude,
                    }),
                }
            }
        }
        // Without a word everything is shown, and facets lead on.
        let query = if self.q.is_empty() { "*" } else { &self.q };
        SearchRequest {
            filters,
            facets: FACETS.to_vec(),
            facet_values: FACET_VALUES,
            offset,
            limit,
            sort: self.sort.sort(),
            use_weights: !self.ignore_weights,
            explain: true,
            snippets: true,
            ..SearchRequest::new(query)
        }
    }

    pub(super) fn choice(&self) -> Option<TransferChoice> {
        CHOICES.iter().find(|(tag, _)| Some(*tag) == self.transfer).map(|(_, choice)| *choice)
    }

    pub(super) fn switches(&self) -> Vec<(String, Switch)> {
        let on = self.switched_on.iter().map(|id| (id.clone(), Switch::On));
        on.chain(self.switched_off.iter().map(|id| (id.clone(), Switch::Off))).collect()
    }

    /// The address of a question that differs from this one; its first page.
    pub(super) fn with(&self, change: impl FnOnce(&mut Question)) -> String {
        let mut other = Question { page: 1, ..self.clone() };
        change(&mut other);
        format!("/search?{}", other.query_string())
    }

    /// With one transfer switched on or off.
    pub(super) fn switched(&self, id: &str, is_on: bool) -> String {
        self.with(|it| {
            it.switched_on.retain(|known| known != id);
            it.switched_off.retain(|known| known != id);
            let list = if is_on { &mut it.switched_on } else { &mut it.switched_off };
            list.push(id.to_owned());
        })
    }

    pub(super) fn query_string(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.pairs() {
            query.append_pair(name, &value);
        }
        if self.page > 1 {
            query.append_pair("page", &self.page.to_string());
        }
        query.finish()
    }

    /// Everything but the page.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = vec![("q", self.q.clone())];
        for (facet, value) in &self.only {
            pairs.push(("only", format!("{}:{value}", facet.name())));
        }
        for (facet, value) in &self.without {
            pairs.push(("without", format!("{}:{value}", facet.name())));
        }
        if self.sort != Order::default() {
            pairs.push(("sort", self.sort.tag().to_owned()));
        }
        pairs.extend(self.transfer.map(|choice| ("transfer", choice.to_owned())));
        pairs.extend(self.switched_on.iter().map(|id| ("on", id.clone())));
        pairs.extend(self.switched_off.iter().map(|id| ("off", id.clone())));
        if self.ignore_weights {
            pairs.push(("ignore-weights", "1".to_owned()));
        }
        pairs
    }

    pub(super) fn form(&self, view: &View) -> Markup {
        let option = |value: &str, name: &str, is_chosen: bool| html! { option value=(value) selected[is_chosen] { (name) } };
        html! {
            form .ask role="search" action="/search" data-at-once {
                label .wide {
                    span { (view.say("Words, \"phrases\", fields such as title: or host:", "Wörter, \"Wendungen\", Felder wie title: oder host:")) }
                    input type="search" name="q" value=(self.q) autocomplete="off";
                }
                label {
                    span { (view.say("Order", "Ordnung")) }
                    select name="sort" { @for order in Order::ALL { (option(order.tag(), order.name(view), order == self.sort)) } }
                }
                label {
                    span { (view.say("Terms of other vocabularies", "Begriffe anderer Vokabulare")) }
                    select name="transfer" {
                        (option("", view.say("as configured", "wie eingestellt"), self.transfer.is_none()))
                        (option("off", view.say("none", "keine"), self.transfer == Some("off")))
                        (option("exact", view.say("that mean the same", "die dasselbe meinen"), self.transfer == Some("exact")))
                        (option("all", view.say("wider, narrower, learnt too", "auch weitere, engere, gelernte"), self.transfer == Some("all")))
                    }
                }
                @for (name, value) in self.pairs().into_iter().filter(|(name, _)| !["q", "sort", "transfer"].contains(name)) {
                    input type="hidden" name=(name) value=(value);
                }
                button { (view.say("Search", "Suchen")) }
            }
        }
    }
}

fn facet_value(text: &str) -> Result<(Facet, String), Problem> {
    let known = text
        .split_once(':')
        .and_then(|(name, value)| Some((Facet::parse(name)?, value.to_owned())));
    known.ok_or_else(|| {
        Problem::bad_request(
            "A facet is written as NAME:VALUE.",
            "Eine Facette wird als NAME:WERT geschrieben.",
        )
        .detail(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Question {
        let pairs: Vec<(String, String)> =
            form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        Question::read(&pairs).unwrap()
    }

    #[test]
    fn a_question_is_its_address() {
        let query =
            "q=a+%26+b&only=host%3Awww.x.example&without=kept%3Aleft&sort=date&off=t1&page=3";
        let question = read(query);
        assert_eq!(read(&question.query_string()).query_string(), question.query_string());
        assert_eq!(question.page, 3);
        assert_eq!(question.only, [(Facet::Host, "www.x.example".to_owned())]);
        assert_eq!(
            question.with(|it| it.without.clear()),
            "/search?q=a+%26+b&only=host%3Awww.x.example&sort=date&off=t1"
        );
    }

    #[test]
    fn odd_values_do_no_harm() {
        let question = read("q=&page=-5&sort=up&transfer=maybe");
        assert_eq!((question.page, question.sort, question.transfer), (1, Order::Relevance, None));
        assert_eq!(question.request(0, 10).query, "*");
        let pairs = [("only".to_owned(), "colour:red".to_owned())];
        assert_eq!(Question::read(&pairs).unwrap_err().status.as_u16(), 400);
    }
}
