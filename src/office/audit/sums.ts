import type { Actor, AuditEntry, Writer } from "../../core/write/writer"
import { siteOf } from "../../core/http/request/address"
import { steadyMillis } from "../../core/lib/clock"

const minute = 60_000
/**
 * Unauthenticated callers can add at most this many rows per minute: `mostAtOnce` immediate entries and `mostSums`
 * sums.
 */
const mostAtOnce = 60
const mostSums = 200

type Sum = { entry: AuditEntry; by: Actor; started: number; unwritten: number }

/**
 * Writes audit entries for events that anyone can cause at any rate. The first event of a minute is written
 * immediately, the other events of that minute as one sum. So a flood is visible and does not fill the database. Events
 * are distinguished by action, code, address and, if known, caller.
 */
export function auditSums(writer: Writer) {
  const open = new Map<string, Sum>()

  let now = { started: -Infinity, written: 0 }
  const mayWriteNow = (): boolean => {
    if (steadyMillis() - now.started >= minute) now = { started: steadyMillis(), written: 0 }
    return now.written++ < mostAtOnce
  }

  const write = (entry: AuditEntry, attempts: number, by: Actor) =>
    writer((tx) => void tx.auditEntries.push(counted(entry, attempts)), by).catch(() => {})

  return {
    note(entry: AuditEntry, by: Actor): void {
      const key = keyOf(entry, by)
      const known = open.get(key)
      if (known) {
        known.unwritten++
        return
      }
      if (open.size < mostSums) {
        const isImmediate = mayWriteNow()
        open.set(key, { entry, by, started: steadyMillis(), unwritten: isImmediate ? 0 : 1 })
        if (isImmediate) void write(entry, 1, by)
        return
      }
      // When there are too many sums, further events are counted by action and code only.
      const shared = keyOf(entry, nobody)
      const sum = open.get(shared) ?? { entry, by: nobody, started: steadyMillis(), unwritten: 0 }
      sum.unwritten++
      open.set(shared, sum)
    },

    /** Writes the sums of past minutes, or all sums at shutdown. */
    async flush({ all = false } = {}): Promise<void> {
      for (const [key, { entry, by, started, unwritten }] of open) {
        if (!all && steadyMillis() - started < minute) continue
        open.delete(key)
        if (unwritten > 0)
          await write(withoutRequest(entry), unwritten, { ...by, requestId: null, userAgent: null })
      }
    },
  }
}

export type AuditSums = ReturnType<typeof auditSums>

const nobody: Actor = { type: "anonymous", id: null, name: null, requestId: null, ip: null, userAgent: null }

/** Returns the key of a sum. It contains the site, because one IPv6 client can use any address of its /48. */
const keyOf = ({ action, changes }: AuditEntry, { ip, id }: Actor): string =>
  JSON.stringify([action, changes.code?.to, ip === null ? null : (siteOf(ip) ?? ip), id])

const counted = (entry: AuditEntry, attempts: number): AuditEntry => ({
  ...entry,
  changes: { ...entry.changes, attempts: { from: null, to: attempts } },
})

/** Removes the request from an entry, because a sum covers many requests. */
function withoutRequest({ changes, ...entry }: AuditEntry): AuditEntry {
  const { request: _, ...rest } = changes
  return { ...entry, changes: rest }
}
