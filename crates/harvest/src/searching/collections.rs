//! Collections: which documents are indexed with the same vocabulary.

/// The documents of some hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionRule {
    pub name: String,
    /// Host names; `.example.org` means that host and all below it. None means all hosts.
    pub hosts: Vec<String>,
}

/// The collection of all documents that no rule names.
pub(super) const REST: &str = "harvest";

/// The first collection whose hosts include this one.
pub(super) fn collection_of<'a>(rules: &'a [CollectionRule], host: &str) -> &'a str {
    let fits = |rule: &&CollectionRule| {
        rule.hosts.is_empty() || rule.hosts.iter().any(|pattern| includes(pattern, host))
    };
    rules.iter().find(fits).map_or(REST, |rule| rule.name.as_str())
}

fn includes(pattern: &str, host: &str) -> bool {
    let (pattern, host) = (pattern.to_ascii_lowercase(), host.to_ascii_lowercase());
    match pattern.strip_prefix('.') {
        Some(domain) => host == domain || host.ends_with(&pattern),
        None => host == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_fits() {
        let rule = |name: &str, hosts: &[&str]| CollectionRule {
            name: name.to_owned(),
            hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
        };
        let rules = [rule("bib", &["bib.uni.example"]), rule("uni", &[".uni.example"])];
        #[rustfmt::skip]
        let cases = [
            ("bib.uni.example",   "bib"),
            ("BIB.uni.example",   "bib"),
            ("www.uni.example",   "uni"),
            ("uni.example",       "uni"),
            ("notuni.example",    REST),
            ("uni.example.org",   REST),
        ];
        for (host, expected) in cases {
            assert_eq!(collection_of(&rules, host), expected, "{host}");
        }
        assert_eq!(collection_of(&[rule("all", &[])], "a.example"), "all");
    }
}
