import type { Language } from "../../shared/languages"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { PaperWords } from "../../trade/paper/model"
import type { Papers } from "../../trade/paper/routes"
import type { SalesOrder } from "./model"
import type { SalesOrderService } from "./service"

type Needs = { paper: PaperContents; salesOrders: SalesOrderService }

/** How it is called on paper. */
export const orderPaperWords: PaperWords = {
  en: { title: "Sales order", dateName: "Order date" },
  de: { title: "Auftragsbestätigung", dateName: "Auftragsdatum" },
  fr: { title: "Confirmation de commande", dateName: "Date de commande" },
}

export const orderPapers = ({ paper, salesOrders }: Needs): Papers => ({
  issued: null,
  refuses: [404],
  load: (id, language) => orderPaper(paper, salesOrders.get(id), language),
})

/** Returns an order as it is put on paper. An order stores no parties, so it shows the current ones. */
function orderPaper(
  { commonOf }: PaperContents,
  order: SalesOrder,
  language: Language | null = null,
): Loaded {
  const { common, values } = commonOf(order, orderPaperWords, language)
  const paper = {
    ...common,
    kind: "sales-order",
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
