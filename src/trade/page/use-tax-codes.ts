import { useRead } from "../../console/api/hooks"
import type { TaxCode } from "../../console/api/types"

const none: readonly TaxCode[] = []

const useQuery = () => useRead<TaxCode[]>("/tax-codes?perPage=100&sort=code&order=asc")

/** Reads the tax codes, also the inactive ones: stored lines may have them. */
export function useTaxCodes(): readonly TaxCode[] {
  const { data } = useQuery()
  // Always the same empty list: lines render again if it changes.
  return data && data.length > 0 ? data : none
}

/** True if the shop has no tax code that a line could have; false as long as this is not known. */
export const useLacksTaxCodes = (): boolean => useQuery().data?.every(({ isActive }) => !isActive) ?? false
