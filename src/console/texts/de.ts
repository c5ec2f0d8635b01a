// The names of days and months in the calendar.
import "dayjs/locale/de"
import { account } from "./de/account"
import { apiKeys } from "./de/api-keys"
import { audit } from "./de/audit"
import { backups } from "./de/backups"
import { common } from "./de/common"
import { company } from "./de/company"
import { connections } from "./de/connections"
import { creditNotes } from "./de/credit-notes"
import { customers } from "./de/customers"
import { dashboard } from "./de/dashboard"
import { documents } from "./de/documents"
import { eInvoice } from "./de/e-invoice"
import { fields } from "./de/fields"
import { forms } from "./de/forms"
import { imports } from "./de/imports"
import { invoices } from "./de/invoices"
import { items } from "./de/items"
import { jobs } from "./de/jobs"
import { kinds } from "./de/kinds"
import { lists } from "./de/lists"
import { menu } from "./de/menu"
import { myAccount } from "./de/my-account"
import { oauthClients } from "./de/oauth-clients"
import { orders } from "./de/orders"
import { paper } from "./de/paper"
import { parts } from "./de/parts"
import { payments } from "./de/payments"
import { pickers } from "./de/pickers"
import { problems } from "./de/problems"
import { shell } from "./de/shell"
import { stock } from "./de/stock"
import { stockCount } from "./de/stock-count"
import { taxCodes } from "./de/tax-codes"
import { timeline } from "./de/timeline"
import { users } from "./de/users"
import { values } from "./de/values"
import { webhooks } from "./de/webhooks"
import type { Texts } from "./texts"

export { errors } from "./de/errors"

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
} satisfies Texts
