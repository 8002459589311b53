-- Version 9: databases behind forms and other interfaces, what was found in them, and records of
-- repositories.

-- The key is a digest of kind and address: addresses may be longer than an index takes.
CREATE TABLE hidden_database (
    id           {id},
    key          {bytes} NOT NULL,
    kind         TEXT NOT NULL,
    cooperation  TEXT NOT NULL,
    url          TEXT NOT NULL,
    host         TEXT NOT NULL,
    capture_id   BIGINT,
    found_at     BIGINT NOT NULL,
    title        TEXT,
    about        TEXT NOT NULL,
    plan         TEXT,
    planned      BIGINT,
    refusal      TEXT,
    asking_since BIGINT,
    asked_by     BIGINT,
    asked_at     BIGINT,
    complete     BIGINT NOT NULL,
    queries      BIGINT NOT NULL,
    pages        BIGINT NOT NULL,
    failed       BIGINT NOT NULL,
    requests     BIGINT NOT NULL,
    bytes        BIGINT NOT NULL,
    truncated    BIGINT,
    stopped      TEXT,
    coverage     DOUBLE PRECISION,
    next_from    TEXT,
    problems     TEXT NOT NULL
);
CREATE UNIQUE INDEX hidden_database_key ON hidden_database (key);
INSERT INTO next_number (kind, next) VALUES ('hidden database', 1), ('hidden record', 1);

-- The different values of an attribute, in the order in which they were first seen; `query` is the
-- address that shows the value, where one does.
CREATE TABLE hidden_value (
    database_id BIGINT NOT NULL,
    attribute   TEXT NOT NULL,
    rank        BIGINT NOT NULL,
    value       TEXT NOT NULL,
    query       TEXT,
    PRIMARY KEY (database_id, attribute, rank)
) {clustered};

CREATE TABLE hidden_record (
    id          {id},
    database_id BIGINT NOT NULL,
    key         {bytes} NOT NULL,
    identifier  TEXT NOT NULL,
    datestamp   TEXT NOT NULL,
    deleted     BIGINT NOT NULL,
    url         TEXT,
    fields      TEXT NOT NULL,
    mark        BIGINT NOT NULL,
    stored_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX hidden_record_key ON hidden_record (database_id, key);

CREATE VIEW databases AS
SELECT id, kind, cooperation, url, host, title, planned, refusal, {time asked_at} AS asked_at, complete,
       queries, pages, failed, requests, bytes, truncated, stopped, coverage, problems
FROM hidden_database;

CREATE VIEW database_values AS
SELECT d.id AS database_id, d.url, v.attribute, v.rank, v.value, v.query
FROM hidden_value v JOIN hidden_database d ON d.id = v.database_id;

CREATE VIEW records AS
SELECT r.id, d.url AS repository, r.identifier, r.datestamp, r.deleted, r.url, r.fields
FROM hidden_record r JOIN hidden_database d ON d.id = r.database_id;
