import { apiKeys } from "./office/api-keys/model"
import { auditLogs, historyEntries } from "./office/audit/model"
import { customers } from "./shop/customers/model"
import { creditNotes } from "./shop/credit-notes/model"
import { invoices } from "./shop/invoices/model"
import { items } from "./shop/items/model"
import { oauthClients } from "./office/oauth/model"
import { payments } from "./shop/payments/model"
import { salesOrders } from "./shop/sales-orders/model"
import { settings } from "./office/settings/model"
import { invoicePayments } from "./trade/settlements/model"
import { stockMovements } from "./shop/stock-movements/model"
import { taxCodes } from "./shop/tax-codes/model"
import { users } from "./office/users/model"
import { webhookDeliveries, webhooks } from "./office/webhooks/model"
import type { RecordOf, Resource } from "./core/kind/define"

/**
 * All kinds of records. To add a kind, add it here: its model declares its table, rights, history, search and checks,
 * and the rest of the server reads this list.
 */
export const kinds = {
  items,
  taxCodes,
  customers,
  salesOrders,
  invoices,
  creditNotes,
  payments,
  stockMovements,
  users,
  apiKeys,
  oauthClients,
  webhooks,
  settings,
  auditLogs,
}

export const kindList: readonly Resource[] = Object.values(kinds)

/**
 * The kinds that have a schema in the API document: all kinds, the history entries that non-admins see, the payments of
 * an invoice, and the deliveries of a webhook.
 */
export const describedKinds: readonly Resource[] = [
  ...kindList,
  historyEntries,
  invoicePayments,
  webhookDeliveries,
]

type Kinds = typeof kinds

/** The names of the kinds, as in the URL. */
export type KindName = Kinds[keyof Kinds]["name"]

/** The records of each kind, by its name in the URL. */
export type RecordsByName = { [K in keyof Kinds as Kinds[K]["name"]]: RecordOf<Kinds[K]> }
