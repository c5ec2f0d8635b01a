import type { Database } from "../../core/engine/engine"
import { findPosition, storePosition } from "../../core/engine/positions"
import type { MoneyContext } from "../../core/kind/field"
import { Refusal } from "../../core/lib/refusal"
import type { Writer } from "../../core/write/writer"
import type { Work } from "../../office/jobs/run-due"
import type { Settings } from "../../office/settings/model"
import { daysLater, endIn, later } from "../../shared/dates"
import type { DocumentMail } from "../../trade/mail/service"
import { remindCustomer, sharesDue } from "./run"
import type { ReminderService } from "./service"

type Needs = {
  db: Database
  writer: Writer
  settings: () => Settings
  moneyContext: (at?: string) => MoneyContext
  reminders: ReminderService
  mail: DocumentMail
  isMailSetUp: () => boolean
}

/** The last day on which it ran is stored under this name. */
const task = "automatic-reminders"
/** Nobody gets a reminder in the middle of the night. In milliseconds after midnight. */
const inTheMorning = 8 * 3_600_000

/** Makes and sends the reminders that are due, each morning, if the settings say so. */
export const automaticReminders = (the: Needs): Work => ({
  name: "reminders",
  nextDue() {
    const { remindersAutomatic, timeZone } = the.settings()
    if (!remindersAutomatic) return null
    const { today } = the.moneyContext()
    const last = findPosition(the.db, task)
    const day = last === null || last < today ? today : daysLater(today, 1)
    return later(endIn(timeZone, daysLater(day, -1)), inTheMorning)
  },

  async run() {
    if (the.isMailSetUp()) await remindAll(the)
    await the.writer((tx) => storePosition(the.db, task, the.moneyContext(tx.now).today))
  },
})

/** What is made of one customer is made in one transaction, so a server that was killed goes on with the others. */
async function remindAll(the: Needs): Promise<void> {
  const shares = await sharesDue(the.reminders, null, ({ email }) => email !== null)
  const made = { send: true, userId: null, isAutomatic: true }
  for (const share of shares)
    try {
      await the.writer((tx) => remindCustomer(the, tx, share, made))
    } catch (error) {
      // What cannot be made today stays due, and is on the page of reminders.
      if (!(error instanceof Refusal)) throw error
    }
}
