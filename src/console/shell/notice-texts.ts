import { textsOf } from "../texts"

export const t = textsOf({
  en: {
    webhooksPaused: "Webhooks send nothing since the database was restored.",
    webhooksDisabled_one: "A webhook was disabled: its receiver gets no events.",
    webhooksDisabled_other: "{{shown}} webhooks were disabled: their receivers get no events.",
    webhookOwner_one: "A webhook is paused: its owner is disabled, or its API key or app is gone.",
    webhookOwner_other:
      "{{shown}} webhooks are paused: their owners are disabled, or their API keys or apps are gone.",
    showWebhooks: "Show webhooks",
    showAuditLog: "Show it in the audit log",
    clockSetBack:
      "The audit log has entries up to {{until}}, which is in the future. If the clock of the server is behind, set it right now: new documents get its dates. If it was ahead, what was written then has wrong dates and numbers.",
    clocksDiffer:
      "The clocks of this server and of its database differ by {{seconds}} seconds. Set them right.",
  },
  de: {
    webhooksPaused: "Seit die Datenbank wiederhergestellt wurde, senden Webhooks nichts.",
    webhooksDisabled_one: "Ein Webhook wurde abgeschaltet: Sein Empfänger bekommt keine Ereignisse.",
    webhooksDisabled_other:
      "{{shown}} Webhooks wurden abgeschaltet: Ihre Empfänger bekommen keine Ereignisse.",
    webhookOwner_one:
      "Ein Webhook ist angehalten: Wer für ihn verantwortlich war, ist nicht mehr aktiv, oder sein API-Schlüssel oder seine App ist weggefallen.",
    webhookOwner_other:
      "{{shown}} Webhooks sind angehalten: Wer für sie verantwortlich war, ist nicht mehr aktiv, oder ihre API-Schlüssel oder Apps sind weggefallen.",
    showWebhooks: "Webhooks ansehen",
    showAuditLog: "Im Prüfprotokoll ansehen",
    clockSetBack:
      "Das Prüfprotokoll hat Einträge bis {{until}}, das liegt in der Zukunft. Geht die Uhr des Servers nach, stellen Sie sie jetzt richtig: Neue Belege bekommen ihr Datum. Ging sie vor, haben die Belege aus dieser Zeit ein falsches Datum und falsche Nummern.",
    clocksDiffer:
      "Die Uhren dieses Servers und seiner Datenbank weichen um {{seconds}} Sekunden voneinander ab. Stellen Sie sie richtig.",
  },
})
