import { assertMay } from "../../core/caller"
import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { tryPart } from "../../core/write/write-parts"
import { type JobHandler, pacer, type RunningJob } from "../../office/jobs/handler"
import type { Job, JobCaller, JobData, JobFault } from "../../office/jobs/model"
import type { JobService } from "../../office/jobs/service"
import { insertFaults } from "../../office/jobs/store"
import { mostRecords } from "../../office/mail/model"
import type { DocumentMail } from "../../trade/mail/service"
import { reminders } from "./model"
import { assertMayRemind, type ReminderService } from "./service"
import type { Overdue } from "./store"

type Needs = { db: Database; reminders: ReminderService; mail: DocumentMail }

/** The kind of the job that makes all reminders that are due. */
export const remindersKind = "reminders"

export type RunCounts = { due: number; created: number; sent: number; failed: number }
const firstCounts: RunCounts = { due: 0, created: 0, sent: 0, failed: 0 }
export const countsOf = (state: JobData): RunCounts => ({ ...firstCounts, ...(state.counts as RunCounts) })

/** The invoices of one customer of which reminders are due. */
type Share = { customer: string; invoices: string[] }

/** Makes what is due of one customer, and sends it in one message. */
export function remindCustomer(
  { reminders: service, mail }: Pick<Needs, "reminders" | "mail">,
  tx: Tx,
  { customer, invoices }: Share,
  { send, userId, isAutomatic }: { send: boolean; userId: string | null; isAutomatic: boolean },
): Pick<RunCounts, "created" | "sent"> {
  const ids = invoices.flatMap((invoice) => service.remindIfDue(tx, invoice, userId) ?? [])
  if (!send || ids.length === 0) return { created: ids.length, sent: 0 }
  const message = mail.sendTogether(tx, {
    kind: reminders.name,
    ids,
    customer,
    createdBy: userId,
    isAutomatic,
  })
  return { created: ids.length, sent: message ? ids.length : 0 }
}

/** Finds what is due now, by customer. No share has more invoices than one message can have reminders. */
export async function sharesDue(
  service: ReminderService,
  signal: AbortSignal | null,
  isWanted: (invoice: Overdue) => boolean = () => true,
): Promise<Share[]> {
  const open = new Map<string, Share>()
  const shares: Share[] = []
  for await (const { due } of service.eachDue(null, signal))
    for (const { invoice } of due) {
      if (!isWanted(invoice)) continue
      const { customer, id } = invoice
      const share = open.get(customer)
      if (share && share.invoices.length < mostRecords) share.invoices.push(id)
      else {
        const begun = { customer, invoices: [id] }
        open.set(customer, begun)
        shares.push(begun)
      }
    }
  return shares
}

/**
 * Makes all reminders that are due. What a slice makes is not due any more, so a job that goes on after a restart makes
 * nothing twice.
 */
export const remindersJob = (the: Needs): JobHandler => ({
  kind: remindersKind,
  lane: "reminders",
  async run(running) {
    const shares = await sharesDue(the.reminders, running.signal)
    const left = shares.reduce((sum, { invoices }) => sum + invoices.length, 0)
    const before = countsOf(running.job.state)
    await running.write(() => ({
      status: "applying",
      state: { counts: { ...before, due: before.created + before.failed + left }, faultCount: before.failed },
    }))
    const pace = pacer(running.signal)
    await pace(shares, (some) => running.write((tx, caller) => remindSome(the, running, tx, caller, some)))
  },
})

function remindSome(
  the: Needs,
  { job }: RunningJob,
  tx: Tx,
  caller: Parameters<typeof assertMayRemind>[0],
  shares: readonly Share[],
) {
  assertMay(caller, reminders.rights.write)
  assertMayRemind(caller)
  const send = job.input.send === true
  const counts = countsOf(job.state)
  const faults: JobFault[] = []
  for (const share of shares) {
    const made = tryPart(the.db, tx, () =>
      remindCustomer(the, tx, share, { send, userId: caller.userId, isAutomatic: false }),
    )
    if ("refusal" in made) {
      const { code, message } = made.refusal
      counts.failed += share.invoices.length
      faults.push(
        ...share.invoices.map((record) => ({ row: null, column: null, field: null, record, code, message })),
      )
    } else {
      counts.created += made.value.created
      counts.sent += made.value.sent
    }
  }
  insertFaults(the.db, job.id, faults)
  const done = counts.created + counts.failed
  return {
    state: { counts, faultCount: counts.failed },
    progress: Math.min(99, Math.floor((100 * done) / Math.max(1, counts.due))),
  }
}

/** Starts the job. */
export const beginRun = (tx: Tx, jobs: JobService, caller: JobCaller, input: { send: boolean }): Job =>
  jobs.begin(tx, { kind: remindersKind, idPrefix: "job", caller, input })
