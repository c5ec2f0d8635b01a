import { textsOf } from "../../../console/texts"

export const t = textsOf({
  en: {
    new: "New user",
    create: "Create user",
    role: "Role",
    defaultPlan: "Default",
    companyPlan: "Company default",
    detailsFor: "Sign-in details for {{name}}",
    sharePassword:
      "Share the password with the user now. You cannot view it again. The user can change it under My account.",
    passwordShared: "I have shared the password",
    copyEmail: "Copy email",
    copyPassword: "Copy password",
    aboutMyself:
      "This is your own account. If you change your role or deactivate it, you lose access to this page immediately.",
    lastAdmin: "{{name}} is the last active admin. Make another user an admin first.",
    emailNew: "Used to sign in",
    emailFixed: "Cannot be changed",
    nameHint: "Shown to other users",
    ownPassword: "Change your own password under {{link}}.",
    active: "Active",
    activeHint: "Inactive users cannot sign in, their API keys do not work, and their webhooks are paused",
    newPasswordHint:
      "Leave empty to keep it. A new password signs the user out on all devices. At least 10 characters",
    generate: "Generate",
    rights: "Roles and permissions",
    activity: "Activity of this user",
  },
  de: {
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
    activity: "Aktivitäten dieses Benutzers",
  },
})
