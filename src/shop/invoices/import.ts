import type { Field } from "../../core/kind/field"
import { keyOf } from "../../core/store/table-shape"
import { invoices } from "./model"
import { openingInvoiceFields } from "./opening-fields"
import type { InvoiceService } from "./service"
import { cellTypeOf } from "../../office/sheets/columns"
import type { ImportKind } from "../../office/imports/kind"

const fields: [string, Field][] = Object.entries(openingInvoiceFields)

/** Invoices of another system that are not paid yet. They are only created. */
export const openingInvoiceImport = ({ invoices: service }: { invoices: InvoiceService }): ImportKind => ({
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
