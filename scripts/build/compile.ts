// Builds the executable for one system.
import { existsSync } from "node:fs"
import type { BunPlugin } from "bun"
import { commitIn } from "../../src/version"
import type { Packed } from "./pack"
import { hostTarget, type Target } from "./targets"

/** argon2 looks for its addon in a folder on disk. The executable has no such folder, so the addon is named directly. */
const embedArgon2 = (addon: string | null): BunPlugin => ({
  name: "embed-argon2",
  setup(build) {
    build.onLoad({ filter: /[\\/]argon2[\\/]argon2\.cjs$/ }, async ({ path }) => {
      // Without an addon the import fails, and Kontor uses Bun's own argon2id (src/core/lib/password.ts).
      if (addon === null) return { contents: `throw new Error("no addon for this system")`, loader: "js" }
      const source = await Bun.file(path).text()
      const lookup = "gypBuild(__dirname)"
      if (!source.includes(lookup))
        throw new Error(`argon2 no longer calls ${lookup}; update scripts/build/compile.ts.`)
      const contents = source
        .replace(lookup, `require("./prebuilds/${addon}")`)
        .replace('const gypBuild = require("node-gyp-build");', "")
      return { contents, loader: "js" }
    })
  },
})

/** From source, the console is bundled at the first request. The executable contains it bundled and compressed. */
const embedConsole = (contents: string): BunPlugin => ({
  name: "embed-console",
  setup(build) {
    build.onLoad({ filter: /[\\/]console[\\/]server[\\/]files\.ts$/ }, () => ({ contents, loader: "ts" }))
  },
})

/** From source, the demo shop is filled at its start. The executable contains it filled. */
const embedDemo = (contents: string): BunPlugin => ({
  name: "embed-demo",
  setup(build) {
    build.onLoad({ filter: /[\\/]demo[\\/]prepared\.ts$/ }, () => ({ contents, loader: "ts" }))
  },
})

/** Builds the executable for a target. Returns the paths of the files that it was made from. */
export async function compile(target: Target, packed: Packed, outfile: string): Promise<string[]> {
  const result = await Bun.build({
    // A worker is a separate program, so it is a separate entry point.
    entrypoints: [
      "src/main.ts",
      "src/core/engine/backup/backup-worker.ts",
      "src/core/engine/backup/copy/copy-worker.ts",
      "src/core/engine/reader-worker.ts",
      "src/storage/upload-worker.ts",
      "src/trade/paper/pdf/pdf-worker.ts",
      "src/office/sheets/read/sheet-worker.ts",
      "src/server/export-worker.ts",
      "src/server/stand-in/stand-in-worker.ts",
    ],
    target: "bun",
    compile: {
      target: target.bun,
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
    metafile: true,
    define: {
      "process.env.NODE_ENV": '"production"',
      // A build without git, such as that of an image, gets the commit as a variable.
      builtFrom: JSON.stringify(process.env.KONTOR_COMMIT || commitIn(".")),
    },
    plugins: [embedArgon2(target.addon), embedConsole(packed.console.module), embedDemo(packed.demo)],
  }).catch((error: unknown) => {
    throw new Error(failureOf(target, error instanceof Error ? error.message : String(error)))
  })
  if (!result.success) throw new Error(failureOf(target, result.logs.map(String).join("\n")))
  if (!existsSync(outfile)) throw new Error(`${outfile} was not written.`)
  return [...Object.keys(result.metafile?.inputs ?? {}), ...packed.console.sources]
}

const failureOf = (target: Target, reason: string): string =>
  `The build for ${target.name} failed: ${reason}` +
  (target.name === hostTarget().name
    ? ""
    : "\nBuilding for another system downloads Bun for it, which needs the internet.")
