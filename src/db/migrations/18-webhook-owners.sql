-- From version 17 to 18: each webhook has an owner.

ALTER TABLE webhooks ADD COLUMN owner TEXT;
UPDATE webhooks SET owner = created_by;

-- Those of a webhook that is paused are due too, so that the next one is looked up for each webhook.
DROP INDEX webhook_deliveries_due;
