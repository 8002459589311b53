//! Reads tokens as a file of heuristics.
//!
//! Line ends mean nothing; what a clause is, its first word says. After a fault, reading goes on at
//! the next line that begins with such a word, so one run tells of several faults.

mod conditions;
mod values;

use super::faults::{HeuristicsError, SourceFile, Span};
use super::lexer::{Placed, Token, tokens};
use super::suggestion::did_you_mean;
use super::syntax::{
    ClauseSyntax, Decides, FileSyntax, HeuristicSyntax, LetSyntax, RemarkKind, RemarkSyntax,
    RuleSyntax, Spanned,
};

/// Expressions within expressions, and `when` within `when`: far more than anyone reads.
pub const MAX_NESTING: usize = 64;

/// Reads a file; what could be read comes back even if there are faults.
pub(crate) fn parse(source: &SourceFile, file: u32) -> (FileSyntax, Vec<HeuristicsError>) {
    let (tokens, faults) = tokens(source, file);
    let mut parser = Parser { source, tokens, at: 0, depth: 0, faults };
    let syntax = parser.file();
    parser.faults.sort();
    (syntax, parser.faults)
}

/// Words with which a line begins that is no rule.
const BEGINNINGS: [&str; 10] =
    ["use", "let", "heuristic", "decide", "silent", "at", "when", "end", "support", "doubt"];

/// A fault that was noted already.
#[derive(Debug)]
struct Noted;

type Read<T> = Result<T, Noted>;

struct Parser<'a> {
    source: &'a SourceFile,
    tokens: Vec<Placed>,
    at: usize,
    depth: usize,
    faults: Vec<HeuristicsError>,
}

impl Parser<'_> {
    fn file(&mut self) -> FileSyntax {
        let mut file = FileSyntax::default();
        while *self.token() != Token::End {
            let before = self.at;
            if self.item(&mut file).is_err() {
                self.recover(before);
            }
        }
        file
    }

    fn item(&mut self, file: &mut FileSyntax) -> Read<()> {
        match self.token().clone() {
            Token::Word(word) if word == "use" => {
                self.next();
                file.uses.push(self.text("the name of a file, such as \"head\"")?);
            }
            Token::Word(word) if word == "let" => file.lets.push(self.binding()?),
            Token::Word(word) if word == "heuristic" => {
                let heuristic = self.heuristic_head()?;
                file.heuristics.push(heuristic);
                self.heuristic_body(file);
            }
            Token::Label(_) => {
                return self.expected("`heuristic NAME for FIELD` before the first rule");
            }
            token => {
                let hint = match &token {
                    Token::Word(word) => did_you_mean(word, &BEGINNINGS),
                    _ => String::new(),
                };
                return self.expected(&format!("`use`, `let` or `heuristic`{hint}"));
            }
        }
        Ok(())
    }

    fn binding(&mut self) -> Read<LetSyntax> {
        self.next();
        let name = match self.token().clone() {
            Token::Name(name) => Spanned { is: name, span: self.next() },
            _ => return self.expected("a name that begins with a capital letter"),
        };
        self.sign("=")?;
        let value = self.value()?;
        Ok(LetSyntax { name, value })
    }

    fn heuristic_head(&mut self) -> Read<HeuristicSyntax> {
        self.next();
        let name = self.any_word("the name of the heuristic, such as `title`")?;
        self.word("for")?;
        let field = self.any_word("a field, such as `title`")?;
        Ok(HeuristicSyntax {
            name,
            field,
            decides: None,
            silent_below: None,
            at_most: None,
            clauses: Vec::new(),
        })
    }

    /// Everything up to the next heuristic; lets among the rules belong to the file.
    fn heuristic_body(&mut self, file: &mut FileSyntax) {
        loop {
            let before = self.at;
            let read = match self.token().clone() {
                Token::Word(word) if word == "let" => self.binding().map(|it| file.lets.push(it)),
                Token::End => return,
                Token::Word(word) if word == "heuristic" || word == "use" => return,
                token => {
                    let heuristic =
                        file.heuristics.last_mut().expect("its head was read just before");
                    self.part_of_heuristic(&token, heuristic)
                }
            };
            if read.is_err() {
                self.recover(before);
            }
        }
    }

    fn part_of_heuristic(&mut self, token: &Token, heuristic: &mut HeuristicSyntax) -> Read<()> {
        match token {
            Token::Word(word) if word == "decide" => {
                self.next();
                let decides = if self.token().is_word("first") {
                    Decides::First
                } else if self.token().is_word("together") {
                    Decides::Together
                } else {
                    return self.expected("`first` or `together`");
                };
                heuristic.decides = Some(Spanned { is: decides, span: self.next() });
            }
            Token::Word(word) if word == "silent" => {
                self.next();
                self.word("below")?;
                heuristic.silent_below = Some(self.number()?);
            }
            Token::Word(word) if word == "at" => {
                self.next();
                self.word("most")?;
                heuristic.at_most = Some(self.number()?);
            }
            _ => heuristic.clauses.push(self.clause()?),
        }
        Ok(())
    }

    fn clause(&mut self) -> Read<ClauseSyntax> {
        match self.token().clone() {
            Token::Label(_) => self.rule().map(ClauseSyntax::Rule),
            Token::Word(word) if word == "support" => self.remark(RemarkKind::Support),
            Token::Word(word) if word == "doubt" => self.remark(RemarkKind::Doubt),
            Token::Word(word) if word == "when" => self.deeper(Self::group),
            Token::Word(word) => {
                let hint = did_you_mean(&word, &BEGINNINGS);
                self.expected(&format!("a rule, `when`, `support` or `doubt`{hint}"))
            }
            _ => self.expected("a rule such as `<1> TITLE -> [0.5] TITLE`"),
        }
    }

    fn group(&mut self) -> Read<ClauseSyntax> {
        let opened = self.next();
        let condition = self.condition()?;
        let mut clauses = Vec::new();
        while !self.token().is_word("end") {
            let token = self.token();
            if *token == Token::End || token.is_word("heuristic") {
                let (line, _) = self.source.position(opened.start);
                return self.expected(&format!("`end` of the `when` in line {line}"));
            }
            let before = self.at;
            match self.clause() {
                Ok(clause) => clauses.push(clause),
                Err(Noted) => self.recover(before),
            }
        }
        self.next();
        Ok(ClauseSyntax::Group { condition, clauses })
    }

    fn rule(&mut self) -> Read<RuleSyntax> {
        let label = self.label()?;
        let condition = self.condition()?;
        let weight = self.arrow_and_weight()?;
        let mut parts = vec![self.value()?];
        while *self.token() == Token::Sign("+") {
            self.next();
            parts.push(self.value()?);
        }
        let origin = if self.token().is_word("as") {
            self.next();
            Some(self.text("where such values come from, such as \"meta tag\"")?)
        } else {
            None
        };
        let span = label.span.to(self.last_span());
        Ok(RuleSyntax { label, condition, weight, parts, origin, span })
    }

    fn remark(&mut self, kind: RemarkKind) -> Read<ClauseSyntax> {
        let begin = self.next();
        let label = self.label()?;
        let condition = self.condition()?;
        let weight = self.arrow_and_weight()?;
        let span = begin.to(self.last_span());
        Ok(ClauseSyntax::Remark(RemarkSyntax { kind, label, condition, weight, span }))
    }

    fn label(&mut self) -> Read<Spanned<String>> {
        match self.token().clone() {
            Token::Label(label) => Ok(Spanned { is: label, span: self.next() }),
            _ => self.expected("a label such as `<1>`"),
        }
    }

    fn arrow_and_weight(&mut self) -> Read<Spanned<f64>> {
        self.sign("->")?;
        self.sign("[")?;
        let weight = self.number()?;
        self.sign("]")?;
        Ok(weight)
    }
}

/// Moving along the tokens.
impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn token_after(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)].token
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the token before this one stands.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Goes on by one token, never beyond the last; says where it stood.
    fn next(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    fn expected<T>(&mut self, what: &str) -> Read<T> {
        let found = self.token().described();
        self.fault_at(self.span(), format!("expected {what}, found {found}"))
    }

    fn fault_at<T>(&mut self, span: Span, message: String) -> Read<T> {
        self.faults.push(self.source.fault(span.start, message));
        Err(Noted)
    }

    fn sign(&mut self, sign: &'static str) -> Read<Span> {
        if *self.token() == Token::Sign(sign) {
            return Ok(self.next());
        }
        self.expected(&format!("`{sign}`"))
    }

    fn word(&mut self, word: &str) -> Read<Span> {
        if self.token().is_word(word) {
            return Ok(self.next());
        }
        self.expected(&format!("`{word}`"))
    }

    fn any_word(&mut self, what: &str) -> Read<Spanned<String>> {
        match self.token().clone() {
            Token::Word(word) => Ok(Spanned { is: word, span: self.next() }),
            _ => self.expected(what),
        }
    }

    fn text(&mut self, what: &str) -> Read<Spanned<String>> {
        match self.token().clone() {
            Token::Text(text) => Ok(Spanned { is: text, span: self.next() }),
            _ => self.expected(what),
        }
    }

    fn number(&mut self) -> Read<Spanned<f64>> {
        match *self.token() {
            Token::Number(number) => Ok(Spanned { is: number, span: self.next() }),
            _ => self.expected("a number"),
        }
    }

    /// Reads something that may contain itself.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == MAX_NESTING {
            let message = format!("expressions lie more than {MAX_NESTING} deep in each other");
            return self.fault_at(self.span(), message);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips to the next line that begins a clause; at least one token beyond `before`.
    fn recover(&mut self, before: usize) {
        if self.at == before {
            self.next();
        }
        while *self.token() != Token::End && !self.begins_clause() {
            self.next();
        }
    }

    /// Whether a line begins here with a word that begins a clause.
    fn begins_clause(&self) -> bool {
        self.tokens[self.at].begins_line
            && match self.token() {
                Token::Label(_) => true,
                Token::Word(word) => BEGINNINGS.contains(&word.as_str()),
                _ => false,
            }
    }
}
