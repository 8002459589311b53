#!/usr/bin/env python3
"""The numbers of `auslese stats` and `auslese rounds compare`, from the Parquet tables of a harvest.

    auslese export --format parquet --out tables --dir giessen
    python paper_table.py tables                  # all of them
    python paper_table.py tables institutions     # one: institutions, features or changes

Prints CSV with the heads of `auslese stats institutions --format csv` and `auslese stats features --format csv`,
and what the last round has changed by server and type. Needs DuckDB (pip install duckdb).
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path

import duckdb

CHANGES = ["new", "unchanged", "changed", "markup", "vanished", "error"]


def open_tables(folder: Path) -> duckdb.DuckDBPyConnection:
    """A connection in which every table of the export is a view."""
    connection = duckdb.connect()
    for table in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = str(table / "**" / "*.parquet").replace("'", "''")
        connection.execute(
            f"CREATE VIEW {table.name} AS SELECT * FROM read_parquet('{files}', hive_partitioning = true)"
        )
    return connection


def institutions(db: duckdb.DuckDBPyConnection):
    """The paper's table: servers, documents in all and in the corpus, the four most frequent types."""
    yield [
        "institution", "servers", "documents", "data", "of unknown size",
        "in the corpus", "data in the corpus", "most frequent types",
    ]
    types = defaultdict(list)
    for institution, media_type, count in db.execute("""
        SELECT institution, media_type, count(*) AS times FROM documents
        WHERE is_document AND media_type IS NOT NULL GROUP BY institution, media_type
        QUALIFY row_number() OVER (PARTITION BY institution ORDER BY times DESC, media_type) <= 4
        ORDER BY institution, times DESC, media_type
    """).fetchall():
        types[institution].append(f"{media_type} {count}")
    for institution, *numbers in db.execute("""
        WITH labels AS (
            SELECT label AS institution FROM institutions
            UNION SELECT institution FROM servers WHERE captures > 0
            UNION SELECT institution FROM documents WHERE is_document
        ), answering AS (
            SELECT institution, count(*) AS servers FROM servers WHERE captures > 0 GROUP BY institution
        ), amounts AS (
            SELECT institution, count(*) AS documents, sum(size) AS data, count(*) - count(size) AS unknown,
                   count(*) FILTER (keeping = 'kept') AS kept,
                   sum(size) FILTER (keeping = 'kept') AS kept_data
            FROM documents WHERE is_document GROUP BY institution
        )
        SELECT l.institution, coalesce(s.servers, 0), coalesce(a.documents, 0), coalesce(a.data, 0),
               coalesce(a.unknown, 0), coalesce(a.kept, 0), coalesce(a.kept_data, 0)
        FROM labels l
        LEFT JOIN answering s ON s.institution IS NOT DISTINCT FROM l.institution
        LEFT JOIN amounts a ON a.institution IS NOT DISTINCT FROM l.institution
        ORDER BY l.institution NULLS FIRST
    """).fetchall():
        yield [institution or "", *map(int, numbers), ", ".join(types[institution])]


def features(db: duckdb.DuckDBPyConnection):
    """The range of each feature over the documents of the corpus."""
    yield ["feature", "documents", "mean", "least", "greatest"]
    yield from db.execute("""
        SELECT f.name, count(*), avg(f.value), min(f.value), max(f.value)
        FROM documents d JOIN features f ON f.content_id = d.content_id
        WHERE d.keeping = 'kept' GROUP BY f.name ORDER BY f.name
    """).fetchall()


def changes(db: duckdb.DuckDBPyConnection):
    """What became of the documents in the last round, by server and type."""
    yield ["server", "type", *CHANGES, "words added", "words removed"]
    counts = ", ".join(f"count(*) FILTER (change = '{change}')" for change in CHANGES)
    for server, media_type, *numbers in db.execute(f"""
        SELECT host, media_type, {counts}, coalesce(sum(words_added), 0), coalesce(sum(words_removed), 0)
        FROM versions WHERE round_id = (SELECT max(round_id) FROM rounds)
        GROUP BY host, media_type ORDER BY host, media_type NULLS FIRST
    """).fetchall():
        yield [server, media_type or "", *map(int, numbers)]


def main() -> None:
    folder, *named = sys.argv[1:] or sys.exit(__doc__)
    tables = {"institutions": institutions, "features": features, "changes": changes}
    if not set(named) <= set(tables):
        sys.exit(f"there are {', '.join(tables)}")
    db = open_tables(Path(folder))
    write = csv.writer(sys.stdout, lineterminator="\n")
    for name in named or tables:
        write.writerows(tables[name](db))


if __name__ == "__main__":
    main()
