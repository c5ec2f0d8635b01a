-- The numbers of opening invoices are unique without case in every alphabet, as item codes are. SQLite itself knows the
-- case of ASCII only.
ALTER TABLE invoices ADD COLUMN opening_key TEXT;
DROP INDEX invoices_opening_number;
CREATE INDEX invoices_opening_number ON invoices (invoice_number COLLATE NOCASE) WHERE is_opening = 1;
CREATE UNIQUE INDEX invoices_opening_key ON invoices (opening_key) WHERE opening_key IS NOT NULL;
