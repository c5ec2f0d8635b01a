import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Clock } from "../../core/lib/clock"
import type { FieldError } from "../../core/lib/refusal"
import type { tableCrud } from "../../core/store/crud"
import type { Input } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import type { Expected } from "../../core/kind/tag"
import type { EventService } from "../events/service"
import { deleteOld, endPending } from "./deliveries/store"
import { programOf, typeErrors, type Webhook, type webhooks } from "./model"
import type { Network } from "./addresses"
import { noSecret } from "./rules"
import { clearFailure, findProgram, hasSecret, saveOwner, savePosition, saveProgram } from "./store"

export type WebhookDeps = {
  db: Database
  store: TableStore<typeof webhooks>
  events: Pick<EventService, "kinds" | "latest">
  network: Network
  clock: Clock
  /** Called after each write, because there may be something to send. */
  onChange: () => void
}

/** A body that updates a webhook, and the errors of the addresses that its URL leads to. */
export type Change = { input: Input; errors: FieldError[] }

export type Crud = ReturnType<typeof tableCrud<typeof webhooks>>

/**
 * Makes the user who changes a webhook responsible for it, and the program that acts for the user. If those before have
 * lost the right, the events that have waited are sent now.
 */
export function takeOver({ db }: Pick<WebhookDeps, "db">, tx: Tx, before: Webhook, caller: Caller): void {
  const [owner, program] = [caller.userId, programOf(caller)]
  if (before.owner === owner && findProgram(db, before.id) === program) return
  saveOwner(db, before, owner, tx.now)
  saveProgram(db, before.id, program)
  // The entry tells which program it was. The ids of keys are not among the changes, because apps may read these.
  tx.audit(
    "webhooks.take-over",
    before.id,
    before.owner === owner ? {} : { owner: { from: before.owner, to: owner } },
  )
}

/** Updates a webhook. One that is activated begins at the end of the feed. */
export function update(
  deps: WebhookDeps,
  crud: Crud,
  tx: Tx,
  before: Webhook,
  { input, errors: found }: Change,
  expected: Expected,
  caller: Caller,
): Webhook {
  const { db, events, onChange } = deps
  const { id } = before
  const errors = typeErrors(input.types, events.kinds, before.types)
  if (input.url !== before.url) errors.push(...found)
  if (input.isActive === true && !before.isActive && !hasSecret(db, id)) errors.push(noSecret("isActive"))
  const after = crud.revise(tx, id, input, expected, errors)
  takeOver(deps, tx, before, caller)
  if (before.isActive && !after.isActive) {
    endPending(db, id)
    deleteOld(db, id)
  }
  if (!before.isActive && after.isActive) {
    // It may have been deactivated so shortly before that not all have ended yet.
    while (endPending(db, id)) continue
    clearFailure(db, id)
    savePosition(db, id, events.latest())
  }
  tx.afterCommit.push(onChange)
  return crud.get(id)
}
