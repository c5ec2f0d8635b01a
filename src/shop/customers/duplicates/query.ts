import type { Database, Value } from "../../../core/engine/engine"
import { listOf } from "../../../core/engine/sql"
import { fold, hasTooManyMarks } from "../../../core/lib/text"
import type { Field } from "../../../core/kind/field"
import { comparedFields, type ComparedField, customers, type Duplicate } from "../model"
import { addressSearches, alikeTo, beginningsOf, nameKey, type Place, placeKey } from "./alike"

type ComparedText = Exclude<ComparedField, "address">

/** The values of a customer that are compared with those of others. */
export type Compared = { [K in ComparedText]?: string | null } & {
  address?: Place | null
  /** The customer itself, if it exists. */
  except?: string | null
}

/** The customers that are shown of those with the same value of a field. */
const mostOfField = 3

/** A longer value is not one of a customer. */
const longest = 254

/** Shorter values of these fields say nothing: half a phone number, or a tax ID of "-". */
const shortest: Record<ComparedText, number> = { name: 1, email: 3, phone: 6, taxId: 4 }

/** The columns in which the values are compared. Each has an index. */
const columns: Record<Exclude<ComparedText, "name">, string> = {
  email: "email_sort",
  phone: "phone_alike",
  taxId: "tax_id_alike",
}

/** The names and addresses that are compared of those with the same beginning. A shop may have thousands of them. */
const mostOfBeginning = 50

type Row = Omit<Duplicate, "matches" | "isActive" | "city"> & { address: string | null; isActive: number }

/**
 * Finds customers that may be the same as one with these values: with a name that is alike, the same email address, last
 * digits of the phone number, letters and digits of the tax ID, or street and town of the address. Each value costs some
 * looks into an index, however many customers there are.
 */
export function findDuplicates(db: Database, { except = null, ...values }: Compared): Duplicate[] {
  const found = new Map<string, Duplicate>()
  for (const name of comparedFields) {
    for (const { address, isActive, ...row } of findBy(db, name, values)) {
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

function findBy(db: Database, name: ComparedField, values: Compared): Row[] {
  if (name === "address") return values.address ? findNeighbours(db, values.address) : []
  const given = values[name]
  const value = comparedOf(name, given)
  if (value === null || !given) return []
  return name === "name" ? findAlike(db, given.trim()) : findSame(db, columns[name], value)
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
    for (const id of findBeginning(db, "name_sort", beginning, isAlike)) ids.add(id)
    if (ids.size > mostOfField) break
  }
  return findRows(db, ids)
}

/** Finds the customers with the same address. */
const findNeighbours = (db: Database, address: Place): Row[] =>
  findRows(
    db,
    new Set(
      addressSearches(shortened(address)).flatMap(({ beginning, isSame }) =>
        findBeginning(db, "address_alike", beginning, isSame),
      ),
    ),
  )

/** Returns the ids of the customers with a beginning in a column, if the whole text is wanted. */
const findBeginning = (
  db: Database,
  column: "name_sort" | "address_alike",
  beginning: string,
  isWanted: (text: string) => boolean,
): string[] =>
  db
    .query<{ id: string; text: string }, [string, string, number]>(
      `SELECT id, ${column} AS text FROM customers WHERE ${column} >= ? AND ${column} < ?
       ORDER BY ${column}, id LIMIT ?`,
    )
    .all(beginning, `${beginning}\u{10ffff}`, mostOfBeginning)
    .flatMap(({ id, text }) => (isWanted(text) ? [id] : []))

const findRows = (db: Database, ids: ReadonlySet<string>): Row[] =>
  ids.size === 0 ? [] : db.query<Row, [string]>(select(`id IN ${listOf("?")}`)).all(JSON.stringify([...ids]))

/** The parts of an address that are compared. What no address can be is none. */
export const shortened = ({ street, zipCode, city }: Place): Place => ({
  street: possible(street),
  zipCode: possible(zipCode),
  city: possible(city),
})

const possible = (text: unknown): string | null =>
  typeof text === "string" && text.length <= longest && !hasTooManyMarks(text) ? text : null

/** Returns the form in which a value is compared; null if it says nothing. */
export function comparedOf(name: ComparedText, value: string | null | undefined): string | null {
  if (!value || value.length > longest || hasTooManyMarks(value)) return null
  const field: Field = customers.fields[name]
  const alike = (field.alike ?? (name === "name" ? nameKey : fold)) as (text: string) => string
  const compared = alike(value.trim())
  return compared.length < shortest[name] ? null : compared
}

/** The values that are compared, each in the form in which it is compared with those of other rows. */
export function comparedForms({ address, ...texts }: Compared): (readonly [ComparedField, string])[] {
  const forms = comparedFields.map(
    (name) =>
      [
        name,
        name === "address" ? placeKey(shortened(address ?? {})) : comparedOf(name, texts[name]),
      ] as const,
  )
  return forms.flatMap(([name, form]) => (form ? [[name, form] as const] : []))
}

const cityOf = (address: string | null): string | null =>
  address === null ? null : ((JSON.parse(address) as { city: string | null }).city ?? null)
