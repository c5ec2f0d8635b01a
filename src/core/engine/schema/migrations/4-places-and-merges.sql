-- From version 3 to 4: stores the networks from which users sign in, and search merges segments incrementally instead
-- of all at once. The networks of earlier sign-ins are taken from the audit log, for IPv4 addresses.

CREATE TABLE sign_in_places (
  user    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (user, network)
) STRICT, WITHOUT ROWID;
INSERT INTO sign_in_places (user, network, last_at)
  SELECT record_id, ip, max(created_at) FROM audit_logs
  WHERE action = 'auth.login' AND outcome = 'success' AND ip IS NOT NULL AND instr(ip, ':') = 0
    AND record_id IN (SELECT id FROM users)
  GROUP BY record_id, ip;
INSERT INTO items_words (items_words, rank) VALUES ('crisismerge', 64);
INSERT INTO sales_orders_words (sales_orders_words, rank) VALUES ('crisismerge', 64);
INSERT INTO invoices_words (invoices_words, rank) VALUES ('crisismerge', 64);
