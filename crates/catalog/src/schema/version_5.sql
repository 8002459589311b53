-- Version 5: descriptions. What documents say about themselves by run of the describing stage, what
-- people marked as right or wrong, which pages lead to full texts and home pages, and the words of links.

-- The words of a link, for the document it leads to.
ALTER TABLE content_link ADD COLUMN text TEXT {by_code_point};

-- To look at the stored bodies of one server.
CREATE INDEX http_header_server ON http_header (server_id, {row}) WHERE storage = 'stored';

CREATE TABLE describe_run (
    run_id            {id},
    finished          BIGINT NOT NULL,
    heuristics        TEXT NOT NULL,
    heuristics_digest TEXT NOT NULL,
    weights_digest    TEXT NOT NULL,
    documents         BIGINT,
    statements        BIGINT,
    heuristics_text   TEXT NOT NULL,
    weights_text      TEXT
);

CREATE TABLE description (
    run_id        BIGINT NOT NULL,
    capture_id    BIGINT NOT NULL,
    class         TEXT NOT NULL,
    trouble       TEXT,
    field_weights TEXT NOT NULL,
    PRIMARY KEY (run_id, capture_id)
) {clustered};

-- Short columns first: the tail of a long row is read only by those who ask for it.
CREATE TABLE statement (
    run_id     BIGINT NOT NULL,
    capture_id BIGINT NOT NULL,
    field      TEXT NOT NULL,
    rank       BIGINT NOT NULL,
    chosen     BIGINT NOT NULL,
    weight     DOUBLE PRECISION NOT NULL,
    initial    DOUBLE PRECISION NOT NULL,
    rule       TEXT,
    place_kind TEXT,
    origin     TEXT,
    value      TEXT NOT NULL,
    place      TEXT,
    rules      TEXT NOT NULL,
    parts      TEXT,
    PRIMARY KEY (run_id, capture_id, field, rank)
) {clustered};

-- The key is a digest of field and value: values may be longer than an index takes.
CREATE TABLE mark (
    id         {id},
    key        {bytes} NOT NULL,
    capture_id BIGINT NOT NULL,
    request_id BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    field      TEXT,
    run_id     BIGINT,
    at         BIGINT NOT NULL,
    made_by    TEXT NOT NULL,
    value      TEXT,
    note       TEXT,
    UNIQUE (capture_id, key)
);
CREATE INDEX mark_request ON mark (request_id);
INSERT INTO next_number (kind, next) VALUES ('mark', 1);

CREATE TABLE full_text (
    page_id    BIGINT NOT NULL,
    target_id  BIGINT NOT NULL,
    rule       TEXT NOT NULL,
    evidence   TEXT NOT NULL,
    PRIMARY KEY (page_id, target_id)
) {clustered};
-- To find the pages of a full text.
CREATE INDEX full_text_target ON full_text (target_id);

CREATE TABLE home_page (
    request_id {id},
    home_id    BIGINT NOT NULL,
    how        TEXT NOT NULL
);
-- To find what names a removed document.
CREATE INDEX home_page_home ON home_page (home_id);

CREATE VIEW describe_runs AS
SELECT d.run_id, {time r.started} AS started, {time r.ended} AS ended, d.finished, d.heuristics,
       d.heuristics_digest, d.weights_digest, d.documents, d.statements, r.worker
FROM describe_run d JOIN run r ON r.id = d.run_id;

-- By the newest run that was finished.
CREATE VIEW descriptions AS
SELECT d.run_id, d.capture_id, h.request_id, r.url, s.name AS server, s.label,
       {time h.captured_at} AS captured, d.class,
       {first d title value} AS title, {first d title weight} AS title_weight,
       {first d title rule} AS title_rule, {all d author} AS authors,
       {all d institution} AS institutions, {first d date value} AS date,
       {first d description value} AS description, {first d abstract value} AS abstract,
       {all d keywords} AS keywords, {all d classification} AS classifications,
       {first d type value} AS type, {all d identifier} AS identifiers, d.trouble
FROM description d
JOIN http_header h ON h.id = d.capture_id
JOIN server_info s ON s.id = h.server_id
LEFT JOIN request r ON r.id = h.request_id
WHERE d.run_id = (SELECT MAX(run_id) FROM describe_run WHERE finished = 1);

CREATE VIEW statements AS
SELECT t.run_id, n.heuristics, r.url, t.field, t.rank, t.value, t.weight, t.initial, t.chosen,
       t.rule, t.place_kind, t.place, t.origin, t.capture_id, h.request_id
FROM statement t
JOIN describe_run n ON n.run_id = t.run_id
JOIN http_header h ON h.id = t.capture_id
LEFT JOIN request r ON r.id = h.request_id;

CREATE VIEW marks AS
SELECT m.id, r.url, m.kind, m.field, m.value, m.run_id, m.made_by, {time m.at} AS marked, m.note,
       m.capture_id, m.request_id
FROM mark m LEFT JOIN request r ON r.id = m.request_id;

CREATE VIEW full_texts AS
SELECT p.url, t.url AS full_text, f.rule, f.evidence, f.page_id, f.target_id
FROM full_text f JOIN request p ON p.id = f.page_id JOIN request t ON t.id = f.target_id;

CREATE VIEW home_pages AS
SELECT r.url, t.url AS home_page, p.how, p.request_id, p.home_id
FROM home_page p JOIN request r ON r.id = p.request_id JOIN request t ON t.id = p.home_id;

DROP VIEW document_links;
CREATE VIEW document_links AS
SELECT d.request_id, f.url, l.kind, l.request_id AS linked_id, t.url AS links_to, l.text
FROM content_link l
JOIN document d ON d.content_id = l.capture_id
JOIN request f ON f.id = d.request_id
JOIN request t ON t.id = l.request_id;
