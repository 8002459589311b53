//! Rules as their authors wrote them. A run keeps the text of its heuristics, so a rule can be shown as it was then,
//! whatever became of the files since.

use serde::Serialize;
use std::collections::HashMap;

/// A rule as written, with the remark above it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct RuleText {
    pub(super) source: String,
    /// What its author says about it, or about those it stands among.
    pub(super) remark: Option<String>,
}

/// The rules of a run by their names, such as `carmen-title<4>`. Two sets may have a rule of one name: those for pages
/// come first, those for documents made of pages last.
pub(super) fn rule_texts(heuristics: &str, is_paper: bool) -> HashMap<String, RuleText> {
    let mut rules: HashMap<String, RuleText> = HashMap::new();
    let mut reading = Reading::default();
    for line in heuristics.lines() {
        if let Some((name, text)) = reading.line(line)
            && (is_paper || !rules.contains_key(&name))
        {
            rules.insert(name, text);
        }
    }
    rules
}

#[derive(Debug, Default)]
struct Reading<'t> {
    heuristic: &'t str,
    /// The condition of the block that is open.
    when: Option<&'t str>,
    remark: Vec<&'t str>,
    /// Whether the line before was a remark, too.
    in_remark: bool,
}

impl<'t> Reading<'t> {
    fn line(&mut self, line: &'t str) -> Option<(String, RuleText)> {
        let line = line.trim();
        if let Some(remark) = line.strip_prefix('#') {
            if !self.in_remark {
                self.remark.clear();
            }
            self.remark.push(remark.trim());
            self.in_remark = true;
            return None;
        }
        self.in_remark = false;
        if line.is_empty() {
            self.remark.clear();
        } else if let Some(rest) = line.strip_prefix("heuristic ") {
            self.heuristic = rest.split_whitespace().next().unwrap_or_default();
            (self.when, self.remark) = (None, Vec::new());
        } else if let Some(condition) = line.strip_prefix("when ") {
            self.when = Some(condition.trim());
        } else if line == "end" {
            self.when = None;
        } else if let Some(label) = label(line) {
            return Some((format!("{}<{label}>", self.heuristic), self.rule(line)));
        }
        None
    }

    fn rule(&self, line: &str) -> RuleText {
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let source = match self.when {
            Some(condition) => format!("when {condition}\n    {words}"),
            None => words,
        };
        let remark = (!self.remark.is_empty()).then(|| self.remark.join(" "));
        RuleText { source, remark }
    }
}

/// The label of a line that is a rule, a support or a doubt.
fn label(line: &str) -> Option<&str> {
    let rest =
        ["support ", "doubt "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
    rest.trim_start().strip_prefix('<')?.split_once('>').map(|(label, _)| label)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# title.heur
let H1 = `//h1`

heuristic title for title
decide together

# Who agrees.
<h1>   count(H1) = 1 -> [0.7] H1
support <in-main> it in MAIN -> [0.3]

when TITLE
    <1> TITLE equals H1 -> [1.0] TITLE
end
<2> always -> [0.1] H1
heuristic title for title
<h1> other -> [0.2] H1
";

    #[test]
    fn rules_are_found_by_name() {
        let pages = rule_texts(TEXT, false);
        assert_eq!(pages["title<h1>"].source, "<h1> count(H1) = 1 -> [0.7] H1");
        assert_eq!(pages["title<h1>"].remark.as_deref(), Some("Who agrees."));
        assert_eq!(pages["title<in-main>"].source, "support <in-main> it in MAIN -> [0.3]");
        assert_eq!(pages["title<1>"].source, "when TITLE\n    <1> TITLE equals H1 -> [1.0] TITLE");
        assert_eq!(
            pages["title<2>"],
            RuleText { source: "<2> always -> [0.1] H1".into(), remark: None }
        );
        assert_eq!(rule_texts(TEXT, true)["title<h1>"].source, "<h1> other -> [0.2] H1");
        assert!(rule_texts("<a> -> \n< \n>\nsupport", false).contains_key("<a>"));
    }

    #[test]
    fn the_rules_that_are_shipped_are_found() {
        for name in auslese_describe::SHIPPED_HEURISTICS {
            let set = auslese_describe::Heuristics::shipped(name).unwrap();
            let text: String = set.files().map(|(_, text)| format!("{text}\n")).collect();
            let texts = rule_texts(&text, false);
            let missing: Vec<String> = set
                .rules()
                .iter()
                .map(|rule| rule.id.to_string())
                .filter(|id| !texts.contains_key(id))
                .collect();
            assert_eq!(missing, [""; 0], "{name}");
        }
    }
}
