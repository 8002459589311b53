#!/usr/bin/env python3
"""The numbers of `auslese stats` and `auslese rounds compare`, from the Parquet tables of a harvest, with Spark.

    auslese export --format parquet --out tables --dir giessen
    spark-submit paper_table_spark.py tables             # or: python paper_table_spark.py tables
    python paper_table_spark.py tables changes           # one: institutions, features, changes or counts

Prints the same CSV as paper_table.py; `counts` are the rows of each table. Needs PySpark 3.5 or later (pip install
pyspark) and Java 17. The folder may be any address that Spark reads, such as s3a://bucket/tables.
"""

import csv
import sys

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

TABLES = [
    "captures", "database_values", "databases", "documents", "elements", "features", "headers", "institutions",
    "links", "records", "rounds", "servers", "statements", "versions",
]
CHANGES = ["new", "unchanged", "changed", "markup", "vanished", "error"]


class Harvest:
    """The tables of an export by name."""

    def __init__(self, spark: SparkSession, folder: str):
        self.spark, self.folder = spark, folder.rstrip("/")

    def table(self, name: str) -> DataFrame:
        return self.spark.read.parquet(f"{self.folder}/{name}")


def joined(left: DataFrame, right: DataFrame) -> DataFrame:
    """Rows of the same institution; documents without one belong together."""
    right = right.withColumnRenamed("institution", "other")
    return left.join(right, F.col("institution").eqNullSafe(F.col("other")), "left").drop("other")


def institutions(harvest: Harvest):
    """The paper's table: servers, documents in all and in the corpus, the four most frequent types."""
    yield [
        "institution", "servers", "documents", "data", "of unknown size",
        "in the corpus", "data in the corpus", "most frequent types",
    ]
    documents = harvest.table("documents").where("is_document")
    servers = harvest.table("servers").where("captures > 0")
    labels = (
        harvest.table("institutions").select(F.col("label").alias("institution"))
        .union(servers.select("institution")).union(documents.select("institution")).distinct()
    )
    kept = F.col("keeping") == "kept"
    amounts = documents.groupBy("institution").agg(
        F.count("*").alias("documents"),
        F.sum("size").alias("data"),
        (F.count("*") - F.count("size")).alias("unknown"),
        F.count(F.when(kept, 1)).alias("kept"),
        F.sum(F.when(kept, F.col("size"))).alias("kept_data"),
    )
    by_count = Window.partitionBy("institution").orderBy(F.desc("count"), "media_type")
    types = (
        documents.where("media_type IS NOT NULL").groupBy("institution", "media_type").count()
        .withColumn("place", F.row_number().over(by_count)).where("place <= 4")
        .groupBy("institution")
        .agg(F.sort_array(F.collect_list(F.struct("place", "media_type", "count"))).alias("types"))
    )
    table = joined(labels, servers.groupBy("institution").agg(F.count("*").alias("servers")))
    table = joined(joined(table, amounts), types)
    for row in table.orderBy(F.asc_nulls_first("institution")).collect():
        numbers = [row[name] or 0 for name in ("servers", "documents", "data", "unknown", "kept", "kept_data")]
        named = ", ".join(f"{it['media_type']} {it['count']}" for it in row["types"] or [])
        yield [row["institution"] or "", *numbers, named]


def features(harvest: Harvest):
    """The range of each feature over the documents of the corpus."""
    yield ["feature", "documents", "mean", "least", "greatest"]
    corpus = harvest.table("documents").where("keeping = 'kept'").select("content_id")
    found = (
        corpus.join(harvest.table("features"), "content_id").groupBy("name")
        .agg(F.count("*"), F.avg("value"), F.min("value"), F.max("value")).orderBy("name")
    )
    yield from (list(row) for row in found.collect())


def changes(harvest: Harvest):
    """What became of the documents in the last round, by server and type."""
    yield ["server", "type", *CHANGES, "words added", "words removed"]
    last = harvest.table("rounds").agg(F.max("round_id")).first()[0]
    counts = [F.count(F.when(F.col("change") == change, 1)) for change in CHANGES]
    words = [F.coalesce(F.sum(column), F.lit(0)) for column in ("words_added", "words_removed")]
    found = (
        harvest.table("versions").where(F.col("round_id") == last).groupBy("host", "media_type")
        .agg(*counts, *words).orderBy("host", F.asc_nulls_first("media_type"))
    )
    for server, media_type, *numbers in found.collect():
        yield [server, media_type or "", *numbers]


def counts(harvest: Harvest):
    """The rows of each table. An export of some documents has no databases."""
    yield ["table", "rows"]
    for name in TABLES:
        yield [name, harvest.table(name).count()]


def main() -> None:
    folder, *named = sys.argv[1:] or sys.exit(__doc__)
    tables = {"institutions": institutions, "features": features, "changes": changes, "counts": counts}
    if not set(named) <= set(tables):
        sys.exit(f"there are {', '.join(tables)}")
    spark = SparkSession.builder.appName("auslese").getOrCreate()
    write = csv.writer(sys.stdout, lineterminator="\n")
    for name in named or ["institutions", "features", "changes"]:
        write.writerows(tables[name](Harvest(spark, folder)))
    spark.stop()


if __name__ == "__main__":
    main()
