-- From version 6 to 7: indexes by which the search finds documents by an amount.

CREATE INDEX sales_orders_total ON sales_orders (total);
CREATE INDEX invoices_total ON invoices (total);
CREATE INDEX invoices_balance ON invoices (balance) WHERE status = 'partially_paid';
