-- From version 17 to 18: each webhook has an owner, and deliveries no longer contain copies of records.

ALTER TABLE webhooks ADD COLUMN owner TEXT;
UPDATE webhooks SET owner = created_by;

-- The record was the last field of a body. Inside a text its quotation marks would be escaped.
UPDATE webhook_deliveries SET request = substr(request, 1, instr(request, ',"record":') - 1) || '}'
  WHERE instr(request, ',"record":') > 0;

-- Those of a webhook that is paused are due too, so that the next one is looked up for each webhook.
DROP INDEX webhook_deliveries_due;
