import { textsOf } from "../texts"

export const t = textsOf({
  en: {
    showAuditLog: "Show it in the audit log",
    clockSetBack:
      "The audit log has entries up to {{until}}, which is in the future. If the clock of the server is behind, set it right now: new documents get its dates. If it was ahead, what was written then has wrong dates and numbers.",
    clocksDiffer:
      "The clocks of this server and of its database differ by {{seconds}} seconds. Set them right.",
  },
  de: {
    showAuditLog: "Im Prüfprotokoll ansehen",
    clockSetBack:
      "Das Prüfprotokoll hat Einträge bis {{until}}, das liegt in der Zukunft. Geht die Uhr des Servers nach, stellen Sie sie jetzt richtig: Neue Belege bekommen ihr Datum. Ging sie vor, haben die Belege aus dieser Zeit ein falsches Datum und falsche Nummern.",
    clocksDiffer:
      "Die Uhren dieses Servers und seiner Datenbank weichen um {{seconds}} Sekunden voneinander ab. Stellen Sie sie richtig.",
  },
})
