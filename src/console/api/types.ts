// The types of the server. The bundle contains no server code.
import type { Static } from "@sinclair/typebox"
import type { ListMeta, Warnings } from "../../core/http/openapi/envelope-schemas"
import type { KindName, RecordsByName } from "../../kinds"
import type { Area, Role, Scope } from "../../shared/rights"
import type { Me as AnsweredMe } from "../../office/auth/model"
import type { Event as FeedEvent } from "../../office/events/model"
import type { Summary } from "../../shop/reports/model"
import type { Delivery, SendingStatus as WebhookSending } from "../../office/webhooks/model"
import type { Duplicate as CustomerDuplicate } from "../../shop/customers/model"
import type { Hit } from "../../office/search/model"
import type { ServerWarning } from "../../core/lib/warning"

export type {
  Area,
  CustomerDuplicate,
  Delivery,
  FeedEvent,
  Hit,
  Role,
  Scope,
  ServerWarning,
  Summary,
  WebhookSending,
}

/** The record type of each kind, by the name of the kind in the URL. */
export type Kinds = RecordsByName
export type Kind = KindName

/** The kinds whose records can be inactive, and have versions. */
export type ActiveKind = {
  [K in Kind]: Kinds[K] extends { id: string; version: number; isActive: boolean } ? K : never
}[Kind]

export type Item = Kinds["items"]
export type TaxCode = Kinds["tax-codes"]
export type Customer = Kinds["customers"]
export type Quotation = Kinds["quotations"]
export type SalesOrder = Kinds["sales-orders"]
export type RecurringInvoice = Kinds["recurring-invoices"]
export type OrderLine = SalesOrder["items"][number]
export type Invoice = Kinds["invoices"]
export type InvoiceLine = Invoice["items"][number]
export type InvoicePayment = Invoice["payments"][number]
export type CreditNote = Kinds["credit-notes"]
export type CreditNoteLine = CreditNote["items"][number]
export type Payment = Kinds["payments"]
export type StockMovement = Kinds["stock-movements"]
export type ApiKey = Kinds["api-keys"]
export type OAuthClient = Kinds["oauth-clients"]
export type Webhook = Kinds["webhooks"]
export type User = Kinds["users"]
export type AuditEntry = Kinds["audit-logs"]
export type Settings = Kinds["settings"]

/** The signed-in user and their rights. */
export type Me = AnsweredMe
export type Limit = Me["limits"]["minute"]

export type Warning = Static<typeof Warnings>[number]
export type Meta = Static<typeof ListMeta>
export type ApiAnswer<T> = { data: T; meta?: Meta; warnings: Warning[] }
