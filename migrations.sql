-- The migrations from one version of the database schema to the next, in the language of schema.sql. Only append: a step
-- that was released does not change. Each begins with a line of the form "-- Version N: …". PostgreSQL gets the same steps,
-- translated as schema.sql is. What else a step needs stands in src/core/engine/schema/migrations.ts.

-- Version 18: each webhook has an owner, and deliveries no longer contain copies of records.

ALTER TABLE webhooks ADD COLUMN owner TEXT;
UPDATE webhooks SET owner = created_by;

-- The record was the last field of a body. Inside a text its quotation marks would be escaped.
UPDATE webhook_deliveries SET request = substr(request, 1, instr(request, ',"record":') - 1) || '}'
  WHERE instr(request, ',"record":') > 0;

-- Those of a webhook that is paused are due too, so that the next one is looked up for each webhook.
DROP INDEX webhook_deliveries_due;

-- Version 19: the database says by which definition the search tables of each kind were filled. These are those of version 18.

DELETE FROM positions WHERE name LIKE 'search:%';
INSERT INTO positions
  SELECT 'search:items', '{"text":1,"search":["itemCode","itemName"],"searchMore":["category","description"],"fragments":[]}'
  UNION ALL SELECT 'search:customers', '{"text":1,"search":["name","customerNumber"],"searchMore":["contactName","email","phone","taxId"],"fragments":["email","phone","taxId"]}'
  UNION ALL SELECT 'search:sales_orders', '{"text":1,"search":["orderNumber","customerName"],"searchMore":["notes"],"fragments":[]}'
  UNION ALL SELECT 'search:invoices', '{"text":1,"search":["invoiceNumber","customerName"],"searchMore":["notes"],"fragments":[]}'
  UNION ALL SELECT 'search:credit_notes', '{"text":1,"search":["creditNoteNumber","invoiceNumber","customerName"],"searchMore":["reason","notes"],"fragments":[]}';

-- Version 20: a rest of an invoice that nobody will pay can be written off.

ALTER TABLE invoices ADD COLUMN written_off INTEGER NOT NULL DEFAULT 0 CHECK (written_off >= 0);
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

CREATE VIEW live_write_offs AS SELECT * FROM write_offs WHERE voided_at IS NULL;
