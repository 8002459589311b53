-- Version 14: URL templates, and which of them are quarantined as traps.

-- Addresses of one make on a server: what was found of them, what they brought, and whether more are
-- asked for. `recent` has one bit for each of the last 64 pages, set if it brought something new, and
-- `leads_on` one that is set if it brought nothing new but led to addresses of its server that were not known.
CREATE TABLE url_template (
    server_id  BIGINT NOT NULL,
    template   TEXT NOT NULL,
    state      TEXT NOT NULL,
    reason     TEXT,
    offered    BIGINT NOT NULL,
    withheld   BIGINT NOT NULL,
    fetched    BIGINT NOT NULL,
    novel      BIGINT NOT NULL,
    recent     BIGINT NOT NULL,
    leads_on   BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (server_id, template)
) {clustered};
CREATE INDEX url_template_decided ON url_template (state, server_id) WHERE state <> 'open';

CREATE VIEW traps AS
SELECT s.scheme, s.name AS server, s.port, s.label, t.template, t.state, t.reason, t.offered,
       t.withheld, t.fetched, t.novel, {time t.changed_at} AS changed_at, t.server_id
FROM url_template t JOIN server_info s ON s.id = t.server_id WHERE t.state <> 'open';
