//! Reads conditions: `not` binds closer than `and`, `and` closer than `or`.

use super::{Parser, Read};
use crate::heuristics::lexer::Token;
use crate::heuristics::suggestion::did_you_mean;
use crate::heuristics::syntax::{
    ConditionKind, ConditionSyntax, Kind, Order, QuantitySyntax, Relation, Spanned, ValueSyntax,
};
use crate::heuristics::vocabulary::{KINDS, Measure, OTHER_COMPARISONS, RELATIONS};

impl Parser<'_> {
    pub(super) fn condition(&mut self) -> Read<ConditionSyntax> {
        self.deeper(|parser| {
            parser.joined("or", ConditionKind::Or, |parser| {
                parser.joined("and", ConditionKind::And, Self::negation)
            })
        })
    }

    fn joined(
        &mut self,
        word: &str,
        make: fn(Vec<ConditionSyntax>) -> ConditionKind,
        read: impl Fn(&mut Self) -> Read<ConditionSyntax>,
    ) -> Read<ConditionSyntax> {
        let first = read(self)?;
        if !self.token().is_word(word) {
            return Ok(first);
        }
        let begin = first.span;
        let mut members = vec![first];
        while self.token().is_word(word) {
            self.next();
            members.push(read(self)?);
        }
        Ok(ConditionSyntax { is: make(members), span: begin.to(self.last_span()) })
    }

    fn negation(&mut self) -> Read<ConditionSyntax> {
        if !self.token().is_word("not") {
            return self.test();
        }
        let begin = self.next();
        let inside = self.deeper(Self::negation)?;
        let span = begin.to(inside.span);
        Ok(ConditionSyntax { is: ConditionKind::Not(Box::new(inside)), span })
    }

    fn test(&mut self) -> Read<ConditionSyntax> {
        let span = self.span();
        let is = match self.token() {
            Token::Word(word) if word == "always" => ConditionKind::Always,
            Token::Word(word) if word == "otherwise" => ConditionKind::Otherwise,
            Token::Number(_) => return self.numbers(),
            Token::Word(word) if *self.token_after(1) == Token::Sign("(") && is_measure(word) => {
                return self.numbers();
            }
            Token::Sign("(") => return self.parenthesis(),
            _ => {
                let value = self.operand()?;
                return self.relation(value);
            }
        };
        self.next();
        Ok(ConditionSyntax { is, span })
    }

    /// Parentheses hold a condition, or a value that is compared with another.
    fn parenthesis(&mut self) -> Read<ConditionSyntax> {
        let begin = self.next();
        if self.list_word().is_some() {
            let value = self.value()?;
            self.sign(")")?;
            let span = begin.to(self.last_span());
            return self.relation(ValueSyntax { is: value.is, span });
        }
        let inside = self.condition()?;
        let is_value = matches!(inside.is, ConditionKind::Present(_));
        if *self.token() == Token::Sign("|") && !is_value {
            return self.expected("`)`");
        }
        match inside.is {
            ConditionKind::Present(value) => {
                let value = self.steps_after(value)?;
                self.sign(")")?;
                let span = begin.to(self.last_span());
                self.relation(ValueSyntax { is: value.is, span })
            }
            is => {
                self.sign(")")?;
                Ok(ConditionSyntax { is, span: begin.to(self.last_span()) })
            }
        }
    }

    /// What follows a value: a comparison, or nothing if it only has to be present.
    fn relation(&mut self, left: ValueSyntax) -> Read<ConditionSyntax> {
        let begin = left.span;
        let is = match self.token().clone() {
            Token::Word(word) if word == "matches" => {
                self.next();
                ConditionKind::Matches(left, self.text("a regular expression in \" \"")?)
            }
            Token::Word(word) if word == "is" => {
                self.next();
                ConditionKind::Is(left, self.kind()?)
            }
            Token::Word(word) if word == "like" => {
                self.next();
                let right = self.operand()?;
                let least = match *self.token() {
                    Token::Number(number) => Some(Spanned { is: number, span: self.next() }),
                    _ => None,
                };
                ConditionKind::Like(left, right, least)
            }
            Token::Word(word) => match relation_named(&word) {
                Some((relation, second)) => {
                    self.next();
                    self.second_word(relation, second)?;
                    ConditionKind::Compare(left, relation, self.operand()?)
                }
                None if ends_condition(&word) => ConditionKind::Present(left),
                None => {
                    let names = RELATIONS.iter().map(|(name, ..)| *name);
                    let names: Vec<&str> = names.chain(OTHER_COMPARISONS).collect();
                    let hint = did_you_mean(&word, &names);
                    return self.expected(&format!("a comparison or `->`{hint}"));
                }
            },
            _ => ConditionKind::Present(left),
        };
        Ok(ConditionSyntax { is, span: begin.to(self.last_span()) })
    }

    fn kind(&mut self) -> Read<Kind> {
        let found = KINDS.iter().find(|(name, _)| self.token().is_word(name));
        match found {
            Some((_, kind)) => {
                self.next();
                Ok(*kind)
            }
            None => {
                let names: Vec<String> =
                    KINDS.iter().map(|(name, _)| format!("`{name}`")).collect();
                self.expected(&format!("one of {}", names.join(", ")))
            }
        }
    }

    fn second_word(&mut self, relation: Relation, second: &str) -> Read<()> {
        if second.is_empty() || (relation == Relation::Same && !self.token().is_word(second)) {
            return Ok(());
        }
        self.word(second).map(|_| ())
    }

    fn numbers(&mut self) -> Read<ConditionSyntax> {
        let begin = self.span();
        let left = self.quantity()?;
        let order = match self.token() {
            Token::Sign("<") => Order::Less,
            Token::Sign("<=") => Order::AtMost,
            Token::Sign("=") => Order::Equal,
            Token::Sign("!=") => Order::Unequal,
            Token::Sign(">=") => Order::AtLeast,
            Token::Sign(">") => Order::More,
            _ => return self.expected("`<`, `<=`, `=`, `!=`, `>=` or `>`"),
        };
        self.next();
        let right = self.quantity()?;
        let is = ConditionKind::Numbers(left, order, right);
        Ok(ConditionSyntax { is, span: begin.to(self.last_span()) })
    }

    fn quantity(&mut self) -> Read<QuantitySyntax> {
        match self.token().clone() {
            Token::Number(number) => {
                self.next();
                Ok(QuantitySyntax::Number(number))
            }
            Token::Word(word) => {
                let word = Spanned { is: word, span: self.next() };
                self.sign("(")?;
                let value = self.value()?;
                self.sign(")")?;
                Ok(QuantitySyntax::Measure(word, value))
            }
            _ => self.expected("a number or a measure, such as `count(A)`"),
        }
    }
}

fn is_measure(word: &str) -> bool {
    Measure::named(word).is_some()
}

fn relation_named(word: &str) -> Option<(Relation, &'static str)> {
    RELATIONS
        .iter()
        .find(|(name, ..)| *name == word)
        .map(|(_, second, relation)| (*relation, *second))
}

/// Words that may follow a condition.
fn ends_condition(word: &str) -> bool {
    matches!(
        word,
        "and" | "or" | "end" | "when" | "support" | "doubt" | "let" | "use" | "heuristic" | "as"
    )
}
