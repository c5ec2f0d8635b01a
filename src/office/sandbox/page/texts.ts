import { textsOf } from "../../../console/texts"

export const t = textsOf({
  en: {
    bar: "Demo shop",
    time: "It is {{now}}",
    day: "+1 day",
    month: "+1 month",
    dayLabel: "Move the clock forward by a day",
    monthLabel: "Move the clock forward by a month",
    reset: "Reset",
    resetTitle: "Reset the demo shop?",
    resetText: "Everything that was changed since the start is lost, and the clock is set back.",
    keep: "Keep it",
    mail: "Kept mail",
    mailAbout: "The demo shop sends no mail. What it would have sent is here, the newest first.",
    noMail: "Nothing was sent yet.",
    attachments: "Attached: {{names}}",
    to: "To {{addresses}}",
  },
  de: {
    bar: "Demo-Laden",
    time: "Es ist {{now}}",
    day: "+1 Tag",
    month: "+1 Monat",
    dayLabel: "Die Uhr um einen Tag vorstellen",
    monthLabel: "Die Uhr um einen Monat vorstellen",
    reset: "Zurücksetzen",
    resetTitle: "Den Demo-Laden zurücksetzen?",
    resetText: "Alles, was seit dem Start geändert wurde, geht verloren, und die Uhr wird zurückgestellt.",
    keep: "Behalten",
    mail: "Zurückgehaltene E-Mails",
    mailAbout:
      "Der Demo-Laden verschickt keine E-Mails. Hier steht, was er verschickt hätte, das Neueste zuerst.",
    noMail: "Bisher wurde nichts verschickt.",
    attachments: "Anhang: {{names}}",
    to: "An {{addresses}}",
  },
})
