import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { ref } from "../../core/http/openapi/kind-schemas"
import { checked, post, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import { emptyBody, type Reading } from "../../core/kind/body"
import { statusRoute } from "../../trade/documents/status"
import { billing, type Billing } from "./invoices"
import { invoices } from "./model"
import { transitions } from "./rules"
import type { InvoiceService } from "./service"
import { depositRoute } from "./deposits/routes"
import { writeOffRoutes } from "./write-offs/routes"

const tag = "invoices"

/** Invoices: the common routes, invoicing an order, and status changes. */
export const invoiceRoutes = (
  { invoices: service }: { invoices: InvoiceService },
  deps: BusinessDeps,
): Route[] => [
  ...businessRoutes(invoices, service, deps),
  ...writeOffRoutes(service.writeOffs, deps),
  depositRoute(service),
  post<Reading<Billing>>(
    "/invoices/from-order",
    {
      may: { ...invoices.rights.write, alsoAreas: ["sales-orders"] },
      id: "createInvoiceFromOrder",
      tag,
      summary: "Invoice a sales order, completely or in part",
      description:
        "Returns an issued invoice with its number. Without `items`, the invoice contains everything in the order that is not invoiced yet.",
      body: billing,
      answer: {
        status: 201,
        description: "The issued invoice.",
        schema: ref("Invoice"),
        headers: ["ETag", "Location"],
      },
    },
    (tx, { body, caller }) => created("/api/v1/invoices", service.fromOrder(tx, body, caller)),
  ),
  post(
    "/invoices/:id/duplicate",
    {
      may: invoices.rights.write,
      id: "duplicateInvoice",
      tag,
      summary: "Copy an invoice to a new draft",
      description:
        "Copies an invoice in any status, with today's data of the customer, the date of today, and without its order. One of another system cannot be copied.",
      names: { id: "invoice" },
      body: checked(emptyBody),
      answer: {
        status: 201,
        description: "The new draft.",
        schema: ref("Invoice"),
        headers: ["ETag", "Location"],
      },
      refuses: [404],
    },
    (tx, { params, caller }) => created("/api/v1/invoices", service.duplicate(tx, params.id ?? "", caller)),
  ),
  statusRoute(invoices, service, {
    transitions,
    summary: "Issue or cancel an invoice",
    about:
      "An invoice with payments allows none of them: delete the payments first. The same is true of write-offs. Payments change the status between unpaid, partially_paid and paid.",
    example: "cancelled",
    issues: true,
  }),
]
