-- The database of Kontor as it is today. Older files get here by the steps in src/core/engine/schema/migrate.ts.
--
-- Prices, quantities and percentages are whole numbers of 1/10000; amounts of money are whole numbers of the
-- currency's minor unit. Timestamps are UTC text with milliseconds. A column x_sort holds x with case and accents
-- folded away, to sort by; x_key holds it in lower case, to be unique by.

-- The service's own secrets: what signs tokens and cursors. Left out of backups.
CREATE TABLE secrets (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- When the file was last proved writable. One row.
CREATE TABLE write_probe (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at TEXT NOT NULL
) STRICT;

-- The last number given out in each series, such as CUST or INV-2026.
CREATE TABLE number_series (
  name TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- People who sign in.
CREATE TABLE users (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  email      TEXT NOT NULL,
  email_key  TEXT NOT NULL UNIQUE,
  email_sort TEXT NOT NULL,
  name       TEXT NOT NULL,
  name_sort  TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('viewer', 'sales', 'accountant', 'manager', 'admin')),
  plan       TEXT CHECK (plan IN ('free', 'pro', 'enterprise')),
  is_active  INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version    INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- How each user signs in: an argon2id hash, apart from the record so that nothing that reads users can show it.
CREATE TABLE passwords (
  user       TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One sign-in of one user, until it is signed out, idle for too long or too old.
CREATE TABLE sessions (
  id           TEXT PRIMARY KEY,
  user         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at   TEXT NOT NULL,
  last_used_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user);

-- Every refresh token a session ever had, as a digest. The one that is not replaced is good; using an older one
-- ends the session, because then two parties hold its tokens.
CREATE TABLE refresh_tokens (
  digest      TEXT PRIMARY KEY,
  session     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  replaced_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session);

-- Keys with which other programs call, each acting for its owner within its scopes.
CREATE TABLE api_keys (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  user         TEXT NOT NULL REFERENCES users (id),
  name         TEXT NOT NULL,
  name_sort    TEXT NOT NULL,
  prefix       TEXT NOT NULL,
  scopes       TEXT NOT NULL CHECK (json_valid(scopes)),
  expires_at   TEXT,
  allowed_ips  TEXT NOT NULL CHECK (json_valid(allowed_ips)),
  plan         TEXT CHECK (plan IN ('free', 'pro', 'enterprise')),
  last_used_at TEXT,
  last_used_ip TEXT,
  version      INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL
) STRICT;
CREATE INDEX api_keys_user ON api_keys (user);

-- What a key is recognised by: the SHA-256 of its text, apart from the record.
CREATE TABLE api_key_digests (
  digest TEXT PRIMARY KEY,
  key    TEXT NOT NULL UNIQUE REFERENCES api_keys (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- How the instance is set up, as one JSON object; what it does not name has its default. One row, once it was changed.
CREATE TABLE settings (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  body       TEXT NOT NULL CHECK (json_valid(body)),
  version    INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- How many requests each caller has made on a UTC day, so that a restart does not refill the day.
CREATE TABLE rate_days (
  subject TEXT PRIMARY KEY,
  day     TEXT NOT NULL,
  count   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The answers to POSTs that carried an Idempotency-Key, for a day. Secrets are left out of them.
CREATE TABLE idempotency_keys (
  caller      TEXT NOT NULL,
  key         TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status      INTEGER NOT NULL,
  headers     TEXT NOT NULL CHECK (json_valid(headers)),
  body        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- Who did what, in the order in which it was committed. Each hash covers the row and the hash before it.
CREATE TABLE audit_logs (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  request_id TEXT,
  actor_type TEXT NOT NULL CHECK (actor_type IN ('user', 'apiKey', 'oauthClient', 'anonymous', 'system')),
  actor      TEXT,
  actor_name TEXT,
  action     TEXT NOT NULL,
  kind       TEXT,
  record_id  TEXT,
  ip         TEXT,
  user_agent TEXT,
  outcome    TEXT NOT NULL CHECK (outcome IN ('success', 'failure', 'refused')),
  changes    TEXT NOT NULL CHECK (json_valid(changes)),
  hash       TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX audit_logs_record ON audit_logs (record_id, created_at, id);
CREATE INDEX audit_logs_actor ON audit_logs (actor, created_at, id);
CREATE INDEX audit_logs_created_at ON audit_logs (created_at, id);
CREATE TRIGGER audit_logs_no_replace BEFORE INSERT ON audit_logs
  WHEN EXISTS (SELECT 1 FROM audit_logs WHERE seq = NEW.seq OR id = NEW.id) BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;
CREATE TRIGGER audit_logs_no_update BEFORE UPDATE ON audit_logs BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;
CREATE TRIGGER audit_logs_no_delete BEFORE DELETE ON audit_logs BEGIN
  SELECT RAISE (ABORT, 'the audit log only grows');
END;

-- What is bought and sold. Stock is the sum of its movements; reserved stock is promised to submitted orders.
CREATE TABLE items (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  item_code        TEXT NOT NULL,
  item_code_key    TEXT NOT NULL UNIQUE,
  item_code_sort   TEXT NOT NULL,
  item_name        TEXT NOT NULL,
  item_name_sort   TEXT NOT NULL,
  category         TEXT,
  category_sort    TEXT,
  item_type        TEXT NOT NULL CHECK (item_type IN ('Product', 'Service', 'Consumable')),
  uom              TEXT NOT NULL,
  uom_sort         TEXT NOT NULL,
  selling_price    INTEGER NOT NULL CHECK (selling_price >= 0),
  cost_price       INTEGER NOT NULL CHECK (cost_price >= 0),
  tax_rate         INTEGER NOT NULL CHECK (tax_rate >= 0),
  current_stock    INTEGER NOT NULL DEFAULT 0,
  reserved_stock   INTEGER NOT NULL DEFAULT 0,
  reorder_level    INTEGER NOT NULL,
  reorder_qty      INTEGER NOT NULL,
  description      TEXT,
  images           TEXT NOT NULL CHECK (json_valid(images)),
  is_active        INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version          INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL
) STRICT;
CREATE INDEX items_created_at ON items (created_at, id);
CREATE INDEX items_item_name ON items (item_name_sort, id);
CREATE INDEX items_category ON items (category, created_at, id);

-- The text of items in threes of letters, for search in lists; fragments are for the search over everything. Fed once
-- per commit; rowid is items.seq.
CREATE VIRTUAL TABLE items_search USING fts5 (
  words, fragments, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

-- The words of items, and of what else is known of them, for the search over everything; rowid is items.seq.
CREATE VIRTUAL TABLE items_words USING fts5 (
  words, more, content = '', contentless_delete = 1, detail = column, prefix = '2 3', tokenize = 'ascii'
);

-- Who buys. The two figures follow the documents.
CREATE TABLE customers (
  seq                 INTEGER PRIMARY KEY,
  id                  TEXT NOT NULL UNIQUE,
  customer_number     TEXT NOT NULL UNIQUE,
  name                TEXT NOT NULL,
  name_sort           TEXT NOT NULL,
  email               TEXT,
  email_sort          TEXT,
  phone               TEXT,
  phone_sort          TEXT,
  type                TEXT NOT NULL,
  type_sort           TEXT NOT NULL,
  address             TEXT CHECK (json_valid(address)),
  credit_limit        INTEGER CHECK (credit_limit >= 0),
  payment_terms       TEXT,
  payment_terms_sort  TEXT,
  tax_id              TEXT,
  tax_id_sort         TEXT,
  outstanding_balance INTEGER NOT NULL DEFAULT 0,
  open_orders_value   INTEGER NOT NULL DEFAULT 0,
  is_active           INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version             INTEGER NOT NULL,
  created_at          TEXT NOT NULL,
  updated_at          TEXT NOT NULL
) STRICT;
CREATE INDEX customers_created_at ON customers (created_at, id);
CREATE INDEX customers_name ON customers (name_sort, id);

-- The words of customers, for search in lists; rowid is customers.seq.
CREATE VIRTUAL TABLE customers_search USING fts5 (
  words, fragments, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

-- The words of customers, and of what else is known of them, for the search over everything; rowid is customers.seq.
CREATE VIRTUAL TABLE customers_words USING fts5 (
  words, more, content = '', contentless_delete = 1, detail = column, prefix = '2 3', tokenize = 'ascii'
);

-- Every change of an item's stock. Rows are only ever added; items.current_stock is their sum.
CREATE TABLE stock_movements (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  item          TEXT NOT NULL REFERENCES items (id),
  quantity      INTEGER NOT NULL CHECK (quantity <> 0),
  reason        TEXT NOT NULL CHECK (reason IN ('receipt', 'adjustment', 'return', 'invoice', 'cancellation')),
  note          TEXT,
  balance_after INTEGER NOT NULL,
  source_type   TEXT,
  source_id     TEXT,
  created_by    TEXT,
  created_at    TEXT NOT NULL
) STRICT;
CREATE INDEX stock_movements_item ON stock_movements (item, created_at, id);
CREATE INDEX stock_movements_created_at ON stock_movements (created_at, id);

-- What a customer has ordered. Names and terms are as they were when the order was written.
CREATE TABLE sales_orders (
  seq                 INTEGER PRIMARY KEY,
  id                  TEXT NOT NULL UNIQUE,
  order_number        TEXT NOT NULL UNIQUE,
  customer            TEXT NOT NULL REFERENCES customers (id),
  customer_name       TEXT NOT NULL,
  order_date          TEXT NOT NULL,
  delivery_date       TEXT,
  status              TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'completed', 'cancelled')),
  invoice_status      TEXT NOT NULL CHECK (invoice_status IN ('not_invoiced', 'partially_invoiced', 'invoiced')),
  payment_terms       TEXT,
  payment_terms_sort  TEXT,
  notes               TEXT,
  currency            TEXT NOT NULL,
  subtotal            INTEGER NOT NULL,
  discount_total      INTEGER NOT NULL,
  tax_total           INTEGER NOT NULL,
  total               INTEGER NOT NULL CHECK (total = subtotal + tax_total),
  invoiced_total      INTEGER NOT NULL,
  submitted_at        TEXT,
  completed_at        TEXT,
  cancelled_at        TEXT,
  cancel_reason       TEXT,
  amended_from        TEXT REFERENCES sales_orders (id) ON DELETE SET NULL,
  created_by          TEXT,
  version             INTEGER NOT NULL,
  created_at          TEXT NOT NULL,
  updated_at          TEXT NOT NULL
) STRICT;
CREATE INDEX sales_orders_created_at ON sales_orders (created_at, id);
CREATE INDEX sales_orders_order_date ON sales_orders (order_date, id);
CREATE INDEX sales_orders_customer ON sales_orders (customer, created_at, id);
CREATE INDEX sales_orders_status ON sales_orders (status, created_at, id);
CREATE INDEX sales_orders_amended_from ON sales_orders (amended_from) WHERE amended_from IS NOT NULL;

-- The lines of an order, with the item as it was.
CREATE TABLE sales_order_lines (
  id                TEXT PRIMARY KEY,
  sales_order       TEXT NOT NULL REFERENCES sales_orders (id) ON DELETE CASCADE,
  position          INTEGER NOT NULL,
  item              TEXT NOT NULL REFERENCES items (id),
  item_code         TEXT NOT NULL,
  item_name         TEXT NOT NULL,
  uom               TEXT NOT NULL,
  quantity          INTEGER NOT NULL CHECK (quantity > 0),
  rate              INTEGER NOT NULL CHECK (rate >= 0),
  discount          INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount            INTEGER NOT NULL,
  discount_amount   INTEGER NOT NULL,
  tax_rate          INTEGER NOT NULL,
  invoiced_quantity INTEGER NOT NULL CHECK (invoiced_quantity BETWEEN 0 AND quantity)
) STRICT, WITHOUT ROWID;
CREATE INDEX sales_order_lines_order ON sales_order_lines (sales_order, position);
CREATE INDEX sales_order_lines_item ON sales_order_lines (item);

-- The words of orders, for search in lists; rowid is sales_orders.seq.
CREATE VIRTUAL TABLE sales_orders_search USING fts5 (
  words, fragments, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

-- The words of orders, and of what else is known of them, for the search over everything; rowid is sales_orders.seq.
CREATE VIRTUAL TABLE sales_orders_words USING fts5 (
  words, more, content = '', contentless_delete = 1, detail = column, prefix = '2 3', tokenize = 'ascii'
);

-- What a customer owes. The number is given when it is issued, without gaps, and never again to another.
CREATE TABLE invoices (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE,
  invoice_number     TEXT UNIQUE,
  status             TEXT NOT NULL CHECK (status IN ('draft', 'unpaid', 'partially_paid', 'paid', 'cancelled')),
  sales_order        TEXT REFERENCES sales_orders (id),
  order_number       TEXT,
  customer           TEXT NOT NULL REFERENCES customers (id),
  customer_name      TEXT NOT NULL,
  billing_address    TEXT CHECK (json_valid(billing_address)),
  tax_id             TEXT,
  invoice_date       TEXT NOT NULL,
  due_date           TEXT NOT NULL,
  payment_terms      TEXT,
  payment_terms_sort TEXT,
  notes              TEXT,
  currency           TEXT NOT NULL,
  subtotal           INTEGER NOT NULL,
  discount_total     INTEGER NOT NULL,
  tax_total          INTEGER NOT NULL,
  total              INTEGER NOT NULL CHECK (total = subtotal + tax_total),
  amount_paid        INTEGER NOT NULL,
  balance            INTEGER NOT NULL CHECK (balance >= 0),
  issued_at          TEXT,
  paid_at            TEXT,
  cancelled_at       TEXT,
  cancel_reason      TEXT,
  created_by         TEXT,
  version            INTEGER NOT NULL,
  created_at         TEXT NOT NULL,
  updated_at         TEXT NOT NULL
) STRICT;
CREATE INDEX invoices_created_at ON invoices (created_at, id);
CREATE INDEX invoices_invoice_date ON invoices (invoice_date, id);
CREATE INDEX invoices_customer ON invoices (customer, created_at, id);
CREATE INDEX invoices_status ON invoices (status, created_at, id);
CREATE INDEX invoices_sales_order ON invoices (sales_order) WHERE sales_order IS NOT NULL;

-- The lines of an invoice; one made from an order names the order's line.
CREATE TABLE invoice_lines (
  id              TEXT PRIMARY KEY,
  invoice         TEXT NOT NULL REFERENCES invoices (id) ON DELETE CASCADE,
  position        INTEGER NOT NULL,
  order_line      TEXT REFERENCES sales_order_lines (id),
  item            TEXT NOT NULL REFERENCES items (id),
  item_code       TEXT NOT NULL,
  item_name       TEXT NOT NULL,
  uom             TEXT NOT NULL,
  quantity        INTEGER NOT NULL CHECK (quantity > 0),
  rate            INTEGER NOT NULL CHECK (rate >= 0),
  discount        INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount          INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  tax_rate        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invoice_lines_invoice ON invoice_lines (invoice, position);
CREATE INDEX invoice_lines_item ON invoice_lines (item);
CREATE INDEX invoice_lines_order_line ON invoice_lines (order_line) WHERE order_line IS NOT NULL;

-- The tax of an invoice at each rate: parts of an order add up rate by rate.
CREATE TABLE invoice_taxes (
  invoice  TEXT NOT NULL REFERENCES invoices (id) ON DELETE CASCADE,
  tax_rate INTEGER NOT NULL,
  amount   INTEGER NOT NULL,
  PRIMARY KEY (invoice, tax_rate)
) STRICT, WITHOUT ROWID;

-- The words of invoices, for search in lists; rowid is invoices.seq.
CREATE VIRTUAL TABLE invoices_search USING fts5 (
  words, fragments, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

-- The words of invoices, and of what else is known of them, for the search over everything; rowid is invoices.seq.
CREATE VIRTUAL TABLE invoices_words USING fts5 (
  words, more, content = '', contentless_delete = 1, detail = column, prefix = '2 3', tokenize = 'ascii'
);

-- What was paid on an invoice.
CREATE TABLE payments (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  invoice        TEXT NOT NULL REFERENCES invoices (id),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  payment_date   TEXT NOT NULL,
  method         TEXT,
  method_sort    TEXT,
  reference      TEXT,
  reference_sort TEXT,
  created_by     TEXT,
  created_at     TEXT NOT NULL
) STRICT;
CREATE INDEX payments_invoice ON payments (invoice, created_at, id);
