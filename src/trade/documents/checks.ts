import { integerIn, isOfPrefix, rowsOf, textIn } from "../../core/engine/sql"
import type { Check } from "../../core/kind/define"

/** The tables of a kind of document, for its checks. */
type Tables = {
  noun: string
  table: string
  lines: { table: string; owner: string }
  /** An SQL expression for the name of a document. */
  name: string
  /** An SQL condition for the documents whose lines are taxed, if not all are. */
  isTaxed?: string
  /** False when the documents are not sent by mail. */
  isSent?: boolean
}

/** The tax on an amount, rounded as the service does. Amount times rate may be larger than the largest integer. */
const taxOn = (base: string, rate: string) =>
  `${base} / 1000000 * ${rate} + (${base} % 1000000 * ${rate} * 2 + 1000000) / 2000000`

/** The lines of documents with the taxes they belong to. */
const groups = ({ table, lines: { table: lines, owner }, name }: Tables) => `(
  SELECT ${name} AS name, ${table}.id, prices_include_tax, ${integerIn("value", "rate")} AS rate,
    ${integerIn("value", "base")} AS base, ${integerIn("value", "tax")} AS tax,
    (SELECT coalesce(sum(amount), 0) FROM ${lines} WHERE ${owner} = ${table}.id AND ${isTaxOf(lines)}) AS amounts
  FROM ${table}, ${rowsOf("taxes")}) AS groups`

/** True when `value` of the taxes of a document is the tax of a line. */
const isTaxOf = (line: string) =>
  `${textIn("value", "category")} IS NOT DISTINCT FROM ${line}.tax_category AND ${integerIn("value", "rate")} = ${line}.tax_rate`

/** The rules for lines, taxes and totals, which are the same for every kind of document. */
export const documentChecks = (tables: Tables): Check[] => [
  ...sumChecks(tables),
  ...taxRowChecks(tables),
  codeCheck(tables),
  mergedCheck(tables),
  ...(tables.isSent === false ? [] : [sentCheck(tables)]),
]

/** A document was last sent when a server took the last message about it. */
const sentCheck = ({ noun, table, name }: Tables): Check => ({
  says: ({ name: of }) => `The ${noun} ${of} was sent at another time than its messages say.`,
  sql: `SELECT ${name} AS name FROM ${table}
    WHERE last_sent_at IS DISTINCT FROM (SELECT max(sent_at) FROM messages WHERE record = ${table}.id)`,
})

/** A tax code that a line names must be marked as used, so that its category and rate do not change. */
const codeCheck = ({ noun, lines: { table } }: Tables): Check => ({
  says: ({ name }) => `Tax code ${name} is used by a ${noun}, but is not marked as used.`,
  sql: `SELECT code AS name FROM tax_codes
    WHERE is_used = 0 AND id IN (SELECT tax_code FROM ${table} WHERE tax_code IS NOT NULL)`,
})

const joinOf = ({ table, lines: { table: lines, owner } }: Tables) =>
  `${table} LEFT JOIN ${lines} ON ${owner} = ${table}.id GROUP BY ${table}.id`

const sumChecks = (tables: Tables): Check[] => {
  const {
    noun,
    table,
    lines: { table: lines, owner },
    name,
  } = tables
  return [
    {
      says: ({ name: of, is, should }) =>
        `The lines of ${noun} ${of} add up to ${should}; its subtotal is ${is}.`,
      sql: `SELECT ${name} AS name, subtotal AS "is", coalesce(sum(amount), 0) AS should
        FROM ${joinOf(tables)} HAVING subtotal <> coalesce(sum(amount), 0)`,
    },
    {
      says: ({ name: of }) => `The total of ${noun} ${of} is not the sum of its subtotal and tax.`,
      sql: `SELECT ${name} AS name FROM ${table} WHERE total <> subtotal + tax_total`,
    },
    {
      says: ({ name: of, is, should }) =>
        `The lines of ${noun} ${of} add up to ${should} with tax; its total is ${is}.`,
      sql: `SELECT ${name} AS name, total AS "is", coalesce(sum(gross_amount), 0) AS should FROM ${joinOf(tables)}
        HAVING prices_include_tax = 1 AND total <> coalesce(sum(gross_amount), 0)
          OR max(CASE WHEN (gross_amount IS NOT NULL) = (prices_include_tax = 1) THEN 0 ELSE 1 END) = 1`,
    },
    {
      says: ({ name: of }) => `The discounts of ${noun} ${of} do not add up to its discount total.`,
      sql: `SELECT ${name} AS name FROM ${table} JOIN ${lines} AS line ON ${owner} = ${table}.id
        GROUP BY ${table}.id HAVING discount_total <> sum(line.discount_amount + document_discount)`,
    },
    {
      says: ({ name: of, is, should }) =>
        `The shares of the lines of ${noun} ${of} in its discount add up to ${should}; the discount is ${is}.`,
      sql: `SELECT ${name} AS name, ${table}.discount_amount AS "is", sum(document_discount) AS should
        FROM ${table} JOIN ${lines} AS line ON ${owner} = ${table}.id
        GROUP BY ${table}.id HAVING ${table}.discount_amount <> sum(document_discount) OR min(document_discount) < 0`,
    },
  ]
}

/** A record belongs to the customer that its own was merged into. */
export const mergedCheck = ({ noun, table, name }: Pick<Tables, "noun" | "table" | "name">): Check => ({
  says: ({ name: of }) => `${capital(noun)} ${of} belongs to a customer that was merged into another one.`,
  sql: `SELECT ${name} AS name FROM ${table} JOIN customers ON customers.id = customer WHERE merged_into IS NOT NULL`,
})

const taxSum = `coalesce(sum(${integerIn("value", "tax")}), 0)`

const taxRowChecks = (tables: Tables): Check[] => {
  const {
    noun,
    table,
    lines: { table: lines, owner },
    name,
    isTaxed = "true",
  } = tables
  return [
    {
      says: ({ name: of, is, should }) =>
        `The taxes of ${noun} ${of} add up to ${should}; its tax total is ${is}.`,
      sql: `SELECT ${name} AS name, tax_total AS "is", ${taxSum} AS should
        FROM ${table} LEFT JOIN ${rowsOf("taxes")} ON true GROUP BY ${table}.id HAVING tax_total <> ${taxSum}`,
    },
    {
      says: ({ name: of, is, should }) =>
        `The lines of a tax of ${noun} ${of} add up to ${should}; its base is ${is}.`,
      sql: `SELECT name, base AS "is", amounts AS should FROM ${groups(tables)} WHERE base <> amounts`,
    },
    {
      says: ({ name: of }) => `A line of ${noun} ${of} has a tax that its taxes do not contain.`,
      sql: `SELECT DISTINCT ${name} AS name FROM ${table} JOIN ${lines} AS line ON ${owner} = ${table}.id
        WHERE ${isTaxed} AND NOT EXISTS (SELECT 1 FROM ${rowsOf("taxes")} WHERE ${isTaxOf("line")})
        OR (coalesce(tax_category, '') = 'S') <> (tax_rate > 0)`,
    },
  ]
}

/**
 * The tax of a document is its rate of the base, rounded once. `when` excludes the parts of an order, whose tax is what
 * the earlier parts have left.
 */
export const taxCheck = (tables: Tables, when = "true"): Check => ({
  says: ({ name, is, should }) => `A tax of ${tables.noun} ${name} is ${is}; its rate makes it ${should}.`,
  sql: `SELECT name, tax AS "is", ${taxOn("base", "rate")} AS should FROM ${groups(tables)}
    WHERE prices_include_tax = 0 AND ${when} AND tax <> ${taxOn("base", "rate")}
    UNION ALL SELECT name, tax, ${taxIn} FROM ${groups(tables)}
    WHERE prices_include_tax = 1 AND ${when} AND tax <> ${taxIn}`,
})

/** The tax that an amount includes: base + tax is the amount, and the rate of a document is far below 1,000 %. */
const taxIn =
  "((base + tax) / (1000000 + rate) * rate + ((base + tax) % (1000000 + rate) * rate * 2 + 1000000 + rate) / (2 * (1000000 + rate)))"

/** The numbers of issued documents must have no gaps, and the series must know the last one. */
export const seriesChecks = ({
  noun,
  table,
  prefix,
}: Pick<Tables, "noun" | "table"> & { prefix: string }): Check[] => [
  {
    says: ({ name, is, should }) =>
      `${capital(noun)} numbers of the series ${name} have a gap: there are ${is}, and there should be ${should}.`,
    sql: `SELECT name, "is", CASE WHEN numbers > documents THEN numbers ELSE documents END AS should FROM (
        SELECT number_series AS name, count(DISTINCT number_counter) AS "is", count(*) AS documents,
          max(number_counter) - coalesce(first, 1) + 1 AS numbers,
          min(number_counter) - coalesce(first, 1) AS missing
        FROM ${table} LEFT JOIN number_series AS series ON series.name = number_series
        WHERE number_series IS NOT NULL GROUP BY number_series, first) AS found
      WHERE "is" <> numbers OR "is" <> documents OR missing <> 0`,
  },
  {
    says: ({ name, is, should }) =>
      `The last number of the series ${name} is ${is}; the last ${noun} has ${should}.`,
    sql: `SELECT number_series AS name, coalesce(last, 0) AS "is", max(number_counter) AS should
      FROM ${table} LEFT JOIN number_series AS series ON series.name = number_series
      WHERE number_series IS NOT NULL GROUP BY number_series, last HAVING coalesce(last, 0) <> max(number_counter)
      UNION ALL SELECT name, last, first - 1 FROM number_series
      WHERE (name = '${prefix}' OR ${isOfPrefix("name", `'${prefix}'`)}) AND last >= first
        AND NOT EXISTS (SELECT 1 FROM ${table} WHERE number_series = name)`,
  },
]

const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1)
