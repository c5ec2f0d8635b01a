import type { ApiKey } from "../../api/types"
import { moment } from "../../format"

/** A key with its secret text. Only the response that creates or rotates the key contains the text. */
export type IssuedKey = ApiKey & { key?: string }

/** Returns when a key was last used, and from which IP address. */
export const lastUse = ({ lastUsedAt, lastUsedIp }: ApiKey): string =>
  lastUsedAt ? `${moment(lastUsedAt)} from ${lastUsedIp ?? "an unknown IP address"}` : "Never"
