import { histogram } from "../lib/metrics/histogram"
import type { Family } from "../lib/metrics/text"
import { counter, gauge } from "../lib/metrics/text"

/** What a writer measures. Durations are in milliseconds. */
export function writeMeter() {
  const [waits, transactions, commits] = [histogram(), histogram(), histogram()]
  let failures = 0
  return {
    /** How many writes wait for a transaction. The writer sets it. */
    waiting: () => 0,
    waited: waits.count,
    /** Counts a transaction, and the part of it that the commit took. */
    committed(whole: number, commit: number): void {
      transactions.count(whole)
      commits.count(commit)
    },
    failed: (): void => void failures++,

    families(): Family[] {
      const one = (name: string, help: string, { read }: typeof waits): Family => ({
        name,
        help,
        type: "histogram",
        values: [{ value: read() }],
      })
      return [
        gauge("kontor_write_queue_length", "Writes that wait for a transaction.", this.waiting()),
        one("kontor_write_wait_seconds", "The time that a write waited before it began.", waits),
        one(
          "kontor_transaction_duration_seconds",
          "The time of a transaction with all of its writes.",
          transactions,
        ),
        one("kontor_commit_duration_seconds", "The time until a commit was on the disk.", commits),
        counter("kontor_write_failures", "Transactions that failed, so that nothing was stored.", failures),
      ]
    },
  }
}

export type WriteMeter = ReturnType<typeof writeMeter>
