import { textsOf } from "../../../console/texts"

export const t = textsOf({
  en: {
    intro:
      "All amounts include tax. Drafts and cancelled documents do not count. A click on a figure opens what it sums.",
    sales: "Sales of the last twelve months",
    ordered: "Orders",
    invoiced: "Invoices",
    credited: "Credit notes",
    paid: "Payments",
    sum: "Sum",
    amount: "Amount",
    receivables: "Open invoices by age",
    age: "Age",
    open: "Open",
    stock: "Stock",
    low: "Items low on stock",
    allStock: "Stock of all items",
    count: "Count stock",
  },
  de: {
    intro:
      "Alle Beträge brutto, also mit Steuer. Entwürfe und stornierte Belege zählen nicht mit. Ein Klick auf eine Zahl öffnet die Liste dazu.",
    sales: "Umsatz der letzten zwölf Monate",
    ordered: "Aufträge",
    invoiced: "Rechnungen",
    credited: "Rechnungskorrekturen",
    paid: "Zahlungen",
    sum: "Summe",
    amount: "Betrag",
    receivables: "Offene Rechnungen nach Alter",
    age: "Alter",
    open: "Offen",
    stock: "Bestand",
    low: "Artikel mit niedrigem Bestand",
    allStock: "Bestand aller Artikel",
    count: "Inventur",
  },
})
