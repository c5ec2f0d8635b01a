import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Input } from "../../core/kind/read"
import type { Resource } from "../../core/kind/define"
import type { Right } from "../../shared/rights"
import type { CellType } from "../sheets/model"
import type { PriceSense } from "../sheets/title-form"
import type { DuplicateChoice, ImportMode } from "./model"

export type ImportField = {
  /** May be part of an object: `address.city`. */
  name: string
  type: CellType
  /** True when a row that creates a record must have it. */
  isRequired: boolean
  /** True when the server assigns it, so that a column of it finds records but does not set it. */
  isAssigned?: boolean
  /** What its numbers are: money of the company's currency, or parts of a hundred. Their cells may have the sign of it. */
  unit?: "money" | "percent"
  /** True for a date that is not after today. */
  isPast?: boolean
}

export type RowOutcome = "created" | "updated" | "unchanged"

/**
 * The context of a row: who imports it, how, and from which file. `prices` are the fields whose prices are in the other
 * sense than they are stored, with the sense of the file.
 */
export type RowContext = {
  caller: Caller
  mode: ImportMode
  fileName: string | null
  prices: Readonly<Record<string, PriceSense>>
  duplicates: DuplicateChoice
  /** When the import began: records that it has created itself are not those of its other rows. */
  begunAt: string
}

/**
 * The titles by which an import recognizes the columns of other programs, by field, in addition to the names of the
 * fields and to the titles of our own exports. Capital letters, spaces and punctuation make no difference.
 */
export type Labels = Readonly<Record<string, readonly string[]>>

export type ImportKind = {
  name: string
  /** The plural noun for use in sentences: "items". */
  noun: string
  right: Right
  fields: readonly ImportField[]
  /** Unique fields. A value must not be in the file twice. */
  keys: readonly { name: string; form: (value: string) => string }[]
  /**
   * Finds the record of a row, for a kind whose keys can name the same record in several ways. Rows with the same record
   * are then refused like rows with the same key.
   */
  recordOf?(input: Input): string | null
  /**
   * The fields that find the record of a row: the one that it updates, the item that was counted, or the customer of an
   * invoice. One of them must have a column, unless records are only created.
   */
  foundBy: readonly string[]
  /** The labels of its own fields. Those that many kinds have are known. */
  labels: Labels
  /** The fields of which one is enough instead of a required field. */
  standIns?: Readonly<Record<string, readonly string[]>>
  /** Titles that mean another field beside a column of `beside`: "Name" is the last name beside "First name". */
  titlesBeside?: readonly { field: string; titles: readonly string[]; beside: string }[]
  modes: readonly ImportMode[]
  /** True when a row needs one of `foundBy` in every mode. */
  isKeyRequired?: boolean
  /** The kind whose exports have the same fields, so that an import recognizes the titles of its columns. */
  exported?: Resource
  /** Finds rows that may be records that exist, for a kind without a key that tells it. */
  resembling?: Resembling
  /** Whether the prices of a field are stored with tax; null for other fields. */
  storedSense?(field: string): PriceSense | null
  /** Takes back what rows have written. Without it, an import of the kind cannot be undone. */
  undo?: RowUndo
  /** Writes the record of a row. Throws a Refusal that names the wrong fields. */
  write(tx: Tx, input: Input, context: RowContext): RowOutcome
}

/** How rows that would create a record are compared with records that exist, and with each other. */
export type Resembling = {
  /** The values of a row that are compared, by their fields, in the form in which they are. */
  comparedOf(input: Input): readonly (readonly [field: string, value: string])[]
  /** The record that a row most probably is. Its cost must not depend on the number of records. */
  find(input: Input): { id: string; name: string; number: string; fields: readonly string[] } | null
  /** The record that a row is with hardly a doubt, if it exists since before a time. */
  findSame(input: Input, before: string): string | null
}

/** Takes back what a row has written to a record: deletes it, or gives it its old values again. */
export type RowUndo = {
  /** The right to delete the records. */
  right: Right
  /** The kind of the records, as in the audit log. */
  records: string
  /** Returns the version of a record; null if it does not exist. */
  versionOf(id: string, caller: Caller): number | null
  remove(tx: Tx, id: string, caller: Caller): void
  restore(tx: Tx, id: string, values: Input, caller: Caller): void
}

export type ImportKinds = Readonly<Record<string, ImportKind>>

/** Returns the kind of import with this name, which was checked before. */
export function importKindOf(kinds: ImportKinds, name: string): ImportKind {
  const kind = kinds[name]
  if (!kind) throw new Error(`There is no import of ${name}.`)
  return kind
}
