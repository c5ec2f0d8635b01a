import { textsOf } from "../../../../console/texts"

export const t = textsOf({
  en: {
    request: "Request a deposit",
    requestOf: "Request a deposit on {{number}}",
    create: "Create deposit invoice",
    share: "Share of the order",
    percent: "Percent",
    amount: "Amount with tax",
    atMost: "At most {{amount}}, which is neither invoiced nor requested yet",
    whatFollows:
      "The deposit invoice gets its number. Nothing leaves the stock. Later invoices of the order deduct what is paid of it.",
    wasCreated: "Deposit invoice {{number}} was created.",
    deducted: "Deducted deposits",
    /** An amount of a deposit invoice. */
    isDeducted: "Deducted from later invoices",
    cannotCancel: "Later invoices deduct this deposit. Cancel them first.",
    cannotLeave: "The order has deposits. Cancel or credit them first.",
    ofDeposit: "{{date}}, tax {{tax}}",
  },
  de: {
    request: "Anzahlung anfordern",
    requestOf: "Anzahlung auf {{number}} anfordern",
    create: "Abschlagsrechnung erstellen",
    share: "Anteil am Auftrag",
    percent: "Prozent",
    amount: "Betrag mit MwSt.",
    atMost: "Höchstens {{amount}}; der Rest ist schon abgerechnet oder angefordert",
    whatFollows:
      "Die Abschlagsrechnung bekommt ihre Nummer. Am Bestand ändert sich nichts. Spätere Rechnungen des Auftrags ziehen ab, was davon bezahlt ist.",
    wasCreated: "Die Abschlagsrechnung {{number}} wurde erstellt.",
    deducted: "Abgezogene Anzahlungen",
    isDeducted: "Von späteren Rechnungen abgezogen",
    cannotCancel: "Spätere Rechnungen ziehen diese Anzahlung ab. Stornieren Sie zuerst diese.",
    cannotLeave: "Zu diesem Auftrag gibt es Anzahlungen. Stornieren oder korrigieren Sie diese zuerst.",
    ofDeposit: "{{date}}, MwSt. {{tax}}",
  },
})
