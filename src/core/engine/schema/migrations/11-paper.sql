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
CREATE TABLE paper_values (
  document   TEXT PRIMARY KEY,
  notes      TEXT,
  due_date   TEXT,
  unit_codes TEXT NOT NULL CHECK (json_valid(unit_codes))
) STRICT, WITHOUT ROWID;
