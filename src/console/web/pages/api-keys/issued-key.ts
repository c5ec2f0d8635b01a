import type { ApiKey } from "../../api/types"
import { moment } from "../../format"

/** A key with its text, which only the answer that makes it holds. */
export type IssuedKey = ApiKey & { key?: string }

/** When a key was last used, and from where. */
export const lastUse = ({ lastUsedAt, lastUsedIp }: ApiKey): string =>
  lastUsedAt ? `${moment(lastUsedAt)} from ${lastUsedIp ?? "an unknown address"}` : "Never"
