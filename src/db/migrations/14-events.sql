-- Records whose text is not in the search tables yet.
CREATE TABLE search_waiting (
  position INTEGER PRIMARY KEY,
  source   TEXT NOT NULL,
  record   INTEGER NOT NULL
) STRICT;

-- Shorter indexes, because every write adds to them. Few entries have the same time.
DROP INDEX audit_logs_record;
DROP INDEX audit_logs_actor;
DROP INDEX audit_logs_created_at;
CREATE INDEX audit_logs_record ON audit_logs (record_id, created_at);
CREATE INDEX audit_logs_actor ON audit_logs (actor, created_at);
CREATE INDEX audit_logs_created_at ON audit_logs (created_at);

-- What happened to records, for other programs.
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL,
  type       TEXT NOT NULL,
  record_id  TEXT NOT NULL,
  version    INTEGER,
  changed    TEXT NOT NULL CHECK (json_valid(changed)),
  created_at TEXT NOT NULL
) STRICT;
