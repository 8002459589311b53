//! Values: names looked up, sources and steps with their arguments.

use super::{Checked, Compiler};
use crate::heuristics::code::{StepCode, ValueCode, ValueIs, XPathCode};
use crate::heuristics::faults::Span;
use crate::heuristics::syntax::{StepSyntax, ValueKind, ValueSyntax};
use auslese_markup::XPath;

impl Compiler<'_> {
    pub(super) fn value(&mut self, value: &ValueSyntax) -> Checked<ValueCode> {
        let span = value.span;
        let is = match &value.is {
            ValueKind::XPath(path) => self.shared_xpath(path, span)?,
            ValueKind::Texts(texts) => ValueIs::Texts(texts.clone()),
            ValueKind::Name(name) => match self.names.look_up(span.file, name) {
                Ok(number) => ValueIs::Let(number),
                Err(message) => return self.fault(span, message),
            },
            ValueKind::It if self.it_is_known => ValueIs::It,
            ValueKind::It => {
                let message = "`it` means something only after `where`, `support` and `doubt`";
                return self.fault(span, message);
            }
            ValueKind::Source(call) => ValueIs::Source(self.source(call)?),
            ValueKind::FirstOf(members) => ValueIs::FirstOf(self.values(members)?),
            ValueKind::AllOf(members) => ValueIs::AllOf(self.values(members)?),
            ValueKind::Steps(source, steps) => {
                let source = self.value(source);
                let steps = self.each(steps, Self::step);
                ValueIs::Steps(Box::new(source?), steps?)
            }
        };
        Ok(ValueCode { is, span })
    }

    /// A value that stands in a condition, a rule or an argument. It may be asked for again and again,
    /// once for each item in question; unless it depends on that, it is kept when it is first known.
    pub(super) fn kept_value(&mut self, value: &ValueSyntax) -> Checked<ValueCode> {
        let code = self.value(value)?;
        Ok(self.kept(code))
    }

    pub(super) fn kept(&mut self, code: ValueCode) -> ValueCode {
        if matches!(code.is, ValueIs::Let(_) | ValueIs::Nameless(_)) || depends_on_it(&code) {
            return code;
        }
        let span = code.span;
        self.nameless.push(code);
        ValueCode { is: ValueIs::Nameless(self.nameless.len() - 1), span }
    }

    fn values(&mut self, values: &[ValueSyntax]) -> Checked<Vec<ValueCode>> {
        self.each(values, Self::value)
    }

    /// All of them, so that each tells its own fault.
    pub(super) fn each<T, C>(
        &mut self,
        all: &[T],
        mut check: impl FnMut(&mut Self, &T) -> Checked<C>,
    ) -> Checked<Vec<C>> {
        let checked: Vec<Checked<C>> = all.iter().map(|one| check(self, one)).collect();
        checked.into_iter().collect()
    }

    fn step(&mut self, step: &StepSyntax) -> Checked<StepCode> {
        match step {
            StepSyntax::Call(call) => self.step_call(call),
            StepSyntax::Where(condition) => self.condition_about_it(condition).map(StepCode::Where),
        }
    }

    /// Several names may ask the page the same; it is asked once.
    fn shared_xpath(&mut self, path: &str, span: Span) -> Checked<ValueIs> {
        if let Some(known) = self.xpaths.get(path) {
            return Ok(ValueIs::Nameless(*known));
        }
        let code = self.xpath(path, span)?;
        // The same variable may mean another name in another file.
        if !code.variables.is_empty() {
            return Ok(ValueIs::XPath(code));
        }
        self.nameless.push(ValueCode { is: ValueIs::XPath(code), span });
        self.xpaths.insert(path.to_owned(), self.nameless.len() - 1);
        Ok(ValueIs::Nameless(self.nameless.len() - 1))
    }

    /// `span` is that of the expression with its back quotes.
    pub(super) fn xpath(&mut self, path: &str, span: Span) -> Checked<XPathCode> {
        let path = match XPath::parse(path) {
            Ok(path) => path,
            Err(fault) => {
                let offset = u32::try_from(fault.offset).unwrap_or(u32::MAX);
                let at = self.inside_quotes(span).saturating_add(offset);
                return self.fault_at(span.file, at, fault.to_string());
            }
        };
        let mut variables = Vec::new();
        for name in path.variables() {
            match self.names.look_up(span.file, name) {
                Ok(number) => variables.push((name.to_owned(), number)),
                Err(message) => {
                    let written = path.source().find(&format!("${name}")).unwrap_or(0);
                    let at = self.inside_quotes(span) + written as u32;
                    return self.fault_at(span.file, at, message);
                }
            }
        }
        Ok(XPathCode { path, variables })
    }

    /// Where the text between the back quotes begins; parentheses around a value belong to its span.
    fn inside_quotes(&self, span: Span) -> u32 {
        let text = &self.files[span.file as usize].text;
        let quote = text.get(span.start as usize..).and_then(|rest| rest.find('`'));
        span.start + quote.map_or(0, |quote| quote as u32 + 1)
    }
}

/// Whether a value is another for each item in question. In the condition of `where`, `it` is another.
fn depends_on_it(value: &ValueCode) -> bool {
    match &value.is {
        ValueIs::It => true,
        ValueIs::FirstOf(members) | ValueIs::AllOf(members) => members.iter().any(depends_on_it),
        ValueIs::Steps(source, steps) => {
            let in_step = |step: &StepCode| match step {
                StepCode::Without(value) | StepCode::After(value) => depends_on_it(value),
                _ => false,
            };
            depends_on_it(source) || steps.iter().any(in_step)
        }
        ValueIs::XPath(_)
        | ValueIs::Texts(_)
        | ValueIs::Let(_)
        | ValueIs::Nameless(_)
        | ValueIs::Source(_) => false,
    }
}
