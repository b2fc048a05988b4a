-- schema-2.sql - what version 2 of the timeline has beyond sql/schema.sql:
-- sources that grow, and indexes for timelines of many incidents.
--
-- Run after it in a new timeline, and alone in one of version 1.  There, `head`
-- is of the first 64 KiB instead of 1024 bytes: what was read before is then
-- known by its whole content only, not by its beginning.

-- One row: one earlier, shorter state of a source that was read again when it
-- had grown.  What was read once stays known by its content.
CREATE TABLE source_prefix (
	source_id	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	bytes		INTEGER NOT NULL,	-- length of that state
	xxh3		TEXT NOT NULL,		-- of its bytes
	PRIMARY KEY (source_id, bytes)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_prefix_content ON source_prefix (xxh3);

-- Sources by how they begin, those too short for a whole `head` by length; and
-- by name.
CREATE INDEX source_head ON source (incident, head);
CREATE INDEX source_short ON source (incident, bytes) WHERE bytes < 1024;
CREATE INDEX source_name ON source (incident, name);

-- What the analysis looks up for each error, and for each promotion.
CREATE INDEX setting_name ON setting (incident, name);
CREATE INDEX server_event_epoch ON server_event (source_id, position) WHERE kind = 'epoch';
