import type { MailText } from "../../core/kind/define"
import type { Settings } from "../../office/settings/model"
import { sellerOf } from "../../office/settings/seller"
import type { Language } from "../../shared/languages"
import { filledIn, longestMessage, longestSubject, type Placeholder, withoutLink } from "../../shared/mail"
import type { Buyer } from "../documents/parties"
import { formatsOf } from "../paper/contents"

/** What the placeholders of a text stand for, in plain numbers. */
export type Named = {
  language: Language
  currency: string
  company: string
  buyer: Pick<Buyer, "name" | "contactName">
  number: string | null
  dueDate: string | null
  total: number
  balance: number
  /** True if `{link}` stays in the message, until the link is made when it is sent. */
  hasLink?: boolean
}

/** How the company is called in texts. */
export const companyOf = (settings: Settings): string =>
  sellerOf(settings).legalName ?? settings.smtp?.fromName ?? settings.smtp?.from ?? ""

/** Fills in a text. A name in it can make it longer than a text may be, so it is cut. */
export function textsFor(text: MailText, named: Named): MailText {
  const { buyer, number, dueDate, company } = named
  const { money, date } = formatsOf(named.language, named.currency)
  const values: Record<Placeholder, string> = {
    number: number ?? "",
    company,
    customer: buyer.name,
    contact: buyer.contactName ?? buyer.name,
    total: money(named.total),
    balance: money(named.balance),
    dueDate: dueDate === null ? "" : date(dueDate),
  }
  return {
    subject: cut(filledIn(text.subject, values).replace(/\s+/g, " ").trim(), longestSubject),
    message: cut(filledIn(named.hasLink ? text.message : withoutLink(text.message), values), longestMessage),
  }
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : [...text].slice(0, max).join("").toWellFormed()
