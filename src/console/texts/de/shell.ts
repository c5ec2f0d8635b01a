import type { Area } from "../texts"

export const shell: Area<"shell"> = {
  silent: "Kontor antwortet nicht.",
  silentSince: "Kontor antwortet nicht. Sie sehen Daten von {{time}} Uhr.",
  cannotSave: "Änderungen können erst wieder gespeichert werden, wenn es antwortet.",
  skip: "Zum Inhalt springen",
  menu: "Hauptmenü",
  toggleMenu: "Menü ein- oder ausblenden",
  signedInAs: "Angemeldet als {{name}}",
  light: "Hell",
  dark: "Dunkel",
  system: "System",
  searchEverything: "Alles durchsuchen",
  searchHint: "Suche nach Name, Code, Nummer, Betrag, Telefon oder E-Mail…",
  searchKeys: "Strg K",
  searching: "Suche läuft…",
  noResults: "Nichts gefunden",
  noAnswerYet: "Kontor antwortet nicht. Versuchen Sie es gleich noch einmal.",
  goTo: "Gehe zu",
  create: "Anlegen",
}
