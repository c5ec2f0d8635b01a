import type { Database } from "../../../core/engine/engine"
import type { TableStore } from "../../../core/store/table-store"
import type { Tx, Writer } from "../../../core/write/writer"
import type { Attachment, Message, messages } from "../model"
import type { MailFile } from "../transport/compose"
import type { Prepared } from "./sender"
import { findFiles, saveFile, type StoredFile } from "../store"

export type PrepareDeps = {
  db: Database
  store: TableStore<typeof messages>
  writer: Writer
  /** Makes a file of a message. */
  fileOf: (message: Message, file: StoredFile, signal: AbortSignal) => Promise<Uint8Array>
  /** The text of a message whose own text has something in it that is not stored, such as a link with a secret. */
  textOf: (message: Message) => Promise<string>
  logo: () => { type: string; bytes: Uint8Array } | null
  company: () => string
}

type Made = Attachment & { bytes: number; content: Uint8Array }

/** Makes what a message has, and stores the hashes of its files, so that each attempt sends the same. */
export async function prepared(deps: PrepareDeps, message: Message, signal: AbortSignal): Promise<Prepared> {
  const files = findFiles(deps.db, message.id)
  const made: Made[] = []
  for (const file of files) {
    const content = await deps.fileOf(message, file, signal)
    const known = message.attachments[file.position]
    const sha256 = Bun.SHA256.hash(new Uint8Array(content), "hex")
    if (known?.sha256 && known.sha256 !== sha256) throw new Error("A file has another hash than before.")
    made.push({ name: known?.name ?? "file", sha256, bytes: content.length, content })
  }
  if (message.attachments.some(({ sha256 }) => sha256 === null))
    await deps.writer((tx) => keep(deps, tx, message.id, files, made))
  return {
    message: await deps.textOf(message),
    logo: deps.logo(),
    company: deps.company(),
    files: made.map(asFile),
  }
}

/** Stores the files that are kept nowhere else, and the hashes of all. */
function keep(
  { db, store }: PrepareDeps,
  tx: Tx,
  id: string,
  files: readonly StoredFile[],
  made: readonly Made[],
): void {
  for (const [i, file] of files.entries()) {
    const content = made[i]?.content
    if (file.paper && content) saveFile(db, id, file.position, content)
  }
  const before = store.load(id) as Message | null
  if (!before) return
  const attachments = made.map(({ name, sha256, bytes }) => ({ name, sha256, bytes }))
  store.replace(tx, { ...before, attachments, version: before.version + 1, updatedAt: tx.now }, before)
}

const asFile = ({ name, content }: Made): MailFile => ({
  name,
  type: name.endsWith(".xml") ? "application/xml" : "application/pdf",
  bytes: content,
})
