-- From version 5 to 6: external ids and metadata, a count of the changes that are not edits, indexes by the time of the
-- last change, and the positions of jobs.

ALTER TABLE items ADD COLUMN external_id TEXT;
ALTER TABLE items ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata));
ALTER TABLE items ADD COLUMN change_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX items_updated_at ON items (updated_at, id);
CREATE UNIQUE INDEX items_external_id ON items (external_id);

ALTER TABLE customers ADD COLUMN external_id TEXT;
ALTER TABLE customers ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata));
ALTER TABLE customers ADD COLUMN change_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX customers_updated_at ON customers (updated_at, id);
CREATE UNIQUE INDEX customers_external_id ON customers (external_id);

ALTER TABLE sales_orders ADD COLUMN external_id TEXT;
ALTER TABLE sales_orders ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata));
ALTER TABLE sales_orders ADD COLUMN change_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sales_orders_updated_at ON sales_orders (updated_at, id);
CREATE UNIQUE INDEX sales_orders_external_id ON sales_orders (external_id);

ALTER TABLE invoices ADD COLUMN external_id TEXT;
ALTER TABLE invoices ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata));
ALTER TABLE invoices ADD COLUMN change_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX invoices_updated_at ON invoices (updated_at, id);
CREATE UNIQUE INDEX invoices_external_id ON invoices (external_id);
CREATE INDEX invoices_due_date ON invoices (due_date, id) WHERE status = 'unpaid' OR status = 'partially_paid';

ALTER TABLE payments ADD COLUMN external_id TEXT;
ALTER TABLE payments ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata));
CREATE UNIQUE INDEX payments_external_id ON payments (external_id);

CREATE TABLE jobs (
  name     TEXT PRIMARY KEY,
  position TEXT NOT NULL
) STRICT, WITHOUT ROWID;
