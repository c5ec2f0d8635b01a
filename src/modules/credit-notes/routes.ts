import { byKeyReadRoutes } from "../../http/by-key"
import { readRoutes, updateRoutes, type Money } from "../../http/kind-routes"
import { ref } from "../../http/kind-schemas"
import { post, type Route } from "../../http/route"
import { created } from "../../http/write"
import type { Reading } from "../../resource/body"
import { refundBody } from "../settlements/model"
import { partRoutes } from "../settlements/routes"
import { applicationBody, credit, creditNotes, type Credit } from "./model"
import type { CreditNoteService } from "./service"

const tag = creditNotes.name
const { write } = creditNotes.rights

/** Credit notes: reading them, editing their notes, issuing them, and using what is left of them. */
export const creditNoteRoutes = (service: CreditNoteService, money: Money): Route[] => [
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
