// Builds dist/kontor, one file without dependencies. `--target linux-arm64` and so on build for other systems.
import { parseArgs } from "node:util"
import { compile } from "./build/compile"
import { pack } from "./build/pack"
import { hostTarget, targetNamed } from "./build/targets"

const { values } = parseArgs({ options: { target: { type: "string" }, outfile: { type: "string" } } })
try {
  const target = values.target === undefined ? hostTarget() : targetNamed(values.target)
  const name = values.target === undefined ? "kontor" : `kontor-${target.name}`
  const outfile = values.outfile ?? `dist/${name}${target.suffix}`
  await compile(target, await pack(), outfile)
  console.error(`Built ${outfile} (${Math.round(Bun.file(outfile).size / 1024 / 1024)} MB)`)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
