// Builds a release and checks each file of it: `bun scripts/release/check.ts [--without-build]`.
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Glob } from "bun"
import { hostTarget, targets, type Target } from "../build/targets"
import { nameOf, releaseFolder, sbomName, sumsName } from "./files"
import { headerOf, type Header } from "./header"
import { signatureFault } from "./signature"

const { values } = parseArgs({ options: { "without-build": { type: "boolean" } } })
if (!values["without-build"]) {
  const build = Bun.spawnSync([process.execPath, "scripts/release.ts"], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  if (!build.success) process.exit(1)
}
const faults = [...targets.flatMap(faultsOf), ...faultsOfSums(), ...faultsOfSbom()]
for (const fault of faults) console.error(fault)
console.log(`The release has ${targets.length} executables and ${faults.length} faults.`)
process.exit(faults.length === 0 ? 0 : 1)

function faultsOf(target: Target): string[] {
  const file = join(releaseFolder, nameOf(target))
  if (!existsSync(file)) return [`${file} is missing`]
  const bytes = readFileSync(file)
  const faults = [...faultsOfHeader(target, headerOf(bytes)), ...missingIn(target, bytes)]
  const signature = target.name.startsWith("macos-arm64") ? signatureFault(bytes) : null
  if (signature) faults.push(signature)
  if (target.name === hostTarget().name) faults.push(...faultsOfRun(file))
  return faults.map((fault) => `${file} ${fault}`)
}

/** The header must be that of the system in the name of the file. */
function faultsOfHeader({ name }: Target, { format, machine, loader }: Header): string[] {
  const [system = "", processor] = name.split("-")
  const wanted = { linux: "ELF", macos: "Mach-O", windows: "PE" }[system]
  const library = loader?.includes("musl") ? "musl" : "glibc"
  const faults: string[] = []
  if (format !== wanted) faults.push(`has the format ${format}`)
  if (machine !== processor) faults.push(`is for ${machine}`)
  if (system === "linux" && (library === "musl") !== name.endsWith("musl")) faults.push(`needs ${library}`)
  return faults
}

/** The schema, all migrations, the files of the console, the fonts and the addon must be inside. */
function missingIn({ addon }: Target, bytes: Buffer): string[] {
  const pieces: [string, Buffer][] = [
    ["schema.sql", firstStatementOf("schema.sql")],
    ["migrations.sql", firstStatementOf("migrations.sql")],
    ...filesOf("dist/console/index*.brotli").map((path): [string, Buffer] => [path, readFileSync(path)]),
    [
      "the font",
      readFileSync("node_modules/@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf"),
    ],
    ...(addon
      ? [["argon2", readFileSync(`node_modules/argon2/prebuilds/${addon}`)] as [string, Buffer]]
      : []),
  ]
  return pieces.filter(([, piece]) => !bytes.includes(piece)).map(([name]) => `does not contain ${name}`)
}

function filesOf(pattern: string): string[] {
  return [...new Glob(pattern).scanSync()].toSorted()
}

/** The first line of SQL. The bundler keeps the text of a line as it is. */
function firstStatementOf(path: string): Buffer {
  const lines = readFileSync(path, "utf8").split("\n")
  return Buffer.from(lines.find((line) => /^[A-Z]/.test(line)) ?? path)
}

/** The executable for this system must start. */
function faultsOfRun(file: string): string[] {
  const run = Bun.spawnSync([file, "version"], { stdout: "pipe", stderr: "pipe" })
  const [version = ""] = run.stdout.toString().split(" ")
  const name = `kontor-${version}-`
  return file.includes(name) ? [] : [`does not print its version: ${run.stderr.toString()}`]
}

function faultsOfSums(): string[] {
  const lines = readFileSync(join(releaseFolder, sumsName), "utf8").trimEnd().split("\n")
  const wanted = [...targets.map(nameOf), sbomName].map((name) => {
    const bytes = readFileSync(join(releaseFolder, name))
    return `${createHash("sha256").update(bytes).digest("hex")}  ${name}`
  })
  return wanted
    .filter((line) => !lines.includes(line))
    .map((line) => `${sumsName} does not have the line ${line}`)
}

/** Every reference inside the list must point to a component, and every direct dependency must be in it. */
function faultsOfSbom(): string[] {
  const sbom = JSON.parse(readFileSync(join(releaseFolder, sbomName), "utf8"))
  const components: { name: string; "bom-ref": string }[] = [sbom.metadata.component, ...sbom.components]
  const refs = components.map((each) => each["bom-ref"])
  const used = sbom.dependencies.flatMap((each: { ref: string; dependsOn: string[] }) => [
    each.ref,
    ...each.dependsOn,
  ])
  const names = components.map(({ name }) => name)
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"))
  return [
    ...used.filter((ref: string) => !refs.includes(ref)).map((ref: string) => `${sbomName} refers to ${ref}`),
    ...[...Object.keys(dependencies), "bun", "sqlite"]
      .filter((name) => !names.includes(name))
      .map((name) => `${sbomName} does not have ${name}`),
    ...(new Set(refs).size === refs.length ? [] : [`${sbomName} has a component twice`]),
  ]
}
