-- Version 13: several workers do the stages after the crawl.

-- What a worker is at.
ALTER TABLE worker ADD COLUMN stage TEXT NOT NULL DEFAULT 'crawl';

-- A stage that workers do together: `phase` is the part they are at, `job` tells whether they were asked
-- for the same, `notes` is what all of them have to know.
CREATE TABLE stage_work (
    number  BIGINT PRIMARY KEY,
    stage   TEXT NOT NULL,
    run_id  BIGINT,
    job     TEXT NOT NULL,
    notes   TEXT NOT NULL,
    phase   BIGINT NOT NULL,
    started BIGINT NOT NULL,
    ended   BIGINT
);
INSERT INTO next_number (kind, next) VALUES ('stage', 1);

-- Parts of a phase: what lies between two numbers of rows. `epoch` grows with every lease; a batch with
-- an owner is done by nobody else as long as that worker is there.
CREATE TABLE stage_batch (
    work         BIGINT NOT NULL,
    phase        BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    first_id     BIGINT NOT NULL,
    last_id      BIGINT NOT NULL,
    items        BIGINT NOT NULL,
    owner        TEXT,
    leased_by    TEXT,
    leased_until BIGINT,
    epoch        BIGINT NOT NULL DEFAULT 0,
    done         BIGINT NOT NULL DEFAULT 0,
    result       TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (work, phase, number)
) {clustered};
CREATE INDEX stage_batch_open ON stage_batch (work, phase, number) WHERE done = 0;

-- Which worker's search index holds the documents between two keys; NULL: nobody's yet.
CREATE TABLE index_range (
    first_key BIGINT PRIMARY KEY,
    last_key  BIGINT NOT NULL,
    worker    TEXT
);

DROP VIEW workers;
CREATE VIEW workers AS
SELECT w.name, w.machine, w.process, w.stage, w.run_id, {time w.started} AS started,
       {time w.heartbeat} AS heartbeat, {time w.alive_until} AS alive_until, w.doing, w.captures,
       w.bytes, (SELECT COUNT(*) FROM server_queue q WHERE q.leased_by = w.name) AS servers
FROM worker w;
