import type { Tx } from "../core/write/writer"
import type { Caller } from "../core/caller"
import type { Envelope, Outcome } from "../office/mail/transport/deliver"
import type { Sandbox } from "../office/sandbox/service"
import type { Services } from "../services"
import type { Invoice } from "../shop/invoices/model"

/** The mail server of the demo. Nothing is sent to it: what would be sent is taken, and stays in the demo. */
export const demoMail = {
  host: "localhost",
  security: "none",
  auth: "none",
  from: "office@hafen.example",
  perMinute: 1_000,
}

const taken: Outcome = {
  result: "sent",
  step: "data",
  code: 250,
  text: "250 2.0.0 The demo keeps the message.",
  rejected: [],
  steps: [],
}

/** Returns what the demo does in place of sending. */
export const keepIn =
  (mail: Pick<Sandbox["mail"], "add">) =>
  async (_: unknown, envelope: Envelope): Promise<Outcome> => {
    mail.add(envelope)
    return taken
  }

const refused: Outcome = {
  ...taken,
  result: "refused",
  step: "recipient",
  code: 550,
  text: "550 5.1.1 The address does not exist.",
}

const lost: Outcome = {
  ...taken,
  result: "unknown",
  code: null,
  text: "The server closed the connection before its answer.",
}

/** What has become of the messages of the demo shop. */
const outcomes = [taken, taken, taken, refused, taken, lost, taken, taken]

/** Sends the last invoices with their e-invoice, which exists already. One address is wrong, and one answer was lost. */
export function sendInvoices(
  { mail, mailSending }: Services,
  tx: Tx,
  invoices: readonly Invoice[],
  caller: Caller,
): void {
  for (const [i, outcome] of outcomes.entries()) {
    const invoice = invoices.at(i - outcomes.length)
    if (!invoice) continue
    const { id } = mail.sendBy(tx, { kind: "invoices", id: invoice.id, caller }, { attach: ["xml"] })
    mailSending.settleAs(tx, id, outcome)
  }
}
