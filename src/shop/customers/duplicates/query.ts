import type { Database, Value } from "../../../core/engine/engine"
import { listOf } from "../../../core/engine/sql"
import { fold, hasTooManyMarks } from "../../../core/lib/text"
import type { Field } from "../../../core/kind/field"
import { comparedFields, type ComparedField, customers, type Duplicate } from "../model"
import { alikeTo, beginningsOf, nameKey } from "./alike"

/** The values of a customer that are compared with those of others. */
export type Compared = { [K in ComparedField]?: string | null } & {
  /** The customer itself, if it exists. */
  except?: string | null
}

/** The customers that are shown of those with the same value of a field. */
const mostOfField = 3

/** A longer value is not one of a customer. */
const longest = 254

/** Shorter values of these fields say nothing: half a phone number, or a tax ID of "-". */
const shortest: Record<ComparedField, number> = { name: 1, email: 3, phone: 6, taxId: 4 }

/** The columns in which the values are compared. Each has an index. */
const columns: Record<Exclude<ComparedField, "name">, string> = {
  email: "email_sort",
  phone: "phone_alike",
  taxId: "tax_id_alike",
}

/** The names that are compared of those with the same beginning. A shop may have thousands of them. */
const mostOfBeginning = 50

type Row = Omit<Duplicate, "matches" | "isActive" | "city"> & { address: string | null; isActive: number }

/**
 * Finds customers that may be the same as one with these values: with a name that is alike, the same email address, last
 * digits of the phone number, or letters and digits of the tax ID. Each value costs some looks into an index, however many
 * customers there are.
 */
export function findDuplicates(db: Database, { except = null, ...values }: Compared): Duplicate[] {
  const found = new Map<string, Duplicate>()
  for (const name of comparedFields) {
    const given = values[name]
    const value = comparedOf(name, given)
    if (value === null || !given) continue
    const rows = name === "name" ? findAlike(db, given.trim()) : findSame(db, columns[name], value)
    for (const { address, isActive, ...row } of rows) {
      if (row.id === except) continue
      const duplicate = found.get(row.id) ?? {
        ...row,
        city: cityOf(address),
        isActive: isActive === 1,
        matches: [],
      }
      duplicate.matches.push(name)
      found.set(row.id, duplicate)
    }
  }
  return [...found.values()].toSorted((a, b) => b.matches.length - a.matches.length)
}

/** One more than is shown may be the customer itself. */
const select = (where: string): string =>
  `SELECT id, customer_number AS customerNumber, name, email, phone, tax_id AS taxId, address,
     is_active AS isActive FROM customers
   WHERE ${where} AND merged_into IS NULL ORDER BY id LIMIT ${mostOfField + 1}`

const findSame = (db: Database, column: string, value: Value): Row[] =>
  db.query<Row, [Value]>(select(`${column} = ?`)).all(value)

/** Finds the customers whose names are like a name, among those that begin like it. */
function findAlike(db: Database, name: string): Row[] {
  const isAlike = alikeTo(name)
  const ids = new Set<string>()
  for (const beginning of beginningsOf(name)) {
    const some = db
      .query<{ id: string; folded: string }, [string, string, number]>(
        `SELECT id, name_sort AS folded FROM customers WHERE name_sort >= ? AND name_sort < ?
         ORDER BY name_sort, id LIMIT ?`,
      )
      .all(beginning, `${beginning}\u{10ffff}`, mostOfBeginning)
    for (const { id, folded } of some) if (isAlike(folded)) ids.add(id)
    if (ids.size > mostOfField) break
  }
  return ids.size === 0
    ? []
    : db.query<Row, [string]>(select(`id IN ${listOf("?")}`)).all(JSON.stringify([...ids]))
}

/** Returns the form in which a value is compared; null if it says nothing. */
export function comparedOf(name: ComparedField, value: string | null | undefined): string | null {
  if (!value || value.length > longest || hasTooManyMarks(value)) return null
  const { alike = name === "name" ? nameKey : fold }: Pick<Field, "alike"> = customers.fields[name]
  const compared = alike(value.trim())
  return compared.length < shortest[name] ? null : compared
}

const cityOf = (address: string | null): string | null =>
  address === null ? null : ((JSON.parse(address) as { city: string | null }).city ?? null)
