import type { Area } from "../texts"

export const values: Area<"values"> = {
  role: {
    viewer: "Leser",
    sales: "Vertrieb",
    shop: "Webshop oder Kasse",
    accountant: "Buchhaltung",
    manager: "Leitung",
    admin: "Administrator",
  },
  roleMeaning: {
    viewer: "Kann alle Geschäftsdaten ansehen, aber nichts ändern.",
    sales: "Kann Aufträge und Kunden bearbeiten sowie Artikel und Rechnungen ansehen.",
    shop: "Für einen Webshop oder eine Kasse. Kann verkaufen: Lagerbestand, Kunden, Aufträge, Rechnungen und Zahlungen bearbeiten, aber keine Rechnungen stornieren und nichts löschen.",
    accountant: "Kann Rechnungen, Zahlungen und Kunden bearbeiten sowie Artikel und Aufträge ansehen.",
    manager: "Kann alle Geschäftsdaten bearbeiten: Artikel, Lagerbestand, Kunden, Aufträge und Rechnungen.",
    admin: "Kann alles, was die Leitung kann, und verwaltet Benutzer, Schlüssel und Einstellungen.",
  },
  area: {
    items: "Artikel",
    stock: "Lagerbestand",
    customers: "Kunden",
    "sales-orders": "Aufträge",
    invoices: "Rechnungen und Zahlungen",
    search: "Suche",
    own: "Eigenes Konto und eigene API-Schlüssel",
    administration: "Benutzer, alle API-Schlüssel, Einstellungen, Prüfprotokoll",
  },
  plan: { free: "Free", pro: "Pro", enterprise: "Enterprise" },
  scope: { read: "Lesen", write: "Schreiben", delete: "Löschen", admin: "Verwalten" },
  scopeBadge: { read: "lesen", write: "schreiben", delete: "löschen", admin: "verwalten" },
  scopeMeaning: {
    read: "Ihre Artikel, Lagerbestände, Kunden, Aufträge, Rechnungen und Ihr Profil ansehen",
    write: "Datensätze anlegen und ändern, Aufträge bestätigen, Rechnungen ausstellen und Zahlungen erfassen",
    delete: "Datensätze löschen",
    admin: "Benutzer, Einstellungen, OAuth-Clients und das Prüfprotokoll ansehen",
  },
  keyScopeMeaning: {
    read: "Artikel, Lagerbestände, Kunden, Aufträge und Rechnungen ansehen und durchsuchen.",
    write:
      "Datensätze anlegen und ändern, Aufträge bestätigen, Rechnungen ausstellen und Zahlungen erfassen.",
    delete: "Datensätze löschen.",
    admin:
      "Benutzer, Einstellungen, OAuth-Clients und das Prüfprotokoll ansehen. Ändern kann ein API-Schlüssel sie nicht.",
  },
  right: { read: "ansehen", write: "bearbeiten", delete: "löschen", admin: "voller Zugriff" },
  status: {
    active: "Aktiv",
    inactive: "Inaktiv",
    draft: "Entwurf",
    submitted: "Bestätigt",
    completed: "Abgeschlossen",
    cancelled: "Storniert",
    not_invoiced: "Nicht berechnet",
    partially_invoiced: "Teilweise berechnet",
    invoiced: "Berechnet",
    unpaid: "Offen",
    partially_paid: "Teilweise bezahlt",
    overdue: "Überfällig",
    paid: "Bezahlt",
    success: "Erfolgreich",
    failure: "Fehlgeschlagen",
    refused: "Verweigert",
  },
  actorType: {
    user: "Benutzer",
    apiKey: "API-Schlüssel",
    oauthClient: "Verbundene App",
    anonymous: "Anonym",
    system: "System",
  },
  clientType: { confidential: "Vertraulich", public: "Öffentlich" },
  clientTypeMeaning: {
    confidential:
      "Ein Server, der ein Geheimnis bewahren kann, zum Beispiel ein Webshop. Er meldet sich mit seinem Geheimnis an.",
    public:
      "Eine App auf dem Gerät eines Benutzers, zum Beispiel auf einem Telefon oder einer Kasse. Sie hat kein Geheimnis.",
  },
  creditPolicy: { block: "Sperren", warn: "Warnen", off: "Aus" },
  creditPolicyMeaning: {
    block:
      "Aufträge über dem Limit können nicht bestätigt werden. Leitung und Administratoren können sich darüber hinwegsetzen.",
    warn: "Aufträge über dem Limit werden mit einer Warnung bestätigt.",
    off: "Kreditlimits werden nicht geprüft.",
  },
}
