import type { Area } from "../texts"

export const orders: Area<"orders"> = {
  new: "Neuer Auftrag",
  intro:
    "Legen Sie einen Auftrag an, bestätigen Sie ihn, um den Bestand zu reservieren, und erstellen Sie dann die Rechnung.",
  onlyFor: "Nur Vertrieb, Webshops, Leitung und Administratoren können Aufträge anlegen.",
  invoiced: "Abgerechnet",
  latest: "Neueste Aufträge",
  allLatest: "Alle ansehen: neueste Aufträge",
  submitDrafts: "Entwürfe bestätigen",
  deleteDrafts: "Entwürfe löschen",
  notDraft: {
    submitted: "Dieser Auftrag ist bereits bestätigt und kein Entwurf mehr.",
    completed: "Dieser Auftrag ist bereits abgeschlossen und kein Entwurf mehr.",
    cancelled: "Dieser Auftrag ist storniert und kein Entwurf mehr.",
  },
  saveAndSubmit: "Speichern und bestätigen",
  submitAnyway: "Trotzdem bestätigen",
  wasSubmitted: "{{number}} wurde bestätigt.",
  wasSavedAsDraft: "{{number}} wurde als Entwurf gespeichert.",
  invoice: "Rechnung erstellen",
  hasInvoices: "Zu diesem Auftrag gibt es Rechnungen. Stornieren Sie diese zuerst.",
  amend: "Berichtigen",
  confirmAmend: "{{number}} berichtigen?",
  confirmAmendText:
    "Der Auftrag wird storniert und durch einen neuen Entwurf mit denselben Positionen ersetzt.",
  wasAmended: "{{number}} wurde storniert und durch diesen Entwurf ersetzt.",
  complete: "Auftrag abschließen",
  confirmComplete: "{{number}} abschließen?",
  confirmCompleteText:
    "Die restlichen Mengen werden nicht mehr abgerechnet, und ihr reservierter Bestand wird freigegeben.",
  wasCompleted: "{{number}} wurde abgeschlossen.",
  cancel: "Auftrag stornieren",
  keep: "Auftrag behalten",
  confirmCancelText: "Ein stornierter Auftrag kann nicht wieder geöffnet werden.",
  wasDeleted: "{{number}} wurde gelöscht.",
  origin: "Herkunft",
  replaces: "Ersetzt {{order}}",
  earlierOrder: "einen früheren Auftrag",
}
