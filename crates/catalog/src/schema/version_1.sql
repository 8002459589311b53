-- Version 1 of the catalog. Words in braces differ between the engines, see schema.rs.
-- Times are microseconds since 1970-01-01 UTC, flags are 0 or 1; the views show readable times.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE next_number (
    kind TEXT PRIMARY KEY,
    next BIGINT NOT NULL
);

CREATE TABLE institution (
    id       {id},
    label    TEXT NOT NULL UNIQUE,
    root_url TEXT NOT NULL
);

CREATE TABLE server_info (
    id           {id},
    scheme       TEXT NOT NULL,
    name         TEXT NOT NULL,
    port         BIGINT NOT NULL,
    server_type  TEXT,
    http_version TEXT,
    label        TEXT,
    first_seen   BIGINT NOT NULL,
    UNIQUE (name, scheme, port)
);

CREATE TABLE server_queue (
    server_id    {id},
    address      TEXT,
    last_end     BIGINT NOT NULL DEFAULT 0,
    next_at      BIGINT NOT NULL DEFAULT 0,
    delay_ms     BIGINT NOT NULL DEFAULT 0,
    failures     BIGINT NOT NULL DEFAULT 0,
    leased_by    TEXT,
    leased_until BIGINT,
    epoch        BIGINT NOT NULL DEFAULT 0,
    captures     BIGINT NOT NULL DEFAULT 0,
    bytes        BIGINT NOT NULL DEFAULT 0,
    idle         BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX server_queue_next ON server_queue (next_at, server_id) WHERE idle = 0;
CREATE INDEX server_queue_leased ON server_queue (leased_by) WHERE leased_by IS NOT NULL;

CREATE TABLE robots (
    server_id {id},
    fetched   BIGINT NOT NULL,
    expires   BIGINT NOT NULL,
    status    BIGINT NOT NULL,
    body      {bytes} NOT NULL
);

CREATE TABLE request (
    id         {id},
    key        {bytes} NOT NULL,
    server_id  BIGINT NOT NULL,
    method     TEXT NOT NULL,
    url        TEXT NOT NULL,
    body_type  TEXT,
    body       {bytes},
    state      TEXT NOT NULL,
    priority   BIGINT NOT NULL,
    hops       TEXT NOT NULL,
    via        BIGINT,
    attempts   BIGINT NOT NULL DEFAULT 0,
    not_before BIGINT NOT NULL DEFAULT 0,
    cause_kind TEXT,
    cause      TEXT,
    capture_id BIGINT,
    found_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX request_key ON request (key);
CREATE INDEX request_queued ON request (server_id, priority, {row}) WHERE state = 'queued';
CREATE INDEX request_parked ON request (server_id, {row}) WHERE state = 'parked';
CREATE INDEX request_unfetched ON request (state, cause_kind, {row})
    WHERE state IN ('failed', 'refused');

CREATE TABLE http_header (
    id                   {id},
    partial_uri          TEXT NOT NULL,
    corpus_file          TEXT,
    server_id            BIGINT NOT NULL,
    status               BIGINT NOT NULL,
    content_length       BIGINT,
    content_type         TEXT,
    content_encoding     TEXT,
    content_language     TEXT,
    content_location     TEXT,
    location             TEXT,
    date                 BIGINT,
    expires              BIGINT,
    last_modified        BIGINT,
    has_www_authenticate BIGINT NOT NULL,
    has_cache_control    BIGINT NOT NULL,
    has_content_md5      BIGINT NOT NULL,
    has_pragma           BIGINT NOT NULL,
    has_set_cookie       BIGINT NOT NULL,
    request_id           BIGINT NOT NULL,
    run_id               BIGINT NOT NULL,
    captured_at          BIGINT NOT NULL,
    duration_ms          BIGINT NOT NULL,
    address              TEXT,
    http_version         TEXT NOT NULL,
    payload_length       BIGINT NOT NULL,
    payload_digest       TEXT,
    payload_prefix       BIGINT,
    truncated            TEXT,
    tls_problem          TEXT,
    charset              TEXT,
    storage              TEXT NOT NULL,
    not_stored_reason    TEXT,
    warc_file            TEXT,
    warc_offset          BIGINT,
    warc_length          BIGINT,
    record_id            TEXT,
    original_id          BIGINT,
    oddities             TEXT,
    raw_header           {bytes} NOT NULL
);
CREATE INDEX http_header_request ON http_header (request_id);
CREATE INDEX http_header_payload ON http_header (payload_prefix, {row}) WHERE storage = 'stored';

CREATE TABLE tally (
    kind     TEXT NOT NULL,
    name     TEXT NOT NULL,
    captures BIGINT NOT NULL,
    bytes    BIGINT NOT NULL,
    PRIMARY KEY (kind, name)
);

CREATE TABLE run (
    id              {id},
    stage           TEXT NOT NULL,
    started         BIGINT NOT NULL,
    ended           BIGINT,
    worker          TEXT NOT NULL,
    outcome         TEXT,
    config          TEXT NOT NULL,
    config_digest   TEXT NOT NULL,
    program_version TEXT NOT NULL,
    last_window     BIGINT NOT NULL
);

CREATE TABLE warc_file (
    name    TEXT PRIMARY KEY,
    length  BIGINT NOT NULL,
    records BIGINT NOT NULL,
    closed  BIGINT NOT NULL,
    run_id  BIGINT NOT NULL
);

CREATE TABLE control (
    id         {id},
    written_at BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    body       TEXT NOT NULL,
    applied_at BIGINT
);
CREATE INDEX control_new ON control ({row}) WHERE applied_at IS NULL;

CREATE VIEW servers AS
SELECT s.id, s.scheme || '://' || s.name || ':' || s.port AS origin, s.name, s.label, s.server_type,
       s.http_version, q.address, {time s.first_seen} AS first_seen, {time q.last_end} AS last_end,
       {time q.next_at} AS next_at, q.delay_ms, q.failures, q.leased_by, q.captures, q.bytes
FROM server_info s LEFT JOIN server_queue q ON q.server_id = s.id;

CREATE VIEW requests AS
SELECT r.id, r.method, r.url, s.name AS server, s.label, r.state, r.cause_kind, r.cause, r.priority,
       r.hops, v.url AS via_url, r.attempts, {time r.found_at} AS found,
       {time r.not_before} AS not_before, r.capture_id
FROM request r JOIN server_info s ON s.id = r.server_id LEFT JOIN request v ON v.id = r.via;

CREATE VIEW captures AS
SELECT h.id, r.method, r.url, s.name AS server, s.label, {time h.captured_at} AS captured, h.status,
       h.content_type, h.content_language, h.charset, h.payload_length, h.payload_digest,
       {time h.date} AS date, {time h.expires} AS expires, {time h.last_modified} AS last_modified,
       h.location, h.truncated, h.storage, h.not_stored_reason, h.warc_file, h.warc_offset,
       h.record_id, h.original_id, h.run_id
FROM http_header h
JOIN server_info s ON s.id = h.server_id
LEFT JOIN request r ON r.id = h.request_id;

CREATE VIEW oddities AS
SELECT h.id AS capture_id, o.value ->> 'kind' AS kind, o.value ->> 'detail' AS detail
FROM {each_oddity};

CREATE VIEW runs AS
SELECT id, stage, worker, {time started} AS started, {time ended} AS ended, outcome,
       program_version, config_digest
FROM run;
