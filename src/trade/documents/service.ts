import type { Caller } from "../../core/caller"
import type { Read } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { related } from "../../core/http/answer/expand"
import { settled, whenDone } from "../../core/lib/turns"
import { changesOf } from "../../core/kind/changes"
import type { ListQuery } from "../../core/store/list"
import type { ValueCounts } from "../../core/store/values"
import type { Input } from "../../core/kind/read"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { createDocument, type NewDocument } from "./create"
import { completer, type DocumentDeps, documentsOf } from "./documents"
import type { DocumentKind, Effects, Head, StatusRequest } from "./kind"
import type { Line } from "./model"
import { reviseDocument } from "./revise/revise"
import { changeStatus } from "./status"

/** The functions that all kinds of documents share. A kind consists of its description, transitions and effects. */
export function documentService<H extends Head, L extends Line, R extends { id: string; version: number }>(
  kind: DocumentKind<H, L>,
  effects: Effects<H, L>,
  deps: DocumentDeps<H>,
) {
  const documents = documentsOf<H, L, R>(kind, effects, deps)
  const { store, load, get } = documents
  const completeAll = completer<H, L, R>(kind, effects, deps)
  const findMany = async (ids: readonly string[], signal: AbortSignal | null) =>
    settled(completeAll(await store.findMany(ids, signal)), signal)
  return {
    ...documents,
    /** Returns the stored head of a document, or null. */
    findHead: (id: string): H | null => store.load(id),

    /** The customer and the items of documents, for `expand`. */
    related: {
      customer: deps.customers.asRelated,
      "items.item": deps.items.asRelated,
    },

    /** Returns the id of the document with this value of a unique field, or null. */
    findId: (name: string, value: string): string | null => store.findId(name, value),

    list: (query: ListQuery) =>
      whenDone(store.list(query), (page) => whenDone(completeAll(page.rows), (rows) => ({ ...page, rows }))),
    values: (query: ListQuery, name: string, signal: AbortSignal | null): Promise<ValueCounts> =>
      store.values(query, name, signal),
    findMany,
    /** For `expand` of what refers to these documents. */
    asRelated: related(kind.resource, { findMany }),

    create: (tx: Tx, made: NewDocument<H, L>): R => createDocument(documents, tx, made),
    readsOfDraft: ({ customer, items }: Input): Read[] => [
      ...(isId(customer) ? [deps.customers.readOf(customer)] : []),
      ...(Array.isArray(items) ? [deps.items.readOf(items.flatMap(itemOf))] : []),
    ],
    update: (tx: Tx, id: string, input: Input, expected: Expected, caller: Caller): R =>
      reviseDocument(documents, tx, id, { input, expected, caller }),
    changeStatus: (tx: Tx, id: string, request: StatusRequest<H["status"]>, expected: Expected = null): R =>
      changeStatus(documents, tx, id, request, expected),

    remove(tx: Tx, id: string, expected: Expected): void {
      const { head } = load(id)
      assertVersion(head, expected)
      effects.assertDeletable(head)
      const before = get(id)
      effects.unbook?.(tx, head)
      store.remove(tx, id)
      tx.audit(`${kind.resource.name}.delete`, id, changesOf(kind.resource, before, null))
    },
  }
}

/** Only what can be an id is looked for before a body is read. */
const isId = (value: unknown): value is string => typeof value === "string" && /^[\w-]{1,64}$/.test(value)

/** The item of a line in a body. */
const itemOf = (line: unknown): string[] =>
  typeof line === "object" && line !== null && "item" in line && isId(line.item) ? [line.item] : []
