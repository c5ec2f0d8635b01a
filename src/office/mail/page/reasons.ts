import { language } from "../../../console/texts"

/** The sentences of Kontor itself in German, with `$1` for what they contain. What a mail server says stays as it is. */
const inGerman: readonly (readonly [RegExp, string])[] = [
  [
    /^The name (\S+) could not be resolved\.$/,
    "Den Server $1 gibt es nicht, oder sein Name lässt sich gerade nicht auflösen.",
  ],
  [/^The name (\S+) has no address\.$/, "Der Name $1 hat keine Adresse."],
  [/^The receiver refused the connection\.$/, "Der Server hat die Verbindung abgelehnt. Stimmt der Port?"],
  [
    /^The (?:receiver|server) closed the connection before its (?:response|answer)\.$/,
    "Der Server hat die Verbindung vor seiner Antwort geschlossen.",
  ],
  [/^The network of the receiver cannot be reached\.$/, "Das Netz des Servers ist nicht erreichbar."],
  [/^The receiver cannot be reached\.$/, "Der Server ist nicht erreichbar."],
  [
    /^The certificate of the receiver is for another name\.$/,
    "Das Zertifikat des Servers gilt für einen anderen Namen.",
  ],
  [/^The certificate of the receiver has expired\.$/, "Das Zertifikat des Servers ist abgelaufen."],
  [
    /^The certificate of the receiver is not trusted: (.*)\.$/,
    "Dem Zertifikat des Servers wird nicht vertraut ($1).",
  ],
  [/^The connection failed: (.*)\.$/, "Die Verbindung ist fehlgeschlagen ($1)."],
  [/^There was no response within (\S+) seconds\.$/, "Innerhalb von $1 Sekunden kam keine Antwort."],
  [/^The server did not answer in time\.$/, "Der Server hat nicht rechtzeitig geantwortet."],
  [
    /^The answer of the server is not SMTP, or it is too long\.$/,
    "Der Server antwortet nicht wie ein Mailserver. Stimmen Port und Verschlüsselung?",
  ],
  [/^The message is larger than the server accepts\.$/, "Die E-Mail ist größer, als der Server erlaubt."],
  [
    /^The connection would not be encrypted: .*$/,
    "Die Verbindung wäre unverschlüsselt. Das geht nur zu einem Server im eigenen Netz.",
  ],
  [/^The connection is encrypted\.$/, "Die Verbindung ist verschlüsselt."],
  [/^All addresses were refused\.$/, "Alle Adressen wurden abgelehnt."],
  [
    /^There is no access token: the server of the tokens answered with (.*)\.$/,
    "Es gibt kein Zugriffstoken: Die Anmeldung des Anbieters antwortete mit $1.",
  ],
  [/^There is no access token: (.*)$/, "Es gibt kein Zugriffstoken: $1"],
  [/^The files could not be made: (.*)$/, "Die Dateien konnten nicht erstellt werden: $1"],
  [/^The server of Kontor is stopping\.$/, "Kontor wurde gerade beendet."],
]

/** What stands at an attempt that got no answer, in the user's language. */
export function reasonIn(wanted: string, text: string): string {
  if (wanted !== "de") return text
  for (const [pattern, german] of inGerman) if (pattern.test(text)) return text.replace(pattern, german)
  return text
}

export const reasonInWords = (text: string): string => reasonIn(language, text)
