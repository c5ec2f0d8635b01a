// The full fault tests; `npm test` runs a shorter version of the same code. Needs the built binary.
//   bun scripts/faults/main.ts [crash|power|disk|all] [--rounds N] [--seed N]
import { existsSync, rmSync } from "node:fs"
import { parseArgs } from "node:util"
import type { Disk } from "./disk"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, seed: { type: "string" } },
})
const binary = `${process.cwd()}/dist/kontor`
if (!existsSync(binary)) fail("dist/kontor does not exist. Run: bun scripts/build.ts")
process.env.KONTOR_BINARY ??= binary

// Imported here, because these modules read from the environment which program to test.
const { cleanUp } = await import("../../test/support/kontor")
const { crash } = await import("./crash")
const { failingDisk, shimErrors, shimmedDisk, smallDisk } = await import("./disk")
const { carelessProgram, powerCut } = await import("./power")
const { findShim } = await import("./shim")

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
const say = (line: string) => console.log(line)

const forms: Record<string, () => Promise<string[]>> = {
  async crash() {
    const { faults, ...figures } = await crash({ seed, rounds: rounds ?? 25, say })
    say(`crash: ${JSON.stringify(figures)}`)
    return faults
  },
  async power() {
    const shim = await findShim()
    if (!shim) return ["The shim could not be built."]
    const { losses, damages, ...figures } = await powerCut({
      seed,
      points: rounds ?? 200,
      shim,
      stories: 120,
      writers: 16,
      say,
    })
    say(`power: ${JSON.stringify(figures)}`)
    const careless = await powerCut({ seed, points: 25, shim, command: carelessProgram() })
    say(`with synchronous = NORMAL: ${careless.losses.length} losses at ${careless.points} points`)
    const isBlind = careless.losses.length === 0
    return [...losses, ...damages, ...(isBlind ? ["Losses with synchronous = NORMAL were not found."] : [])]
  },
  disk: disks,
}

async function disks(): Promise<string[]> {
  const shim = await findShim()
  const small = smallDisk()
  try {
    const faults = await diskFaults("a small disk that fills up", small)
    for (const [name, error] of Object.entries(shimErrors))
      faults.push(...(await diskFaults(name, shim ? shimmedDisk(shim, error) : null)))
    return faults
  } finally {
    small?.remove()
  }
}

async function diskFaults(name: string, disk: Disk | null): Promise<string[]> {
  if (!disk) return [`${name} could not be created.`]
  const faults: string[] = []
  for (let round = 0; round < (rounds ?? 5); round++) {
    const { faults: found, ...figures } = await failingDisk(disk, seed + round)
    say(`${name}: ${JSON.stringify(figures)}`)
    faults.push(...found.map((fault) => `${name}: ${fault}`))
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${disk.cwd}/kontor.db${suffix}`, { force: true })
  }
  return faults
}

const [asked = "all", ...rest] = positionals
if (rest.length > 0 || (asked !== "all" && !(asked in forms)))
  fail(`Choose one of ${Object.keys(forms).join(", ")}, all.`)
say(`seed ${seed}`)
const faults: string[] = []
try {
  for (const [name, run] of Object.entries(forms))
    if (asked === "all" || asked === name) faults.push(...(await run()))
} finally {
  await cleanUp()
}
for (const fault of faults) console.error(fault)
say(faults.length === 0 ? "No problems." : `${faults.length} problems.`)
process.exit(faults.length === 0 ? 0 : 1)

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
