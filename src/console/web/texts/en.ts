import { account } from "./en/account"
import { common } from "./en/common"
import { problems } from "./en/problems"
import { shell } from "./en/shell"

/** The server responds in English. */
export const errors = null

export default { account, common, problems, shell } as const
