import type { Actor, Tx, Writer } from "../../db/writer"
import { steadyMillis } from "../../lib/clock"

const minute = 60_000
const mostAddresses = 1_000
/** Where the failures of all further addresses are summed. */
const elsewhere = ""

/**
 * Failed sign-ins for the audit log: an address's first of a minute at once, the rest of that minute as one sum. So a
 * flood of guesses shows, and does not fill the file.
 */
export function failedLogins(writer: Writer) {
  const open = new Map<string, { started: number; unwritten: number }>()

  const write = (attempts: number, by: Actor) =>
    writer((tx) => void tx.auditEntries.push(entryOf(attempts)), by).catch(() => {})

  return {
    note(by: Actor): void {
      const isKnown = open.has(by.ip ?? elsewhere)
      const address = isKnown || open.size < mostAddresses ? (by.ip ?? elsewhere) : elsewhere
      const sum = open.get(address) ?? { started: steadyMillis(), unwritten: 0 }
      open.set(address, sum)
      if (isKnown || address === elsewhere) sum.unwritten++
      else void write(1, by)
    },
    /** Writes the sums of the minutes that are over, or of all at the end. */
    async flush({ all = false } = {}): Promise<void> {
      for (const [address, { started, unwritten }] of open) {
        if (!all && steadyMillis() - started < minute) continue
        open.delete(address)
        if (unwritten === 0) continue
        const ip = address === elsewhere ? null : address
        await write(unwritten, {
          type: "anonymous",
          id: null,
          name: null,
          requestId: null,
          ip,
          userAgent: null,
        })
      }
    },
  }
}

export type FailedLogins = ReturnType<typeof failedLogins>

const entryOf = (attempts: number): Tx["auditEntries"][number] => ({
  action: "auth.login",
  kind: "auth",
  outcome: "failure",
  changes: { attempts: { from: null, to: attempts } },
})
