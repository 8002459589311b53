//! `weights.toml`: written in one fixed order with comments, read with errors that name the place.
//!
//! The file is made by a program and read by people: one rule per line, what was measured beside what
//! follows from it. Numbers are written with four decimals at most.

use super::curve::{Curve, CurvePoint};
use super::weights::{FieldWeights, Measured, Regression, RuleGroup, Weights, WeightsHeader};
use auslese_model::Field;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// A weights file of more bytes is not read; thousands of rules have room in it.
pub const MAX_WEIGHTS_FILE: usize = 8 * 1024 * 1024;

/// Beyond this, a coefficient is as good as certain, and more is a mistake.
const MAX_COEFFICIENT: f64 = 1000.0;

/// A weights file that cannot be read, and where it stops making sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    pub message: String,
}

impl std::error::Error for WeightsError {}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Weights {
    /// Reads a weights file.
    pub fn parse(text: &str) -> Result<Weights, WeightsError> {
        if text.len() > MAX_WEIGHTS_FILE {
            let message = format!("the file is longer than {MAX_WEIGHTS_FILE} bytes");
            return Err(WeightsError { line: 1, column: 1, message });
        }
        let file: File = toml::from_str(text).map_err(|error| located(text, &error))?;
        let mut weights = Weights { header: file.header(), ..Weights::default() };
        for (name, table) in file.fields {
            match Field::parse(&name) {
                Some(field) => drop(weights.fields.insert(field, table.into())),
                None => weights.unknown_fields.push(name),
            }
        }
        Ok(weights)
    }

    /// As [`Weights::parse`] reads it; the same weights give the same bytes.
    pub fn to_toml(&self) -> String {
        let mut text = String::from(INTRODUCTION);
        let header = &self.header;
        line(&mut text, format_args!("heuristics = {}", quoted(&header.heuristics)));
        line(&mut text, format_args!("digest = {}", quoted(&header.digest)));
        line(&mut text, format_args!("date = {}", quoted(&header.date)));
        line(&mut text, format_args!("documents = {}", header.documents));
        line(&mut text, format_args!("sites = {}", header.sites));
        for (field, weights) in &self.fields {
            write_field(&mut text, *field, weights);
        }
        text
    }
}

const INTRODUCTION: &str = "\
# Weights of heuristics, measured on labelled documents. Made by calibration; see docs/weights.md.
#
# FIELD.silent_below    weaker values are not said aloud
# FIELD.competing       one candidate is right at most: their odds share one whole
# FIELD.curve           [what the regression promised, what was kept, values]
# FIELD.list_curve      [product of the items' weights, share of lists exactly right, lists]
# FIELD.rules           how often each rule was right among the labelled values it spoke for
# FIELD.regression      what each signal adds to the logarithm of the odds
# FIELD.class.NAME      the same in one class of documents; its regression is added

";

fn write_field(text: &mut String, field: Field, weights: &FieldWeights) {
    line(text, format_args!("\n[fields.{field}]"));
    if let Some(threshold) = weights.silent_below {
        line(text, format_args!("silent_below = {}", number(threshold)));
    }
    if weights.competing {
        line(text, format_args!("competing = true"));
    }
    write_curve(text, "curve", &weights.curve);
    write_curve(text, "list_curve", &weights.list_curve);
    write_group(text, &format!("fields.{field}"), &weights.all);
    for (class, group) in &weights.classes {
        write_group(text, &format!("fields.{field}.class.{}", quoted(class)), group);
    }
}

fn write_curve(text: &mut String, name: &str, curve: &Curve) {
    if curve.points().is_empty() {
        return;
    }
    line(text, format_args!("{name} = ["));
    for point in curve.points() {
        let (promised, kept) = (number(point.promised), number(point.kept));
        line(text, format_args!("    [{promised}, {kept}, {}],", point.n));
    }
    line(text, format_args!("]"));
}

fn write_group(text: &mut String, table: &str, group: &RuleGroup) {
    if !group.rules.is_empty() {
        line(text, format_args!("\n[{table}.rules]"));
        for (rule, measured) in &group.rules {
            let Measured { right, n, weight } = measured;
            let (rule, weight) = (quoted(rule), number(*weight));
            line(text, format_args!("{rule} = {{ right = {right}, n = {n}, weight = {weight} }}"));
        }
    }
    if let Some(regression) = &group.regression {
        line(text, format_args!("\n[{table}.regression]"));
        line(text, format_args!("intercept = {}", number(regression.intercept)));
        line(text, format_args!("\n[{table}.regression.coefficients]"));
        for (signal, coefficient) in &regression.coefficients {
            line(text, format_args!("{} = {}", quoted(signal), number(*coefficient)));
        }
    }
}

fn line(text: &mut String, content: fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{content}");
}

/// As the file has it: four decimals at most.
pub(super) fn rounded(value: f64) -> f64 {
    let value = if value.is_nan() { 0.0 } else { value.clamp(-MAX_COEFFICIENT, MAX_COEFFICIENT) };
    // Adding zero makes the negative zero positive.
    (value * 10_000.0).round() / 10_000.0 + 0.0
}

fn number(value: f64) -> String {
    format!("{:?}", rounded(value))
}

/// A basic string of TOML, also as a key.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn located(text: &str, error: &toml::de::Error) -> WeightsError {
    let start = error.span().map_or(0, |span| span.start).min(text.len());
    let before = &text.as_bytes()[..start];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let message = error.message().trim().replace('\n', ", ");
    WeightsError { line, column, message }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    heuristics: String,
    #[serde(default)]
    digest: String,
    #[serde(default)]
    date: String,
    #[serde(default)]
    documents: u64,
    #[serde(default)]
    sites: u64,
    #[serde(default)]
    fields: BTreeMap<String, FieldTable>,
}

impl File {
    fn header(&self) -> WeightsHeader {
        WeightsHeader {
            heuristics: self.heuristics.clone(),
            digest: self.digest.clone(),
            date: self.date.clone(),
            documents: self.documents,
            sites: self.sites,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldTable {
    silent_below: Option<Share>,
    #[serde(default)]
    competing: bool,
    #[serde(default)]
    curve: CurveTable,
    #[serde(default)]
    list_curve: CurveTable,
    #[serde(default)]
    rules: BTreeMap<String, MeasuredTable>,
    regression: Option<RegressionTable>,
    #[serde(default)]
    class: BTreeMap<String, GroupTable>,
}

impl From<FieldTable> for FieldWeights {
    fn from(table: FieldTable) -> FieldWeights {
        let all = GroupTable { rules: table.rules, regression: table.regression };
        FieldWeights {
            silent_below: table.silent_below.map(|it| it.0),
            competing: table.competing,
            curve: table.curve.0,
            list_curve: table.list_curve.0,
            all: all.into(),
            classes: table.class.into_iter().map(|(class, it)| (class, it.into())).collect(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupTable {
    #[serde(default)]
    rules: BTreeMap<String, MeasuredTable>,
    regression: Option<RegressionTable>,
}

impl From<GroupTable> for RuleGroup {
    fn from(table: GroupTable) -> RuleGroup {
        let measured =
            |it: MeasuredTable| Measured { right: it.right, n: it.n, weight: it.weight.0 };
        RuleGroup {
            rules: table.rules.into_iter().map(|(rule, it)| (rule, measured(it))).collect(),
            regression: table.regression.map(|it| Regression {
                intercept: it.intercept.0,
                coefficients: it.coefficients.into_iter().map(|(name, it)| (name, it.0)).collect(),
            }),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasuredTable {
    #[serde(default)]
    right: u64,
    #[serde(default)]
    n: u64,
    weight: Share,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegressionTable {
    intercept: Coefficient,
    #[serde(default)]
    coefficients: BTreeMap<String, Coefficient>,
}

/// A number in 0..=1.
#[derive(Deserialize)]
#[serde(try_from = "f64")]
struct Share(f64);

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(value: f64) -> Result<Share, String> {
        if !(0.0..=1.0).contains(&value) {
            return Err(format!("expected a number from 0 to 1, found {value}"));
        }
        Ok(Share(rounded(value)))
    }
}

#[derive(Deserialize)]
#[serde(try_from = "f64")]
struct Coefficient(f64);

impl TryFrom<f64> for Coefficient {
    type Error = String;

    fn try_from(value: f64) -> Result<Coefficient, String> {
        if value.is_nan() || value.abs() > MAX_COEFFICIENT {
            let most = MAX_COEFFICIENT;
            return Err(format!("expected a number from -{most} to {most}, found {value}"));
        }
        Ok(Coefficient(rounded(value)))
    }
}

#[derive(Deserialize, Default)]
#[serde(try_from = "Vec<(Share, Share, u64)>")]
struct CurveTable(Curve);

impl TryFrom<Vec<(Share, Share, u64)>> for CurveTable {
    type Error = &'static str;

    fn try_from(points: Vec<(Share, Share, u64)>) -> Result<CurveTable, &'static str> {
        let point = |(promised, kept, n): (Share, Share, u64)| CurvePoint {
            promised: promised.0,
            kept: kept.0,
            n,
        };
        Curve::through(points.into_iter().map(point).collect())
            .map(CurveTable)
            .ok_or("expected a curve that rises")
    }
}
