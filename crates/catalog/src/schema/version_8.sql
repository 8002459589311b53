-- Version 8: people. Who changed what, and what people say about documents, hosts and rules.

CREATE TABLE change (
    id      {id},
    at      BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    role    TEXT NOT NULL,
    deed    TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail  TEXT NOT NULL
);
INSERT INTO next_number (kind, next) VALUES ('change', 1);

-- The key is a digest of what the remark is about: addresses may be longer than an index takes.
CREATE TABLE remark (
    id        {id},
    key       {bytes} NOT NULL,
    about     TEXT NOT NULL,
    subject   TEXT NOT NULL,
    answer_to BIGINT,
    at        BIGINT NOT NULL,
    made_by   TEXT NOT NULL,
    edition   BIGINT NOT NULL,
    edited    BIGINT,
    withdrawn BIGINT,
    body      TEXT NOT NULL
);
CREATE INDEX remark_subject ON remark (key, {row});
INSERT INTO next_number (kind, next) VALUES ('remark', 1);

CREATE VIEW changes AS
SELECT id, {time at} AS at, made_by, role, deed, subject, detail FROM change;

CREATE VIEW remarks AS
SELECT id, about, subject, answer_to, {time at} AS at, made_by, {time edited} AS edited, body
FROM remark WHERE withdrawn IS NULL;
