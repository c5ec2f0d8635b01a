import { textsOf } from "../../../console/texts"

/** Sending documents. */
export const t = textsOf({
  en: {
    send: "Send",
    sendDocument: "Send {{number}}",
    to: "To",
    toHint: "Several addresses are separated by commas.",
    noAddress: "{{customer}} has no email address yet.",
    addAddress: "Add the address",
    saveAddress: "Save this address on the customer",
    addressSaved: "The address was saved on the customer.",
    cc: "Copy to",
    language: "Language",
    subject: "Subject",
    message: "Text",
    /** Where a text names the link, the message has one. */
    hasLink: "In place of the words in brackets, the customer gets a link to a page of their own.",
    noLink: "The text has no link with which the customer can accept.",
    noPages:
      "The text has no link with which the customer can accept, because pages for customers are switched off. Customers must be able to reach this server.",
    noPagesAsk:
      "The text has no link with which the customer can accept, because pages for customers are switched off. Ask an admin to switch them on.",
    /** Also in the dialog that makes a link. */
    onlyHere:
      "Customers cannot open this link: it leads to this computer. Kontor needs the address at which they reach it (--public-url).",
    addLink: "Add link",
    switchOnAndAddLink: "Switch on pages and add link",
    attachments: "Attachments",
    /** `{{file}}` is the name of the PDF. */
    look: "Look at {{file}}",
    withXml: "Also attach the e-invoice as XML",
    lastSent: "It was last sent on {{time}}.",
    queued: "The message to {{to}} is on its way.",
    lastSentAt: "Sent",
    saveFirst: "Save first: only what is saved is sent.",
    notSetUp: "Mail is not set up yet",
    notSetUpText:
      "Kontor sends documents through your own mail server. Set it up once; it takes a few minutes.",
    notSetUpAsk:
      "Kontor sends documents through the mail server of your business. An admin sets it up once, under Settings, Mail.",
    setUp: "Set up mail",
    /** The question before many documents are sent. */
    sentBefore_one: "{{shown}} of them was sent before.",
    sentBefore_other: "{{shown}} of them were sent before.",
    cannot: "These cannot be sent:",
    onlyFirst: "Only the first {{shown}} were checked.",
    isDraft: "A draft is not sent",
    isOpening: "An invoice of another system has no PDF",
    issueAndSend: "Issue and send",
    createAndSend: "Create and send",
    sendsTo: "“{{action}}” also sends it to {{address}}.",
    cannotSend: "It cannot be sent at once: {{customer}} has no email address.",
  },
  de: {
    send: "Senden",
    sendDocument: "{{number}} senden",
    to: "An",
    toHint: "Mehrere Adressen trennen Sie mit Kommas.",
    noAddress: "{{customer}} hat noch keine E-Mail-Adresse.",
    addAddress: "Adresse eintragen",
    saveAddress: "Diese Adresse beim Kunden speichern",
    addressSaved: "Die Adresse wurde beim Kunden gespeichert.",
    cc: "Kopie an",
    language: "Sprache",
    subject: "Betreff",
    message: "Text",
    hasLink: "Statt der Worte in Klammern bekommt der Kunde einen Link zu seiner eigenen Seite.",
    noLink: "Im Text fehlt ein Link, mit dem der Kunde annehmen kann.",
    noPages:
      "Im Text fehlt ein Link, mit dem der Kunde annehmen kann: Seiten für Kunden sind ausgeschaltet. Kunden müssen diesen Server erreichen können.",
    noPagesAsk:
      "Im Text fehlt ein Link, mit dem der Kunde annehmen kann: Seiten für Kunden sind ausgeschaltet. Bitten Sie einen Administrator, sie einzuschalten.",
    onlyHere:
      "Kunden können diesen Link nicht öffnen: Er führt auf diesen Rechner. Kontor braucht die Adresse, unter der sie es erreichen (--public-url).",
    addLink: "Link einfügen",
    switchOnAndAddLink: "Seiten einschalten und Link einfügen",
    attachments: "Anhänge",
    look: "{{file}} ansehen",
    withXml: "Auch die E-Rechnung als XML anhängen",
    lastSent: "Zuletzt gesendet: {{time}}.",
    queued: "Die E-Mail an {{to}} ist unterwegs.",
    lastSentAt: "Gesendet",
    saveFirst: "Speichern Sie zuerst: Gesendet wird nur, was gespeichert ist.",
    notSetUp: "Der E-Mail-Versand ist noch nicht eingerichtet",
    notSetUpText:
      "Kontor verschickt Belege über Ihren eigenen Mailserver. Richten Sie ihn einmal ein; das dauert wenige Minuten.",
    notSetUpAsk:
      "Kontor verschickt Belege über den Mailserver Ihrer Firma. Ein Administrator richtet ihn einmal ein, unter „Einstellungen“, „E-Mail-Versand“.",
    setUp: "E-Mail-Versand einrichten",
    sentBefore_one: "{{shown}} davon wurde schon einmal gesendet.",
    sentBefore_other: "{{shown}} davon wurden schon einmal gesendet.",
    cannot: "Diese können nicht gesendet werden:",
    onlyFirst: "Nur die ersten {{shown}} wurden geprüft.",
    isDraft: "Ein Entwurf wird nicht verschickt",
    isOpening: "Eine Rechnung aus einem anderen Programm hat kein PDF",
    issueAndSend: "Ausstellen und senden",
    createAndSend: "Anlegen und senden",
    sendsTo: "„{{action}}“ schickt auch eine E-Mail an {{address}}.",
    cannotSend: "Sie kann nicht gleich gesendet werden: {{customer}} hat keine E-Mail-Adresse.",
  },
})
