-- Version 6: citations. The bibliographies that runs found, entry by entry, and the documents they cite.

-- How many descriptions there were when the bibliographies of a run were resolved.
ALTER TABLE describe_run ADD COLUMN cited BIGINT;

-- Short columns first: the tail of a long row is read only by those who ask for it.
CREATE TABLE citation (
    run_id     BIGINT NOT NULL,
    capture_id BIGINT NOT NULL,
    entry      BIGINT NOT NULL,
    citing_id  BIGINT NOT NULL,
    cited_id   BIGINT,
    score      DOUBLE PRECISION,
    evidence   TEXT,
    text       TEXT NOT NULL,
    parts      TEXT NOT NULL,
    PRIMARY KEY (run_id, capture_id, entry)
) {clustered};
-- To go from a document to those it cites, and to those that cite it.
CREATE INDEX citation_citing ON citation (citing_id) WHERE cited_id IS NOT NULL;
CREATE INDEX citation_cited ON citation (cited_id) WHERE cited_id IS NOT NULL;

-- By the newest run that was finished.
CREATE VIEW citations AS
SELECT c.run_id, r.url, c.entry, c.text, t.url AS cites, c.score, c.evidence, c.parts,
       c.capture_id, c.citing_id, c.cited_id
FROM citation c
JOIN request r ON r.id = c.citing_id
LEFT JOIN request t ON t.id = c.cited_id
WHERE c.run_id = (SELECT MAX(run_id) FROM describe_run WHERE finished = 1);
