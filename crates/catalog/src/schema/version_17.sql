-- Version 17: the key of a request begins with where its address stands, so that pages found together lie side by
-- side in the index. The keys themselves are made by the program, which makes the index again, too.

DROP INDEX request_key;

-- Whoever asks next compares the addresses again.
UPDATE hidden_record SET about = NULL WHERE about IS NOT NULL;
