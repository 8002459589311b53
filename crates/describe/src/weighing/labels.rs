//! Labelled documents: what the rules offered, and what is right.

use super::indicators::Indicators;
use super::matching::matches;
use auslese_model::Field;

/// A document with labels.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledDocument {
    /// Documents of one site resemble each other, so they are never split between learning and
    /// checking.
    pub site: String,
    /// The class of documents, as in a description.
    pub class: String,
    /// The fields that are labelled.
    pub fields: Vec<LabelledField>,
}

/// What was offered for a field, and what is right.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledField {
    pub field: Field,
    /// All right values; none if the document has no value of this field.
    pub truth: Vec<String>,
    pub candidates: Vec<LabelledCandidate>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LabelledCandidate {
    pub value: String,
    pub indicators: Indicators,
    /// Unknown if nobody said.
    pub right: Option<bool>,
}

impl LabelledField {
    /// By the right values: a candidate is right if it matches one of them, and wrong otherwise.
    pub fn with_truth(
        field: Field,
        truth: Vec<String>,
        candidates: Vec<(String, Indicators)>,
    ) -> LabelledField {
        let judge = |(value, indicators): (String, Indicators)| {
            let right = truth.iter().any(|truth| matches(field, truth, &value));
            LabelledCandidate { value, indicators, right: Some(right) }
        };
        let candidates = candidates.into_iter().map(judge).collect();
        LabelledField { field, truth, candidates }
    }

    /// By a person's marks on some of the candidates, with the values the person missed. Where
    /// `complete` (the field is marked absent, or has one value and that is known), what is not
    /// marked right is wrong; else it stays unknown.
    pub fn with_marks(
        field: Field,
        candidates: Vec<(String, Indicators, Option<bool>)>,
        missing: Vec<String>,
        absent: bool,
    ) -> LabelledField {
        let right = candidates.iter().filter(|it| it.2 == Some(true)).map(|it| it.0.clone());
        let truth: Vec<String> = if absent { Vec::new() } else { right.chain(missing).collect() };
        let complete = absent || (field.is_single() && !truth.is_empty());
        let judge = |(value, indicators, mark): (String, Indicators, Option<bool>)| {
            let meant = || truth.iter().any(|truth| matches(field, truth, &value));
            let right = match mark {
                Some(_) if absent => Some(false),
                Some(mark) => Some(mark),
                None if meant() => Some(true),
                None => complete.then_some(false),
            };
            LabelledCandidate { value, indicators, right }
        };
        let candidates = candidates.into_iter().map(judge).collect();
        LabelledField { field, truth, candidates }
    }

    /// The indicators of all candidates, as weighing takes them.
    pub fn indicators(&self) -> Vec<Indicators> {
        self.candidates.iter().map(|it| it.indicators.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_as_much_as_they_can() {
        let none = Indicators::default;
        let rights = |field, marks: [Option<bool>; 3], missing: &[&str], absent| {
            let candidates = ["a", "b", "c"].iter().zip(marks);
            let candidates =
                candidates.map(|(it, mark)| ((*it).to_owned(), none(), mark)).collect();
            let missing = missing.iter().map(|it| (*it).to_owned()).collect();
            let labelled = LabelledField::with_marks(field, candidates, missing, absent);
            let rights: Vec<Option<bool>> = labelled.candidates.iter().map(|it| it.right).collect();
            (rights, labelled.truth.len())
        };
        let (yes, no) = (Some(true), Some(false));
        #[rustfmt::skip]
        let cases = [
            (Field::Title,    [yes, None, None],  &[][..],    false, vec![yes, no, no],     1),
            (Field::Title,    [no, None, None],   &[],        false, vec![no, None, None],  0),
            (Field::Title,    [no, None, None],   &["c"],     false, vec![no, no, yes],     1),
            (Field::Title,    [yes, None, None],  &[],        true,  vec![no, no, no],      0),
            (Field::Keywords, [yes, None, no],    &[],        false, vec![yes, None, no],   1),
            (Field::Keywords, [yes, None, no],    &["d"],     false, vec![yes, None, no],   2),
        ];
        for (field, marks, missing, absent, expected, truths) in cases {
            let found = rights(field, marks, missing, absent);
            assert_eq!(found, (expected, truths), "{field} {marks:?} {missing:?}");
        }
    }
}
