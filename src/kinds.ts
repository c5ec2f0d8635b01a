import { apiKeys } from "./modules/api-keys/model"
import { auditLogs, historyEntries } from "./modules/audit/model"
import { customers } from "./modules/customers/model"
import { creditNotes } from "./modules/credit-notes/model"
import { invoices } from "./modules/invoices/model"
import { items } from "./modules/items/model"
import { oauthClients } from "./modules/oauth/model"
import { payments } from "./modules/payments/model"
import { salesOrders } from "./modules/sales-orders/model"
import { settings } from "./modules/settings/model"
import { invoicePayments } from "./modules/settlements/model"
import { stockMovements } from "./modules/stock-movements/model"
import { taxCodes } from "./modules/tax-codes/model"
import { users } from "./modules/users/model"
import { webhookDeliveries, webhooks } from "./modules/webhooks/model"
import type { RecordOf, Resource } from "./resource/define"

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
