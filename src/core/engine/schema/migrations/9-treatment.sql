-- From version 8 to 9: documents store the tax treatment by which their lines were taxed.

ALTER TABLE sales_orders ADD COLUMN tax_treatment TEXT NOT NULL DEFAULT 'domestic' CHECK (
  tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
    OR tax_treatment = 'export' OR tax_treatment = 'exempt'
);
ALTER TABLE invoices ADD COLUMN tax_treatment TEXT NOT NULL DEFAULT 'domestic' CHECK (
  tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
    OR tax_treatment = 'export' OR tax_treatment = 'exempt'
);

-- A line without a tax code in one of these categories was taxed by the treatment of the customer.
CREATE TEMP TABLE treated_lines AS
  SELECT sales_order AS document, tax_category AS category FROM sales_order_lines
  WHERE tax_code IS NULL AND tax_category IN ('AE', 'K', 'G', 'E')
  UNION
  SELECT invoice, tax_category FROM invoice_lines
  WHERE tax_code IS NULL AND tax_category IN ('AE', 'K', 'G', 'E');
CREATE TEMP TABLE treated AS
  SELECT document, CASE max(category)
      WHEN 'AE' THEN 'reverse-charge' WHEN 'K' THEN 'intra-community' WHEN 'G' THEN 'export' ELSE 'exempt'
    END AS treatment
  FROM treated_lines GROUP BY document;

-- An intra-community sale of services only looks like reverse charge; its customer tells which of them it was.
UPDATE sales_orders SET tax_treatment = treatment FROM treated WHERE document = id;
UPDATE sales_orders SET tax_treatment = 'intra-community' WHERE tax_treatment = 'reverse-charge'
  AND customer IN (SELECT id FROM customers WHERE tax_treatment = 'intra-community');
UPDATE invoices SET tax_treatment = treatment FROM treated WHERE document = id;
UPDATE invoices SET tax_treatment = 'intra-community' WHERE tax_treatment = 'reverse-charge'
  AND customer IN (SELECT id FROM customers WHERE tax_treatment = 'intra-community');

-- A document whose lines all have a tax code of their own was not taxed by a treatment, but has that of its customer.
UPDATE sales_orders SET tax_treatment = (SELECT tax_treatment FROM customers WHERE id = customer)
  WHERE tax_treatment = 'domestic'
    AND NOT EXISTS (SELECT 1 FROM sales_order_lines WHERE sales_order = sales_orders.id AND has_own_tax_code = 0);
UPDATE invoices SET tax_treatment = (SELECT tax_treatment FROM customers WHERE id = customer)
  WHERE tax_treatment = 'domestic'
    AND NOT EXISTS (SELECT 1 FROM invoice_lines WHERE invoice = invoices.id AND has_own_tax_code = 0);

DROP TABLE temp.treated;
DROP TABLE temp.treated_lines;
