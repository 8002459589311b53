//! Where to cut the values of a feature into ranges.
//!
//! After U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued attributes
//! for classification learning" (1993): a range is cut where the entropy of right and wrong falls most,
//! as long as the cut saves more bits than it costs to name it (minimum description length).

/// Cut points in rising order; a value equal to one lies above it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Cuts(pub(super) Vec<f64>);

impl Cuts {
    /// The range of a value.
    pub(super) fn range(&self, value: f64) -> usize {
        self.0.partition_point(|cut| *cut <= value)
    }

    pub(super) fn ranges(&self) -> usize {
        self.0.len() + 1
    }

    /// The cuts of samples, in any order.
    pub(super) fn of(mut samples: Vec<(f64, bool)>) -> Cuts {
        samples.retain(|sample| sample.0.is_finite());
        samples.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let groups = Groups::of(&samples);
        let mut cuts = Vec::new();
        let mut waiting = vec![(0, groups.values.len())];
        while let Some((from, to)) = waiting.pop() {
            if let Some(cut) = groups.best_cut(from, to) {
                cuts.push(middle(groups.values[cut - 1], groups.values[cut]));
                waiting.extend([(from, cut), (cut, to)]);
            }
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.dedup();
        Cuts(cuts)
    }
}

fn middle(below: f64, above: f64) -> f64 {
    let middle = below + (above - below) / 2.0;
    if middle > below { middle } else { above }
}

/// Samples with equal values, with running sums.
struct Groups {
    values: Vec<f64>,
    /// Samples, and right ones, before each group; one more entry than there are groups.
    before: Vec<(f64, f64)>,
}

impl Groups {
    fn of(sorted: &[(f64, bool)]) -> Groups {
        let mut groups = Groups { values: Vec::new(), before: vec![(0.0, 0.0)] };
        let (mut all, mut right) = (0.0, 0.0);
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            all += group.len() as f64;
            right += group.iter().filter(|it| it.1).count() as f64;
            groups.values.push(group[0].0);
            groups.before.push((all, right));
        }
        groups
    }

    fn side(&self, from: usize, to: usize) -> Side {
        let ((all, right), (all_before, right_before)) = (self.before[to], self.before[from]);
        Side { all: all - all_before, right: right - right_before }
    }

    /// The group before which to cut, if it is worth its bits.
    fn best_cut(&self, from: usize, to: usize) -> Option<usize> {
        let whole = self.side(from, to);
        let mixed = |cut: usize| self.side(from, cut).bits() + self.side(cut, to).bits();
        let cuts = (from + 1..to).map(|cut| (mixed(cut), cut));
        let (_, best) = cuts.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (below, above) = (self.side(from, best), self.side(best, to));
        let gain = whole.bits() - below.bits() - above.bits();
        (gain > whole.cost_of_cut(&below, &above)).then_some(best)
    }
}

/// How many samples there are, and how many of them are right.
struct Side {
    all: f64,
    right: f64,
}

impl Side {
    /// The entropy of all samples together.
    fn bits(&self) -> f64 {
        let bits = |part: f64| if part > 0.0 { part * (self.all / part).log2() } else { 0.0 };
        bits(self.right) + bits(self.all - self.right)
    }

    fn entropy(&self) -> f64 {
        if self.all > 0.0 { self.bits() / self.all } else { 0.0 }
    }

    fn classes(&self) -> f64 {
        f64::from(u8::from(self.right > 0.0)) + f64::from(u8::from(self.right < self.all))
    }

    /// The bits that name a cut and the classes on both of its sides.
    fn cost_of_cut(&self, below: &Side, above: &Side) -> f64 {
        let classes = self.classes();
        let kinds = (3.0_f64.powf(classes) - 2.0).log2();
        let parts = below.classes() * below.entropy() + above.classes() * above.entropy();
        (self.all - 1.0).log2() + kinds - (classes * self.entropy() - parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts_are_made_where_classes_change() {
        let samples = |share: [usize; 3]| -> Vec<(f64, bool)> {
            (0..600).map(|i| (i as f64, (i * 7) % 10 < share[i / 200])).collect()
        };
        let cuts = Cuts::of(samples([1, 8, 3]));
        assert_eq!(cuts.0.len(), 2, "{cuts:?}");
        assert!((cuts.0[0] - 200.0).abs() < 6.0 && (cuts.0[1] - 400.0).abs() < 6.0, "{cuts:?}");
        assert_eq!((cuts.range(-1.0), cuts.range(300.0), cuts.range(1e9)), (0, 1, 2));
        assert!(Cuts::of(samples([4, 4, 4])).0.is_empty(), "nothing changes");
        assert!(Cuts::of(Vec::new()).0.is_empty());
        assert!(Cuts::of(vec![(1.0, true); 50]).0.is_empty());
    }

    proptest! {
        #[test]
        fn cuts_rise_and_every_value_has_a_range(
            samples in proptest::collection::vec((any::<f64>(), any::<bool>()), 0..200),
        ) {
            let cuts = Cuts::of(samples.clone());
            prop_assert!(cuts.0.is_sorted_by(|a, b| a < b));
            for (value, _) in samples {
                prop_assert!(cuts.range(value) < cuts.ranges());
            }
        }
    }
}
