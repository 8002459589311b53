//! The functions an expression may call: the core library of XPath 1.0, and four more.

use Function::*;

/// The kinds of values. Only a variable's is not known before evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nodes,
    Text,
    Number,
    Truth,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Last,
    Position,
    Count,
    Id,
    LocalName,
    NamespaceUri,
    Name,
    String,
    Concat,
    StartsWith,
    Contains,
    SubstringBefore,
    SubstringAfter,
    Substring,
    StringLength,
    NormalizeSpace,
    Translate,
    Boolean,
    Not,
    True,
    False,
    Lang,
    Number,
    Sum,
    Floor,
    Ceiling,
    Round,
    EndsWith,
    LowerCase,
    UpperCase,
    Matches,
}

/// How a function is called.
pub(super) struct Signature {
    pub(super) name: &'static str,
    pub(super) function: Function,
    /// Fewest and most arguments.
    pub(super) arguments: (usize, usize),
    /// Whether its first argument must be a node set.
    pub(super) of_nodes: bool,
    result: Kind,
}

const MANY: usize = usize::MAX;

#[rustfmt::skip]
const SIGNATURES: [Signature; 31] = [
    signature("last",             Last,            (0, 0),    false, Kind::Number),
    signature("position",         Position,        (0, 0),    false, Kind::Number),
    signature("count",            Count,           (1, 1),    true,  Kind::Number),
    signature("id",               Id,              (1, 1),    false, Kind::Nodes),
    signature("local-name",       LocalName,       (0, 1),    true,  Kind::Text),
    signature("namespace-uri",    NamespaceUri,    (0, 1),    true,  Kind::Text),
    signature("name",             Name,            (0, 1),    true,  Kind::Text),
    signature("string",           String,          (0, 1),    false, Kind::Text),
    signature("concat",           Concat,          (2, MANY), false, Kind::Text),
    signature("starts-with",      StartsWith,      (2, 2),    false, Kind::Truth),
    signature("contains",         Contains,        (2, 2),    false, Kind::Truth),
    signature("substring-before", SubstringBefore, (2, 2),    false, Kind::Text),
    signature("substring-after",  SubstringAfter,  (2, 2),    false, Kind::Text),
    signature("substring",        Substring,       (2, 3),    false, Kind::Text),
    signature("string-length",    StringLength,    (0, 1),    false, Kind::Number),
    signature("normalize-space",  NormalizeSpace,  (0, 1),    false, Kind::Text),
    signature("translate",        Translate,       (3, 3),    false, Kind::Text),
    signature("boolean",          Boolean,         (1, 1),    false, Kind::Truth),
    signature("not",              Not,             (1, 1),    false, Kind::Truth),
    signature("true",             True,            (0, 0),    false, Kind::Truth),
    signature("false",            False,           (0, 0),    false, Kind::Truth),
    signature("lang",             Lang,            (1, 1),    false, Kind::Truth),
    signature("number",           Number,          (0, 1),    false, Kind::Number),
    signature("sum",              Sum,             (1, 1),    true,  Kind::Number),
    signature("floor",            Floor,           (1, 1),    false, Kind::Number),
    signature("ceiling",          Ceiling,         (1, 1),    false, Kind::Number),
    signature("round",            Round,           (1, 1),    false, Kind::Number),
    // What follows is not in XPath 1.0; the names are those of XPath 2.0.
    signature("ends-with",        EndsWith,        (2, 2),    false, Kind::Truth),
    signature("lower-case",       LowerCase,       (0, 1),    false, Kind::Text),
    signature("upper-case",       UpperCase,       (0, 1),    false, Kind::Text),
    signature("matches",          Matches,         (2, 2),    false, Kind::Truth),
];

const fn signature(
    name: &'static str,
    function: Function,
    arguments: (usize, usize),
    of_nodes: bool,
    result: Kind,
) -> Signature {
    Signature { name, function, arguments, of_nodes, result }
}

impl Signature {
    pub(super) fn named(name: &str) -> Option<&'static Signature> {
        SIGNATURES.iter().find(|signature| signature.name == name)
    }

    /// How many arguments there must be, in words.
    pub(super) fn arity(&self) -> std::string::String {
        let (fewest, most) = self.arguments;
        match (fewest, most) {
            (0, 0) => "no argument".to_owned(),
            (1, 1) => "one argument".to_owned(),
            (0, 1) => "at most one argument".to_owned(),
            (fewest, MANY) => format!("at least {fewest} arguments"),
            (fewest, most) if fewest == most => format!("{most} arguments"),
            (fewest, most) => format!("{fewest} or {most} arguments"),
        }
    }
}

impl Function {
    pub(super) fn result(self) -> Kind {
        self.signature().result
    }

    pub(super) fn name(self) -> &'static str {
        self.signature().name
    }

    fn signature(self) -> &'static Signature {
        let index = self as usize;
        let signature = &SIGNATURES[index];
        debug_assert_eq!(signature.function, self, "the table is in the order of the enum");
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_in_the_order_of_the_enum() {
        for (index, signature) in SIGNATURES.iter().enumerate() {
            assert_eq!(signature.function as usize, index, "{}", signature.name);
        }
    }
}
