/** The backups. */
export const backups = {
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
    "Not included: sessions and their signing keys, so nobody can sign in with a backup alone. Passwords, API keys and client secrets are included only as hashes and cannot be read from it.",
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
} as const
