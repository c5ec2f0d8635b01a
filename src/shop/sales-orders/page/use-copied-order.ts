import { useQuery } from "@tanstack/react-query"
import { useSearchParams } from "wouter"
import { call } from "../../../console/api/client"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { useLineItems } from "../../../trade/page/use-line-items"

/**
 * Reads the order from which a new one is filled, if the URL names one: `?copy={id}`. Its lines have only tax codes of
 * their own: the others are taxed as their items are now, because the server does this for a new order.
 */
export function useCopiedOrder(): { id: string | null; copied: SalesOrder | null; isLoading: boolean } {
  const [params] = useSearchParams()
  const { defaultTaxCode } = useMe().company
  const id = params.get("copy")
  const order = useRecord("sales-orders", id)
  const copy = useCopy(id)
  const known = useLineItems((order.data?.items ?? []).map(({ item }) => item ?? ""))
  const items = order.data?.items.map((line, i) => {
    const usual = line.item === null ? defaultTaxCode : known.find(line.item)?.taxCode
    const { rate, discountAmount, taxCode } = copy.data?.items[i] ?? { ...line, taxCode: null }
    return { ...line, rate, discountAmount, taxCode: taxCode === usual ? null : taxCode }
  })
  return {
    id,
    // If the order is not found, the form is empty. This needs no error.
    copied: order.data && items ? { ...order.data, ...senseOf(copy.data ?? order.data), items } : null,
    isLoading: order.isLoading || copy.isLoading || known.isLoading,
  }
}

/** Asks the server how the copy would be taxed, without storing it. Only the server knows which lines have own codes. */
const useCopy = (id: string | null) =>
  useQuery({
    queryKey: ["sales-orders", id, "copy"],
    queryFn: async () => (await call<SalesOrder>("POST", `/sales-orders/${id}/duplicate?dryRun=true`)).data,
    enabled: id !== null,
    retry: false,
  })

/** A copy is net if its customer is no longer domestic. */
const senseOf = ({ pricesIncludeTax }: SalesOrder) => ({ pricesIncludeTax })
