//! Explanations as text, for people who write heuristics.

use super::{CandidateExplained, Explanation, FieldExplained, Verdict, shortened};
use std::fmt::Write;

/// Values of a rule that are shown; the others are counted.
const SHOWN_VALUES: usize = 10;

impl Explanation {
    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        for name in &self.names {
            writeln!(out, "{} = {}    ({})", name.name, one_line(&name.source), name.place)?;
            for item in &name.items {
                match &item.place {
                    Some(place) => writeln!(out, "    {:?}  at {place}", item.text)?,
                    None => writeln!(out, "    {:?}", item.text)?,
                }
            }
            match name.count.saturating_sub(name.items.len()) {
                0 if name.count == 0 => writeln!(out, "    nothing")?,
                0 => {}
                more => writeln!(out, "    … {more} more")?,
            }
        }
        for field in &self.fields {
            writeln!(out)?;
            field.write(out)?;
        }
        if let Some(trouble) = &self.trouble {
            writeln!(out, "\n{trouble}")?;
        }
        Ok(())
    }
}

impl FieldExplained {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let FieldExplained { field, heuristic, decides, .. } = self;
        writeln!(out, "{field}: heuristic {heuristic}, decide {decides}")?;
        for rule in &self.rules {
            writeln!(out, "  {}    ({})", one_line(&rule.source), rule.place)?;
            match &rule.verdict {
                Verdict::Fired { values, initial } => {
                    writeln!(out, "    fired [{initial}]: {}", list(values))?;
                }
                Verdict::Failed { because } => writeln!(out, "    no: {because}")?,
                Verdict::Empty => writeln!(out, "    no: its value is empty")?,
                Verdict::NotReached { decided } => {
                    writeln!(out, "    not reached: {decided} decided")?;
                }
                Verdict::Remarks { on } if on.is_empty() => writeln!(out, "    for none")?,
                Verdict::Remarks { on } => writeln!(out, "    for {}", list(on))?,
            }
        }
        for candidate in &self.candidates {
            candidate.write(out)?;
        }
        Ok(())
    }
}

impl CandidateExplained {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let it = &self.statement;
        let sign = if it.chosen { "=>" } else { " -" };
        write!(out, "  {sign} [{:.2}] {:?}", it.weight, shortened(&it.value))?;
        if let Some(place) = &it.place {
            write!(out, "  at {place}")?;
        }
        writeln!(out)?;
        for line in self.account.to_string().lines() {
            writeln!(out, "       {line}")?;
        }
        Ok(())
    }
}

fn list(values: &[String]) -> String {
    let shown = values.iter().take(SHOWN_VALUES).map(|value| format!("{value:?}"));
    let more = values.len().saturating_sub(SHOWN_VALUES);
    let more = (more > 0).then(|| format!("… {more} more"));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

fn one_line(source: &str) -> String {
    source.split_whitespace().collect::<Vec<_>>().join(" ")
}
