import type { Field } from "../../../core/kind/field"
import { keyOf } from "../../../core/kind/keys"
import { invoices, openingInvoiceFields } from "../model"
import type { InvoiceService } from "../service"
import { cellTypeOf } from "../../../office/sheets/columns"
import type { ImportKind, Labels } from "../../../office/imports/kind"
import { versionOf } from "../../../office/imports/records"
import { customerLabels } from "../../customers/import"

const fields: [string, Field][] = Object.entries(openingInvoiceFields)

const labels: Labels = {
  customerNumber: customerLabels.customerNumber,
  customerExternalId: [
    "Kunde: externe ID",
    "Customer: external id",
    "Customer external ID",
    "Externe Kunden-ID",
  ],
  invoiceNumber: [
    "Invoice number",
    "Invoice",
    "Invoice no.",
    "Rechnungsnummer",
    "Rechnung",
    "Re.-Nr.",
    "Rg.-Nr.",
    "Rechnungs-Nr.",
    "RechNr",
    "Belegnummer",
    "Beleg-Nr.",
    "Facture",
    "N° facture",
    "Número de factura",
    "Factura",
    "Numero fattura",
    "Fattura",
    "Factuurnummer",
  ],
  invoiceDate: [
    "Invoice date",
    "Date",
    "Rechnungsdatum",
    "Datum",
    "Belegdatum",
    "Re.-Datum",
    "Date de facture",
    "Fecha",
    "Data",
    "Factuurdatum",
  ],
  dueDate: [
    "Fällig",
    "Due date",
    "Due",
    "Fälligkeit",
    "Fällig am",
    "Fälligkeitsdatum",
    "Zahlbar bis",
    "Échéance",
    "Vencimiento",
    "Scadenza",
    "Vervaldatum",
  ],
  balance: [
    "Open",
    "Balance",
    "Open amount",
    "Amount due",
    "Offener Betrag",
    "Offen",
    "Restbetrag",
    "Saldo",
    "Solde",
    "OP-Betrag",
    "Offener Posten",
    "Noch offen",
    "Reste à payer",
    "Pendiente",
    "Da pagare",
    "Openstaand",
  ],
  customer: ["Customer id", "Kunden-ID"],
}

/** Invoices of another system that are not paid yet. They are only created. */
export const openingInvoiceImport = ({ invoices: service }: { invoices: InvoiceService }): ImportKind => ({
  name: "opening-invoices",
  noun: "opening invoices",
  right: invoices.rights.write,
  fields: fields.map(([name, field]) => ({
    name,
    type: cellTypeOf(field),
    isRequired: field.access === "required",
    ...(field.kind === "amount" ? { unit: "money" as const } : {}),
    ...(name === "invoiceDate" ? { isPast: true } : {}),
  })),
  keys: fields.filter(([, { unique }]) => unique).map(([name, field]) => ({ name, form: keyOf(field) })),
  foundBy: ["customerNumber", "customerExternalId", "customer"],
  labels,
  modes: ["create"],
  isKeyRequired: true,
  undo: {
    right: invoices.rights.remove,
    records: invoices.name,
    versionOf: (id) => versionOf(() => service.get(id)),
    remove: (tx, id) => service.remove(tx, id, null),
    restore() {
      throw new Error("Opening invoices are only created.")
    },
  },
  write(tx, input, { caller }) {
    service.createOpening(tx, input, caller)
    return "created"
  },
})
