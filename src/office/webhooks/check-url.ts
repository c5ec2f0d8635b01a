import { fieldError, type FieldError } from "../../core/lib/refusal"
import { errorOfAddresses, hostOf, knownAddress } from "./addresses"
import type { Network } from "./request"

/** The longest time to resolve a name before a webhook is stored, in milliseconds. */
const longestLookup = 3_000

/**
 * Checks where a URL leads before it is stored, so that an admin notices a mistake. A name that cannot be resolved now
 * is accepted. The address is checked again with every connection.
 */
export async function addressErrors(
  given: string | undefined,
  { resolve, allowed }: Network,
): Promise<FieldError[]> {
  if (given === undefined) return []
  const url = new URL(given)
  const late = new Promise<string[]>((end) => void setTimeout(() => end([]), longestLookup).unref())
  const resolved = await Promise.race([resolve(hostOf(url)).catch(() => []), late])
  const known = knownAddress(hostOf(url))
  const error = errorOfAddresses(url, known === null ? resolved : [known, ...resolved], allowed)
  return error ? [fieldError("url", "RULE", error, { rule: "ADDRESS" })] : []
}
