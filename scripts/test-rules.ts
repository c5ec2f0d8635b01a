// Refuses tests that depend on the speed of the machine: assertions about elapsed time, and waits of less than a minute.
import { readFileSync } from "node:fs"
import { Glob } from "bun"

const clockRead = /\b(?:performance\.now|Date\.now|Bun\.nanoseconds|millis|steadyMillis)\(\)/
/** `const took = performance.now() - began`: a variable whose value is elapsed time. */
const elapsed =
  /\b(?:const|let)\s+(\w+)\s*=\s*(?:Math\.\w+\()?\(?(?:performance\.now|Date\.now|Bun\.nanoseconds)\(\)\s*-/g
const comparison = /\.toBe(?:Less|Greater)Than/
/** A time that an assertion compares, by its name. */
const named = /\b(?:elapsed|took|duration|waited|millis|ms|seconds|latency|p99)\b/
const wait = /\b(?:timeout: |setDefaultTimeout\()([\d_]+)|^\s*\}, ([\d_]+)\)$/
const shortest = 60_000

const numberOf = (text: string): number => Number(text.replaceAll("_", ""))

function faultsIn(file: string): string[] {
  const text = readFileSync(file, "utf8")
  const times = [...text.matchAll(elapsed)].map(([, name]) => name)
  const isTime = (line: string) =>
    clockRead.test(line) || named.test(line) || times.some((name) => new RegExp(`\\b${name}\\b`).test(line))
  return text.split("\n").flatMap((line, i) => {
    const at = `${file}:${i + 1}`
    const [, timeout, ofTest] = wait.exec(line) ?? []
    const limit = timeout ?? ofTest
    if (line.includes("expect(") && comparison.test(line) && isTime(line.slice(line.indexOf("expect("))))
      return [`${at} compares elapsed time: count steps, or compare the CPU times of two sizes.`]
    if (limit !== undefined && numberOf(limit) < shortest)
      return [`${at} waits for less than a minute: wait until it happened.`]
    return []
  })
}

const files = [
  ...new Glob("{src,test}/**/*.test.{ts,tsx}").scanSync(),
  ...new Glob("test/support/*.ts").scanSync(),
]
const faults = files.flatMap(faultsIn)
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
