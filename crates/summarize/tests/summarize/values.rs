//! Values are complete and different, whatever their type and collation.

use crate::provider::{KINDS, Kind, Provider};

#[test]
fn all_values_of_all_types() {
    for kind in KINDS {
        let provider = Provider::new(kind);
        let allow = [
            "hotel.name",
            "hotel.ort",
            "hotel.preis",
            "hotel.offen_seit",
            "hotel.notiz",
            "region.region",
        ];
        let lines = "Keywords: Hotel, Pension\nTable: hotel\nAttribute: name\nAttribute: ort\nAs: Ort\nAttribute: preis\n\
                     Attribute: offen_seit\nAttribute: notiz\nTable: region\nAttribute: region\n";
        let object = provider.summarize(&allow, lines, "").unwrap();
        assert_eq!(object.kind, "DBFRAGMENT");
        assert_eq!(object.url.as_deref(), Some("https://city.example/form"));
        assert_eq!(object.text("Title").as_deref(), Some("Hotelführer"));
        let prices: &[&str] = match kind {
            Kind::Sqlite => &["120", "45", "79.5"],
            _ => &["120.00", "45.00", "79.50"],
        };
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 7] = [
            ("Keywords",         &["Hotel", "Pension"]),
            ("hotel.name",       &["Hotel am See", "Muller", "Müller", "PENSION ANKER", "Pension Anker"]),
            ("Ort",              &["Röbel", "Waren", "waren"]),
            ("hotel.preis",      prices),
            ("hotel.offen_seit", &["1999-05-01", "2001-12-24"]),
            ("hotel.notiz",      &["eins zwei"]),
            ("region.region",    &["Röbel", "Waren", "waren"]),
        ];
        for (name, expected) in cases {
            let mut values = object.values(name);
            values.sort();
            assert_eq!(values, expected, "{kind:?} {name}");
        }
        assert!(!object.attributes.iter().any(|it| it.name.starts_with("Truncated")), "{kind:?}");
        assert!(object.get("hotel.ort").is_none());
        let bytes: usize = cases[1..].iter().map(|(name, _)| object.get(name).unwrap().len()).sum();
        assert_eq!(object.text("File-Size"), Some(bytes.to_string()));
    }
}

#[test]
fn names_that_need_quotes() {
    for kind in KINDS {
        let provider = Provider::new(kind);
        let quote = |name: &str| match kind {
            Kind::MariaDb => format!("`{}`", name.replace('`', "``")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        };
        let (table, column) = ("Straße \"a\" `b`; --", "select \"x\" `y` '");
        provider.execute(&format!("CREATE TABLE {} ({} VARCHAR(9))", quote(table), quote(column)));
        provider.execute(&format!("INSERT INTO {} VALUES ('eins')", quote(table)));
        provider.grant(&quote(table));
        let pair = format!("{table}.{column}");
        let lines = format!("Table: {table}\nAttribute: {column}\nAs: wert\n");
        let object = provider.summarize(&[&pair], &lines, "").unwrap();
        assert_eq!(object.values("wert"), ["eins"], "{kind:?}");
    }
}

#[test]
fn latin1_in_sqlite() {
    let provider = Provider::new(Kind::Sqlite);
    provider.execute("CREATE TABLE alt (ort TEXT COLLATE NOCASE)");
    provider.execute(
        "INSERT INTO alt VALUES (CAST(X'52F662656C' AS TEXT)), ('Waren'), ('WAREN'), (7), (X'FF')",
    );
    let object = provider.summarize(&["alt.ort"], "Table: alt\nAttribute: ort\n", "").unwrap();
    assert_eq!(object.values("alt.ort"), ["7", "Röbel", "WAREN", "Waren", "ÿ"]);
}

#[test]
fn a_materialised_view_and_another_schema() {
    let provider = Provider::new(Kind::Postgres);
    provider.execute("CREATE SCHEMA offen");
    provider.execute("CREATE MATERIALIZED VIEW offen.orte AS SELECT DISTINCT ort FROM hotel");
    provider.execute(&format!("GRANT USAGE ON SCHEMA offen TO {}", provider.role));
    provider.grant("offen.orte");
    let lines = "Table: orte\nAttribute: ort\n";
    assert_eq!(provider.outcome(&["orte.ort"], lines, ""), "E_NO_COLUMN");
    let schema = "databases.City.schema = \"offen\"\n";
    let object = provider.summarize(&["orte.ort"], lines, schema).unwrap();
    assert_eq!(object.values("orte.ort"), ["Röbel", "Waren", "waren"]);
}
