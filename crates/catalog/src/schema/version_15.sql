-- Version 15: the index of places is over a column, not over an expression, where the engine takes texts of any
-- length. SQLite copies every page that a statement may change, if a table has an index over an expression.

DROP INDEX request_place;
CREATE INDEX request_place ON request (server_id, {place}) WHERE capture_id IS NOT NULL;
