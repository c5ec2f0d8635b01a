import { textsOf } from "../../../console/texts"

export const t = textsOf({
  en: {
    downloadTitle: "Download a backup",
    downloadText:
      "A backup contains all data at this moment. It is checked before the download. You can keep working while it runs.",
    download: "Download backup",
    creating: "Creating and checking the backup. Stay on this page.",
    loading: "Downloading: {{loaded}}.",
    loadingOf: "Downloading: {{loaded}} of {{total}}.",
    downloaded: "{{name}} ({{size}}) was downloaded.",
    progress: "Download progress",
    failed: "Backup failed",
    busy: "Another backup is running, or the server is busy. Try again in a minute.",
    postgresTitle: "Backups of PostgreSQL",
    postgresText:
      "The data of this server is in a PostgreSQL database. Kontor does not back it up or restore it: use pg_dump or pgBackRest on the machine of the database.",
    postgresSecrets:
      "Such a backup also contains sessions and their signing keys. Anyone who can read it can act as any user.",
    exportTitle: "Export all data",
    exportText:
      "One ZIP file with all records as text (NDJSON), the stored PDFs and e-invoices, and the audit log, for another program or for your own records. To restore Kontor, use a backup.",
    exportAll: "Download all data",
    exporting: "Reading the data. Stay on this page.",
    exportFailed: "Export failed",
    exportBusy: "Other exports are running. Try again in a minute.",
    contentsTitle: "What a backup contains",
    included:
      "Included: items, stock, customers, orders, invoices, payments, users, API keys, OAuth clients, settings and the audit log.",
    notIncluded:
      "Not included: sessions and their signing keys, so nobody can sign in with a backup alone. Passwords, API keys and client secrets are included only as hashes and cannot be read from it. The secrets of authenticator apps can be read from it.",
    storing:
      "Store backups on another machine, where only people with access to all business data can read them.",
    restoreTitle: "Restore a backup",
    inMemory: "This demo shop is in memory. It has no file that a backup could replace.",
    stopServer: "Stop the server. Then run this command on its machine:",
    command: "Command",
    copyCommand: "Copy command",
    replaceFile: "Replace {{file}} with the path of the backup on that machine.",
    /** Stands for the path of a backup in a command. */
    file: "BACKUP-FILE",
    replacePath: "This is the newest automatic backup. To restore another backup, replace its path.",
    afterRestore:
      "The previous database is kept, not deleted. Then start the server. Users and connected apps must sign in again. API keys keep working.",
    automaticTitle: "Automatic backups",
    automaticText:
      "Start the server with these options to create a backup every 24 hours and keep the latest 14:",
    uploadTitle: "Backups in S3-compatible storage",
    uploadTarget: "Address",
    uploadLatest: "Newest backup",
    uploadNone: "None known",
    uploadEncryption: "Encryption",
    uploadEncrypted: "Encrypted with a passphrase",
    uploadPlain: "Not encrypted",
    uploadFailed: "The last upload failed ({{time}}). It is tried again by itself.",
    uploadErrors: {
      UNREACHABLE:
        "The storage cannot be reached. Check its URL (KONTOR_S3_ENDPOINT) and the network of the server.",
      NO_BUCKET: "The bucket does not exist. Create it, or correct --backup-to.",
      NOT_FOUND: "The storage does not have the backup.",
      ACCESS_DENIED:
        "The storage denies access. Check the access key and its rights: to list, read, write and delete objects.",
      FAILED: "Look at the details, and at the log of the server.",
    },
    uploadDetails: "Details: {{message}}",
    uploadRestore:
      "The command needs the same variables as the server, with the access key to the storage and the passphrase.",
    uploadText:
      "With this option, backups are also uploaded to S3-compatible storage. The guide describes the access key:",
    every: "{{option}} takes minutes, hours or days, such as 30m, 24h or 7d.",
  },
  de: {
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
      "Eine ZIP-Datei mit allen Einträgen als Text (NDJSON), den gespeicherten PDFs und E-Rechnungen und dem Prüfprotokoll, für ein anderes Programm oder Ihre eigene Ablage. Zum Wiederherstellen von Kontor dient eine Sicherung.",
    exportAll: "Alle Daten herunterladen",
    exporting: "Die Daten werden gelesen. Bleiben Sie auf dieser Seite.",
    exportFailed: "Der Export ist fehlgeschlagen",
    exportBusy: "Es laufen schon andere Exporte. Versuchen Sie es in einer Minute noch einmal.",
    contentsTitle: "Was eine Sicherung enthält",
    included:
      "Enthalten: Artikel, Bestand, Kunden, Aufträge, Rechnungen, Zahlungen, Benutzer, API-Schlüssel, OAuth-Clients, Einstellungen und das Prüfprotokoll.",
    notIncluded:
      "Nicht enthalten: Sitzungen und ihre Signaturschlüssel, sodass sich niemand allein mit einer Sicherung anmelden kann. Passwörter, API-Schlüssel und Geheimnisse von Clients sind nur als Hashwerte enthalten und können nicht ausgelesen werden. Die Geheimnisse der Authenticator-Apps lassen sich auslesen.",
    storing:
      "Bewahren Sie Sicherungen auf einem anderen Rechner auf, wo nur Personen mit Zugriff auf alle Geschäftsdaten sie lesen können.",
    restoreTitle: "Sicherung wiederherstellen",
    inMemory:
      "Dieser Demo-Laden liegt im Arbeitsspeicher. Er hat keine Datei, die eine Sicherung ersetzen könnte.",
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
  },
})
