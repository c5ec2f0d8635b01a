import { account } from "./de/account"
import { apiKeys } from "./de/api-keys"
import { audit } from "./de/audit"
import { common } from "./de/common"
import { company } from "./de/company"
import { connections } from "./de/connections"
import { fields } from "./de/fields"
import { invoices } from "./de/invoices"
import { myAccount } from "./de/my-account"
import { oauthClients } from "./de/oauth-clients"
import { orders } from "./de/orders"
import { parts } from "./de/parts"
import { printPreview } from "./de/print-preview"
import { problems } from "./de/problems"
import { shell } from "./de/shell"
import { users } from "./de/users"
import { values } from "./de/values"
import type { Texts } from "./texts"

export { errors } from "./de/errors"

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
} satisfies Texts
