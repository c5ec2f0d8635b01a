import type { Database } from "bun:sqlite"
import { newId } from "../lib/id"
import type { Tx } from "./writer"

/**
 * What happened to a record: `created`, `updated` or `deleted`, or an event of its kind such as `issued`. `changed` are
 * the fields that an update changed.
 */
export type RecordEvent = {
  kind: string
  id: string
  type: string
  version: number | null
  changed: readonly string[]
}

/** Returns a function that writes the events of a commit. */
export function feedEvents(db: Database): (writes: Tx[]) => void {
  const insert =
    "INSERT INTO events (id, type, record_id, version, changed, created_at) VALUES (?, ?, ?, ?, ?, ?)"
  return (writes) => {
    for (const { events, now } of writes)
      for (const { kind, id, type, version, changed } of mergeEvents(events))
        db.query(insert).run(newId("evt", now), `${kind}.${type}`, id, version, JSON.stringify(changed), now)
  }
}

/**
 * Merges the events of a write: a record has one of `created`, `updated` and `deleted`, and each other event once. A
 * record that was created and deleted in the same write has none.
 */
export function mergeEvents(events: readonly RecordEvent[]): RecordEvent[] {
  if (events.length < 2) return [...events]
  return [...Map.groupBy(events, ({ kind, id }) => `${kind} ${id}`).values()].flatMap(mergeRecord)
}

const stored = ["created", "updated", "deleted"]

function mergeRecord(events: readonly RecordEvent[]): RecordEvent[] {
  const [first] = events
  if (!first || events.length === 1) return [...events]
  const types = new Set(events.map(({ type }) => type))
  const [isNew, isGone] = [types.has("created"), types.has("deleted")]
  if (isNew && isGone) return []
  const { kind, id } = first
  const versions = events.flatMap((each) => each.version ?? [])
  const version = versions.length > 0 ? Math.max(...versions) : null
  const type = isNew ? "created" : isGone ? "deleted" : "updated"
  const changed = type === "updated" ? [...new Set(events.flatMap((each) => each.changed))] : []
  const others = [...types].filter((each) => !stored.includes(each))
  return [
    { kind, id, type, version, changed },
    ...others.map((other) => ({ kind, id, type: other, version, changed: [] })),
  ]
}
