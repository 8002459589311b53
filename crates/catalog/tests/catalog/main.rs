//! The catalog through its door: every case runs on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

/// Makes each case a test on both engines.
macro_rules! on_both_engines {
    ($($case:ident)*) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $case() {
                super::$case(crate::support::Database::file()).await;
            })*
        }

        mod postgresql {
            $(#[tokio::test]
            async fn $case() {
                super::$case(crate::support::Database::server()).await;
            })*
        }
    };
}

mod asking;
mod browsing;
mod captures;
mod citations;
mod commits;
mod contents;
mod copying;
mod crew;
mod descriptions;
mod discovery;
mod dividing;
mod document_links;
mod documents;
mod exporting;
mod frontier;
mod hidden;
mod history;
mod judged_hosts;
mod links;
mod marks;
mod opening;
mod people;
mod remarks;
mod removal;
mod replaying;
mod rounds;
mod searching;
mod stages;
mod statistics;
mod support;
mod taking_up;
mod trouble;
mod warc_files;
