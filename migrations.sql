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

-- Version 20: barcodes of items, saved views of lists, merged customers and those that may be the same, prices with tax per
-- customer, and write-offs of invoices.

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

ALTER TABLE items ADD COLUMN barcode TEXT;
ALTER TABLE items ADD COLUMN barcode_sort TEXT;
ALTER TABLE items ADD COLUMN barcode_key TEXT;
CREATE UNIQUE INDEX items_barcode ON items (barcode_key) WHERE barcode_key IS NOT NULL;

ALTER TABLE customers ADD COLUMN invoice_email TEXT;
ALTER TABLE customers ADD COLUMN invoice_email_sort TEXT;
ALTER TABLE customers ADD COLUMN buyer_reference TEXT;
ALTER TABLE customers ADD COLUMN buyer_reference_sort TEXT;
ALTER TABLE customers ADD COLUMN merged_into TEXT REFERENCES customers (id);
ALTER TABLE customers ADD COLUMN phone_alike TEXT;
ALTER TABLE customers ADD COLUMN tax_id_alike TEXT;
UPDATE customers SET
  phone_alike = replace(replace(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '/', ''), '(', ''), ')', ''), '.', ''), '+', ''),
  tax_id_alike = replace(replace(replace(replace(tax_id_sort, ' ', ''), '-', ''), '/', ''), '.', '');
UPDATE customers SET phone_alike = substr(phone_alike, length(phone_alike) - 7) WHERE length(phone_alike) > 8;
CREATE INDEX customers_email ON customers (email_sort, id) WHERE email_sort IS NOT NULL;
CREATE INDEX customers_phone ON customers (phone_alike, id) WHERE phone_alike IS NOT NULL;
CREATE INDEX customers_tax_id ON customers (tax_id_alike, id) WHERE tax_id_alike IS NOT NULL;
CREATE INDEX customers_merged_into ON customers (merged_into) WHERE merged_into IS NOT NULL;

ALTER TABLE customers ADD COLUMN prices_include_tax INTEGER CHECK (prices_include_tax IN (0, 1));

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

-- Version 21: notes of payments, stock movements of other systems, webhooks of programs with several requests at the same
-- time, deliveries that are sent before their time, and the index of the keys of metadata that the settings name.

ALTER TABLE payments ADD COLUMN notes TEXT;
DROP VIEW live_payments;
CREATE VIEW live_payments AS SELECT * FROM payments WHERE voided_at IS NULL;
DROP VIEW invoice_payments;
CREATE VIEW invoice_payments AS
  SELECT payments.seq, payments.id, first.invoice, payment_date, payments.method, method_sort, payments.reference,
    reference_sort, notes, external_id, metadata, payments.created_by, payments.created_at,
    (SELECT sum(amount) FROM settlements AS part WHERE part.payment = first.payment AND part.invoice = first.invoice
      AND part.voided_at IS NULL) AS amount
  FROM settlements AS first JOIN payments ON payments.id = first.payment
  WHERE first.kind = 'allocation' AND first.voided_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM settlements AS earlier WHERE earlier.payment = first.payment AND earlier.invoice = first.invoice
      AND earlier.voided_at IS NULL AND earlier.id < first.id);

ALTER TABLE stock_movements ADD COLUMN external_id TEXT;
ALTER TABLE stock_movements ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata));
CREATE UNIQUE INDEX stock_movements_external_id ON stock_movements (external_id) WHERE external_id IS NOT NULL;

ALTER TABLE webhooks ADD COLUMN parallel INTEGER NOT NULL DEFAULT 1 CHECK (parallel BETWEEN 1 AND 4);
CREATE TABLE webhook_programs (
  webhook TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  program TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE webhook_positions ADD COLUMN ahead TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(ahead));
ALTER TABLE webhook_deliveries ADD COLUMN was_early INTEGER NOT NULL DEFAULT 0 CHECK (was_early IN (0, 1));
CREATE INDEX webhook_deliveries_early ON webhook_deliveries (webhook, seq)
  WHERE next_attempt_at IS NOT NULL AND was_early = 0;

CREATE TABLE metadata_keys (
  number INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  key    TEXT NOT NULL,
  filled INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status = 'filling' OR status = 'ready' OR status = 'removing')
) STRICT;

CREATE TABLE metadata_values (
  number     INTEGER NOT NULL,
  value      TEXT NOT NULL,
  created_at TEXT NOT NULL,
  id         TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  PRIMARY KEY (number, value, created_at, id)
) STRICT, WITHOUT ROWID;

-- Version 22: the discount on a whole document, and the shares of its lines in it.

ALTER TABLE sales_orders ADD COLUMN discount INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000);
ALTER TABLE sales_orders ADD COLUMN discount_amount INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0);
ALTER TABLE sales_orders ADD COLUMN is_discount_amount INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1));
ALTER TABLE invoices ADD COLUMN discount INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000);
ALTER TABLE invoices ADD COLUMN discount_amount INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0);
ALTER TABLE invoices ADD COLUMN is_discount_amount INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1));
ALTER TABLE credit_notes ADD COLUMN discount INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 1000000);
ALTER TABLE credit_notes ADD COLUMN discount_amount INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0);
ALTER TABLE credit_notes ADD COLUMN is_discount_amount INTEGER NOT NULL DEFAULT 0 CHECK (is_discount_amount IN (0, 1));
ALTER TABLE sales_order_lines ADD COLUMN document_discount INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0);
ALTER TABLE invoice_lines ADD COLUMN document_discount INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0);
ALTER TABLE credit_note_lines ADD COLUMN document_discount INTEGER NOT NULL DEFAULT 0 CHECK (document_discount >= 0);
