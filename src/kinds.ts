import { setSearchedTables } from "./core/engine/schema/search-tables"
import { setNumberFields } from "./core/http/request/write-only"
import type { Numbered, RecordOf, Resource } from "./core/kind/define"
import { setReferredKinds } from "./core/kind/references"
import type { GeneralCode, OwnRefusal } from "./core/lib/refusal"
import { apiKeys } from "./office/api-keys/model"
import { auditLogs, historyEntries } from "./office/audit/model"
import { messages } from "./office/mail/model"
import type { Import as ImportOf } from "./office/imports/model"
import { oauthClients } from "./office/oauth/model"
import { settingsKind } from "./office/settings/model"
import { numberedOf, type NumberedKinds } from "./office/settings/number-fields"
import { users } from "./office/users/model"
import { views } from "./office/views/model"
import { webhookDeliveries, webhooks } from "./office/webhooks/model"
import { creditNotes } from "./shop/credit-notes/model"
import { creditNotePapers } from "./shop/credit-notes/paper"
import { creditNoteRoutes } from "./shop/credit-notes/routes"
import { creditNoteService } from "./shop/credit-notes/service"
import { customerImport } from "./shop/customers/import"
import { customers } from "./shop/customers/model"
import { customerRoutes } from "./shop/customers/routes"
import { customerService } from "./shop/customers/service"
import { deliveries } from "./shop/deliveries/model"
import { deliveryPapers } from "./shop/deliveries/paper"
import { deliveryRoutes } from "./shop/deliveries/routes"
import { deliveryService } from "./shop/deliveries/service"
import { openingInvoiceImport } from "./shop/invoices/opening/import"
import { invoices } from "./shop/invoices/model"
import { invoicePapers } from "./shop/invoices/paper"
import { invoiceRoutes } from "./shop/invoices/routes"
import { invoiceService } from "./shop/invoices/service"
import { itemImport } from "./shop/items/import"
import { items } from "./shop/items/model"
import { itemService } from "./shop/items/service"
import { payments } from "./shop/payments/model"
import { paymentRoutes } from "./shop/payments/routes"
import { paymentService } from "./shop/payments/service"
import { quotations } from "./shop/quotations/model"
import { quotationPapers } from "./shop/quotations/paper"
import { quotationRoutes } from "./shop/quotations/routes"
import { quotationService } from "./shop/quotations/service"
import { recurringInvoices } from "./shop/recurring-invoices/model"
import { recurringInvoiceRoutes } from "./shop/recurring-invoices/routes"
import { recurringInvoiceService } from "./shop/recurring-invoices/service"
import { reminders } from "./shop/reminders/model"
import { reminderPapers } from "./shop/reminders/paper"
import { reminderRoutes } from "./shop/reminders/routes"
import { reminderService } from "./shop/reminders/service"
import { salesOrders } from "./shop/sales-orders/model"
import { orderPapers } from "./shop/sales-orders/paper"
import { salesOrderRoutes } from "./shop/sales-orders/routes"
import { salesOrderService } from "./shop/sales-orders/service"
import { statementMail } from "./shop/statements/model"
import { stockCountImport } from "./shop/stock-movements/import"
import { stockMovements } from "./shop/stock-movements/model"
import { stockMovementRoutes } from "./shop/stock-movements/routes"
import { stockMovementService } from "./shop/stock-movements/service"
import { taxCodes } from "./shop/tax-codes/model"
import { taxCodeService } from "./shop/tax-codes/service"
import { tradeRefusals } from "./trade/documents/model"
import { invoicePayments, writeOffs } from "./trade/settlements/model"

/**
 * The kinds of the business. To add a kind, add it here: `plain(suppliers)` if it is one table, else with its service.
 * `routes` are those of a kind that has others than the common ones, `papers` puts documents on paper, and `imports` are
 * the files that can be imported. Each of these functions gets all services, and declares those that it needs.
 */
export const shop = {
  items: { kind: items, service: itemService, imports: { items: itemImport } },
  taxCodes: { kind: taxCodes, service: taxCodeService },
  customers: {
    kind: customers,
    service: customerService,
    routes: customerRoutes,
    imports: { customers: customerImport },
  },
  quotations: {
    kind: quotations,
    service: quotationService,
    routes: quotationRoutes,
    papers: quotationPapers,
  },
  salesOrders: {
    kind: salesOrders,
    service: salesOrderService,
    routes: salesOrderRoutes,
    papers: orderPapers,
  },
  deliveries: {
    kind: deliveries,
    service: deliveryService,
    routes: deliveryRoutes,
    papers: deliveryPapers,
  },
  invoices: {
    kind: invoices,
    service: invoiceService,
    routes: invoiceRoutes,
    papers: invoicePapers,
    imports: { "opening-invoices": openingInvoiceImport },
  },
  creditNotes: {
    kind: creditNotes,
    service: creditNoteService,
    routes: creditNoteRoutes,
    papers: creditNotePapers,
  },
  reminders: {
    kind: reminders,
    service: reminderService,
    routes: reminderRoutes,
    papers: reminderPapers,
  },
  recurringInvoices: {
    kind: recurringInvoices,
    service: recurringInvoiceService,
    routes: recurringInvoiceRoutes,
  },
  payments: { kind: payments, service: paymentService, routes: paymentRoutes },
  stockMovements: {
    kind: stockMovements,
    service: stockMovementService,
    routes: stockMovementRoutes,
    imports: { "stock-counts": stockCountImport },
  },
}

type Shop = typeof shop
const shopKinds = Object.fromEntries(Object.entries(shop).map(([key, { kind }]) => [key, kind])) as {
  [K in keyof Shop]: Shop[K]["kind"]
}

/** The kinds with numbers. The settings have a number format for each. */
type NumberedKey = {
  [K in keyof Shop]: [NonNullable<Shop[K]["kind"]["numbers"]>] extends [never] ? never : K
}[keyof Shop]
const numbered = numberedOf(Object.values(shopKinds)) as NumberedKinds<NumberedKey>

/** What is sent by mail and is no kind of record. */
export const letters = [statementMail]

/** All kinds of records. The rest of the server reads this list. */
export const kinds = {
  ...shopKinds,
  messages,
  users,
  apiKeys,
  oauthClients,
  webhooks,
  views,
  settings: settingsKind(numbered, Object.values(shopKinds), letters),
  auditLogs,
}

export const kindList: readonly Resource[] = Object.values(kinds)

setReferredKinds(Object.values(shopKinds))
setNumberFields(Object.values<Numbered>(numbered).map(({ numbers }) => numbers.field))
setSearchedTables(kindList.filter(({ search }) => search.length > 0).map(({ table }) => table))

/**
 * The kinds that have a schema in the API document: all kinds, the history entries that non-admins see, the payments and
 * the write-offs of an invoice, and the deliveries of a webhook.
 */
export const describedKinds: readonly Resource[] = [
  ...kindList,
  historyEntries,
  invoicePayments,
  writeOffs,
  webhookDeliveries,
]

/** The refusals that kinds and trade declare, in the order of the API document. */
export const ownRefusals: readonly OwnRefusal[] = [
  ...kindList.flatMap(({ refusals = {} }) => Object.values(refusals)),
  ...Object.values(tradeRefusals),
]

/** Every error code. */
export type RefusalCode =
  | GeneralCode
  | keyof typeof tradeRefusals
  | keyof typeof messages.refusals
  | keyof typeof users.refusals
  | { [K in keyof Shop]: keyof NonNullable<Shop[K]["kind"]["refusals"]> }[keyof Shop]

type Imports<F> = F extends { imports: infer I } ? keyof I & string : never
/** An import, with the names of all kinds of import. */
export type Import = ImportOf<{ [K in keyof Shop]: Imports<Shop[K]> }[keyof Shop]>

type Kinds = typeof kinds

/** The fields that a kind names itself. */
export type OwnField = {
  [K in keyof Kinds]: keyof NonNullable<NonNullable<Kinds[K]["names"]>["en"]["fields"]>
}[keyof Kinds]

/** The names of the kinds, as in the URL. */
export type KindName = Kinds[keyof Kinds]["name"]

/** The records of each kind, by its name in the URL. */
export type RecordsByName = { [K in keyof Kinds as Kinds[K]["name"]]: RecordOf<Kinds[K]> }
