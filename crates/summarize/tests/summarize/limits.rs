//! Limits are kept and told.

use crate::provider::{KINDS, Kind, Provider};

/// A table with `rows` different numbers of six digits.
fn fill(provider: &Provider, rows: u32) {
    provider.execute("CREATE TABLE viele (x INTEGER)");
    let last = 100_000 + rows - 1;
    provider.execute(&match provider.kind {
        Kind::Postgres => format!("INSERT INTO viele SELECT generate_series(100000, {last})"),
        Kind::MariaDb => format!("INSERT INTO viele SELECT seq FROM seq_100000_to_{last}"),
        Kind::Sqlite => format!(
            "INSERT INTO viele WITH RECURSIVE n(x) AS (SELECT 100000 UNION ALL SELECT x + 1 FROM n WHERE x < {last}) \
             SELECT x FROM n"
        ),
    });
    provider.grant("viele");
}

#[test]
fn as_many_values_as_are_allowed() {
    #[rustfmt::skip]
    let cases = [
        // settings                                          values   cut
        ("",                                                 100_000, true),
        ("limits.values = 100001\n",                         100_001, false),
        ("limits.values = 3\n",                              3,       true),
        // Six digits and a line feed each.
        ("limits.attribute_bytes = 699\n",                   100,     true),
        ("limits.fragment_bytes = 1399\n",                   200,     true),
        // The last number, 200000, is beyond the limit of rows.
        ("limits.value_characters = 5\n",                    10_000,  true),
    ];
    let lines = "Table: viele\nAttribute: x\n";
    for kind in KINDS {
        let provider = Provider::new(kind);
        fill(&provider, 100_001);
        for (more, count, is_cut) in cases {
            let object = provider.summarize(&["viele.x"], lines, more).unwrap();
            assert_eq!(object.values("viele.x").len(), count, "{kind:?} {more}");
            let mark = object.text("Truncated-viele.x");
            assert_eq!(mark.as_deref(), is_cut.then_some("true"), "{kind:?} {more}");
        }
    }
}

/// What one column leaves of a fragment is what the next one gets.
#[test]
fn a_fragment_has_a_limit_as_a_whole() {
    for kind in KINDS {
        let provider = Provider::new(kind);
        fill(&provider, 1_000);
        provider.execute("CREATE VIEW mehr AS SELECT x + 1 AS x FROM viele");
        provider.grant("mehr");
        let lines =
            "Table: mehr\nAttribute: x\nTable: viele\nAttribute: x\nTable: hotel\nAttribute: ort\n";
        let allow = ["viele.x", "mehr.x", "hotel.ort"];
        let object = provider.summarize(&allow, lines, "limits.fragment_bytes = 8000\n").unwrap();
        assert_eq!(object.values("mehr.x").len(), 1_000, "{kind:?}");
        assert_eq!(object.get("Truncated-mehr.x"), None, "{kind:?}");
        assert_eq!(object.values("viele.x").len(), 143, "{kind:?}");
        assert_eq!(object.text("Truncated-viele.x").as_deref(), Some("true"), "{kind:?}");
        assert_eq!(object.get("hotel.ort"), None, "{kind:?}");
        assert_eq!(object.text("Truncated-hotel.ort").as_deref(), Some("true"), "{kind:?}");
    }
}

#[test]
fn statements_end() {
    #[rustfmt::skip]
    let views = [
        (Kind::Postgres, "SELECT CAST(pg_sleep(600) AS TEXT) AS x"),
        (Kind::MariaDb,  "SELECT SLEEP(600) AS x"),
        (Kind::Sqlite,   "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) AS x FROM n"),
    ];
    for (kind, view) in views {
        let provider = Provider::new(kind);
        provider.execute(&format!("CREATE VIEW langsam AS {view}"));
        provider.grant("langsam");
        let lines = "Table: langsam\nAttribute: x\n";
        let more = "limits.statement_seconds = 1\n";
        assert_eq!(provider.outcome(&["langsam.x"], lines, more), "E_TIMEOUT", "{kind:?}");
    }
}
