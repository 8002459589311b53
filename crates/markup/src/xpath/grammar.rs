//! Reads an expression, by recursive descent along the grammar of XPath 1.0.
//!
//! Only brackets nest, and they may do so [`MAX_XPATH_DEPTH`] times. Errors that need no page are
//! found here: unknown functions and axes, wrong numbers of arguments, steps that start from
//! something that is no node set, patterns that do not compile.

use super::expression::{
    Arithmetic, Axis, Call, Comparison, Expr, NameTest, NodeTest, Path, Predicate, Prepared, Start,
    Step, simplified,
};
use super::functions::{Function, Kind, Signature};
use super::strings;
use super::tokens::{Placed, Token, tokens};
use super::{MAX_XPATH_DEPTH, MAX_XPATH_LENGTH, XPathError};
use memchr::memmem::Finder;

/// An expression, and what is needed to evaluate it.
pub(super) struct Parsing {
    pub(super) expr: Expr,
    /// The names of its variables.
    pub(super) variables: Vec<String>,
    /// How many paths in its predicates begin at the root.
    pub(super) absolute_paths: usize,
}

pub(super) fn parse(source: &str) -> Result<Parsing, XPathError> {
    if source.len() > MAX_XPATH_LENGTH {
        let text = format!("an expression may have {MAX_XPATH_LENGTH} bytes, this has more");
        return Err(XPathError::new(source.floor_char_boundary(MAX_XPATH_LENGTH), text));
    }
    let tokens = tokens(source)?;
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        depth: 0,
        variables: Vec::new(),
        absolute_paths: 0,
        predicates_around: 0,
    };
    let expr = parser.expression()?;
    match parser.peek() {
        Token::End => {
            let Parser { variables, absolute_paths, .. } = parser;
            Ok(Parsing { expr, variables, absolute_paths })
        }
        _ => Err(parser.expected("an operator or the end of the expression")),
    }
}

struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Placed>,
    at: usize,
    depth: usize,
    variables: Vec<String>,
    absolute_paths: usize,
    predicates_around: usize,
}

type Parsed<T> = Result<T, XPathError>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn peek_second(&self) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + 1).min(last)].token
    }

    fn offset(&self) -> usize {
        self.tokens[self.at].range.start
    }

    fn take(&mut self) -> Token {
        let token = self.peek().clone();
        // The end is never passed.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn accept(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.take();
        }
        found
    }

    fn expect(&mut self, token: &Token, words: &str) -> Parsed<()> {
        if self.accept(token) { Ok(()) } else { Err(self.expected(words)) }
    }

    fn expected(&self, what: &str) -> XPathError {
        let range = self.tokens[self.at].range.clone();
        let found = match &self.source[range.clone()] {
            "" => "the end".to_owned(),
            text => format!("`{text}`"),
        };
        XPathError::new(range.start, format!("expected {what}, found {found}"))
    }

    fn expression(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > MAX_XPATH_DEPTH {
            return Err(self.too_deep());
        }
        let expr = self.chain(Token::Or, Expr::Or, |parser| {
            parser.chain(Token::And, Expr::And, Parser::equality)
        });
        self.depth -= 1;
        expr
    }

    fn too_deep(&self) -> XPathError {
        let text = format!("nested more than {MAX_XPATH_DEPTH} times");
        XPathError::new(self.offset(), text)
    }

    /// Operands between operators of one kind.
    fn chain(
        &mut self,
        operator: Token,
        make: fn(Vec<Expr>) -> Expr,
        operand: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let first = operand(self)?;
        if *self.peek() != operator {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.accept(&operator) {
            parts.push(operand(self)?);
        }
        Ok(make(parts))
    }

    fn equality(&mut self) -> Parsed<Expr> {
        self.comparisons(Parser::relational, |token| match token {
            Token::Equal => Some(Comparison::Equal),
            Token::Unequal => Some(Comparison::Unequal),
            _ => None,
        })
    }

    fn relational(&mut self) -> Parsed<Expr> {
        self.comparisons(Parser::additive, |token| match token {
            Token::Less => Some(Comparison::Less),
            Token::AtMost => Some(Comparison::AtMost),
            Token::Greater => Some(Comparison::Greater),
            Token::AtLeast => Some(Comparison::AtLeast),
            _ => None,
        })
    }

    fn comparisons(
        &mut self,
        operand: fn(&mut Self) -> Parsed<Expr>,
        operator: fn(&Token) -> Option<Comparison>,
    ) -> Parsed<Expr> {
        let mut left = operand(self)?;
        let mut links = 0;
        while let Some(comparison) = operator(self.peek()) {
            links += 1;
            if links > MAX_XPATH_DEPTH {
                return Err(self.too_deep());
            }
            self.take();
            left = Expr::Compare(comparison, Box::new(left), Box::new(operand(self)?));
        }
        Ok(left)
    }

    fn additive(&mut self) -> Parsed<Expr> {
        self.arithmetic(Parser::multiplicative, |token| match token {
            Token::Plus => Some(Arithmetic::Add),
            Token::Minus => Some(Arithmetic::Subtract),
            _ => None,
        })
    }

    fn multiplicative(&mut self) -> Parsed<Expr> {
        self.arithmetic(Parser::unary, |token| match token {
            Token::Multiply => Some(Arithmetic::Multiply),
            Token::Div => Some(Arithmetic::Divide),
            Token::Mod => Some(Arithmetic::Remainder),
            _ => None,
        })
    }

    fn arithmetic(
        &mut self,
        operand: fn(&mut Self) -> Parsed<Expr>,
        operator: fn(&Token) -> Option<Arithmetic>,
    ) -> Parsed<Expr> {
        let first = operand(self)?;
        let mut rest = Vec::new();
        while let Some(arithmetic) = operator(self.peek()) {
            self.take();
            rest.push((arithmetic, operand(self)?));
        }
        Ok(if rest.is_empty() { first } else { Expr::Arithmetic(Box::new(first), rest) })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let mut signs = 0;
        while self.accept(&Token::Minus) {
            signs += 1;
        }
        let inner = self.union()?;
        Ok(match signs {
            0 => inner,
            // Two signs cancel, but they still make a number of what they stand before.
            even if even % 2 == 0 => Expr::Negate(Box::new(Expr::Negate(Box::new(inner)))),
            _ => Expr::Negate(Box::new(inner)),
        })
    }

    fn union(&mut self) -> Parsed<Expr> {
        let start = self.offset();
        let expr = self.chain(Token::Pipe, Expr::Union, Parser::path)?;
        if let Expr::Union(parts) = &expr
            && !parts.iter().all(may_be_nodes)
        {
            return Err(XPathError::new(start, "`|` joins node sets only".to_owned()));
        }
        Ok(expr)
    }

    fn path(&mut self) -> Parsed<Expr> {
        let mut steps = Vec::new();
        let start = match self.peek() {
            Token::Slash => {
                self.take();
                if !self.at_step() {
                    return Ok(path(self.root(), steps));
                }
                self.root()
            }
            Token::DoubleSlash => {
                self.take();
                steps.push(Step::any(Axis::DescendantOrSelf));
                self.root()
            }
            _ if self.at_primary() => {
                let offset = self.offset();
                let expr = self.filter()?;
                if !matches!(self.peek(), Token::Slash | Token::DoubleSlash) {
                    return Ok(expr);
                }
                if !may_be_nodes(&expr) {
                    let text = "a path can start from a node set only".to_owned();
                    return Err(XPathError::new(offset, text));
                }
                if self.take() == Token::DoubleSlash {
                    steps.push(Step::any(Axis::DescendantOrSelf));
                }
                Start::Expr(expr)
            }
            _ if self.at_step() => Start::Context,
            _ => return Err(self.expected("an expression")),
        };
        self.steps(&mut steps)?;
        Ok(path(start, steps))
    }

    fn root(&mut self) -> Start {
        if self.predicates_around == 0 {
            return Start::Root(None);
        }
        self.absolute_paths += 1;
        Start::Root(Some(self.absolute_paths - 1))
    }

    fn steps(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        loop {
            steps.push(self.step()?);
            match self.peek() {
                Token::Slash => {}
                Token::DoubleSlash => steps.push(Step::any(Axis::DescendantOrSelf)),
                _ => return Ok(()),
            }
            self.take();
        }
    }

    fn at_step(&self) -> bool {
        use Token::*;
        let token = self.peek();
        matches!(token, Name(_) | Prefixed(..) | PrefixedStar(_) | Star | At | Dot | DoubleDot)
    }

    fn at_primary(&self) -> bool {
        match self.peek() {
            Token::Variable(_) | Token::Literal(_) | Token::Number(_) | Token::Open => true,
            Token::Name(name) => *self.peek_second() == Token::Open && !is_node_type(name),
            Token::Prefixed(..) => *self.peek_second() == Token::Open,
            _ => false,
        }
    }

    fn step(&mut self) -> Parsed<Step> {
        let axis = match self.peek() {
            Token::Dot => {
                self.take();
                return Ok(Step::any(Axis::Itself));
            }
            Token::DoubleDot => {
                self.take();
                return Ok(Step::any(Axis::Parent));
            }
            Token::At => {
                self.take();
                Axis::Attribute
            }
            Token::Name(name) if *self.peek_second() == Token::DoubleColon => {
                let axis = Axis::named(name).ok_or_else(|| {
                    XPathError::new(self.offset(), format!("there is no axis `{name}`"))
                })?;
                self.take();
                self.take();
                axis
            }
            _ => Axis::Child,
        };
        let test = self.node_test()?;
        let predicates = self.predicates()?;
        Ok(Step { axis, test, predicates })
    }

    fn node_test(&mut self) -> Parsed<NodeTest> {
        match self.peek() {
            Token::Star => {
                self.take();
                Ok(NodeTest::Star)
            }
            Token::Name(name) if is_node_type(name) && *self.peek_second() == Token::Open => {
                self.node_type()
            }
            Token::Name(name) => {
                let test = NodeTest::Name(NameTest::new(None, Some(name)));
                self.take();
                Ok(test)
            }
            Token::Prefixed(prefix, local) => {
                let test = NodeTest::Name(NameTest::new(Some(prefix), Some(local)));
                self.take();
                Ok(test)
            }
            Token::PrefixedStar(prefix) => {
                let test = NodeTest::Name(NameTest::new(Some(prefix), None));
                self.take();
                Ok(test)
            }
            _ => Err(self.expected("a name, `*`, or a node type such as `text()`")),
        }
    }

    fn node_type(&mut self) -> Parsed<NodeTest> {
        let Token::Name(name) = self.take() else { return Err(self.expected("a node type")) };
        self.expect(&Token::Open, "`(`")?;
        let test = match name.as_str() {
            "node" => NodeTest::Any,
            "text" => NodeTest::Text,
            "comment" => NodeTest::Comment,
            _ => {
                if matches!(self.peek(), Token::Literal(_)) {
                    self.take();
                }
                NodeTest::Instruction
            }
        };
        self.expect(&Token::Close, "`)`")?;
        Ok(test)
    }

    fn predicates(&mut self) -> Parsed<Vec<Predicate>> {
        let mut predicates = Vec::new();
        while self.accept(&Token::OpenBracket) {
            self.predicates_around += 1;
            let expr = self.expression()?;
            self.predicates_around -= 1;
            self.expect(&Token::CloseBracket, "an operator or `]`")?;
            predicates.push(Predicate::of(expr));
        }
        Ok(predicates)
    }

    fn filter(&mut self) -> Parsed<Expr> {
        let offset = self.offset();
        let primary = self.primary()?;
        let predicates = self.predicates()?;
        if predicates.is_empty() {
            return Ok(primary);
        }
        if !may_be_nodes(&primary) {
            let text = "only a node set can be followed by `[`".to_owned();
            return Err(XPathError::new(offset, text));
        }
        Ok(Expr::Filter(Box::new(primary), predicates))
    }

    fn primary(&mut self) -> Parsed<Expr> {
        match self.peek() {
            Token::Name(_) | Token::Prefixed(..) => return self.call(),
            Token::Variable(_) | Token::Literal(_) | Token::Number(_) | Token::Open => {}
            _ => return Err(self.expected("an expression")),
        }
        match self.take() {
            Token::Variable(name) => Ok(Expr::Variable(self.variable(name))),
            Token::Literal(text) => Ok(Expr::Literal(text)),
            Token::Number(number) => Ok(Expr::Number(number)),
            _ => {
                let inner = self.expression()?;
                self.expect(&Token::Close, "an operator or `)`")?;
                Ok(inner)
            }
        }
    }

    fn variable(&mut self, name: String) -> usize {
        self.variables.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        })
    }

    fn call(&mut self) -> Parsed<Expr> {
        let offset = self.offset();
        let name = self.source[self.tokens[self.at].range.clone()].to_owned();
        let Some(signature) = Signature::named(&name) else {
            return Err(XPathError::new(offset, format!("there is no function `{name}()`")));
        };
        self.take();
        self.expect(&Token::Open, "`(`")?;
        let mut arguments = Vec::new();
        if !self.accept(&Token::Close) {
            loop {
                arguments.push(self.expression()?);
                if !self.accept(&Token::Comma) {
                    break;
                }
            }
            self.expect(&Token::Close, "an operator, `,` or `)`")?;
        }
        checked_call(signature, arguments).map_err(|text| XPathError::new(offset, text))
    }
}

fn checked_call(signature: &Signature, arguments: Vec<Expr>) -> Result<Expr, String> {
    let (name, (fewest, most)) = (signature.name, signature.arguments);
    if !(fewest..=most).contains(&arguments.len()) {
        let count = arguments.len();
        return Err(format!("{name}() takes {}, here are {count}", signature.arity()));
    }
    if signature.of_nodes && !arguments.first().is_none_or(may_be_nodes) {
        return Err(format!("{name}() takes a node set"));
    }
    let prepared = match (signature.function, arguments.get(1)) {
        (Function::Matches, Some(Expr::Literal(text))) => {
            Prepared::Pattern(strings::pattern(text)?)
        }
        (Function::Contains, Some(Expr::Literal(text))) => {
            Prepared::Needle(Box::new(Finder::new(text).into_owned()))
        }
        _ => Prepared::Nothing,
    };
    Ok(Expr::Call(Call { function: signature.function, arguments, prepared }))
}

fn path(start: Start, steps: Vec<Step>) -> Expr {
    Expr::Path(Box::new(Path { start, steps: simplified(steps) }))
}

fn may_be_nodes(expr: &Expr) -> bool {
    matches!(expr.kind(), Kind::Nodes | Kind::Unknown)
}

fn is_node_type(name: &str) -> bool {
    matches!(name, "node" | "text" | "comment" | "processing-instruction")
}
