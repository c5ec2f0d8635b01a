import type { Database } from "../../core/engine/engine"
import type { Attachment } from "./model"
import { allStoredFiles } from "./store"

/** Compares the files of messages with their hashes: those that are stored with them, and the kept papers. */
export function findMailFaults(db: Database): string[] {
  const faults: string[] = []
  for (const { message, position, attachments, bytes, kept } of allStoredFiles(db)) {
    const file = (JSON.parse(attachments) as Attachment[])[position]
    if (!file) faults.push(`Message ${message} does not name its file ${position}.`)
    else if (bytes && Bun.SHA256.hash(new Uint8Array(bytes), "hex") !== file.sha256)
      faults.push(`The file ${file.name} of message ${message} was changed: it has another hash.`)
    else if (!bytes && kept !== null && file.sha256 !== null && kept !== file.sha256)
      faults.push(`The file ${file.name} of message ${message} is not the kept paper: it has another hash.`)
  }
  return faults
}
