import type { Tx } from "../write/writer"
import { isBusiness, storedFields, type Resource } from "./define"

type Values = Record<string, unknown>

/** The states of a record before and after a write, in their stored form. `before` is null for a new record. */
export type Turn = { before: Values | null; after: Values; today: string }

/**
 * The events of a kind in addition to created, updated and deleted, and the condition of each; null if its service
 * notes it.
 */
export type OwnEvents = Record<string, ((turn: Turn) => boolean) | null>

/** The condition that a field gets a value. */
export const becomes =
  (field: string, value: string) =>
  ({ before, after }: Turn): boolean =>
    after[field] === value && before?.[field] !== value

export function noteCreated(tx: Tx, resource: Resource, after: Values, today: () => string): void {
  if (!isBusiness(resource)) return
  note(tx, resource, "created", after)
  noteOwn(tx, resource, null, after, today)
}

/** Notes that a record was updated. `more` are changed fields that have no column. */
export function noteUpdated(
  tx: Tx,
  resource: Resource,
  before: Values,
  after: Values,
  today: () => string,
  more: readonly string[] = [],
): void {
  if (!isBusiness(resource)) return
  note(tx, resource, "updated", after, [...changedFields(resource, before, after), ...more])
  noteOwn(tx, resource, before, after, today)
}

export function noteDeleted(tx: Tx, resource: Resource, before: Values): void {
  if (isBusiness(resource)) note(tx, resource, "deleted", before)
}

/** Notes that figures of a record have changed which other records determine. */
export function noteFigures(
  tx: Tx,
  { name }: Pick<Resource, "name">,
  { id, version }: { id: string; version: number },
  changed: readonly string[],
): void {
  tx.events.push({ kind: name, id, type: "updated", version, changed, isFigures: true })
}

function note(tx: Tx, { name }: Resource, type: string, record: Values, changed: string[] = []): void {
  const version = (record.version ?? null) as number | null
  tx.events.push({ kind: name, id: String(record.id), type, version, changed })
}

function noteOwn(
  tx: Tx,
  resource: Resource,
  before: Values | null,
  after: Values,
  today: () => string,
): void {
  if (!resource.events) return
  const turn = { before, after, today: today() }
  for (const [type, happens] of Object.entries(resource.events))
    if (happens?.(turn)) note(tx, resource, type, after)
}

/** Every update changes these. */
const always = ["version", "updatedAt"]

function changedFields(resource: Resource, before: Values, after: Values): string[] {
  const stored: string[] = []
  for (const [name] of storedFields(resource)) {
    const from = before[name] ?? null
    const to = after[name] ?? null
    if (from !== to && !always.includes(name) && !Bun.deepEquals(from, to)) stored.push(name)
  }
  const lists = Object.entries(resource.listsBySum ?? {}).filter(([, sum]) => stored.includes(sum))
  return [...stored, ...lists.map(([name]) => name)]
}
