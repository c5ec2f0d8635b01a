import { useRead } from "../api/hooks"
import type { TaxCode } from "../api/types"

const none: readonly TaxCode[] = []

/** Reads the tax codes, also the inactive ones: stored lines may have them. */
export function useTaxCodes(): readonly TaxCode[] {
  const { data } = useRead<TaxCode[]>("/tax-codes?perPage=100&sort=code&order=asc")
  // Always the same empty list: lines render again if it changes.
  return data && data.length > 0 ? data : none
}
