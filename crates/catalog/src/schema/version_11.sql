-- Version 11: several workers crawl one harvest.

-- Whoever crawls, by name. `incarnation` grows whenever a process takes the name; `alive_until` is how
-- long it counts as alive without another heartbeat.
CREATE TABLE worker (
    name        TEXT PRIMARY KEY,
    identity    TEXT NOT NULL,
    incarnation BIGINT NOT NULL,
    machine     TEXT NOT NULL,
    process     BIGINT NOT NULL,
    run_id      BIGINT,
    started     BIGINT NOT NULL,
    heartbeat   BIGINT NOT NULL,
    alive_until BIGINT NOT NULL,
    doing       TEXT NOT NULL,
    captures    BIGINT NOT NULL DEFAULT 0,
    bytes       BIGINT NOT NULL DEFAULT 0,
    numbers     TEXT NOT NULL DEFAULT ''
);

-- Servers at one address are lent together: `next_at` is when the address may be asked again.
CREATE TABLE politeness_group (
    address      TEXT PRIMARY KEY,
    leased_by    TEXT,
    leased_until BIGINT,
    next_at      BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX politeness_group_leased ON politeness_group (leased_by) WHERE leased_by IS NOT NULL;

-- 1 while a leased server has requests that its worker has not heard of.
ALTER TABLE server_queue ADD COLUMN news BIGINT NOT NULL DEFAULT 0;
CREATE INDEX server_queue_address ON server_queue (address) WHERE address IS NOT NULL;

ALTER TABLE warc_file ADD COLUMN worker TEXT;
UPDATE warc_file SET worker = (SELECT run.worker FROM run WHERE run.id = warc_file.run_id);

CREATE VIEW workers AS
SELECT w.name, w.machine, w.process, w.run_id, {time w.started} AS started,
       {time w.heartbeat} AS heartbeat, {time w.alive_until} AS alive_until, w.doing, w.captures,
       w.bytes, (SELECT COUNT(*) FROM server_queue q WHERE q.leased_by = w.name) AS servers
FROM worker w;
