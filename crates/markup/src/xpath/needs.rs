//! Which attributes an element must have for a predicate to hold.
//!
//! A comparison with a node that is not there is false, so `[@role = 'main' or @id]` holds only for
//! elements with one of these attributes; the others need not be looked at.

use super::expression::{Axis, Call, Expr, NameTest, NodeTest, Path, Predicate, Start, Step};
use super::functions::Function;
use crate::names::LocalName;

/// Names of attributes, one of which every element has that passes the predicate; `None` if it may
/// pass without any.
pub(super) fn attributes_needed(predicate: &Predicate) -> Option<Vec<LocalName>> {
    match predicate {
        Predicate::Test { expr, positional: false, .. } => needed(expr),
        _ => None,
    }
}

fn needed(expr: &Expr) -> Option<Vec<LocalName>> {
    match expr {
        Expr::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(needed(part)?);
            }
            Some(all)
        }
        Expr::And(parts) => parts.iter().find_map(needed),
        Expr::Path(path) => attribute(path).map(|name| vec![name]),
        Expr::Compare(_, left, right) => match (&**left, &**right) {
            (Expr::Path(path), Expr::Literal(_) | Expr::Number(_))
            | (Expr::Literal(_) | Expr::Number(_), Expr::Path(path)) => {
                attribute(path).map(|name| vec![name])
            }
            _ => None,
        },
        Expr::Call(call) if matches!(call.function, Function::Contains | Function::StartsWith) => {
            match call.arguments.as_slice() {
                [Expr::Path(path), Expr::Literal(part)] if !part.is_empty() => {
                    attribute(path).map(|name| vec![name])
                }
                [Expr::Call(padded), Expr::Literal(part)] if !part.trim().is_empty() => {
                    padded_attribute(padded).map(|name| vec![name])
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The name in `concat(' ', @name, ' ')`, which is nothing but spaces where there is no such attribute.
fn padded_attribute(call: &Call) -> Option<LocalName> {
    match (call.function, call.arguments.as_slice()) {
        (Function::Concat, [Expr::Literal(before), Expr::Path(path), Expr::Literal(after)])
            if before == " " && after == " " =>
        {
            attribute(path)
        }
        _ => None,
    }
}

/// The name in `@name`.
fn attribute(path: &Path) -> Option<LocalName> {
    match (&path.start, path.steps.as_slice()) {
        (Start::Context, [Step { axis: Axis::Attribute, test: NodeTest::Name(name), .. }]) => {
            let NameTest { prefix: None, local } = name else { return None };
            local.clone()
        }
        _ => None,
    }
}
