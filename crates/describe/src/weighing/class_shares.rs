//! How far a rule's share in one class of documents is believed.
//!
//! A class may have seen a rule five times. Its share there is therefore drawn towards the rule's share
//! in all documents, as if that had been seen in so many values more: the pull. How strong it should be
//! differs by field, so the labels choose it: every part of the sites is foretold from the others with
//! each pull on offer, and the one that is surprised least is the best. Of those that are hardly worse
//! the strongest is taken, because differences between classes have to be shown, not assumed: hardly
//! means within one standard error (L. Breiman et al., "Classification and Regression Trees", 1984).
//!
//! Parts and errors are those of whole sites. A hundred pages of one site are alike, and what they say
//! about a class is worth little more than what one of them says.

use super::folds::{fold_numbers, folds};
use super::weights::{Measured, smoothed_share};
use std::collections::BTreeMap;

/// Pulls on offer, in values, weakest first. The last one leaves nothing to the classes.
const PULLS: [f64; 7] = [1.0, 5.0, 20.0, 50.0, 150.0, 500.0, f64::INFINITY];

/// What is foretold is never surer than this, or one surprise would outweigh all else.
const SUREST: f64 = 0.99;

/// A labelled value that a rule, support or doubt spoke for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spoken<'a> {
    pub(super) site: &'a str,
    pub(super) class: &'a str,
    pub(super) rule: &'a str,
    /// The weight the rule was written with.
    pub(super) initial: f64,
    pub(super) right: bool,
}

/// Right values and all values, of one rule.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) right: u64,
    pub(super) n: u64,
}

impl Count {
    pub(super) fn add(&mut self, right: bool) {
        self.right += u64::from(right);
        self.n += 1;
    }

    fn without(self, other: Count) -> Count {
        Count { right: self.right - other.right, n: self.n - other.n }
    }
}

/// The share of a rule in a class, drawn towards its share in all documents.
pub(super) fn share_in_class(count: Count, in_all: f64, pull: f64) -> Measured {
    let (right, n) = (count.right as f64, count.n as f64);
    let weight = if pull.is_finite() { (right + pull * in_all) / (n + pull) } else { in_all };
    Measured { right: count.right, n: count.n, weight }
}

/// The pull that the labels ask for.
pub(super) fn best_pull(values: &[Spoken<'_>]) -> f64 {
    let tables = Tables::new(values);
    let surprises: Vec<BTreeMap<&str, f64>> =
        PULLS.iter().map(|pull| tables.surprise_by_site(values, *pull)).collect();
    let sum = |by_site: &BTreeMap<&str, f64>| by_site.values().sum::<f64>();
    let Some(best) = surprises.iter().min_by(|a, b| sum(a).total_cmp(&sum(b))) else {
        return f64::INFINITY;
    };
    let strongest = surprises.iter().rposition(|it| is_hardly_worse(it, best));
    strongest.map_or(f64::INFINITY, |place| PULLS[place])
}

/// Whether the surprises of all sites together exceed those of the best by no more than one standard
/// error of this difference.
fn is_hardly_worse(surprises: &BTreeMap<&str, f64>, best: &BTreeMap<&str, f64>) -> bool {
    let differences: Vec<f64> =
        surprises.values().zip(best.values()).map(|(it, best)| it - best).collect();
    let sum: f64 = differences.iter().sum();
    let mean = sum / differences.len().max(1) as f64;
    let squares: f64 = differences.iter().map(|it| (it - mean).powi(2)).sum();
    sum <= squares.sqrt()
}

/// Counts of rules in all documents and in classes, and of these what is due to each part of the sites.
struct Tables<'a> {
    folds: Vec<usize>,
    in_all: BTreeMap<&'a str, (Count, Vec<Count>)>,
    in_class: BTreeMap<(&'a str, &'a str), (Count, Vec<Count>)>,
}

impl<'a> Tables<'a> {
    fn new(values: &[Spoken<'a>]) -> Tables<'a> {
        let sites: Vec<&str> = values.iter().map(|it| it.site).collect();
        let folds = folds(&sites);
        let empty = || (Count::default(), vec![Count::default(); fold_numbers().len()]);
        let mut in_all = BTreeMap::new();
        let mut in_class = BTreeMap::new();
        for (value, fold) in values.iter().zip(&folds) {
            let of_rule = in_all.entry(value.rule).or_insert_with(empty);
            let of_class = in_class.entry((value.class, value.rule)).or_insert_with(empty);
            for (whole, parts) in [of_rule, of_class] {
                whole.add(value.right);
                parts[*fold].add(value.right);
            }
        }
        Tables { folds, in_all, in_class }
    }

    /// How surprising the values of each site are to what the other parts of the sites foretell.
    fn surprise_by_site(&self, values: &[Spoken<'a>], pull: f64) -> BTreeMap<&'a str, f64> {
        let mut surprises = BTreeMap::new();
        for (value, fold) in values.iter().zip(&self.folds) {
            let elsewhere = |(whole, parts): &(Count, Vec<Count>)| whole.without(parts[*fold]);
            let Count { right, n } = elsewhere(&self.in_all[value.rule]);
            let in_all = smoothed_share(right as f64, n as f64, value.initial);
            let in_class = elsewhere(&self.in_class[&(value.class, value.rule)]);
            let foretold = share_in_class(in_class, in_all, pull).weight;
            let foretold = if value.right { foretold } else { 1.0 - foretold };
            *surprises.entry(value.site).or_insert(0.0) -= foretold.clamp(1.0 - SUREST, 1.0).ln();
        }
        surprises
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` values in each of two classes, one of each class on a site of `per_site` pages; of a hundred
    /// so many are right.
    fn values(sites: &[String], per_site: usize, right: [usize; 2]) -> Vec<Spoken<'_>> {
        let value = |place: usize, class: usize| Spoken {
            site: &sites[place / per_site],
            class: ["article", "list"][class],
            rule: "title<h1>",
            initial: 0.7,
            right: place * 37 % 100 < right[class],
        };
        (0..sites.len() * per_site).flat_map(|it| [value(it, 0), value(it, 1)]).collect()
    }

    fn sites(n: usize) -> Vec<String> {
        (0..n).map(|it| format!("s{it}.example")).collect()
    }

    #[test]
    fn classes_that_differ_are_believed_and_others_are_not() {
        let sites = sites(100);
        assert_eq!(best_pull(&values(&sites, 1, [75, 75])), f64::INFINITY);
        assert!(best_pull(&values(&sites, 1, [90, 40])) <= 20.0);
        assert_eq!(best_pull(&[]), f64::INFINITY);
    }

    #[test]
    fn many_pages_of_few_sites_show_nothing_about_a_class() {
        // Articles are right on every second site, lists on the others: no class is better.
        let names = sites(10);
        let of_site = |site: usize, class: usize| Spoken {
            site: &names[site],
            class: ["article", "list"][class],
            rule: "title<h1>",
            initial: 0.5,
            right: site % 2 == class,
        };
        let pages = (0..10).flat_map(|site| (0..40).map(move |page| (site, page % 2)));
        let values: Vec<Spoken<'_>> = pages.map(|(site, class)| of_site(site, class)).collect();
        assert!(best_pull(&values) >= 150.0, "{}", best_pull(&values));
    }

    #[test]
    fn a_share_is_drawn_towards_that_of_all_documents() {
        let count = Count { right: 5, n: 5 };
        #[rustfmt::skip]
        let cases = [
            (1.0,           0.9167),
            (20.0,          0.6),
            (f64::INFINITY, 0.5),
        ];
        for (pull, expected) in cases {
            let found = share_in_class(count, 0.5, pull);
            assert!((found.weight - expected).abs() < 1e-4, "{pull}: {found:?}");
            assert_eq!((found.right, found.n), (5, 5));
        }
    }
}
