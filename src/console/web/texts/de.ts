import { account } from "./de/account"
import { common } from "./de/common"
import { problems } from "./de/problems"
import { shell } from "./de/shell"
import type { Texts } from "./texts"

export { errors } from "./de/errors"

export default { account, common, problems, shell } satisfies Texts
