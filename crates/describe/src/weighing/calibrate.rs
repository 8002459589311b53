//! Weights from labelled documents.
//!
//! For each field: how often each rule was right, smoothed; a regression over all signals, in all
//! documents and, where there are enough, in each class; a curve that puts its probabilities right,
//! drawn from documents of sites the regression had not seen; a curve for whole lists; and the weight
//! below which silence is better. Of a decision list only shares of rules and the curve for whole lists
//! are measured: one rule speaks alone there, and the list itself says when it is silent.

use super::choosing::{Offer, best_threshold, choose};
use super::curve::Curve;
use super::folds::{fold_numbers, folds};
use super::labels::{LabelledDocument, LabelledField};
use super::lists::list_curve;
use super::matching::matches;
use super::training::{Lesson, Speaking, learn};
use super::weights::{FieldWeights, MIN_CLASS_SAMPLES, RuleGroup, Weights, WeightsHeader};
use super::weights_file::rounded;
use crate::heuristics::Heuristics;
use auslese_model::Field;
use std::collections::{BTreeMap, BTreeSet};

/// What calibration is to know beside the labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Calibration {
    /// The name of the set of heuristics, and its digest.
    pub heuristics: String,
    pub digest: String,
    /// Of today, as `2026-11-16`.
    pub date: String,
    /// The precision that a field has to keep, where one is demanded.
    pub precision_floors: BTreeMap<Field, f64>,
    /// The most values that are said of a field with several.
    pub at_most: BTreeMap<Field, usize>,
    /// Fields that a decision list decides, and the weight below which it is silent.
    pub decision_lists: BTreeMap<Field, f64>,
}

impl Calibration {
    /// For a set of heuristics, without demands on precision.
    pub fn of(heuristics: &Heuristics, date: String) -> Calibration {
        Calibration {
            heuristics: heuristics.name().to_owned(),
            digest: heuristics.digest().to_owned(),
            date,
            precision_floors: BTreeMap::new(),
            at_most: Field::ALL.map(|field| (field, heuristics.limits(field).1)).into(),
            decision_lists: Field::ALL
                .into_iter()
                .filter(|field| heuristics.is_decision_list(*field))
                .map(|field| (field, heuristics.limits(field).0))
                .collect(),
        }
    }
}

/// Measures weights anew where there are labels of enough documents of a field; where there are fewer, the weights there
/// are stay. Which fields were measured, and on how many documents.
pub fn recalibrate(
    before: &Weights,
    labelled: &[LabelledDocument],
    calibration: &Calibration,
) -> (Weights, BTreeMap<Field, u64>) {
    let mut documents: BTreeMap<Field, u64> = BTreeMap::new();
    for field in labelled.iter().flat_map(|document| &document.fields) {
        *documents.entry(field.field).or_default() += 1;
    }
    let measured = calibrate(labelled, calibration);
    let mut weights = Weights { header: measured.header, ..before.clone() };
    documents.retain(|field, count| {
        let is_enough = *count >= MIN_CLASS_SAMPLES && measured.fields.contains_key(field);
        if is_enough {
            weights.fields.insert(*field, measured.fields[field].clone());
        }
        is_enough
    });
    (weights, documents)
}

/// Measures weights. The same labels give the same weights, in whatever order they come.
pub fn calibrate(labelled: &[LabelledDocument], calibration: &Calibration) -> Weights {
    let sites: BTreeSet<&str> = labelled.iter().map(|it| it.site.as_str()).collect();
    let fields: BTreeSet<Field> =
        labelled.iter().flat_map(|it| it.fields.iter().map(|it| it.field)).collect();
    let measured = fields.into_iter().map(|field| {
        let lessons = lessons(labelled, field);
        (field, calibrate_field(field, &lessons, calibration))
    });
    Weights {
        header: WeightsHeader {
            heuristics: calibration.heuristics.clone(),
            digest: calibration.digest.clone(),
            date: calibration.date.clone(),
            documents: labelled.len() as u64,
            sites: sites.len() as u64,
        },
        fields: measured.filter(|(_, it)| !it.all.rules.is_empty()).collect(),
        unknown_fields: Vec::new(),
    }
}

fn lessons(labelled: &[LabelledDocument], field: Field) -> Vec<Lesson<'_>> {
    let mut lessons: Vec<Lesson<'_>> = labelled
        .iter()
        .flat_map(|document| document.fields.iter().map(move |it| (document, it)))
        .filter(|(_, it)| it.field == field)
        .map(|(document, it)| Lesson {
            site: &document.site,
            class: &document.class,
            labelled: it,
            candidates: it.indicators(),
        })
        .collect();
    // Sums of fractions depend on their order in the last digit.
    lessons.sort_by(|a, b| a.order().cmp(&b.order()));
    lessons
}

fn calibrate_field(
    field: Field,
    lessons: &[Lesson<'_>],
    calibration: &Calibration,
) -> FieldWeights {
    let at_most = match calibration.at_most.get(&field) {
        _ if field.is_single() => 1,
        at_most => at_most.copied().unwrap_or(usize::MAX),
    };
    let silent_list = calibration.decision_lists.get(&field).copied();
    let speaking = match silent_list {
        Some(_) => Speaking::Alone,
        None => Speaking::Together { competing: field.is_single() },
    };
    let mut weights = learn(speaking, lessons);
    let mut offers = unseen_offers(speaking, lessons, at_most);
    if silent_list.is_none() {
        weights.curve = Curve::fit(&samples(&offers));
        for offer in &mut offers {
            for weighed in &mut offer.weighed {
                weighed.weight = weights.curve.at(weighed.weight);
            }
        }
        let floor = calibration.precision_floors.get(&field).copied();
        weights.silent_below = best_threshold(&offers, floor);
    }
    if !field.is_single() {
        let silent_below = silent_list.or(weights.silent_below).unwrap_or(0.0);
        weights.list_curve = list_curve(&list_samples(lessons, &offers, silent_below));
    }
    round(&mut weights);
    weights
}

/// Every document, weighed by what the other folds taught.
fn unseen_offers(speaking: Speaking, lessons: &[Lesson<'_>], at_most: usize) -> Vec<Offer> {
    let sites: Vec<&str> = lessons.iter().map(|it| it.site).collect();
    let folds = folds(&sites);
    let taught: Vec<FieldWeights> = fold_numbers()
        .map(|fold| {
            let others = lessons.iter().zip(&folds).filter(|(_, it)| **it != fold);
            learn(speaking, others.map(|(lesson, _)| lesson))
        })
        .collect();
    let offer = |(lesson, fold): (&Lesson<'_>, &usize)| Offer {
        weighed: taught[*fold].weigh(lesson.class, &lesson.candidates),
        right: lesson.labelled.candidates.iter().map(|it| it.right).collect(),
        truths: lesson.labelled.truth.len(),
        at_most,
    };
    lessons.iter().zip(&folds).map(offer).collect()
}

fn samples(offers: &[Offer]) -> Vec<(f64, bool)> {
    let judged = |offer: &Offer| {
        let pairs = offer.weighed.iter().zip(&offer.right);
        pairs.filter_map(|(weighed, right)| Some((weighed.weight, (*right)?))).collect::<Vec<_>>()
    };
    offers.iter().flat_map(judged).collect()
}

/// For each document that has a value and about which something is said: the product of the items'
/// weights, and whether the items are exactly the right ones. Whether a document has a value at all is
/// what the weights of the items tell.
fn list_samples(lessons: &[Lesson<'_>], offers: &[Offer], silent_below: f64) -> Vec<(f64, bool)> {
    let sample = |(lesson, offer): (&Lesson<'_>, &Offer)| {
        let choice = choose(&offer.weighed, silent_below, offer.at_most);
        let chosen = choice.chosen();
        let known = chosen.iter().all(|it| offer.right[*it].is_some());
        let product = chosen.iter().map(|it| offer.weighed[*it].weight).product();
        let is_question = known && !chosen.is_empty() && offer.truths > 0;
        is_question.then(|| (product, is_exact(lesson.labelled, offer, chosen)))
    };
    lessons.iter().zip(offers).filter_map(sample).collect()
}

fn is_exact(labelled: &LabelledField, offer: &Offer, chosen: &[usize]) -> bool {
    let found = |truth: &String| {
        chosen.iter().any(|it| matches(labelled.field, truth, &labelled.candidates[*it].value))
    };
    chosen.iter().all(|it| offer.right[*it] == Some(true)) && labelled.truth.iter().all(found)
}

/// As the file has it, so that weights just measured and weights read again are the same.
fn round(weights: &mut FieldWeights) {
    let round_group = |group: &mut RuleGroup| {
        for measured in group.rules.values_mut() {
            measured.weight = rounded(measured.weight);
        }
        if let Some(regression) = &mut group.regression {
            regression.intercept = rounded(regression.intercept);
            for coefficient in regression.coefficients.values_mut() {
                *coefficient = rounded(*coefficient);
            }
        }
    };
    round_group(&mut weights.all);
    weights.classes.values_mut().for_each(round_group);
    weights.curve = rounded_curve(&weights.curve);
    weights.list_curve = rounded_curve(&weights.list_curve);
}

fn rounded_curve(curve: &Curve) -> Curve {
    let mut points = curve.points().to_vec();
    for point in &mut points {
        (point.promised, point.kept) = (rounded(point.promised), rounded(point.kept));
    }
    Curve { points }.made_rising()
}
