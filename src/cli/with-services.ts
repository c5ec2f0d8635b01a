import type { Config } from "../config"
import { openWriter } from "../core/write/commit"
import type { Writer } from "../core/write/writer"
import { newSecret } from "../core/lib/secret"
import { openExisting } from "../server/database"
import { createServices, type Services } from "../services"

/** Opens the file, runs some work with the services that the server uses, and closes it. A server may run at the same time. */
export async function withServices(
  { db: file, allowPrivateWebhooks, noSending }: Config,
  work: (services: Services, writer: Writer) => Promise<void>,
): Promise<void> {
  const db = openExisting(file)
  try {
    const { writer, subscribe } = openWriter(db)
    // Commands issue nothing that is signed, so they do not read the secrets of the file.
    const services = createServices({
      db,
      writer,
      issuer: () => "",
      secretOf: newSecret,
      thread: null,
      subscribe,
      keepEvents: Infinity,
      allowPrivateWebhooks,
      noSending,
    })
    await work(services, writer)
  } finally {
    db.close()
  }
}
