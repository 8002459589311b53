-- Version 4: a server's trouble does not hide the document it answered with before.

DROP VIEW documents;
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
-- An answer that says "not modified" stands for the document it confirms, and one that tells of the
-- server's trouble for the last one before.
LEFT JOIN http_header a ON a.id = CASE WHEN h.status = 304 THEN COALESCE(
    (SELECT MAX(e.id) FROM http_header e WHERE e.request_id = r.id AND e.status BETWEEN 200 AND 299),
    h.id) WHEN h.status IN (408, 425, 429) OR h.status BETWEEN 500 AND 599 THEN COALESCE(
    (SELECT MAX(e.id) FROM http_header e WHERE e.request_id = r.id
     AND e.status NOT IN (304, 408, 425, 429) AND e.status NOT BETWEEN 500 AND 599), h.id) ELSE h.id END
LEFT JOIN content c ON c.capture_id = d.content_id
LEFT JOIN request o ON o.id = d.duplicate_of
LEFT JOIN request n ON n.id = d.near_original
LEFT JOIN request l ON l.id = d.logical;
