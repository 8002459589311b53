//! The table of requests can be divided by the script in the manual, and goes on to work.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::process::Command;

const MANUAL: &str = include_str!("../../../../docs/many-machines.md");

/// The indented lines below "Very many addresses".
fn script() -> String {
    let (_, chapter) = MANUAL.split_once("\n## Very many addresses\n").unwrap();
    let (chapter, _) = chapter.split_once("\n## ").unwrap();
    let lines = chapter.lines().filter_map(|line| line.strip_prefix("    "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn requests_are_divided_by_the_script_of_the_manual() {
    let mut harvest = Harvest::new(Database::server()).await;
    let commit = Commit {
        servers: servers(1..=3),
        offers: (1..=300).map(|id| offer(id, id % 3 + 1)).collect(),
        ..Default::default()
    };
    harvest.commit(commit).await;
    harvest.catalog.clone().close().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), script()).unwrap();
    let Location::Server(url) = &harvest.place.location else { unreachable!() };
    let output = Command::new("psql")
        .args(["--no-psqlrc", "--single-transaction", "--set", "ON_ERROR_STOP=1", "--file"])
        .arg(file.path())
        .arg(url.as_str())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    harvest.crash().await;
    let parts = "SELECT COUNT(*)::text FROM pg_inherits WHERE inhparent = 'request'::regclass";
    assert_eq!(harvest.place.texts(parts).await, [Some("16".to_owned())]);
    let offers = (301..=310).map(|id| offer(id, 1)).chain([offer(5, 3)]).collect();
    assert_eq!(harvest.commit(Commit { offers, ..Default::default() }).await, 10);
    assert_eq!(harvest.lease("w", 9).await.len(), 3);
    harvest.commit(Commit { changes: vec![done(7, 1)], ..Default::default() }).await;
    assert_eq!(harvest.state(7).await, Some(State::Done));
    let known = harvest.place.texts("SELECT COUNT(*)::text FROM requests").await;
    assert_eq!(known, [Some("310".to_owned())]);
}
