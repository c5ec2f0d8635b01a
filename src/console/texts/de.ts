// The names of days and months in the calendar.
import "dayjs/locale/de"
import { account } from "./de/account"
import { common } from "./de/common"
import { fields } from "./de/fields"
import { forms } from "./de/forms"
import { jobs } from "./de/jobs"
import { kinds } from "./de/kinds"
import { lists } from "./de/lists"
import { menu } from "./de/menu"
import { parts } from "./de/parts"
import { problems } from "./de/problems"
import { shell } from "./de/shell"
import { values } from "./de/values"
import type { Texts } from "./texts"

export { errors } from "./de/errors"

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
} satisfies Texts
