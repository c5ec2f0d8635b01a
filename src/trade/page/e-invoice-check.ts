import { useMay, useRead } from "../../console/api/hooks"
import type { Settings } from "../../console/api/types"
import type { Missing } from "./e-invoice-words"

export type CheckedKind = "invoices" | "credit-notes"
export type Check = { valid: boolean; missing: (Missing & { rule: string; message: string })[] }

type Profile = "en16931" | "xrechnung"

/** The path of the check of a document by the rules of a profile. */
export const checkPath = (kind: CheckedKind, id: string, profile: Profile = "en16931"): string =>
  `/${kind}/${id}/e-invoice?profile=${profile}`

/** Reads the check of a document. */
export const useCheck = (kind: CheckedKind, id: string, profile: Profile): Check | undefined =>
  useRead<Check>(checkPath(kind, id, profile)).data

/** What decides whether a document is checked for XRechnung. */
export type Origin = {
  /** The company on an issued document; null on a draft. */
  seller: { address: { country: string | null } | null } | null
  buyerReference: string | null
}

/**
 * True if a document can be meant for XRechnung: a German company issues it, or it has a buyer reference. Only admins may
 * read the country of the company as long as the document is a draft.
 */
export function useIsForXrechnung({ seller, buyerReference }: Origin): boolean {
  const isAdmin = useMay()("administration", "admin")
  const { data } = useRead<Settings>("/settings", seller === null && isAdmin)
  const { address } = seller ?? data ?? { address: null }
  return address?.country === "DE" || buyerReference !== null
}
