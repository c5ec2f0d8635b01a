import type { Language } from "../../shared/languages"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { Paper, PaperWords } from "../../trade/paper/model"
import type { Papers } from "../../trade/paper/routes"
import type { SalesOrder } from "./model"
import type { SalesOrderService } from "./service"

type Needs = { paper: PaperContents; salesOrders: SalesOrderService }

/** How it is called on paper. */
export const orderPaperWords = {
  en: { title: "Sales order", dateName: "Order date", revision: "Revision" },
  de: { title: "Auftragsbestätigung", dateName: "Auftragsdatum", revision: "Fassung" },
  fr: { title: "Confirmation de commande", dateName: "Date de commande", revision: "Révision" },
} satisfies PaperWords

export const orderPapers = ({ paper, salesOrders }: Needs): Papers => ({
  issued: null,
  refuses: [404],
  load: (id, language) => orderPaper(paper, salesOrders.get(id), language),
  mailed(id) {
    const { customer, status, total } = salesOrders.get(id)
    return { customer, isDraft: status === "draft", isBilling: false, balance: total }
  },
})

/** Returns an order as it is put on paper. An order stores no parties, so it shows the current ones. */
function orderPaper(
  { commonOf }: PaperContents,
  order: SalesOrder,
  language: Language | null = null,
): Loaded {
  const { common, words, ...more } = commonOf(order, orderPaperWords, language)
  const paper: Paper = {
    ...common,
    kind: "sales-order",
    number: order.orderNumber,
    mark: markOf(order),
    date: order.orderDate,
    ownDates: [
      { name: words.revision, date: null, text: order.revision > 1 ? String(order.revision) : null },
    ],
    deliveryDate: order.deliveryDate,
    paymentTerms: order.paymentTerms,
  }
  return { id: order.id, paper, isIssued: false, ...more }
}

function markOf({ status }: SalesOrder): "draft" | "cancelled" | null {
  return status === "draft" || status === "cancelled" ? status : null
}
