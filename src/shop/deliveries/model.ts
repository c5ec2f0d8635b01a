import { Type } from "@sinclair/typebox"
import { address as addressFields } from "../../core/kind/address"
import { body, type BodyOf } from "../../core/kind/body"
import { defineResource, type RecordOf } from "../../core/kind/define"
import {
  choice,
  date,
  decimal,
  derived,
  integer,
  notStored,
  positive,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  status,
  structure,
  timestamp,
} from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { becomes } from "../../core/kind/record-events"
import { externalFields } from "../../core/kind/tag"
import { code, text } from "../../core/kind/text-field"
import { refusalsOf } from "../../core/lib/refusal"
import { languages } from "../../shared/languages"
import { rightsOf } from "../../shared/rights"
import { documentOptions, lineFields, lineOptions, sendOnIssue } from "../../trade/documents/model"
import { type Buyer, buyerSchema, type Seller, sellerSchema } from "../../trade/documents/parties"
import { deliveryChecks } from "./checks"

/** Why goods cannot be delivered. */
export const deliveryRefusals = refusalsOf({
  OVER_DELIVERED: {
    about:
      "The quantity exceeds what is left of the order line to deliver: of a completed order, what was invoiced",
    de: "Vom Auftrag {{number}} ist nicht mehr so viel zu liefern.",
  },
})

/** What mail with one of them says. */
const deliveryMail = {
  en: {
    subject: "Delivery note {number} from {company}",
    message:
      "Hello,\n\nyour goods are on their way. Please find attached delivery note {number}.\n\nKind regards\n{company}",
  },
  de: {
    subject: "Lieferschein {number} von {company}",
    message:
      "Guten Tag,\n\nIhre Ware ist unterwegs. Im Anhang finden Sie den Lieferschein {number}.\n\nMit freundlichen Grüßen\n{company}",
  },
  fr: {
    subject: "Bon de livraison {number} de {company}",
    message:
      "Bonjour,\n\nvotre marchandise est en route. Veuillez trouver ci-joint le bon de livraison {number}.\n\nCordialement\n{company}",
  },
}

/** A line of a delivery: a quantity of a line of its order, in 1/10000. */
export type DeliveryLine = {
  id: string
  orderLine: string
  item: string | null
  itemCode: string | null
  itemName: string | null
  description: string | null
  uom: string
  quantity: number
}

/** The fields of a line. It has no prices. */
const { item, itemCode, itemName, description, uom } = lineFields("dnl")
const deliveryLineFields = {
  id: readOnly(reference("dnl")),
  orderLine: readOnly(reference("sol")),
  item: readOnlyNullable(item),
  itemCode,
  itemName,
  description: readOnlyNullable(description),
  uom: readOnly(uom),
  quantity: readOnly(decimal()),
}

const carrier = text({ max: 100, examples: ["DHL"] })
const trackingNumber = text({ max: 100, examples: ["00340434161094015902"] })
const notes = text({ max: 10_000, multiline: true, examples: ["Please ring twice."] })

/** Goods of an order that were handed over. A delivery is never edited into another one: a wrong one is cancelled. */
export const deliveries = defineResource({
  name: "deliveries",
  table: "deliveries",
  ...documentOptions,
  lines: { table: "delivery_lines", owner: "delivery" },
  idPrefix: "dn",
  noun: "delivery",
  title: "Delivery",
  about:
    "Goods of sales orders that were handed over, with their delivery notes. `POST /deliveries/from-order` makes one. What has left of an order line is what was delivered or invoiced, whichever is more, less what came back: each document takes the difference out of stock, once.",
  menu: {
    group: "sell",
    place: 2,
    path: "/deliveries",
    recordPath: "/deliveries/:id",
    icon: "truck-delivery",
  },
  names: {
    en: {
      title: "Deliveries",
      one: "delivery",
      many: "deliveries",
      the: "the delivery",
      statuses: { delivered: "Delivered" },
      fields: {
        carrier: "Carrier",
        deliveryNumber: "Delivery number",
        trackingNumber: "Tracking number",
      },
    },
    de: {
      title: "Lieferscheine",
      one: "Lieferschein",
      many: "Lieferscheine",
      the: "den Lieferschein",
      statuses: { delivered: "Geliefert" },
      fields: {
        carrier: "Versand mit",
        deliveryNumber: "Lieferscheinnummer",
        trackingNumber: "Sendungsnummer",
      },
    },
    fr: {
      fields: {
        carrier: "Transporteur",
        deliveryNumber: "Numéro de bon de livraison",
        trackingNumber: "Numéro de suivi",
      },
    },
  },
  colours: { delivered: "teal" },
  lineVariables: { dnl: "DELIVERY_LINE" },
  rights: rightsOf("sales-orders"),
  mail: deliveryMail,
  numbers: {
    field: "deliveryNumber",
    prefix: "DN",
    format: "DN-{YYYY}-{#####}",
    german: "LS-{YYYY}-{#####}",
  },
  events: {
    delivered: ({ before }) => before === null,
    cancelled: becomes("status", "cancelled"),
  },
  refusals: deliveryRefusals,
  search: ["deliveryNumber", "orderNumber", "customerName"],
  searchMore: ["trackingNumber", "notes"],
  found: { code: "deliveryNumber", title: "customerName", showsCode: true },
  indexed: {
    sort: ["createdAt", "updatedAt", "deliveryDate"],
    group: ["customer", "salesOrder", "status"],
    unique: ["deliveryNumber", "externalId"],
  },
  countsChanges: true,
  expands: ["customer", "salesOrder", "items.item"],
  checks: deliveryChecks,
  fields: {
    deliveryNumber: readOnly(code("DN-2026-00001")),
    numberSeries: readOnly(code("DN-2026")),
    numberCounter: readOnly(integer()),
    status: readOnly(status(["delivered", "cancelled"])),
    allowedTransitions: notStored(readOnly(structure<string[]>(Type.Array(Type.String())))),
    salesOrder: readOnly(reference("so")),
    orderNumber: readOnly(code("SO-2026-00001")),
    customer: readOnly(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    deliveryDate: readOnly(date()),
    carrier,
    trackingNumber,
    buyerReference: readOnlyNullable(code("04011000-12345-03")),
    shippingAddress: readOnlyNullable(addressFields()),
    items: notStored(
      readOnly(lines<DeliveryLine>(deliveryLineFields, { name: "DeliveryLine", ...lineOptions })),
    ),
    notes,
    language: readOnly(choice(languages)),
    sellerVersion: readOnly(reference("slr")),
    seller: derived(
      readOnly(structure<Seller>(sellerSchema)),
      () => "(SELECT body FROM seller_versions WHERE seller_versions.id = seller_version)",
    ),
    buyer: readOnly(structure<Buyer>(buyerSchema)),
    ...externalFields,
    lastSentAt: readOnlyNullable(timestamp()),
    cancelledAt: readOnlyNullable(timestamp()),
    cancelReason: readOnlyNullable(text({ max: 500, multiline: true })),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A delivery in the form of a response. */
export type Delivery = RecordOf<typeof deliveries>

/** A stored delivery without its lines. */
export type DeliveryHead = Omit<Delivery, "items" | "allowedTransitions">

/** A body that delivers an order: all goods that are left, or parts of some lines. */
export const delivering = body(
  {
    salesOrder: required(reference("so")),
    deliveryDate: date(),
    carrier,
    trackingNumber,
    notes,
    ...externalFields,
    send: sendOnIssue,
    items: lines<{ orderLine: string; quantity: number }>(
      {
        orderLine: required(reference("sol")),
        quantity: required(positive(decimal({ min: 0, example: 1 }))),
      },
      { name: "DeliveredLine", min: 1, max: 500 },
    ),
  },
  { example: { salesOrder: "so_01kb2qk3dvb6r8h5m9x4w7z2nc", carrier: "DHL" } },
)
export type Delivering = BodyOf<typeof delivering>
