import { textsOf } from "../../texts"

/** What people type to find a page besides its title, by its path. The title of its group is found too. */
export const t = textsOf({
  en: {
    import: "Import files",
    words: {
      "/": "start home overview figures",
      "/reports": "sales revenue turnover statistics evaluation receivables",
      "/import": "imports upload csv excel xlsx file customers items take over",
      "/items": "products articles goods prices price list",
      "/stock": "warehouse inventory count receipt goods",
      "/customers": "clients addresses contacts",
      "/orders": "sales order confirmation",
      "/invoices": "bills billing e-invoice xrechnung reminders overdue",
      "/credit-notes": "refund return cancellation correction",
      "/payments": "paid money bank cash incoming",
      "/messages": "mail email sent outbox",
      "/settings/company":
        "settings address bank account iban logo numbers tax office vat currency letterhead",
      "/settings/tax-codes": "vat rates taxes",
      "/settings/users": "staff employees people roles rights password",
      "/settings/audit": "history log changes who",
      "/settings/backups": "backup restore export all data",
      "/settings/mail": "smtp mail server email texts send",
      "/settings/account": "password profile sign in sessions",
    } as Record<string, string>,
  },
  de: {
    import: "Dateien importieren",
    words: {
      "/": "start startseite dashboard kennzahlen",
      "/reports": "umsatz auswertung statistik offene posten",
      "/import": "importe import hochladen csv excel xlsx datei kunden artikel übernehmen",
      "/items": "produkte waren preise preisliste dienstleistungen",
      "/stock": "bestand lager inventur wareneingang",
      "/customers": "adressen kontakte kundschaft",
      "/orders": "bestellungen auftragsbestätigung ab",
      "/invoices": "e-rechnung xrechnung faktura offen überfällig mahnung",
      "/credit-notes": "gutschrift storno erstattung retoure",
      "/payments": "geld bank kasse zahlungseingang bezahlt",
      "/messages": "mail e-mail gesendet postausgang",
      "/settings/company":
        "einstellungen adresse bank iban logo nummernkreise steuernummer währung briefkopf",
      "/settings/tax-codes": "mehrwertsteuer umsatzsteuer mwst steuersätze",
      "/settings/users": "mitarbeiter personal rollen rechte passwort",
      "/settings/audit": "verlauf protokoll änderungen wer",
      "/settings/backups": "backup wiederherstellen datensicherung alle daten exportieren",
      "/settings/mail": "smtp mailserver e-mail texte senden",
      "/settings/account": "passwort profil anmeldung sitzungen",
    } as Record<string, string>,
  },
})
