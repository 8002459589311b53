//! Text to rule: the grammar of HEL.
//!
//! ```text
//! rule   = expr [ "WHERE" cond { "AND" cond } ]
//! expr   = [ name [ index ] ] { step } end
//! step   = ( "." | "->" ) name [ index ]
//! end    = prop { "," op } | "(" branch { "#" branch } ")"
//! branch = { step } end
//! index  = "[" ( "*" | variable | item { "," item } ) "]"
//! item   = int | int "-" [ int ] | int ":" ( int | "*" )
//! ```
//!
//! There are no tokens of their own: whether `/` begins a regular expression or `-` is part of an arrow
//! is known from what stands before. White space is free between all parts. `txt`, `src`, `getAttr` and
//! `numberOf` after a dot are properties, never tags.

use super::cursor::Cursor;
use super::error::{HelCode, HelError};
use super::prefix::HelPrefix;
use super::syntax::{
    Axis, Condition, End, Index, Item, NodeName, Op, Operand, Order, Path, Pattern, Pick, Property,
    Step, Test, Variable,
};
use super::{MAX_HEL_CONDITIONS, MAX_HEL_DEPTH, MAX_HEL_LENGTH, MAX_HEL_REGEXES, MAX_HEL_STEPS};

/// What was read: the path of the rule, and its conditions.
pub(super) struct Parsed {
    pub(super) path: Path,
    pub(super) conditions: Vec<Condition>,
    /// Where paths begin that are neither absolute nor have a prefix.
    pub(super) relative: Vec<usize>,
}

pub(super) fn parse(text: &str, prefix: Option<&HelPrefix>) -> Result<Parsed, HelError> {
    if text.len() > MAX_HEL_LENGTH {
        let message = format!("a rule has at most {MAX_HEL_LENGTH} bytes");
        return Err(HelError::new(HelCode::Syntax, MAX_HEL_LENGTH, message));
    }
    let cursor = Cursor::new(text);
    let mut parser = Parser { cursor, prefix, steps: 0, regexes: 0, relative: Vec::new() };
    let path = parser.expr()?;
    let conditions = parser.conditions()?;
    if !parser.cursor.is_at_end() {
        return Err(parser.cursor.error(match conditions.is_empty() {
            true => "expected a comma with match or split, WHERE, or the end of the rule",
            false => "expected AND or the end of the rule",
        }));
    }
    Ok(Parsed { path, conditions, relative: parser.relative })
}

pub(super) struct Parser<'a> {
    pub(super) cursor: Cursor<'a>,
    prefix: Option<&'a HelPrefix>,
    steps: usize,
    regexes: usize,
    relative: Vec<usize>,
}

impl<'a> Parser<'a> {
    /// A parser for steps alone, as a prefix has them.
    pub(super) fn of_prefix(text: &'a str) -> Parser<'a> {
        let cursor = Cursor::new(text);
        Parser { cursor, prefix: None, steps: 0, regexes: 0, relative: Vec::new() }
    }

    fn expr(&mut self) -> Result<Path, HelError> {
        let start = self.cursor.skip_space();
        let prefix = self.prefix.filter(|_| !self.is_absolute());
        if prefix.is_none() && !self.is_absolute() {
            self.relative.push(start);
        }
        let mut steps = prefix.map_or_else(Vec::new, |prefix| prefix.steps.clone());
        if let Some(name) = self.cursor.word() {
            if let (Some(_), Some(property)) = (prefix, self.property(name)?) {
                let ops = self.ops()?;
                return Ok(Path { steps, end: End::Value { property, ops } });
            }
            let axis = prefix.map_or(Axis::Child, |prefix| prefix.link);
            steps.push(self.step(axis, name, start)?);
        }
        self.rest(steps, 0)
    }

    /// Whether the next path begins with `html`.
    fn is_absolute(&self) -> bool {
        let mut ahead = self.cursor.clone();
        let _ = ahead.eat("->") || ahead.eat(".");
        ahead.word().is_some_and(|name| name.eq_ignore_ascii_case("html"))
    }

    /// Further steps, and the end.
    fn rest(&mut self, mut steps: Vec<Step>, depth: usize) -> Result<Path, HelError> {
        loop {
            let start = self.cursor.skip_space();
            if self.cursor.eat("->") {
                let name = self.name()?;
                steps.push(self.step(Axis::Following, name, start)?);
            } else if self.cursor.eat(".") {
                let name = self.name()?;
                if let Some(property) = self.property(name)? {
                    let ops = self.ops()?;
                    return Ok(Path { steps, end: End::Value { property, ops } });
                }
                steps.push(self.step(Axis::Child, name, start)?);
            } else if self.cursor.eat("(") {
                let end = End::Fork(self.branches(depth + 1)?);
                return Ok(Path { steps, end });
            } else {
                return Err(self.cursor.error(
                    "a path ends in a property: .txt, .src, .getAttr(…), .numberOf(…), or in a fork",
                ));
            }
        }
    }

    fn branches(&mut self, depth: usize) -> Result<Vec<Path>, HelError> {
        if depth > MAX_HEL_DEPTH {
            let message = format!("forks may be nested {MAX_HEL_DEPTH} deep");
            return Err(self.cursor.error(message));
        }
        let mut branches = vec![self.rest(Vec::new(), depth)?];
        while self.cursor.eat("#") {
            branches.push(self.rest(Vec::new(), depth)?);
        }
        self.cursor.expect(")")?;
        Ok(branches)
    }

    fn name(&mut self) -> Result<&'a str, HelError> {
        self.cursor.word().ok_or_else(|| self.cursor.error("expected a tag, pcdata or a property"))
    }

    pub(super) fn step(&mut self, axis: Axis, name: &str, start: usize) -> Result<Step, HelError> {
        self.steps += 1;
        if self.steps > MAX_HEL_STEPS {
            let message = format!("a rule has at most {MAX_HEL_STEPS} steps");
            return Err(HelError::new(HelCode::Syntax, start, message));
        }
        let index = if self.cursor.eat("[") { self.index()? } else { Index::One(0) };
        Ok(Step { axis, name: NodeName::of(name), index, offset: Some(start) })
    }

    fn index(&mut self) -> Result<Index, HelError> {
        let index = if self.cursor.eat("*") {
            Index::All
        } else if let Some(name) = self.cursor.word() {
            Index::Variable(Variable {
                name: name.to_owned(),
                pick: self.pick()?,
                slot: 0,
                binding: None,
            })
        } else {
            let mut items = vec![self.item()?];
            while self.cursor.eat(",") {
                items.push(self.item()?);
            }
            match items[..] {
                [Item::One(index)] => Index::One(index),
                _ => Index::Items(items),
            }
        };
        self.cursor.expect("]")?;
        Ok(index)
    }

    fn pick(&mut self) -> Result<Pick, HelError> {
        if !self.cursor.eat(":") {
            return Ok(Pick::Nth(0));
        }
        if self.cursor.eat("*") {
            return Ok(Pick::All);
        }
        let number = self.cursor.integer();
        number.map(Pick::Nth).ok_or_else(|| self.cursor.error("expected a number or *"))
    }

    fn item(&mut self) -> Result<Item, HelError> {
        let Some(from) = self.cursor.integer() else {
            return Err(self.cursor.error("expected an index: a number, a range, * or a variable"));
        };
        if self.cursor.eat("-") {
            return Ok(Item::Range { from, to: self.cursor.integer() });
        }
        if self.cursor.eat(":") {
            if self.cursor.eat("*") {
                return Ok(Item::Range { from, to: None });
            }
            let to = self.cursor.integer();
            let to = to.ok_or_else(|| self.cursor.error("expected a number or *"))?;
            return Ok(Item::Range { from, to: Some(to) });
        }
        Ok(Item::One(from))
    }

    /// The property of that name, with what stands in its brackets.
    fn property(&mut self, name: &str) -> Result<Option<Property>, HelError> {
        let Some(word) = property_word(name) else { return Ok(None) };
        Ok(Some(match word {
            PropertyWord::Text => Property::Text,
            PropertyWord::Source => Property::Source,
            PropertyWord::Attribute => {
                self.cursor.expect("(")?;
                let name = self.cursor.attribute_name();
                let name =
                    name.ok_or_else(|| self.cursor.error("expected the name of an attribute"))?;
                self.cursor.expect(")")?;
                Property::Attribute(name.to_ascii_lowercase())
            }
            PropertyWord::Number => {
                self.cursor.expect("(")?;
                let name = self.cursor.word().map(NodeName::of);
                self.cursor.expect(")")?;
                Property::Number(name)
            }
        }))
    }

    fn ops(&mut self) -> Result<Vec<Op>, HelError> {
        let mut ops = Vec::new();
        while self.cursor.eat(",") {
            if self.cursor.keyword("match") {
                ops.push(Op::Match(self.regex()?));
            } else if self.cursor.keyword("split") {
                ops.push(Op::Split(self.regex()?));
            } else {
                return Err(self.cursor.error("expected match or split"));
            }
        }
        Ok(ops)
    }

    fn regex(&mut self) -> Result<Pattern, HelError> {
        let start = self.cursor.skip_space();
        self.regexes += 1;
        if self.regexes > MAX_HEL_REGEXES {
            let message = format!("a rule has at most {MAX_HEL_REGEXES} regular expressions");
            return Err(HelError::new(HelCode::Syntax, start, message));
        }
        let written = self.cursor.regex()?;
        Pattern::new(&written).map_err(|message| HelError::new(HelCode::Regex, start, message))
    }

    fn conditions(&mut self) -> Result<Vec<Condition>, HelError> {
        let mut conditions = Vec::new();
        if !self.cursor.keyword("where") {
            return Ok(conditions);
        }
        loop {
            if conditions.len() == MAX_HEL_CONDITIONS {
                let message = format!("a rule has at most {MAX_HEL_CONDITIONS} conditions");
                return Err(self.cursor.error(message));
            }
            conditions.push(self.condition()?);
            if !self.cursor.keyword("and") {
                return Ok(conditions);
            }
        }
    }

    fn condition(&mut self) -> Result<Condition, HelError> {
        let offset = self.cursor.skip_space();
        let left = self.expr()?;
        // The longer ones first.
        let test = if self.cursor.eat("=~") {
            Test::Like(self.regex()?)
        } else if self.cursor.eat("!~") {
            Test::Unlike(self.regex()?)
        } else if self.cursor.eat("==") || self.cursor.eat("=") {
            Test::Equal(self.operand()?)
        } else if self.cursor.eat("!=") {
            Test::Unequal(self.operand()?)
        } else if self.cursor.eat("<=") {
            Test::Ordered(Order::LessOrEqual, self.operand()?)
        } else if self.cursor.eat("<") {
            Test::Ordered(Order::Less, self.operand()?)
        } else if self.cursor.eat(">=") {
            Test::Ordered(Order::GreaterOrEqual, self.operand()?)
        } else if self.cursor.eat(">") {
            Test::Ordered(Order::Greater, self.operand()?)
        } else {
            return Err(self.cursor.error("expected a comparison: = == != < <= > >= =~ !~"));
        };
        Ok(Condition { left, test, offset })
    }

    fn operand(&mut self) -> Result<Operand, HelError> {
        if let Some(text) = self.cursor.string()? {
            return Ok(Operand::Text(text));
        }
        if let Some((written, value)) = self.cursor.number() {
            return Ok(Operand::Number { written: written.to_owned(), value });
        }
        if self.cursor.is_before("/") {
            return Err(self.cursor.error("a regular expression is compared by =~ or !~"));
        }
        self.expr().map(Operand::Path)
    }
}

enum PropertyWord {
    Text,
    Source,
    Attribute,
    Number,
}

fn property_word(name: &str) -> Option<PropertyWord> {
    let words = [
        ("txt", PropertyWord::Text),
        ("src", PropertyWord::Source),
        ("getAttr", PropertyWord::Attribute),
        ("numberOf", PropertyWord::Number),
    ];
    words.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(name)).map(|(_, word)| word)
}

pub(super) fn is_property(name: &str) -> bool {
    property_word(name).is_some()
}
