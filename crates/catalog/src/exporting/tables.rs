//! The catalog as tables for others: which there are, their columns, and the SQL behind each.
//!
//! A table is told once, here: names and kinds for whoever writes it, and an expression for each column.
//! Rows are read page by page along a key ([`super::rows`]), so that neither the size of a table nor what is
//! written to it meanwhile matters.

use crate::corpus::{ANSWERING, IS_MACHINERY, STORING};
use crate::schema::size;
use auslese_model::{Column, ColumnKind, RunId};

/// A table that can be given away.
#[derive(Debug, Clone)]
pub struct ExportTable {
    pub name: &'static str,
    pub columns: Vec<Column>,
    /// By what its rows are divided; each row tells its part.
    pub partition: Option<&'static str>,
    /// What becomes of it when only some documents are given away.
    pub reach: TableReach,
    pub(super) source: Source,
}

/// What a table has to do with documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableReach {
    /// Its rows hang on requests.
    Requests,
    /// Its rows hang on stored bodies.
    Bodies,
    /// It is about the harvest and always whole.
    Harvest,
    /// It has nothing to do with documents, and is left out when only some are given away.
    Apart,
}

/// Where the rows come from.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) from: String,
    /// Which rows of it, if not all.
    pub(super) condition: Option<String>,
    pub(super) expressions: Vec<(Reading, String)>,
    pub(super) partition: Option<&'static str>,
    /// Columns by which rows are in order, and which tell each from all others.
    pub(super) keys: Vec<(&'static str, KeyKind)>,
    /// The number of the request or body a row hangs on.
    pub(super) owner: Option<&'static str>,
    /// What to count to know about how many there are.
    pub(super) counted: String,
}

/// How the value of an expression becomes a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Flag,
    Number,
    Fraction,
    Time,
    Text,
    /// A JSON list of texts.
    Texts,
    /// The member `kind` of the objects of a JSON list.
    Kinds,
    /// The first, and the second, of the pairs of a JSON list.
    FirstOfPairs,
    SecondOfPairs,
    /// A raw header, which becomes several rows: with place, name and value of each line.
    HeaderLines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    Number,
    Text,
}

use KeyKind::{Number as ByNumber, Text as ByText};
use Reading::{
    FirstOfPairs, Flag, Fraction, HeaderLines, Kinds, Number, SecondOfPairs, Text, Texts, Time,
};

type Told<'a> = (&'static str, Reading, &'a str);

impl ExportTable {
    fn new(name: &'static str, reach: TableReach, columns: &[Told], source: Source) -> ExportTable {
        let kind = |reading| match reading {
            Flag => ColumnKind::Flag,
            Number => ColumnKind::Number,
            Fraction => ColumnKind::Fraction,
            Time => ColumnKind::Time,
            Text | HeaderLines => ColumnKind::Text,
            Texts | Kinds | FirstOfPairs => ColumnKind::Texts,
            SecondOfPairs => ColumnKind::Fractions,
        };
        let mut told = Vec::new();
        let mut expressions = Vec::new();
        for (name, reading, expression) in columns {
            if *reading == HeaderLines {
                told.push(Column { name: "position", kind: ColumnKind::Number });
                told.push(Column { name: "name", kind: ColumnKind::Text });
            }
            told.push(Column { name, kind: kind(*reading) });
            expressions.push((*reading, (*expression).to_owned()));
        }
        let source = Source { expressions, ..source };
        ExportTable { name, columns: told, partition: None, reach, source }
    }

    fn divided(mut self, by: &'static str, expression: &'static str) -> ExportTable {
        self.partition = Some(by);
        self.source.partition = Some(expression);
        self
    }

    fn hanging_on(mut self, owner: &'static str) -> ExportTable {
        self.source.owner = Some(owner);
        self
    }

    fn only(mut self, condition: impl Into<String>) -> ExportTable {
        self.source.condition = Some(condition.into());
        self
    }
}

fn from(
    from: impl Into<String>,
    counted: impl Into<String>,
    keys: &[(&'static str, KeyKind)],
) -> Source {
    Source {
        from: from.into(),
        condition: None,
        expressions: Vec::new(),
        partition: None,
        keys: keys.to_vec(),
        owner: None,
        counted: counted.into(),
    }
}

/// All tables; what documents say of themselves is that of one run.
pub(super) fn tables(run: Option<RunId>) -> Vec<ExportTable> {
    // No run has the number 0.
    let run = run.map_or(0, |run| run.0);
    vec![
        documents(run),
        captures(),
        headers(),
        statements(run),
        links(),
        features(),
        elements(),
        versions(),
        rounds(),
        servers(),
        institutions(),
        databases(),
        database_values(),
        records(),
    ]
}

/// Every request that was answered or judged, with its verdict and what was read out of its body.
fn documents(run: i64) -> ExportTable {
    let size = size("a");
    let is_document = format!(
        "CASE WHEN a.status BETWEEN 200 AND 299 AND NOT {IS_MACHINERY} THEN CAST(1 AS BIGINT) \
         ELSE CAST(0 AS BIGINT) END"
    );
    let joined = format!(
        "request r JOIN server_info s ON s.id = r.server_id \
         LEFT JOIN document d ON d.request_id = r.id LEFT JOIN http_header h ON h.id = r.capture_id \
         LEFT JOIN http_header a ON a.id = {ANSWERING} \
         LEFT JOIN content c ON c.capture_id = COALESCE(d.content_id, {STORING}) \
         LEFT JOIN description x ON x.run_id = {run} AND x.capture_id = c.capture_id"
    );
    let columns: &[Told] = &[
        ("request_id", Number, "r.id"),
        ("url", Text, "r.url"),
        ("method", Text, "r.method"),
        ("server_id", Number, "r.server_id"),
        ("host", Text, "s.name"),
        ("institution", Text, "s.label"),
        ("is_document", Flag, &is_document),
        ("keeping", Text, "d.keeping"),
        ("rule", Text, "d.rule"),
        ("reason", Text, "d.reason"),
        ("status", Number, "a.status"),
        ("media_type", Text, "a.media_type"),
        ("suffix", Text, "a.suffix"),
        ("charset", Text, "a.charset"),
        ("size", Number, &size),
        ("captured", Time, "h.captured_at"),
        ("last_modified", Time, "a.last_modified"),
        ("gone", Flag, "d.gone"),
        ("format", Text, "c.format"),
        ("title", Text, "c.title"),
        ("class", Text, "x.class"),
        ("language", Text, "c.language"),
        ("confidence", Text, "c.confidence"),
        ("share_words", Fraction, "c.share_words"),
        ("share_chars", Fraction, "c.share_chars"),
        ("detector", Text, "c.detector"),
        ("detector_probability", Fraction, "c.detector_probability"),
        ("by_paper", Flag, "c.by_paper"),
        ("languages", FirstOfPairs, "c.language_shares"),
        ("language_shares", SecondOfPairs, "c.language_shares"),
        ("characters", Number, "c.characters"),
        ("words", Number, "c.words"),
        ("sentences", Number, "c.sentences"),
        ("longest_sentence", Number, "c.longest_sentence"),
        ("paragraphs", Number, "c.paragraphs"),
        ("boilerplate", Number, "c.boilerplate"),
        ("links", Number, "c.links"),
        ("images", Number, "c.images"),
        ("scripts", Number, "c.scripts"),
        ("applets", Number, "c.applets"),
        ("frames", Number, "c.frames"),
        ("forms", Number, "c.forms"),
        ("obsolete", Number, "c.obsolete"),
        ("proprietary", Number, "c.proprietary"),
        ("doctype", Text, "c.doctype"),
        ("parse_errors", Number, "c.parse_errors"),
        ("conforming", Flag, "c.conforming"),
        ("generator", Text, "c.generator"),
        ("structure", Number, "c.structure"),
        ("duplicate_of", Number, "d.duplicate_of"),
        ("near_original", Number, "d.near_original"),
        ("near_similarity", Fraction, "d.near_similarity"),
        ("logical", Number, "d.logical"),
        ("mirror_path", Text, "d.mirror_path"),
        ("trouble", Text, "c.trouble"),
        ("judged", Time, "d.judged_at"),
        ("capture_id", Number, "r.capture_id"),
        ("content_id", Number, "c.capture_id"),
    ];
    let source = from(joined, "request WHERE capture_id IS NOT NULL", &[("r.id", ByNumber)]);
    ExportTable::new("documents", TableReach::Requests, columns, source)
        .divided("kept", "CASE WHEN d.keeping = 'kept' THEN 'true' ELSE 'false' END")
        .only("(h.id IS NOT NULL OR d.request_id IS NOT NULL)")
        .hanging_on("r.id")
}

fn captures() -> ExportTable {
    let columns: &[Told] = &[
        ("capture_id", Number, "h.id"),
        ("request_id", Number, "h.request_id"),
        ("method", Text, "r.method"),
        ("url", Text, "r.url"),
        ("server_id", Number, "h.server_id"),
        ("host", Text, "s.name"),
        ("institution", Text, "s.label"),
        ("run_id", Number, "h.run_id"),
        ("round_id", Number, "u.round_id"),
        ("captured", Time, "h.captured_at"),
        ("duration_ms", Number, "h.duration_ms"),
        ("address", Text, "h.address"),
        ("http_version", Text, "h.http_version"),
        ("status", Number, "h.status"),
        ("content_length", Number, "h.content_length"),
        ("content_type", Text, "h.content_type"),
        ("media_type", Text, "h.media_type"),
        ("suffix", Text, "h.suffix"),
        ("content_encoding", Text, "h.content_encoding"),
        ("content_language", Text, "h.content_language"),
        ("content_location", Text, "h.content_location"),
        ("location", Text, "h.location"),
        ("charset", Text, "h.charset"),
        ("date", Time, "h.date"),
        ("expires", Time, "h.expires"),
        ("last_modified", Time, "h.last_modified"),
        ("has_www_authenticate", Flag, "h.has_www_authenticate"),
        ("has_cache_control", Flag, "h.has_cache_control"),
        ("has_content_md5", Flag, "h.has_content_md5"),
        ("has_pragma", Flag, "h.has_pragma"),
        ("has_set_cookie", Flag, "h.has_set_cookie"),
        ("payload_length", Number, "h.payload_length"),
        ("payload_digest", Text, "h.payload_digest"),
        ("truncated", Text, "h.truncated"),
        ("tls_problem", Text, "h.tls_problem"),
        ("storage", Text, "h.storage"),
        ("not_stored_reason", Text, "h.not_stored_reason"),
        ("warc_file", Text, "h.warc_file"),
        ("warc_offset", Number, "h.warc_offset"),
        ("warc_length", Number, "h.warc_length"),
        ("record_id", Text, "h.record_id"),
        ("original_id", Number, "h.original_id"),
        ("oddities", Kinds, "h.oddities"),
    ];
    let joined = "http_header h JOIN server_info s ON s.id = h.server_id \
        LEFT JOIN request r ON r.id = h.request_id LEFT JOIN run u ON u.id = h.run_id";
    let source = from(joined, "http_header", &[("h.id", ByNumber)]);
    ExportTable::new("captures", TableReach::Requests, columns, source)
        .divided("round", "CAST(u.round_id AS TEXT)")
        .hanging_on("h.request_id")
}

fn headers() -> ExportTable {
    let columns: &[Told] =
        &[("capture_id", Number, "h.id"), ("value", HeaderLines, "h.raw_header")];
    let source = from("http_header h", "http_header", &[("h.id", ByNumber)]);
    ExportTable::new("headers", TableReach::Requests, columns, source).hanging_on("h.request_id")
}

fn statements(run: i64) -> ExportTable {
    let columns: &[Told] = &[
        ("run_id", Number, "t.run_id"),
        ("content_id", Number, "t.capture_id"),
        ("field", Text, "t.field"),
        ("rank", Number, "t.rank"),
        ("chosen", Flag, "t.chosen"),
        ("weight", Fraction, "t.weight"),
        ("initial", Fraction, "t.initial"),
        ("value", Text, "t.value"),
        ("rule", Text, "t.rule"),
        ("rules", Texts, "t.rules"),
        ("place_kind", Text, "t.place_kind"),
        ("place", Text, "t.place"),
        ("origin", Text, "t.origin"),
        ("parts", Text, "t.parts"),
    ];
    let keys = [("t.capture_id", ByNumber), ("t.field", ByText), ("t.rank", ByNumber)];
    let source = from("statement t", format!("statement WHERE run_id = {run}"), &keys);
    ExportTable::new("statements", TableReach::Bodies, columns, source)
        .only(format!("t.run_id = {run}"))
        .hanging_on("t.capture_id")
}

fn links() -> ExportTable {
    let columns: &[Told] = &[
        ("content_id", Number, "l.capture_id"),
        ("linked_id", Number, "l.request_id"),
        ("links_to", Text, "r.url"),
        ("kind", Text, "l.kind"),
        ("text", Text, "l.text"),
    ];
    let keys = [("l.capture_id", ByNumber), ("l.request_id", ByNumber)];
    let joined = "content_link l LEFT JOIN request r ON r.id = l.request_id";
    let source = from(joined, "content_link", &keys);
    ExportTable::new("links", TableReach::Bodies, columns, source).hanging_on("l.capture_id")
}

fn features() -> ExportTable {
    let columns: &[Told] = &[
        ("content_id", Number, "f.capture_id"),
        ("name", Text, "f.name"),
        ("value", Fraction, "f.value"),
    ];
    let keys = [("f.capture_id", ByNumber), ("f.name", ByText)];
    let source = from("content_feature f", "content_feature", &keys);
    ExportTable::new("features", TableReach::Bodies, columns, source).hanging_on("f.capture_id")
}

fn elements() -> ExportTable {
    let columns: &[Told] = &[
        ("content_id", Number, "e.capture_id"),
        ("element", Text, "e.element"),
        ("count", Number, "e.count"),
    ];
    let keys = [("e.capture_id", ByNumber), ("e.element", ByText)];
    let source = from("content_element e", "content_element", &keys);
    ExportTable::new("elements", TableReach::Bodies, columns, source).hanging_on("e.capture_id")
}

/// With the type a change is counted under: what vanished or was confirmed has that of the document it was.
fn versions() -> ExportTable {
    let columns: &[Told] = &[
        ("request_id", Number, "v.request_id"),
        ("url", Text, "r.url"),
        ("host", Text, "s.name"),
        ("institution", Text, "s.label"),
        ("round_id", Number, "v.round_id"),
        ("change", Text, "v.change"),
        (
            "media_type",
            Text,
            "CASE WHEN v.change IN ('new', 'changed', 'markup') \
          THEN h.media_type ELSE COALESCE(p.media_type, h.media_type) END",
        ),
        ("status", Number, "h.status"),
        ("captured", Time, "h.captured_at"),
        ("words_added", Number, "v.words_added"),
        ("words_removed", Number, "v.words_removed"),
        ("words_kept", Number, "v.words_kept"),
        ("capture_id", Number, "v.capture_id"),
        ("previous_capture_id", Number, "v.previous_capture"),
    ];
    let joined = "version v JOIN request r ON r.id = v.request_id \
        JOIN server_info s ON s.id = r.server_id LEFT JOIN http_header h ON h.id = v.capture_id \
        LEFT JOIN http_header p ON p.id = v.previous_capture";
    let keys = [("v.request_id", ByNumber), ("v.round_id", ByNumber)];
    let source = from(joined, "version", &keys);
    ExportTable::new("versions", TableReach::Requests, columns, source).hanging_on("v.request_id")
}

fn rounds() -> ExportTable {
    let columns: &[Told] = &[
        ("round_id", Number, "o.id"),
        ("kind", Text, "o.kind"),
        ("started", Time, "o.started"),
        ("ended", Time, "o.ended"),
        ("requests", Number, "o.requests"),
        ("words", Number, "o.words"),
        ("distinct_words", Number, "o.distinct_words"),
    ];
    let source = from("round o", "round", &[("o.id", ByNumber)]);
    ExportTable::new("rounds", TableReach::Harvest, columns, source)
}

fn servers() -> ExportTable {
    let columns: &[Told] = &[
        ("server_id", Number, "s.id"),
        ("scheme", Text, "s.scheme"),
        ("host", Text, "s.name"),
        ("port", Number, "s.port"),
        ("institution", Text, "s.label"),
        ("server_type", Text, "s.server_type"),
        ("http_version", Text, "s.http_version"),
        ("address", Text, "q.address"),
        ("first_seen", Time, "s.first_seen"),
        ("captures", Number, "q.captures"),
        ("bytes", Number, "q.bytes"),
    ];
    let joined = "server_info s LEFT JOIN server_queue q ON q.server_id = s.id";
    let source = from(joined, "server_info", &[("s.id", ByNumber)]);
    ExportTable::new("servers", TableReach::Harvest, columns, source)
}

fn institutions() -> ExportTable {
    let columns: &[Told] = &[("label", Text, "i.label"), ("root_url", Text, "i.root_url")];
    let source = from("institution i", "institution", &[("i.id", ByNumber)]);
    ExportTable::new("institutions", TableReach::Harvest, columns, source)
}

fn databases() -> ExportTable {
    let columns: &[Told] = &[
        ("database_id", Number, "b.id"),
        ("kind", Text, "b.kind"),
        ("cooperation", Text, "b.cooperation"),
        ("url", Text, "b.url"),
        ("host", Text, "b.host"),
        ("title", Text, "b.title"),
        ("capture_id", Number, "b.capture_id"),
        ("found", Time, "b.found_at"),
        ("planned", Number, "b.planned"),
        ("refusal", Text, "b.refusal"),
        ("asked", Time, "b.asked_at"),
        ("complete", Flag, "b.complete"),
        ("queries", Number, "b.queries"),
        ("pages", Number, "b.pages"),
        ("failed", Number, "b.failed"),
        ("requests", Number, "b.requests"),
        ("bytes", Number, "b.bytes"),
        ("truncated", Number, "b.truncated"),
        ("stopped", Text, "b.stopped"),
        ("coverage", Fraction, "b.coverage"),
    ];
    let source = from("hidden_database b", "hidden_database", &[("b.id", ByNumber)]);
    ExportTable::new("databases", TableReach::Apart, columns, source)
}

fn database_values() -> ExportTable {
    let columns: &[Told] = &[
        ("database_id", Number, "v.database_id"),
        ("attribute", Text, "v.attribute"),
        ("rank", Number, "v.rank"),
        ("value", Text, "v.value"),
        ("query", Text, "v.query"),
    ];
    let keys = [("v.database_id", ByNumber), ("v.attribute", ByText), ("v.rank", ByNumber)];
    let source = from("hidden_value v", "hidden_value", &keys);
    ExportTable::new("database_values", TableReach::Apart, columns, source)
}

fn records() -> ExportTable {
    let columns: &[Told] = &[
        ("record_id", Number, "e.id"),
        ("database_id", Number, "e.database_id"),
        ("identifier", Text, "e.identifier"),
        ("datestamp", Text, "e.datestamp"),
        ("deleted", Flag, "e.deleted"),
        ("url", Text, "e.url"),
        ("fields", Text, "e.fields"),
        ("stored", Time, "e.stored_at"),
    ];
    let source = from("hidden_record e", "hidden_record", &[("e.id", ByNumber)]);
    ExportTable::new("records", TableReach::Apart, columns, source)
}
