import type { Area } from "../texts"

export const values: Area<"values"> = {
  role: {
    viewer: "Leser",
    sales: "Verkauf",
    shop: "Webshop oder Kasse",
    accountant: "Buchhaltung",
    manager: "Leitung",
    admin: "Administrator",
  },
  roleMeaning: {
    viewer: "Kann alle Geschäftsdaten ansehen, aber nichts ändern.",
    sales: "Kann Aufträge und Kunden bearbeiten sowie Artikel und Rechnungen ansehen.",
    shop: "Für einen Webshop oder eine Kasse. Kann verkaufen: Bestand, Kunden, Aufträge, Rechnungen und Zahlungen bearbeiten, aber keine Rechnungen stornieren, korrigieren oder erstatten und nichts löschen.",
    accountant: "Kann Rechnungen, Zahlungen und Kunden bearbeiten sowie Artikel und Aufträge ansehen.",
    manager: "Kann alle Geschäftsdaten bearbeiten: Artikel, Bestand, Kunden, Aufträge und Rechnungen.",
    admin: "Kann alles, was die Leitung kann, und verwaltet Benutzer, Schlüssel und Einstellungen.",
  },
  area: {
    items: "Artikel",
    stock: "Bestand",
    customers: "Kunden",
    "sales-orders": "Aufträge",
    invoices: "Rechnungen und Zahlungen",
    search: "Suche",
    own: "Eigenes Konto und eigene API-Schlüssel",
    webhooks: "Eigene Webhooks",
    administration: "Benutzer, alle API-Schlüssel, Einstellungen, Prüfprotokoll",
  },
  plan: { free: "Free", pro: "Pro", enterprise: "Enterprise" },
  scope: { read: "Lesen", write: "Schreiben", delete: "Löschen", admin: "Verwalten", webhooks: "Webhooks" },
  scopeBadge: {
    read: "lesen",
    write: "schreiben",
    delete: "löschen",
    admin: "verwalten",
    webhooks: "Webhooks",
  },
  scopeMeaning: {
    read: "Ihre Artikel, Bestände, Kunden, Aufträge, Rechnungen und Ihr Profil ansehen",
    write: "Einträge anlegen und ändern, Aufträge bestätigen, Rechnungen ausstellen und Zahlungen erfassen",
    delete: "Einträge löschen",
    admin: "Benutzer, Einstellungen, OAuth-Clients und das Prüfprotokoll ansehen",
    webhooks:
      "Ihre Webhooks verwalten: Sie senden geänderte Einträge, die Sie ansehen dürfen, an andere Programme",
  },
  keyScopeMeaning: {
    read: "Artikel, Bestände, Kunden, Aufträge und Rechnungen ansehen und durchsuchen.",
    write: "Einträge anlegen und ändern, Aufträge bestätigen, Rechnungen ausstellen und Zahlungen erfassen.",
    delete: "Einträge löschen.",
    admin:
      "Benutzer, Einstellungen, OAuth-Clients und das Prüfprotokoll ansehen. Ändern kann ein API-Schlüssel sie nicht.",
    webhooks:
      "Ihre Webhooks verwalten. Sie senden geänderte Einträge, die Sie ansehen dürfen, an andere Programme.",
  },
  right: {
    read: "ansehen",
    write: "bearbeiten",
    delete: "löschen",
    admin: "voller Zugriff",
    webhooks: "verwalten",
  },
  status: {
    active: "Aktiv",
    inactive: "Inaktiv",
    draft: "Entwurf",
    cancelled: "Storniert",
    success: "Erfolgreich",
    failure: "Fehlgeschlagen",
    refused: "Verweigert",
  },
  itemType: { Product: "Produkt", Service: "Dienstleistung", Consumable: "Verbrauchsmaterial" },
  customerType: {
    Company: "Firma",
    Individual: "Privatperson",
    Partnership: "Personengesellschaft",
    Government: "Behörde",
    NonProfit: "Gemeinnützig",
  },
  recurringMode: { draft: "Entwurf", issue: "Ausstellen", send: "Ausstellen und senden" },
  recurringPrices: { template: "Wie hier", item: "Tagespreis" },
  stockReason: {
    receipt: "Wareneingang",
    adjustment: "Korrektur",
    return: "Retoure",
    invoice: "Rechnung",
    cancellation: "Stornierung",
    credit: "Rechnungskorrektur",
    delivery: "Lieferung",
  },
  via: { mcp: "Assistent" },
  actorType: {
    user: "Benutzer",
    apiKey: "API-Schlüssel",
    oauthClient: "Verbundene App",
    anonymous: "Anonym",
    system: "System",
  },
  auditKind: {
    views: "Ansichten",
    imports: "Importe",
    reprice: "Preisänderungen",
    auth: "Fehlgeschlagene Anmeldungen",
    backups: "Sicherungen",
    access: "Verweigerte Zugriffe",
    clock: "Uhr",
  },
  payload: { thin: "Nur das Ereignis", full: "Das Ereignis und der Eintrag" },
  clientType: { confidential: "Vertraulich", public: "Öffentlich" },
  clientTypeMeaning: {
    confidential:
      "Ein Server, der ein Geheimnis für sich behalten kann, zum Beispiel ein Webshop. Er meldet sich mit seinem Geheimnis an.",
    public:
      "Eine App auf dem Gerät eines Benutzers, zum Beispiel auf einem Telefon oder einer Kasse. Sie hat kein Geheimnis.",
  },
  taxCategory: {
    S: "Steuerpflichtig",
    Z: "Nullsteuersatz",
    E: "Steuerfrei",
    AE: "Reverse-Charge",
    K: "Innergemeinschaftliche Lieferung",
    G: "Ausfuhr",
    O: "Nicht steuerbar",
  },
  taxCategoryMeaning: {
    S: "Die Steuer wird mit dem vollen oder einem ermäßigten Satz berechnet.",
    Z: "Die Steuer wird mit einem Satz von 0 % berechnet.",
    E: "Es wird keine Steuer berechnet, zum Beispiel für Kleinunternehmer. Belege nennen den Grund.",
    AE: "Es wird keine Steuer berechnet: Der Kunde führt sie an das Finanzamt ab.",
    K: "Es wird keine Steuer berechnet: Die Ware geht an ein Unternehmen in einem anderen EU-Land.",
    G: "Es wird keine Steuer berechnet: Die Ware verlässt das Land oder die EU.",
    O: "Der Umsatz unterliegt nicht der Steuer. Belege nennen den Grund.",
  },
  taxTreatment: {
    domestic: "Inland",
    "reverse-charge": "Reverse-Charge",
    "intra-community": "Anderes EU-Land",
    export: "Ausfuhr",
    exempt: "Steuerfrei",
  },
  taxTreatmentMeaning: {
    domestic: "Verkäufe werden so besteuert wie ihre Artikel.",
    "reverse-charge":
      "Es wird keine Steuer berechnet: Der Kunde führt sie an das Finanzamt ab. Eine Rechnung braucht die USt-IdNr. des Kunden.",
    "intra-community":
      "Es wird keine Steuer berechnet: Waren sind innergemeinschaftliche Lieferungen, für Dienstleistungen gilt Reverse-Charge. Eine Rechnung braucht die USt-IdNr. des Kunden.",
    export: "Es wird keine Steuer berechnet, weil die Ware das Land oder die EU verlässt.",
    exempt: "Es wird keine Steuer berechnet. Belege nennen den Grund, der unten steht.",
  },
  treatmentReason: {
    OTHER_EU_COUNTRY:
      "Der Kunde sitzt in einem anderen EU-Land ({{country}}) und hat eine USt-IdNr.: Lieferungen an ihn sind innergemeinschaftlich und ohne Umsatzsteuer.",
    EU_WITHOUT_VAT_ID:
      "Der Kunde sitzt in der EU ({{country}}): Das ist keine Ausfuhr, und ohne USt-IdNr. zahlt er Umsatzsteuer.",
    OUTSIDE_EU:
      "Der Kunde sitzt außerhalb der EU ({{country}}): Lieferungen an ihn sind Ausfuhren ohne Umsatzsteuer.",
    ABROAD: "Der Kunde sitzt im Ausland ({{country}}): Lieferungen an ihn sind Ausfuhren ohne Umsatzsteuer.",
    SAME_COUNTRY: "Der Kunde sitzt im selben Land wie die Firma ({{country}}): Er zahlt Umsatzsteuer.",
  },
  language: { en: "Englisch", de: "Deutsch", fr: "Französisch" },
  paymentMethod: { voucher: "Gutschein" },
  invoiceFrom: { ordered: "Bestelltes", delivered: "Geliefertes" },
  invoiceType: { standard: "Rechnung", deposit: "Abschlagsrechnung", final: "Schlussrechnung" },
  correctBy: { cancel: "Nur Stornierung", "credit-note": "Stornierung mit Rechnungskorrektur" },
  correctByMeaning: {
    cancel: "Eine stornierte Rechnung behält ihre Nummer. Ein anderer Beleg wird nicht ausgestellt.",
    "credit-note":
      "Beim Stornieren einer Rechnung wird auch eine Rechnungskorrektur über die ganze Rechnung ausgestellt.",
  },
  setUpStep: {
    company: "Firma",
    taxes: "Steuern",
    numbers: "Nummern",
    documents: "Belege",
    logo: "Logo",
  },
  requireSecondFactor: { nobody: "Niemandem", admins: "Administratoren", everybody: "Allen" },
  creditPolicy: { block: "Sperren", warn: "Warnen", off: "Aus" },
  creditPolicyMeaning: {
    block:
      "Aufträge über dem Limit können nicht bestätigt werden. Leitung und Administratoren können sich darüber hinwegsetzen.",
    warn: "Aufträge über dem Limit werden mit einer Warnung bestätigt.",
    off: "Kreditlimits werden nicht geprüft.",
  },
}
