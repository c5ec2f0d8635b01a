-- The current database schema of Kontor. migrations.sql migrates older databases to it.
--
-- Prices, quantities and percentages are whole numbers of 1/10000. Amounts of money are whole numbers of the
-- currency's minor unit. Timestamps are UTC text with milliseconds. A column x_sort holds x without case and accents,
-- for sorting. A column x_key holds x in lower case, for uniqueness. An enum with three or more values is checked with
-- a chain of comparisons, because IN would build a table of the values for every row that is written. A column
-- change_count counts the changes of computed figures, such as stock; version counts the edits. A column x_alike holds
-- what of x is compared to find records that may be the same, such as the last digits of a phone number.

-- The server's secrets, which sign tokens and cursors, and the digest of the setup link. Backups do not contain them.
CREATE TABLE secrets (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The time of the last check that the file can be written. One row.
CREATE TABLE write_probe (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at TEXT NOT NULL
) STRICT;

-- The first and the last number used in each series, such as CUST or INV-2026. A series without a number yet has a
-- last that is one less than its first.
CREATE TABLE number_series (
  name  TEXT PRIMARY KEY,
  last  INTEGER NOT NULL,
  first INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- How far each repeated task has come, such as marking invoices that became overdue.
CREATE TABLE positions (
  name     TEXT PRIMARY KEY,
  position TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Each kind that can be searched has two more tables, <table>_search and <table>_words, which are made from its definition
-- (src/core/engine/schema/search-tables.ts).

-- Records whose text is not in the search tables yet, in the order of the commits. It is written a moment later, and
-- before a search. source is a table, and record is its seq.
CREATE TABLE search_waiting (
  position INTEGER PRIMARY KEY,
  source   TEXT NOT NULL,
  record   INTEGER NOT NULL
) STRICT;

-- What happened to records, in the order of the commits, for other programs. The newest row is never deleted, so that
-- no number is used again. changed has the names of the fields that an update changed.
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
  updated_at       TEXT NOT NULL,
  owner            TEXT,
  parallel         INTEGER NOT NULL DEFAULT 1 CHECK (parallel BETWEEN 1 AND 4)
) STRICT;

-- The API key or the client of the app that has set up a webhook, if no person did. It is not shown: apps see no keys.
CREATE TABLE webhook_programs (
  webhook TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  program TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How far the events were sent to a webhook for the first time: all up to the event with the number position, and those
-- in ahead. It has for each kind that is further the number of the last event up to which all of the kind were sent, and
-- the numbers of single events after that.
CREATE TABLE webhook_positions (
  webhook  TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ahead    TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(ahead))
) STRICT, WITHOUT ROWID;

-- The secret that signs the requests of a webhook, and the one before it for a while. Backups do not contain it.
CREATE TABLE webhook_secrets (
  webhook        TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  secret         TEXT NOT NULL,
  previous       TEXT,
  previous_until TEXT
) STRICT, WITHOUT ROWID;

-- The events that were sent to webhooks: those that are sent again later, and the last ones of each webhook. was_early
-- is 1 for one that was sent before its time since its last regular attempt.
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
  updated_at      TEXT NOT NULL,
  request_headers TEXT CHECK (json_valid(request_headers)),
  error_code      TEXT,
  error_params    TEXT CHECK (json_valid(error_params)),
  was_early       INTEGER NOT NULL DEFAULT 0 CHECK (was_early IN (0, 1))
) STRICT;
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, created_at, id);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_early ON webhook_deliveries (webhook, seq)
  WHERE next_attempt_at IS NOT NULL AND was_early = 0;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (webhook, seq) WHERE next_attempt_at IS NULL;

-- The feed that webhooks send. A restored file has another feed, and sends neither events nor mail until an admin resumes
-- it.
CREATE TABLE webhook_sending (
  only      INTEGER PRIMARY KEY CHECK (only = 1),
  feed      TEXT NOT NULL,
  is_paused INTEGER NOT NULL CHECK (is_paused = 0 OR is_paused = 1)
) STRICT;

-- Work in the background that goes on after a restart, such as an import. A server that runs a job holds its lease and
-- renews it with every slice. input is the request, state is how far the job has come, and output is its result.
CREATE TABLE jobs (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  kind         TEXT NOT NULL,
  unique_key   TEXT UNIQUE,
  status       TEXT NOT NULL CHECK (
    status = 'queued' OR status = 'checking' OR status = 'applying' OR status = 'finished' OR status = 'failed'
  ),
  caller       TEXT NOT NULL CHECK (json_valid(caller)),
  input        TEXT NOT NULL CHECK (json_valid(input)),
  state        TEXT NOT NULL CHECK (json_valid(state)),
  output       TEXT NOT NULL CHECK (json_valid(output)),
  error        TEXT CHECK (json_valid(error)),
  progress     INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 100),
  attempts     INTEGER NOT NULL,
  run_at       TEXT NOT NULL,
  lease        TEXT,
  leased_until TEXT,
  created_by   TEXT,
  created_at   TEXT NOT NULL,
  started_at   TEXT,
  finished_at  TEXT
) STRICT;
CREATE INDEX jobs_unfinished ON jobs (run_at, seq) WHERE finished_at IS NULL;
CREATE INDEX jobs_finished_at ON jobs (finished_at) WHERE finished_at IS NOT NULL;

-- The file of an import, in pieces, until the import has ended. Backups do not contain it.
CREATE TABLE uploads (
  job      TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes    BLOB NOT NULL,
  PRIMARY KEY (job, position)
) STRICT;

-- The faults that a job found: one row for each slice of the job, with the faults of some records as JSON, in gzip and
-- Base64.
CREATE TABLE job_faults (
  seq    INTEGER PRIMARY KEY,
  job    TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  faults TEXT NOT NULL CHECK (json_valid(faults))
) STRICT;
CREATE INDEX job_faults_job ON job_faults (job, seq);

-- The records that a job changes, and their new values, computed once before the first is changed.
CREATE TABLE job_targets (
  job      TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  record   TEXT NOT NULL,
  change   TEXT NOT NULL CHECK (json_valid(change)),
  PRIMARY KEY (job, position)
) STRICT, WITHOUT ROWID;

-- The people who sign in.
CREATE TABLE users (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  email      TEXT NOT NULL,
  email_key  TEXT NOT NULL UNIQUE,
  email_sort TEXT NOT NULL,
  name       TEXT NOT NULL,
  name_sort  TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (
    role = 'viewer' OR role = 'sales' OR role = 'shop' OR role = 'accountant' OR role = 'manager' OR role = 'admin'
  ),
  plan       TEXT CHECK (plan = 'free' OR plan = 'pro' OR plan = 'enterprise'),
  is_active  INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version    INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- The password of each user, as an argon2id hash. A separate table, so that no query of users can return it.
CREATE TABLE passwords (
  user       TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A sign-in of a user, until it is signed out, idle for too long or too old. With a grant, it is the session of a
-- connected app that acts for the user within these scopes, and its tokens are for the API or for /mcp.
CREATE TABLE sessions (
  id           TEXT PRIMARY KEY,
  user         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at   TEXT NOT NULL,
  last_used_at TEXT NOT NULL,
  grant_id     TEXT REFERENCES oauth_grants (id) ON DELETE CASCADE,
  scopes       TEXT CHECK (json_valid(scopes)),
  ip           TEXT,
  user_agent   TEXT,
  audience     TEXT NOT NULL DEFAULT 'api' CHECK (audience = 'api' OR audience = 'mcp'),
  ends_at      TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user);
CREATE INDEX sessions_grant ON sessions (grant_id) WHERE grant_id IS NOT NULL;

-- Who a user is at an OpenID provider.
CREATE TABLE oidc_identities (
  issuer       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  user         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at   TEXT NOT NULL,
  last_used_at TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX oidc_identities_user ON oidc_identities (user, issuer);

-- The refresh token of the provider with which the user of a session signed in, and when the user was last asked for there.
-- Backups do not contain them.
CREATE TABLE oidc_sessions (
  session       TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  provider      TEXT NOT NULL,
  subject       TEXT NOT NULL,
  refresh_token TEXT NOT NULL,
  checked_at    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- All refresh tokens of a session, as digests. Only the newest token is valid. Using a token long after it was replaced
-- ends the session, because then two parties have its tokens.
CREATE TABLE refresh_tokens (
  digest      TEXT PRIMARY KEY,
  session     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  replaced_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session);

-- The second factors of users. A one-time password (totp) has a secret and the last step that was used; it counts after it
-- was confirmed with a code. A passkey has its public key, and how often its device says that it was used.
CREATE TABLE factors (
  id           TEXT PRIMARY KEY,
  user         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type         TEXT NOT NULL CHECK (type = 'totp' OR type = 'passkey'),
  name         TEXT NOT NULL,
  secret       TEXT CHECK ((secret IS NOT NULL) = (type = 'totp')),
  last_step    INTEGER CHECK ((last_step IS NOT NULL) = (type = 'totp')),
  credential   TEXT UNIQUE CHECK ((credential IS NOT NULL) = (type = 'passkey')),
  public_key   TEXT CHECK ((public_key IS NOT NULL) = (type = 'passkey')),
  uses         INTEGER CHECK ((uses IS NOT NULL) = (type = 'passkey')),
  transports   TEXT CHECK (json_valid(transports)),
  confirmed_at TEXT,
  created_at   TEXT NOT NULL,
  last_used_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX factors_user ON factors (user, created_at);

-- The recovery codes of users that are not used yet, as digests.
CREATE TABLE recovery_codes (
  user   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  PRIMARY KEY (user, digest)
) STRICT, WITHOUT ROWID;

-- The challenges of passkeys that were answered, as digests, until they expire: each can be answered once.
CREATE TABLE used_challenges (
  digest     TEXT PRIMARY KEY,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The networks from which each user signed in recently: an IPv4 address or an IPv6 /64. From these networks the user
-- can sign in without a wait, even after many failed sign-ins from other networks.
CREATE TABLE sign_in_places (
  user    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (user, network)
) STRICT, WITHOUT ROWID;

-- The failed sign-ins of servers that share a PostgreSQL database: counters by email and network ('near'), and by email or
-- site ('wide'). Times are milliseconds since 1970. The server of a file counts in memory, and this table stays empty.
CREATE TABLE sign_in_tries (
  scope         TEXT NOT NULL CHECK (scope IN ('near', 'wide')),
  key           TEXT NOT NULL,
  failures      INTEGER NOT NULL,
  waits         INTEGER NOT NULL,
  blocked_until INTEGER NOT NULL,
  last_at       INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_tries_last_at ON sign_in_tries (last_at);

-- The API keys that programs use. Each acts for its owner within its scopes.
CREATE TABLE api_keys (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  user         TEXT NOT NULL REFERENCES users (id),
  name         TEXT NOT NULL,
  name_sort    TEXT NOT NULL,
  prefix       TEXT NOT NULL,
  scopes       TEXT NOT NULL CHECK (json_valid(scopes)),
  areas        TEXT CHECK (json_valid(areas)),
  expires_at   TEXT,
  allowed_ips  TEXT NOT NULL CHECK (json_valid(allowed_ips)),
  plan         TEXT CHECK (plan = 'free' OR plan = 'pro' OR plan = 'enterprise'),
  last_used_at TEXT,
  last_used_ip TEXT,
  version      INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL
) STRICT;
CREATE INDEX api_keys_user ON api_keys (user);

-- How often each API key was used, per day and route.
CREATE TABLE api_key_uses (
  key   TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day   TEXT NOT NULL,
  route TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (key, day, route)
) STRICT, WITHOUT ROWID;

-- The saved views of lists: the filters, the sort order and the columns under a name.
CREATE TABLE saved_views (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  name_sort  TEXT NOT NULL,
  list       TEXT NOT NULL,
  query      TEXT,
  columns    TEXT NOT NULL CHECK (json_valid(columns)),
  is_shared  INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
  owner      TEXT NOT NULL REFERENCES users (id),
  version    INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX saved_views_owner ON saved_views (owner);

-- The SHA-256 digest of each API key, which identifies the key. In a separate table, so that no query of keys returns
-- it.
CREATE TABLE api_key_digests (
  digest TEXT PRIMARY KEY,
  key    TEXT NOT NULL UNIQUE REFERENCES api_keys (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The registered OAuth clients. They can ask users for permission to act for them.
CREATE TABLE oauth_clients (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  name_sort     TEXT NOT NULL,
  type          TEXT NOT NULL CHECK (type IN ('confidential', 'public')),
  redirect_uris TEXT NOT NULL CHECK (json_valid(redirect_uris)),
  scopes        TEXT NOT NULL CHECK (json_valid(scopes)),
  acts_as       TEXT REFERENCES users (id),
  version       INTEGER NOT NULL,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL,
  metadata_url  TEXT
) STRICT;
CREATE UNIQUE INDEX oauth_clients_metadata_url ON oauth_clients (metadata_url);

-- The SHA-256 digest of a confidential client's secret. In a separate table, so that no query of clients returns it.
CREATE TABLE oauth_client_digests (
  client TEXT PRIMARY KEY REFERENCES oauth_clients (id) ON DELETE CASCADE,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The consent of a user: this OAuth client may act for the user within these scopes, at the API and at /mcp.
CREATE TABLE oauth_grants (
  id         TEXT PRIMARY KEY,
  user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client     TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
  scopes     TEXT NOT NULL CHECK (json_valid(scopes)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  mcp_scopes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(mcp_scopes)),
  UNIQUE (user, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_grants_client ON oauth_grants (client);

-- Authorization codes, as digests. A code is valid once and for one minute. A used code names the session it was
-- exchanged for, so that a second use ends that session.
CREATE TABLE oauth_codes (
  digest       TEXT PRIMARY KEY,
  grant_id     TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  challenge    TEXT NOT NULL,
  scopes       TEXT NOT NULL CHECK (json_valid(scopes)),
  created_at   TEXT NOT NULL,
  session      TEXT,
  audience     TEXT NOT NULL DEFAULT 'api' CHECK (audience = 'api' OR audience = 'mcp')
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);

-- The settings of the instance, as one JSON object. Missing settings have their defaults. One row, after the first
-- update.
CREATE TABLE settings (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  body       TEXT NOT NULL CHECK (json_valid(body)),
  version    INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- The logos of the company. A logo is kept while a document that was issued with it may be printed. The hash is the
-- SHA-256 of the bytes.
CREATE TABLE logos (
  hash  TEXT PRIMARY KEY,
  type  TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg')),
  bytes BLOB NOT NULL
) STRICT;

-- The data of the company that issued documents, as it was at issue. Many documents share one row. The id is the
-- SHA-256 of the body.
CREATE TABLE seller_versions (
  id   TEXT PRIMARY KEY,
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

-- The forms of issued documents that are kept: XML as gzip, and one PDF per language. The hash is that of the form
-- itself, and also in the audit log. A document is an invoice or a credit note.
CREATE TABLE papers (
  seq                INTEGER PRIMARY KEY,
  document           TEXT NOT NULL,
  form               TEXT NOT NULL,
  sha256             TEXT NOT NULL,
  bytes              BLOB NOT NULL,
  is_packed          INTEGER NOT NULL CHECK (is_packed IN (0, 1)),
  has_missing_glyphs INTEGER NOT NULL CHECK (has_missing_glyphs IN (0, 1)),
  created_at         TEXT NOT NULL,
  UNIQUE (document, form)
) STRICT;

-- What an issued document prints that can change after its issue, or that depends on the settings.
CREATE TABLE paper_values (
  document   TEXT PRIMARY KEY,
  notes      TEXT,
  due_date   TEXT,
  unit_codes TEXT NOT NULL CHECK (json_valid(unit_codes))
) STRICT, WITHOUT ROWID;

-- Messages by mail, with the records that they are about. attempts, attachments and rejected are lists. A message that
-- waits to be sent has next_attempt_at, the time when it is due.
CREATE TABLE messages (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  kind            TEXT NOT NULL,
  record          TEXT NOT NULL,
  records         TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(records)),
  number          TEXT,
  status          TEXT NOT NULL CHECK (
    status = 'queued' OR status = 'sending' OR status = 'sent' OR status = 'failed' OR status = 'uncertain'
      OR status = 'cancelled'
  ),
  to_             TEXT NOT NULL CHECK (json_valid(to_)),
  cc              TEXT NOT NULL CHECK (json_valid(cc)),
  subject         TEXT NOT NULL,
  message         TEXT NOT NULL,
  language        TEXT NOT NULL CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  attachments     TEXT NOT NULL CHECK (json_valid(attachments)),
  attempts        TEXT NOT NULL CHECK (json_valid(attempts)),
  rejected        TEXT NOT NULL CHECK (json_valid(rejected)),
  next_attempt_at TEXT CHECK ((next_attempt_at IS NOT NULL) = (status = 'queued')),
  sent_at         TEXT CHECK ((sent_at IS NOT NULL) = (status = 'sent')),
  external_id     TEXT,
  metadata        TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_by      TEXT,
  version         INTEGER NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL
) STRICT;
CREATE INDEX messages_created_at ON messages (created_at, id);
CREATE INDEX messages_updated_at ON messages (updated_at, id);
CREATE UNIQUE INDEX messages_external_id ON messages (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX messages_record ON messages (record, created_at, id);
CREATE INDEX messages_status ON messages (status, created_at, id);
CREATE INDEX messages_due ON messages (next_attempt_at, seq) WHERE next_attempt_at IS NOT NULL;

-- What the sender knows of a message that it has not finished: how often it was refused since it was queued, and how
-- often a server ended while it was being sent. While it is being sent, attempt is the id of the attempt, and is_ending
-- is 1 from just before the last byte, after which nobody knows whether the other server has it until it answers.
CREATE TABLE message_work (
  message       TEXT PRIMARY KEY REFERENCES messages (id),
  tries         INTEGER NOT NULL DEFAULT 0,
  interruptions INTEGER NOT NULL DEFAULT 0,
  attempt       TEXT,
  is_ending     INTEGER NOT NULL DEFAULT 0 CHECK (is_ending IN (0, 1)),
  is_automatic  INTEGER NOT NULL DEFAULT 0 CHECK (is_automatic IN (0, 1))
) STRICT, WITHOUT ROWID;

-- The files of a message. form is that of a kept paper. Another file is stored here: first as paper, the content as JSON
-- and gzip, and as bytes when its PDF was made.
CREATE TABLE message_files (
  message  TEXT NOT NULL REFERENCES messages (id),
  position INTEGER NOT NULL,
  form     TEXT,
  paper    BLOB,
  bytes    BLOB,
  PRIMARY KEY (message, position)
) STRICT;

-- When messages were handed to the mail server in the last minutes, in real time, for the limit per minute.
CREATE TABLE message_times (
  seq INTEGER PRIMARY KEY,
  at  TEXT NOT NULL
) STRICT;

-- Secrets of the settings, such as the password of the mail server. Backups do not contain them.
CREATE TABLE setting_secrets (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Requests to reset a forgotten password, of anybody for any address. They are answered before it is looked whose address
-- it is. is_done is 1 after that. Times are in real time. Backups contain neither these nor the links.
CREATE TABLE reset_requests (
  seq       INTEGER PRIMARY KEY,
  email_key TEXT NOT NULL,
  network   TEXT NOT NULL,
  at        TEXT NOT NULL,
  is_done   INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1))
) STRICT;
CREATE INDEX reset_requests_open ON reset_requests (seq) WHERE is_done = 0;

-- The links by which users set a new password, one for each user. The digest is that of the secret in the link.
CREATE TABLE password_resets (
  user       TEXT PRIMARY KEY REFERENCES users (id),
  digest     TEXT NOT NULL UNIQUE,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The number of requests of each caller on a UTC day, so that a restart does not reset the limit per day.
CREATE TABLE rate_days (
  subject TEXT PRIMARY KEY,
  day     TEXT NOT NULL,
  count   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The responses to POST requests with an Idempotency-Key, stored for a day. They do not contain secrets.
CREATE TABLE idempotency_keys (
  caller      TEXT NOT NULL,
  key         TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status      INTEGER NOT NULL,
  headers     TEXT NOT NULL CHECK (json_valid(headers)),
  body        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- The audit log, in the order of the commits. Each hash covers the row and the previous hash.
CREATE TABLE audit_logs (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  request_id TEXT,
  actor_type TEXT NOT NULL CHECK (
    actor_type = 'user' OR actor_type = 'apiKey' OR actor_type = 'oauthClient'
      OR actor_type = 'anonymous' OR actor_type = 'system'
  ),
  actor      TEXT,
  actor_name TEXT,
  action     TEXT NOT NULL,
  kind       TEXT,
  record_id  TEXT,
  ip         TEXT,
  user_agent TEXT,
  outcome    TEXT NOT NULL CHECK (outcome = 'success' OR outcome = 'failure' OR outcome = 'refused'),
  changes    TEXT NOT NULL CHECK (json_valid(changes)),
  hash       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  via        TEXT,
  tool       TEXT,
  client     TEXT
) STRICT;
CREATE INDEX audit_logs_record ON audit_logs (record_id, created_at);
CREATE INDEX audit_logs_actor ON audit_logs (actor, created_at);
CREATE INDEX audit_logs_created_at ON audit_logs (created_at);
CREATE TRIGGER audit_logs_no_replace BEFORE INSERT ON audit_logs
  WHEN EXISTS (SELECT 1 FROM audit_logs WHERE seq = NEW.seq OR id = NEW.id) BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;
CREATE TRIGGER audit_logs_no_update BEFORE UPDATE ON audit_logs BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;
CREATE TRIGGER audit_logs_no_delete BEFORE DELETE ON audit_logs BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;

-- The tax codes that items and document lines name: a category of EN 16931, a rate and the reason of an exemption.
-- Category and rate do not change after an item, a setting or a line has named the code.
CREATE TABLE tax_codes (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  code         TEXT NOT NULL,
  code_key     TEXT NOT NULL UNIQUE,
  code_sort    TEXT NOT NULL,
  name         TEXT NOT NULL,
  name_sort    TEXT NOT NULL,
  category     TEXT NOT NULL CHECK (
    category = 'S' OR category = 'Z' OR category = 'E' OR category = 'AE' OR category = 'K' OR category = 'G'
      OR category = 'O'
  ),
  rate         INTEGER NOT NULL CHECK (CASE category WHEN 'S' THEN rate > 0 ELSE rate = 0 END),
  reason       TEXT,
  is_active    INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  is_used      INTEGER NOT NULL CHECK (is_used IN (0, 1)),
  change_count INTEGER NOT NULL DEFAULT 0,
  version      INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL
) STRICT;

-- The items that are bought and sold. Current stock is the sum of the stock movements. Submitted orders reserve stock.
CREATE TABLE items (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  item_code        TEXT NOT NULL,
  item_code_key    TEXT NOT NULL UNIQUE,
  item_code_sort   TEXT NOT NULL,
  item_name        TEXT NOT NULL,
  item_name_sort   TEXT NOT NULL,
  barcode          TEXT,
  barcode_sort     TEXT,
  barcode_key      TEXT,
  category         TEXT,
  category_sort    TEXT,
  item_type        TEXT NOT NULL CHECK (item_type = 'Product' OR item_type = 'Service' OR item_type = 'Consumable'),
  uom              TEXT NOT NULL,
  uom_sort         TEXT NOT NULL,
  selling_price    INTEGER NOT NULL CHECK (selling_price >= 0),
  cost_price       INTEGER NOT NULL CHECK (cost_price >= 0),
  tax_rate         INTEGER NOT NULL CHECK (tax_rate >= 0),
  tax_code         TEXT REFERENCES tax_codes (id),
  current_stock    INTEGER NOT NULL DEFAULT 0,
  reserved_stock   INTEGER NOT NULL DEFAULT 0,
  reorder_level    INTEGER NOT NULL,
  reorder_qty      INTEGER NOT NULL,
  description      TEXT,
  images           TEXT NOT NULL CHECK (json_valid(images)),
  is_active        INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  external_id      TEXT,
  metadata         TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count     INTEGER NOT NULL DEFAULT 0,
  version          INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL
) STRICT;
CREATE INDEX items_created_at ON items (created_at, id);
CREATE INDEX items_updated_at ON items (updated_at, id);
CREATE UNIQUE INDEX items_external_id ON items (external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX items_barcode ON items (barcode_key) WHERE barcode_key IS NOT NULL;
CREATE INDEX items_item_name ON items (item_name_sort, id);
CREATE INDEX items_category ON items (category, created_at, id);
CREATE INDEX items_tax_code ON items (tax_code) WHERE tax_code IS NOT NULL;

-- The customers. Outstanding balance and open orders value are computed from the documents. One that was merged into
-- another has no documents any more, and names the one that has them, which was not merged itself.
CREATE TABLE customers (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  customer_number      TEXT NOT NULL UNIQUE,
  name                 TEXT NOT NULL,
  name_sort            TEXT NOT NULL,
  email                TEXT,
  email_sort           TEXT,
  invoice_email        TEXT,
  invoice_email_sort   TEXT,
  phone                TEXT,
  phone_sort           TEXT,
  phone_alike          TEXT,
  type                 TEXT NOT NULL,
  type_sort            TEXT NOT NULL,
  contact_name         TEXT,
  contact_name_sort    TEXT,
  address              TEXT CHECK (json_valid(address)),
  address_alike        TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  language             TEXT CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  credit_limit         INTEGER CHECK (credit_limit >= 0),
  payment_terms        TEXT,
  payment_terms_sort   TEXT,
  tax_id               TEXT,
  tax_id_sort          TEXT,
  tax_id_alike         TEXT,
  tax_treatment        TEXT NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  tax_reason           TEXT,
  buyer_reference      TEXT,
  buyer_reference_sort TEXT,
  prices_include_tax   INTEGER CHECK (prices_include_tax IN (0, 1)),
  notes                TEXT,
  outstanding_balance  INTEGER NOT NULL DEFAULT 0,
  credit_balance       INTEGER NOT NULL DEFAULT 0,
  open_orders_value    INTEGER NOT NULL DEFAULT 0,
  is_active            INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  reminders_paused_until TEXT,
  merged_into          TEXT REFERENCES customers (id),
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count         INTEGER NOT NULL DEFAULT 0,
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX customers_created_at ON customers (created_at, id);
CREATE INDEX customers_updated_at ON customers (updated_at, id);
CREATE UNIQUE INDEX customers_external_id ON customers (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX customers_name ON customers (name_sort, id);
CREATE INDEX customers_email ON customers (email_sort, id) WHERE email_sort IS NOT NULL;
CREATE INDEX customers_phone ON customers (phone_alike, id) WHERE phone_alike IS NOT NULL;
CREATE INDEX customers_tax_id ON customers (tax_id_alike, id) WHERE tax_id_alike IS NOT NULL;
CREATE INDEX customers_address ON customers (address_alike, id) WHERE address_alike IS NOT NULL;
CREATE INDEX customers_merged_into ON customers (merged_into) WHERE merged_into IS NOT NULL;

-- All stock movements of the items. Rows are only inserted; items.current_stock is their sum.
CREATE TABLE stock_movements (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  item          TEXT NOT NULL REFERENCES items (id),
  quantity      INTEGER NOT NULL CHECK (quantity <> 0),
  reason        TEXT NOT NULL CHECK (
    reason = 'receipt' OR reason = 'adjustment' OR reason = 'return' OR reason = 'invoice' OR reason = 'cancellation'
      OR reason = 'credit' OR reason = 'delivery'
  ),
  note          TEXT,
  external_id   TEXT,
  metadata      TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  balance_after INTEGER NOT NULL,
  source_type   TEXT,
  source_id     TEXT,
  created_by    TEXT,
  created_at    TEXT NOT NULL
) STRICT;
CREATE INDEX stock_movements_item ON stock_movements (item, created_at, id);
CREATE INDEX stock_movements_created_at ON stock_movements (created_at, id);
CREATE UNIQUE INDEX stock_movements_external_id ON stock_movements (external_id) WHERE external_id IS NOT NULL;

-- The quotations: offers to customers, which may become orders. An edit after sent_at raises revision. What was accepted is
-- accepted_revision, whose PDF has the SHA-256 accepted_pdf_hash; accepted_ip is set if the customer did it on the public page.
-- reason is why it was declined or withdrawn, and language that of its PDF since it was sent.
CREATE TABLE quotations (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  quotation_number     TEXT NOT NULL UNIQUE,
  number_series        TEXT NOT NULL,
  number_counter       INTEGER NOT NULL,
  status               TEXT NOT NULL CHECK (
    status = 'draft' OR status = 'sent' OR status = 'accepted' OR status = 'declined' OR status = 'withdrawn'
  ),
  revision             INTEGER NOT NULL CHECK (revision >= 1),
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  quotation_date       TEXT NOT NULL,
  valid_until          TEXT CHECK (valid_until >= quotation_date),
  payment_terms        TEXT,
  payment_terms_sort   TEXT,
  buyer_reference      TEXT,
  buyer_reference_sort TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  terms                TEXT,
  notes                TEXT,
  currency             TEXT NOT NULL,
  prices_include_tax   INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  tax_treatment        TEXT NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  discount             INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000),
  discount_amount      INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
  is_discount_amount   INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1)),
  taxes                TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(taxes)),
  subtotal             INTEGER NOT NULL,
  discount_total       INTEGER NOT NULL,
  tax_total            INTEGER NOT NULL,
  total                INTEGER NOT NULL CHECK (total = subtotal + tax_total),
  language             TEXT CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  sent_at              TEXT CHECK (sent_at IS NOT NULL OR status = 'draft'),
  accepted_at          TEXT CHECK ((accepted_at IS NOT NULL) = (status = 'accepted')),
  accepted_by          TEXT,
  accepted_reference   TEXT,
  accepted_ip          TEXT,
  accepted_revision    INTEGER CHECK ((accepted_revision IS NULL) = (accepted_at IS NULL)),
  accepted_pdf_hash    TEXT CHECK ((accepted_pdf_hash IS NULL) = (accepted_at IS NULL)),
  declined_at          TEXT CHECK ((declined_at IS NOT NULL) = (status = 'declined')),
  withdrawn_at         TEXT CHECK ((withdrawn_at IS NOT NULL) = (status = 'withdrawn')),
  reason               TEXT,
  last_sent_at         TEXT,
  created_by           TEXT,
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count         INTEGER NOT NULL DEFAULT 0,
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX quotations_created_at ON quotations (created_at, id);
CREATE INDEX quotations_updated_at ON quotations (updated_at, id);
CREATE UNIQUE INDEX quotations_external_id ON quotations (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX quotations_quotation_date ON quotations (quotation_date, id);
CREATE INDEX quotations_customer ON quotations (customer, created_at, id);
CREATE INDEX quotations_status ON quotations (status, created_at, id);
CREATE INDEX quotations_total ON quotations (total);

-- The lines of a quotation.
CREATE TABLE quotation_lines (
  id                 TEXT PRIMARY KEY,
  quotation          TEXT NOT NULL REFERENCES quotations (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  item               TEXT REFERENCES items (id),
  item_code          TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name          TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description        TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom                TEXT NOT NULL,
  quantity           INTEGER NOT NULL CHECK (quantity > 0),
  rate               INTEGER NOT NULL CHECK (rate >= 0),
  discount           INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount             INTEGER NOT NULL,
  discount_amount    INTEGER NOT NULL,
  document_discount  INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0),
  gross_amount       INTEGER,
  tax_code           TEXT,
  tax_category       TEXT,
  tax_rate           INTEGER NOT NULL,
  is_discount_amount INTEGER NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code   INTEGER NOT NULL CHECK (has_own_tax_code IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX quotation_lines_document ON quotation_lines (quotation, position);
CREATE INDEX quotation_lines_item ON quotation_lines (item);

-- The public pages of quotations: a customer reads one without signing in. digest is that of the secret in the link.
CREATE TABLE quotation_links (
  quotation  TEXT PRIMARY KEY REFERENCES quotations (id) ON DELETE CASCADE,
  digest     TEXT NOT NULL UNIQUE,
  expires_at TEXT,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The sales orders. Customer name and payment terms are copied when the order is created. taxes is a list of category,
-- rate, base, tax and reason; in it, base and tax are in the minor unit. tax_treatment is the customer's, by which the
-- lines were taxed.
CREATE TABLE sales_orders (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  order_number         TEXT NOT NULL UNIQUE,
  number_series        TEXT NOT NULL DEFAULT '',
  number_counter       INTEGER NOT NULL DEFAULT 0,
  revision             INTEGER NOT NULL DEFAULT 1 CHECK (revision >= 1),
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  order_date           TEXT NOT NULL,
  delivery_date        TEXT,
  status               TEXT NOT NULL CHECK (
    status = 'draft' OR status = 'submitted' OR status = 'completed' OR status = 'cancelled'
  ),
  invoice_status       TEXT NOT NULL CHECK (
    invoice_status = 'not_invoiced' OR invoice_status = 'partially_invoiced' OR invoice_status = 'invoiced'
  ),
  delivery_status      TEXT NOT NULL DEFAULT 'not_delivered' CHECK (
    delivery_status = 'not_delivered' OR delivery_status = 'partially_delivered' OR delivery_status = 'delivered'
  ),
  payment_terms        TEXT,
  payment_terms_sort   TEXT,
  buyer_reference      TEXT,
  buyer_reference_sort TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  notes                TEXT,
  currency             TEXT NOT NULL,
  prices_include_tax   INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  tax_treatment        TEXT NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  discount             INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000),
  discount_amount      INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
  is_discount_amount   INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1)),
  taxes                TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(taxes)),
  subtotal             INTEGER NOT NULL,
  discount_total       INTEGER NOT NULL,
  tax_total            INTEGER NOT NULL,
  total                INTEGER NOT NULL CHECK (total = subtotal + tax_total),
  invoiced_total       INTEGER NOT NULL,
  deposit_total        INTEGER NOT NULL DEFAULT 0 CHECK (deposit_total >= 0),
  deducted_total       INTEGER NOT NULL DEFAULT 0 CHECK (deducted_total BETWEEN 0 AND deposit_total),
  submitted_at         TEXT,
  completed_at         TEXT,
  cancelled_at         TEXT,
  cancel_reason        TEXT,
  amended_from         TEXT REFERENCES sales_orders (id) ON DELETE SET NULL,
  quotation            TEXT REFERENCES quotations (id),
  last_sent_at         TEXT,
  created_by           TEXT,
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count         INTEGER NOT NULL DEFAULT 0,
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX sales_orders_created_at ON sales_orders (created_at, id);
CREATE INDEX sales_orders_updated_at ON sales_orders (updated_at, id);
CREATE UNIQUE INDEX sales_orders_external_id ON sales_orders (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX sales_orders_order_date ON sales_orders (order_date, id);
CREATE INDEX sales_orders_customer ON sales_orders (customer, created_at, id);
CREATE INDEX sales_orders_status ON sales_orders (status, created_at, id);
CREATE INDEX sales_orders_total ON sales_orders (total);
CREATE INDEX sales_orders_amended_from ON sales_orders (amended_from) WHERE amended_from IS NOT NULL;
CREATE UNIQUE INDEX sales_orders_quotation ON sales_orders (quotation) WHERE quotation IS NOT NULL;

-- The lines of a sales order, with a copy of the item's data. A line without an item has a description. In a document
-- whose prices include tax, rate and discount_amount include tax, and gross_amount is the amount with tax; amount never
-- includes tax. The amounts are after document_discount, the share of the line in the discount of the order.
-- is_discount_amount is 1 when the discount was given as an amount, and has_own_tax_code when the line itself was given a
-- tax code.
CREATE TABLE sales_order_lines (
  id                 TEXT PRIMARY KEY,
  sales_order        TEXT NOT NULL REFERENCES sales_orders (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  item               TEXT REFERENCES items (id),
  item_code          TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name          TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description        TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom                TEXT NOT NULL,
  quantity           INTEGER NOT NULL CHECK (quantity > 0),
  rate               INTEGER NOT NULL CHECK (rate >= 0),
  discount           INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount             INTEGER NOT NULL,
  discount_amount    INTEGER NOT NULL,
  document_discount  INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0),
  gross_amount       INTEGER,
  tax_code           TEXT,
  tax_category       TEXT,
  tax_rate           INTEGER NOT NULL,
  is_discount_amount INTEGER NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code   INTEGER NOT NULL CHECK (has_own_tax_code IN (0, 1)),
  invoiced_quantity  INTEGER NOT NULL CHECK (invoiced_quantity BETWEEN 0 AND quantity),
  returned_quantity  INTEGER NOT NULL DEFAULT 0,
  delivered_quantity INTEGER NOT NULL DEFAULT 0 CHECK (delivered_quantity BETWEEN 0 AND quantity)
) STRICT, WITHOUT ROWID;
CREATE INDEX sales_order_lines_order ON sales_order_lines (sales_order, position);
CREATE INDEX sales_order_lines_item ON sales_order_lines (item);

-- The deliveries of sales orders. They keep the company and the customer as they were when the delivery was made. One that
-- was wrong is cancelled and keeps its number.
CREATE TABLE deliveries (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  delivery_number      TEXT NOT NULL UNIQUE,
  number_series        TEXT NOT NULL,
  number_counter       INTEGER NOT NULL,
  status               TEXT NOT NULL CHECK (status = 'delivered' OR status = 'cancelled'),
  sales_order          TEXT NOT NULL REFERENCES sales_orders (id),
  order_number         TEXT NOT NULL,
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  delivery_date        TEXT NOT NULL,
  carrier              TEXT,
  carrier_sort         TEXT,
  tracking_number      TEXT,
  tracking_number_sort TEXT,
  buyer_reference      TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  notes                TEXT,
  language             TEXT NOT NULL CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  seller_version       TEXT NOT NULL REFERENCES seller_versions (id),
  buyer                TEXT NOT NULL CHECK (json_valid(buyer)),
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  last_sent_at         TEXT,
  cancelled_at         TEXT CHECK ((cancelled_at IS NOT NULL) = (status = 'cancelled')),
  cancel_reason        TEXT,
  created_by           TEXT,
  change_count         INTEGER NOT NULL DEFAULT 0,
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_created_at ON deliveries (created_at, id);
CREATE INDEX deliveries_updated_at ON deliveries (updated_at, id);
CREATE UNIQUE INDEX deliveries_external_id ON deliveries (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX deliveries_delivery_date ON deliveries (delivery_date, id);
CREATE INDEX deliveries_customer ON deliveries (customer, created_at, id);
CREATE INDEX deliveries_sales_order ON deliveries (sales_order, created_at, id);
CREATE INDEX deliveries_status ON deliveries (status, created_at, id);

-- The lines of a delivery: what it takes of the lines of its order.
CREATE TABLE delivery_lines (
  id          TEXT PRIMARY KEY,
  delivery    TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  order_line  TEXT NOT NULL REFERENCES sales_order_lines (id),
  item        TEXT REFERENCES items (id),
  item_code   TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name   TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom         TEXT NOT NULL,
  quantity    INTEGER NOT NULL CHECK (quantity > 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_lines_document ON delivery_lines (delivery, position);
CREATE INDEX delivery_lines_order_line ON delivery_lines (order_line);
CREATE INDEX delivery_lines_item ON delivery_lines (item);

-- Templates from which an invoice is made at the beginning of each period. every is the length of a period, next_period the
-- number of the next one, counted from 1, and next_date its first day. problem is why the last invoice was not issued or not
-- sent.
CREATE TABLE recurring_invoices (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  status               TEXT NOT NULL CHECK (status = 'active' OR status = 'paused' OR status = 'ended'),
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  every                TEXT NOT NULL CHECK (json_valid(every)),
  starts_on            TEXT NOT NULL,
  ends_on              TEXT,
  occurrences          INTEGER CHECK (occurrences >= 1),
  mode                 TEXT NOT NULL CHECK (mode = 'draft' OR mode = 'issue' OR mode = 'send'),
  prices               TEXT NOT NULL CHECK (prices = 'template' OR prices = 'item'),
  next_date            TEXT CHECK ((next_date IS NULL) = (status = 'ended')),
  next_period          INTEGER NOT NULL CHECK (next_period >= 1),
  skipped_periods      INTEGER NOT NULL DEFAULT 0 CHECK (skipped_periods >= 0),
  last_skipped_at      TEXT,
  problem              TEXT CHECK (json_valid(problem)),
  payment_terms        TEXT,
  payment_terms_sort   TEXT,
  buyer_reference      TEXT,
  buyer_reference_sort TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  notes                TEXT,
  currency             TEXT NOT NULL,
  prices_include_tax   INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  tax_treatment        TEXT NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  discount             INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000),
  discount_amount      INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
  is_discount_amount   INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1)),
  taxes                TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(taxes)),
  subtotal             INTEGER NOT NULL,
  discount_total       INTEGER NOT NULL,
  tax_total            INTEGER NOT NULL,
  total                INTEGER NOT NULL CHECK (total = subtotal + tax_total),
  created_by           TEXT,
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX recurring_invoices_created_at ON recurring_invoices (created_at, id);
CREATE INDEX recurring_invoices_updated_at ON recurring_invoices (updated_at, id);
CREATE UNIQUE INDEX recurring_invoices_external_id ON recurring_invoices (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX recurring_invoices_customer ON recurring_invoices (customer, created_at, id);
CREATE INDEX recurring_invoices_status ON recurring_invoices (status, created_at, id);
CREATE INDEX recurring_invoices_next_date ON recurring_invoices (next_date, id) WHERE status = 'active';
CREATE INDEX recurring_invoices_skipped ON recurring_invoices (last_skipped_at) WHERE last_skipped_at IS NOT NULL;

-- The lines of a recurring invoice.
CREATE TABLE recurring_invoice_lines (
  id                 TEXT PRIMARY KEY,
  recurring_invoice  TEXT NOT NULL REFERENCES recurring_invoices (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  item               TEXT REFERENCES items (id),
  item_code          TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name          TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description        TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom                TEXT NOT NULL,
  quantity           INTEGER NOT NULL CHECK (quantity > 0),
  rate               INTEGER NOT NULL CHECK (rate >= 0),
  discount           INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount             INTEGER NOT NULL,
  discount_amount    INTEGER NOT NULL,
  document_discount  INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0),
  gross_amount       INTEGER,
  tax_code           TEXT,
  tax_category       TEXT,
  tax_rate           INTEGER NOT NULL,
  is_discount_amount INTEGER NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code   INTEGER NOT NULL CHECK (has_own_tax_code IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX recurring_invoice_lines_document ON recurring_invoice_lines (recurring_invoice, position);
CREATE INDEX recurring_invoice_lines_item ON recurring_invoice_lines (item);

-- The invoices. An invoice gets its number when it is issued. Numbers have no gaps and are never reused. At issue it
-- also gets the data of the company and of the customer, which do not change afterwards. The parts of an order add up
-- per category and rate of taxes. An opening invoice was issued by another system, and was not paid when the business
-- moved here: it has the number of that system, no series, and one line with what was left to pay. opening_key is
-- its number in lower case. A deposit invoice asks for a part of an order before it is supplied, and deducted_total is
-- what later invoices of the order have taken off for it; deposit_total is what an invoice takes off for deposits. A final
-- invoice is the last one of an order with deposits.
CREATE TABLE invoices (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  invoice_number       TEXT UNIQUE,
  number_series        TEXT,
  number_counter       INTEGER,
  status               TEXT NOT NULL CHECK (
    status = 'draft' OR status = 'unpaid' OR status = 'partially_paid' OR status = 'paid' OR status = 'credited'
      OR status = 'cancelled'
  ),
  sales_order          TEXT REFERENCES sales_orders (id),
  order_number         TEXT,
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  billing_address      TEXT CHECK (json_valid(billing_address)),
  tax_id               TEXT,
  seller_version       TEXT REFERENCES seller_versions (id),
  buyer                TEXT CHECK (json_valid(buyer)),
  language             TEXT CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  invoice_date         TEXT NOT NULL,
  supply_date          TEXT NOT NULL DEFAULT '',
  due_date             TEXT NOT NULL,
  reminders_paused_until TEXT,
  payment_terms        TEXT,
  payment_terms_sort   TEXT,
  buyer_reference      TEXT,
  buyer_reference_sort TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  notes                TEXT,
  currency             TEXT NOT NULL,
  prices_include_tax   INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  tax_treatment        TEXT NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  discount             INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000),
  discount_amount      INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
  is_discount_amount   INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1)),
  taxes                TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(taxes)),
  subtotal             INTEGER NOT NULL,
  discount_total       INTEGER NOT NULL,
  tax_total            INTEGER NOT NULL,
  total                INTEGER NOT NULL CHECK (total = subtotal + tax_total),
  amount_paid          INTEGER NOT NULL CHECK (amount_paid >= 0),
  credited_total       INTEGER NOT NULL DEFAULT 0 CHECK (credited_total BETWEEN 0 AND total),
  credit_taken         INTEGER NOT NULL DEFAULT 0 CHECK (credit_taken BETWEEN 0 AND credited_total),
  credit_applied       INTEGER NOT NULL DEFAULT 0 CHECK (credit_applied >= 0),
  written_off          INTEGER NOT NULL DEFAULT 0 CHECK (written_off >= 0),
  balance              INTEGER NOT NULL CHECK (balance >= 0),
  issued_at            TEXT,
  paid_at              TEXT,
  cancelled_at         TEXT,
  cancel_reason        TEXT,
  is_opening           INTEGER NOT NULL DEFAULT 0 CHECK (is_opening IN (0, 1)),
  opening_key          TEXT,
  recurring_invoice    TEXT REFERENCES recurring_invoices (id),
  recurring_period     INTEGER CHECK ((recurring_invoice IS NULL) = (recurring_period IS NULL)),
  period_start_date    TEXT,
  period_end_date      TEXT,
  recurring_problem    TEXT CHECK (json_valid(recurring_problem)),
  invoice_type         TEXT NOT NULL DEFAULT 'standard' CHECK (
    invoice_type = 'standard' OR invoice_type = 'deposit' OR invoice_type = 'final'
  ),
  deposit_total        INTEGER NOT NULL DEFAULT 0 CHECK (deposit_total BETWEEN 0 AND total),
  deducted_total       INTEGER NOT NULL DEFAULT 0 CHECK (deducted_total BETWEEN 0 AND total),
  last_sent_at         TEXT,
  created_by           TEXT,
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count         INTEGER NOT NULL DEFAULT 0,
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX invoices_created_at ON invoices (created_at, id);
CREATE INDEX invoices_updated_at ON invoices (updated_at, id);
CREATE UNIQUE INDEX invoices_external_id ON invoices (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX invoices_invoice_date ON invoices (invoice_date, id);
CREATE INDEX invoices_customer ON invoices (customer, created_at, id);
CREATE INDEX invoices_status ON invoices (status, created_at, id);
CREATE INDEX invoices_due_date ON invoices (due_date, id) WHERE status = 'unpaid' OR status = 'partially_paid';
CREATE INDEX invoices_open ON invoices (customer, due_date) WHERE balance > 0;
CREATE INDEX invoices_total ON invoices (total);
CREATE INDEX invoices_balance ON invoices (balance) WHERE status IN ('unpaid', 'partially_paid') AND balance <> total;
CREATE INDEX invoices_sales_order ON invoices (sales_order) WHERE sales_order IS NOT NULL;
CREATE INDEX invoices_opening_number ON invoices (invoice_number COLLATE NOCASE) WHERE is_opening = 1;
CREATE UNIQUE INDEX invoices_opening_key ON invoices (opening_key) WHERE opening_key IS NOT NULL;
CREATE UNIQUE INDEX invoices_recurring ON invoices (recurring_invoice, recurring_period) WHERE recurring_invoice IS NOT NULL;
CREATE INDEX invoices_recurring_problem ON invoices (created_at) WHERE recurring_problem IS NOT NULL;

-- What an invoice takes off for a deposit invoice of its order: the amount with tax, and its parts per category and rate.
-- The rows of a cancelled invoice stay, because its paper shows them; the deposits do not count them any more.
CREATE TABLE invoice_deposits (
  invoice  TEXT NOT NULL REFERENCES invoices (id),
  position INTEGER NOT NULL,
  deposit  TEXT NOT NULL REFERENCES invoices (id),
  amount   INTEGER NOT NULL CHECK (amount > 0),
  taxes    TEXT NOT NULL CHECK (json_valid(taxes)),
  PRIMARY KEY (invoice, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX invoice_deposits_deposit ON invoice_deposits (deposit);

-- The lines of an invoice. A line created from a sales order refers to the order's line.
CREATE TABLE invoice_lines (
  id                 TEXT PRIMARY KEY,
  invoice            TEXT NOT NULL REFERENCES invoices (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  order_line         TEXT REFERENCES sales_order_lines (id),
  item               TEXT REFERENCES items (id),
  item_code          TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name          TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description        TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom                TEXT NOT NULL,
  quantity           INTEGER NOT NULL CHECK (quantity > 0),
  rate               INTEGER NOT NULL CHECK (rate >= 0),
  discount           INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount             INTEGER NOT NULL,
  discount_amount    INTEGER NOT NULL,
  document_discount  INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0),
  gross_amount       INTEGER,
  tax_code           TEXT,
  tax_category       TEXT,
  tax_rate           INTEGER NOT NULL,
  is_discount_amount INTEGER NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code   INTEGER NOT NULL CHECK (has_own_tax_code IN (0, 1)),
  credited_quantity  INTEGER NOT NULL DEFAULT 0,
  credited_amount    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX invoice_lines_invoice ON invoice_lines (invoice, position);
CREATE INDEX invoice_lines_item ON invoice_lines (item);
CREATE INDEX invoice_lines_order_line ON invoice_lines (order_line) WHERE order_line IS NOT NULL;

-- The credit notes of invoices. They keep the company, the customer and the tax of their invoice. applied_to_invoice is
-- the part that lowered the balance of the invoice when the credit note was issued; what is left can be applied to other
-- invoices or refunded. is_cancellation is 1 when cancelling the invoice wrote it, and deposit_total is what that invoice
-- had taken off for deposits.
CREATE TABLE credit_notes (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  credit_note_number   TEXT NOT NULL UNIQUE,
  number_series        TEXT NOT NULL,
  number_counter       INTEGER NOT NULL,
  invoice              TEXT NOT NULL REFERENCES invoices (id),
  invoice_number       TEXT NOT NULL,
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  billing_address      TEXT CHECK (json_valid(billing_address)),
  tax_id               TEXT,
  seller_version       TEXT NOT NULL REFERENCES seller_versions (id),
  buyer                TEXT NOT NULL CHECK (json_valid(buyer)),
  language             TEXT NOT NULL CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  credit_note_date     TEXT NOT NULL,
  reason               TEXT NOT NULL,
  restock              INTEGER NOT NULL CHECK (restock IN (0, 1)),
  is_cancellation      INTEGER NOT NULL CHECK (is_cancellation IN (0, 1)),
  buyer_reference      TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  notes                TEXT,
  currency             TEXT NOT NULL,
  prices_include_tax   INTEGER NOT NULL CHECK (prices_include_tax IN (0, 1)),
  tax_treatment        TEXT NOT NULL CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  discount             INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000),
  discount_amount      INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
  is_discount_amount   INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1)),
  taxes                TEXT NOT NULL CHECK (json_valid(taxes)),
  subtotal             INTEGER NOT NULL,
  discount_total       INTEGER NOT NULL,
  tax_total            INTEGER NOT NULL,
  total                INTEGER NOT NULL CHECK (total = subtotal + tax_total AND total >= 0),
  applied_to_invoice   INTEGER NOT NULL CHECK (applied_to_invoice BETWEEN 0 AND total),
  applied              INTEGER NOT NULL CHECK (applied >= 0),
  refunded             INTEGER NOT NULL CHECK (refunded >= 0),
  unapplied            INTEGER NOT NULL CHECK (
    unapplied >= 0 AND unapplied = total - applied_to_invoice - applied - refunded
  ),
  deposit_total        INTEGER NOT NULL DEFAULT 0 CHECK (deposit_total BETWEEN 0 AND total),
  last_sent_at         TEXT,
  created_by           TEXT,
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count         INTEGER NOT NULL DEFAULT 0,
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX credit_notes_created_at ON credit_notes (created_at, id);
CREATE INDEX credit_notes_updated_at ON credit_notes (updated_at, id);
CREATE UNIQUE INDEX credit_notes_external_id ON credit_notes (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX credit_notes_credit_note_date ON credit_notes (credit_note_date, id);
CREATE INDEX credit_notes_customer ON credit_notes (customer, created_at, id);
CREATE INDEX credit_notes_invoice ON credit_notes (invoice, created_at, id);
CREATE INDEX credit_notes_total ON credit_notes (total);

-- The lines of a credit note: a quantity of an invoice's line or, if is_amount is 1, an amount.
CREATE TABLE credit_note_lines (
  id                 TEXT PRIMARY KEY,
  credit_note        TEXT NOT NULL REFERENCES credit_notes (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  invoice_line       TEXT NOT NULL REFERENCES invoice_lines (id),
  is_amount          INTEGER NOT NULL CHECK (is_amount IN (0, 1)),
  item               TEXT REFERENCES items (id),
  item_code          TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name          TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description        TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom                TEXT NOT NULL,
  quantity           INTEGER NOT NULL CHECK (quantity > 0),
  rate               INTEGER NOT NULL CHECK (rate >= 0),
  discount           INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount             INTEGER NOT NULL,
  discount_amount    INTEGER NOT NULL,
  document_discount  INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0),
  gross_amount       INTEGER,
  tax_code           TEXT,
  tax_category       TEXT,
  tax_rate           INTEGER NOT NULL,
  is_discount_amount INTEGER NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code   INTEGER NOT NULL CHECK (has_own_tax_code IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX credit_note_lines_credit_note ON credit_note_lines (credit_note, position);
CREATE INDEX credit_note_lines_item ON credit_note_lines (item);
CREATE INDEX credit_note_lines_invoice_line ON credit_note_lines (invoice_line);

-- Letters that remind of unpaid invoices: one of each level of an invoice. balance is what was open on the date. The fee is
-- claimed on the letter only.
CREATE TABLE reminders (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  reminder_number  TEXT NOT NULL UNIQUE,
  number_series    TEXT NOT NULL,
  number_counter   INTEGER NOT NULL,
  invoice          TEXT NOT NULL REFERENCES invoices (id),
  invoice_number   TEXT NOT NULL,
  customer         TEXT NOT NULL REFERENCES customers (id),
  customer_name    TEXT NOT NULL,
  level            INTEGER NOT NULL CHECK (level >= 1),
  date             TEXT NOT NULL,
  due_date         TEXT NOT NULL,
  currency         TEXT NOT NULL,
  balance          INTEGER NOT NULL CHECK (balance > 0),
  fee              INTEGER NOT NULL CHECK (fee >= 0),
  subject          TEXT NOT NULL,
  message          TEXT NOT NULL,
  language         TEXT NOT NULL CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  seller_version   TEXT NOT NULL REFERENCES seller_versions (id),
  buyer            TEXT NOT NULL CHECK (json_valid(buyer)),
  external_id      TEXT,
  metadata         TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  last_sent_at     TEXT,
  created_by       TEXT,
  change_count     INTEGER NOT NULL DEFAULT 0,
  version          INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL,
  UNIQUE (invoice, level)
) STRICT;
CREATE INDEX reminders_created_at ON reminders (created_at, id);
CREATE INDEX reminders_updated_at ON reminders (updated_at, id);
CREATE UNIQUE INDEX reminders_external_id ON reminders (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX reminders_date ON reminders (date, id);
CREATE INDEX reminders_customer ON reminders (customer, created_at, id);
CREATE INDEX reminders_invoice ON reminders (invoice, created_at, id);

-- The payments of customers. invoice is set when all allocations of the payment are to one invoice. A payment is never
-- deleted: voided_at says when it was voided. New columns stand last, because PostgreSQL keeps their order in live_payments.
CREATE TABLE payments (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  customer       TEXT NOT NULL REFERENCES customers (id),
  customer_name  TEXT NOT NULL,
  invoice        TEXT REFERENCES invoices (id),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  allocated      INTEGER NOT NULL CHECK (allocated >= 0),
  refunded       INTEGER NOT NULL CHECK (refunded >= 0),
  unallocated    INTEGER NOT NULL CHECK (unallocated >= 0 AND unallocated = amount - allocated - refunded),
  payment_date   TEXT NOT NULL,
  method         TEXT,
  method_sort    TEXT,
  reference      TEXT,
  reference_sort TEXT,
  external_id    TEXT,
  metadata       TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_by     TEXT,
  voided_at      TEXT,
  voided_by      TEXT,
  version        INTEGER NOT NULL,
  created_at     TEXT NOT NULL,
  updated_at     TEXT NOT NULL,
  notes          TEXT
) STRICT;
CREATE INDEX payments_created_at ON payments (created_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_updated_at ON payments (updated_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_payment_date ON payments (payment_date, id) WHERE voided_at IS NULL;
CREATE INDEX payments_customer ON payments (customer, created_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_invoice ON payments (invoice, created_at, id) WHERE voided_at IS NULL;
CREATE UNIQUE INDEX payments_external_id ON payments (external_id) WHERE voided_at IS NULL;

-- The payments that are not voided.
CREATE VIEW live_payments AS SELECT * FROM payments WHERE voided_at IS NULL;

-- How payments and credit notes are used. An allocation is the part of a payment that pays an invoice, an application
-- the part of a credit note that does, and a refund is what the customer gets back of either. They are voided, never
-- deleted.
CREATE TABLE settlements (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL CHECK (kind = 'allocation' OR kind = 'application' OR kind = 'refund'),
  payment     TEXT REFERENCES payments (id),
  credit_note TEXT REFERENCES credit_notes (id) CHECK ((credit_note IS NULL) <> (payment IS NULL)),
  invoice     TEXT REFERENCES invoices (id) CHECK ((invoice IS NULL) = (kind = 'refund')),
  amount      INTEGER NOT NULL CHECK (amount > 0),
  date        TEXT NOT NULL,
  method      TEXT,
  reference   TEXT,
  created_by  TEXT,
  created_at  TEXT NOT NULL,
  voided_at   TEXT,
  voided_by   TEXT
) STRICT;
CREATE INDEX settlements_payment ON settlements (payment, invoice) WHERE payment IS NOT NULL;
CREATE INDEX settlements_credit_note ON settlements (credit_note, id) WHERE credit_note IS NOT NULL;
CREATE INDEX settlements_invoice ON settlements (invoice, id) WHERE invoice IS NOT NULL;

-- What payments pay of an invoice, as the invoice shows them: each payment once, with its id.
CREATE VIEW invoice_payments AS
  SELECT payments.seq, payments.id, first.invoice, payment_date, payments.method, method_sort, payments.reference,
    reference_sort, notes, external_id, metadata, payments.created_by, payments.created_at,
    (SELECT sum(amount) FROM settlements AS part WHERE part.payment = first.payment AND part.invoice = first.invoice
      AND part.voided_at IS NULL) AS amount
  FROM settlements AS first JOIN payments ON payments.id = first.payment
  WHERE first.kind = 'allocation' AND first.voided_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM settlements AS earlier WHERE earlier.payment = first.payment AND earlier.invoice = first.invoice
      AND earlier.voided_at IS NULL AND earlier.id < first.id);

-- A rest of an invoice that nobody will pay. A write-off is voided, never deleted.
CREATE TABLE write_offs (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  invoice        TEXT NOT NULL REFERENCES invoices (id),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  reason         TEXT NOT NULL,
  write_off_date TEXT NOT NULL,
  created_by     TEXT,
  created_at     TEXT NOT NULL,
  voided_at      TEXT,
  voided_by      TEXT
) STRICT;
CREATE INDEX write_offs_invoice ON write_offs (invoice, id);

-- The write-offs that are not voided.
CREATE VIEW live_write_offs AS SELECT * FROM write_offs WHERE voided_at IS NULL;

-- The keys of metadata that the settings name. source is the table of the records, and filled the seq of the last record
-- whose value is in metadata_values. The values of a key that is named no longer are removed in the background.
CREATE TABLE metadata_keys (
  number INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  key    TEXT NOT NULL,
  filled INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status = 'filling' OR status = 'ready' OR status = 'removing')
) STRICT;

-- The values of these keys, for filters. number is that of the key, and seq that of the record in its table.
CREATE TABLE metadata_values (
  number     INTEGER NOT NULL,
  value      TEXT NOT NULL,
  created_at TEXT NOT NULL,
  id         TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  PRIMARY KEY (number, value, created_at, id)
) STRICT, WITHOUT ROWID;
