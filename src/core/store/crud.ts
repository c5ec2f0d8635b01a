import { isTaken } from "../engine/failures"
import type { Tx } from "../write/writer"
import { newId } from "../lib/id"
import { assertNoErrors, duplicate, Refusal, type FieldError } from "../lib/refusal"
import { changesOf } from "../kind/changes"
import { fieldsOf, type RecordOf, type Resource, type Shared } from "../kind/define"
import type { ListQuery } from "./list"
import { readChange, readDraft, type Draft, type Input } from "../kind/read"
import type { TableStore } from "./table-store"
import { assertVersion, type Expected } from "../kind/tag"

type RecordIn<R extends Resource> = RecordOf<R> & Shared

/** The functions for a kind that is one table. A kind with more rules wraps the functions it needs. */
export function tableCrud<R extends Resource>(resource: R, store: TableStore<R>) {
  type T = RecordIn<R>
  const get = (id: string): T => (store.find(id) as T | null) ?? refuseMissing(resource, id)
  const make = creator(resource, store)
  const revise = reviser(resource, store, get)
  return {
    list: (query: ListQuery) => store.list(query),
    values: store.values,
    get,
    findMany: (ids: readonly string[], signal: AbortSignal | null) =>
      store.findMany(ids, signal) as Promise<T[]>,
    findId: (name: string, value: string) => store.findId(name, value),
    /** Parses a body that creates a record. This does not need the database. */
    read: (input: Input): Draft => readDraft(resource, input),
    make,
    create: (tx: Tx, draft: Draft): T => make(tx, draft),
    revise,
    update: (tx: Tx, id: string, input: Input, expected: Expected): T => revise(tx, id, input, expected),

    remove(tx: Tx, id: string, expected: Expected): void {
      const record = get(id)
      assertVersion(record, expected)
      store.remove(tx, id)
      tx.audit(`${resource.name}.delete`, id, changesOf(resource, record, null))
    },
  }
}

/**
 * Creates records. `readOnly` returns the values that only the server sets; it is called after the body was validated.
 */
function creator<R extends Resource>(resource: R, store: TableStore<R>) {
  type T = RecordIn<R>
  const blank = Object.fromEntries(fieldsOf(resource).map(([name, field]) => [name, field.fallback ?? null]))
  return (tx: Tx, { values, errors }: Draft, readOnly: () => Partial<T> = () => ({})): T => {
    const refuseErrors = () =>
      assertNoErrors(
        [...errors, ...takenErrors(resource, store, values, null)],
        `The ${resource.noun} has invalid values.`,
      )
    if (errors.length > 0) refuseErrors()
    const id = newId(resource.idPrefix, tx.now)
    const shared = { id, version: 1, createdAt: tx.now, updatedAt: tx.now }
    const insert = () => store.insert(tx, { ...blank, ...values, ...readOnly(), ...shared } as T)
    // Duplicates are rare, so nothing is looked up before the insert. If the unique index rejects it, the duplicate
    // fields are looked up for the error message.
    const record = store.toApi(insertUnique(insert, refuseErrors)) as T
    tx.audit(`${resource.name}.create`, id, changesOf(resource, null, record))
    return record
  }
}

/** Updates records. `errors` are errors found earlier; they are reported together with those of the body. */
function reviser<R extends Resource>(resource: R, store: TableStore<R>, get: (id: string) => RecordIn<R>) {
  type T = RecordIn<R>
  return (tx: Tx, id: string, input: Input, expected: Expected, errors: FieldError[] = []): T => {
    const record = get(id)
    assertVersion(record, expected)
    const change = readChange(resource, record, input, errors, tx.warnings)
    errors.push(...takenErrors(resource, store, change, id))
    assertNoErrors(errors, `The ${resource.noun} has invalid values.`)
    const differs = Object.entries(change).some(
      ([name, value]) => !Bun.deepEquals(value, record[name as keyof T]),
    )
    if (!differs) return record
    const stored = store.load(id) as T
    store.replace(tx, { ...stored, ...change, version: record.version + 1, updatedAt: tx.now }, stored)
    const after = get(id)
    tx.audit(`${resource.name}.update`, id, changesOf(resource, record, after))
    return after
  }
}

/** Runs an insert. `explain` must throw an error that names the fields, when the insert violates a unique index. */
function insertUnique<T>(insert: () => T, explain: () => void): T {
  try {
    return insert()
  } catch (error) {
    if (isTaken(error)) explain()
    throw error
  }
}

/** Returns an error for each unique field whose value another record has. */
export function takenErrors(
  { noun }: Pick<Resource, "noun">,
  store: Pick<TableStore<Resource>, "takenFields">,
  values: Record<string, unknown>,
  exceptId: string | null,
): FieldError[] {
  return store
    .takenFields(values, exceptId)
    .map(({ name, value, existing }) => duplicate(name, value, existing, noun))
}

/** Throws the error for an id that no record of the kind has. */
export function refuseMissing({ name, noun }: Pick<Resource, "name" | "noun">, id: string): never {
  const shown = id.slice(0, 64)
  throw new Refusal("NOT_FOUND", `There is no ${noun} ${JSON.stringify(shown)}.`, {
    params: { kind: name, id: shown },
  })
}
