import { account } from "./en/account"
import { common } from "./en/common"
import { fields } from "./en/fields"
import { forms } from "./en/forms"
import { jobs } from "./en/jobs"
import { kinds } from "./en/kinds"
import { lists } from "./en/lists"
import { menu } from "./en/menu"
import { parts } from "./en/parts"
import { problems } from "./en/problems"
import { shell } from "./en/shell"
import { values } from "./en/values"

/** The server responds in English. */
export const errors = null

export default {
  account,
  common,
  fields,
  forms,
  jobs,
  kinds,
  lists,
  menu,
  parts,
  problems,
  shell,
  values,
} as const
