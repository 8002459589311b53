-- Version 2: what discovery knows. Which hosts belong to the organisation and why, what registries
-- said, what people decided, host names found without a link, and which server links to which.

CREATE TABLE host_verdict (
    host        TEXT PRIMARY KEY,
    membership  TEXT NOT NULL,
    score       DOUBLE PRECISION NOT NULL,
    case_number BIGINT,
    decided_by  TEXT,
    reason      TEXT NOT NULL,
    label       TEXT,
    in_range    BIGINT NOT NULL,
    evidence    TEXT NOT NULL,
    open        TEXT NOT NULL,
    at          BIGINT NOT NULL,
    until       BIGINT NOT NULL
);
-- To count hosts, and to go through the members in order, without reading the evidence.
CREATE INDEX host_verdict_membership ON host_verdict (membership, host, case_number, in_range);

-- The key is a digest of kind, server and question: questions may be longer than an index takes.
CREATE TABLE lookup (
    key        {bytes} PRIMARY KEY,
    kind       TEXT NOT NULL,
    server     TEXT NOT NULL,
    question   TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    answer     {bytes},
    cause_kind TEXT,
    cause      TEXT,
    at         BIGINT NOT NULL,
    until      BIGINT NOT NULL
);

CREATE TABLE hand_decision (
    pattern TEXT PRIMARY KEY,
    accept  BIGINT NOT NULL,
    note    TEXT NOT NULL,
    made_by TEXT NOT NULL,
    at      BIGINT NOT NULL
);

CREATE TABLE candidate (
    id       {id},
    host     TEXT NOT NULL,
    source   TEXT NOT NULL,
    detail   TEXT NOT NULL,
    found_at BIGINT NOT NULL,
    UNIQUE (host, source)
);
INSERT INTO next_number (kind, next) VALUES ('candidate', 1);

CREATE TABLE web_server (
    address     TEXT NOT NULL,
    port        BIGINT NOT NULL,
    vantage     TEXT NOT NULL,
    class       TEXT NOT NULL,
    reason      TEXT NOT NULL,
    names       TEXT NOT NULL,
    status      BIGINT,
    server_type TEXT,
    seen_at     BIGINT NOT NULL,
    PRIMARY KEY (address, port, vantage)
);

CREATE TABLE discovery_state (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- One row per pair of servers. Asking the requests themselves would need an index over all of
-- them; the pairs are few.
CREATE TABLE server_link (
    server_id      BIGINT NOT NULL,
    from_server_id BIGINT NOT NULL,
    PRIMARY KEY (server_id, from_server_id)
);
INSERT INTO server_link (server_id, from_server_id)
SELECT DISTINCT r.server_id, v.server_id FROM request r JOIN request v ON v.id = r.via
WHERE v.server_id <> r.server_id;

-- Requests that are taken up again when a person accepts their host.
CREATE INDEX request_refused ON request (server_id) WHERE state = 'refused';

CREATE VIEW hosts AS
SELECT host, membership, score, case_number, decided_by, reason, label, in_range,
       {time at} AS decided, {time until} AS until
FROM host_verdict;

CREATE VIEW evidence AS
SELECT h.host, h.membership, e.value ->> 'indicator' AS indicator, e.value ->> 'seen' AS seen,
       e.value ->> 'compared' AS compared,
       CAST(e.value ->> 'strength' AS DOUBLE PRECISION) AS strength, e.value ->> 'source' AS source,
       {time CAST(e.value ->> 'at' AS BIGINT)} AS seen_at
FROM host_verdict h CROSS JOIN {elements h.evidence} e;

CREATE VIEW open_questions AS
SELECT h.host, h.membership, o.value ->> 'indicator' AS indicator, o.value ->> 'why' AS why
FROM host_verdict h CROSS JOIN {elements h.open} o;

CREATE VIEW lookups AS
SELECT kind, server, question, outcome, length(answer) AS bytes, cause_kind, cause,
       {time at} AS asked, {time until} AS until
FROM lookup;

CREATE VIEW decisions AS
SELECT pattern, CASE WHEN accept = 1 THEN 'accept' ELSE 'reject' END AS decision, note, made_by,
       {time at} AS decided
FROM hand_decision;

CREATE VIEW candidates AS
SELECT c.id, c.host, c.source, c.detail, {time c.found_at} AS found, h.membership
FROM candidate c LEFT JOIN host_verdict h ON h.host = c.host;

CREATE VIEW web_servers AS
SELECT address, port, vantage, class, reason, names, status, server_type, {time seen_at} AS seen
FROM web_server;

CREATE VIEW links AS
SELECT DISTINCT f.name AS from_host, s.name AS host
FROM server_link l
JOIN server_info s ON s.id = l.server_id
JOIN server_info f ON f.id = l.from_server_id
WHERE f.name <> s.name;
