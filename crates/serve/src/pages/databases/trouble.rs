//! What is wrong or doubtful about a database: codes with their meaning, subjects, messages.

use crate::view::View;
use maud::{Markup, html};
use serde_json::Value;

/// Problems that are shown.
const PROBLEMS: usize = 200;

/// Problems as the stages store them: objects with a code, a subject and a message.
pub(super) fn problems(view: &View, problems: &Value) -> Markup {
    let Some(list) = problems.as_array().filter(|list| !list.is_empty()) else { return html! {} };
    let text = |it: &Value, name: &str| it.get(name).and_then(Value::as_str).map(str::to_owned);
    html! {
        h2 { (view.say("Problems", "Probleme")) }
        div .scroll tabindex="0" { table {
            thead { tr {
                th { (view.say("Code", "Kennung")) } th { (view.say("Meaning", "Bedeutung")) }
                th { (view.say("About", "Betrifft")) } th { (view.say("In detail", "Im Einzelnen")) }
            } }
            tbody { @for it in list.iter().take(PROBLEMS) {
                @let code = text(it, "code").unwrap_or_default();
                tr {
                    td .nowrap { span class={ "tag " (if code.starts_with("E_") { "bad" } else { "doubt" }) } { (code) } }
                    td { (meaning(view, &code).unwrap_or("–")) }
                    td .breaks { (text(it, "subject").unwrap_or_default()) }
                    td .breaks lang="en" { (text(it, "message").unwrap_or_else(|| if code.is_empty() { it.to_string() } else { String::new() })) }
                }
            } }
        } }
        @if list.len() > PROBLEMS { p .soft { "+ " (view.tongue.number((list.len() - PROBLEMS) as u64)) } }
    }
}

/// What a code means, as in the manual.
fn meaning(view: &View, code: &str) -> Option<&'static str> {
    let (_, english, german) = MEANINGS.iter().find(|(known, _, _)| *known == code)?;
    Some(view.say(*english, *german))
}

#[rustfmt::skip]
const MEANINGS: &[(&str, &str, &str)] = &[
    ("E_NO_FORM",             "no form in which something can be written or chosen", "kein Formular, in dem sich etwas schreiben oder wählen lässt"),
    ("E_UNSUPPORTED_CONTROL", "the form has a password, a file or a captcha",        "das Formular verlangt ein Passwort, eine Datei oder ein Captcha"),
    ("E_NO_QUERY_ELEMENT",    "there are rules, but no element to ask for",          "es gibt Regeln, aber kein Element, nach dem zu fragen wäre"),
    ("E_OPEN_DOMAIN",         "an essential element takes any text",                 "ein wesentliches Element nimmt beliebigen Text"),
    ("E_PRODUCT_TOO_BIG",     "more queries or values than allowed",                 "mehr Fragen oder Werte als erlaubt"),
    ("E_QUERY_SCRIPT",        "DB.QueryScript cannot be asked",                      "DB.QueryScript lässt sich nicht befragen"),
    ("E_CONFIG_NESTED",       "a configuration file names another",                  "eine Konfigurationsdatei nennt eine weitere"),
    ("W_CONFIG_EMPTY",        "a configuration file has no metadata",                "eine Konfigurationsdatei hat keine Metadaten"),
    ("E_CONFIG_HOST",         "a configuration file lies on another host",           "eine Konfigurationsdatei liegt auf einem anderen Rechner"),
    ("E_CONFIG_DENIED",       "a file or summarizer is open to others only",         "eine Datei oder ein Summarizer ist nur für andere offen"),
    ("E_SUMMARY",             "what the summarizer hands out is no SOIF",            "was der Summarizer herausgibt, ist kein SOIF"),
    ("E_ATTRIBUTE_NAME",      "the name of an attribute is too long",                "der Name eines Merkmals ist zu lang"),
    ("W_UNINFORMATIVE",       "choices of a list hardly change the answer",          "die Auswahl in einer Liste ändert die Antwort kaum"),
    ("E_INFINITE",            "an expression is not finite",                         "ein Ausdruck ist nicht endlich"),
    ("E_UNSUPPORTED",         "an expression uses what is not supported",            "ein Ausdruck benutzt, was nicht unterstützt wird"),
    ("E_SYNTAX",              "something is not understood",                         "etwas ist nicht zu verstehen"),
    ("E_REGEX",               "a regular expression is none, or too large",          "ein regulärer Ausdruck ist keiner oder zu groß"),
    ("E_NO_CONDITION",        "a variable has no condition",                         "eine Variable hat keine Bedingung"),
    ("E_UNBOUND",             "a condition uses an unknown variable",                "eine Bedingung benutzt eine unbekannte Variable"),
    ("E_PREFIX",              "a prefix is no path",                                 "ein Anfang von Regeln ist kein Pfad"),
    ("E_RULE_BUDGET",         "a rule takes too long",                               "eine Regel dauert zu lange"),
    ("E_DBCONTENT_LINE",      "a line of the document is not understood",            "eine Zeile des Dokuments ist nicht zu verstehen"),
    ("E_DBCONTENT_ORDER",     "lines of the document are in the wrong order",        "Zeilen des Dokuments stehen in falscher Folge"),
    ("E_DBCONTENT_MISSING",   "the document lacks something",                        "dem Dokument fehlt etwas"),
    ("E_NOT_OAI",             "the address does not answer as a repository",         "die Adresse antwortet nicht wie ein Repositorium"),
    ("E_OAI_ERROR",           "the server refuses",                                  "der Server lehnt ab"),
    ("E_OAI_ANSWER",          "answers cannot be read after five tries",             "Antworten sind nach fünf Versuchen nicht zu lesen"),
    ("E_OAI_TOKEN",           "tokens are lost again and again",                     "Marken gehen immer wieder verloren"),
    ("E_OAI_REQUESTS",        "the limit of requests was reached",                   "die Höchstzahl der Anfragen ist erreicht"),
    ("W_UNKNOWN_METADATA",    "metadata that nobody knows",                          "Metadaten, die niemand kennt"),
    ("W_UNKNOWN_KEY",         "a line that nobody knows",                            "eine Zeile, die niemand kennt"),
    ("W_REPEATED",            "something is given twice",                            "etwas steht zweimal da"),
    ("W_ELEMENTS_TWICE",      "elements are given twice",                            "Elemente stehen zweimal da"),
    ("W_LIST_FORM",           "values look like an expression or a list, and are none", "Werte sehen wie ein Ausdruck oder eine Liste aus und sind keine"),
    ("W_NO_ELEMENT",          "the form has no such element",                        "das Formular hat dieses Element nicht"),
    ("W_NOT_IN_DOMAIN",       "the form does not offer such a value",                "das Formular bietet diesen Wert nicht an"),
    ("W_DEFAULT_NARROWS",     "a choice had to be sent that narrows every answer",   "eine Auswahl musste mitgesendet werden, die jede Antwort einengt"),
    ("W_RULE_DEAD",           "a rule found nothing on any page",                    "eine Regel fand auf keiner Seite etwas"),
    ("W_TRUNCATED",           "answers seem to be cut",                              "Antworten scheinen gekürzt zu sein"),
    ("W_INTERACTION",         "an answer asks something back",                       "eine Antwort fragt zurück"),
    ("W_SEVERAL_CONDITIONS",  "a variable has several conditions; all must hold",    "eine Variable hat mehrere Bedingungen; alle müssen gelten"),
    ("W_RELATIVE",            "a path does not begin with html, and there is no prefix", "ein Pfad beginnt nicht mit html, und es gibt keinen Anfang von Regeln"),
    ("W_OAI_PREFIX",          "the metadata prefix had to be sent with the token",   "das Präfix musste mit der Marke gesendet werden"),
    ("W_OAI_AGAIN",           "an answer had to be asked for again",                 "eine Antwort musste noch einmal erfragt werden"),
    ("W_OAI_RESTART",         "the list had to be begun anew",                       "die Liste musste neu begonnen werden"),
    ("W_OAI_LOOP",            "the list repeats itself",                             "die Liste wiederholt sich"),
    ("W_OAI_INCOMPLETE",      "fewer records came than announced",                   "es kamen weniger Datensätze als angekündigt"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_once() {
        let mut codes: Vec<&str> = MEANINGS.iter().map(|(code, _, _)| *code).collect();
        codes.sort_unstable();
        let all = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }
}
