import type { Config } from "../config"
import { openWriter } from "../db/commit"
import type { Writer } from "../db/writer"
import { openExisting } from "../server/database"
import { createServices, type Services } from "../services"

/** Opens the file, does some work with the services that the server uses too, and closes it. A server may run beside it. */
export async function withServices(
  { db: file }: Config,
  work: (services: Services, writer: Writer) => Promise<void>,
): Promise<void> {
  const db = openExisting(file)
  try {
    const { writer } = openWriter(db)
    await work(createServices({ db, writer, issuer: () => "", setupToken: null }), writer)
  } finally {
    db.close()
  }
}
