//! What is asked on the pages about words, as it stands in an address.

use crate::problem::Problem;
use crate::view::View;
use auslese_inquiry::{ReadingRule, Selection, Wanted};
use auslese_kwic::{
    Borders, By, ConcordanceOptions, Context, DEFAULT_LISTED_FORMS, MAX_CURVE_NODES, Measure,
    NodeQuery, Sensitivity, SortOrder, Step, TokenRule,
};
use serde::Serialize;
use url::form_urlencoded;

/// Lines of one page of a concordance.
pub(super) const LINES: usize = 50;
/// Rows of tables.
const ROWS: usize = 100;
const MOST_ROWS: usize = 10_000;
/// Lines of a concordance that can be reached by leafing.
const LAST_PAGE: usize = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Concordance,
    Frequencies,
    Collocations,
    Curve,
    Groups,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] =
        [Kind::Concordance, Kind::Frequencies, Kind::Collocations, Kind::Curve, Kind::Groups];

    pub(super) fn tag(self) -> &'static str {
        match self {
            Kind::Concordance => "concordance",
            Kind::Frequencies => "frequencies",
            Kind::Collocations => "collocations",
            Kind::Curve => "curve",
            Kind::Groups => "groups",
        }
    }

    pub(super) fn of_tag(tag: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.tag() == tag)
    }

    pub(super) fn address(self) -> String {
        match self {
            Kind::Concordance => "/kwic".to_owned(),
            kind => format!("/kwic/{}", kind.tag()),
        }
    }

    pub(super) fn name(self, view: &View) -> &'static str {
        match self {
            Kind::Concordance => view.say("Concordance", "Konkordanz"),
            Kind::Frequencies => view.say("Frequencies", "Häufigkeiten"),
            Kind::Collocations => view.say("Collocations", "Kollokationen"),
            Kind::Curve => view.say("Curves over time", "Verlaufskurven"),
            Kind::Groups => view.say("Counts by group", "Zählung nach Gruppen"),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Question {
    pub(super) kind: Kind,
    pub(super) q: String,
    /// A search query that narrows the documents.
    pub(super) filter: String,
    /// Documents that the corpus left out, too.
    pub(super) all_documents: bool,
    pub(super) selection: Selection,
    pub(super) sort: String,
    pub(super) width: String,
    pub(super) compare: String,
    pub(super) sample: Option<usize>,
    pub(super) seed: u64,
    pub(super) page: usize,
    pub(super) n: usize,
    pub(super) min: u64,
    pub(super) rows: usize,
    pub(super) window: usize,
    pub(super) measure: String,
    pub(super) no_stop_words: bool,
    pub(super) step: String,
    pub(super) smooth: u32,
    pub(super) by: String,
    /// Until all documents are read.
    pub(super) thorough: bool,
}

pub(super) const SORTS: [(&str, &str, &str); 5] = [
    ("", "by document", "nach Dokument"),
    ("R1,R2,R3", "by the words to the right", "nach den Wörtern rechts"),
    ("L1,L2,L3", "by the words to the left", "nach den Wörtern links"),
    ("node,R1", "by the word itself", "nach dem Wort selbst"),
    ("R1,L1", "right, then left", "rechts, dann links"),
];
pub(super) const WIDTHS: [(&str, &str, &str); 4] = [
    ("40", "40 letters", "40 Zeichen"),
    ("80", "80 letters", "80 Zeichen"),
    ("10w", "10 words", "10 Wörter"),
    ("sentence", "the sentence", "der Satz"),
];
pub(super) const COMPARES: [(&str, &str, &str); 3] = [
    ("ignore-case", "case does not matter", "Groß und klein ist gleich"),
    ("as-written", "as written", "wie geschrieben"),
    ("folded", "accents do not matter", "Akzente sind gleich"),
];
pub(super) const MEASURES: [(&str, &str, &str); 4] = [
    ("log-dice", "logDice", "logDice"),
    ("log-likelihood", "log-likelihood", "Log-Likelihood"),
    ("mutual-information", "mutual information", "Mutual Information"),
    ("t-score", "t-score", "T-Wert"),
];
pub(super) const STEPS: [(&str, &str, &str); 2] =
    [("year", "years", "Jahre"), ("month", "months", "Monate")];
pub(super) const GROUPS: [(&str, &str, &str); 7] = [
    ("form", "form", "Form"),
    ("host", "host", "Host"),
    ("type", "kind of document", "Art des Dokuments"),
    ("year", "year", "Jahr"),
    ("month", "month", "Monat"),
    ("language", "language", "Sprache"),
    ("collection", "collection", "Sammlung"),
];

impl Question {
    pub(super) fn read(kind: Kind, parameters: &[(String, String)]) -> Result<Question, Problem> {
        let value = |name: &str| {
            parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim())
        };
        let text = |name: &str, usual: &str| value(name).unwrap_or(usual).to_owned();
        let number = |name: &str| value(name).and_then(|value| value.parse::<usize>().ok());
        let chosen = |name: &str, choices: &[(&str, &str, &str)]| {
            let known = value(name).filter(|value| choices.iter().any(|(tag, _, _)| tag == value));
            known.unwrap_or(choices[0].0).to_owned()
        };
        let mut question = Question {
            kind,
            q: text("q", ""),
            filter: text("filter", ""),
            all_documents: value("all").is_some(),
            selection: Selection::default(),
            sort: text("sort", ""),
            width: text("width", WIDTHS[0].0),
            compare: chosen("compare", &COMPARES),
            sample: number("sample").filter(|sample| *sample > 0),
            seed: number("seed").unwrap_or(0) as u64,
            page: number("page").unwrap_or(1).clamp(1, LAST_PAGE),
            n: number("n").unwrap_or(1).clamp(1, 5),
            min: number("min").unwrap_or(usual_min(kind)).max(1) as u64,
            rows: number("rows").unwrap_or(ROWS).clamp(1, MOST_ROWS),
            window: number("window").unwrap_or(5).clamp(1, 20),
            measure: chosen("measure", &MEASURES),
            no_stop_words: value("stop").is_none(),
            step: chosen("step", &STEPS),
            smooth: number("smooth").unwrap_or(0).min(10) as u32,
            by: chosen("by", &GROUPS),
            thorough: value("thorough").is_some(),
        };
        if !question.filter.is_empty() {
            question.selection.narrow(&question.filter);
        }
        if !question.all_documents {
            question.selection.within_corpus();
        }
        Ok(question)
    }

    /// A list of frequencies needs no word.
    pub(super) fn is_asked(&self) -> bool {
        self.kind == Kind::Frequencies || !self.q.is_empty()
    }

    pub(super) fn parsed(&self) -> Result<Vec<NodeQuery>, Problem> {
        let parts: Vec<&str> = match self.kind {
            Kind::Curve => self.q.split(';').map(str::trim).filter(|it| !it.is_empty()).collect(),
            _ if self.q.is_empty() => Vec::new(),
            _ => vec![self.q.as_str()],
        };
        let sensitivity = self.reading_rule().sensitivity;
        let parse = |query: &&str| {
            NodeQuery::parse(query, TokenRule::Whole, sensitivity).map_err(|error| {
                let mut detail = error.pointed(query);
                if let Some(hint) = error.hint() {
                    detail.push_str(&format!("\n{hint}"));
                }
                Problem::bad_request(
                    "The query cannot be understood.",
                    "Die Anfrage ist nicht zu verstehen.",
                )
                .detail(detail)
            })
        };
        parts.iter().take(MAX_CURVE_NODES).map(parse).collect()
    }

    pub(super) fn wanted(&self) -> Wanted {
        match self.kind {
            Kind::Concordance => Wanted::Lines(ConcordanceOptions {
                context: self.context(),
                sort: SortOrder::parse(&self.sort).unwrap_or_default(),
                sample: self.sample,
                seed: self.seed,
                offset: (self.page - 1) * LINES,
                limit: Some(LINES),
                ..ConcordanceOptions::default()
            }),
            Kind::Frequencies => Wanted::Forms { n: self.n, max_forms: DEFAULT_LISTED_FORMS },
            Kind::Collocations => Wanted::Collocations {
                left: self.window,
                right: self.window,
                max_forms: DEFAULT_LISTED_FORMS,
            },
            Kind::Curve => {
                let step = if self.step == "month" { Step::Month } else { Step::Year };
                let names = self.q.split(';').map(|name| name.trim().to_owned());
                Wanted::Curve { step, names: names.filter(|name| !name.is_empty()).collect() }
            }
            Kind::Groups => Wanted::Groups { by: vec![self.by.parse().unwrap_or(By::Form)] },
        }
    }

    fn context(&self) -> Context {
        if self.width == "sentence" {
            return Context::Sentence;
        }
        match self.width.strip_suffix('w') {
            Some(words) => words.parse().map_or(Context::Tokens(10), Context::Tokens),
            None => self.width.parse().map_or(Context::Characters(40), Context::Characters),
        }
    }

    pub(super) fn reading_rule(&self) -> ReadingRule {
        let sensitivity = match self.compare.as_str() {
            "as-written" => Sensitivity::AsWritten,
            "folded" => Sensitivity::Folded,
            _ => Sensitivity::IgnoreCase,
        };
        ReadingRule { rule: TokenRule::Whole, borders: Borders::Sentence, sensitivity }
    }

    pub(super) fn measure(&self) -> Measure {
        match self.measure.as_str() {
            "log-likelihood" => Measure::LogLikelihood,
            "mutual-information" => Measure::MutualInformation,
            "t-score" => Measure::TScore,
            _ => Measure::LogDice,
        }
    }

    /// The same words, asked in another way.
    pub(super) fn other(&self, kind: Kind) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("q", &self.q), ("filter", &self.filter)] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        if self.all_documents {
            query.append_pair("all", "1");
        }
        match query.finish() {
            query if query.is_empty() => kind.address(),
            query => format!("{}?{query}", kind.address()),
        }
    }
}

fn usual_min(kind: Kind) -> usize {
    if kind == Kind::Collocations { 3 } else { 1 }
}
