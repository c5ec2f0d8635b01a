// Fills the demo shop, for embedding in the executable.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { readRun } from "../../src/cli/command"
import { serveCommand } from "../../src/cli/serve"
import { snapshotSource } from "../../src/core/engine/place"
import type { PreparedShop } from "../../src/demo/prepared"
import { startServer } from "../../src/server/serve"

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
        const bytes = snapshotSource(current().db, ":memory:")
        if (access && typeof bytes !== "string") filled = { bytes, access }
        return ""
      },
    },
  )
  await server.stop()
  if (!filled) throw new Error("The demo shop could not be filled.")
  return filled
}
