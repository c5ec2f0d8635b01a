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
