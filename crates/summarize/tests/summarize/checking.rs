//! What `check` tells a provider.

use crate::provider::{KINDS, Kind, Provider, block_on};
use auslese_summarize::{Settings, Summarizer};

fn check(settings: Settings) -> Vec<String> {
    let problems = block_on(Summarizer::new(settings).check());
    problems.into_iter().map(|it| format!("{} {}: {}", it.code, it.subject, it.message)).collect()
}

#[test]
fn all_is_well() {
    for kind in KINDS {
        let provider = Provider::new(kind);
        provider.document("city.DBContent", "Table: hotel\nAttribute: name\n");
        assert_eq!(
            check(provider.settings(&["hotel.name", "region.region"], "")),
            [""; 0],
            "{kind:?}"
        );
    }
}

#[test]
fn what_is_not() {
    for kind in KINDS {
        let provider = Provider::new(kind);
        provider.document("city.DBContent", "Table: hotel\nAttribute: ort\n");
        provider.document("more.DBContent", "Table: hotel\n");
        let problems =
            check(provider.settings(&["hotel.name", "hotel.nmae"], "access.anonymous = true\n"));
        let starts = [
            "W_ANONYMOUS access",
            "E_NOT_ALLOWED city.DBContent: hotel.ort is not allowed; hint: ",
            "E_DBCONTENT more.DBContent: the document is wrong: line 0: E_DBCONTENT_MISSING expected Table",
            "E_NO_COLUMN City: the database has no column hotel.nmae, or the role may not read it",
        ];
        assert_eq!(problems.len(), starts.len(), "{kind:?} {problems:?}");
        for (problem, start) in problems.iter().zip(starts) {
            assert!(problem.starts_with(start), "{kind:?} {problem}");
        }
    }
}

#[test]
fn roles_that_may_write_are_told() {
    for kind in [Kind::Postgres, Kind::MariaDb] {
        let provider = Provider::new(kind);
        provider.document("city.DBContent", "Table: hotel\nAttribute: name\n");
        let problems = check(provider.settings_of_admin(&["hotel.name"]));
        assert!(problems[0].starts_with("W_ROLE_CAN_WRITE City"), "{kind:?} {problems:?}");
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}

#[test]
fn a_database_that_is_not_there() {
    let provider = Provider::new(Kind::Sqlite);
    provider.document("city.DBContent", "Table: hotel\nAttribute: name\n");
    let settings = provider.settings(&["hotel.name"], "");
    std::fs::remove_file(provider.folder.path().join("city.sqlite")).unwrap();
    let problems = check(settings);
    assert!(
        problems[0].starts_with("E_CONNECTION City: the database cannot be reached: "),
        "{problems:?}"
    );
    assert!(!provider.folder.path().join("city.sqlite").exists(), "nothing is made");
}
