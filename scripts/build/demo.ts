// Fills the demo shop, for embedding in the executable.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { readRun } from "../../src/cli/command"
import { serveCommand } from "../../src/cli/serve"
import type { Database } from "../../src/core/engine/engine"
import { snapshotSource } from "../../src/core/engine/place"
import { valueOf } from "../../src/core/engine/sql"
import type { PreparedShop } from "../../src/demo/prepared"
import { startServer } from "../../src/server/serve"

/** Tables with secrets that the demo shop does not use. */
const unused = [
  "factors",
  "oauth_clients",
  "oauth_grants",
  "oidc_identities",
  "password_resets",
  "quotation_links",
  "recovery_codes",
  "sessions",
  "setting_secrets",
  "webhooks",
].map((table) => [table, 0] as const)

/** Writes the filled shop, compressed, into a folder. Returns the source of a module that embeds it. */
export async function packDemo(folder: string): Promise<string> {
  const { bytes, access } = await filledShop()
  rmSync(folder, { recursive: true, force: true })
  const file = join(folder, "shop.zst")
  await Bun.write(file, await Bun.zstdCompress(bytes, { level: 15 }))
  return `import shop from ${JSON.stringify(file)} with { type: "file" }
    export const preparedShop = async () => ({
      bytes: await Bun.zstdDecompress(await Bun.file(shop).bytes()),
      access: ${JSON.stringify(access)},
    })`
}

async function filledShop(): Promise<PreparedShop> {
  const { config } = readRun(serveCommand, ["--demo", "--port", "0", "--log-level", "error"], {})
  let filled: PreparedShop | null = null
  const server = await startServer(
    { ...config, db: ":memory:" },
    {
      env: {},
      tell() {},
      greeting(_, { access, current }) {
        const { db } = current()
        assertOnlyKnown(db)
        const bytes = snapshotSource(db, ":memory:")
        if (access && typeof bytes !== "string") filled = { bytes, access }
        return ""
      },
    },
  )
  await server.stop()
  if (!filled) throw new Error("The demo shop could not be filled.")
  return filled
}

/**
 * Everybody knows what the executable contains. Where others reach the shop, the password and the key of the owner and the
 * secrets of the server are replaced (`src/demo/owner.ts`, `src/server/demo.ts`), so it must contain no others.
 */
function assertOnlyKnown(db: Database): void {
  const most: Record<string, number> = { passwords: 1, api_key_digests: 1, ...Object.fromEntries(unused) }
  for (const [table, rows] of Object.entries(most))
    if ((valueOf<number>(db, `SELECT count(*) FROM ${table}`) ?? 0) > rows)
      throw new Error(`The demo shop has secrets in ${table} that src/demo/owner.ts does not replace.`)
}
