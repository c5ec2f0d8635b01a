import type { Field } from "../../../resource/field"
import { keyOf } from "../../../resource/table-shape"
import { invoices } from "../../invoices/model"
import { openingInvoiceFields } from "../../invoices/opening-fields"
import type { InvoiceService } from "../../invoices/service"
import { cellTypeOf } from "../../sheets/columns"
import type { ImportKind } from "../kind"

const fields: [string, Field][] = Object.entries(openingInvoiceFields)

/** Invoices of another system that are not paid yet. They are only created. */
export const openingInvoiceImport = (service: InvoiceService): ImportKind => ({
  name: "opening-invoices",
  noun: "opening invoices",
  right: invoices.rights.write,
  fields: fields.map(([name, field]) => ({
    name,
    type: cellTypeOf(field),
    isRequired: field.access === "required",
  })),
  keys: fields.filter(([, { unique }]) => unique).map(([name, field]) => ({ name, form: keyOf(field) })),
  modes: ["create"],
  isKeyRequired: true,
  write(tx, input, { caller }) {
    service.createOpening(tx, input, caller)
    return "created"
  },
})
