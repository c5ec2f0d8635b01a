import type { ReminderLevel } from "../../office/settings/reminder-levels"
import { daysLater } from "../../shared/dates"
import type { NotDue } from "./model"

/** The last reminder of an invoice. */
export type Last = { level: number; date: string }

/** An invoice as far as its reminders depend on it. The days until which they are paused count too. */
export type Reminded = {
  status: string
  balance: number
  dueDate: string
  pausedUntil: readonly (string | null)[]
  last: Last | null
}

/** The next reminder of an invoice, and the first day on which it is due. */
export type Next = { level: number; rule: ReminderLevel; from: string }

/**
 * Returns the next reminder of an invoice; null after the last level. It is due a number of days after the due date, and at
 * least as many days after the last reminder as there are between their levels.
 */
export function nextReminder(
  levels: readonly ReminderLevel[],
  { dueDate, last }: Pick<Reminded, "dueDate" | "last">,
): Next | null {
  const level = (last?.level ?? 0) + 1
  const rule = levels[level - 1]
  if (!rule) return null
  const byDueDate = daysLater(dueDate, rule.afterDays)
  if (!last) return { level, rule, from: byDueDate }
  const between = rule.afterDays - (levels[level - 2]?.afterDays ?? 0)
  const byLast = daysLater(last.date, between)
  return { level, rule, from: byLast > byDueDate ? byLast : byDueDate }
}

/** The statuses of invoices that somebody owes something of. */
const open = ["unpaid", "partially_paid"]

/** Returns why no reminder of an invoice is due today, or null if the one that is given is. */
export function whyNotDue(invoice: Reminded, next: Next | null, today: string): NotDue | null {
  if (!open.includes(invoice.status) || invoice.balance <= 0) return "NOT_OPEN"
  if (!next) return "NO_LEVEL_LEFT"
  if (invoice.pausedUntil.some((day) => day !== null && day >= today)) return "PAUSED"
  return next.from > today ? "EARLY" : null
}
