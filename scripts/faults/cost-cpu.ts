// The CPU time of a server's main thread, and how fast the CPU is. Elapsed time would also measure other programs.
import { readFileSync } from "node:fs"
import { spent } from "../../test/support/cpu"

/** True where the system tells the CPU time of a thread. Elsewhere nothing counts as blocked. */
export const isMeasured = process.platform === "linux"

/** The CPU time of the main thread of a process, in ms; 0 when it has ended. */
export function mainThreadMillis(pid: number): number {
  const folder = `/proc/${pid}/task/${pid}`
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]) / 1e6
  } catch {
    return isMeasured ? ticksOf(folder) : 0
  }
}

/** Some kernels count only in steps of 10 ms. */
function ticksOf(folder: string): number {
  try {
    const fields = readFileSync(`${folder}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

/** In ms: the CPU time of the work below on the machine for which the limits were chosen. */
const reference = 12

/** How many times as much CPU time the same work takes here and now; at least 1. */
export function slowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const before = spent()
    work()
    return (spent() - before) / 1_000
  })
  return Math.max(1, Math.min(...times) / reference)
}

/** What a server does: it parses, sorts and writes. */
function work(): number {
  const rows = Array.from({ length: 8_000 }, (_, i) => ({ id: `row-${(i * 7919) % 8_000}`, amount: i / 7 }))
  const parsed = JSON.parse(JSON.stringify(rows)) as typeof rows
  return JSON.stringify(parsed.toSorted((a, b) => (a.id < b.id ? -1 : 1))).length
}
