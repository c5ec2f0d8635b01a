-- From version 16 to 17: servers that share a database count failed sign-ins together.

CREATE TABLE sign_in_tries (
  scope text COLLATE "C" NOT NULL CHECK (scope IN ('near', 'wide')),
  key text COLLATE "C" NOT NULL,
  failures bigint NOT NULL,
  waits bigint NOT NULL,
  blocked_until bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX sign_in_tries_last_at ON sign_in_tries (last_at);
