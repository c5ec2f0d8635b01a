import { account } from "./en/account"
import { apiKeys } from "./en/api-keys"
import { audit } from "./en/audit"
import { common } from "./en/common"
import { company } from "./en/company"
import { connections } from "./en/connections"
import { fields } from "./en/fields"
import { invoices } from "./en/invoices"
import { myAccount } from "./en/my-account"
import { oauthClients } from "./en/oauth-clients"
import { orders } from "./en/orders"
import { parts } from "./en/parts"
import { printPreview } from "./en/print-preview"
import { problems } from "./en/problems"
import { shell } from "./en/shell"
import { users } from "./en/users"
import { values } from "./en/values"

/** The server responds in English. */
export const errors = null

export default {
  account,
  apiKeys,
  audit,
  common,
  company,
  connections,
  fields,
  invoices,
  myAccount,
  oauthClients,
  orders,
  parts,
  printPreview,
  problems,
  shell,
  users,
  values,
} as const
