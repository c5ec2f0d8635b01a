import type { Config } from "../config"
import type { Database } from "../core/engine/engine"
import { openWriter } from "../core/write/commit"
import type { Writer } from "../core/write/writer"
import { newSecret } from "../core/lib/secret"
import { openExisting, openExistingToRead } from "../server/database"
import { createServices, type Services } from "../services"
import { isLongWork, type Later } from "../core/lib/turns"
import type { Resource } from "../core/kind/define"
import type { MoneyContext } from "../core/kind/field"
import { readListQuery, type ListQuery } from "../core/store/list"
import type { Page } from "../core/store/table-list"

/** Opens the file, runs some work with the services that the server uses, and closes it. A server may run at the same time. */
export async function withServices(
  { db: file, allowPrivateWebhooks, noSending }: Config,
  work: (services: Services, writer: Writer) => Promise<void>,
): Promise<void> {
  await withDatabase(file, async (db) => {
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
      publicUrl: null,
      noSending,
    })
    await work(services, writer)
  })
}

/** Opens a database that exists, runs some work with it, and closes it. */
export async function withDatabase(
  file: string,
  work: (db: Database) => Promise<void> | void,
): Promise<void> {
  const db = openExisting(file)
  try {
    await work(db)
  } finally {
    db.close()
  }
}

/** The same for work that only reads it. `file` is where the database is read: a copy, if it cannot be read in its place. */
export async function withDatabaseToRead(
  name: string,
  work: (db: Database, file: string) => Promise<void> | void,
): Promise<void> {
  const { db, file, close } = openExistingToRead(name)
  try {
    await work(db, file)
  } finally {
    close()
  }
}

/** A placeholder: the kinds that commands list have no amounts and no dates that depend on the context. */
const standardContext: MoneyContext = { currency: "USD", digits: 2, today: "1970-01-01" }

/** Returns every record of a kind, read page by page, in ascending order of `sort`. */
export async function listAll<T>(
  resource: Resource,
  list: (query: ListQuery) => Later<Page<T>>,
  sort: string,
  filter = "",
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const query = readListQuery(
      resource,
      `perPage=100&order=asc&sort=${sort}&page=${page}${filter && `&${filter}`}`,
      standardContext,
    )
    const found = list(query)
    const { rows, nextCursor } = isLongWork(found) ? await found(null) : found
    all.push(...rows)
    if (nextCursor === null) return all
  }
}
