-- From version 7 to 8: tax codes and categories, prices that include tax, lines without an item, the seller and the buyer
-- of issued documents, and number formats. No total changes.

ALTER TABLE number_series ADD COLUMN first INTEGER NOT NULL DEFAULT 1;

CREATE TABLE logos (
  hash  TEXT PRIMARY KEY,
  type  TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg')),
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE seller_versions (
  id   TEXT PRIMARY KEY,
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;
CREATE TABLE tax_codes (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  code         TEXT NOT NULL,
  code_key     TEXT NOT NULL UNIQUE,
  code_sort    TEXT NOT NULL,
  name         TEXT NOT NULL,
  name_sort    TEXT NOT NULL,
  category     TEXT NOT NULL CHECK (
    category = 'S' OR category = 'Z' OR category = 'E' OR category = 'AE' OR category = 'K' OR category = 'G'
      OR category = 'O'
  ),
  rate         INTEGER NOT NULL CHECK (CASE category WHEN 'S' THEN rate > 0 ELSE rate = 0 END),
  reason       TEXT,
  is_active    INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  is_used      INTEGER NOT NULL CHECK (is_used IN (0, 1)),
  change_count INTEGER NOT NULL DEFAULT 0,
  version      INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL
) STRICT;

ALTER TABLE items ADD COLUMN tax_code TEXT REFERENCES tax_codes (id);
CREATE INDEX items_tax_code ON items (tax_code) WHERE tax_code IS NOT NULL;

ALTER TABLE customers ADD COLUMN contact_name TEXT;
ALTER TABLE customers ADD COLUMN contact_name_sort TEXT;
ALTER TABLE customers ADD COLUMN shipping_address TEXT CHECK (json_valid(shipping_address));
ALTER TABLE customers ADD COLUMN language TEXT CHECK (language = 'en' OR language = 'de' OR language = 'fr');
ALTER TABLE customers ADD COLUMN tax_treatment TEXT NOT NULL DEFAULT 'domestic' CHECK (
  tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
    OR tax_treatment = 'export' OR tax_treatment = 'exempt'
);
ALTER TABLE customers ADD COLUMN tax_reason TEXT;
ALTER TABLE customers ADD COLUMN notes TEXT;

ALTER TABLE sales_orders ADD COLUMN number_series TEXT NOT NULL DEFAULT '';
ALTER TABLE sales_orders ADD COLUMN number_counter INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sales_orders ADD COLUMN buyer_reference TEXT;
ALTER TABLE sales_orders ADD COLUMN buyer_reference_sort TEXT;
ALTER TABLE sales_orders ADD COLUMN shipping_address TEXT CHECK (json_valid(shipping_address));
ALTER TABLE sales_orders ADD COLUMN prices_include_tax INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1));
ALTER TABLE sales_orders ADD COLUMN taxes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(taxes));

ALTER TABLE invoices ADD COLUMN number_series TEXT;
ALTER TABLE invoices ADD COLUMN number_counter INTEGER;
ALTER TABLE invoices ADD COLUMN seller_version TEXT REFERENCES seller_versions (id);
ALTER TABLE invoices ADD COLUMN buyer TEXT CHECK (json_valid(buyer));
ALTER TABLE invoices ADD COLUMN language TEXT CHECK (language = 'en' OR language = 'de' OR language = 'fr');
ALTER TABLE invoices ADD COLUMN supply_date TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN buyer_reference TEXT;
ALTER TABLE invoices ADD COLUMN buyer_reference_sort TEXT;
ALTER TABLE invoices ADD COLUMN shipping_address TEXT CHECK (json_valid(shipping_address));
ALTER TABLE invoices ADD COLUMN prices_include_tax INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1));
ALTER TABLE invoices ADD COLUMN taxes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(taxes));

CREATE TABLE sales_order_lines_new (
  id                 TEXT PRIMARY KEY,
  sales_order        TEXT NOT NULL REFERENCES sales_orders (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  item               TEXT REFERENCES items (id),
  item_code          TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name          TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description        TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom                TEXT NOT NULL,
  quantity           INTEGER NOT NULL CHECK (quantity > 0),
  rate               INTEGER NOT NULL CHECK (rate >= 0),
  discount           INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount             INTEGER NOT NULL,
  discount_amount    INTEGER NOT NULL,
  gross_amount       INTEGER,
  tax_code           TEXT,
  tax_category       TEXT,
  tax_rate           INTEGER NOT NULL,
  is_discount_amount INTEGER NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code   INTEGER NOT NULL CHECK (has_own_tax_code IN (0, 1)),
  invoiced_quantity  INTEGER NOT NULL CHECK (invoiced_quantity BETWEEN 0 AND quantity)
) STRICT, WITHOUT ROWID;
INSERT INTO sales_order_lines_new (id, sales_order, position, item, item_code, item_name, uom, quantity, rate, discount, amount, discount_amount, tax_rate, invoiced_quantity, is_discount_amount, has_own_tax_code, tax_category)
  SELECT id, sales_order, position, item, item_code, item_name, uom, quantity, rate, discount, amount, discount_amount, tax_rate, invoiced_quantity, 0, 0, CASE WHEN tax_rate > 0 THEN 'S' END FROM sales_order_lines;
DROP TABLE sales_order_lines;
ALTER TABLE sales_order_lines_new RENAME TO sales_order_lines;
CREATE INDEX sales_order_lines_order ON sales_order_lines (sales_order, position);
CREATE INDEX sales_order_lines_item ON sales_order_lines (item);

CREATE TABLE invoice_lines_new (
  id                 TEXT PRIMARY KEY,
  invoice            TEXT NOT NULL REFERENCES invoices (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  order_line         TEXT REFERENCES sales_order_lines (id),
  item               TEXT REFERENCES items (id),
  item_code          TEXT CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name          TEXT CHECK ((item IS NULL) = (item_name IS NULL)),
  description        TEXT CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom                TEXT NOT NULL,
  quantity           INTEGER NOT NULL CHECK (quantity > 0),
  rate               INTEGER NOT NULL CHECK (rate >= 0),
  discount           INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount             INTEGER NOT NULL,
  discount_amount    INTEGER NOT NULL,
  gross_amount       INTEGER,
  tax_code           TEXT,
  tax_category       TEXT,
  tax_rate           INTEGER NOT NULL,
  is_discount_amount INTEGER NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code   INTEGER NOT NULL CHECK (has_own_tax_code IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO invoice_lines_new (id, invoice, position, order_line, item, item_code, item_name, uom, quantity, rate, discount, amount, discount_amount, tax_rate, is_discount_amount, has_own_tax_code, tax_category)
  SELECT id, invoice, position, order_line, item, item_code, item_name, uom, quantity, rate, discount, amount, discount_amount, tax_rate, 0, 0, CASE WHEN tax_rate > 0 THEN 'S' END FROM invoice_lines;
DROP TABLE invoice_lines;
ALTER TABLE invoice_lines_new RENAME TO invoice_lines;
CREATE INDEX invoice_lines_invoice ON invoice_lines (invoice, position);
CREATE INDEX invoice_lines_item ON invoice_lines (item);
CREATE INDEX invoice_lines_order_line ON invoice_lines (order_line) WHERE order_line IS NOT NULL;

-- The number after the last hyphen is the counter, and what is before it is the series.
UPDATE sales_orders SET
  number_series = substr(order_number, 1, 7),
  number_counter = CAST(substr(order_number, 9) AS INTEGER),
  taxes = (
    SELECT coalesce(json_group_array(json_object(
      'category', CASE WHEN tax_rate > 0 THEN 'S' END, 'rate', tax_rate, 'base', base, 'tax',
      -- Exact for large amounts too: amount times rate may be larger than the largest integer.
      base / 1000000 * tax_rate + (base % 1000000 * tax_rate * 2 + 1000000) / 2000000, 'reason', NULL)), '[]')
    FROM (SELECT tax_rate, sum(amount) AS base FROM sales_order_lines WHERE sales_order = sales_orders.id
      GROUP BY tax_rate ORDER BY tax_rate DESC));

UPDATE invoices SET
  number_series = substr(invoice_number, 1, 8),
  number_counter = CAST(substr(invoice_number, 10) AS INTEGER),
  supply_date = coalesce((SELECT delivery_date FROM sales_orders WHERE sales_orders.id = invoices.sales_order), invoice_date),
  taxes = (
    SELECT coalesce(json_group_array(json_object(
      'category', CASE WHEN tax_rate > 0 THEN 'S' END, 'rate', tax_rate, 'base', base, 'tax', tax, 'reason', NULL)), '[]')
    FROM (SELECT line.tax_rate, sum(line.amount) AS base, coalesce((SELECT amount FROM invoice_taxes
        WHERE invoice_taxes.invoice = invoices.id AND invoice_taxes.tax_rate = line.tax_rate), 0) AS tax
      FROM invoice_lines AS line WHERE line.invoice = invoices.id GROUP BY line.tax_rate ORDER BY line.tax_rate DESC));
DROP TABLE invoice_taxes;

-- Issued invoices get the company of this day as their seller; the audit log says so. Their buyer is what they store.
UPDATE invoices SET
  language = 'en',
  buyer = (SELECT json_object('customerNumber', customer_number, 'name', invoices.customer_name, 'contactName', NULL,
      'email', customers.email, 'phone', customers.phone, 'address', json(invoices.billing_address),
      'taxId', invoices.tax_id)
    FROM customers WHERE customers.id = invoices.customer)
WHERE issued_at IS NOT NULL;
