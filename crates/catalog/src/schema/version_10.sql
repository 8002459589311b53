-- Version 10: what others recorded about documents.

-- The key of the request for a record's address; NULL as long as nobody compared them.
ALTER TABLE hidden_record ADD COLUMN about {bytes};
CREATE INDEX hidden_record_about ON hidden_record (about) WHERE about IS NOT NULL;
CREATE INDEX hidden_record_unplaced ON hidden_record ({row}) WHERE about IS NULL AND url IS NOT NULL;

-- Records that came with the seeds, such as objects of SOIF.
CREATE TABLE outside_record (
    about     {bytes} NOT NULL,
    source    TEXT NOT NULL,
    url       TEXT NOT NULL,
    fields    TEXT NOT NULL,
    stored_at BIGINT NOT NULL,
    PRIMARY KEY (about, source)
) {clustered};

-- Up to when records were heard in a run of the describing stage.
ALTER TABLE describe_run ADD COLUMN records_heard BIGINT;

CREATE VIEW outside_records AS
SELECT url, source, fields, {time stored_at} AS stored FROM outside_record;
