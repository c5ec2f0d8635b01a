import type { Area } from "../texts"

export const backups: Area<"backups"> = {
  downloadTitle: "Sicherung herunterladen",
  downloadText:
    "Eine Sicherung enthält alle Daten von diesem Zeitpunkt. Sie wird vor dem Herunterladen geprüft. Währenddessen können Sie weiterarbeiten.",
  download: "Sicherung herunterladen",
  creating: "Die Sicherung wird erstellt und geprüft. Bleiben Sie auf dieser Seite.",
  loading: "Wird heruntergeladen: {{loaded}}.",
  loadingOf: "Wird heruntergeladen: {{loaded}} von {{total}}.",
  downloaded: "{{name}} ({{size}}) wurde heruntergeladen.",
  progress: "Fortschritt des Herunterladens",
  failed: "Die Sicherung ist fehlgeschlagen",
  busy: "Es läuft schon eine Sicherung, oder der Server ist ausgelastet. Versuchen Sie es in einer Minute noch einmal.",
  postgresTitle: "Sicherungen von PostgreSQL",
  postgresText:
    "Die Daten dieses Servers sind in einer PostgreSQL-Datenbank. Kontor sichert sie nicht und stellt sie nicht wieder her: Verwenden Sie pg_dump oder pgBackRest auf dem Rechner der Datenbank.",
  postgresSecrets:
    "Eine solche Sicherung enthält auch die Sitzungen und deren Signaturschlüssel. Wer sie lesen kann, kann als jeder Benutzer handeln.",
  exportTitle: "Alle Daten exportieren",
  exportText:
    "Eine ZIP-Datei mit allen Datensätzen als Text (NDJSON), den gespeicherten PDFs und E-Rechnungen und dem Prüfprotokoll, für ein anderes Programm oder Ihre eigene Ablage. Zum Wiederherstellen von Kontor dient eine Sicherung.",
  exportAll: "Alle Daten herunterladen",
  exporting: "Die Daten werden gelesen. Bleiben Sie auf dieser Seite.",
  exportFailed: "Der Export ist fehlgeschlagen",
  exportBusy: "Es laufen schon andere Exporte. Versuchen Sie es in einer Minute noch einmal.",
  contentsTitle: "Was eine Sicherung enthält",
  included:
    "Enthalten: Artikel, Lagerbestand, Kunden, Aufträge, Rechnungen, Zahlungen, Benutzer, API-Schlüssel, OAuth-Clients, Einstellungen und das Prüfprotokoll.",
  notIncluded:
    "Nicht enthalten: Sitzungen und ihre Signaturschlüssel, sodass sich niemand allein mit einer Sicherung anmelden kann. Passwörter, API-Schlüssel und Geheimnisse von Clients sind nur als Hashwerte enthalten und können nicht ausgelesen werden.",
  storing:
    "Bewahren Sie Sicherungen auf einem anderen Rechner auf, wo nur Personen mit Zugriff auf alle Geschäftsdaten sie lesen können.",
  restoreTitle: "Sicherung wiederherstellen",
  inMemory:
    "Dieser Demo-Shop liegt im Arbeitsspeicher. Er hat keine Datei, die eine Sicherung ersetzen könnte.",
  stopServer: "Halten Sie den Server an. Führen Sie dann auf seinem Rechner diesen Befehl aus:",
  command: "Befehl",
  copyCommand: "Befehl kopieren",
  replaceFile: "Ersetzen Sie {{file}} durch den Pfad der Sicherung auf diesem Rechner.",
  file: "SICHERUNGSDATEI",
  replacePath:
    "Das ist die neueste automatische Sicherung. Um eine andere wiederherzustellen, ersetzen Sie ihren Pfad.",
  afterRestore:
    "Die bisherige Datenbank wird nicht gelöscht, sondern aufbewahrt. Starten Sie danach den Server. Benutzer und verbundene Apps müssen sich neu anmelden. API-Schlüssel funktionieren weiter.",
  automaticTitle: "Automatische Sicherungen",
  automaticText:
    "Starten Sie den Server mit diesen Optionen, um alle 24 Stunden eine Sicherung zu erstellen und die letzten 14 aufzubewahren:",
  uploadTitle: "Sicherungen im S3-kompatiblen Speicher",
  uploadTarget: "Adresse",
  uploadLatest: "Neueste Sicherung",
  uploadNone: "Keine bekannt",
  uploadEncryption: "Verschlüsselung",
  uploadEncrypted: "Mit einer Passphrase verschlüsselt",
  uploadPlain: "Nicht verschlüsselt",
  uploadFailed: "Das letzte Hochladen ist fehlgeschlagen ({{time}}). Es wird von selbst wiederholt.",
  uploadErrors: {
    UNREACHABLE:
      "Der Speicher ist nicht erreichbar. Prüfen Sie seine URL (KONTOR_S3_ENDPOINT) und das Netzwerk des Servers.",
    NO_BUCKET: "Den Bucket gibt es nicht. Legen Sie ihn an, oder berichtigen Sie --backup-to.",
    NOT_FOUND: "Die Sicherung ist nicht im Speicher.",
    ACCESS_DENIED:
      "Der Speicher verweigert den Zugriff. Prüfen Sie den Zugriffsschlüssel und seine Rechte: Objekte auflisten, lesen, schreiben und löschen.",
    FAILED: "Sehen Sie sich die Einzelheiten und das Protokoll des Servers an.",
  },
  uploadDetails: "Einzelheiten: {{message}}",
  uploadRestore:
    "Der Befehl braucht dieselben Variablen wie der Server, mit dem Zugriffsschlüssel zum Speicher und der Passphrase.",
  uploadText:
    "Mit dieser Option werden Sicherungen auch in einen S3-kompatiblen Speicher hochgeladen. Die Anleitung beschreibt den Zugriffsschlüssel:",
  every: "{{option}} nimmt Minuten, Stunden oder Tage an, zum Beispiel 30m, 24h oder 7d.",
}
