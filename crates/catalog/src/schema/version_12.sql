-- Version 12: archive files may lie in a store elsewhere.

-- When the whole of a closed file was stored under its name, and the SHA-256 of its bytes in hexadecimal
-- digits; NULL while it lies in a folder only.
ALTER TABLE warc_file ADD COLUMN stored_at BIGINT;
ALTER TABLE warc_file ADD COLUMN sha256 TEXT;
