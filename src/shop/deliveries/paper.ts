import { digitsOf } from "../../shared/countries"
import type { Language } from "../../shared/languages"
import { lettersOnly } from "../../trade/paper/letter"
import type { PaperWords } from "../../trade/paper/model"
import type { Papers } from "../../trade/paper/routes"
import type { SalesOrderService } from "../sales-orders/service"
import type { DeliveryService } from "./service"

type Needs = { deliveries: DeliveryService; salesOrders: SalesOrderService }

/** How it is called on paper. */
export const deliveryPaperWords = {
  en: {
    title: "Delivery note",
    dateName: "Delivery date",
    carrier: "Carrier",
    trackingNumber: "Tracking number",
    received: "Goods received: date, signature",
  },
  de: {
    title: "Lieferschein",
    dateName: "Lieferdatum",
    carrier: "Versand mit",
    trackingNumber: "Sendungsnummer",
    received: "Ware erhalten: Datum, Unterschrift",
  },
  fr: {
    title: "Bon de livraison",
    dateName: "Date de livraison",
    carrier: "Transporteur",
    trackingNumber: "Numéro de suivi",
    received: "Marchandise reçue : date, signature",
  },
} satisfies PaperWords

/** A delivery note has no prices. It says how the goods were sent, and has a line to sign on. */
export const deliveryPapers = ({ deliveries, salesOrders }: Needs): Papers => ({
  issued: null,
  isLetter: true,
  refuses: [404],
  load: (id) => {
    const delivery = deliveries.get(id)
    const { currency } = salesOrders.load(delivery.salesOrder).head
    const { title, dateName, received, ...names } = deliveryPaperWords[delivery.language as Language]
    const paper = {
      ...lettersOnly,
      kind: "delivery",
      title,
      dateName,
      number: delivery.deliveryNumber,
      mark: delivery.status === "cancelled" ? ("cancelled" as const) : null,
      language: delivery.language as Language,
      date: delivery.deliveryDate,
      orderNumber: delivery.orderNumber,
      buyerReference: delivery.buyerReference,
      seller: delivery.seller,
      buyer: delivery.buyer,
      shippingAddress: delivery.shippingAddress,
      currency,
      digits: digitsOf(currency),
      lines: delivery.items.map(({ itemCode, itemName, description, uom, quantity }) => ({
        ...unpriced,
        itemCode,
        itemName,
        description,
        uom,
        quantity,
      })),
      handover: {
        facts: [
          { name: names.carrier, text: delivery.carrier },
          { name: names.trackingNumber, text: delivery.trackingNumber },
        ],
        received,
      },
      notes: delivery.notes,
      issuedAt: delivery.createdAt,
    }
    const values = { notes: delivery.notes, dueDate: null, unitCodes: {} }
    return { id, paper, values, isIssued: true, contacts: () => delivery }
  },
  mailed: (id) => ({ customer: deliveries.get(id).customer, isDraft: false, isBilling: false, balance: 0 }),
})

/** What a line lacks that has a price. */
const unpriced = {
  rate: 0,
  discount: 0,
  discountAmount: 0,
  amount: 0,
  grossAmount: null,
  documentDiscount: 0,
  taxCategory: null,
  taxRate: 0,
  unitCode: null,
  isAmount: false,
}
