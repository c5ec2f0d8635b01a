import type { Area } from "../texts"

export const common: Area<"common"> = {
  cancel: "Abbrechen",
  close: "Schließen",
  clear: "Leeren",
  delete: "Löschen",
  email: "E-Mail",
  loading: "Wird geladen",
  name: "Name",
  password: "Passwort",
  save: "Speichern",
  search: "Suchen",
  tryAgain: "Erneut versuchen",
}
