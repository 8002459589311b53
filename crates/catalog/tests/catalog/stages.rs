//! Several workers at one stage: batches, phases, leases that run out, and what comes too late.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::time::Duration;

on_both_engines! {
    a_phase_is_divided_when_the_one_before_is_done
    a_lease_that_ran_out_is_given_to_another
    what_comes_too_late_is_refused_whole
    a_batch_ends_with_what_it_stores
    a_heartbeat_keeps_what_a_worker_has
    ranges_stay_with_their_worker
    a_work_that_is_left_is_begun_anew
}

const LEASE: Duration = Duration::from_secs(60);

/// A harvest with so many stored bodies.
async fn with_bodies(place: Database, bodies: i64) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let captures = (1..=bodies).map(|id| capture(id, id, 1, run)).collect();
    let offers = (1..=bodies).map(|id| offer(id, 1)).collect();
    let changes = (1..=bodies).map(|id| done(id, id)).collect();
    let commit = Commit { servers: servers([1]), offers, captures, changes, ..Commit::default() };
    harvest.commit(commit).await;
    harvest
}

async fn begin(harvest: &Harvest) -> StageWork {
    let new =
        NewStageWork { stage: "corpus", run: Some(harvest.run), job: "j", notes: "what all know" };
    harvest.catalog.begin_stage_work(new).await.unwrap()
}

async fn take(harvest: &Harvest, work: &StageWork, worker: &str) -> Taken {
    let terms = BatchTerms { work: work.number, worker, lease: LEASE };
    harvest.catalog.take_batch(terms).await.unwrap()
}

async fn take_one(harvest: &Harvest, work: &StageWork, worker: &str) -> StageBatch {
    match take(harvest, work, worker).await {
        Taken::Batch(batch) => batch,
        other => panic!("{worker} got {other:?}"),
    }
}

async fn finish(harvest: &Harvest, worker: &str, batch: &StageBatch) -> Result<(), CatalogError> {
    let done = [(batch.clone(), format!("by {worker}"))];
    harvest.catalog.finish_batches(worker, &done).await
}

/// Lets all leases run out.
async fn wait_for_ever(harvest: &Harvest) {
    harvest.place.sql("UPDATE stage_batch SET leased_until = 1 WHERE leased_by IS NOT NULL").await;
    harvest.place.sql("UPDATE worker SET alive_until = 1").await;
}

const EXAMINE: Division = Division::Unexamined { reader: 3 };

async fn a_phase_is_divided_when_the_one_before_is_done(place: Database) {
    let harvest = with_bodies(place, 20).await;
    let catalog = &harvest.catalog;
    let work = begin(&harvest).await;
    assert_eq!((work.phase, work.notes.as_str()), (BEFORE_ALL, "what all know"));
    assert_eq!(take(&harvest, &work, "a").await, Taken::PhaseDone(BEFORE_ALL));
    assert!(catalog.next_phase(work.number, BEFORE_ALL, EXAMINE).await.unwrap());
    assert!(!catalog.next_phase(work.number, BEFORE_ALL, EXAMINE).await.unwrap(), "once only");
    let first = take_one(&harvest, &work, "a").await;
    let second = take_one(&harvest, &work, "b").await;
    let third = take_one(&harvest, &work, "a").await;
    let places = [&first, &second, &third].map(|it| (it.number, it.first, it.last, it.items));
    assert_eq!(places, [(0, 1, 8, 8), (1, 9, 16, 8), (2, 17, 20, 4)]);
    assert_eq!(take(&harvest, &work, "b").await, Taken::Wait);
    for (worker, batch) in [("a", &first), ("a", &third)] {
        finish(&harvest, worker, batch).await.unwrap();
        let early = catalog.next_phase(work.number, 1, Division::Whole).await.unwrap();
        assert!(!early, "a batch of the phase is not done");
    }
    let progress = catalog.phase_progress(work.number, "a").await.unwrap();
    assert_eq!(progress, PhaseProgress { phase: 1, items: 20, done: 12, own: 12 });
    finish(&harvest, "b", &second).await.unwrap();
    finish(&harvest, "b", &second).await.expect("to say it twice changes nothing");
    assert_eq!(take(&harvest, &work, "a").await, Taken::PhaseDone(1));
    assert!(catalog.next_phase(work.number, 1, Division::Whole).await.unwrap());
    let whole = take_one(&harvest, &work, "b").await;
    assert_eq!(take(&harvest, &work, "a").await, Taken::Wait, "one worker does it");
    finish(&harvest, "b", &whole).await.unwrap();
    let results = catalog.batch_results(work.number, 1).await.unwrap();
    let by: Vec<&str> = results.iter().map(|(by, _)| by.as_str()).collect();
    assert_eq!(by, ["a", "b", "a"]);
    assert_eq!(results[1].1, "by b");
    assert!(catalog.end_stage_work(work.number).await.unwrap());
    assert!(!catalog.end_stage_work(work.number).await.unwrap());
    assert_eq!(take(&harvest, &work, "a").await, Taken::Over);
}

async fn a_lease_that_ran_out_is_given_to_another(place: Database) {
    let harvest = with_bodies(place, 8).await;
    let work = begin(&harvest).await;
    harvest.catalog.next_phase(work.number, BEFORE_ALL, EXAMINE).await.unwrap();
    let lost = take_one(&harvest, &work, "a").await;
    assert_eq!(take(&harvest, &work, "b").await, Taken::Wait);
    wait_for_ever(&harvest).await;
    let taken = take_one(&harvest, &work, "b").await;
    assert_eq!((taken.number, taken.epoch), (lost.number, lost.epoch + 1));
    let late = finish(&harvest, "a", &lost).await;
    assert!(matches!(late, Err(CatalogError::BatchLost { number: 0 })), "{late:?}");
    finish(&harvest, "b", &taken).await.unwrap();
    let results = harvest.catalog.batch_results(work.number, 1).await.unwrap();
    assert_eq!(results, [("b".to_owned(), "by b".to_owned())]);
}

async fn what_comes_too_late_is_refused_whole(place: Database) {
    let harvest = with_bodies(place, 8).await;
    let work = begin(&harvest).await;
    harvest.catalog.next_phase(work.number, BEFORE_ALL, EXAMINE).await.unwrap();
    let lost = take_one(&harvest, &work, "a").await;
    let fenced = harvest.catalog.fenced(lost.fence("a"));
    fenced.store_contents(&[content(1, 1)], &[]).await.unwrap();
    // Nobody has taken it, so it may go on after its time.
    wait_for_ever(&harvest).await;
    fenced.store_contents(&[content(2, 2)], &[]).await.unwrap();
    wait_for_ever(&harvest).await;
    let taken = take_one(&harvest, &work, "b").await;
    let late = fenced.store_contents(&[content(3, 3)], &[]).await;
    assert!(matches!(late, Err(CatalogError::BatchLost { .. })), "{late:?}");
    assert!(!late.unwrap_err().is_temporary());
    let known = harvest.catalog.count_missing_contents(1).await.unwrap();
    assert_eq!(known, 6, "nothing of the third is stored");
    // Reading is never refused, and others are not hindered.
    assert_eq!(fenced.count_missing_contents(1).await.unwrap(), 6);
    let fenced = harvest.catalog.fenced(taken.fence("b"));
    fenced.store_contents(&[content(3, 3)], &[]).await.unwrap();
    finish(&harvest, "b", &taken).await.unwrap();
    let late = fenced.store_contents(&[content(4, 4)], &[]).await;
    assert!(matches!(late, Err(CatalogError::BatchLost { .. })), "it is done: {late:?}");
}

async fn a_batch_ends_with_what_it_stores(place: Database) {
    let harvest = with_bodies(place, 8).await;
    let work = begin(&harvest).await;
    harvest.catalog.next_phase(work.number, BEFORE_ALL, EXAMINE).await.unwrap();
    let batch = take_one(&harvest, &work, "a").await;
    let last = harvest.catalog.fenced(batch.fence("a")).and_finish("eight");
    last.store_contents(&[content(1, 1)], &[]).await.unwrap();
    assert_eq!(take(&harvest, &work, "b").await, Taken::PhaseDone(1));
    let results = harvest.catalog.batch_results(work.number, 1).await.unwrap();
    assert_eq!(results, [("a".to_owned(), "eight".to_owned())]);
    let more = last.store_contents(&[content(2, 2)], &[]).await;
    assert!(matches!(more, Err(CatalogError::BatchLost { .. })), "{more:?}");
    // Without a batch nothing has to end.
    harvest.catalog.and_finish("x").store_contents(&[content(2, 2)], &[]).await.unwrap();
}

async fn a_heartbeat_keeps_what_a_worker_has(place: Database) {
    let harvest = with_bodies(place, 16).await;
    let joined = harvest.join("a", NOW).await;
    let work = begin(&harvest).await;
    harvest.catalog.next_phase(work.number, BEFORE_ALL, EXAMINE).await.unwrap();
    let first = take_one(&harvest, &work, "a").await;
    let second = take_one(&harvest, &work, "a").await;
    let beat = StageBeat {
        worker: "a",
        incarnation: joined.incarnation,
        lease: LEASE,
        doing: Doing::Working,
        work: work.number,
        run: None,
        items: 3,
        numbers: "{}",
    };
    wait_for_ever(&harvest).await;
    let mut held = harvest.catalog.stage_heartbeat(beat).await.unwrap();
    held.sort_unstable();
    assert_eq!(held, [(1, first.number, first.epoch), (1, second.number, second.epoch)]);
    assert_eq!(take(&harvest, &work, "b").await, Taken::Wait, "it has them again");
    let worker = harvest.catalog.workers().await.unwrap().remove(0);
    assert_eq!((worker.captures, worker.doing), (3, Doing::Working));
    // Whoever takes the name gives back what the one before had, and that one is refused.
    let again = harvest.join("a", seconds(1)).await;
    let refused = harvest.catalog.stage_heartbeat(beat).await;
    assert!(matches!(refused, Err(CatalogError::Replaced { .. })), "{refused:?}");
    let fenced = harvest.catalog.fenced(first.fence("a"));
    let late = fenced.store_contents(&[content(1, 1)], &[]).await;
    assert!(matches!(late, Err(CatalogError::BatchLost { .. })), "{late:?}");
    assert_eq!(take_one(&harvest, &work, "b").await.number, first.number);
    let beat = StageBeat { incarnation: again.incarnation, ..beat };
    assert_eq!(harvest.catalog.stage_heartbeat(beat).await.unwrap(), []);
}

/// So many documents that were judged.
async fn judge(harvest: &Harvest, requests: std::ops::RangeInclusive<i64>) {
    let documents: Vec<Document> =
        requests.map(|id| document(id, Keeping::Kept, CorpusRule::All)).collect();
    harvest.catalog.store_documents(&documents, NOW).await.unwrap();
}

async fn ranges_stay_with_their_worker(place: Database) {
    let harvest = with_bodies(place, 60).await;
    let catalog = &harvest.catalog;
    judge(&harvest, 1..=40).await;
    let divided = async || {
        let work = begin(&harvest).await;
        assert!(catalog.next_phase(work.number, BEFORE_ALL, Division::IndexRanges).await.unwrap());
        work
    };
    let work = divided().await;
    let known = catalog.index_ranges().await.unwrap();
    let places: Vec<(i64, i64)> = known.iter().map(|it| (it.first, it.last)).collect();
    let beyond = (SHARD_BEYOND, i64::MAX);
    assert_eq!(places, [(1, 16), (17, 32), (33, 40), beyond]);
    for worker in ["a", "b", "a", "b"] {
        let batch = take_one(&harvest, &work, worker).await;
        catalog.finish_ranges(worker, &[(batch, String::new())]).await.unwrap();
    }
    let owners = async || {
        let known = catalog.index_ranges().await.unwrap();
        known.into_iter().map(|it| it.worker.unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(owners().await, ["a", "b", "a", "b"]);

    // More documents get further ranges; those of a worker that is there are for nobody else.
    judge(&harvest, 41..=45).await;
    for worker in ["a", "b"] {
        harvest.join(worker, catalog.time().await.unwrap()).await;
    }
    let work = divided().await;
    let mut of_b = Vec::new();
    while let Taken::Batch(batch) = take(&harvest, &work, "b").await {
        of_b.push(batch.first);
    }
    assert_eq!(of_b, [17, SHARD_BEYOND, 41], "its own first");

    // Those of a worker that has died are taken by others; those of one that has ended stay with it.
    assert_eq!(take(&harvest, &work, "b").await, Taken::Wait, "a has them");
    harvest.place.sql("UPDATE worker SET alive_until = 1 WHERE name = 'a'").await;
    assert_eq!(take_one(&harvest, &work, "b").await.first, 1);
    harvest.place.sql("UPDATE worker SET doing = 'ended' WHERE name = 'a'").await;
    harvest.place.sql("UPDATE stage_batch SET done = 1 WHERE leased_by = 'b'").await;
    assert_eq!(take(&harvest, &work, "b").await, Taken::Wait, "it may be about to come");
    harvest.place.sql("UPDATE stage_work SET started = 1").await;
    assert_eq!(take(&harvest, &work, "b").await, Taken::PhaseDone(1));
    assert_eq!(catalog.lose_index_of("a").await.unwrap(), 2);
    assert_eq!(take_one(&harvest, &work, "b").await.first, 33, "nobody's any more");
    catalog.forget_index_ranges().await.unwrap();
    assert_eq!(owners().await, Vec::<String>::new());
}

async fn a_work_that_is_left_is_begun_anew(place: Database) {
    let harvest = with_bodies(place, 8).await;
    let left = begin(&harvest).await;
    harvest.catalog.next_phase(left.number, BEFORE_ALL, EXAMINE).await.unwrap();
    let batch = take_one(&harvest, &left, "a").await;
    let work = begin(&harvest).await;
    assert!(work.number > left.number);
    assert_eq!(harvest.catalog.stage_work("corpus").await.unwrap(), Some(work.clone()));
    assert_eq!(harvest.catalog.stage_work("describe").await.unwrap(), None);
    assert_eq!(take(&harvest, &left, "a").await, Taken::Over);
    harvest.catalog.next_phase(work.number, BEFORE_ALL, EXAMINE).await.unwrap();
    take_one(&harvest, &work, "a").await;
    // The same name, the same number, even the same epoch: but another work.
    let fenced = harvest.catalog.fenced(batch.fence("a"));
    let late = fenced.store_contents(&[content(1, 1)], &[]).await;
    assert!(matches!(late, Err(CatalogError::BatchLost { .. })), "{late:?}");
}
