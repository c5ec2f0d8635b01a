import { digitsOf } from "../../shared/countries"
import { fromUnits } from "../../shared/decimal"
import type { Language } from "../../shared/languages"
import { lettersOnly } from "../../trade/paper/letter"
import type { PaperWords } from "../../trade/paper/model"
import type { Papers } from "../../trade/paper/routes"
import type { InvoiceService } from "../invoices/service"
import type { ReminderService } from "./service"

type Needs = { reminders: ReminderService; invoices: InvoiceService }

/** How it is called on paper: the first one, and those after it. */
export const reminderPaperWords = {
  en: { title: "Payment reminder", next: "Reminder", dateName: "Date" },
  de: { title: "Zahlungserinnerung", next: "Mahnung", dateName: "Datum" },
  fr: { title: "Rappel de paiement", next: "Mise en demeure", dateName: "Date" },
} satisfies PaperWords

export const reminderPapers = (the: Needs): Papers => ({
  issued: null,
  isLetter: true,
  refuses: [404],
  load: (id) => {
    const reminder = the.reminders.get(id)
    const { invoiceDate, total } = the.invoices.loadHead(reminder.invoice)
    const digits = digitsOf(reminder.currency)
    const { level, balance, fee, invoiceNumber: number, dueDate } = reminder
    const words = reminderPaperWords[reminder.language as Language]
    const paper = {
      ...lettersOnly,
      kind: "reminder",
      title: level === 1 ? words.title : words.next,
      dateName: words.dateName,
      number: reminder.reminderNumber,
      language: reminder.language as Language,
      date: reminder.date,
      seller: reminder.seller,
      buyer: reminder.buyer,
      currency: reminder.currency,
      digits,
      text: reminder.message,
      claim: {
        invoice: { number, date: invoiceDate, dueDate, total: fromUnits(total, digits) },
        balance,
        fee,
      },
      total: balance + fee,
      issuedAt: reminder.createdAt,
    }
    const values = { notes: null, dueDate: null, unitCodes: {} }
    return { id, paper, values, isIssued: true, contacts: () => reminder }
  },
  mailed(id) {
    const { customer, balance, subject, message } = the.reminders.get(id)
    return { customer, isDraft: false, isBilling: true, balance, text: { subject, message } }
  },
})
