-- From version 4 to 5: users can have the role shop. A check of a column cannot be changed, so the table is rebuilt.

CREATE TABLE users_with_shop (
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
INSERT INTO users_with_shop (
  seq, id, email, email_key, email_sort, name, name_sort, role, plan, is_active, version, created_at, updated_at
)
  SELECT
    seq, id, email, email_key, email_sort, name, name_sort, role, plan, is_active, version, created_at, updated_at
  FROM users;
DROP TABLE users;
ALTER TABLE users_with_shop RENAME TO users;
