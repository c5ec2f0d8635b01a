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
  hideNotice: "Hinweis ausblenden",
  showWebhooks: "Webhooks ansehen",
  webhookOwner_one:
    "Ein Webhook ist angehalten: Wer für ihn verantwortlich war, ist nicht mehr aktiv oder kein Administrator mehr.",
  webhookOwner_other:
    "{{shown}} Webhooks sind angehalten: Wer für sie verantwortlich war, ist nicht mehr aktiv oder kein Administrator mehr.",
  webhooksPaused: "Seit die Datenbank wiederhergestellt wurde, senden Webhooks nichts.",
  webhooksDisabled_one: "Ein Webhook wurde abgeschaltet: Sein Empfänger bekommt keine Ereignisse.",
  webhooksDisabled_other: "{{shown}} Webhooks wurden abgeschaltet: Ihre Empfänger bekommen keine Ereignisse.",
}
