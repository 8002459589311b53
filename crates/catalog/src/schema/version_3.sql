-- Version 3: the corpus. What was read out of stored bodies, which documents belong to the corpus
-- and why, the rounds of a monitor corpus with the versions of each document, and what was removed.

-- Two readings of the header, to group by: the type without its parameters, and the ending of the
-- path's last part. (Both are written by the program; this brings older rows up to date.)
ALTER TABLE http_header ADD COLUMN media_type TEXT;
ALTER TABLE http_header ADD COLUMN suffix TEXT;
UPDATE http_header SET media_type = {media_type content_type}, suffix = {last_part partial_uri};
UPDATE http_header SET suffix = CASE WHEN suffix LIKE '_%._%' AND suffix NOT LIKE '%.'
    THEN lower(substr(suffix, length(rtrim(suffix, replace(suffix, '.', ''))) + 1)) END;
UPDATE http_header SET suffix = NULL WHERE length(suffix) > 20;

-- To go through the stored bodies in order without touching the other rows.
CREATE INDEX http_header_stored ON http_header ({row}) WHERE storage = 'stored';
-- To find the revisits of a capture that is to be removed.
CREATE INDEX http_header_original ON http_header (original_id) WHERE original_id IS NOT NULL;

-- Short columns first: the tail of a long row is read only by those who ask for it.
CREATE TABLE content (
    capture_id           {id},
    reader               BIGINT NOT NULL,
    format               TEXT NOT NULL,
    examined_at          BIGINT NOT NULL,
    bytes                BIGINT NOT NULL,
    structure            BIGINT,
    language             TEXT,
    confidence           TEXT,
    share_words          DOUBLE PRECISION,
    share_chars          DOUBLE PRECISION,
    words_judged         BIGINT,
    recognised           BIGINT,
    detector             TEXT,
    detector_probability DOUBLE PRECISION,
    by_paper             BIGINT,
    characters           BIGINT NOT NULL,
    words                BIGINT NOT NULL,
    sentences            BIGINT NOT NULL,
    longest_sentence     BIGINT NOT NULL,
    paragraphs           BIGINT NOT NULL,
    boilerplate          BIGINT NOT NULL,
    links                BIGINT NOT NULL,
    images               BIGINT NOT NULL,
    scripts              BIGINT NOT NULL,
    applets              BIGINT NOT NULL,
    frames               BIGINT NOT NULL,
    forms                BIGINT NOT NULL,
    obsolete             BIGINT NOT NULL,
    proprietary          BIGINT NOT NULL,
    doctype              TEXT,
    parse_errors         BIGINT,
    conforming           BIGINT,
    generator            TEXT,
    title                TEXT,
    trouble              TEXT,
    language_reason      TEXT,
    language_shares      TEXT,
    errors               TEXT,
    parts                TEXT NOT NULL,
    signature            {bytes} NOT NULL
);

CREATE TABLE content_element (
    capture_id BIGINT NOT NULL,
    element    TEXT NOT NULL,
    count      BIGINT NOT NULL,
    PRIMARY KEY (capture_id, element)
) {clustered};

CREATE TABLE content_feature (
    capture_id BIGINT NOT NULL,
    name       TEXT NOT NULL,
    value      DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (capture_id, name)
) {clustered};

-- Which requests a page links to.
CREATE TABLE content_link (
    capture_id BIGINT NOT NULL,
    request_id BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    PRIMARY KEY (capture_id, request_id)
) {clustered};
-- To find what links to a document.
CREATE INDEX content_link_request ON content_link (request_id);

CREATE TABLE document (
    request_id      {id},
    capture_id      BIGINT,
    content_id      BIGINT,
    keeping         TEXT NOT NULL,
    rule            TEXT NOT NULL,
    reason          TEXT NOT NULL,
    duplicate_of    BIGINT,
    near_original   BIGINT,
    near_similarity DOUBLE PRECISION,
    logical         BIGINT,
    gone            BIGINT NOT NULL,
    mirror_path     TEXT,
    judged_at       BIGINT NOT NULL
);
-- To count by rule, and to list the documents of one rule in order.
CREATE INDEX document_keeping ON document (keeping, rule, request_id);
-- To find what names a removed document, and the members of a cluster.
CREATE INDEX document_duplicate ON document (duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX document_near ON document (near_original) WHERE near_original IS NOT NULL;
CREATE INDEX document_logical ON document (logical) WHERE logical IS NOT NULL;
-- To find the documents of a content.
CREATE INDEX document_content ON document (content_id) WHERE content_id IS NOT NULL;

CREATE TABLE round (
    id             {id},
    kind           TEXT NOT NULL,
    started        BIGINT NOT NULL,
    ended          BIGINT,
    requests       BIGINT NOT NULL,
    words          BIGINT,
    distinct_words BIGINT
);
INSERT INTO next_number (kind, next) VALUES ('round', 1), ('removal', 1);

ALTER TABLE run ADD COLUMN round_id BIGINT;

-- What an older catalog has is its first round.
INSERT INTO round (id, kind, started, ended, requests)
SELECT 1, 'crawl', MIN(run.started), MAX(run.ended), (SELECT COUNT(*) FROM request)
FROM run WHERE stage = 'crawl' HAVING COUNT(*) > 0;
UPDATE run SET round_id = 1 WHERE stage = 'crawl';
UPDATE next_number SET next = 2 WHERE kind = 'round' AND EXISTS (SELECT 1 FROM round);

CREATE TABLE version (
    request_id       BIGINT NOT NULL,
    round_id         BIGINT NOT NULL,
    change           TEXT NOT NULL,
    capture_id       BIGINT,
    previous_capture BIGINT,
    words_added      BIGINT,
    words_removed    BIGINT,
    words_kept       BIGINT,
    PRIMARY KEY (request_id, round_id)
) {clustered};
CREATE INDEX version_round ON version (round_id, request_id);

CREATE TABLE round_word (
    round_id BIGINT NOT NULL,
    word     TEXT {by_code_point} NOT NULL,
    count    BIGINT NOT NULL,
    PRIMARY KEY (round_id, word)
) {clustered};

CREATE TABLE removal (
    id          {id},
    at          BIGINT NOT NULL,
    request_id  BIGINT NOT NULL,
    url         TEXT NOT NULL,
    reason      TEXT NOT NULL,
    made_by     TEXT NOT NULL,
    captures    BIGINT NOT NULL,
    bytes       BIGINT NOT NULL,
    promoted    BIGINT NOT NULL,
    bereft      BIGINT NOT NULL,
    warc_files  TEXT NOT NULL
);

CREATE VIEW documents AS
SELECT d.request_id, r.url, s.name AS server, s.label, d.keeping, d.rule, d.reason, a.status,
       a.media_type, a.suffix, {size a} AS size, c.format, c.language, c.confidence, c.share_words,
       c.words, c.title, o.url AS duplicate_of, n.url AS near_original, d.near_similarity,
       l.url AS logical, d.gone, d.mirror_path, {time h.captured_at} AS captured,
       {time a.last_modified} AS last_modified, {time d.judged_at} AS judged, d.capture_id,
       d.content_id
FROM document d
JOIN request r ON r.id = d.request_id
JOIN server_info s ON s.id = r.server_id
LEFT JOIN http_header h ON h.id = d.capture_id
-- An answer that says "not modified" stands for the document it confirms.
LEFT JOIN http_header a ON a.id = CASE WHEN h.status = 304 THEN COALESCE(
    (SELECT MAX(e.id) FROM http_header e WHERE e.request_id = r.id AND e.status BETWEEN 200 AND 299),
    h.id) ELSE h.id END
LEFT JOIN content c ON c.capture_id = d.content_id
LEFT JOIN request o ON o.id = d.duplicate_of
LEFT JOIN request n ON n.id = d.near_original
LEFT JOIN request l ON l.id = d.logical;

CREATE VIEW contents AS
SELECT c.capture_id, r.url, c.format, c.title, c.language, c.confidence, c.language_reason,
       c.share_words, c.share_chars, c.words_judged, c.recognised, c.detector,
       c.detector_probability, c.by_paper, c.characters, c.words, c.sentences, c.longest_sentence,
       c.paragraphs, c.boilerplate, c.links, c.images, c.scripts, c.applets, c.frames, c.forms,
       c.obsolete, c.proprietary, c.doctype, c.parse_errors, c.conforming, c.generator, c.structure,
       c.trouble, {time c.examined_at} AS examined
FROM content c
JOIN http_header h ON h.id = c.capture_id
LEFT JOIN request r ON r.id = h.request_id;

CREATE VIEW content_languages AS
SELECT c.capture_id, l.value ->> 0 AS language, CAST(l.value ->> 1 AS DOUBLE PRECISION) AS share
FROM content c CROSS JOIN {elements c.language_shares} l;

CREATE VIEW document_links AS
SELECT d.request_id, f.url, l.kind, l.request_id AS linked_id, t.url AS links_to
FROM content_link l
JOIN document d ON d.content_id = l.capture_id
JOIN request f ON f.id = d.request_id
JOIN request t ON t.id = l.request_id;

CREATE VIEW versions AS
SELECT v.request_id, r.url, s.name AS server, s.label, v.round_id, v.change,
       {time h.captured_at} AS captured, h.status, h.media_type, v.words_added, v.words_removed,
       v.words_kept, v.capture_id, v.previous_capture
FROM version v
JOIN request r ON r.id = v.request_id
JOIN server_info s ON s.id = r.server_id
LEFT JOIN http_header h ON h.id = v.capture_id;

CREATE VIEW rounds AS
SELECT id, kind, {time started} AS started, {time ended} AS ended, requests, words, distinct_words
FROM round;

CREATE VIEW removals AS
SELECT id, {time at} AS removed, url, reason, made_by, captures, bytes, promoted, bereft, warc_files
FROM removal;
