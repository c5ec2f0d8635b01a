-- From version 1 to 2: apps may act for users who allowed it.

-- Registered OAuth clients.
CREATE TABLE oauth_clients (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  name_sort     TEXT NOT NULL,
  type          TEXT NOT NULL CHECK (type IN ('confidential', 'public')),
  redirect_uris TEXT NOT NULL CHECK (json_valid(redirect_uris)),
  scopes        TEXT NOT NULL CHECK (json_valid(scopes)),
  version       INTEGER NOT NULL,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL
) STRICT;

-- The SHA-256 of a confidential client's secret, separate from the record.
CREATE TABLE oauth_client_digests (
  client TEXT PRIMARY KEY REFERENCES oauth_clients (id) ON DELETE CASCADE,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a user has allowed: this app may act for them within these scopes.
CREATE TABLE oauth_grants (
  id         TEXT PRIMARY KEY,
  user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client     TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
  scopes     TEXT NOT NULL CHECK (json_valid(scopes)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (user, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_grants_client ON oauth_grants (client);

-- Authorization codes, as digests: valid once and for one minute. A used code names the session that it was exchanged
-- for, so that using it a second time ends that session.
CREATE TABLE oauth_codes (
  digest       TEXT PRIMARY KEY,
  grant_id     TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  challenge    TEXT NOT NULL,
  scopes       TEXT NOT NULL CHECK (json_valid(scopes)),
  created_at   TEXT NOT NULL,
  session      TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);

ALTER TABLE sessions ADD COLUMN grant_id TEXT REFERENCES oauth_grants (id) ON DELETE CASCADE;
ALTER TABLE sessions ADD COLUMN scopes TEXT CHECK (json_valid(scopes));
CREATE INDEX sessions_grant ON sessions (grant_id) WHERE grant_id IS NOT NULL;
