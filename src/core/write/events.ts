import type { Database } from "../engine/engine"
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
  /** True for an update of figures that other records determine. */
  isFigures?: boolean
}

/** Returns a function that writes the events of a commit. */
export function feedEvents(db: Database): (writes: Tx[]) => void {
  const insert =
    "INSERT INTO events (id, type, record_id, version, changed, created_at) VALUES (?, ?, ?, ?, ?, ?)"
  return (writes) => {
    const rows = mergeWrites(writes).map(({ kind, id, type, version, changed, now }) => [
      newId("evt", now),
      `${kind}.${type}`,
      id,
      version,
      JSON.stringify(changed),
      now,
    ])
    db.engine.runEach(insert, rows)
  }
}

/**
 * Returns the events of all writes of a commit. Updates of figures are merged to the last one of each record: hundreds of
 * orders that are stored together may change the figures of the same customer.
 */
export function mergeWrites(
  writes: readonly Pick<Tx, "events" | "now">[],
): (RecordEvent & { now: string })[] {
  const merged = writes.flatMap(({ events, now }) => mergeEvents(events).map((event) => ({ ...event, now })))
  const figures = Map.groupBy(
    merged.filter(({ isFigures }) => isFigures),
    recordOf,
  )
  return merged.flatMap((event) => {
    const same = event.isFigures ? (figures.get(recordOf(event)) ?? []) : [event]
    if (event !== same.at(-1)) return []
    return same.length === 1 ? event : { ...event, changed: changedIn(same) }
  })
}

const recordOf = ({ kind, id }: RecordEvent): string => `${kind} ${id}`
const changedIn = (events: readonly RecordEvent[]): string[] => [
  ...new Set(events.flatMap(({ changed }) => changed)),
]

/**
 * Merges the events of a write: a record has one of `created`, `updated` and `deleted`, and each other event once. A
 * record that was created and deleted in the same write has none.
 */
export const mergeEvents = (events: readonly RecordEvent[]): RecordEvent[] =>
  events.length === 1 && !events[0]?.isReverse
    ? [...events]
    : [...Map.groupBy(events, recordOf).values()].flatMap(mergeRecord)

/** The first of these is the event of the write. */
const stored = ["created", "deleted", "updated"]

function mergeRecord(events: readonly RecordEvent[]): RecordEvent[] {
  const types = new Set(events.map(({ type }) => type))
  const type = stored.find((each) => types.has(each))
  if (types.has("created") && types.has("deleted")) return []
  const versions = events.flatMap((each) => each.version ?? [])
  const version = versions.length > 0 ? Math.max(...versions) : null
  const changed = type === "updated" ? changedIn(events) : []
  const isFigures = events.every((each) => each.isFigures || !stored.includes(each.type))
  const { kind, id } = events[0] as RecordEvent
  const others = [...types].filter((each) => !stored.includes(each) && happened(events, each))
  return [
    ...(type ? [{ kind, id, type, version, changed, ...(isFigures && { isFigures }) }] : []),
    ...others.map((other) => ({ kind, id, type: other, version, changed: [] })),
  ]
}

/** True when an event happened more often than its reverse. */
const happened = (events: readonly RecordEvent[], type: string): boolean =>
  events.reduce((times, each) => times + (each.type !== type ? 0 : each.isReverse ? -1 : 1), 0) > 0
