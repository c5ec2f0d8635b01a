-- The database of Kontor as it is today. Older files get here by the steps in src/db/migrate.ts.
--
-- Prices, quantities and percentages are whole numbers of 1/10000; amounts of money are whole numbers of the
-- currency's minor unit. Timestamps are UTC text with milliseconds. A column x_sort holds x with case and accents
-- folded away, to sort by; x_key holds it in lower case, to be unique by.

-- The service's own secrets: what signs tokens and cursors. Left out of backups.
CREATE TABLE secrets (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- When the file was last proved writable. One row.
CREATE TABLE write_probe (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at TEXT NOT NULL
) STRICT;

-- The last number given out in each series, such as CUST or INV-2026.
CREATE TABLE number_series (
  name TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- People who sign in.
CREATE TABLE users (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  email      TEXT NOT NULL,
  email_key  TEXT NOT NULL UNIQUE,
  email_sort TEXT NOT NULL,
  name       TEXT NOT NULL,
  name_sort  TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('viewer', 'sales', 'accountant', 'manager', 'admin')),
  plan       TEXT CHECK (plan IN ('free', 'pro', 'enterprise')),
  is_active  INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version    INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- How each user signs in: an argon2id hash, apart from the record so that nothing that reads users can show it.
CREATE TABLE passwords (
  user       TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One sign-in of one user, until it is signed out, idle for too long or too old.
CREATE TABLE sessions (
  id           TEXT PRIMARY KEY,
  user         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at   TEXT NOT NULL,
  last_used_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user);

-- Every refresh token a session ever had, as a digest. The one that is not replaced is good; using an older one
-- ends the session, because then two parties hold its tokens.
CREATE TABLE refresh_tokens (
  digest      TEXT PRIMARY KEY,
  session     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  replaced_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session);

-- Keys with which other programs call, each acting for its owner within its scopes.
CREATE TABLE api_keys (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  user         TEXT NOT NULL REFERENCES users (id),
  name         TEXT NOT NULL,
  name_sort    TEXT NOT NULL,
  prefix       TEXT NOT NULL,
  scopes       TEXT NOT NULL CHECK (json_valid(scopes)),
  expires_at   TEXT,
  allowed_ips  TEXT NOT NULL CHECK (json_valid(allowed_ips)),
  plan         TEXT CHECK (plan IN ('free', 'pro', 'enterprise')),
  last_used_at TEXT,
  last_used_ip TEXT,
  version      INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL
) STRICT;
CREATE INDEX api_keys_user ON api_keys (user);

-- What a key is recognised by: the SHA-256 of its text, apart from the record.
CREATE TABLE api_key_digests (
  digest TEXT PRIMARY KEY,
  key    TEXT NOT NULL UNIQUE REFERENCES api_keys (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- How the instance is set up, as one JSON object; what it does not name has its default. One row, once it was changed.
CREATE TABLE settings (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  body       TEXT NOT NULL CHECK (json_valid(body)),
  version    INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- How many requests each caller has made on a UTC day, so that a restart does not refill the day.
CREATE TABLE rate_days (
  subject TEXT PRIMARY KEY,
  day     TEXT NOT NULL,
  count   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The answers to POSTs that carried an Idempotency-Key, for a day. Secrets are left out of them.
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

-- Who did what, in the order in which it was committed. Each hash covers the row and the hash before it.
CREATE TABLE audit_logs (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  request_id TEXT,
  actor_type TEXT NOT NULL CHECK (actor_type IN ('user', 'apiKey', 'oauthClient', 'anonymous', 'system')),
  actor      TEXT,
  actor_name TEXT,
  action     TEXT NOT NULL,
  kind       TEXT,
  record_id  TEXT,
  ip         TEXT,
  user_agent TEXT,
  outcome    TEXT NOT NULL CHECK (outcome IN ('success', 'failure', 'refused')),
  changes    TEXT NOT NULL CHECK (json_valid(changes)),
  hash       TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX audit_logs_record ON audit_logs (record_id, created_at, id);
CREATE INDEX audit_logs_actor ON audit_logs (actor, created_at, id);
CREATE INDEX audit_logs_created_at ON audit_logs (created_at, id);
CREATE TRIGGER audit_logs_no_update BEFORE UPDATE ON audit_logs BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;
CREATE TRIGGER audit_logs_no_delete BEFORE DELETE ON audit_logs BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;

-- What is bought and sold. Stock is the sum of its movements; reserved stock is promised to submitted orders.
CREATE TABLE items (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  item_code        TEXT NOT NULL,
  item_code_key    TEXT NOT NULL UNIQUE,
  item_code_sort   TEXT NOT NULL,
  item_name        TEXT NOT NULL,
  item_name_sort   TEXT NOT NULL,
  category         TEXT,
  category_sort    TEXT,
  item_type        TEXT NOT NULL CHECK (item_type IN ('Product', 'Service', 'Consumable')),
  uom              TEXT NOT NULL,
  uom_sort         TEXT NOT NULL,
  selling_price    INTEGER NOT NULL CHECK (selling_price >= 0),
  cost_price       INTEGER NOT NULL CHECK (cost_price >= 0),
  tax_rate         INTEGER NOT NULL CHECK (tax_rate >= 0),
  current_stock    INTEGER NOT NULL DEFAULT 0,
  reserved_stock   INTEGER NOT NULL DEFAULT 0,
  reorder_level    INTEGER NOT NULL,
  reorder_qty      INTEGER NOT NULL,
  description      TEXT,
  images           TEXT NOT NULL CHECK (json_valid(images)),
  is_active        INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version          INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL
) STRICT;
CREATE INDEX items_created_at ON items (created_at, id);
CREATE INDEX items_item_name ON items (item_name_sort, id);
CREATE INDEX items_category ON items (category, created_at, id);

-- The words of items, for search in lists. Fed once per commit; rowid is items.seq.
CREATE VIRTUAL TABLE items_search USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

-- Who buys. The two figures follow the documents.
CREATE TABLE customers (
  seq                 INTEGER PRIMARY KEY,
  id                  TEXT NOT NULL UNIQUE,
  customer_number     TEXT NOT NULL UNIQUE,
  name                TEXT NOT NULL,
  name_sort           TEXT NOT NULL,
  email               TEXT,
  email_sort          TEXT,
  phone               TEXT,
  phone_sort          TEXT,
  type                TEXT NOT NULL,
  type_sort           TEXT NOT NULL,
  address             TEXT CHECK (json_valid(address)),
  credit_limit        INTEGER CHECK (credit_limit >= 0),
  payment_terms       TEXT,
  payment_terms_sort  TEXT,
  tax_id              TEXT,
  tax_id_sort         TEXT,
  outstanding_balance INTEGER NOT NULL DEFAULT 0,
  open_orders_value   INTEGER NOT NULL DEFAULT 0,
  is_active           INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version             INTEGER NOT NULL,
  created_at          TEXT NOT NULL,
  updated_at          TEXT NOT NULL
) STRICT;
CREATE INDEX customers_created_at ON customers (created_at, id);
CREATE INDEX customers_name ON customers (name_sort, id);

-- The words of customers, for search in lists; rowid is customers.seq.
CREATE VIRTUAL TABLE customers_search USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
