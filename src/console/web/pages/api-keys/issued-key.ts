import type { ApiKey } from "../../api/types"
import { moment } from "../../format"

/** A key with its text. Only the answer that makes the key has the text. */
export type IssuedKey = ApiKey & { key?: string }

/** When a key was last used, and from where. */
export const lastUse = ({ lastUsedAt, lastUsedIp }: ApiKey): string =>
  lastUsedAt ? `${moment(lastUsedAt)} from ${lastUsedIp ?? "an unknown address"}` : "Never"
