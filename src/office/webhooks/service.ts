import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { refuseMissing } from "../../core/store/crud"
import { equals, type Term } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import { later } from "../../shared/dates"
import { tableCrud } from "../../core/store/crud"
import { type Draft, type Input, readDraft } from "../../core/kind/read"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { managesAll, programOf, typeErrors, type Webhook, webhooks } from "./model"
import { countErrors, previousFor } from "./rules"
import { newWebhookSecret } from "./message"
import {
  activate,
  countByState,
  countOf,
  countWebhooks,
  insertPosition,
  savePosition,
  saveProgram,
  saveSecret,
  type WebhookState,
} from "./store"
import { type Change, type Crud, takeOver, update, type WebhookDeps } from "./update"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { addressErrorOf, type Network } from "./addresses"

/** A webhook with its secret, which is shown only once. */
type Issued = { record: Webhook; secret: string }

export function webhookService(deps: WebhookDeps) {
  const { store, events, network } = deps
  const crud = tableCrud(webhooks, store)
  /** Returns a webhook of the caller, or any for an admin and for the server itself. For others it does not exist. */
  const get = (id: string, caller: Caller | null): Webhook => {
    const webhook = crud.get(id)
    return !caller || managesAll(caller) || webhook.owner === caller.userId
      ? webhook
      : refuseMissing(webhooks, id)
  }
  return {
    all: crud.list,
    list: (query: ListQuery, caller: Caller) => store.list(query, within(caller)),
    get,
    within,
    findMany: crud.findMany,

    /** How many webhooks have each state. */
    counts(): Record<WebhookState, number> {
      const counts = { active: 0, failing: 0, paused: 0, disabled: 0 }
      for (const { state, webhooks: found } of countByState(deps.db)) counts[state] = found
      return counts
    },

    /** Parses a body that creates a webhook, and looks up where its URL leads to. */
    async prepareDraft(input: Input): Promise<Draft> {
      const draft = readDraft(webhooks, unrepeated(input))
      const errors = [
        ...typeErrors(draft.values.types, events.kinds),
        ...(await addressErrors(urlOf(input), network)),
      ]
      return { ...draft, errors: [...draft.errors, ...errors] }
    },

    prepareChange: async (input: Input): Promise<Change> => ({
      input: unrepeated(input),
      errors: await addressErrors(urlOf(input), network),
    }),

    create: (tx: Tx, draft: Draft, caller: Caller): Issued => create(deps, crud, tx, draft, caller),

    update: (tx: Tx, id: string, change: Change, expected: Expected, caller: Caller): Webhook =>
      update(deps, crud, tx, get(id, caller), change, expected, caller),

    rotate: (tx: Tx, id: string, expected: Expected, caller: Caller): Issued =>
      rotate(deps, crud, tx, get(id, caller), expected, caller),

    remove: (tx: Tx, id: string, expected: Expected, caller: Caller): void =>
      crud.remove(tx, get(id, caller).id, expected),
  }
}

export type WebhookService = ReturnType<typeof webhookService>

/** Restricts a list to the webhooks of the caller. */
const within = (caller: Caller): Term[] => (managesAll(caller) ? [] : [equals("owner", caller.userId)])

/** Creates a webhook. It gets the events after this moment. */
function create(
  { db, events, clock, onChange }: WebhookDeps,
  crud: Crud,
  tx: Tx,
  draft: Draft,
  caller: Caller,
): Issued {
  const { userId } = caller
  const counts = { all: countWebhooks(db), own: managesAll(caller) ? null : countOf(db, userId) }
  const errors = [...countErrors(counts), ...draft.errors]
  const record = crud.make(tx, { ...draft, errors }, () => ({ createdBy: userId, owner: userId }))
  saveProgram(db, record.id, programOf(caller))
  const secret = newWebhookSecret()
  saveSecret(db, record.id, secret, clock())
  insertPosition(db, record.id, events.latest())
  tx.afterCommit.push(onChange)
  return { record, secret }
}

/** Gives a webhook a new secret. For a day, requests are signed with both. */
function rotate(
  deps: WebhookDeps,
  crud: Crud,
  tx: Tx,
  before: Webhook,
  expected: Expected,
  caller: Caller,
): Issued {
  const { db, events, clock, onChange } = deps
  const { id } = before
  assertVersion(before, expected)
  const secret = newWebhookSecret()
  saveSecret(db, id, secret, later(clock(), previousFor))
  tx.audit("webhooks.rotate", id)
  // Its secret was missing since the database was restored.
  if (before.disabledReason === "restored") {
    activate(db, id, tx.now)
    savePosition(db, id, events.latest())
  }
  takeOver(deps, tx, before, caller)
  tx.afterCommit.push(onChange)
  return { record: crud.get(id), secret }
}

/** The URL of a body in the form that is stored; undefined if it is not valid. */
const urlOf = ({ url }: Input): string | undefined => webhooks.fields.url.read(url, "url", [], "create")

/** Removes duplicate types. */
const unrepeated = (input: Input): Input =>
  Array.isArray(input.types) ? { ...input, types: [...new Set(input.types)] } : input

/**
 * Checks where a URL leads before it is stored, so that an admin notices a mistake. The address is checked again with
 * every connection.
 */
async function addressErrors(given: string | undefined, network: Network): Promise<FieldError[]> {
  const error = given === undefined ? null : await addressErrorOf(new URL(given), network)
  return error ? [fieldError("url", "RULE", error, { rule: "ADDRESS" })] : []
}
