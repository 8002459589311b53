//! Files in every format, sound and broken, through the door.

use auslese_vocabulary::{
    Import, ImportError, ImportFormat, ImportOptions, LabelKind, Problem, Relation, Relevance,
    Severity, ShortName,
};

fn import(file: &str, text: &str) -> Result<Import, ImportError> {
    Import::read(text.as_bytes(), file, &ImportOptions::default())
}

fn problems(result: Result<Import, ImportError>) -> Vec<Problem> {
    match result {
        Ok(import) => import.warnings,
        Err(ImportError::Faulty { problems, .. }) => problems,
        Err(error) => panic!("{error}"),
    }
}

/// The same vocabulary as Turtle, N-Triples, RDF/XML and JSKOS.
const TURTLE: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix v: <http://v.example/> .

v:scheme a skos:ConceptScheme ; dct:title "Wasser"@de , "Water"@en .
v:1 a skos:Concept ; skos:inScheme v:scheme ; skos:notation "W1" ;
  skos:prefLabel "Gewässer"@de , "Waters"@en ; skos:scopeNote "Auch Seen."@de .
v:2 a skos:Concept ; skos:prefLabel "Fluss"@de ; skos:altLabel "Strom"@de ;
  skos:hiddenLabel "Fluß"@de ; skos:broader v:1 ; skos:related v:3 .
v:3 a skos:Concept ; skos:prefLabel "Ufer"@de ;
  skos:exactMatch <http://w.example/ufer> ;
  skos:broadMatch <http://w.example/land> .
"#;

const N_TRIPLES: &str = r#"<http://v.example/scheme> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2004/02/skos/core#ConceptScheme> .
<http://v.example/scheme> <http://purl.org/dc/terms/title> "Wasser"@de .
<http://v.example/scheme> <http://purl.org/dc/terms/title> "Water"@en .
<http://v.example/1> <http://www.w3.org/2004/02/skos/core#inScheme> <http://v.example/scheme> .
<http://v.example/1> <http://www.w3.org/2004/02/skos/core#notation> "W1" .
<http://v.example/1> <http://www.w3.org/2004/02/skos/core#prefLabel> "Gew\u00E4sser"@de .
<http://v.example/1> <http://www.w3.org/2004/02/skos/core#prefLabel> "Waters"@en .
<http://v.example/1> <http://www.w3.org/2004/02/skos/core#scopeNote> "Auch Seen."@de .
<http://v.example/2> <http://www.w3.org/2004/02/skos/core#prefLabel> "Fluss"@de .
<http://v.example/2> <http://www.w3.org/2004/02/skos/core#altLabel> "Strom"@de .
<http://v.example/2> <http://www.w3.org/2004/02/skos/core#hiddenLabel> "Flu\u00DF"@de .
<http://v.example/2> <http://www.w3.org/2004/02/skos/core#broader> <http://v.example/1> .
<http://v.example/2> <http://www.w3.org/2004/02/skos/core#related> <http://v.example/3> .
<http://v.example/3> <http://www.w3.org/2004/02/skos/core#prefLabel> "Ufer"@de .
<http://v.example/3> <http://www.w3.org/2004/02/skos/core#exactMatch> <http://w.example/ufer> .
<http://v.example/3> <http://www.w3.org/2004/02/skos/core#broadMatch> <http://w.example/land> .
"#;

const RDF_XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE rdf:RDF [<!ENTITY v "http://v.example/">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:dct="http://purl.org/dc/terms/">
<skos:ConceptScheme rdf:about="&v;scheme">
  <dct:title xml:lang="de">Wasser</dct:title><dct:title xml:lang="en">Water</dct:title>
</skos:ConceptScheme>
<skos:Concept rdf:about="&v;1">
  <skos:inScheme rdf:resource="&v;scheme"/>
  <skos:notation>W1</skos:notation>
  <skos:prefLabel xml:lang="de">Gewässer</skos:prefLabel>
  <skos:prefLabel xml:lang="en">Waters</skos:prefLabel>
  <skos:scopeNote xml:lang="de">Auch Seen.</skos:scopeNote>
</skos:Concept>
<skos:Concept rdf:about="&v;2" xml:lang="de">
  <skos:prefLabel>Fluss</skos:prefLabel>
  <skos:altLabel>Strom</skos:altLabel>
  <skos:hiddenLabel>Fluß</skos:hiddenLabel>
  <skos:broader rdf:resource="&v;1"/>
  <skos:related rdf:resource="&v;3"/>
</skos:Concept>
<skos:Concept rdf:about="&v;3">
  <skos:prefLabel xml:lang="de">Ufer</skos:prefLabel>
  <skos:exactMatch rdf:resource="http://w.example/ufer"/>
  <skos:broadMatch rdf:resource="http://w.example/land"/>
</skos:Concept>
</rdf:RDF>
"#;

const JSKOS: &str = r#"{"uri":"http://v.example/scheme","type":["http://www.w3.org/2004/02/skos/core#ConceptScheme"],"prefLabel":{"de":"Wasser","en":"Water"}}
{"uri":"http://v.example/1","notation":["W1"],"inScheme":[{"uri":"http://v.example/scheme"}],"prefLabel":{"de":"Gewässer","en":"Waters"},"scopeNote":{"de":["Auch Seen."]},"narrower":[null]}
{"uri":"http://v.example/2","prefLabel":{"de":"Fluss","-":"…"},"altLabel":{"de":["Strom"]},"hiddenLabel":{"de":["Fluß"]},"broader":[{"uri":"http://v.example/1"}],"related":[{"uri":"http://v.example/3"}]}
{"uri":"http://v.example/3","prefLabel":{"de":"Ufer"},"mappings":[{"to":{"memberSet":[{"uri":"http://w.example/ufer"}]},"type":["http://www.w3.org/2004/02/skos/core#exactMatch"]},{"to":{"memberSet":[{"uri":"http://w.example/land"}]},"type":["http://www.w3.org/2004/02/skos/core#broadMatch"]}]}
"#;

#[test]
fn one_vocabulary_in_four_formats() {
    #[rustfmt::skip]
    let files = [
        ("wasser.ttl",  TURTLE,    ImportFormat::Turtle,   Some([11, 12])),
        ("wasser.nt",   N_TRIPLES, ImportFormat::NTriples, Some([15, 16])),
        ("wasser.rdf",  RDF_XML,   ImportFormat::RdfXml,   Some([24, 25])),
        ("wasser.ndjson", JSKOS,   ImportFormat::Jskos,    Some([4, 4])),
    ];
    let first = import("wasser.ttl", TURTLE).unwrap().vocabulary.unwrap();
    for (file, text, format, lines) in files {
        let import = import(file, text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(import.format, format, "{file}");
        assert_eq!(import.warnings, [], "{file}");
        let vocabulary = import.vocabulary.unwrap();
        assert_eq!(vocabulary.concepts(), first.concepts(), "{file}");
        assert_eq!((&vocabulary.title, &vocabulary.base), (&first.title, &first.base), "{file}");
        let concordance = import.concordance.unwrap();
        assert_eq!(concordance.id.as_str(), "wasser-mappings");
        // By target: land before ufer.
        let found: Vec<(Relation, &str, bool)> = concordance
            .mappings()
            .iter()
            .map(|it| (it.relation, it.to[0].as_str(), it.directed))
            .collect();
        let jskos = format == ImportFormat::Jskos;
        assert_eq!(
            found,
            [
                (Relation::Broad, "http://w.example/land", true),
                (Relation::Exact, "http://w.example/ufer", jskos)
            ],
            "{file}"
        );
        let mut at: Vec<u64> = concordance.mappings().iter().filter_map(|it| it.line).collect();
        at.sort_unstable();
        assert_eq!(Some(at.as_slice()), lines.as_ref().map(|it| &it[..]), "{file}");
    }
    assert_eq!(first.id, ShortName::new("wasser").unwrap());
    assert_eq!(first.title["de"], "Wasser");
    assert_eq!(first.base, "http://v.example/");
    assert_eq!(first.languages(), ["de", "en"]);
    let river = first.concept("http://v.example/2").unwrap();
    let labels: Vec<(LabelKind, &str)> =
        river.labels.iter().map(|label| (label.kind, label.text.as_str())).collect();
    assert_eq!(
        labels,
        [
            (LabelKind::Preferred, "Fluss"),
            (LabelKind::Alternative, "Strom"),
            (LabelKind::Hidden, "Fluß")
        ]
    );
    assert_eq!(river.broader, ["http://v.example/1"]);
    let waters = first.concept("http://v.example/1").unwrap();
    assert_eq!(waters.narrower, [""; 0], "what the file does not say is not filled in");
    assert_eq!(waters.scope_notes, [("de".to_owned(), "Auch Seen.".to_owned())]);
}

#[test]
fn labels_that_are_nodes() {
    let text = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
<http://v/1> a skos:Concept ; xl:prefLabel <http://v/l1> ; xl:altLabel [ xl:literalForm "Strom"@de ] .
<http://v/l1> xl:literalForm "Fluss"@de .
<http://v/2> a skos:Concept ; xl:prefLabel <http://v/l9> .
"#;
    let import = import("xl.ttl", text).unwrap();
    let vocabulary = import.vocabulary.unwrap();
    let texts: Vec<&str> =
        vocabulary.concepts()[0].labels.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["Fluss", "Strom"]);
    let messages: Vec<String> = import.warnings.iter().map(Problem::to_string).collect();
    assert_eq!(
        messages,
        [
            "xl.ttl:5: warning: a label of <http://v/2> has no skosxl:literalForm",
            "xl.ttl:5: warning: <http://v/2> has no label"
        ]
    );
}

#[test]
fn combinations() {
    let turtle = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://a/1> skos:exactMatch ( <http://b/1> <http://b/2> ) ;
  skos:closeMatch [ skos:prefLabel "x" ] .
"#;
    let jskos = r#"[
 {"from":{"memberSet":[{"uri":"http://a/1","prefLabel":{"de":"Eins"}}]},
  "to":{"memberList":[{"uri":"http://b/1"},{"uri":"http://b/2"}]},
  "type":["http://www.w3.org/2004/02/skos/core#exactMatch"], "mappingRelevance": 0.5},
 {"from":{"memberSet":[{"uri":"http://a/2"}]},
  "to":{"memberChoice":[{"uri":"http://b/3"},{"uri":"http://b/4"}]}}
]"#;
    let sssom = "#curie_map:\n#  a: http://a/\n#  b: \"http://b/\"\n#mapping_set_title: Probe\n\
        subject_id\tsubject_label\tpredicate_id\tobject_id\tconfidence\n\
        a:1\tEins\tskos:exactMatch\tb:1 AND b:2\t0.5\n";
    let of = |file: &str, text: &str| import(file, text).unwrap().concordance.unwrap();
    let turtle_import = import("k.ttl", turtle).unwrap();
    assert_eq!(turtle_import.warnings.len(), 1, "a node that is no list");
    assert_eq!(turtle_import.warnings[0].line, Some(3));
    let files = [
        (turtle_import.concordance.unwrap(), Relevance::High, Some(2)),
        (of("k.json", jskos), Relevance::Medium, Some(2)),
        (of("k.sssom.tsv", sssom), Relevance::Medium, Some(6)),
    ];
    for (concordance, relevance, line) in &files {
        let mapping = &concordance.mappings_from("http://a/1")[0];
        assert_eq!(mapping.to, ["http://b/1", "http://b/2"]);
        assert!(mapping.is_combination() && mapping.directed);
        assert_eq!((mapping.relevance, mapping.line), (*relevance, *line));
        assert_eq!(mapping.relation, Relation::Exact);
    }
    assert_eq!(files[1].0.mappings().len(), 3, "a choice is several mappings");
    assert_eq!(files[1].0.mappings_from("http://a/2")[0].relation, Relation::Related);
    assert_eq!(files[2].0.title.as_deref(), Some("Probe"));
    assert_eq!(files[2].0.mappings()[0].from_label.as_deref(), Some("Eins"));
}

#[test]
fn rows_of_sssom() {
    let head = "# curie_map:\n#   a: http://a/\n# subject_source: a:v\nsubject_id\tpredicate_id\tobject_id\tconfidence\tpredicate_modifier\n";
    #[rustfmt::skip]
    let cases = [
        // row                                                    severity           message
        ("a:1\tskos:narrowMatch\ta:2\t0.9\t",                     None,                    ""),
        ("a:1\tskos:narrowMatch\thttp://b/2",                     None,                    ""),
        ("a:1\towl:sameAs\ta:2",                                  Some(Severity::Warning), "no mapping relation of SKOS"),
        ("a:1\tskos:exactMatch\ta:2\t\tNot",                      Some(Severity::Warning), "does not hold"),
        ("b:1\tskos:exactMatch\ta:2",                             Some(Severity::Error),   "the prefix \"b\" of \"b:1\" is not in curie_map"),
        ("a:1\tskos:exactMatch\t",                                Some(Severity::Error),   "expected a value for object_id"),
        ("a:1\tskos:exactMatch",                                  Some(Severity::Error),   "expected a value for object_id"),
        ("a:1\tskos:exactMatch\ta:2\t7",                          Some(Severity::Error),   "expected a confidence from 0 to 1, found \"7\""),
        ("1\tskos:exactMatch\ta:2",                               Some(Severity::Error),   "expected an address"),
    ];
    for (row, severity, message) in cases {
        let sound = "a:8\tskos:exactMatch\ta:9\n";
        let found = problems(import("k.tsv", &format!("{head}{sound}{row}\n")));
        match severity {
            None => assert_eq!(found, [], "{row}"),
            Some(severity) => {
                assert_eq!((found[0].severity, found[0].line), (severity, Some(6)), "{row}");
                assert!(found[0].message.contains(message), "{row}: {}", found[0]);
            }
        }
    }
    let without = problems(import("k.tsv", "subject_id\tobject_id\na\tb\n"));
    assert_eq!(without[0].to_string(), "k.tsv:1: expected a row of column names with predicate_id");
}

#[test]
fn broken_files_name_their_line() {
    let prefix = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n";
    #[rustfmt::skip]
    let cases = [
        // file     text                                                            line  message
        ("a.ttl",   format!("{prefix}<http://v/1> skos:prefLabel \"x\"@de\n<http://v/2> a skos:Concept ."), 3, "no Turtle"),
        ("a.ttl",   format!("{prefix}\n\n<http://v/1> skos:prefLabel \"x .\n<http://v/2> a skos:Concept ."), 4, "no Turtle"),
        ("a.ttl",   format!("{prefix}<http://v/1> no:prefix \"x\" ."),              2, "prefix no:"),
        ("a.ttl",   format!("{prefix}<http://v/1> skos:prefLabel ( \"x\" ."),       2, "no Turtle"),
        ("a.nt",    "<http://a> <http://b> <http://c> .\n<http://a> <http://b> .\n".to_owned(), 2, "no Turtle"),
        ("a.rdf",   "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<rdf:Description>\n</rdf:Bag>\n</rdf:RDF>".to_owned(), 4, "no RDF/XML"),
        ("a.json",  "[{\"uri\":\"x\"},\n {\"uri\":\"y\",\n \"prefLabel\": x}]".to_owned(), 3, "no JSON: expected value"),
        ("a.json",  "{\"uri\":\"x\"}\n{\"uri\":".to_owned(),                        2, "is not closed"),
        ("a.json",  "{\"uri\":\"x\"}\nnein".to_owned(),                             2, "expected an object of JSON, found 'n'"),
    ];
    for (file, text, line, message) in cases {
        let error = import(file, &text).expect_err(&text);
        let ImportError::Faulty { problems, .. } = &error else { panic!("{error}") };
        assert_eq!(problems[0].line, Some(line), "{text}\n{error}");
        assert_eq!((problems[0].severity, problems[0].file.as_str()), (Severity::Error, file));
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn files_that_say_nothing() {
    #[rustfmt::skip]
    let cases = [
        ("a.pdf",  "%PDF-1.4",                               "is none of the formats known here"),
        ("a.ttl",  "",                                       "neither concepts nor mappings"),
        ("a.ttl",  "<http://a> <http://b> <http://c> .",     "neither concepts nor mappings"),
        ("a.json", "[]",                                     "neither concepts nor mappings"),
        ("….ttl",  "<http://a> <http://www.w3.org/2004/02/skos/core#prefLabel> \"x\" .", "gives no short name"),
    ];
    for (file, text, message) in cases {
        let error = import(file, text).expect_err(file);
        assert!(error.to_string().contains(message), "{file}: {error}");
    }
}

#[test]
fn oddities_are_warnings() {
    let text = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://v/1> a skos:Concept ; skos:prefLabel "Eins"@de , "Ains"@de ; skos:broader <http://v/2> .
<http://v/2> a skos:Concept ; skos:prefLabel "Zwei"@de ; skos:broader <http://v/1> , <http://v/9> .
<http://v/3> a skos:Concept ; skos:prefLabel "Drei"@de ; skos:broader <http://v/3> ;
  skos:exactMatch "kein Begriff" .
"#;
    let messages: Vec<String> =
        import("v.ttl", text).unwrap().warnings.iter().map(Problem::to_string).collect();
    assert_eq!(
        messages,
        [
            "v.ttl:5: warning: the mapping of <http://v/3> leads to a text and not to a concept",
            "v.ttl:2: warning: <http://v/1> has two preferred labels in the same language; \"Ains\" counts as an alternative",
            "v.ttl:3: warning: <http://v/2> points to <http://v/9>, which is not in the file",
            "v.ttl:2: warning: the hierarchy goes round in a circle: <http://v/1>, <http://v/2>",
            "v.ttl:4: warning: the hierarchy goes round in a circle: <http://v/3>",
        ]
    );
}

#[test]
fn one_scheme_of_several() {
    let text = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://s/a> a skos:ConceptScheme ; skos:prefLabel "A"@de .
<http://s/b> a skos:ConceptScheme ; skos:prefLabel "B"@de .
<http://v/1> skos:prefLabel "Eins"@de ; skos:inScheme <http://s/a> .
<http://v/2> skos:prefLabel "Zwei"@de ; skos:inScheme <http://s/b> .
<http://v/3> skos:prefLabel "Drei"@de ; skos:inScheme <http://s/b> .
"#;
    let read = |scheme: Option<&str>| {
        let options = ImportOptions {
            id: ShortName::new("x"),
            scheme: scheme.map(str::to_owned),
            ..ImportOptions::default()
        };
        let import = Import::read(text.as_bytes(), "…", &options).unwrap();
        let vocabulary = import.vocabulary.unwrap();
        (vocabulary.title["de"].clone(), vocabulary.concepts().len())
    };
    assert_eq!(read(None), ("B".to_owned(), 3), "the title of the largest, the concepts of all");
    assert_eq!(read(Some("http://s/a")), ("A".to_owned(), 1));
}
