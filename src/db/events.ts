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
  /** True for the reverse of an event of a kind. A write that does both in the end did neither. */
  isReverse?: boolean
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
export const mergeEvents = (events: readonly RecordEvent[]): RecordEvent[] =>
  events.length === 1 && !events[0]?.isReverse
    ? [...events]
    : [...Map.groupBy(events, ({ kind, id }) => `${kind} ${id}`).values()].flatMap(mergeRecord)

/** The first of these is the event of the write. */
const stored = ["created", "deleted", "updated"]

function mergeRecord(events: readonly RecordEvent[]): RecordEvent[] {
  const types = new Set(events.map(({ type }) => type))
  const type = stored.find((each) => types.has(each))
  if (types.has("created") && types.has("deleted")) return []
  const versions = events.flatMap((each) => each.version ?? [])
  const version = versions.length > 0 ? Math.max(...versions) : null
  const changed = type === "updated" ? [...new Set(events.flatMap((each) => each.changed))] : []
  const { kind, id } = events[0] as RecordEvent
  const others = [...types].filter((each) => !stored.includes(each) && happened(events, each))
  return [
    ...(type ? [{ kind, id, type, version, changed }] : []),
    ...others.map((other) => ({ kind, id, type: other, version, changed: [] })),
  ]
}

/** True when an event happened more often than its reverse. */
const happened = (events: readonly RecordEvent[], type: string): boolean =>
  events.reduce((times, each) => times + (each.type !== type ? 0 : each.isReverse ? -1 : 1), 0) > 0
