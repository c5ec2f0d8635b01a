import { type Caller, assertMay, mayCaller } from "../../core/caller"
import type { Database } from "../../core/engine/engine"
import { newId } from "../../core/lib/id"
import { fieldError, Refusal } from "../../core/lib/refusal"
import { refuseMissing, takenErrors } from "../../core/store/crud"
import type { Term } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import type { TableStore } from "../../core/store/table-store"
import { assertVersion, type Expected } from "../../core/kind/tag"
import type { Tx } from "../../core/write/writer"
import type { KindRights } from "../../shared/rights"
import { mailRefusals, type Message, messages } from "./model"
import { countQueued, findWork, insertWork, type NewFile, saveWork } from "./store"

/** A kind whose records have messages, and the rights to its records. */
export type MailedKind = { name: string; rights: KindRights }

/** A message that is to be sent. */
export type NewMessage = Pick<
  Message,
  "kind" | "record" | "number" | "to" | "cc" | "subject" | "message" | "language" | "externalId" | "metadata"
> & {
  /** The documents, if there are several: then the record is their customer. */
  records?: string[]
  createdBy: string | null
  /** True for mail that no person has asked for. */
  isAutomatic: boolean
  files: NewFile[]
}

type Deps = {
  db: Database
  store: TableStore<typeof messages>
  kinds: readonly MailedKind[]
  /** Throws when there is no server to send with. */
  assertSetUp: () => void
  /** Called after each write that may have something to send. */
  onQueued: () => void
}

/** More messages than a limit per minute can send in a day. Each costs memory and time on the disk. */
const mostQueued = 20_000

export function messageService(deps: Deps) {
  const { store, kinds } = deps
  /** The kinds whose records a caller may read. */
  const readable = (caller: Caller): string[] =>
    kinds.flatMap(({ name, rights }) => (mayCaller(caller, rights.read) ? [name] : []))
  const within = (caller: Caller): Term[] => {
    const names = readable(caller)
    return names.length === kinds.length ? [] : [{ sql: anyOf(names), values: names }]
  }
  const get = (id: string, caller: Caller | null): Message => {
    const found = store.find(id) as Message | null
    const isSeen = found !== null && (!caller || readable(caller).includes(found.kind))
    return isSeen ? found : refuseMissing(messages, id)
  }
  return {
    within,
    get,
    list: (query: ListQuery, caller: Caller) => store.list(query, within(caller)),
    /** All messages, for the command line. */
    all: (query: ListQuery) => store.list(query),
    values: store.values,
    findId: (name: string, value: string) => store.findId(name, value),
    async findMany(ids: readonly string[], signal: AbortSignal | null, caller: Caller | null = null) {
      const found = (await store.findMany(ids, signal)) as Message[]
      if (!caller) return found
      const names = readable(caller)
      return found.filter(({ kind }) => names.includes(kind))
    },

    /** Throws when there is no server to send with. */
    assertSetUp: deps.assertSetUp,

    queue: (tx: Tx, message: NewMessage): Message => queue(deps, tx, message),

    /** Cancels a message that waits. */
    cancel(tx: Tx, id: string, expected: Expected, caller: Caller): Message {
      const before = loadFor(deps, get, id, expected, caller)
      if (before.status !== "queued")
        throw refuse(mailRefusals.MESSAGE_NOT_QUEUED, before, "only one that waits can be cancelled")
      return end(deps, tx, before, { status: "cancelled", nextAttemptAt: null }, "cancel")
    },

    /** Sends a message again now: one that failed, is uncertain or waits for its next attempt. */
    retry(tx: Tx, id: string, expected: Expected, caller: Caller): Message {
      const before = loadFor(deps, get, id, expected, caller)
      if (!["failed", "uncertain", "queued"].includes(before.status))
        throw refuse(
          mailRefusals.MESSAGE_NOT_FAILED,
          before,
          "only one that failed, is uncertain or waits can be sent again",
        )
      deps.assertSetUp()
      saveWork(deps.db, id, { tries: 0, interruptions: 0, attempt: null, isEnding: false })
      tx.afterCommit.push(deps.onQueued)
      return end(deps, tx, before, { status: "queued", nextAttemptAt: tx.now }, "retry")
    },
  }
}

export type MessageService = ReturnType<typeof messageService>

const anyOf = (names: readonly string[]): string =>
  names.length === 0 ? "false" : `(${names.map(() => "kind = ?").join(" OR ")})`

function queue({ db, store, assertSetUp, onQueued }: Deps, tx: Tx, given: NewMessage): Message {
  assertSetUp()
  const { files, isAutomatic, createdBy, records = [], ...rest } = given
  const errors = takenErrors(messages, store, { externalId: rest.externalId }, null)
  if (countQueued(db, mostQueued) >= mostQueued)
    errors.push(
      fieldError("to", "RULE", `cannot be sent to now: ${mostQueued} messages wait, which is the maximum`, {
        rule: "TOO_MANY",
        max: mostQueued,
      }),
    )
  if (errors.length > 0)
    throw new Refusal("VALIDATION_ERROR", "The message cannot be sent.", { details: errors })
  const message = {
    ...rest,
    records,
    id: newId(messages.idPrefix, tx.now),
    status: "queued" as const,
    attachments: files.map(({ name, sha256, bytes }) => ({ name, sha256, bytes })),
    attempts: [],
    rejected: [],
    nextAttemptAt: tx.now,
    sentAt: null,
    createdBy,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  const stored = store.toApi(store.insert(tx, message))
  insertWork(db, message.id, isAutomatic, files)
  const { kind, record, to, cc, subject } = message
  const said = Object.entries({ kind, record, to, cc, subject }).map(
    ([name, value]) => [name, { from: null, to: value }] as const,
  )
  tx.audit("messages.create", message.id, Object.fromEntries(said))
  tx.afterCommit.push(onQueued)
  return stored
}

/** Loads a message that a caller may change. */
function loadFor(
  { store, kinds }: Deps,
  get: (id: string, caller: Caller) => Message,
  id: string,
  expected: Expected,
  caller: Caller,
): Message {
  const message = get(id, caller)
  assertVersion(message, expected)
  const kind = kinds.find(({ name }) => name === message.kind)
  if (kind) assertMay(caller, kind.rights.write)
  return (store.load(id) as Message | null) ?? refuseMissing(messages, id)
}

function end(
  { db, store }: Deps,
  tx: Tx,
  before: Message,
  change: Pick<Message, "status" | "nextAttemptAt">,
  action: string,
): Message {
  store.replace(tx, { ...before, ...change, version: before.version + 1, updatedAt: tx.now }, before)
  if (change.status === "cancelled" && findWork(db, before.id))
    saveWork(db, before.id, { tries: 0, interruptions: 0, attempt: null, isEnding: false })
  if (before.status !== change.status)
    tx.audit(`messages.${action}`, before.id, { status: { from: before.status, to: change.status } })
  return store.find(before.id) as Message
}

const refuse = (
  refusal: (typeof mailRefusals)[keyof typeof mailRefusals],
  { status }: Message,
  why: string,
): Refusal =>
  new Refusal(refusal, `The message is ${status}; ${why}.`, {
    params: { status },
    details: [fieldError("status", "RULE", `is ${status}`, { rule: "STATUS", status })],
  })
