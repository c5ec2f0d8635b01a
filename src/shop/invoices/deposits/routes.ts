import { ref } from "../../../core/http/openapi/kind-schemas"
import { created } from "../../../core/http/request/write"
import { post, type Route } from "../../../core/http/route/route"
import type { Reading } from "../../../core/kind/body"
import { salesOrders } from "../../sales-orders/model"
import { invoices } from "../model"
import type { InvoiceService } from "../service"
import { deposit, type DepositBody } from "./model"

/** The route that asks for a deposit on an order. */
export const depositRoute = (service: InvoiceService): Route =>
  post<Reading<DepositBody>>(
    "/sales-orders/:id/deposit-invoices",
    {
      may: { ...invoices.rights.write, alsoAreas: [salesOrders.name] },
      id: "requestDeposit",
      tag: invoices.name,
      summary: "Ask for a deposit on a sales order",
      description:
        "Returns an issued invoice with `invoiceType` `deposit`: of `percent` of the total of the order, or of an `amount` with tax. It is taxed in proportion to what is left of the order at each rate, moves no stock, and does not count as invoiced. Each later invoice of the order deducts what is paid of the deposits and not deducted yet, the oldest first: `deposits` lists it, and the `balance` is what is left to pay. A deposit that is not paid completely by then gives the warning `DEPOSIT_OPEN`. All deposits that are not deducted can be at most what is left to invoice, else the answer is 422 `DEPOSIT_TOO_LARGE`.",
      names: { id: "sales order" },
      body: deposit,
      answer: {
        status: 201,
        description: "The issued deposit invoice.",
        schema: ref("Invoice"),
        headers: ["ETag", "Location"],
      },
      refuses: [404],
    },
    (tx, { params: { id = "" }, body, caller }) =>
      created("/api/v1/invoices", service.requestDeposit(tx, id, body, caller)),
  )
