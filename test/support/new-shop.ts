import { Database } from "bun:sqlite"
import { copyFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { adminEmail, adminPassword, cheapHash } from "./admin"

/**
 * A file of SQLite as a server leaves it that has started once: with all tables and the first admin of most tests. The test
 * runner makes one, and servers of tests start with copies of it, because to make it takes longer than most tests.
 */
const newShop = process.env.KONTOR_TEST_NEW_SHOP

/** Makes the file in an empty folder and returns its path. */
export async function makeNewShop(folder: string): Promise<string> {
  const env = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword }
  // The tests, which only copy the file, do not load the server.
  const { serveHere } = await import("./here")
  const server = await serveHere([], folder, env)
  await server.stop()
  const db = new Database(server.file)
  db.query("UPDATE passwords SET hash = ?").run(cheapHash())
  // Each copy makes its own secrets, and its own feed of events, when a server starts with it.
  db.run("DELETE FROM secrets")
  db.run("DELETE FROM webhook_sending")
  db.close()
  return server.file
}

/** Copies the file into a folder in which a new database would be created. */
export function copyNewShop(folder: string): void {
  const file = join(folder, "kontor.db")
  if (newShop !== undefined && !existsSync(file)) copyFileSync(newShop, file)
}
