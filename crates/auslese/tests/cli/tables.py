"""Compares the Parquet tables of an export with the catalog they come from, row by row.

    tables.py TABLES CATALOG        all rows and values
    tables.py TABLES --kept         an export of the corpus only
"""

import sqlite3
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds

TIME = pa.timestamp("us", tz="UTC")
CURRENT_RUN = "(SELECT run_id FROM describe_run WHERE finished = 1 ORDER BY turn DESC LIMIT 1)"

# For each table, what to ask the catalog, and the columns that must be equal.
QUESTIONS = {
    "captures": (
        "SELECT h.id, h.request_id, r.url, s.name, h.status, h.captured_at, h.last_modified, h.has_cache_control,"
        " h.payload_digest, h.media_type, h.storage, h.warc_file, h.warc_offset, u.round_id FROM http_header h"
        " JOIN server_info s ON s.id = h.server_id LEFT JOIN request r ON r.id = h.request_id"
        " LEFT JOIN run u ON u.id = h.run_id",
        "capture_id request_id url host status captured last_modified has_cache_control payload_digest media_type"
        " storage warc_file warc_offset round_id",
    ),
    "documents": (
        "SELECT d.request_id, d.url, d.server, d.label, d.keeping, d.rule, d.status, d.media_type, d.size, d.language,"
        " d.share_words, d.words, d.title, d.gone, d.content_id FROM documents d",
        "request_id url host institution keeping rule status media_type size language share_words words title gone"
        " content_id",
    ),
    "statements": (
        "SELECT run_id, capture_id, field, rank, chosen, weight, initial, value, rule, place_kind, place, origin"
        f" FROM statement WHERE run_id = {CURRENT_RUN}",
        "run_id content_id field rank chosen weight initial value rule place_kind place origin",
    ),
    "links": (
        "SELECT l.capture_id, l.request_id, r.url, l.kind, l.text FROM content_link l"
        " JOIN request r ON r.id = l.request_id",
        "content_id linked_id links_to kind text",
    ),
    "features": ("SELECT capture_id, name, value FROM content_feature", "content_id name value"),
    "elements": ("SELECT capture_id, element, count FROM content_element", "content_id element count"),
    "versions": (
        "SELECT v.request_id, v.url, v.server, v.round_id, v.change, v.status, v.words_added, v.words_removed,"
        " v.words_kept, v.capture_id, v.previous_capture FROM versions v",
        "request_id url host round_id change status words_added words_removed words_kept capture_id"
        " previous_capture_id",
    ),
    "rounds": (
        "SELECT id, kind, started, ended, requests, words, distinct_words FROM round",
        "round_id kind started ended requests words distinct_words",
    ),
    "servers": (
        "SELECT s.id, s.scheme, s.name, s.port, s.label, s.server_type, q.captures, q.bytes FROM server_info s"
        " LEFT JOIN server_queue q ON q.server_id = s.id",
        "server_id scheme host port institution server_type captures bytes",
    ),
    "institutions": ("SELECT label, root_url FROM institution", "label root_url"),
    "databases": (
        "SELECT id, kind, cooperation, url, host, title, complete, queries, coverage FROM hidden_database",
        "database_id kind cooperation url host title complete queries coverage",
    ),
    "database_values": (
        "SELECT database_id, attribute, rank, value, query FROM hidden_value",
        "database_id attribute rank value query",
    ),
    "records": (
        "SELECT id, database_id, identifier, datestamp, deleted, url, fields FROM hidden_record",
        "record_id database_id identifier datestamp deleted url fields",
    ),
}


def table(folder, name):
    return ds.dataset(folder / name, format="parquet", partitioning="hive").to_table()


def rows(found, columns):
    """Rows as the catalog has them: times and flags are numbers there."""
    plain = []
    for name in columns:
        column = found.column(name)
        if pa.types.is_timestamp(column.type):
            assert column.type == TIME, (name, column.type)
            column = column.cast(pa.int64())
        elif pa.types.is_boolean(column.type):
            column = column.cast(pa.int64())
        plain.append(column.to_pylist())
    return sorted(zip(*plain), key=repr)


def header_lines(raw):
    """The lines of a header without continuations, as Python cuts them."""
    lines = raw.replace(b"\r\n", b"\n").split(b"\n\n")[0].split(b"\n")[1:]
    parts = [line.partition(b":") for line in lines]
    return [(name.decode().strip(), value.decode().strip()) for name, _, value in parts]


def compare(folder, catalog):
    db = sqlite3.connect(f"file:{catalog}?mode=ro", uri=True)
    names = {path.name for path in folder.iterdir()}
    assert names == {*QUESTIONS, "headers"}, names
    for name, (sql, columns) in QUESTIONS.items():
        columns = columns.split()
        seen = rows(table(folder, name), columns)
        stored = sorted(db.execute(sql).fetchall(), key=repr)
        assert len(seen) == len(stored), (name, len(seen), len(stored))
        for one, other in zip(seen, stored):
            assert one == other, (name, one, other)
        print(name, len(seen))
    compare_headers(table(folder, "headers"), db)
    lists(table(folder, "documents"), table(folder, "captures"), table(folder, "statements"), db)


def compare_headers(headers, db):
    lines = {}
    for row in sorted(headers.to_pylist(), key=lambda row: (row["capture_id"], row["position"])):
        found = lines.setdefault(row["capture_id"], [])
        assert row["position"] == len(found) + 1, row
        found.append((row["name"], row["value"]))
    compared = 0
    for capture, raw in db.execute("SELECT id, raw_header FROM http_header"):
        if b"\n " in raw or b"\n\t" in raw or any(byte > 127 for byte in raw):
            continue
        assert lines.get(capture, []) == header_lines(raw), (capture, raw)
        compared += 1
    assert compared > 100, compared
    print("headers", headers.num_rows)


def lists(documents, captures, statements, db):
    kept = zip(documents["kept"].to_pylist(), documents["keeping"].to_pylist())
    assert all((part == "true") == (keeping == "kept") for part, keeping in kept)
    rounds = zip(captures["round"].to_pylist(), captures["round_id"].to_pylist())
    assert all(part == number for part, number in rounds)
    assert documents.schema.field("languages").type.value_type == pa.string()
    shares = {
        (row["content_id"], language, round(share, 12))
        for row in documents.select(["content_id", "languages", "language_shares"]).to_pylist()
        for language, share in zip(row["languages"], row["language_shares"])
    }
    stored = db.execute(
        "SELECT l.capture_id, l.language, l.share FROM content_languages l"
        " WHERE l.capture_id IN (SELECT content_id FROM document)"
    )
    stored = {(content, language, round(share, 12)) for content, language, share in stored}
    assert shares == stored and shares, shares ^ stored
    oddities = sum(map(len, captures["oddities"].to_pylist()))
    assert oddities == db.execute("SELECT COUNT(*) FROM oddities").fetchone()[0] > 0
    assert any(len(rules) > 1 for rules in statements["rules"].to_pylist())


def compare_kept(folder):
    """Only what hangs on documents of the corpus is there."""
    documents = table(folder, "documents")
    assert set(documents["keeping"].to_pylist()) == {"kept"}
    requests, bodies = set(documents["request_id"].to_pylist()), set(documents["content_id"].to_pylist())
    captures = table(folder, "captures")
    assert set(captures["request_id"].to_pylist()) == requests
    assert set(table(folder, "headers")["capture_id"].to_pylist()) == set(captures["capture_id"].to_pylist())
    assert set(table(folder, "versions")["request_id"].to_pylist()) <= requests
    for name in ("statements", "links", "features", "elements"):
        owners = set(table(folder, name)["content_id"].to_pylist())
        assert owners and owners <= bodies, name
    names = {path.name for path in folder.iterdir()}
    assert names == {*QUESTIONS, "headers"} - {"databases", "database_values", "records"}, names
    print("documents", documents.num_rows)


if __name__ == "__main__":
    tables, catalog = sys.argv[1:]
    compare_kept(Path(tables)) if catalog == "--kept" else compare(Path(tables), catalog)
