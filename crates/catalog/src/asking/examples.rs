//! Questions to begin with, for people who meet the tables for the first time.

/// A question to begin with.
#[derive(Debug)]
pub struct ExampleQuestion {
    pub english: &'static str,
    pub german: &'static str,
    pub sql: &'static str,
}

pub const EXAMPLE_QUESTIONS: [ExampleQuestion; 6] = [
    ExampleQuestion {
        english: "Captures per institution, with megabytes",
        german: "Aufnahmen je Institution, mit Megabyte",
        sql: "SELECT label, COUNT(*) AS captures, SUM(payload_length) / 1000000 AS mb\nFROM captures GROUP BY label ORDER BY captures DESC",
    },
    ExampleQuestion {
        english: "The reasons of the corpus",
        german: "Die Gründe des Korpus",
        sql: "SELECT keeping, rule, COUNT(*) AS documents FROM document\nGROUP BY keeping, rule ORDER BY documents DESC",
    },
    ExampleQuestion {
        english: "Hosts by verdict and case",
        german: "Hosts nach Urteil und Fall",
        sql: "SELECT membership, case_number, COUNT(*) AS hosts FROM hosts\nGROUP BY membership, case_number ORDER BY membership, case_number",
    },
    ExampleQuestion {
        english: "Documents whose language is worth a look",
        german: "Dokumente, deren Sprache einen Blick wert ist",
        sql: "SELECT url, language, share_words, title FROM documents\nWHERE confidence = 'review' LIMIT 100",
    },
    ExampleQuestion {
        english: "Pages that say they are older than the year 2000",
        german: "Seiten, die nach eigener Angabe älter sind als das Jahr 2000",
        sql: "SELECT url, last_modified FROM captures\nWHERE last_modified < '2000' ORDER BY last_modified LIMIT 100",
    },
    ExampleQuestion {
        english: "What failed most",
        german: "Was am häufigsten misslang",
        sql: "SELECT cause_kind, COUNT(*) AS requests FROM request\nWHERE state = 'failed' GROUP BY cause_kind ORDER BY requests DESC",
    },
];
