import { writeSync } from "node:fs"
import { parseArgs } from "node:util"
import { options, readConfig, UsageError, type Config, type OptionName } from "../config"

/** What a command is run with. */
export type Run = {
  config: Config
  flags: Record<string, string | undefined>
  switches: Record<string, boolean | undefined>
  /** Flags that may be given several times. */
  lists: Record<string, string[] | undefined>
  words: string[]
}

/** One command: a row of the table that `main` and `help` read. */
export type Command = {
  name: string
  summary: string
  /** After `kontor name`. */
  usage: string
  examples: string[]
  /** The options of the configuration that it takes. */
  takes: OptionName[]
  /** How many words it takes beside its options; none unless it says so. */
  words?: number
  /** Flags of its own with a value, and what they are. */
  flags?: Record<string, string>
  /** Those of its flags that may be given several times. */
  lists?: string[]
  /** Flags of its own without a value. */
  switches?: Record<string, string>
  run: (run: Run) => Promise<void> | void
}

/** Splits a command line by what the command takes. Refuses what it does not know. */
export function readRun(command: Command, args: string[]): Run {
  const known = {
    ...Object.fromEntries(
      command.takes.map((name) => [
        options[name].flag,
        { type: options[name].value === undefined ? ("boolean" as const) : ("string" as const) },
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(command.flags ?? {}).map((name) => [
        name,
        { type: "string" as const, multiple: command.lists?.includes(name) ?? false },
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(command.switches ?? {}).map((name) => [name, { type: "boolean" as const }]),
    ),
  }
  let parsed
  try {
    parsed = parseArgs({ args, options: known, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(`${firstSentence(error)} See "kontor ${command.name} --help".`)
  }
  const flags: Run["flags"] = {}
  const switches: Run["switches"] = {}
  const lists: Run["lists"] = {}
  for (const [name, value] of Object.entries(parsed.values)) {
    if (typeof value === "boolean" && name in (command.switches ?? {})) switches[name] = value
    else if (Array.isArray(value)) lists[name] = value.map(String)
    else flags[name] = String(value)
  }
  const extra = parsed.positionals[command.words ?? 0]
  if (extra !== undefined)
    throw new UsageError(
      `${JSON.stringify(extra)} is one word too many. See "kontor ${command.name} --help".`,
    )
  return { config: readConfig(flags, command.takes), flags, switches, lists, words: parsed.positionals }
}

/** The first word, as one of the actions of a command. Refuses an option that this action does not take. */
export function readAction<const A extends Record<string, readonly string[]>>(
  name: string,
  actions: A,
  { words, flags, switches, lists }: Run,
): keyof A & string {
  const action = words[0] ?? ""
  const takes = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!takes)
    throw new UsageError(
      `Say what to do: kontor ${name} ${Object.keys(actions).join("|")}. See "kontor ${name} --help".`,
    )
  for (const option of Object.keys({ ...flags, ...switches, ...lists }))
    if (!takes.includes(option) && option !== "json" && option !== "db")
      throw new UsageError(
        `"kontor ${name} ${action}" does not take --${option}. See "kontor ${name} --help".`,
      )
  return action
}

/** The result of a command: on stdout, as JSON when asked for. */
export function print(text: string): void {
  writeAll(1, `${text}\n`)
}

/** Words for whoever is reading along: on stderr, so that the result can be piped. */
export function say(text: string): void {
  writeAll(2, `${text}\n`)
}

/** Writes all of it before it returns: a program that ends right after must not cut off what it said. */
function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      // A reader that is slower than we are is waited for; one that has gone away has heard enough.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return
      Bun.sleepSync(1)
    }
  }
}

/** Lines up rows of text in columns. */
export function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

const firstSentence = (error: unknown) =>
  `${(error instanceof Error ? error.message : String(error)).split(/\. |\n/)[0]?.replace(/\.$/, "")}.`
