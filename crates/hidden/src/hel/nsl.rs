//! Nested string lists, the values of rules.

use rustc_hash::FxHashSet;
use serde::Serialize;

/// Nothing, a text, or a list of such values. As JSON it is `null`, a string or an array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Nsl {
    Null,
    Text(String),
    List(Vec<Nsl>),
}

impl Nsl {
    pub fn text(text: impl Into<String>) -> Nsl {
        Nsl::Text(text.into())
    }

    /// All texts in it, in order.
    pub fn texts(&self) -> Vec<&str> {
        fn collect<'a>(value: &'a Nsl, texts: &mut Vec<&'a str>) {
            match value {
                Nsl::Null => {}
                Nsl::Text(text) => texts.push(text),
                Nsl::List(members) => members.iter().for_each(|member| collect(member, texts)),
            }
        }
        let mut texts = Vec::new();
        collect(self, &mut texts);
        texts
    }

    /// What goes into an index: every text that says something, once, in the order of first sight.
    pub fn index_values(&self) -> Vec<&str> {
        let mut seen = FxHashSet::default();
        self.texts().into_iter().filter(|text| !text.is_empty() && seen.insert(*text)).collect()
    }

    /// Applies a function to every text; lists keep their shape, and nothing stays nothing.
    pub(super) fn try_map<E>(
        self,
        map: &mut dyn FnMut(String) -> Result<Nsl, E>,
    ) -> Result<Nsl, E> {
        match self {
            Nsl::Null => Ok(Nsl::Null),
            Nsl::Text(text) => map(text),
            Nsl::List(members) => {
                let members = members.into_iter().map(|member| member.try_map(map));
                members.collect::<Result<Vec<Nsl>, E>>().map(Nsl::List)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_for_the_index() {
        let list = |members: &[Nsl]| Nsl::List(members.to_vec());
        let value = list(&[
            Nsl::text("b"),
            Nsl::Null,
            list(&[Nsl::text("a"), Nsl::text(""), list(&[Nsl::text("b")])]),
        ]);
        assert_eq!(value.index_values(), ["b", "a"]);
        assert_eq!(Nsl::Null.index_values(), [""; 0]);
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"["b",null,["a","",["b"]]]"#);
    }
}
