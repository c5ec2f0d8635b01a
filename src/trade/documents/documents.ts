import type { Database } from "../../core/engine/engine"
import type { Core } from "../../core/folder"
import type { Resource } from "../../core/kind/define"
import type { Tx } from "../../core/write/writer"
import { nextStep, type Later } from "../../core/lib/turns"
import { refuseMissing } from "../../core/store/crud"
import type { MoneyContext } from "../../core/kind/field"
import type { ListQuery } from "../../core/store/list"
import type { ValueCounts } from "../../core/store/values"
import type { Page } from "../../core/store/table-list"
import type { TakenField } from "../../core/store/table-store"
import { keepChangeCount } from "../../core/kind/tag"
import type { Customers, Items, TaxCodes } from "../needs"
import type { Settings } from "../../office/settings/model"
import type { Doc, DocumentKind, Effects, Head } from "./kind"
import { taxesToApi, type Line } from "./model"
import type { Named } from "./rules"

/** The table of document heads. */
type HeadStore<H> = {
  load(id: string): H | null
  /** In the form of a response: amounts in plain numbers. */
  find(id: string): H | null
  /** Returns the stored form, with the fields that are derived. */
  insert(tx: Tx, head: H): H
  /** Converts a stored head to the form of a response, in place. */
  toApi(head: H): H
  /** `more` are changed fields in other tables. */
  replace(tx: Tx, after: H, before: H, more?: readonly string[]): void
  /** Notes an update that another statement has stored. */
  noteUpdated(tx: Tx, after: H, before: H, more?: readonly string[]): void
  remove(tx: Tx, id: string): void
  list(query: ListQuery): Later<Page<H>>
  values(query: ListQuery, name: string, signal: AbortSignal | null): Promise<ValueCounts>
  findMany(ids: readonly string[], signal: AbortSignal | null): Promise<H[]>
  findId(name: string, value: string): string | null
  takenFields(record: Record<string, unknown>, exceptId: string | null): TakenField[]
}

export type DocumentDeps<H> = {
  db: Database
  store: HeadStore<H>
  items: Items
  customers: Customers
  taxCodes: TaxCodes
  settings: () => Settings
  moneyContext: (at?: string) => MoneyContext
  nextNumber: Core["nextNumber"]
}

/** What every kind of document needs. */
export type Trade = Core & {
  items: Items
  customers: Customers
  taxCodes: TaxCodes
  settings: () => Settings
}

/** The dependencies of the documents of a kind, with the services as the kind knows them. */
export const documentDeps = <H, T extends Trade>(
  { db, storeOf, items, customers, taxCodes, settings, moneyContext, nextNumber }: T,
  kind: Resource,
): DocumentDeps<H> & Pick<T, "items" | "customers" | "taxCodes"> => ({
  db,
  store: storeOf(kind) as unknown as HeadStore<H>,
  items,
  customers,
  taxCodes,
  settings,
  moneyContext,
  nextNumber,
})

/** The functions that all operations on documents share. `R` is the form of a response. */
export function documentsOf<H extends Head, L extends Line, R>(
  kind: DocumentKind<H, L>,
  effects: Effects<H, L>,
  deps: DocumentDeps<H>,
) {
  const { db, store } = deps
  const complete = completion<H, L, R>(kind, effects, deps)
  const withLines = (head: H): Doc<H, L> => ({
    head,
    lines: kind.lines.find(db, [head.id]).get(head.id) ?? [],
  })
  return {
    ...deps,
    kind,
    effects,
    /** Returns the statuses that a document can change to. */
    allowedFrom: (head: H) => allowedFrom(kind, head),
    /** Returns a document as messages name it. */
    named: (head: H) => namedOf(kind, head),
    /** Adds the lines to a known head. */
    withLines,
    load: (id: string): Doc<H, L> => withLines(store.load(id) ?? refuseMissing(kind.resource, id)),
    get(id: string): R {
      const [document] = complete([store.find(id) ?? refuseMissing(kind.resource, id)])
      return document as R
    },
    /** Writes a new document and its effects. Returns how to show it, which reads neither the head nor the lines again. */
    insert(tx: Tx, document: Doc<H, L>): () => R {
      const { head, lines } = document
      const stored = store.toApi(store.insert(tx, head))
      kind.lines.insert(db, head.id, lines)
      deps.taxCodes.markUsed(tx, namedCodes(lines))
      effects.book?.(tx, null, document)
      return () => complete([stored], new Map([[head.id, lines]]), effects.ofNew)[0] as R
    },
    /** Replaces a head, its lines if they changed, and writes the effects of both. */
    save(tx: Tx, before: Doc<H, L>, after: Doc<H, L>): void {
      const areLinesSaved = !kind.lines.areSame(after.lines, before.lines)
      store.replace(tx, after.head, before.head, areLinesSaved ? ["items"] : [])
      if (areLinesSaved) {
        kind.lines.replace(db, after.head.id, after.lines, before.lines)
        deps.taxCodes.markUsed(tx, namedCodes(after.lines))
      }
      effects.book?.(tx, before, after)
    },
  }
}

export type Documents<H extends Head, L extends Line, R> = ReturnType<typeof documentsOf<H, L, R>>

const namedCodes = (lines: readonly Line[]): Set<string> =>
  new Set(lines.flatMap(({ taxCode }) => taxCode ?? []))

const namedOf = <H extends Head, L extends Line>(kind: DocumentKind<H, L>, head: H): Named => ({
  name: kind.nameOf(head),
  number: (head as Record<string, unknown>)[kind.resource.found?.code ?? ""] as string | null,
  status: head.status,
})

const allowedFrom = <H extends Head, L extends Line>(kind: DocumentKind<H, L>, head: H) =>
  kind.allowed?.(head) ?? kind.transitions[head.status as H["status"]]

/**
 * Returns a function that adds the lines and the data of other tables to heads, whose amounts are plain numbers. What is
 * known is not read.
 */
const completion =
  <H extends Head, L extends Line, R>(
    kind: DocumentKind<H, L>,
    effects: Effects<H, L>,
    { db, moneyContext }: DocumentDeps<H>,
  ) =>
  (heads: H[], known?: ReadonlyMap<string, L[]>, knownBeside?: object): R[] => {
    const lines =
      known ??
      kind.lines.find(
        db,
        heads.map(({ id }) => id),
      )
    const beside = knownBeside ? () => knownBeside : effects.beside?.(heads)
    const { digits } = moneyContext()
    return heads.map((head) =>
      keepChangeCount(head, {
        ...head,
        allowedTransitions: [...allowedFrom(kind, head)],
        taxes: taxesToApi(head.taxes, digits),
        items: (lines.get(head.id) ?? []).map((line) => kind.lineToApi(line, digits)),
        ...beside?.(head),
      }),
    ) as R[]
  }

/** Returns a function that does the same for a list, in slices if the list has many lines. */
export const completer = <H extends Head, L extends Line, R>(
  kind: DocumentKind<H, L>,
  effects: Effects<H, L>,
  deps: DocumentDeps<H>,
) =>
  completeInSlices(completion<H, L, R>(kind, effects, deps), (heads) => {
    const counts = kind.lines.count(
      deps.db,
      heads.map(({ id }) => id),
    )
    for (const [id, count] of effects.countBeside?.(heads) ?? [])
      counts.set(id, (counts.get(id) ?? 0) + count)
    return counts
  })

/** The number of lines that one slice adds to documents. Other requests are served between slices. */
const linesAtOnce = 1_000
/** For more documents than this, counting the lines is a separate slice. */
const fewDocuments = 25

/** Returns a function that completes the documents of a list: immediately, or in slices if there are many lines. */
export function completeInSlices<H extends { id: string }, T>(
  complete: (heads: H[]) => T[],
  countLines: (heads: readonly H[]) => ReadonlyMap<string, number>,
): (heads: H[]) => Later<T[]> {
  return (heads) => {
    if (heads.length === 0) return []
    if (heads.length > fewDocuments)
      return async (signal) => {
        await nextStep(signal)
        return inSteps(stepsOf(heads, countLines(heads)), complete, signal)
      }
    const steps = stepsOf(heads, countLines(heads))
    return steps.length <= 1 ? complete(heads) : (signal) => inSteps(steps, complete, signal)
  }
}

function stepsOf<H extends { id: string }>(heads: readonly H[], lines: ReadonlyMap<string, number>): H[][] {
  const steps: H[][] = []
  let room = 0
  for (const head of heads) {
    const count = lines.get(head.id) ?? 0
    if (steps.length === 0 || count > room) {
      steps.push([])
      room = linesAtOnce
    }
    steps.at(-1)?.push(head)
    room -= count
  }
  return steps
}

async function inSteps<H, T>(
  steps: readonly H[][],
  complete: (heads: H[]) => T[],
  signal: AbortSignal | null,
): Promise<T[]> {
  const all: T[] = []
  for (const step of steps) {
    await nextStep(signal)
    all.push(...complete(step))
  }
  return all
}
