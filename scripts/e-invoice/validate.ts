import { cpus } from "node:os"

export type Failure = { file: string; rules: string[] }

const filesPerProcess = 200

/**
 * Runs a validator: a program that takes `[--xrechnung] FILE…` and prints `ok FILE`, or `FAILED FILE` and the broken
 * rules in lines that begin with spaces. Returns the files that failed; a file without a word about it has failed too.
 */
export async function validate(validator: string, files: string[], isXrechnung: boolean): Promise<Failure[]> {
  const waiting = Array.from({ length: Math.ceil(files.length / filesPerProcess) }, (_, i) =>
    files.slice(i * filesPerProcess, (i + 1) * filesPerProcess),
  )
  const failures: Failure[] = []
  const work = async () => {
    for (let part = waiting.pop(); part; part = waiting.pop())
      failures.push(...(await run(validator, part, isXrechnung)))
  }
  await Promise.all(cpus().map(work))
  return failures
}

async function run(validator: string, files: string[], isXrechnung: boolean): Promise<Failure[]> {
  const command = validator.endsWith("js") ? ["node", validator] : [validator]
  const child = Bun.spawn([...command, ...(isXrechnung ? ["--xrechnung"] : []), ...files], {
    stdout: "pipe",
    stderr: "inherit",
  })
  const failures = new Map(files.map((file) => [file, { file, rules: ["no answer"] }]))
  let failure: Failure | undefined
  for (const line of (await new Response(child.stdout).text()).split("\n")) {
    const [, verdict, file = ""] = /^(ok|FAILED) (.*)$/.exec(line) ?? []
    if (verdict === "ok") failures.delete(file)
    if (verdict) failure = failures.get(file)
    if (verdict === "FAILED" && failure) failure.rules = []
    if (line.startsWith("  ")) failure?.rules.push(line.trim())
  }
  return [...failures.values()]
}
