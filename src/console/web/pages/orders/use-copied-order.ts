import { useSearchParams } from "wouter"
import { useRecord } from "../../api/hooks"
import type { SalesOrder } from "../../api/types"
import { useLineItems } from "../../documents/use-line-items"

/**
 * Reads the order from which a new one is filled, if the URL names one: `?copy={id}`. Its lines have the tax rates that
 * their items have now, because the server uses these for a new order.
 */
export function useCopiedOrder(): { id: string | null; copied: SalesOrder | null; isLoading: boolean } {
  const [params] = useSearchParams()
  const id = params.get("copy")
  const order = useRecord("sales-orders", id)
  const known = useLineItems((order.data?.items ?? []).map(({ item }) => item))
  const items = order.data?.items.map((line) => ({
    ...line,
    taxRate: known.find(line.item)?.taxRate ?? line.taxRate,
  }))
  return {
    id,
    // If the order is not found, the form is empty. This needs no error.
    copied: order.data && items ? { ...order.data, items } : null,
    isLoading: order.isLoading || known.isLoading,
  }
}
