import { account } from "./en/account"
import { apiKeys } from "./en/api-keys"
import { audit } from "./en/audit"
import { common } from "./en/common"
import { company } from "./en/company"
import { connections } from "./en/connections"
import { documents } from "./en/documents"
import { fields } from "./en/fields"
import { kinds } from "./en/kinds"
import { lists } from "./en/lists"
import { menu } from "./en/menu"
import { forms } from "./en/forms"
import { myAccount } from "./en/my-account"
import { oauthClients } from "./en/oauth-clients"
import { parts } from "./en/parts"
import { pickers } from "./en/pickers"
import { problems } from "./en/problems"
import { shell } from "./en/shell"
import { timeline } from "./en/timeline"
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
  documents,
  fields,
  kinds,
  lists,
  menu,
  forms,
  myAccount,
  oauthClients,
  parts,
  pickers,
  problems,
  shell,
  timeline,
  users,
  values,
} as const
