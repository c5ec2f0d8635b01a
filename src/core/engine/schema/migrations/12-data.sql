-- Jobs, the files and faults of imports, and invoices of another system that were open when the business moved here.
ALTER TABLE jobs RENAME TO positions;
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
CREATE TABLE uploads (
  job      TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes    BLOB NOT NULL,
  PRIMARY KEY (job, position)
) STRICT;
CREATE TABLE job_faults (
  seq    INTEGER PRIMARY KEY,
  job    TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  faults TEXT NOT NULL CHECK (json_valid(faults))
) STRICT;
CREATE INDEX job_faults_job ON job_faults (job, seq);
CREATE TABLE job_targets (
  job      TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  record   TEXT NOT NULL,
  change   TEXT NOT NULL CHECK (json_valid(change)),
  PRIMARY KEY (job, position)
) STRICT, WITHOUT ROWID;
ALTER TABLE invoices ADD COLUMN is_opening INTEGER NOT NULL DEFAULT 0 CHECK (is_opening IN (0, 1));
CREATE UNIQUE INDEX invoices_opening_number ON invoices (invoice_number COLLATE NOCASE) WHERE is_opening = 1;
