-- From version 15 to 16: deliveries have the code of their error, and the headers that were sent.

ALTER TABLE webhook_deliveries ADD COLUMN request_headers TEXT CHECK (json_valid(request_headers));
ALTER TABLE webhook_deliveries ADD COLUMN error_code TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN error_params TEXT CHECK (json_valid(error_params));
