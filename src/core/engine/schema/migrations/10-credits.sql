-- From version 9 to 10: credit notes, payments of a customer over several invoices, refunds, and payments that are
-- voided instead of deleted.

ALTER TABLE customers ADD COLUMN credit_balance INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sales_order_lines ADD COLUMN returned_quantity INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invoice_lines ADD COLUMN credited_quantity INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invoice_lines ADD COLUMN credited_amount INTEGER NOT NULL DEFAULT 0;

-- The status credited, and the sums of the credit notes.
CREATE TABLE invoices_new (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  invoice_number       TEXT UNIQUE,
  number_series        TEXT,
  number_counter       INTEGER,
  status               TEXT NOT NULL CHECK (
    status = 'draft' OR status = 'unpaid' OR status = 'partially_paid' OR status = 'paid' OR status = 'credited'
      OR status = 'cancelled'
  ),
  sales_order          TEXT REFERENCES sales_orders (id),
  order_number         TEXT,
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  billing_address      TEXT CHECK (json_valid(billing_address)),
  tax_id               TEXT,
  seller_version       TEXT REFERENCES seller_versions (id),
  buyer                TEXT CHECK (json_valid(buyer)),
  language             TEXT CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  invoice_date         TEXT NOT NULL,
  supply_date          TEXT NOT NULL DEFAULT '',
  due_date             TEXT NOT NULL,
  payment_terms        TEXT,
  payment_terms_sort   TEXT,
  buyer_reference      TEXT,
  buyer_reference_sort TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  notes                TEXT,
  currency             TEXT NOT NULL,
  prices_include_tax   INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  tax_treatment        TEXT NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  taxes                TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(taxes)),
  subtotal             INTEGER NOT NULL,
  discount_total       INTEGER NOT NULL,
  tax_total            INTEGER NOT NULL,
  total                INTEGER NOT NULL CHECK (total = subtotal + tax_total),
  amount_paid          INTEGER NOT NULL CHECK (amount_paid >= 0),
  credited_total       INTEGER NOT NULL DEFAULT 0 CHECK (credited_total BETWEEN 0 AND total),
  credit_taken         INTEGER NOT NULL DEFAULT 0 CHECK (credit_taken BETWEEN 0 AND credited_total),
  credit_applied       INTEGER NOT NULL DEFAULT 0 CHECK (credit_applied >= 0),
  balance              INTEGER NOT NULL CHECK (balance >= 0),
  issued_at            TEXT,
  paid_at              TEXT,
  cancelled_at         TEXT,
  cancel_reason        TEXT,
  created_by           TEXT,
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count         INTEGER NOT NULL DEFAULT 0,
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
INSERT INTO invoices_new (seq, id, invoice_number, number_series, number_counter, status, sales_order, order_number, customer, customer_name, billing_address, tax_id, seller_version, buyer, language, invoice_date, supply_date, due_date, payment_terms, payment_terms_sort, buyer_reference, buyer_reference_sort, shipping_address, notes, currency, prices_include_tax, tax_treatment, taxes, subtotal, discount_total, tax_total, total, amount_paid, balance, issued_at, paid_at, cancelled_at, cancel_reason, created_by, external_id, metadata, change_count, version, created_at, updated_at)
  SELECT seq, id, invoice_number, number_series, number_counter, status, sales_order, order_number, customer, customer_name, billing_address, tax_id, seller_version, buyer, language, invoice_date, supply_date, due_date, payment_terms, payment_terms_sort, buyer_reference, buyer_reference_sort, shipping_address, notes, currency, prices_include_tax, tax_treatment, taxes, subtotal, discount_total, tax_total, total, amount_paid, balance, issued_at, paid_at, cancelled_at, cancel_reason, created_by, external_id, metadata, change_count, version, created_at, updated_at FROM invoices;
DROP TABLE invoices;
ALTER TABLE invoices_new RENAME TO invoices;
CREATE INDEX invoices_created_at ON invoices (created_at, id);
CREATE INDEX invoices_updated_at ON invoices (updated_at, id);
CREATE UNIQUE INDEX invoices_external_id ON invoices (external_id);
CREATE INDEX invoices_invoice_date ON invoices (invoice_date, id);
CREATE INDEX invoices_customer ON invoices (customer, created_at, id);
CREATE INDEX invoices_status ON invoices (status, created_at, id);
CREATE INDEX invoices_due_date ON invoices (due_date, id) WHERE status = 'unpaid' OR status = 'partially_paid';
CREATE INDEX invoices_open ON invoices (customer, due_date) WHERE balance > 0;
CREATE INDEX invoices_total ON invoices (total);
CREATE INDEX invoices_balance ON invoices (balance) WHERE status = 'partially_paid';
CREATE INDEX invoices_sales_order ON invoices (sales_order) WHERE sales_order IS NOT NULL;

-- The reason credit.
CREATE TABLE stock_movements_new (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  item          TEXT NOT NULL REFERENCES items (id),
  quantity      INTEGER NOT NULL CHECK (quantity <> 0),
  reason        TEXT NOT NULL CHECK (
    reason = 'receipt' OR reason = 'adjustment' OR reason = 'return' OR reason = 'invoice' OR reason = 'cancellation'
      OR reason = 'credit'
  ),
  note          TEXT,
  balance_after INTEGER NOT NULL,
  source_type   TEXT,
  source_id     TEXT,
  created_by    TEXT,
  created_at    TEXT NOT NULL
) STRICT;
INSERT INTO stock_movements_new (seq, id, item, quantity, reason, note, balance_after, source_type, source_id, created_by, created_at)
  SELECT seq, id, item, quantity, reason, note, balance_after, source_type, source_id, created_by, created_at FROM stock_movements;
DROP TABLE stock_movements;
ALTER TABLE stock_movements_new RENAME TO stock_movements;
CREATE INDEX stock_movements_item ON stock_movements (item, created_at, id);
CREATE INDEX stock_movements_created_at ON stock_movements (created_at, id);

CREATE TABLE credit_notes (
  seq                  INTEGER PRIMARY KEY,
  id                   TEXT NOT NULL UNIQUE,
  credit_note_number   TEXT NOT NULL UNIQUE,
  number_series        TEXT NOT NULL,
  number_counter       INTEGER NOT NULL,
  invoice              TEXT NOT NULL REFERENCES invoices (id),
  invoice_number       TEXT NOT NULL,
  customer             TEXT NOT NULL REFERENCES customers (id),
  customer_name        TEXT NOT NULL,
  billing_address      TEXT CHECK (json_valid(billing_address)),
  tax_id               TEXT,
  seller_version       TEXT NOT NULL REFERENCES seller_versions (id),
  buyer                TEXT NOT NULL CHECK (json_valid(buyer)),
  language             TEXT NOT NULL CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  credit_note_date     TEXT NOT NULL,
  reason               TEXT NOT NULL,
  restock              INTEGER NOT NULL CHECK (restock IN (0, 1)),
  is_cancellation      INTEGER NOT NULL CHECK (is_cancellation IN (0, 1)),
  buyer_reference      TEXT,
  shipping_address     TEXT CHECK (json_valid(shipping_address)),
  notes                TEXT,
  currency             TEXT NOT NULL,
  prices_include_tax   INTEGER NOT NULL CHECK (prices_include_tax IN (0, 1)),
  tax_treatment        TEXT NOT NULL CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  taxes                TEXT NOT NULL CHECK (json_valid(taxes)),
  subtotal             INTEGER NOT NULL,
  discount_total       INTEGER NOT NULL,
  tax_total            INTEGER NOT NULL,
  total                INTEGER NOT NULL CHECK (total = subtotal + tax_total AND total >= 0),
  applied_to_invoice   INTEGER NOT NULL CHECK (applied_to_invoice BETWEEN 0 AND total),
  applied              INTEGER NOT NULL CHECK (applied >= 0),
  refunded             INTEGER NOT NULL CHECK (refunded >= 0),
  unapplied            INTEGER NOT NULL CHECK (
    unapplied >= 0 AND unapplied = total - applied_to_invoice - applied - refunded
  ),
  created_by           TEXT,
  external_id          TEXT,
  metadata             TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  version              INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL
) STRICT;
CREATE INDEX credit_notes_created_at ON credit_notes (created_at, id);
CREATE INDEX credit_notes_updated_at ON credit_notes (updated_at, id);
CREATE UNIQUE INDEX credit_notes_external_id ON credit_notes (external_id);
CREATE INDEX credit_notes_credit_note_date ON credit_notes (credit_note_date, id);
CREATE INDEX credit_notes_customer ON credit_notes (customer, created_at, id);
CREATE INDEX credit_notes_invoice ON credit_notes (invoice, created_at, id);
CREATE INDEX credit_notes_total ON credit_notes (total);

CREATE TABLE credit_note_lines (
  id                 TEXT PRIMARY KEY,
  credit_note        TEXT NOT NULL REFERENCES credit_notes (id) ON DELETE CASCADE,
  position           INTEGER NOT NULL,
  invoice_line       TEXT NOT NULL REFERENCES invoice_lines (id),
  is_amount          INTEGER NOT NULL CHECK (is_amount IN (0, 1)),
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
CREATE INDEX credit_note_lines_credit_note ON credit_note_lines (credit_note, position);
CREATE INDEX credit_note_lines_item ON credit_note_lines (item);
CREATE INDEX credit_note_lines_invoice_line ON credit_note_lines (invoice_line);

CREATE VIRTUAL TABLE credit_notes_search USING fts5 (
  words, fragments, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE credit_notes_words USING fts5 (
  words, more, content = '', contentless_delete = 1, detail = column, prefix = '2 3', tokenize = 'ascii'
);

CREATE TABLE settlements (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL CHECK (kind = 'allocation' OR kind = 'application' OR kind = 'refund'),
  payment     TEXT REFERENCES payments (id),
  credit_note TEXT REFERENCES credit_notes (id) CHECK ((credit_note IS NULL) <> (payment IS NULL)),
  invoice     TEXT REFERENCES invoices (id) CHECK ((invoice IS NULL) = (kind = 'refund')),
  amount      INTEGER NOT NULL CHECK (amount > 0),
  date        TEXT NOT NULL,
  method      TEXT,
  reference   TEXT,
  created_by  TEXT,
  created_at  TEXT NOT NULL,
  voided_at   TEXT,
  voided_by   TEXT
) STRICT;

-- A payment belongs to a customer, and an allocation says which invoice it pays.
CREATE TABLE payments_new (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  customer       TEXT NOT NULL REFERENCES customers (id),
  customer_name  TEXT NOT NULL,
  invoice        TEXT REFERENCES invoices (id),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  allocated      INTEGER NOT NULL CHECK (allocated >= 0),
  refunded       INTEGER NOT NULL CHECK (refunded >= 0),
  unallocated    INTEGER NOT NULL CHECK (unallocated >= 0 AND unallocated = amount - allocated - refunded),
  payment_date   TEXT NOT NULL,
  method         TEXT,
  method_sort    TEXT,
  reference      TEXT,
  reference_sort TEXT,
  external_id    TEXT,
  metadata       TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_by     TEXT,
  voided_at      TEXT,
  voided_by      TEXT,
  version        INTEGER NOT NULL,
  created_at     TEXT NOT NULL,
  updated_at     TEXT NOT NULL
) STRICT;
INSERT INTO payments_new (seq, id, customer, customer_name, invoice, amount, allocated, refunded, unallocated, payment_date, method, method_sort, reference, reference_sort, external_id, metadata, created_by, version, created_at, updated_at)
  SELECT payments.seq, payments.id, customer, customer_name, invoice, amount, amount, 0, 0, payment_date, method, method_sort, reference, reference_sort, payments.external_id, payments.metadata, payments.created_by, 1, payments.created_at, payments.created_at
  FROM payments JOIN invoices ON invoices.id = payments.invoice;
-- The id of the allocation of an older payment is that of the payment with another prefix.
INSERT INTO settlements (id, kind, payment, invoice, amount, date, created_by, created_at)
  SELECT 'alc_' || replace(id, 'pay_', ''), 'allocation', id, invoice, amount, payment_date, created_by, created_at
  FROM payments ORDER BY seq;
DROP TABLE payments;
ALTER TABLE payments_new RENAME TO payments;
CREATE INDEX payments_created_at ON payments (created_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_updated_at ON payments (updated_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_payment_date ON payments (payment_date, id) WHERE voided_at IS NULL;
CREATE INDEX payments_customer ON payments (customer, created_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_invoice ON payments (invoice, created_at, id) WHERE voided_at IS NULL;
CREATE UNIQUE INDEX payments_external_id ON payments (external_id) WHERE voided_at IS NULL;
CREATE VIEW live_payments AS SELECT * FROM payments WHERE voided_at IS NULL;
CREATE INDEX settlements_payment ON settlements (payment, invoice) WHERE payment IS NOT NULL;
CREATE INDEX settlements_credit_note ON settlements (credit_note, id) WHERE credit_note IS NOT NULL;
CREATE INDEX settlements_invoice ON settlements (invoice, id) WHERE invoice IS NOT NULL;
CREATE VIEW invoice_payments AS
  SELECT payments.seq, payments.id, first.invoice, payment_date, payments.method, method_sort, payments.reference,
    reference_sort, external_id, metadata, payments.created_by, payments.created_at,
    (SELECT sum(amount) FROM settlements AS part WHERE part.payment = first.payment AND part.invoice = first.invoice
      AND part.voided_at IS NULL) AS amount
  FROM settlements AS first JOIN payments ON payments.id = first.payment
  WHERE first.kind = 'allocation' AND first.voided_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM settlements AS earlier WHERE earlier.payment = first.payment AND earlier.invoice = first.invoice
      AND earlier.voided_at IS NULL AND earlier.id < first.id);

INSERT INTO credit_notes_search (credit_notes_search, rank) VALUES ('automerge', 16);
INSERT INTO credit_notes_words (credit_notes_words, rank) VALUES ('automerge', 16);
INSERT INTO credit_notes_words (credit_notes_words, rank) VALUES ('crisismerge', 64);
