import type { Area } from "../texts"

export const users: Area<"users"> = {
  new: "Neuer Benutzer",
  create: "Benutzer anlegen",
  role: "Rolle",
  defaultPlan: "Standard",
  companyPlan: "Standardtarif der Firma",
  detailsFor: "Zugangsdaten für {{name}}",
  sharePassword:
    "Geben Sie das Passwort jetzt weiter. Es wird nicht noch einmal angezeigt. Der Benutzer kann es unter „Mein Konto“ ändern.",
  passwordShared: "Ich habe das Passwort weitergegeben",
  copyEmail: "E-Mail kopieren",
  copyPassword: "Passwort kopieren",
  aboutMyself:
    "Das ist Ihr eigenes Konto. Wenn Sie Ihre Rolle ändern oder das Konto deaktivieren, verlieren Sie sofort den Zugriff auf diese Seite.",
  lastAdmin:
    "{{name}} ist der letzte aktive Administrator. Machen Sie zuerst einen anderen Benutzer zum Administrator.",
  emailNew: "Wird zum Anmelden benutzt",
  emailFixed: "Kann nicht geändert werden",
  nameHint: "Für andere Benutzer sichtbar",
  ownPassword: "Ihr eigenes Passwort ändern Sie unter {{link}}.",
  active: "Aktiv",
  activeHint:
    "Inaktive Benutzer können sich nicht anmelden, ihre API-Schlüssel funktionieren nicht, und ihre Webhooks sind angehalten",
  newPasswordHint:
    "Leer lassen, um das Passwort zu behalten. Ein neues Passwort meldet den Benutzer auf allen Geräten ab. Mindestens 10 Zeichen",
  generate: "Erzeugen",
  rights: "Rollen und Berechtigungen",
}
