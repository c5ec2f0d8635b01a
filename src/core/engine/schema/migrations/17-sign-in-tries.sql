-- From version 16 to 17: servers that share a database count failed sign-ins together.

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
