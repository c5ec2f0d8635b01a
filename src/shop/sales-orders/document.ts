import { fromUnits, priceDigits } from "../../shared/decimal"
import type { DocumentKind } from "../../trade/documents/kind"
import { lineToApi } from "../../trade/documents/model"
import { salesOrders, type OrderHead, type OrderLine } from "./model"
import { editable, nameOf, transitions } from "./rules"
import { orderLines } from "./store"

/** A sales order as a kind of document. */
export const orderDocument: DocumentKind<OrderHead, OrderLine> = {
  resource: salesOrders,
  lines: orderLines,
  lineIdPrefix: "sol",
  withOwnPart: (line, before) => ({
    ...line,
    invoicedQuantity: before?.invoicedQuantity ?? 0,
    returnedQuantity: before?.returnedQuantity ?? 0,
  }),
  ownParts: ["invoicedQuantity", "returnedQuantity"],
  lineToApi: (line, digits) => ({
    ...lineToApi(line, digits),
    invoicedQuantity: fromUnits(line.invoicedQuantity, priceDigits),
    returnedQuantity: fromUnits(line.returnedQuantity, priceDigits),
  }),
  transitions,
  editable,
  nameOf,
}
