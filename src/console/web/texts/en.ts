import { account } from "./en/account"
import { apiKeys } from "./en/api-keys"
import { audit } from "./en/audit"
import { backups } from "./en/backups"
import { common } from "./en/common"
import { company } from "./en/company"
import { connections } from "./en/connections"
import { customers } from "./en/customers"
import { dashboard } from "./en/dashboard"
import { fields } from "./en/fields"
import { items } from "./en/items"
import { myAccount } from "./en/my-account"
import { oauthClients } from "./en/oauth-clients"
import { parts } from "./en/parts"
import { problems } from "./en/problems"
import { shell } from "./en/shell"
import { stock } from "./en/stock"
import { users } from "./en/users"
import { values } from "./en/values"

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
  customers,
  dashboard,
  fields,
  items,
  myAccount,
  oauthClients,
  parts,
  problems,
  shell,
  stock,
  users,
  values,
} as const
