// Fails when a test depends on how fast the machine is: an assertion compares elapsed time with a number, or a wait for
// something that must happen ends in less than a minute.
import { Glob } from "bun"

/** In milliseconds. A wait for something that must happen has no shorter limit. */
const shortestLimit = 60_000

const clock = String.raw`(?:performance\.now|Date\.now|Bun\.nanoseconds|process\.hrtime(?:\.bigint)?|steadyMillis|millis)\(\)`
/** Names of elapsed time. */
const names = String.raw`\w*(?:[eE]lapsed|[tT]ook|[sS]lowest|[dD]uration|[lL]atency|[mM]illis|p9[59])|ms|seconds`
const difference = new RegExp(String.raw`\b(\w+) = [^\n=]*(?:${clock} - |- ${clock})`, "g")
const comparison = new RegExp(
  String.raw`(?:${clock}(?: - [\w.]+)?\)?|\b(?:waited|longest|elapsed|took|slowest))\s*[<>]=?\s*(?!patience\b)[\w(]`,
)
const matcher = /^(?:\.not)?\.toBe(?:(?:Less|Greater)Than(?:OrEqual)?|Within)\(/

type Rule = (source: string) => { at: number; message: string }[]

/** `expect(performance.now() - began).toBeLessThan(500)`, also with a variable for the difference. */
const elapsedAssertions: Rule = (source) => {
  const variables = [...source.matchAll(difference)].map(([, name]) => name)
  const isElapsed = new RegExp(String.raw`${clock}|\b(?:${[names, ...variables].join("|")})\b(?!\()`)
  return [...source.matchAll(/\bexpect\(/g)].flatMap(({ index }) => {
    const start = index + "expect(".length
    const end = closing(source, start)
    const received = source.slice(start, end)
    const isTime = matcher.test(source.slice(end + 1)) && !received.includes("=>") && isElapsed.test(received)
    return isTime ? [{ at: index, message: "compares elapsed time with a number" }] : []
  })
}

/** `if (performance.now() - began > 500) throw …`; `patience`, which is minutes, is the only limit. */
const elapsedComparisons: Rule = (source) =>
  linesOf(source).flatMap(({ line, at }) =>
    comparison.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)
      ? [{ at, message: "compares elapsed time with something other than `patience`" }]
      : [],
  )

/** `timeout: 2_000`, `setDefaultTimeout(30_000)`, `}, 10_000)` at the end of a test, `const patience = 5_000`. */
const shortLimits: Rule = (source) =>
  [
    ...source.matchAll(
      /\btimeout: ([\d_]+)|setDefaultTimeout\(([\d_]+)\)|^\s*\}, ([\d_]+)\)$|\bpatience = ([\d_]+)$/gm,
    ),
  ].flatMap(({ index, 0: text, ...groups }) => {
    const digits = [groups[1], groups[2], groups[3], groups[4]].find((each) => each !== undefined) ?? ""
    const isShort = Number(digits.replaceAll("_", "")) < shortestLimit
    return isShort ? [{ at: index, message: `\`${text.trim()}\` waits for less than a minute` }] : []
  })

/** `for (let i = 0; i < 100 && !isDone(); i++) await Bun.sleep(50)` */
const countedPolls: Rule = (source) =>
  [
    ...source.matchAll(/for \(let \w+ = [^;\n]*; \w+ [<>] [\d_]+ && [^;\n]*; [^\n]*\n?[^\n]*\bsleep\(/gi),
    ...source.matchAll(/for \(let \w+ = [\d_]+; \w+ > 0; \w+--\) \{\n(?:.*\n){0,8}? +await Bun\.sleep\(/g),
  ].map(({ index }) => ({ at: index, message: "gives up after a number of looks; use `until`" }))

/** What is wrong in the source of a test, with the numbers of the lines. */
export function faultsIn(source: string): string[] {
  return [elapsedAssertions, elapsedComparisons, shortLimits, countedPolls]
    .flatMap((rule) => rule(source))
    .map(({ at, message }) => `${source.slice(0, at).split("\n").length}: ${message}`)
}

function closing(source: string, from: number): number {
  let depth = 1
  let at = from
  for (; depth > 0 && at < source.length; at++) depth += { "(": 1, ")": -1 }[source[at] ?? ""] ?? 0
  return at - 1
}

function linesOf(source: string): { line: string; at: number }[] {
  let at = 0
  return source.split("\n").map((line) => {
    const found = { line, at }
    at += line.length + 1
    return found
  })
}

if (import.meta.main) {
  const files = ["test/**/*.ts", "src/**/*.test.ts", "scripts/faults/*.ts"].flatMap((pattern) => [
    ...new Glob(pattern).scanSync(),
  ])
  // The test of these rules has examples of what they refuse.
  const checked = files.filter((file) => file !== "test/test-rules.test.ts")
  const errors: string[] = []
  for (const file of checked)
    errors.push(...faultsIn(await Bun.file(file).text()).map((fault) => `${file}:${fault}`))
  for (const error of errors) console.error(error)
  process.exit(errors.length > 0 ? 1 : 0)
}
