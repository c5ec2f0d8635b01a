// The full fault tests; `npm test` runs a shorter version of the same code. Needs the built binary.
//   bun scripts/faults/main.ts [crash|power|disk|failover|racing|patroni|all] [--rounds N] [--seed N]
// `all` leaves out patroni, which needs further packages.
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
const { failover } = await import("./failover")
const { missingForPatroni, patroniPair } = await import("./patroni-pair")
const { racing } = await import("./racing")
const { programWithNormalSync, powerCut } = await import("./power")
const { findShim } = await import("./shim")

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
const say = (line: string) => console.log(line)

const forms: Record<string, () => Promise<string[]>> = {
  async crash() {
    const { problems, ...figures } = await crash({ seed, rounds: rounds ?? 25, say })
    say(`crash: ${JSON.stringify(figures)}`)
    return problems
  },
  async power() {
    const shim = await findShim()
    if (!shim) return ["The shim could not be built."]
    const { losses, damages, ...figures } = await powerCut({
      seed,
      points: rounds ?? 200,
      shim,
      scenarios: 120,
      writers: 16,
      say,
    })
    say(`power: ${JSON.stringify(figures)}`)
    const withNormalSync = await powerCut({ seed, points: 25, shim, command: programWithNormalSync() })
    say(
      `with synchronous = NORMAL: ${withNormalSync.losses.length} losses at ${withNormalSync.points} points`,
    )
    const foundNoLoss = withNormalSync.losses.length === 0
    return [
      ...losses,
      ...damages,
      ...(foundNoLoss ? ["Losses with synchronous = NORMAL were not found."] : []),
    ]
  },
  disk: disks,
  async failover() {
    const { problems, ...figures } = await failover({ seed, rounds: rounds ?? 25, servers: 2, say })
    say(`failover: ${JSON.stringify(figures)}`)
    if (problems.length > 0) return problems
    const control = await failover({ seed, rounds: 30, isSynchronous: false })
    say(
      `if commits do not wait for the standby: ${control.problems.length} losses in round ${control.rounds}`,
    )
    return control.problems.length > 0
      ? problems
      : [...problems, "Losses without synchronous commits were not found."]
  },
  async racing() {
    const { problems, answers } = await racing({ seed, races: rounds ?? 1_500 })
    say(`racing: ${JSON.stringify(answers)}`)
    const control = await racing({ seed, races: 400, isLocked: false })
    say(`without the lock of writes: ${control.problems.length} problems`)
    return control.problems.length > 0 ? problems : [...problems, "Races without the lock were not found."]
  },
  async patroni() {
    const missing = missingForPatroni()
    if (missing) fail(missing, 1)
    const problems = await patroniProblems(rounds ?? 25, false)
    // Here commits also wait when there is no standby. The control of the checks is that of `failover`.
    return problems.length > 0 ? problems : patroniProblems(4, true)
  },
}

async function patroniProblems(count: number, isStrict: boolean): Promise<string[]> {
  const newPair = () => patroniPair({ isStrict })
  const { problems, ...figures } = await failover({ seed, rounds: count, servers: 2, newPair, say })
  say(`patroni${isStrict ? " with synchronous_mode_strict" : ""}: ${JSON.stringify(figures)}`)
  return problems
}

async function disks(): Promise<string[]> {
  const shim = await findShim()
  const small = smallDisk()
  try {
    const problems = await diskProblems("a small disk that fills up", small)
    for (const [name, error] of Object.entries(shimErrors))
      problems.push(...(await diskProblems(name, shim ? shimmedDisk(shim, error) : null)))
    return problems
  } finally {
    small?.remove()
  }
}

async function diskProblems(name: string, disk: Disk | null): Promise<string[]> {
  if (!disk) return [`${name} could not be created.`]
  const problems: string[] = []
  for (let round = 0; round < (rounds ?? 5); round++) {
    const { problems: found, ...figures } = await failingDisk(disk, seed + round)
    say(`${name}: ${JSON.stringify(figures)}`)
    problems.push(...found.map((problem) => `${name}: ${problem}`))
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${disk.cwd}/kontor.db${suffix}`, { force: true })
  }
  return problems
}

const [wanted = "all", ...rest] = positionals
if (rest.length > 0 || (wanted !== "all" && !(wanted in forms)))
  fail(`Choose one of ${Object.keys(forms).join(", ")}, all.`)
say(`seed ${seed}`)
const problems: string[] = []
try {
  for (const [name, run] of Object.entries(forms))
    if (wanted === name || (wanted === "all" && name !== "patroni")) problems.push(...(await run()))
} finally {
  await cleanUp()
}
for (const problem of problems) console.error(problem)
say(problems.length === 0 ? "No problems." : `${problems.length} problems.`)
process.exit(problems.length === 0 ? 0 : 1)

function fail(message: string, code = 2): never {
  console.error(message)
  process.exit(code)
}
