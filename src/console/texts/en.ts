import { account } from "./en/account"
import { apiKeys } from "./en/api-keys"
import { audit } from "./en/audit"
import { backups } from "./en/backups"
import { common } from "./en/common"
import { company } from "./en/company"
import { connections } from "./en/connections"
import { creditNotes } from "./en/credit-notes"
import { customers } from "./en/customers"
import { dashboard } from "./en/dashboard"
import { documents } from "./en/documents"
import { eInvoice } from "./en/e-invoice"
import { fields } from "./en/fields"
import { forms } from "./en/forms"
import { imports } from "./en/imports"
import { invoices } from "./en/invoices"
import { items } from "./en/items"
import { jobs } from "./en/jobs"
import { kinds } from "./en/kinds"
import { lists } from "./en/lists"
import { menu } from "./en/menu"
import { myAccount } from "./en/my-account"
import { oauthClients } from "./en/oauth-clients"
import { orders } from "./en/orders"
import { paper } from "./en/paper"
import { parts } from "./en/parts"
import { payments } from "./en/payments"
import { pickers } from "./en/pickers"
import { problems } from "./en/problems"
import { shell } from "./en/shell"
import { stock } from "./en/stock"
import { stockCount } from "./en/stock-count"
import { taxCodes } from "./en/tax-codes"
import { timeline } from "./en/timeline"
import { users } from "./en/users"
import { values } from "./en/values"
import { webhooks } from "./en/webhooks"

/** The server responds in English. */
export const errors = null

export default {
  account,
  apiKeys,
  audit,
  backups,
  common,
  company,
  connections,
  creditNotes,
  customers,
  dashboard,
  documents,
  eInvoice,
  fields,
  forms,
  imports,
  invoices,
  items,
  jobs,
  kinds,
  lists,
  menu,
  myAccount,
  oauthClients,
  orders,
  paper,
  parts,
  payments,
  pickers,
  problems,
  shell,
  stock,
  stockCount,
  taxCodes,
  timeline,
  users,
  values,
  webhooks,
} as const
