import type { Area } from "../texts"

export const webhooks: Area<"webhooks"> = {
  new: "Neuer Webhook",
  create: "Webhook anlegen",
  intro:
    "Ein Webhook meldet einem anderen Programm sofort, was hier geschieht, zum Beispiel dass eine Rechnung bezahlt wurde. Kontor sendet jedes Ereignis als signierte HTTP-Anfrage an eine URL Ihrer Wahl und versucht es erneut, wenn das Programm nicht antwortet.",
  types: "Ereignisse",
  typesHint:
    "Die Ereignisse, die gesendet werden. Alle Ereignisse einer Art schließen die späterer Versionen ein.",
  allTypes: "Alle Ereignisse",
  allTypesHint: "Aller Arten, auch derer, die spätere Versionen hinzufügen",
  allOf: "{{kind}}: alle",
  imports: "Importe",
  happenings: {
    created: "Angelegt",
    updated: "Geändert",
    deleted: "Gelöscht",
    submitted: "Bestätigt",
    completed: "Abgeschlossen",
    cancelled: "Storniert",
    issued: "Gestellt",
    paid: "Bezahlt",
    overdue: "Überfällig",
    credited: "Gutgeschrieben",
    "low-stock": "Bestand niedrig",
    finished: "Beendet",
  },
  urlHint: "Wohin die Ereignisse gesendet werden, zum Beispiel https://shop.example/hooks",
  descriptionHint: "Was der Empfänger ist, zum Beispiel Webshop",
  payload: "Inhalt",
  thin: "Nur das Ereignis",
  thinHint:
    "Was mit welchem Datensatz geschah. Der Empfänger liest den Datensatz über die API, wenn er ihn braucht.",
  full: "Das Ereignis und der Datensatz",
  fullHint:
    "Das Ereignis mit dem ganzen Datensatz, wie er beim Senden ist. Der Empfänger braucht keinen Zugang zur API.",
  active: "Aktiv",
  activeHint: "Ereignisse, die geschehen, während er inaktiv ist, werden nicht nachgesendet.",
  states: {
    active: "Aktiv",
    failing: "Fehlerhaft",
    paused: "Angehalten",
    inactive: "Inaktiv",
    disabled: "Abgeschaltet",
  },
  disabledAt: "Kontor hat diesen Webhook abgeschaltet: {{time}}",
  disabledBecause: {
    gone: "Der Empfänger hat geantwortet, dass es ihn nicht mehr gibt (410). Aktivieren Sie den Webhook, wenn der Empfänger wieder läuft. Was inzwischen geschah, wird nicht nachgesendet.",
    failing:
      "Fünf Tage lang war keine Anfrage erfolgreich. Bringen Sie den Empfänger in Ordnung und aktivieren Sie den Webhook. Was inzwischen geschah, wird nicht nachgesendet.",
    restored:
      "Die Datenbank wurde aus einer Sicherung wiederhergestellt, und Sicherungen enthalten keine Geheimnisse. Erneuern Sie das Geheimnis, um den Webhook zu aktivieren.",
  },
  pausedBecause: {
    owner:
      "Wer für ihn verantwortlich war, ist nicht mehr aktiv oder kein Administrator mehr. Die Ereignisse warten. Wenn der Empfänger die Daten weiterhin bekommen darf, übernehmen Sie den Webhook: Dann sind Sie dafür verantwortlich, und die Ereignisse werden gesendet.",
  },
  pausedTitle: "Kontor sendet nichts an diesen Webhook",
  takeOver: "Übernehmen",
  takenOver: "Sie sind jetzt für den Webhook verantwortlich. Seine Ereignisse werden wieder gesendet.",
  failingSince:
    "Seit {{time}} war keine Anfrage erfolgreich. Nach fünf Tagen schaltet Kontor den Webhook ab.",
  lastSuccess: "Zuletzt erfolgreich",
  secret: "Geheimnis",
  secretFor: "Geheimnis des Webhooks",
  storeSecret:
    "Kopieren Sie das Geheimnis jetzt und hinterlegen Sie es beim Empfänger. Sie können es nicht noch einmal ansehen.",
  secretStored: "Ich habe das Geheimnis hinterlegt",
  copySecret: "Geheimnis kopieren",
  howToVerify:
    "Der Empfänger prüft damit, dass eine Anfrage von Kontor kommt. Die Anfragen sind nach Standard Webhooks signiert.",
  notReceived: "Der Webhook wurde gespeichert, aber sein Geheimnis kam nicht an",
  notReceivedText: "Öffnen Sie ihn und erneuern Sie das Geheimnis.",
  rotate: "Geheimnis erneuern",
  confirmRotate: "Das Geheimnis von {{url}} erneuern?",
  confirmRotateText:
    "Es entsteht ein neues Geheimnis. Das alte gilt noch 24 Stunden, damit Sie Zeit haben, das neue beim Empfänger zu hinterlegen.",
  rotateRestoredText:
    "Es entsteht ein neues Geheimnis, und der Webhook wird aktiv. Hinterlegen Sie es beim Empfänger.",
  test: "Testereignis senden",
  settings: "Einstellungen",
  deliveries: "Zustellungen",
  noDeliveries: "Es wurde noch nichts gesendet.",
  deliveryOf: "Zustellung von {{type}}",
  deliveryStates: {
    succeeded: "Erfolgreich",
    pending: "Wartet",
    failed: "Fehlgeschlagen",
    uncertain: "Ungewiss",
  },
  time: "Zeit",
  event: "Ereignis",
  attempts: "Versuche",
  nextAttempt: "Nächster Versuch",
  duration: "Dauer",
  milliseconds: "{{shown}} Millisekunden",
  request: "Anfrage",
  withoutRecord: "Mitgesendete Datensätze werden hier nicht aufbewahrt.",
  answer: "Antwort",
  emptyAnswer: "(kein Text)",
  failures: {
    NAME_UNKNOWN: "Der Name {{host}} konnte nicht aufgelöst werden.",
    ADDRESS_REFUSED:
      "Die Adresse wurde abgelehnt: Die URL muss https verwenden und darf nicht zu einer privaten oder reservierten Adresse führen. Der Server erlaubt Netze mit --allow-private-webhooks.",
    TIMEOUT: "Innerhalb von {{seconds}} Sekunden kam keine Antwort.",
    CONNECTION_REFUSED: "Der Empfänger hat die Verbindung abgelehnt.",
    CONNECTION_CLOSED: "Der Empfänger hat die Verbindung vor seiner Antwort geschlossen.",
    NETWORK_UNREACHABLE: "Das Netz des Empfängers ist nicht erreichbar.",
    RECEIVER_UNREACHABLE: "Der Empfänger ist nicht erreichbar.",
    CERTIFICATE_NAME: "Das Zertifikat des Empfängers gilt für einen anderen Namen.",
    CERTIFICATE_EXPIRED: "Das Zertifikat des Empfängers ist abgelaufen.",
    CERTIFICATE_UNTRUSTED: "Dem Zertifikat des Empfängers wird nicht vertraut ({{reason}}).",
    NOT_HTTP: "Die Antwort ist nicht HTTP/1.1.",
    HEAD_TOO_LONG: "Der Kopf der Antwort ist zu lang.",
    FAILED: "Die Verbindung ist fehlgeschlagen ({{reason}}).",
  },
  sendAgain: "Erneut senden",
  switchedOff: "Dieser Server sendet nichts",
  switchedOffText: "Er wurde mit --no-sending gestartet.",
  paused: "Das Senden ist angehalten",
  pausedText:
    "Die Datenbank wurde aus einer Sicherung wiederhergestellt. Kontor weiß nicht, was nach der Sicherung gesendet wurde, und sendet deshalb nichts, bis Sie es fortsetzen.",
  resume: "Senden fortsetzen",
  resumed: "Ereignisse werden wieder gesendet.",
  confirmResume: "Senden fortsetzen?",
  confirmResumeText:
    "Webhooks mit einem Geheimnis bekommen dann die Ereignisse, die ab jetzt geschehen. Wenn dies eine Kopie für Versuche ist, setzen Sie es nicht fort: Die Empfänger bekämen Ereignisse der Kopie.",
  shellPaused: "Seit die Datenbank wiederhergestellt wurde, senden Webhooks nichts.",
  shellDisabled_one: "Ein Webhook wurde abgeschaltet: Sein Empfänger bekommt keine Ereignisse.",
  shellDisabled_other: "{{shown}} Webhooks wurden abgeschaltet: Ihre Empfänger bekommen keine Ereignisse.",
  shellOwner_one:
    "Ein Webhook ist angehalten: Wer für ihn verantwortlich war, ist nicht mehr aktiv oder kein Administrator mehr.",
  shellOwner_other:
    "{{shown}} Webhooks sind angehalten: Wer für sie verantwortlich war, ist nicht mehr aktiv oder kein Administrator mehr.",
  show: "Webhooks ansehen",
  hide: "Hinweis ausblenden",
}
