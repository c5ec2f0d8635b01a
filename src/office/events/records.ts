import type { Caller } from "../../core/caller"
import type { Event } from "./model"

/**
 * Finds the records with these ids, as they are now. The caller has the right to read the kind, but may not see all of its
 * records. Null stands for the server itself, which sees all.
 */
export type FindRecords = (
  ids: readonly string[],
  signal: AbortSignal | null,
  caller: Caller | null,
) => Promise<{ id: string }[]>

export type EventRecords = Readonly<Record<string, FindRecords>>

/** Adds to each event its record as it is now; null if it no longer exists, or if the caller may not see it. */
export async function withRecords(
  events: readonly Event[],
  records: EventRecords,
  signal: AbortSignal | null,
  caller: Caller | null,
): Promise<Event[]> {
  const found = new Map<string, object>()
  for (const [kind, some] of Map.groupBy(events, (event) => event.kind)) {
    const ids = [...new Set(some.map(({ recordId }) => recordId))]
    for (const record of (await records[kind]?.(ids, signal, caller)) ?? []) found.set(record.id, record)
  }
  return events.map((event) => ({ ...event, record: found.get(event.recordId) ?? null }))
}
