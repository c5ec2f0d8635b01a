// Builds the executables of a release into release/, with their checksums and a list of what they contain.
//   bun run release                          for all systems
//   bun run release --only linux-x64,macos-arm64
import { createHash } from "node:crypto"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { compile } from "./build/compile"
import { pack } from "./build/pack"
import { targetNamed, targets, type Target } from "./build/targets"
import { nameOf, releaseFolder, sbomName, sumsName } from "./release/files"
import { packagesOf } from "./release/packages"
import { sbomOf } from "./release/sbom"

const { values } = parseArgs({ options: { only: { type: "string" } } })
try {
  await release(values.only === undefined ? targets : values.only.split(",").map(targetNamed))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

async function release(wanted: readonly Target[]): Promise<void> {
  rmSync(releaseFolder, { recursive: true, force: true })
  mkdirSync(releaseFolder)
  const packed = await pack()
  const sources = new Set<string>()
  for (const target of wanted) {
    const file = join(releaseFolder, nameOf(target))
    for (const source of await compile(target, packed, file)) sources.add(source)
    console.error(`Built ${file} (${Math.round(Bun.file(file).size / 1024 / 1024)} MB)`)
  }
  await Bun.write(join(releaseFolder, sbomName), sbomOf(packagesOf([...sources]), process.versions))
  const names = [...wanted.map(nameOf), sbomName]
  const sums = await Promise.all(names.map(async (name) => `${await sha256Of(name)}  ${name}\n`))
  await Bun.write(join(releaseFolder, sumsName), sums.join(""))
}

async function sha256Of(name: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const part of Bun.file(join(releaseFolder, name)).stream()) hash.update(part)
  return hash.digest("hex")
}
