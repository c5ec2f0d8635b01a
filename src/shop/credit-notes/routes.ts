import { byKeyReadRoutes } from "../../core/http/route/by-key"
import { readRoutes, updateRoutes, type Money } from "../../core/http/route/kind-routes"
import { ref } from "../../core/http/openapi/kind-schemas"
import { post, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import type { Reading } from "../../core/kind/body"
import { refundBody } from "../../trade/settlements/model"
import { partRoutes } from "../../trade/settlements/routes"
import { applicationBody, credit, creditNotes, type Credit } from "./model"
import type { CreditNoteService } from "./service"

const tag = creditNotes.name
const { write } = creditNotes.rights

/** Credit notes: reading them, editing their notes, issuing them, and using what is left of them. */
export const creditNoteRoutes = (
  { creditNotes: service }: { creditNotes: CreditNoteService },
  { money }: { money: Money },
): Route[] => [
  ...readRoutes(creditNotes, service, money),
  ...byKeyReadRoutes(creditNotes, service),
  ...updateRoutes(creditNotes, service),
  post<Reading<Credit>>(
    "/invoices/:id/credit-notes",
    {
      may: write,
      id: "creditInvoice",
      tag,
      summary: "Credit an invoice, completely or in part",
      description:
        "Returns an issued credit note with its number. Without `items`, it credits all that is left of the invoice. A line has either a `quantity` or an `amount`; the amount includes tax if the prices of the invoice do. With `restock`, credited quantities come back into stock. For accountants, managers and admins.",
      names: { id: "invoice" },
      body: credit,
      answer: {
        status: 201,
        description: "The issued credit note.",
        schema: ref("CreditNote"),
        headers: ["ETag", "Location"],
      },
      refuses: [404],
    },
    (tx, { params: { id = "" }, body, caller }) =>
      created("/api/v1/credit-notes", service.credit(tx, id, body, caller)),
  ),
  ...useRoutes(service),
]

const useRoutes = (service: CreditNoteService): Route[] => [
  ...partRoutes(
    creditNotes,
    {
      part: "application",
      ids: { add: "applyCreditNote", void: "voidApplication" },
      summary: "Pay an invoice with what is left of a credit note",
      body: applicationBody,
      left: "unapplied",
    },
    { add: service.apply, void: service.removeApplication },
  ),
  ...partRoutes(
    creditNotes,
    {
      part: "refund",
      ids: { add: "refundCreditNote", void: "voidCreditNoteRefund" },
      summary: "Refund what is left of a credit note",
      description: "For accountants, managers and admins.",
      body: refundBody,
      left: "unapplied",
    },
    { add: service.refund, void: service.removeRefund },
  ),
]
