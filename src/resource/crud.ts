import type { Tx } from "../db/writer"
import { newId } from "../lib/id"
import { assertNoFaults, Refusal, type Detail } from "../lib/refusal"
import { changesOf } from "./changes"
import { fieldsOf, type Kept, type Resource, type Shared } from "./define"
import type { ListQuery } from "./list"
import { readChange, readDraft, type Input } from "./read"
import type { TableStore } from "./table-store"

/** The versions a caller is willing to change; null when it did not say. */
export type Expected = readonly number[] | null

type Beside<T> = {
  /** The values only the service sets, asked for once the body has been found good. */
  served?: () => Partial<T>
  /** Faults found already, to be told together with those of the body. */
  faults?: Detail[]
}

/** The five functions for a kind that is one table. A kind with more rules wraps the ones it needs. */
export function tableCrud<R extends Resource>(resource: R, store: TableStore<R>) {
  type T = Kept<R> & Shared
  const blank = Object.fromEntries(fieldsOf(resource).map(([name, field]) => [name, field.fallback ?? null]))

  const note = (tx: Tx, verb: string, before: T | null, after: T | null) =>
    tx.auditEntries.push({
      action: `${resource.name}.${verb}`,
      kind: resource.name,
      recordId: (after ?? before)?.id,
      changes: changesOf(resource, before, after),
    })

  const get = (id: string): T => (store.find(id) as T | null) ?? refuseMissing(resource, id)

  /** Creates one with more than the body says. */
  const make = (tx: Tx, input: Input, { served = () => ({}), faults = [] }: Beside<T>): T => {
    const draft = readDraft(resource, input, faults)
    const refuseFaults = () => {
      faults.push(...takenFields(resource, store, draft, null))
      assertNoFaults(faults, `The ${resource.noun} has invalid values.`)
    }
    if (faults.length > 0) refuseFaults()
    const id = newId(resource.idPrefix, tx.now)
    const shared = { id, version: 1, createdAt: tx.now, updatedAt: tx.now }
    const insert = () => store.insert(tx, { ...blank, ...draft, ...served(), ...shared } as T)
    // Values are hardly ever taken, so the table is left to say so; which ones is asked for then.
    const record = store.toWire(insertUnique(insert, refuseFaults)) as T
    note(tx, "create", null, record)
    return record
  }

  const create = (tx: Tx, input: Input): T => make(tx, input, {})

  /** Changes one; `faults` are those found already, to be told together with those of the body. */
  const revise = (tx: Tx, id: string, input: Input, expected: Expected, faults: Detail[]): T => {
    const record = get(id)
    assertVersion(record, expected)
    const change = readChange(resource, record, input, faults, tx.warnings)
    faults.push(...takenFields(resource, store, change, id))
    assertNoFaults(faults, `The ${resource.noun} has invalid values.`)
    const differs = Object.entries(change).some(
      ([name, value]) => !Bun.deepEquals(value, record[name as keyof T]),
    )
    if (!differs) return record
    const kept = store.load(id) as T
    store.replace(tx, { ...kept, ...change, version: record.version + 1, updatedAt: tx.now }, kept)
    const after = get(id)
    note(tx, "update", record, after)
    return after
  }

  const update = (tx: Tx, id: string, input: Input, expected: Expected): T =>
    revise(tx, id, input, expected, [])

  const remove = (tx: Tx, id: string, expected: Expected): void => {
    const record = get(id)
    assertVersion(record, expected)
    store.remove(tx, id)
    note(tx, "delete", record, null)
  }

  return { list: (query: ListQuery) => store.list(query), get, make, create, revise, update, remove }
}

/** Refuses when the record has moved on since the caller read it. */
export function assertVersion(record: Shared, expected: Expected): void {
  if (expected === null || expected.includes(record.version)) return
  throw new Refusal(
    "PRECONDITION_FAILED",
    `The record is at version ${record.version} now. Read it again and repeat the change.`,
  )
}

/** `explain` is to throw what is to be told when the table refuses a value that another record has. */
function insertUnique<T>(insert: () => T, explain: () => void): T {
  try {
    return insert()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_CONSTRAINT_UNIQUE") explain()
    throw error
  }
}

function takenFields<R extends Resource>(
  resource: R,
  store: TableStore<R>,
  values: Record<string, unknown>,
  exceptId: string | null,
): Detail[] {
  return store.takenFields(values, exceptId).map((name) => ({
    field: name,
    message: `${JSON.stringify(values[name])} is already used by another ${resource.noun}`,
  }))
}

function refuseMissing(resource: Resource, id: string): never {
  throw new Refusal("NOT_FOUND", `There is no ${resource.noun} ${JSON.stringify(id.slice(0, 64))}.`)
}
