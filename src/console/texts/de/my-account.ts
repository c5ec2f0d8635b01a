import type { Area } from "../texts"

export const myAccount: Area<"myAccount"> = {
  profile: "Profil",
  plan: "Ihr Tarif ist {{plan}}. Seine Limits gelten für diese Konsole und für Ihre API-Sitzungen. Jeder API-Schlüssel hat eigene Limits.",
  refresh: "Aktualisieren",
  minute: "Diese Minute",
  day: "Heute (UTC)",
  resetsAt: "Beginnt neu: {{time}}.",
  resetsIn: "Beginnt neu in {{seconds}} s.",
  hasReset: "Hat seit der letzten Aktualisierung neu begonnen.",
  unlimited: "Unbegrenzt",
  used: "{{used}} von {{limit}} genutzt, noch {{remaining}} frei",
  usageOf: "{{period}}: Nutzung",
  changePassword: "Passwort ändern",
  currentPassword: "Aktuelles Passwort",
  confirmPassword: "Neues Passwort bestätigen",
  noMatch: "Die Passwörter stimmen nicht überein",
  passwordChanged: "Ihr Passwort wurde geändert. Auf allen anderen Geräten wurden Sie abgemeldet.",
  sessions: "Sitzungen",
  signOutHere: "Auf diesem Gerät abmelden",
  signOutEverywhere: "Auf allen Geräten abmelden",
  confirmSignOut: "Auf allen Geräten abmelden?",
  confirmSignOutText:
    "Sie werden in allen Browsern und Apps abgemeldet, auch in diesem. API-Schlüssel funktionieren weiter.",
  appearance: "Darstellung",
}
