import { useQuery } from "@tanstack/react-query"
import { useSearchParams } from "wouter"
import { call } from "../../../console/api/client"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { useLineItems } from "../lines/use-line-items"
import type { DocumentKind } from "../use-steps"
import type { Draft } from "./use-draft"

/**
 * Reads the document from which a new one is filled, if the URL names one: `?copy={id}`. Its lines have only tax codes of
 * their own: the others are taxed as their items are now, because the server does this for a new document.
 */
export function useCopied<K extends DocumentKind>(
  kind: K,
): { id: string | null; copied: Kinds[K] | null; isLoading: boolean } {
  const [params] = useSearchParams()
  const { defaultTaxCode } = useMe().company
  const id = params.get("copy")
  const document = useRecord<K>(kind, id)
  const copy = useCopy(kind, id)
  const lines: Draft["items"] = document.data?.items ?? []
  const known = useLineItems(lines.map(({ item }) => item ?? ""))
  const items = lines.map((line, i) => {
    const usual = line.item === null ? defaultTaxCode : known.find(line.item)?.taxCode
    const { rate, discountAmount, taxCode } = copy.data?.items[i] ?? { ...line, taxCode: null }
    return { ...line, rate, discountAmount, taxCode: taxCode === usual ? null : taxCode }
  })
  return {
    id,
    // If the document is not found, the form is empty. This needs no error.
    copied: document.data
      ? ({ ...document.data, ...senseOf(copy.data ?? document.data), items } as Kinds[K])
      : null,
    isLoading: document.isLoading || copy.isLoading || known.isLoading,
  }
}

/** Asks the server how the copy would be taxed, without storing it. Only the server knows which lines have own codes. */
const useCopy = (kind: DocumentKind, id: string | null) =>
  useQuery({
    queryKey: [kind, id, "copy"],
    queryFn: async () => (await call<Draft>("POST", `/${kind}/${id}/duplicate?dryRun=true`)).data,
    enabled: id !== null,
    retry: false,
  })

/** A copy is net if its customer is no longer domestic, and so is its discount. */
const senseOf = ({ pricesIncludeTax, discount, discountAmount, isDiscountAmount }: Draft) => ({
  pricesIncludeTax,
  discount,
  discountAmount,
  isDiscountAmount,
})
