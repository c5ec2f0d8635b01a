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

-- Version 20: a customer says whether prices of its new documents include tax. Null is what the settings say.

ALTER TABLE customers ADD COLUMN prices_include_tax INTEGER CHECK (prices_include_tax IN (0, 1));
