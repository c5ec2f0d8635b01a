import { textsOf } from "../../../console/texts"

/** The messages, and what has become of them. */
export const t = textsOf({
  en: {
    intro: "Every email with an invoice, an order or a credit note is here, with what has become of it.",
    document: "Document",
    outcome: "Outcome",
    /** The message about a forgotten password. */
    password: "New password",
    /** What stands in a text for the link that is made when the message is sent. */
    linkWords: {
      documents: "[Link to read and accept it]",
      users: "[Link to set a new password]",
    },
    retry: "Try again",
    confirmRetry: "Send this message again?",
    confirmRetryText:
      "Nobody knows whether the mail server took the message. {{to}} may get it twice. Better ask first whether it has arrived.",
    retried: "The message is sent again.",
    cancel: "Cancel",
    cancelled: "The message was cancelled.",
    /** The status of a message that was cancelled. */
    notSent: "Not sent",
    open: "Show message",
    nextAttempt: "Next attempt: {{time}}.",
    /** What a mail server has answered. */
    says: "The mail server says: “{{text}}”",
    uncertain:
      "Perhaps it has arrived: the connection ended before the mail server confirmed it. Ask the receiver before you send it again.",
    rejected: "The mail server refused these addresses: {{addresses}}",
    to: "To {{to}}",
    mailTo: "Email to {{to}}",
    attempts: "Attempts",
    noAttempts: "It was not tried yet.",
    contents: "Message",
    by: "Asked for by",
    steps: {
      prepare: "Make the files",
      connect: "Connect",
      tls: "Encrypt the connection",
      auth: "Sign in",
      sender: "Sender",
      recipient: "Recipient",
      data: "Hand over the message",
    },
    switchedOff: "This server sends nothing",
    switchedOffText: "It was started with --no-sending. Messages wait.",
    paused: "Sending is paused",
    pausedText:
      "The database was restored from a backup. Kontor does not know what was sent after the backup, so it sends nothing until an admin resumes it.",
    resume: "Resume sending",
    resumed: "Mail and events are sent again.",
    confirmResume: "Resume sending?",
    confirmResumeText:
      "Messages that wait are then sent, and webhooks get events again. If this is a copy for a test, do not resume: customers would get mail of the copy.",
    missing: "No mail can be sent",
    /** `{{what}}` is a list of fields. */
    missingText: "The set-up of mail lacks: {{what}}. Passwords and keys are not part of a backup.",
    setUp: "Set up mail",
    askAdmin: "Ask an admin to complete it.",
    lacks: {
      host: "server",
      from: "sender",
      user: "user name",
      password: "password",
      "oauth.tokenUrl": "address of the tokens",
      "oauth.clientId": "client ID",
      "oauth.clientSecret": "client secret",
    },
  },
  de: {
    intro:
      "Hier steht jede E-Mail mit Rechnung, Auftrag oder Rechnungskorrektur, und was daraus geworden ist.",
    document: "Beleg",
    outcome: "Ergebnis",
    password: "Neues Passwort",
    linkWords: {
      documents: "[Link zum Ansehen und Annehmen]",
      users: "[Link für ein neues Passwort]",
    },
    retry: "Erneut versuchen",
    confirmRetry: "Diese E-Mail noch einmal senden?",
    confirmRetryText:
      "Niemand weiß, ob der Mailserver die E-Mail angenommen hat. {{to}} bekommt sie vielleicht zweimal. Fragen Sie besser vorher nach, ob sie angekommen ist.",
    retried: "Die E-Mail wird noch einmal gesendet.",
    cancel: "Nicht senden",
    cancelled: "Die E-Mail wird nicht gesendet.",
    notSent: "Nicht gesendet",
    open: "E-Mail ansehen",
    nextAttempt: "Nächster Versuch: {{time}}.",
    says: "Der Mailserver sagt: „{{text}}“",
    uncertain:
      "Vielleicht ist sie angekommen: Die Verbindung brach ab, bevor der Mailserver es bestätigt hat. Fragen Sie beim Empfänger nach, bevor Sie sie noch einmal senden.",
    rejected: "Der Mailserver hat diese Adressen abgelehnt: {{addresses}}",
    to: "An {{to}}",
    mailTo: "E-Mail an {{to}}",
    attempts: "Versuche",
    noAttempts: "Es gab noch keinen Versuch.",
    contents: "Inhalt",
    by: "Auftrag von",
    steps: {
      prepare: "Dateien erstellen",
      connect: "Verbinden",
      tls: "Verbindung verschlüsseln",
      auth: "Anmelden",
      sender: "Absender",
      recipient: "Empfänger",
      data: "E-Mail übergeben",
    },
    switchedOff: "Dieser Server sendet nichts",
    switchedOffText: "Er wurde mit --no-sending gestartet. E-Mails warten.",
    paused: "Das Senden ist angehalten",
    pausedText:
      "Die Datenbank wurde aus einer Sicherung wiederhergestellt. Kontor weiß nicht, was nach der Sicherung gesendet wurde, und sendet deshalb nichts, bis ein Administrator es fortsetzt.",
    resume: "Senden fortsetzen",
    resumed: "E-Mails und Ereignisse werden wieder gesendet.",
    confirmResume: "Senden fortsetzen?",
    confirmResumeText:
      "E-Mails, die warten, werden dann gesendet, und Webhooks bekommen wieder Ereignisse. Wenn dies eine Kopie für Versuche ist, setzen Sie es nicht fort: Kunden bekämen E-Mails der Kopie.",
    missing: "E-Mails können nicht gesendet werden",
    missingText:
      "Dem E-Mail-Versand fehlt: {{what}}. Passwörter und Schlüssel gehören nicht zu einer Sicherung.",
    setUp: "E-Mail-Versand einrichten",
    askAdmin: "Ein Administrator muss das ergänzen.",
    lacks: {
      host: "Server",
      from: "Absender",
      user: "Benutzername",
      password: "Passwort",
      "oauth.tokenUrl": "Adresse für die Tokens",
      "oauth.clientId": "Client-ID",
      "oauth.clientSecret": "Clientschlüssel",
    },
  },
})
