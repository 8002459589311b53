-- Version 16: the current run of describing is the one that reached its end last, not the one with the highest number:
-- a run may be continued after others were made.

ALTER TABLE describe_run ADD COLUMN turn BIGINT;
UPDATE describe_run SET turn = run_id WHERE finished = 1;

DROP VIEW descriptions;
DROP VIEW citations;

-- By the current run.
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
WHERE d.run_id = (SELECT run_id FROM describe_run WHERE finished = 1 ORDER BY turn DESC LIMIT 1);

-- By the current run.
CREATE VIEW citations AS
SELECT c.run_id, r.url, c.entry, c.text, t.url AS cites, c.score, c.evidence, c.parts,
       c.capture_id, c.citing_id, c.cited_id
FROM citation c
JOIN request r ON r.id = c.citing_id
LEFT JOIN request t ON t.id = c.cited_id
WHERE c.run_id = (SELECT run_id FROM describe_run WHERE finished = 1 ORDER BY turn DESC LIMIT 1);
