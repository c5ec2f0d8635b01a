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

-- Where events are sent to by HTTP.
CREATE TABLE webhooks (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  url              TEXT NOT NULL,
  description      TEXT,
  description_sort TEXT,
  types            TEXT NOT NULL CHECK (json_valid(types)),
  payload          TEXT NOT NULL CHECK (payload = 'thin' OR payload = 'full'),
  is_active        INTEGER NOT NULL CHECK (is_active = 0 OR is_active = 1),
  disabled_reason  TEXT CHECK (
    disabled_reason = 'gone' OR disabled_reason = 'failing' OR disabled_reason = 'restored'
  ),
  disabled_at      TEXT,
  failing_since    TEXT,
  last_success_at  TEXT,
  created_by       TEXT,
  version          INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL
) STRICT;

-- The number of the last event that was sent to a webhook for the first time.
CREATE TABLE webhook_positions (
  webhook  TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The secret that signs the requests of a webhook, and the one before it for a while. Backups do not contain it.
CREATE TABLE webhook_secrets (
  webhook        TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  secret         TEXT NOT NULL,
  previous       TEXT,
  previous_until TEXT
) STRICT, WITHOUT ROWID;

-- The events that were sent to webhooks: those that are sent again later, and the last ones of each webhook.
CREATE TABLE webhook_deliveries (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  webhook         TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event           TEXT NOT NULL,
  type            TEXT NOT NULL,
  status          TEXT NOT NULL CHECK (
    status = 'succeeded' OR status = 'pending' OR status = 'failed' OR status = 'uncertain'
  ),
  attempts        INTEGER NOT NULL,
  next_attempt_at TEXT CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending')),
  request         TEXT NOT NULL,
  response_status INTEGER,
  response        TEXT,
  error           TEXT,
  duration_ms     INTEGER NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, created_at, id);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (webhook, seq) WHERE next_attempt_at IS NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- The feed that webhooks send. A restored file has another feed, and sends nothing until an admin resumes it.
CREATE TABLE webhook_sending (
  only      INTEGER PRIMARY KEY CHECK (only = 1),
  feed      TEXT NOT NULL,
  is_paused INTEGER NOT NULL CHECK (is_paused = 0 OR is_paused = 1)
) STRICT;
