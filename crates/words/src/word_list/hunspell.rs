//! Forms of a hunspell dictionary: stems (`.dic`) with prefixes and suffixes (`.aff`).
//!
//! What is read: `FLAG`, `AF`, `PFX` and `SFX` with their conditions, cross products, and one
//! continuation of a suffix. Compounding is not: it makes new words without end, and a list of forms
//! is finite. Unknown lines are passed over, so that any bytes give some list or none.

use std::collections::HashMap;

/// Rules tried on stems, over a whole dictionary; further forms are not made. The largest
/// dictionaries in use need a tenth of it.
pub const MAX_AFFIX_STEPS: usize = 100_000_000;

/// Hands every form to `add` until that says that there is no more room.
pub(super) fn expand(dictionary: &str, affixes: &str, add: &mut dyn FnMut(&str) -> bool) {
    let affixes = Affixes::read(affixes);
    let mut maker = FormMaker { affixes: &affixes, steps: 0, add };
    for line in dictionary.lines() {
        let entry = line.split('\t').next().unwrap_or_default().trim();
        // The first line says how many there are.
        if entry.is_empty() || entry.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let (stem, flags) = split_flags(entry);
        if !maker.forms_of(&stem, &affixes.flags(flags)) {
            return;
        }
    }
}

/// `stem/flags`, where a slash in the stem is written `\/`.
fn split_flags(entry: &str) -> (String, &str) {
    let slash = entry
        .match_indices('/')
        .map(|(at, _)| at)
        .find(|at| *at > 0 && !entry[..*at].ends_with('\\'));
    let (stem, flags) = slash.map_or((entry, ""), |at| (&entry[..at], &entry[at + 1..]));
    (stem.replace("\\/", "/"), flags)
}

struct FormMaker<'a> {
    affixes: &'a Affixes,
    steps: usize,
    add: &'a mut dyn FnMut(&str) -> bool,
}

impl FormMaker<'_> {
    /// Whether there is room for more.
    fn forms_of(&mut self, stem: &str, flags: &[Flag]) -> bool {
        if flags.iter().any(|flag| self.affixes.forbidden.contains(flag)) {
            return true;
        }
        let stands_alone = !flags.iter().any(|flag| self.affixes.needs_affix.contains(flag));
        if stands_alone && !(self.add)(stem) {
            return false;
        }
        self.with_rules(stem, flags, Depth::Stem)
    }

    fn with_rules(&mut self, stem: &str, flags: &[Flag], depth: Depth) -> bool {
        let affixes = self.affixes;
        for flag in flags {
            let Some(class) = affixes.classes.get(flag) else { continue };
            if depth == Depth::Prefixed && (class.side == Side::Prefix || !class.crosses) {
                continue;
            }
            for rule in &class.rules {
                self.steps += 1;
                if self.steps > MAX_AFFIX_STEPS {
                    return false;
                }
                let Some(form) = rule.apply(stem, class.side) else { continue };
                if !(self.add)(&form) || !self.continued(&form, flags, class, rule, depth) {
                    return false;
                }
            }
        }
        true
    }

    /// A suffix may carry flags of its own; a prefix goes together with the suffixes of the stem.
    fn continued(
        &mut self,
        form: &str,
        flags: &[Flag],
        class: &Class,
        rule: &Rule,
        depth: Depth,
    ) -> bool {
        match (depth, class.side) {
            (Depth::Stem, Side::Prefix) if class.crosses => {
                self.with_rules(form, flags, Depth::Prefixed)
            }
            (Depth::Stem, Side::Suffix) if !rule.flags.is_empty() => {
                self.with_rules(form, &rule.flags, Depth::Continued)
            }
            _ => true,
        }
    }
}

/// How far a form is from its stem; one step more than these is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Stem,
    Prefixed,
    Continued,
}

type Flag = String;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Prefix,
    Suffix,
}

#[derive(Debug)]
struct Class {
    side: Side,
    crosses: bool,
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    strip: String,
    add: String,
    flags: Vec<Flag>,
    condition: Vec<Letter>,
}

/// One place of a condition.
#[derive(Debug)]
enum Letter {
    Any,
    OneOf(String),
    NoneOf(String),
}

impl Rule {
    fn apply(&self, stem: &str, side: Side) -> Option<String> {
        if !self.holds(stem, side) {
            return None;
        }
        match side {
            Side::Suffix => Some(format!("{}{}", stem.strip_suffix(&*self.strip)?, self.add)),
            Side::Prefix => Some(format!("{}{}", self.add, stem.strip_prefix(&*self.strip)?)),
        }
    }

    fn holds(&self, stem: &str, side: Side) -> bool {
        let matches = |(letter, place): (char, &Letter)| match place {
            Letter::Any => true,
            Letter::OneOf(letters) => letters.contains(letter),
            Letter::NoneOf(letters) => !letters.contains(letter),
        };
        match side {
            Side::Prefix => {
                stem.chars().zip(&self.condition).filter(|pair| matches((pair.0, pair.1))).count()
                    == self.condition.len()
            }
            Side::Suffix => {
                let ends = stem.chars().rev().zip(self.condition.iter().rev());
                ends.filter(|pair| matches((pair.0, pair.1))).count() == self.condition.len()
            }
        }
    }
}

/// What a `.aff` file says, as far as it is read.
#[derive(Debug, Default)]
struct Affixes {
    classes: HashMap<Flag, Class>,
    aliases: Vec<Vec<Flag>>,
    flag_form: FlagForm,
    needs_affix: Vec<Flag>,
    forbidden: Vec<Flag>,
}

#[derive(Debug, Clone, Copy, Default)]
enum FlagForm {
    #[default]
    Letter,
    TwoLetters,
    Number,
}

impl Affixes {
    fn read(text: &str) -> Affixes {
        let mut affixes = Affixes::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["FLAG", "long", ..] => affixes.flag_form = FlagForm::TwoLetters,
                ["FLAG", "num", ..] => affixes.flag_form = FlagForm::Number,
                ["AF", flags, ..] => affixes.read_alias(flags),
                ["NEEDAFFIX" | "ONLYINCOMPOUND", flag, ..] => {
                    affixes.needs_affix.push(flag.to_owned());
                }
                ["FORBIDDENWORD", flag, ..] => affixes.forbidden.push(flag.to_owned()),
                ["PFX", flag, ref rest @ ..] => affixes.read_rule(Side::Prefix, flag, rest),
                ["SFX", flag, ref rest @ ..] => affixes.read_rule(Side::Suffix, flag, rest),
                _ => {}
            }
        }
        affixes
    }

    /// The first of these lines is their number.
    fn read_alias(&mut self, flags: &str) {
        let is_count = self.aliases.is_empty() && flags.bytes().all(|byte| byte.is_ascii_digit());
        let alias = if is_count { Vec::new() } else { self.split(flags) };
        self.aliases.push(alias);
    }

    /// The first line of a class has `Y` or `N` and a number, the others a rule each.
    fn read_rule(&mut self, side: Side, flag: &str, words: &[&str]) {
        match *words {
            [crosses @ ("Y" | "N"), count, ..] if count.parse::<u32>().is_ok() => {
                let class = Class { side, crosses: crosses == "Y", rules: Vec::new() };
                self.classes.entry(flag.to_owned()).or_insert(class);
            }
            [strip, add, ref rest @ ..] => {
                let (add, flags) = split_flags(add);
                let nothing =
                    |text: &str| if text == "0" { String::new() } else { text.to_owned() };
                let rule = Rule {
                    strip: nothing(strip),
                    add: nothing(&add),
                    flags: self.flags(flags),
                    condition: condition(rest.first().copied().unwrap_or(".")),
                };
                if let Some(class) = self.classes.get_mut(flag) {
                    class.rules.push(rule);
                }
            }
            _ => {}
        }
    }

    /// The flags of a stem or suffix, which may be the number of an alias.
    fn flags(&self, text: &str) -> Vec<Flag> {
        match text.parse::<usize>() {
            Ok(alias) if !self.aliases.is_empty() => {
                self.aliases.get(alias).cloned().unwrap_or_default()
            }
            _ => self.split(text),
        }
    }

    fn split(&self, text: &str) -> Vec<Flag> {
        match self.flag_form {
            FlagForm::Letter => text.chars().map(String::from).collect(),
            FlagForm::Number => text.split(',').map(str::to_owned).collect(),
            FlagForm::TwoLetters => {
                let letters: Vec<char> = text.chars().collect();
                letters.chunks(2).map(|pair| pair.iter().collect()).collect()
            }
        }
    }
}

/// `[^aeiou]y` as places.
fn condition(text: &str) -> Vec<Letter> {
    let mut places = Vec::new();
    let mut letters = text.chars();
    if text == "." {
        return places;
    }
    while let Some(letter) = letters.next() {
        places.push(match letter {
            '.' => Letter::Any,
            '[' => {
                let inside: String = letters.by_ref().take_while(|letter| *letter != ']').collect();
                match inside.strip_prefix('^') {
                    Some(others) => Letter::NoneOf(others.to_owned()),
                    None => Letter::OneOf(inside),
                }
            }
            letter => Letter::OneOf(letter.to_string()),
        });
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn forms(dictionary: &str, affixes: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        expand(dictionary, affixes, &mut |form| {
            found.insert(form.to_owned());
            found.len() < 1000
        });
        found.into_iter().collect()
    }

    const AFFIXES: &str = "\
SET UTF-8
SFX E Y 2
SFX E 0 e [^e]
SFX E 0 n e
SFX U N 1
SFX U us i us
PFX V Y 1
PFX V 0 ver .
SFX G Y 1
SFX G en ung/P en
SFX P Y 1
SFX P 0 en ung
NEEDAFFIX X
FORBIDDENWORD !
";

    #[test]
    fn stems_and_endings() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("2\nTag/E\nHose/E",  &["Hose", "Hosen", "Tag", "Tage"]),
            ("Modus/U",           &["Modi", "Modus"]),
            ("lag/VE",            &["lag", "lage", "verlag", "verlage"]),
            ("heizen/G\tpo:verb", &["heizen", "heizung", "heizungen"]),
            ("Bein/XE",           &["Beine"]),
            ("Unwort/E!",         &[]),
            ("und\\/oder",        &["und/oder"]),
            ("/",                 &["/"]),
        ];
        for (dictionary, expected) in cases {
            assert_eq!(&forms(dictionary, AFFIXES), expected, "{dictionary}");
        }
    }

    #[test]
    fn forms_of_flags() {
        let long = "FLAG long\nSFX Aa Y 1\nSFX Aa 0 s .\n";
        assert_eq!(forms("Auto/Aa", long), ["Auto", "Autos"]);
        let number = "FLAG num\nSFX 17 Y 1\nSFX 17 0 s .\n";
        assert_eq!(forms("Auto/3,17", number), ["Auto", "Autos"]);
        let alias = "AF 1\nAF E\nSFX E Y 1\nSFX E 0 s .\n";
        assert_eq!(forms("Auto/1", alias), ["Auto", "Autos"]);
    }

    proptest! {
        #[test]
        fn any_text_is_a_dictionary(dictionary in "\\PC{0,80}", affixes in "((SFX|PFX|AF|FLAG) \\PC{0,20}\n){0,8}") {
            forms(&dictionary, &affixes);
        }
    }
}
