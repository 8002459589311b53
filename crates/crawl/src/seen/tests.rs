//! The set is compared with a plain one, whatever the budget.

use super::*;
use proptest::prelude::*;
use std::collections::HashSet;
use std::path::Path;

/// A folder for the runs of a test; nothing stays in it.
fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("auslese-seen-{}-{name}", std::process::id()))
}

/// Numbers as keys: spread as digests are.
fn key(number: u64) -> u64 {
    let mut key = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key ^= key >> 31;
    key.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[test]
fn remembers_and_reckons_in_memory() {
    let mut seen = SeenSet::in_memory();
    assert_eq!(seen.memory(), 0);
    for number in 0..1_000u64 {
        assert!(seen.insert(number << 40).unwrap());
        assert!(!seen.insert(number << 40).unwrap());
    }
    assert_eq!((seen.len(), seen.memory()), (1_000, 2048 * 9));
    assert_eq!(seen.insert_all(&[7 << 40, 7, 7]).unwrap(), [false, true, false]);
}

#[test]
fn far_more_than_the_budget_is_remembered_on_disk() {
    let folder = folder("budget");
    let budget = 1 << 20;
    let mut seen = SeenSet::within(SeenBudget(budget), &folder);
    let numbers: Vec<u64> = (0..300_000).collect();
    for batch in numbers.chunks(700) {
        let keys: Vec<u64> = batch.iter().map(|number| key(*number)).collect();
        assert!(seen.insert_all(&keys).unwrap().into_iter().all(|is_new| is_new));
        // Nine known keys to a new one, as pages name them.
        let known: Vec<u64> = batch.iter().map(|number| key(number / 2)).collect();
        assert!(seen.insert_all(&known).unwrap().into_iter().all(|is_new| !is_new));
    }
    assert_eq!(seen.len(), 300_000);
    assert!(seen.on_disk() > 200_000 && !seen.runs.is_empty());
    assert!(seen.runs.len() < 12, "{} runs", seen.runs.len());
    assert!(seen.memory() <= budget + (budget >> 2), "{} bytes", seen.memory());
    assert_eq!(names_in(&folder), Vec::<String>::new());
}

/// Runs have no name, so nothing has to be tidied up after a crash.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn what_is_learnt_is_known() {
    let mut seen = SeenSet::within(SeenBudget(1 << 18), &folder("learnt"));
    (0..50_000).for_each(|number| seen.learn(key(number)).unwrap());
    assert!(seen.on_disk() > 0);
    let all: Vec<u64> = (0..50_001).map(key).collect();
    let is_new = seen.insert_all(&all).unwrap();
    assert_eq!(is_new.iter().filter(|is_new| **is_new).count(), 1);
    assert!(is_new[50_000]);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_nothing_is_lost() {
    let folder = folder("blocked");
    let _ = std::fs::remove_dir_all(&folder);
    // A file where the folder should be.
    std::fs::write(&folder, "").unwrap();
    let mut seen = SeenSet::within(SeenBudget(1 << 17), &folder);
    let batch = |from: u64| (from..from + 500).map(key).collect::<Vec<u64>>();
    let mut entered = 0;
    let error = loop {
        match seen.insert_all(&batch(entered)) {
            Ok(_) => entered += 500,
            Err(error) => break error,
        }
    };
    assert!(entered > 0 && error.to_string().contains("blocked"), "{error}");
    std::fs::remove_file(&folder).unwrap();
    // The same batch goes on where it failed, and nothing was forgotten.
    assert!(seen.insert_all(&batch(entered)).unwrap().into_iter().all(|is_new| is_new));
    assert!(seen.insert_all(&batch(0)).unwrap().into_iter().all(|is_new| !is_new));
    let _ = std::fs::remove_dir_all(&folder);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn it_answers_as_a_plain_set_does(
        batches in proptest::collection::vec((0u64..40_000, 1usize..3_000, 1u64..5), 1..40)
    ) {
        let mut seen = SeenSet::within(SeenBudget(1 << 17), &folder("plain"));
        let mut plain: HashSet<u64> = HashSet::new();
        for (from, count, step) in batches {
            let keys: Vec<u64> =
                (0..count as u64).map(|number| key((from + number * step) % 50_000)).collect();
            let expected: Vec<bool> = keys.iter().map(|key| plain.insert(*key)).collect();
            prop_assert_eq!(seen.insert_all(&keys).unwrap(), expected);
        }
        prop_assert_eq!(seen.len(), plain.len() as u64);
    }
}
