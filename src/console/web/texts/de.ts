import { account } from "./de/account"
import { apiKeys } from "./de/api-keys"
import { audit } from "./de/audit"
import { common } from "./de/common"
import { company } from "./de/company"
import { connections } from "./de/connections"
import { documents } from "./de/documents"
import { fields } from "./de/fields"
import { kinds } from "./de/kinds"
import { lists } from "./de/lists"
import { menu } from "./de/menu"
import { forms } from "./de/forms"
import { myAccount } from "./de/my-account"
import { oauthClients } from "./de/oauth-clients"
import { parts } from "./de/parts"
import { pickers } from "./de/pickers"
import { problems } from "./de/problems"
import { shell } from "./de/shell"
import { timeline } from "./de/timeline"
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
} satisfies Texts
