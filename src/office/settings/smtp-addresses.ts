import { isObject } from "../../core/kind/object"
import type { Input } from "../../core/kind/read"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { addressErrorOf, addressesNow, isPublic, type Network } from "../webhooks/addresses"
import { signInWithField } from "./sign-in-with"
import { type Smtp, smtpField } from "./smtp-field"

/** Why a server may not be used without encryption. */
export const plainError =
  "must be tls or starttls, because the host is not on this machine or in a private network"

/** True for a server to which passwords and mail may go without encryption: all its addresses are private. */
export const mayBePlain = (addresses: readonly string[]): boolean => !addresses.some(isPublic)

/**
 * Checks where the host and the URL of the tokens lead before they are stored, so that an admin notices a mistake. A name
 * that cannot be resolved now is accepted. The addresses are checked again with every connection.
 */
export async function smtpErrors(input: Input, stored: Smtp | null, network: Network): Promise<FieldError[]> {
  if (!isObject(input.smtp)) return []
  // What is wrong with its parts is told when it is stored.
  const smtp = smtpField().read(input.smtp, "smtp", [], "update", stored ?? undefined)
  if (!smtp) return []
  const { host, security, oauth } = smtp
  const errors: FieldError[] = []
  if (host !== null && security === "none" && !mayBePlain(await addressesNow(host, network.resolve)))
    errors.push(fieldError("smtp.security", "RULE", plainError, { rule: "NOT_ENCRYPTED" }))
  if (oauth.tokenUrl !== null && oauth.tokenUrl !== stored?.oauth.tokenUrl) {
    const error = await addressErrorOf(new URL(oauth.tokenUrl), network)
    if (error) errors.push(fieldError("smtp.oauth.tokenUrl", "RULE", error, { rule: "ADDRESS" }))
  }
  return errors
}

/** The same for the providers with which people sign in. */
export async function providerErrors(input: Input, network: Network): Promise<FieldError[]> {
  const providers = signInWithField().read(input.signInWith, "signInWith", [], "update") ?? []
  const found = await Promise.all(providers.map(({ issuer }) => addressErrorOf(new URL(issuer), network)))
  return found.flatMap((error, i) =>
    error ? [fieldError(`signInWith[${i}].issuer`, "RULE", error, { rule: "ADDRESS" })] : [],
  )
}
