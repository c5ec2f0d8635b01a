import type { Area } from "../texts"

export const problems: Area<"problems"> = {
  noAnswer: "Kontor antwortet nicht. Prüfen Sie, ob es läuft, und versuchen Sie es erneut.",
  maybeSaved:
    "Kontor hat auf diese Anfrage nicht geantwortet. Ob gespeichert wurde, ist nicht bekannt. Versuchen Sie es erneut: Nichts wird doppelt gespeichert.",
  notSaved:
    "Kontor antwortet nicht, Ihre Änderung ist also wahrscheinlich nicht gespeichert. Prüfen Sie, ob es läuft, und versuchen Sie es erneut: Nichts wird doppelt gespeichert.",
  cutOff: "Der Download wurde unterbrochen. Versuchen Sie es erneut.",
  unknown: "Der Server hat einen Fehler gemeldet (Status {{status}}).",
  signedOut: "Sie sind abgemeldet.",
  required: "Bitte ausfüllen",
  number: "Geben Sie eine Zahl ein, zum Beispiel {{example}}.",
}
