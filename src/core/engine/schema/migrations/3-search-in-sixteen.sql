-- From version 2 to 3: FTS5 merges sixteen segments at a time. Under load this nearly halves the cost that search adds
-- to a write.

INSERT INTO items_search (items_search, rank) VALUES ('automerge', 16);
INSERT INTO items_words (items_words, rank) VALUES ('automerge', 16);
INSERT INTO customers_search (customers_search, rank) VALUES ('automerge', 16);
INSERT INTO customers_words (customers_words, rank) VALUES ('automerge', 16);
INSERT INTO sales_orders_search (sales_orders_search, rank) VALUES ('automerge', 16);
INSERT INTO sales_orders_words (sales_orders_words, rank) VALUES ('automerge', 16);
INSERT INTO invoices_search (invoices_search, rank) VALUES ('automerge', 16);
INSERT INTO invoices_words (invoices_words, rank) VALUES ('automerge', 16);
