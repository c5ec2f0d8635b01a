import type { Database } from "../core/engine/engine"
import type { MoneyContext } from "../core/kind/field"
import type { Settings } from "../office/settings/model"
import type { InvoiceService } from "../shop/invoices/service"
import { makeRecurring } from "../shop/recurring-invoices/make"
import { automaticReminders } from "../shop/reminders/automatic"
import type { JobService } from "../office/jobs/service"
import type { MailSending } from "../office/mail/sending"
import { findNextDue as findNextMessage } from "../office/mail/store"
import { findNextDue as findNextDelivery } from "../office/webhooks/deliveries/store"
import type { WebhookSending } from "../office/webhooks/sending"
import type { Work } from "../office/jobs/run-due"

type Given = "settings" | "moneyContext" | "isMailSetUp" | "isPaused" | "invoices"
type Needs = Omit<Parameters<typeof automaticReminders>[0] & Parameters<typeof makeRecurring>[0], Given> & {
  db: Database
  settings: { get: () => Settings; moneyContext: (at?: string) => MoneyContext }
  invoices: InvoiceService
  markOverdue: () => Promise<void>
  jobs: Pick<JobService, "runner">
  mailSending: Pick<MailSending, "sender" | "isSetUp" | "isPaused">
  webhookSending: Pick<WebhookSending, "sender">
}

/**
 * Everything that runs by business time. Of what is due at the same time, the first one here runs first: documents, and
 * then what tells others of them.
 */
export const worksOf = ({
  db,
  invoices,
  markOverdue,
  jobs,
  mailSending,
  webhookSending,
  settings,
  ...more
}: Needs): readonly Work[] => [
  { name: "overdue", nextDue: invoices.nextOverdue, run: markOverdue },
  makeRecurring({
    ...more,
    db,
    invoices,
    settings: settings.get,
    moneyContext: settings.moneyContext,
    isPaused: mailSending.isPaused,
  }),
  automaticReminders({
    ...more,
    db,
    settings: settings.get,
    moneyContext: settings.moneyContext,
    isMailSetUp: mailSending.isSetUp,
  }),
  { name: "jobs", nextDue: jobs.runner.nextDue, run: jobs.runner.settle, begin: jobs.runner.wake },
  {
    name: "mail",
    nextDue: () => findNextMessage(db),
    run: async () => mailSending.sender.wake(),
  },
  {
    name: "webhooks",
    nextDue: () => findNextDelivery(db),
    run: async () => webhookSending.sender.wake(),
  },
]
