import type { ApiKey } from "../../../console/api/types"
import { moment } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

/** A key with its secret text. Only the response that creates or rotates the key contains the text. */
export type IssuedKey = ApiKey & { key?: string }

/** Returns when a key was last used, and from which IP address. */
export function lastUse({ lastUsedAt, lastUsedIp: ip }: ApiKey): string {
  if (lastUsedAt === null) return common(($) => $.common.never)
  const time = moment(lastUsedAt)
  return ip === null ? t(($) => $.usedFromUnknown, { time }) : t(($) => $.usedFrom, { time, ip })
}
