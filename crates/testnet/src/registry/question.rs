//! One line of a WHOIS client, in the flag syntax that RIPE and DENIC share.

/// A question, taken apart. Servers that know no flags look at [`Question::line`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Question {
    /// The whole line.
    pub(crate) line: String,
    /// What is asked about.
    pub(crate) key: String,
    /// Of `-T`, in lower case.
    pub(crate) types: Vec<String>,
    /// Of `-i`, in lower case.
    pub(crate) inverse: Vec<String>,
    /// Of `-C`.
    pub(crate) charset: Option<String>,
    /// Flags without a value.
    flags: Vec<char>,
}

impl Question {
    pub(crate) fn read(line: &str) -> Question {
        let mut question = Question { line: line.trim().to_owned(), ..Question::default() };
        let mut words = line.split_whitespace();
        let mut key = Vec::new();
        while let Some(word) = words.next() {
            match word.strip_prefix('-') {
                Some("T") => question.types = listed(words.next()),
                Some("i") => question.inverse = listed(words.next()),
                Some("C") => question.charset = words.next().map(str::to_owned),
                Some(flags) if key.is_empty() && !flags.is_empty() => {
                    question.flags.extend(flags.trim_start_matches('-').chars());
                }
                _ => key.push(word),
            }
        }
        question.key = key.join(" ");
        question
    }

    pub(crate) fn has(&self, flag: char) -> bool {
        self.flags.contains(&flag)
    }

    /// Whether objects of a type are wanted; all are if none is named.
    pub(crate) fn wants(&self, kind: &str) -> bool {
        self.types.is_empty() || self.types.iter().any(|wanted| wanted == kind)
    }
}

fn listed(word: Option<&str>) -> Vec<String> {
    word.unwrap_or("").split(',').filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn flags_and_keys() {
        let read = Question::read("-rB -T inetnum,INET6NUM -i org ORG-UH1-EXAMPLE\r\n");
        assert!(read.has('r') && read.has('B') && !read.has('L'));
        assert!(read.wants("inet6num") && !read.wants("route"));
        assert_eq!((read.inverse, &*read.key), (vec!["org".to_owned()], "ORG-UH1-EXAMPLE"));
        let read = Question::read("-T dn,ace -C UTF-8 müller.example");
        assert_eq!((&*read.key, read.charset.as_deref()), ("müller.example", Some("UTF-8")));
        assert_eq!(Question::read("198.18.0.0 - 198.18.0.5").key, "198.18.0.0 - 198.18.0.5");
        assert_eq!(Question::read(""), Question::default());
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in ".*") {
            Question::read(&line);
        }
    }
}
