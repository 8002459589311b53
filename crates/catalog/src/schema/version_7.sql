-- Version 7: looking around. Addresses that were answered can be gone through folder by folder.

-- The beginning of an address stands for it: longer ones than an index takes lie in no folder that anybody opens.
CREATE INDEX request_place ON request (server_id, (substr(url, 1, 600)) {by_code_point})
    WHERE capture_id IS NOT NULL;
