import type { Database, Value } from "../../core/engine/engine"
import { fold, hasTooManyMarks } from "../../core/lib/text"
import type { Field } from "../../core/kind/field"
import { comparedFields, type ComparedField, customers, type Duplicate } from "./model"

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
const columns: Record<ComparedField, string> = {
  name: "name_sort",
  email: "email_sort",
  phone: "phone_alike",
  taxId: "tax_id_alike",
}

type Row = Omit<Duplicate, "matches" | "isActive" | "city"> & { address: string | null; isActive: number }

/**
 * Finds customers that may be the same as one with these values: with the same name without case and accents, email
 * address, last digits of the phone number, or letters and digits of the tax ID. Each value costs one look into an index.
 */
export function findDuplicates(db: Database, { except = null, ...values }: Compared): Duplicate[] {
  const found = new Map<string, Duplicate>()
  for (const name of comparedFields) {
    const value = comparedOf(name, values[name])
    if (value === null) continue
    for (const { address, isActive, ...row } of findSame(db, name, value)) {
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
const findSame = (db: Database, name: ComparedField, value: Value): Row[] =>
  db
    .query<Row, [Value]>(
      `SELECT id, customer_number AS customerNumber, name, email, phone, tax_id AS taxId, address,
         is_active AS isActive FROM customers
       WHERE ${columns[name]} = ? AND merged_into IS NULL ORDER BY id LIMIT ${mostOfField + 1}`,
    )
    .all(value)

/** Returns the form in which a value is compared; null if it says nothing. */
export function comparedOf(name: ComparedField, value: string | null | undefined): string | null {
  if (!value || value.length > longest || hasTooManyMarks(value)) return null
  const { alike = fold }: Pick<Field, "alike"> = customers.fields[name]
  const compared = alike(value.trim())
  return compared.length < shortest[name] ? null : compared
}

const cityOf = (address: string | null): string | null =>
  address === null ? null : ((JSON.parse(address) as { city: string | null }).city ?? null)
