-- From version 14 to 15: Kontor itself merges the segments of the search tables, in small steps that do not block
-- requests.

INSERT INTO items_search (items_search, rank) VALUES ('automerge', 0);
INSERT INTO items_words (items_words, rank) VALUES ('automerge', 0);
INSERT INTO customers_search (customers_search, rank) VALUES ('automerge', 0);
INSERT INTO customers_words (customers_words, rank) VALUES ('automerge', 0);
INSERT INTO sales_orders_search (sales_orders_search, rank) VALUES ('automerge', 0);
INSERT INTO sales_orders_words (sales_orders_words, rank) VALUES ('automerge', 0);
INSERT INTO invoices_search (invoices_search, rank) VALUES ('automerge', 0);
INSERT INTO invoices_words (invoices_words, rank) VALUES ('automerge', 0);
INSERT INTO credit_notes_search (credit_notes_search, rank) VALUES ('automerge', 0);
INSERT INTO credit_notes_words (credit_notes_words, rank) VALUES ('automerge', 0);
INSERT INTO items_search (items_search, rank) VALUES ('usermerge', 16);
INSERT INTO items_words (items_words, rank) VALUES ('usermerge', 16);
INSERT INTO customers_search (customers_search, rank) VALUES ('usermerge', 16);
INSERT INTO customers_words (customers_words, rank) VALUES ('usermerge', 16);
INSERT INTO sales_orders_search (sales_orders_search, rank) VALUES ('usermerge', 16);
INSERT INTO sales_orders_words (sales_orders_words, rank) VALUES ('usermerge', 16);
INSERT INTO invoices_search (invoices_search, rank) VALUES ('usermerge', 16);
INSERT INTO invoices_words (invoices_words, rank) VALUES ('usermerge', 16);
INSERT INTO credit_notes_search (credit_notes_search, rank) VALUES ('usermerge', 16);
INSERT INTO credit_notes_words (credit_notes_words, rank) VALUES ('usermerge', 16);
INSERT INTO items_search (items_search, rank) VALUES ('crisismerge', 256);
INSERT INTO items_words (items_words, rank) VALUES ('crisismerge', 256);
INSERT INTO customers_search (customers_search, rank) VALUES ('crisismerge', 256);
INSERT INTO customers_words (customers_words, rank) VALUES ('crisismerge', 256);
INSERT INTO sales_orders_search (sales_orders_search, rank) VALUES ('crisismerge', 256);
INSERT INTO sales_orders_words (sales_orders_words, rank) VALUES ('crisismerge', 256);
INSERT INTO invoices_search (invoices_search, rank) VALUES ('crisismerge', 256);
INSERT INTO invoices_words (invoices_words, rank) VALUES ('crisismerge', 256);
INSERT INTO credit_notes_search (credit_notes_search, rank) VALUES ('crisismerge', 256);
INSERT INTO credit_notes_words (credit_notes_words, rank) VALUES ('crisismerge', 256);
