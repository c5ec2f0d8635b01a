// Builds dist/kontor, one file without dependencies. `--target bun-linux-arm64` and so on build for other systems.
import { existsSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { BunPlugin } from "bun"
import { bundleConsole, placeOf } from "../src/console/bundle"
import { packBrotli, packGzip } from "../src/lib/pack"

/** The targets we release, and the prebuilt argon2 addon of each. */
const addons: Record<string, string> = {
  "bun-linux-x64": "linux-x64/argon2.glibc.node",
  "bun-linux-x64-musl": "linux-x64/argon2.musl.node",
  "bun-linux-arm64": "linux-arm64/argon2.armv8.glibc.node",
  "bun-linux-arm64-musl": "linux-arm64/argon2.armv8.musl.node",
  "bun-darwin-arm64": "darwin-arm64/argon2.armv8.glibc.node",
  "bun-windows-x64": "win32-x64/argon2.glibc.node",
}

const { values } = parseArgs({ options: { target: { type: "string" }, outfile: { type: "string" } } })
const target = values.target ?? hostTarget()
const addon = addons[target]
if (!addon) fail(`There is no target ${target}. The targets are ${Object.keys(addons).join(", ")}.`)
const suffix = target.includes("windows") ? ".exe" : ""
const outfile =
  values.outfile ?? (values.target ? `dist/kontor-${target.slice(4)}${suffix}` : `dist/kontor${suffix}`)

/** argon2 looks for its addon in a folder on disk. The executable has no such folder, so the addon is named directly. */
const embedArgon2: BunPlugin = {
  name: "embed-argon2",
  setup(build) {
    build.onLoad({ filter: /[\\/]argon2[\\/]argon2\.cjs$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      const lookup = "gypBuild(__dirname)"
      if (!source.includes(lookup))
        throw new Error(`argon2 no longer calls ${lookup}; update scripts/build.ts.`)
      const contents = source
        .replace(lookup, `require("./prebuilds/${addon}")`)
        .replace('const gypBuild = require("node-gyp-build");', "")
      return { contents, loader: "js" }
    })
  },
}

/** From source, the console is bundled at the first request. The executable contains it bundled and compressed. */
const embedConsole: BunPlugin = {
  name: "embed-console",
  async setup(build) {
    const contents = await packConsole(resolve("dist/console"))
    build.onLoad({ filter: /[\\/]console[\\/]files\.ts$/ }, () => ({ contents, loader: "ts" }))
  },
}

/** Writes the console's files, compressed, into a folder. Returns the source of a module that embeds them. */
async function packConsole(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  const entries = (await bundleConsole()).map(async (file, i) => {
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
  return `${files.map(({ imports }) => imports).join("\n")}
    export const consoleFiles = async () => [${files.map(({ value }) => value).join(",\n")}]`
}

try {
  const result = await Bun.build({
    // A worker is a separate program, so it is a separate entry point.
    entrypoints: [
      "src/main.ts",
      "src/db/backup-worker.ts",
      "src/modules/paper/pdf/pdf-worker.ts",
      "src/modules/sheets/read/sheet-worker.ts",
      "src/server/export-worker.ts",
    ],
    target: "bun",
    compile: {
      target: target as "bun-linux-x64",
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      // Bun refuses longer requests without a body. Up to this length, a long URL gets our own response. The value is
      // also in package.json and test/support/kontor.ts, for the program from source.
      execArgv: ["--max-http-header-size=65536"],
    },
    // Next to the program, where the code that starts the worker looks for it.
    naming: { entry: "[name].[ext]" },
    format: "esm",
    bytecode: true,
    minify: { whitespace: true, syntax: true },
    sourcemap: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [embedArgon2, embedConsole],
  })
  if (!result.success) fail(result.logs.map(String).join("\n"))
} catch (error) {
  fail(
    `The build for ${target} failed: ${error instanceof Error ? error.message : String(error)}\n` +
      (values.target && values.target !== hostTarget()
        ? "Building for another system downloads Bun for it, which needs the internet."
        : ""),
  )
}
if (!existsSync(outfile)) fail(`${outfile} was not written.`)
console.error(`Built ${outfile} (${Math.round(Bun.file(outfile).size / 1024 / 1024)} MB)`)

function hostTarget(): string {
  const system = { win32: "windows", darwin: "darwin" }[process.platform as string] ?? "linux"
  const musl =
    system === "linux" && existsSync(`/lib/ld-musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`)
  return `bun-${system}-${process.arch}${musl ? "-musl" : ""}`
}

function fail(message: string): never {
  console.error(message.trim())
  process.exit(1)
}
