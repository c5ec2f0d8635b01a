-- From version 17 to 18: each webhook has an owner, and deliveries no longer contain copies of records.

ALTER TABLE webhooks ADD COLUMN owner text COLLATE "C";
UPDATE webhooks SET owner = created_by;

-- The record was the last field of a body. Inside a text its quotation marks would be escaped.
UPDATE webhook_deliveries SET request = left(request, strpos(request, ',"record":') - 1) || '}'
  WHERE strpos(request, ',"record":') > 0;

-- Those of a webhook that is paused are due too, so that the next one is looked up for each webhook.
DROP INDEX webhook_deliveries_due;
