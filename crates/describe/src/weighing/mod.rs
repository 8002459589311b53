//! How far a value is to be trusted: the weight of a statement as a probability.
//!
//! A heuristic says which rules spoke for a value ([`Indicators`]); what that is worth is measured on
//! labelled documents and kept in a file that people can read ([`Weights`]). [`calibrate`] makes such
//! a file, [`Weights::weigh`] applies it, [`Weights::account`] tells how a weight came about, and
//! [`reliability`] and [`Tally`] say how good the result is.
//!
//! Everything here is a pure function of its arguments, and the same labels always give the same file.

mod account;
mod calibrate;
mod choosing;
mod class_shares;
mod combine;
mod curve;
mod findings;
mod folds;
mod indicators;
mod labels;
mod linear_algebra;
mod lists;
mod logistic;
mod matching;
mod quality;
mod regression;
mod reliability;

mod similarity;
mod training;
mod weights;
mod weights_file;

pub use account::{Account, Step};
pub use calibrate::{Calibration, calibrate, recalibrate};
pub use choosing::{Choice, choose};
pub use combine::Weighed;
pub use curve::{Curve, CurvePoint};
pub use indicators::{Indicator, Indicators, UNTESTED_WEIGHT, Voice};
pub use labels::{LabelledCandidate, LabelledDocument, LabelledField};
pub(crate) use linear_algebra::Symmetric;
pub use matching::matches;
pub use quality::{MarkedField, Tally, tallies, tallies_of_marks, weighed_candidates};
pub use reliability::{Bin, Reliability, reliability};
pub use similarity::{MAX_ALIGNED, similarity};
pub use weights::{
    FieldWeights, MIN_CLASS_SAMPLES, Measured, Regression, RuleGroup, Weights, WeightsHeader,
    WeightsWarning,
};
pub use weights_file::{MAX_WEIGHTS_FILE, WeightsError};

/// A number as a probability: within 0 and 1, and 0 if it is none.
pub(crate) fn probability(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}
