// Bundles the console and compresses its files, for embedding in the executable.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { bundleConsole, placeOf } from "../../src/console/server/bundle"
import { packBrotli, packGzip } from "../../src/core/lib/pack"

/** The console, ready to be embedded. */
export type PackedConsole = {
  /** The source of a module that embeds the files. */
  module: string
  /** The paths of the files that it was made from. */
  sources: string[]
}

/** Writes the console's files, compressed, into a folder. */
export async function packConsole(folder: string): Promise<PackedConsole> {
  rmSync(folder, { recursive: true, force: true })
  const bundled = await bundleConsole()
  const entries = bundled.files.map(async (file, i) => {
    const packed = { brotli: await packBrotli(file.bytes, 11), gzip: await packGzip(file.bytes) }
    for (const [way, bytes] of Object.entries(packed))
      await Bun.write(join(folder, `${file.name}.${way}`), bytes)
    const from = (way: string) => JSON.stringify(join(folder, `${file.name}.${way}`))
    return {
      imports: `import b${i} from ${from("brotli")} with { type: "file" }
        import g${i} from ${from("gzip")} with { type: "file" }`,
      value: `{ ...${JSON.stringify({ ...placeOf(file), type: file.type })},
        brotli: () => Bun.file(b${i}).bytes(), gzip: () => Bun.file(g${i}).bytes() }`,
    }
  })
  const files = await Promise.all(entries)
  const module = `${files.map(({ imports }) => imports).join("\n")}
    export const consoleFiles = async () => [${files.map(({ value }) => value).join(",\n")}]`
  return { module, sources: bundled.sources }
}
