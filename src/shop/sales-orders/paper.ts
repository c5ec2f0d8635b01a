import type { Language } from "../../shared/languages"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { SalesOrder } from "./model"

/** Returns an order as it is put on paper. An order stores no parties, so it shows the current ones. */
export function orderPaper(
  { commonOf }: PaperContents,
  order: SalesOrder,
  language: Language | null = null,
): Loaded {
  const { common, values } = commonOf(order, language)
  const paper = {
    ...common,
    kind: "sales-order" as const,
    number: order.orderNumber,
    mark: markOf(order),
    date: order.orderDate,
    supplyDate: null,
    deliveryDate: order.deliveryDate,
    paymentTerms: order.paymentTerms,
    orderNumber: null,
    corrects: null,
    issuedAt: null,
  }
  return { id: order.id, paper, values, isIssued: false }
}

function markOf({ status }: SalesOrder): "draft" | "cancelled" | null {
  return status === "draft" || status === "cancelled" ? status : null
}
